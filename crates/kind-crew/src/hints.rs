//! What a hint says: the member, the limit or the first allowed values (spec: crew-package.md §6).

use holdpoint_check::Diagnostic;
use serde_json::Value;

/// Allowed values that a hint names.
const LISTED: usize = 6;

pub fn allowed(values: &[&str]) -> String {
    let more = if values.len() > LISTED { ", …" } else { "" };
    format!("Allowed: {}{more}.", values[..values.len().min(LISTED)].join(", "))
}

/// The first values in byte order, one more than a hint names.
pub fn first<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut first: Vec<&str> = Vec::with_capacity(LISTED + 2);
    for value in values {
        let at = first.partition_point(|other| *other < value);
        if at <= LISTED {
            first.insert(at, value);
            first.truncate(LISTED + 1);
        }
    }
    first
}

/// The finding with a hint: the limit that it tells, else the member that it stands at.
pub fn named(finding: Diagnostic) -> Diagnostic {
    if finding.hint.is_some() {
        return finding;
    }
    let text = |name: &str| match finding.args.get(name) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let member = || finding.pointer.as_deref().and_then(|pointer| pointer.rsplit('/').find(|name| is_name(name)));
    let hint = match (text("limit"), member(), text("name")) {
        (Some(limit), _, _) => format!("Limit: {limit}."),
        (None, Some(member), _) => format!("Member: {member}."),
        (None, None, Some(name)) => format!("Name: {name}."),
        (None, None, None) => format!("Code: {}.", finding.code),
    };
    finding.with_hint(hint)
}

/// Members are named; places in lists are not.
fn is_name(token: &str) -> bool {
    !token.is_empty() && !token.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use holdpoint_check::{args, codes};

    use super::*;

    codes! {
        LONG: Warning, "At most {limit}." [limit];
        PLAIN: Warning, "No.";
    }

    #[test]
    fn the_limit_or_the_member() {
        let hint = |finding: Diagnostic| named(finding).hint.unwrap();
        assert_eq!(hint(Diagnostic::of(&LONG, args! { limit: 3_usize }).at_pointer("/a")), "Limit: 3.");
        assert_eq!(hint(Diagnostic::of(&PLAIN, args! {}).at_pointer("/inputs/1")), "Member: inputs.");
        assert_eq!(hint(Diagnostic::of(&PLAIN, args! {}).with_hint("own")), "own");
        assert_eq!(allowed(&["a", "b"]), "Allowed: a, b.");
        assert_eq!(allowed(&first("d b a g f c e h i".split(' '))), "Allowed: a, b, c, d, e, f, ….");
        assert_eq!(allowed(&first("b a".split(' '))), "Allowed: a, b.");
        assert_eq!(allowed(&["a"; 7]), "Allowed: a, a, a, a, a, a, ….");
    }
}
