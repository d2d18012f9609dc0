//! What a person reads of a reply: never the text of a file (spec: ai-sessions.md §5 "Summary only").
//!
//! Invariants: a block of code is shown in the preview, not here; whatever also stands in a payload is not repeated;
//! time is in proportion to the texts.

use std::collections::HashMap;

use crate::documents::body;

/// What stands for a text that is in the preview.
const SHOWN_THERE: &str = "[see preview]";
/// Lines that a block may have.
const BLOCK_LINES: usize = 3;
/// Characters of a run that counts as repeated.
const RUN_CHARS: usize = 200;
/// It counts the characters of a summary.
const MOST_CHARS: usize = 2_000;

/// The summary as it is shown and stored; `payloads` are the texts that the change brings, `objects` the keys of what
/// it touches.
pub fn summary(words: &str, payloads: &[&str], objects: &[String]) -> String {
    let shown = cut(&without_payloads(&without_blocks(words), payloads));
    let nothing_left = shown.replace(SHOWN_THERE, "").trim().is_empty();
    if nothing_left && !objects.is_empty() {
        return cut(&format!("Changed: {}", objects.join(", ")));
    }
    shown
}

/// Long fenced blocks, fences included.
fn without_blocks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for fence in body::read(text, 0).fences {
        if text[fence.content.clone()].lines().count() <= BLOCK_LINES {
            continue;
        }
        let start = text[..fence.info.start].rfind('\n').map_or(0, |end| end + 1);
        out.push_str(&text[at..start]);
        out.push_str(SHOWN_THERE);
        at = text[fence.content.end..].find('\n').map_or(text.len(), |end| fence.content.end + end);
    }
    out + &text[at..]
}

/// Runs that also stand in a payload.
fn without_payloads(text: &str, payloads: &[&str]) -> String {
    let chars: Vec<char> = text.chars().collect();
    let windows = Windows::of(&chars);
    // A hash of a stretch of the summary → where it first stands, and whether a payload holds it.
    let mut stretches: HashMap<u64, (usize, bool)> = HashMap::new();
    for (at, hash) in windows.enumerate() {
        stretches.entry(hash).or_insert((at, false));
    }
    let payloads = if stretches.is_empty() { &[] } else { payloads };
    for payload in payloads {
        let payload: Vec<char> = payload.chars().collect();
        for (at, hash) in Windows::of(&payload).enumerate() {
            if let Some((own, held)) = stretches.get_mut(&hash).filter(|(_, held)| !held) {
                *held = chars[*own..*own + RUN_CHARS] == payload[at..at + RUN_CHARS];
            }
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut held_until = 0;
    let mut windows = Windows::of(&chars);
    for (at, char) in chars.iter().enumerate() {
        if windows.next().is_some_and(|hash| stretches.get(&hash).is_some_and(|(_, held)| *held)) {
            if at >= held_until {
                out.push_str(SHOWN_THERE);
            }
            held_until = at + RUN_CHARS;
        }
        if at >= held_until {
            out.push(*char);
        }
    }
    out
}

/// Hashes of every stretch of [`RUN_CHARS`] characters, each from the one before.
struct Windows<'c> {
    chars: &'c [char],
    next: usize,
    hash: u64,
}

impl<'c> Windows<'c> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    /// What the first character of a stretch weighs once the last one is in.
    const WEIGHT: u64 = {
        let (mut weight, mut count) = (1_u64, 1);
        while count < RUN_CHARS {
            weight = weight.wrapping_mul(Self::BASE);
            count += 1;
        }
        weight
    };

    fn of(chars: &'c [char]) -> Self {
        let first = chars.iter().take(RUN_CHARS - 1);
        Self { chars, next: RUN_CHARS - 1, hash: first.fold(0, |hash, char| Self::push(hash, *char)) }
    }

    fn push(hash: u64, char: char) -> u64 {
        hash.wrapping_mul(Self::BASE).wrapping_add(u64::from(u32::from(char)) + 1)
    }
}

impl Iterator for Windows<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let char = self.chars.get(self.next)?;
        let whole = Self::push(self.hash, *char);
        let first = u64::from(u32::from(self.chars[self.next + 1 - RUN_CHARS])) + 1;
        self.hash = whole.wrapping_sub(first.wrapping_mul(Self::WEIGHT));
        self.next += 1;
        Some(whole)
    }
}

fn cut(text: &str) -> String {
    if text.chars().nth(MOST_CHARS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MOST_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &str, payloads: &[&str]) -> String {
        summary(words, payloads, &["step:bake".to_owned(), "asset:assets/a.md".to_owned()])
    }

    /// Text without a stretch that stands in it twice.
    fn text(from: usize, count: usize) -> String {
        (from..).flat_map(|number| format!("{number:05} ").chars().collect::<Vec<_>>()).take(count).collect()
    }

    #[test]
    fn blocks_of_more_than_three_lines_are_in_the_preview() {
        let cases = [
            ("Done.\n```\na\nb\nc\n```\nGood.", "Done.\n```\na\nb\nc\n```\nGood."),
            ("Done.\n```md\na\nb\nc\nd\n```\nGood.", "Done.\n[see preview]\nGood."),
            ("Done.\n  ~~~\na\n\n\nd", "Done.\n[see preview]"),
            ("```\n1\n2\n3\n4\n```\nThen\n```\n1\n2\n3\n4\n```", "[see preview]\nThen\n[see preview]"),
        ];
        for (words, want) in cases {
            assert_eq!(shown(words, &[]), want, "{words}");
        }
    }

    #[test]
    fn runs_of_a_payload_are_in_the_preview() {
        let (run, short) = (text(0, 200), text(0, 199));
        let payload = format!("<{run}>");
        assert_eq!(shown(&format!("I wrote {run}."), &["other", &payload]), "I wrote [see preview].");
        assert_eq!(shown(&format!("I wrote {short}."), &[&short]), format!("I wrote {short}."));
        let long = text(0, 700);
        assert_eq!(shown(&format!("A {} B", &long[100..600]), &[&long]), "A [see preview] B");
        let twice = format!("A {run}|{run} B");
        assert_eq!(shown(&twice, &[&payload]), "A [see preview]|[see preview] B");
        assert_eq!(shown(&"å".repeat(1_000), &[&"å".repeat(201)]), "Changed: step:bake, asset:assets/a.md");
    }

    #[test]
    fn two_thousand_characters_are_shown() {
        let words = "ä".repeat(2_000);
        assert_eq!(shown(&words, &[]), words);
        assert_eq!(shown(&format!("{words}ä"), &[]), format!("{}…", "ä".repeat(1_999)));
    }

    #[test]
    fn where_nothing_is_left_the_objects_are_named() {
        let block = "```\n1\n2\n3\n4\n```";
        assert_eq!(shown(block, &[]), "Changed: step:bake, asset:assets/a.md");
        assert_eq!(shown(" \n", &[]), "Changed: step:bake, asset:assets/a.md");
        assert_eq!(summary(block, &[], &[]), "[see preview]");
    }
}
