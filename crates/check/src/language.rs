//! In which language an error is said: what its reader prefers, and the same sentence in another language.
//!
//! Owns the choice among languages and how a sentence is found in a table of `CODE`, `CODE.CASE` → sentence (see
//! [`code`](crate::code)). Knows no table. Invariants: a sentence that a table lacks, or that lacks one of its values, stays
//! English; of details and answers only the findings that checks put there are said, and of those nothing but words.
//!
//! ```
//! use holdpoint_check::language::choose;
//! assert_eq!(choose("fr, sv-SE;q=0.8, en;q=0.5", &["sv", "zh"]), Some("sv"));
//! assert_eq!(choose("en-GB, sv", &["sv", "zh"]), None);
//! ```

use serde_json::{Map, Value};

use crate::ApiError;
use crate::code::{CASE, placeholders, say};

/// Members of an answer, and of an error's details, that are lists of findings.
const FINDINGS: &[&str] = &["errors", "warnings", "diagnostics"];
/// Members that have such lists again: a verdict, and what stands where somebody saw something else.
const INNER: &[&str] = &["validation", "head"];

/// The language beside English that the header `Accept-Language` puts first; `None`: English.
pub fn choose<'l>(accept: &str, others: &[&'l str]) -> Option<&'l str> {
    let mut best: (f32, Option<&'l str>) = (0.0, None);
    for wish in accept.split(',') {
        let mut parts = wish.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let weight = parts.find_map(|part| part.trim().strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        let primary = name.split('-').next().unwrap_or_default();
        let known = others.iter().find(|other| primary.eq_ignore_ascii_case(other)).copied();
        let is_english = primary.eq_ignore_ascii_case("en") || primary == "*";
        if (known.is_some() || is_english) && weight > best.0 {
            best = (weight, known);
        }
    }
    best.1
}

/// The same error in the words of a table.
pub fn translated<'t>(mut error: ApiError, table: &impl Fn(&str) -> Option<&'t str>) -> ApiError {
    if let Some(said) = sentence(&error.code, &error.args, "", table) {
        error.message = said;
    }
    if let [hint] = error.hints.as_mut_slice()
        && let Some(said) = sentence(&error.code, &error.args, "#hint", table)
    {
        *hint = said;
    }
    translate_lists(&mut error.details, table);
    error
}

/// The findings of an answer in the words of a table.
pub fn translate_findings<'t>(answer: &mut Value, table: &impl Fn(&str) -> Option<&'t str>) {
    if let Some(members) = answer.as_object_mut() {
        translate_lists(members, table);
    }
}

fn translate_lists<'t>(members: &mut Map<String, Value>, table: &impl Fn(&str) -> Option<&'t str>) {
    for name in FINDINGS {
        for finding in members.get_mut(*name).and_then(Value::as_array_mut).into_iter().flatten() {
            translate_finding(finding, table);
        }
    }
    for name in INNER {
        if let Some(inner) = members.get_mut(*name).and_then(Value::as_object_mut) {
            translate_lists(inner, table);
        }
    }
}

/// One finding; what is none stays as it is.
fn translate_finding<'t>(finding: &mut Value, table: &impl Fn(&str) -> Option<&'t str>) {
    let Some(code) = finding.get("code").and_then(Value::as_str).map(str::to_owned) else { return };
    let args = finding.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
    let said = |ending: &str| sentence(&code, &args, ending, table).map(Value::String);
    if let (Some(message), Some(said)) = (finding.get_mut("message").filter(|it| it.is_string()), said("")) {
        *message = said;
    }
    let hint = match finding.get_mut("hints").and_then(Value::as_array_mut).map(Vec::as_mut_slice) {
        Some([hint]) => Some(hint),
        _ => finding.get_mut("hint"),
    };
    if let (Some(hint), Some(said)) = (hint.filter(|it| it.is_string()), said("#hint")) {
        *hint = said;
    }
}

