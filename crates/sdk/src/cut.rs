//! Values cut for people and models (spec: ifc-sdk.md §5.4 "actual", §6.4).
//!
//! Invariant: what is cut says how much is missing; work is bounded by the value.

use serde_json::{Map, Value, json};

/// Items of an array that are kept.
const MAX_ITEMS: usize = 20;
/// Members of an object that are kept.
const MAX_MEMBERS: usize = 40;
/// Characters of a text that are kept.
const MAX_TEXT_CHARS: usize = 200;
const MAX_DEPTH: usize = 6;
/// Characters of the whole, as JSON.
const MAX_CHARS: usize = 2_000;

/// A value that fits into a message, and whether something is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub value: Value,
    /// Whether something was left out.
    pub truncated: bool,
}

/// Cuts a value: arrays after 20 items, objects after 40 members, texts after 200 characters, depth 6, 2,000 in all.
pub fn cut(value: &Value) -> Cut {
    // Fewer items and shorter texts until the whole fits.
    for share in [1, 2, 4, 10, 20] {
        let mut truncated = false;
        let cut = part(value, 0, share, &mut truncated);
        if cut.to_string().chars().count() <= MAX_CHARS {
            return Cut { value: cut, truncated };
        }
    }
    let size = match value {
        Value::Array(items) => format!("…(+{} items)", items.len()),
        Value::Object(members) => format!("…(+{} members)", members.len()),
        other => format!("…(+{} chars)", other.to_string().chars().count()),
    };
    Cut { value: Value::String(size), truncated: true }
}

fn part(value: &Value, depth: usize, share: usize, truncated: &mut bool) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(MAX_TEXT_CHARS / share) {
            Some((end, _)) => {
                *truncated = true;
                json!(format!("{}…(+{} chars)", &text[..end], text[end..].chars().count()))
            }
            None => value.clone(),
        },
        Value::Array(items) if depth >= MAX_DEPTH && !items.is_empty() => {
            *truncated = true;
            json!(format!("…(+{} items)", items.len()))
        }
        Value::Object(members) if depth >= MAX_DEPTH && !members.is_empty() => {
            *truncated = true;
            json!(format!("…(+{} members)", members.len()))
        }
        Value::Array(items) => {
            let kept = MAX_ITEMS / share;
            let mut cut: Vec<Value> =
                items.iter().take(kept).map(|item| part(item, depth + 1, share, truncated)).collect();
            if items.len() > kept {
                *truncated = true;
                cut.push(json!(format!("…(+{} items)", items.len() - kept)));
            }
            Value::Array(cut)
        }
        Value::Object(members) => {
            let kept = MAX_MEMBERS / share;
            let mut cut: Map<String, Value> = members
                .iter()
                .take(kept)
                .map(|(key, value)| (key.clone(), part(value, depth + 1, share, truncated)))
                .collect();
            if members.len() > kept {
                *truncated = true;
                cut.insert("…".to_owned(), json!(format!("…(+{} members)", members.len() - kept)));
            }
            Value::Object(cut)
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_much_is_missing() {
        let cut_value = cut(&json!((0..143).collect::<Vec<_>>()));
        assert_eq!((cut_value.value[20].clone(), cut_value.truncated), (json!("…(+123 items)"), true));
        assert_eq!(cut(&json!({"a": [1, null]})), Cut { value: json!({"a": [1, null]}), truncated: false });
        assert_eq!(cut(&json!("é".repeat(201))).value, json!(format!("{}…(+1 chars)", "é".repeat(200))));
    }

    #[test]
    fn the_whole_is_bounded() {
        let row: Vec<Value> = (0..20).map(|_| json!("x".repeat(300))).collect();
        let wide = json!((0..50).map(|_| row.clone()).collect::<Vec<_>>());
        let cut = cut(&wide);
        assert!(cut.truncated && cut.value.to_string().chars().count() <= MAX_CHARS);
        let mut deep = json!(1);
        (0..100).for_each(|_| deep = json!([deep.clone()]));
        assert!(super::cut(&deep).truncated);
    }
}
