//! Keys that were written into a package (spec: crew-package.md §9.3 `SECRET_IN_CONTENT`).

use std::sync::LazyLock;

use holdpoint_check::{Diagnostic, args, codes};
use regex::Regex;
use serde_json::Value;

use super::compile::{Compiled, Work};
use super::finding::{Phase, SetFinding};

codes! {
    /// a text that looks as if it held a key
    SECRET_IN_CONTENT: Warning, "Remove the key: everybody who gets the package can read it.";
}

static SECRET: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("sk-[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----").ok());

/// Looks at every text and agent that is written.
pub fn check(operations: &[Compiled], findings: &mut Vec<SetFinding>) {
    for operation in operations {
        let (at, holds) = match &operation.work {
            Work::Workflow { text: Some(text), .. } | Work::Asset(text) => (text.at.clone(), has_secret(&text.text)),
            Work::Step(step) => (step.text.at.clone(), has_secret(&step.text.text)),
            Work::Agent { patch, .. } => (operation.at.key("payload"), has_secret_inside(patch)),
            Work::Workflow { text: None, .. } | Work::Delete => continue,
        };
        if holds {
            findings.push(SetFinding::new(Phase::Security, at, Diagnostic::of(&SECRET_IN_CONTENT, args! {})));
        }
    }
}

fn has_secret(text: &str) -> bool {
    SECRET.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Any text inside, names of members too.
fn has_secret_inside(value: &Value) -> bool {
    match value {
        Value::String(text) => has_secret(text),
        Value::Array(items) => items.iter().any(has_secret_inside),
        Value::Object(members) => members.iter().any(|(name, value)| has_secret(name) || has_secret_inside(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_seen() {
        for text in [
            "sk-ovenovenovenoven",
            "x AKIA0123456789ABCDEF y",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN RSA PRIVATE KEY-----",
        ] {
            assert!(has_secret(text), "{text}");
        }
        for text in [
            "sk-short",
            "AKIA0123456789ABCDE",
            "AKIA0123456789abcdef",
            "-----BEGIN PUBLIC KEY-----",
            "sk-oven oven oven oven",
        ] {
            assert!(!has_secret(text), "{text}");
        }
        assert!(has_secret_inside(&json!({"a": [{"sk-ovenovenovenoven": 1}]})));
        assert!(!has_secret_inside(&json!({"a": [1, null, true, "sk-"]})));
    }
}
