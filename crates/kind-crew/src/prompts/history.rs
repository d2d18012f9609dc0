//! What of a conversation the next call reads: the newest messages as they are, the older ones as a summary (spec:
//! ai-sessions.md §7.2).
//!
//! Invariant: the summary is made by rule from the messages alone; no model writes it.

use serde::{Deserialize, Serialize};

use super::snip::snip;

/// Messages that stay as they are when nothing else is asked for.
pub const KEPT: usize = 6;
pub const MAX_KEPT: usize = 50;
/// Requests or changes that a summary tells whole.
const LISTED: usize = 8;
/// Requests that stand before the ones that are left out.
const FIRST_REQUESTS: usize = 2;
/// It counts the characters of a request.
const REQUEST_CHARS: usize = 120;
/// It counts the characters of a question.
const QUESTION_CHARS: usize = 200;
/// Objects that a change names.
const NAMED_OBJECTS: usize = 6;

/// A message of the session.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Past {
    /// Only those of `user` and `assistant` count.
    pub role: String,
    pub content: String,
    #[serde(default)]
    pub change: Option<PastChange>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PastChange {
    pub version: u64,
    pub status: String,
    pub objects: Vec<String>,
}

/// A message as the next call carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    pub role: String,
    pub content: String,
}

/// What the next call reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryWindow {
    /// The newest ones, with the oldest first.
    pub messages: Vec<Kept>,
    /// Of those before them; none where there are none.
    pub summary: Option<String>,
    pub counts: Counts,
}

/// What became of the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub total: usize,
    pub kept: usize,
    pub summarized: usize,
    pub skipped: usize,
}

/// Keeps the last `keep` messages and tells of the others.
pub fn window(messages: Vec<Past>, keep: usize) -> HistoryWindow {
    let total = messages.len();
    let mut older: Vec<Past> = messages.into_iter().filter(|it| is_user(it) || is_assistant(it)).collect();
    let counted = older.len();
    let newest = older.split_off(counted.saturating_sub(keep));
    let summary = (!older.is_empty()).then(|| summary(&older));
    let counts = Counts { total, kept: newest.len(), summarized: older.len(), skipped: total - counted };
    let messages = newest.into_iter().map(|Past { role, content, .. }| Kept { role, content }).collect();
    HistoryWindow { messages, summary, counts }
}

fn is_user(message: &Past) -> bool {
    message.role == "user"
}

fn is_assistant(message: &Past) -> bool {
    message.role == "assistant"
}

fn summary(older: &[Past]) -> String {
    let requests: Vec<&Past> = older.iter().filter(|it| is_user(it)).collect();
    let (count, users) = (older.len(), requests.len());
    let assistants = count - users;
    let mut lines =
        vec![format!("Summary of {count} earlier messages ({users} from the user, {assistants} from the assistant).")];
    if !requests.is_empty() {
        lines.push("Requests:".to_owned());
        let request = |it: &&Past| format!("- {}", snip(&it.content, REQUEST_CHARS));
        if users > LISTED {
            lines.extend(requests[..FIRST_REQUESTS].iter().map(request));
            lines.push(format!("- ({} more)", users - LISTED));
            lines.extend(requests[users - (LISTED - FIRST_REQUESTS)..].iter().map(request));
        } else {
            lines.extend(requests.iter().map(request));
        }
    }
    let changes: Vec<&PastChange> = older.iter().filter_map(|it| it.change.as_ref()).collect();
    if !changes.is_empty() {
        lines.push("Changes:".to_owned());
        let earlier = changes.len().saturating_sub(LISTED);
        if earlier > 0 {
            lines.push(format!("- ({earlier} earlier)"));
        }
        lines.extend(changes[earlier..].iter().map(|change| told(change)));
    }
    let last = older.iter().rev().find(|it| is_assistant(it));
    if let Some(question) = last.and_then(|it| open_question(&it.content)) {
        lines.push(format!("Open question: {}", snip(question, QUESTION_CHARS)));
    }
    lines.join("\n")
}

fn told(change: &PastChange) -> String {
    let named = &change.objects[..change.objects.len().min(NAMED_OBJECTS)];
    let more = change.objects.len() - named.len();
    let more = if more > 0 { format!(", +{more} more") } else { String::new() };
    format!("- version {}, {}: {}{more}", change.version, change.status, named.join(", "))
}

