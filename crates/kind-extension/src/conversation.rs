//! What was said on the way to an install, as the page tells it and as every browser reads it again (spec: authoring.md
//! §9.1 "Conversation", ENGINE §6).
//!
//! A person's words begin a turn; plans, attempts and signatures behind them are its record. Invariants: what a browser
//! reads is what was told, byte for byte; nothing of it enters a hash, and no word of it stands in a revision's facts.

use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};

use crate::planning::{MAX_SHEET_ENTRIES, MAX_TEXT_CHARS, SheetEntry, SheetStep};

codes! {
    // Of the body of an install.
    INVALID_REQUEST / CHANGE_NAME: Error, "Name the change in 1 to {most} letters, digits, `-` or `_`." [most];
    INVALID_REQUEST / ENTRIES: Error, "Send 1 to {most} entries, and begin with what was asked." [most];
    INVALID_REQUEST / WORDS: Error, "Send words of at most {most} characters." [most];
    INVALID_REQUEST / TALK_BYTES: Error, "Send a conversation of at most {most} bytes." [most];
}

/// Characters of the page's own name for a change.
const MAX_NAME_CHARS: usize = 64;
/// Bytes of a conversation, as JSON.
const MAX_TALK_BYTES: usize = 512 << 10;

/// What led to an install.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Conversation {
    #[serde(flatten)]
    pub change: ToldFacts,
    /// What happened, oldest first; the first is what was asked.
    pub entries: Vec<SheetEntry>,
}

/// What is known of a change beside its words: a revision keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = crate::planning::nulls_stand))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToldFacts {
    /// The page's own name for the change, the same in every browser.
    pub change: String,
    /// As people say it: "Change 7".
    pub number: u32,
    /// What its run cost; null where none was opened.
    pub spent: Option<SpentOn>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SpentOn {
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub tokens: u64,
    pub cost: f64,
    /// As the account counts it; empty where it counts none.
    pub currency: String,
}

/// A person's words, and what followed from them until the next.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationTurn {
    /// In milliseconds since 1970, UTC.
    pub at: u64,
    pub words: String,
    /// The plan in a sentence; empty where none was made.
    pub answer: String,
    pub record: Vec<SheetEntry>,
}

/// Why a conversation is not one, with its place in the body; `None`: it is one.
pub fn fault(talk: &Conversation) -> Option<ApiError> {
    let name = &talk.change.change;
    let legal = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
    if name.is_empty() || name.len() > MAX_NAME_CHARS || !name.chars().all(legal) {
        return Some(ApiError::at("/conversation/change", &CHANGE_NAME, args! { most: MAX_NAME_CHARS }));
    }
    let begins = matches!(talk.entries.first(), Some(SheetEntry { step: SheetStep::Asked { .. }, .. }));
    if !begins || talk.entries.len() > MAX_SHEET_ENTRIES {
        return Some(ApiError::at("/conversation/entries", &ENTRIES, args! { most: MAX_SHEET_ENTRIES }));
    }
    let long = |entry: &SheetEntry| words(entry).is_some_and(|text| text.chars().count() > MAX_TEXT_CHARS);
    if let Some(at) = talk.entries.iter().position(long) {
        let pointer = format!("/conversation/entries/{at}/text");
        return Some(ApiError::at(pointer, &WORDS, args! { most: MAX_TEXT_CHARS }));
    }
    let bytes = serde_json::to_string(talk).map_or(usize::MAX, |text| text.len());
    (bytes > MAX_TALK_BYTES).then(|| ApiError::at("/conversation", &TALK_BYTES, args! { most: MAX_TALK_BYTES }))
}

