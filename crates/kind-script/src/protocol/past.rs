//! What was said before, as the next call reads it (spec: script-tool.md §7).
//!
//! Invariant: what became of a proposal stands behind the words that proposed it, so that the model does not take a
//! discarded change for one that was made.

use holdpoint_tokens::Message;

/// A message of a complete turn; `decision` is what became of the turn's proposal.
pub fn message(role: &str, content: &str, decision: Option<&str>) -> Message {
    if role != "assistant" {
        return Message::new(role, content);
    }
    let note = match decision {
        Some("applied") => "(The person applied this proposal.)",
        Some("discarded") => "(The person discarded this proposal: it was not applied.)",
        Some("undone") => "(The person applied this proposal and then took it back.)",
        // Providers refuse messages without a word.
        _ if content.is_empty() => "(No words.)",
        _ => "",
    };
    match (content.is_empty(), note.is_empty()) {
        (true, _) => Message::new(role, note),
        (_, true) => Message::new(role, content),
        _ => Message::new(role, format!("{content}\n\n{note}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_stand_behind_the_words() {
        let cases = [
            ("user", "do", Some("applied"), "do"),
            ("assistant", "done", None, "done"),
            ("assistant", "done", Some("applied"), "done\n\n(The person applied this proposal.)"),
            ("assistant", "", Some("undone"), "(The person applied this proposal and then took it back.)"),
            ("assistant", "", None, "(No words.)"),
        ];
        for (role, content, decision, want) in cases {
            assert_eq!(message(role, content, decision).content, want);
        }
    }
}
