//! What a transcript keeps of a turn (spec: ai-sessions.md §2 `ai_messages`, §3 `GET S`).
//!
//! Invariant: what is kept of one turn is bounded, whatever a model wrote.

use serde_json::Value;

use crate::prompts::snip::snip;
use crate::tools::{APPLY, TOOLS};

/// Bytes that a list of a turn may take in its row.
pub const MAX_LIST_BYTES: usize = 16 << 10;
/// Bytes that the arguments, or the result, of one call of a tool may take.
pub const MAX_CALL_BYTES: usize = 256 << 10;
/// Characters of a tool's name.
const MAX_NAME: usize = 80;
/// Characters of the title of a session.
const MAX_TITLE: usize = 80;
/// How a tool is called in logs that there is not.
const UNLISTED: &str = "unlisted";

/// The first items of a list, as many as fit.
pub fn first(items: &[Value]) -> Vec<Value> {
    let mut left = MAX_LIST_BYTES;
    let fits = |item: &&Value| {
        let size = item.to_string().len();
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    };
    items.iter().take_while(fits).cloned().collect()
}

/// The arguments of a call as JSON: what is none is a text, and what is too long is left out.
pub fn arguments(written: &str) -> Value {
    if written.len() > MAX_CALL_BYTES {
        return serde_json::json!({"truncated": true});
    }
    serde_json::from_str(written).unwrap_or_else(|_| written.into())
}

/// A name that a model wrote, as far as it is one.
pub fn name(written: &str) -> String {
    written.chars().filter(|char| !char.is_control()).take(MAX_NAME).collect()
}

/// The same for logs, which hold no word of a model: a name of ours, or that it is none.
pub fn known(written: &str) -> &'static str {
    let ours = TOOLS.iter().map(|tool| tool.name).chain([APPLY]);
    ours.into_iter().find(|own| *own == written).unwrap_or(UNLISTED)
}

/// The title of a session by the first words that were said in it.
pub fn title(opening: &str) -> String {
    snip(opening, MAX_TITLE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn of_a_long_list_the_first_are_kept() {
        let item = json!("x".repeat(1_022));
        assert_eq!(item.to_string().len(), 1_024);
        assert_eq!(first(&vec![item.clone(); 16]).len(), 16);
        assert_eq!(first(&vec![item.clone(); 40]).len(), 16);
        let long = json!("x".repeat(MAX_LIST_BYTES));
        assert_eq!(first(&[item.clone(), long, item.clone()]), [item], "and none behind the one that is too long");
    }

    #[test]
    fn arguments_are_json_whatever_was_written() {
        assert_eq!(arguments(r#"{"path": 1}"#), json!({"path": 1}));
        assert_eq!(arguments("{"), json!("{"));
        assert_eq!(arguments(""), json!(""));
        let deep = "[".repeat(100_000);
        assert_eq!(arguments(&deep), json!(deep));
        assert_eq!(arguments(&"1".repeat(MAX_CALL_BYTES + 1)), json!({"truncated": true}));
    }

    #[test]
    fn a_log_holds_no_name_that_a_model_made_up() {
        assert_eq!(known("builder.asset.read"), "builder.asset.read");
        assert_eq!(known("builder.change.apply"), "builder.change.apply");
        assert_eq!([known("builder.secret.read"), known(""), known("Builder.Asset.Read")], ["unlisted"; 3]);
        assert_eq!(name("a\nb\u{7}c"), "abc");
        assert_eq!(name(&"å".repeat(100)).chars().count(), 80);
    }

    #[test]
    fn a_title_is_one_line() {
        assert_eq!(title("  Make\nit  short. "), "Make it short.");
        assert_eq!(title(&"word ".repeat(40)).chars().count(), 80);
    }
}