/// The last question of a text, from the end of the sentence before it.
fn open_question(text: &str) -> Option<&str> {
    let behind = |at: usize| at + text[at..].chars().next().map_or(0, char::len_utf8);
    let mark = text.rfind(['?', '？'])?;
    let start = text[..mark].rfind(['.', '!', '?', '。', '！', '？', '\n']).map_or(0, behind);
    Some(&text[start..behind(mark)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(role: &str, content: &str) -> Past {
        Past { role: role.to_owned(), content: content.to_owned(), change: None }
    }

    fn proposal(version: u64, objects: usize) -> Past {
        let objects = (0..objects).map(|index| format!("step:s{index}")).collect();
        let change = Some(PastChange { version, status: "staged".to_owned(), objects });
        Past { change, ..say("assistant", "Done.") }
    }

    fn lines(messages: &[Past]) -> Vec<String> {
        let summary = window(messages.to_vec(), 0).summary.unwrap();
        summary.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn the_newest_stay_and_the_others_are_counted() {
        let messages: Vec<Past> =
            [say("system", "s"), say("user", "a"), say("tool", "t"), say("assistant", "b\r\n "), say("user", "c")]
                .into();
        for (keep, kept, summarized) in [(0, 0, 3), (2, 2, 1), (3, 3, 0), (50, 3, 0)] {
            let window = window(messages.clone(), keep);
            assert_eq!(window.counts, Counts { total: 5, kept, summarized, skipped: 2 });
            assert_eq!((window.messages.len(), window.summary.is_some()), (kept, summarized > 0));
        }
        assert_eq!(window(messages, 2).messages[0].content, "b\r\n ", "what is kept is untouched");
        assert_eq!(window(vec![say("tool", "t")], 6).summary, None);
    }

    #[test]
    fn eight_requests_are_told_and_the_ninth_hides_the_third() {
        let asked = |count: usize| (0..count).map(|at| say("user", &format!("w{at}"))).collect::<Vec<_>>();
        assert_eq!(lines(&asked(8)), ["Requests:", "- w0", "- w1", "- w2", "- w3", "- w4", "- w5", "- w6", "- w7"]);
        let nine = ["Requests:", "- w0", "- w1", "- (1 more)", "- w3", "- w4", "- w5", "- w6", "- w7", "- w8"];
        assert_eq!(lines(&asked(9)), nine);
    }

    #[test]
    fn eight_changes_are_told_with_six_objects_each() {
        let eight: Vec<Past> = (1..=8).map(|version| proposal(version, 1)).collect();
        assert_eq!(lines(&eight)[..2], ["Changes:", "- version 1, staged: step:s0"]);
        let nine: Vec<Past> = (1..=9).map(|version| proposal(version, 1)).collect();
        assert_eq!(lines(&nine)[..3], ["Changes:", "- (1 earlier)", "- version 2, staged: step:s0"]);
        let six = "- version 4, staged: step:s0, step:s1, step:s2, step:s3, step:s4, step:s5";
        assert_eq!(lines(&[proposal(4, 6)])[1], six);
        assert_eq!(lines(&[proposal(4, 8)])[1], format!("{six}, +2 more"));
        assert_eq!(lines(&[proposal(4, 0)])[1], "- version 4, staged: ");
    }

    #[test]
    fn the_last_answer_may_leave_a_question_open() {
        let cases = [
            ("Shall I?", Some("Shall I?")),
            ("Done. Shall I\n fix it? They cite it.", Some("fix it?")),
            ("好。要改吗？改完了。", Some("要改吗？")),
            ("One? Two? Three", Some("Two?")),
            ("Really??", Some("?")),
            ("Yes! 3.5 kg?", Some("5 kg?")),
            ("No question.", None),
        ];
        for (answer, want) in cases {
            let last = lines(&[say("assistant", answer), say("user", "a?")]).pop().unwrap();
            assert_eq!(last.strip_prefix("Open question: "), want, "{answer}");
        }
        let earlier = lines(&[say("assistant", "Shall I?"), say("assistant", "Done.")]);
        assert!(earlier.is_empty(), "only the last answer asks");
        let long = format!("{}?", "x".repeat(200));
        let cut = format!("Open question: {}…", "x".repeat(199));
        assert_eq!(lines(&[say("assistant", &long)]), [cut]);
    }
}
