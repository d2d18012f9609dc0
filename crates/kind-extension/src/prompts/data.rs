//! Blocks of untrusted text (spec: authoring.md §4).
//!
//! Invariant: text in a block cannot end it: the closing mark carries a hash of the text, and the mark itself is
//! broken up inside.

use holdpoint_bundle::text_hash;
use serde_json::Value;

/// Strings of the model are cut at this many characters.
const MAX_MODEL_STRING: usize = 200;
/// Hex digits of the hash in a block's marks.
const HASH_DIGITS: usize = 8;

/// A block with a name of ours and a text of others.
pub fn block(name: &str, text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\t' | '\n')).collect();
    let text = text.replace("DATA>>>", "DATA> > >").replace("<<<DATA", "< < <DATA");
    let digest = text_hash(&text);
    let hash = &digest["sha256:".len()..][..HASH_DIGITS];
    format!("<<<DATA {name} {hash}\n{text}\n{hash} DATA>>>")
}

/// The value with its strings, also those of keys, cut.
pub fn cut_strings(value: &Value) -> Value {
    let cut = |text: &str| text.chars().take(MAX_MODEL_STRING).collect::<String>();
    match value {
        Value::String(text) => Value::String(cut(text)),
        Value::Array(items) => items.iter().map(cut_strings).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (cut(key), cut_strings(value))).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_block_ends_once(text in "(DATA>>>|<<<DATA|[0-9a-f]{8} |\\PC|\n|\r|\u{0}){0,40}") {
            let block = block("X", &text);
            let hash = block.lines().next().unwrap().rsplit(' ').next().unwrap().to_owned();
            prop_assert_eq!(block.matches("DATA>>>").count(), 1);
            prop_assert_eq!(block.matches("<<<DATA").count(), 1);
            let end = format!("\n{hash} DATA>>>");
            prop_assert!(block.ends_with(&end));
            let controls = block.contains(|c: char| c.is_control() && c != '\t' && c != '\n');
            prop_assert!(!controls);
        }
    }
}