fn sentence<'t>(
    code: &str,
    args: &Map<String, Value>,
    ending: &str,
    table: &impl Fn(&str) -> Option<&'t str>,
) -> Option<String> {
    let case = args.get(CASE).and_then(Value::as_str);
    let keys = case.map(|case| [format!("{code}.{case}{ending}"), format!("{case}{ending}")]);
    let says = keys.into_iter().flatten().chain([format!("{code}{ending}")]).find_map(|key| table(&key))?;
    let inner = |value: &Value| match value.get("code").and_then(Value::as_str) {
        Some(code) => {
            let args = value.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
            sentence(code, &args, "", table).map_or_else(|| value.clone(), Value::String)
        }
        None => value.clone(),
    };
    let values: Map<String, Value> = args.iter().map(|(name, value)| (name.clone(), inner(value))).collect();
    placeholders(says).all(|name| values.contains_key(name)).then(|| say(says, &values))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Sentence, args, codes};

    codes! {
        GONE: Error, "The {thing} is gone." [thing];
        GONE / TWICE: Error, "The {thing} is gone twice." [thing];
        NAMED: Info, "door";
        NEW: Error, "Only English says this.";
    }

    fn swedish(key: &str) -> Option<&'static str> {
        let table = [
            ("GONE", "{thing} är borta."),
            ("GONE.TWICE", "{thing} är borta igen."),
            ("NAMED", "dörren"),
            ("GONE#hint", "Leta."),
        ];
        table.into_iter().find(|(other, _)| *other == key).map(|(_, said)| said)
    }

    #[test]
    fn the_reader_s_first_wish_that_is_known_counts() {
        let cases = [
            ("", None),
            ("sv", Some("sv")),
            ("SV-se", Some("sv")),
            ("zh-CN, sv", Some("zh")),
            ("fr, zh-Hant;q=0.3, sv;q=0.7", Some("sv")),
            ("en, sv", None),
            ("sv;q=0.2, en;q=0.3", None),
            ("*, sv;q=0.9", None),
            ("sv;q=0", None),
            ("sv;q=x", Some("sv")),
            (";;,,q=1", None),
        ];
        for (accept, want) in cases {
            assert_eq!(choose(accept, &["sv", "zh"]), want, "{accept}");
        }
    }

    #[test]
    fn a_sentence_is_found_by_code_and_case_with_its_values() {
        let said = |error: ApiError| translated(error, &swedish).message;
        assert_eq!(said(ApiError::of(&GONE, args! { thing: "a" })), "a är borta.");
        assert_eq!(said(ApiError::of(&TWICE, args! { thing: "a" })), "a är borta igen.");
        assert_eq!(said(ApiError::of(&GONE, args! { thing: Sentence::of(&NAMED, args! {}) })), "dörren är borta.");
        assert_eq!(said(ApiError::of(&NEW, args! {})), "Only English says this.");
        let borrowed = ApiError {
            code: "OTHER".into(),
            args: Sentence::of(&TWICE, args! { thing: "b" }).lent(),
            ..ApiError::new("", "x")
        };
        assert_eq!(said(borrowed), "b är borta igen.");
    }

    #[test]
    fn a_sentence_that_one_says_is_declared() {
        assert_eq!(CODES.len(), 4);
    }

    #[test]
    fn a_hint_is_said_too_and_nothing_else_changes() {
        let mut error = ApiError::of(&GONE, args! { thing: "a" }).status(404).with("thing", "a");
        error.hints = vec!["Look.".to_owned()];
        let other = translated(error.clone(), &swedish);
        assert_eq!(other.hints, ["Leta."]);
        assert_eq!(
            (other.status, &other.code, &other.args, &other.details),
            (404, &error.code, &error.args, &error.details)
        );
    }

    /// A finding as it goes out.
    fn found(args: &Value) -> Value {
        json!({"code": "GONE", "message": "The a is gone.", "args": args, "hints": ["Look."], "path": "x"})
    }

    #[test]
    fn findings_are_said_where_checks_put_them_and_nowhere_else() {
        let one = || found(&json!({"thing": "a"}));
        let said = json!({
            "code": "GONE", "message": "a är borta.", "args": {"thing": "a"}, "hints": ["Leta."], "path": "x",
        });
        let answer = json!({
            "errors": [one()], "warnings": [one(), "GONE", 7], "diagnostics": {"code": "GONE"},
            "validation": {"errors": [one()], "extensions": {"errors": [one()]}}, "head": {"diagnostics": [one()]},
            "normalizedChangeSet": {"warnings": [one()]}, "data": [one()],
        });
        let mut told = answer.clone();
        translate_findings(&mut told, &swedish);
        let want = json!({
            "errors": [said], "warnings": [said, "GONE", 7], "diagnostics": {"code": "GONE"},
            "validation": {"errors": [said], "extensions": {"errors": [one()]}}, "head": {"diagnostics": [said]},
            "normalizedChangeSet": {"warnings": [one()]}, "data": [one()],
        });
        assert_eq!(told, want);
        let error =
            ApiError::of(&GONE, args! { thing: "b" }).with("errors", json!([one()])).with("objects", json!([one()]));
        let details = translated(error, &swedish).details;
        assert_eq!(details["errors"], json!([said]));
        assert_eq!(details["objects"], json!([one()]));
    }

    #[test]
    fn a_finding_without_its_values_or_its_sentence_stays_english() {
        let say = |finding: Value| {
            let mut answer = json!({ "warnings": [finding] });
            translate_findings(&mut answer, &swedish);
            answer["warnings"][0].take()
        };
        assert_eq!(say(found(&json!({})))["message"], "The a is gone.");
        assert_eq!(
            say(json!({"code": "NEW", "message": "x", "hint": "y"})),
            json!({"code": "NEW", "message": "x", "hint": "y"})
        );
        assert_eq!(say(json!({"code": "GONE", "message": 1, "args": [], "hints": [1]}))["message"], 1);
        let two = json!({"code": "GONE", "message": "m", "args": {"thing": "a"}, "hints": ["1", "2"]});
        assert_eq!(say(two)["hints"], json!(["1", "2"]));
        let plain = json!({"code": "GONE", "message": "m", "args": {"thing": "a"}, "hint": "Look."});
        assert_eq!(say(plain)["hint"], "Leta.");
    }
}
