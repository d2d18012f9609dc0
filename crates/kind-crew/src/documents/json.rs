//! JSON documents: strict, no key twice (spec: crew-package.md §2).

use holdpoint_check::code::CASE;
use holdpoint_check::json::{self, Document, faults};
use holdpoint_check::{ApiError, Diagnostic, codes};
use serde_json::Value;

use super::bounded;
use crate::hints;
use crate::limits::{MAX_JSON_DEPTH, MAX_JSON_VALUES};

codes! {
    // It borrows the sentences of the reader.
    /// no strict JSON, or a key that stands twice
    PKG_INVALID_JSON: Error, "";
}

/// Reads a document; one finding where it is no JSON. The error: it is too large or too deep.
pub fn read(text: &str) -> Result<Result<Document<'_>, Diagnostic>, ApiError> {
    bounded(text)?;
    let broken = |finding: Diagnostic| {
        let finding = Diagnostic { pointer: None, ..finding.called(PKG_INVALID_JSON.name) };
        hints::named(finding.with_hint("Allowed: one JSON value (RFC 8259), each key once."))
    };
    match json::read(text, MAX_JSON_DEPTH) {
        Err(finding) if is_deep(&finding) => Err(ApiError::over("MAX_JSON_DEPTH", MAX_JSON_DEPTH, MAX_JSON_DEPTH + 1)),
        Err(finding) => Ok(Err(broken(*finding))),
        Ok(document) if document.duplicates.is_empty() => {
            let values = count(&document.value);
            if values > MAX_JSON_VALUES {
                return Err(ApiError::over("MAX_JSON_VALUES", MAX_JSON_VALUES, values));
            }
            Ok(Ok(document))
        }
        Ok(mut document) => Ok(Err(broken(document.duplicates.swap_remove(0)))),
    }
}

/// How many values there are, lists and objects too.
fn count(value: &Value) -> usize {
    let (mut values, mut waiting) = (0, vec![value]);
    while let Some(value) = waiting.pop() {
        values += 1;
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(members) => waiting.extend(members.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    values
}

/// Whether the reader gave up for depth.
pub fn is_deep(finding: &Diagnostic) -> bool {
    finding.args.get(CASE).is_some_and(|case| case == faults::DEEP.case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_with_or_without_a_mark() {
        for text in ["{}", "\u{feff}{\"a\": [1, null]}\r\n", "7"] {
            assert!(read(text).unwrap().is_ok(), "{text}");
        }
        let twice = "{\"a\": 1,\n \"b\": {\"x\": 1, \"x\": 2}}";
        for (text, line) in [("", 1), ("{,}", 1), ("{}\n{}", 2), ("// a\n{}", 1), (twice, 2), ("\u{feff}\u{feff}{}", 1)]
        {
            let finding = read(text).unwrap().unwrap_err();
            assert_eq!(
                (finding.code.as_ref(), finding.range.unwrap().start.line),
                ("PKG_INVALID_JSON", line),
                "{text}"
            );
            assert_eq!(finding.pointer, None);
        }
    }

    #[test]
    fn depth_and_size_are_refused_one_over_the_limit() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(read(&deep(64)).unwrap().is_ok());
        assert_eq!(read(&deep(65)).unwrap_err().details["limit"], "MAX_JSON_DEPTH");
        let wide = |values: usize| format!("[{}0]", "0,".repeat(values - 2));
        assert!(read(&wide(100_000)).unwrap().is_ok());
        assert_eq!(read(&wide(100_001)).unwrap_err().details["limit"], "MAX_JSON_VALUES");
        let long = |bytes: usize| format!("\"{}\"", "a".repeat(bytes - 2));
        assert!(read(&long(1 << 20)).unwrap().is_ok());
        let error = read(&long((1 << 20) + 1)).unwrap_err();
        assert_eq!((error.code.as_str(), &error.details["limit"]), ("INPUT_TOO_LARGE", &"MAX_DOCUMENT_BYTES".into()));
    }
}
