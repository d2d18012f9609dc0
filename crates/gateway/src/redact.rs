//! Secrets out of texts before anything is logged or passed on (spec: gateway.md §11 `redact.text`).
//!
//! Invariant: redacting twice is redacting once. Counts of tokens survive: numbers are never secrets.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;

/// What stands in a secret's place.
pub const MARKER: &str = "***REDACTED***";
const MAX_PASSES: usize = 8;

/// In this order, each over the whole text; where there are groups only group 2 is replaced.
const RULES: &[&str] = &[
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
    r#"(?i)\b((?:(?:proxy-)?authorization|cookie|set-cookie)[ \t]*[:=][ \t]*)([^\s"][^\r\n"]*)"#,
    r#"(?i)("[a-z0-9_.-]*(?:api[_-]?key|token|secret|password|passwd|authorization|cookie|credentials?|private[_-]?key)"[ \t]*:[ \t]*")((?:[^"\\]|\\.)*)""#,
    r#"(?i)\b((?:x-)?api-key[ \t]*:[ \t]*)([^\s,;"']+)"#,
    r"\b(Bearer[ \t]+)([A-Za-z0-9._~+/=-]+)",
    r"(?i)\b(bearer[ \t]+)([A-Za-z0-9._~+/=-]{16,})",
    r"([A-Za-z][A-Za-z0-9+.-]*://)([^\s/@:]+:[^\s/@]+)@",
    r#"(?i)\b((?:[a-z0-9]+[_-])*(?:api[_-]?key|access[_-]?key|token|secret|password|passwd)=)([^\s&;"']+)"#,
    r"\bsk-[A-Za-z0-9_-]{8,}",
    r"\bhp_(?:live|test)_[A-Za-z0-9_]{8,}",
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    r"\bAIza[0-9A-Za-z_-]{30,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*",
];

/// A member whose name contains one of these is a secret.
const NAMES: &[&str] = &[
    "apikey",
    "accesskey",
    "privatekey",
    "token",
    "authorization",
    "secret",
    "password",
    "passwd",
    "cookie",
    "csrf",
    "credential",
];

static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| RULES.iter().map(|rule| Regex::new(rule).expect("every rule is compiled by a test")).collect());

/// The text without a key that is in use, also as JSON writes it. Before the rules: one that took a part of it away would
/// leave the rest.
pub fn key(text: &str, key: &str) -> String {
    if key.is_empty() {
        return text.to_owned();
    }
    let json = Value::from(key).to_string();
    let escaped = &json[1..json.len() - 1];
    // Some write a slash with an escape, which JSON allows.
    let mut spellings = vec![escaped.replace('/', "\\/"), escaped.to_owned(), key.to_owned()];
    spellings.dedup();
    spellings.iter().fold(text.to_owned(), |text, spelling| text.replace(spelling, MARKER))
}

/// The text without secrets, and how many were taken out.
pub fn text(text: &str) -> (String, usize) {
    let mut redacted = text.to_owned();
    let mut count = 0;
    for _ in 0..MAX_PASSES {
        let before = count;
        for rule in COMPILED.iter() {
            let next = rule.replace_all(&redacted, |found: &Captures<'_>| replacement(found, &mut count)).into_owned();
            redacted = next;
        }
        if count == before {
            break;
        }
    }
    (redacted, count)
}

fn replacement(found: &Captures<'_>, count: &mut usize) -> String {
    let (Some(whole), secret) = (found.get(0), found.get(2)) else { return String::new() };
    let Some(secret) = secret else {
        *count += 1;
        return MARKER.to_owned();
    };
    if secret.as_str().starts_with(MARKER) || secret.is_empty() {
        return whole.as_str().to_owned();
    }
    *count += 1;
    let (lead, trail) = (secret.start() - whole.start(), secret.end() - whole.start());
    format!("{}{MARKER}{}", &whole.as_str()[..lead], &whole.as_str()[trail..])
}

/// The value without secrets, and how many were taken out.
pub fn value(value: &Value) -> (Value, usize) {
    match value {
        Value::String(string) => {
            let (string, count) = text(string);
            (string.into(), count)
        }
        Value::Array(items) => {
            let (items, counts): (Vec<Value>, Vec<usize>) = items.iter().map(self::value).unzip();
            (Value::Array(items), counts.into_iter().sum())
        }
        Value::Object(members) => {
            let mut count = 0;
            let members = members.iter().map(|(key, member)| {
                let (member, found) = if is_secret(key) { hidden(member) } else { self::value(member) };
                count += found;
                (key.clone(), member)
            });
            (Value::Object(members.collect()), count)
        }
        other => (other.clone(), 0),
    }
}

fn hidden(value: &Value) -> (Value, usize) {
    match value {
        Value::Number(_) | Value::Bool(_) | Value::Null => (value.clone(), 0),
        Value::String(string) if string == MARKER => (value.clone(), 0),
        _ => (MARKER.into(), 1),
    }
}

fn is_secret(key: &str) -> bool {
    let plain: String =
        key.to_lowercase().chars().filter(|c| !matches!(c, '-' | '_' | '.') && !c.is_whitespace()).collect();
    NAMES.iter().any(|name| plain.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn redacting_twice_is_redacting_once(
            parts in prop::collection::vec(
                "(Authorization: |Bearer |\"token\": \"|api-key: |https://|password=|sk-|hp_live_|eyJ|:|@|\"|\\\\|\n|[a-z]{0,3}|[A-Za-z0-9]{8,24})", 0..12),
        ) {
            let (once, _) = text(&parts.concat());
            prop_assert_eq!(text(&once), (once.clone(), 0));
        }
    }
}
