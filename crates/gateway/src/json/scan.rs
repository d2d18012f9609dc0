//! What a text of JSON holds and where, without building a value: its nodes, the members of one object.
//!
//! Knows no grammar: where a text is no JSON, counts and places mean nothing but stay within it.

use std::ops::Range;

/// The values and member names of a text, counted without building one, at most one more than `most`. Of a text that is
/// no JSON it counts no fewer than a reader builds before it finds that out.
pub(crate) fn nodes(text: &str, most: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at).filter(|_| count <= most) {
        if is_between(*byte) {
            at += 1;
            continue;
        }
        count += 1;
        at = match byte {
            b'"' => string_end(bytes, at),
            b'[' | b'{' => at + 1,
            _ => word_end(bytes, at),
        };
    }
    count
}

/// Whether a byte parts nodes or ends one.
fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b']' | b'}')
}

/// A member of an object in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub key: String,
    pub value: Range<usize>,
}

/// The members of the object that starts at the first `{` of a text that [`read`](super::read) accepted, and the place right
/// behind that brace.
pub fn members(text: &str, range: Range<usize>) -> (usize, Vec<Member>) {
    let bytes = text.as_bytes();
    let mut at = skip_blank(bytes, range.start) + 1;
    let inside = at;
    let mut found = Vec::new();
    loop {
        at = skip_blank(bytes, at);
        match bytes.get(at) {
            Some(b'"') => {
                let end = value_end(bytes, at);
                let key = text.get(at..end).and_then(|key| serde_json::from_str(key).ok()).unwrap_or_default();
                let start = skip_blank(bytes, skip_blank(bytes, end) + 1);
                at = value_end(bytes, start);
                found.push(Member { key, value: start..at });
            }
            Some(b',') => at += 1,
            _ => return (inside, found),
        }
    }
}

fn skip_blank(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The end of the value that starts at `at`.
fn value_end(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                if open == 0 {
                    return at;
                }
            }
            b'{' | b'[' => {
                open += 1;
                at += 1;
            }
            b'}' | b']' if open > 0 => {
                open -= 1;
                at += 1;
                if open == 0 {
                    return at;
                }
            }
            b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if open == 0 => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of the string that begins at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(byte) = bytes.get(at).filter(|byte| **byte != b'"') {
        at += if *byte == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(at + 1)
}

/// The end of the number or word that begins at `at`.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let is_word = |byte: &&u8| !is_between(**byte) && !matches!(byte, b'"' | b'[' | b'{');
    at + bytes[at..].iter().take_while(is_word).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::json::{JsonBounds, read};

    /// What a value was built of.
    fn built(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(built).sum::<usize>(),
            Value::Object(members) => 1 + members.values().map(|member| 1 + built(member)).sum::<usize>(),
            _ => 1,
        }
    }

    #[test]
    fn nodes_are_counted_and_counting_ends_behind_the_most() {
        let cases = [
            ("", 0),
            ("0", 1),
            ("[]", 1),
            ("[0,0, -1.5e3 ,true,null]", 6),
            ("{\"a\":{\"b\":[\"[,{:\\\"\"]}}", 6),
            ("\"a\\\\\" 1", 2),
            ("\"never ended\\", 1),
            ("nonsense{", 2),
        ];
        for (text, want) in cases {
            assert_eq!(nodes(text, 100), want, "{text}");
        }
        assert_eq!(nodes(&"0,".repeat(1_000_000), 7), 8);
    }

    proptest! {
        #[test]
        fn what_is_read_has_the_nodes_that_were_counted(
            parts in prop::collection::vec("[\\[\\]{},:0a \n]|\"(a|\\\\\"|[{,])*\"|-1|true", 0..12),
        ) {
            let text = parts.concat();
            let count = nodes(&text, usize::MAX - 1);
            if let Ok(value) = read(&text, JsonBounds { depth: 9, nodes: 99 }) {
                prop_assert_eq!(count, built(&value));
            }
        }
    }

    #[test]
    fn places_of_members() {
        let text = " { \"a\" : [1, {\"a\":\"}\\\"\"}] ,\"b\":-1.0e2}";
        let (inside, found) = members(text, 0..text.len());
        let texts: Vec<(&str, &str)> = found.iter().map(|m| (m.key.as_str(), &text[m.value.clone()])).collect();
        assert_eq!((inside, texts), (2, vec![("a", "[1, {\"a\":\"}\\\"\"}]"), ("b", "-1.0e2")]));
    }
}