/// The turns of a conversation that [`fault`] let pass.
pub fn turns(entries: &[SheetEntry]) -> Vec<ConversationTurn> {
    let mut turns: Vec<ConversationTurn> = Vec::new();
    for entry in entries {
        match (words(entry), turns.last_mut()) {
            (Some(text), _) => {
                turns.push(ConversationTurn {
                    at: entry.at,
                    words: text.to_owned(),
                    answer: String::new(),
                    record: Vec::new(),
                });
            }
            (None, Some(turn)) => {
                if let SheetStep::Plan { plan, .. } = &entry.step {
                    plan["summary"].as_str().unwrap_or_default().clone_into(&mut turn.answer);
                }
                turn.record.push(entry.clone());
            }
            (None, None) => {}
        }
    }
    turns
}

/// The entries that turns were made of.
pub fn entries(turns: &[ConversationTurn]) -> Vec<SheetEntry> {
    let of = |(place, turn): (usize, &ConversationTurn)| {
        let text = turn.words.clone();
        let step = if place == 0 { SheetStep::Asked { text } } else { SheetStep::Adjusted { text } };
        std::iter::once(SheetEntry { at: turn.at, step }).chain(turn.record.clone()).collect::<Vec<_>>()
    };
    turns.iter().enumerate().flat_map(of).collect()
}

fn words(entry: &SheetEntry) -> Option<&str> {
    match &entry.step {
        SheetStep::Asked { text } | SheetStep::Adjusted { text } => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn talk(more: &Value) -> Conversation {
        let mut value = json!({"change": "c-7", "number": 7, "entries": [
            {"at": 1, "is": "asked", "text": "add a panel"},
            {"at": 2, "is": "plan", "plan": {"summary": "A panel"}, "plan_hash": "sha256:1", "edited": false},
            {"at": 3, "is": "adjusted", "text": "no curtain walls"},
            {"at": 4, "is": "plan", "plan": {"summary": "A panel, no curtain walls"}, "plan_hash": "sha256:2", "edited": true},
            {"at": 5, "is": "approved", "plan_hash": "sha256:2"},
            {"at": 6, "is": "attempt", "number": 0, "ok": true, "ms": 4, "passed": 1, "tests": 1, "finding": null},
        ]});
        for (name, member) in more.as_object().into_iter().flatten() {
            value[name] = member.clone();
        }
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn words_begin_turns_and_turns_give_the_entries_back() {
        let told = talk(&json!({}));
        let turns = turns(&told.entries);
        let said: Vec<_> = turns.iter().map(|turn| (turn.words.as_str(), turn.answer.as_str())).collect();
        assert_eq!(said, [("add a panel", "A panel"), ("no curtain walls", "A panel, no curtain walls")]);
        assert_eq!(turns[1].record.len(), 3);
        assert_eq!(entries(&turns), told.entries);
    }

    #[test]
    fn what_is_no_conversation_says_where() {
        let asked = |text: &str| json!({"at": 1, "is": "asked", "text": text});
        let plan =
            |text: &str| json!({"at": 1, "is": "plan", "plan": {"summary": text}, "plan_hash": "", "edited": false});
        let many = vec![asked("a"); MAX_SHEET_ENTRIES + 1];
        let cases = [
            (json!({}), None),
            (json!({"change": ""}), Some("/conversation/change")),
            (json!({"change": "a b"}), Some("/conversation/change")),
            (json!({"change": "a".repeat(65)}), Some("/conversation/change")),
            (json!({"entries": []}), Some("/conversation/entries")),
            (json!({"entries": [{"at": 1, "is": "another"}]}), Some("/conversation/entries")),
            (json!({"entries": many}), Some("/conversation/entries")),
            (json!({"entries": [asked("a"), asked(&"å".repeat(8_001))]}), Some("/conversation/entries/1/text")),
            (json!({"entries": [asked(&"å".repeat(8_000))]}), None),
            (json!({"entries": [asked("a"), plan(&"x".repeat(MAX_TALK_BYTES))]}), Some("/conversation")),
        ];
        for (more, want) in cases {
            let found = fault(&talk(&more)).map(|error| json!(error)["details"]["pointer"].clone());
            assert_eq!(found, want.map(|want| json!(want)));
        }
    }
}
