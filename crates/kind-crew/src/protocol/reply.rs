//! The last message of a turn: words, or words and a change set (spec: ai-sessions.md §6.2).
//!
//! Owns where the one object stands among prose, and which members it may have. What a change set means is said when it
//! is staged. Invariant: time is in proportion to the reply, however many braces stand in it.

use holdpoint_check::json;
use holdpoint_check::{Code, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::dialect::finding::SetFinding;
use crate::dialect::input::TargetType;
use crate::dialect::legacy::is_legacy;
use crate::dialect::path::Path;
use crate::dialect::reader::Reader;
use crate::documents::body;
use holdpoint_kind::protocol::{self, Content, Reading};

codes! {
    AI_BAD_RESPONSE / NO_OBJECT: Error, "Send one JSON object with `responseType` and nothing around it.";
    AI_BAD_RESPONSE / MANY_OBJECTS: Error, "Send one JSON object: of several with `responseType` none is taken.";
    AI_BAD_RESPONSE / NO_WORDS: Error, "Say in `assistantSummary` what changes and why.";
}

/// Arrays and objects open at once in a reply.
const MAX_DEPTH: usize = 128;
/// Places at which a run of braces is begun, so that no text of braces is read over and over.
const MAX_STARTS: usize = 256;
/// Members of an answer in words.
const CHAT: [&str; 4] = ["responseType", "assistantSummary", "notes", "assumptions"];
const CHANGE: [&str; 5] = ["responseType", "assistantSummary", "notes", "assumptions", "changeSet"];

#[derive(Debug, Clone, Default, PartialEq)]
pub struct FinalMessage {
    pub assistant_summary: String,
    pub notes: Vec<String>,
    pub assumptions: Vec<String>,
    /// As it was sent; absent where nothing is proposed.
    pub change_set: Option<Value>,
}

/// What a turn keeps of its last message beside words and change set.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ReplyNotes {
    pub notes: Vec<String>,
    pub assumptions: Vec<String>,
}

/// Reads the last message of a turn about a target of a type.
pub fn read(raw: &str, target: TargetType) -> Result<FinalMessage, Vec<SetFinding>> {
    let object = find(raw).map_err(|code| {
        let mut reader = Reader::default();
        reader.find(&Path::default(), code, args! {});
        reader.findings
    })?;
    if !object.contains_key("responseType") {
        return Ok(old(&object));
    }
    let mut reader = Reader::default();
    let reply = members(&mut reader, &object, target);
    match reply {
        Some(reply) if reader.findings.is_empty() => Ok(reply),
        _ => Err(reader.findings),
    }
}

/// The same, as a turn takes it.
pub fn reading(raw: &str, target: TargetType) -> Reading {
    match read(raw, target) {
        Ok(reply) => Reading::Said(Content {
            words: reply.assistant_summary,
            wire: reply.change_set,
            notes: json!(ReplyNotes { notes: reply.notes, assumptions: reply.assumptions }),
        }),
        Err(findings) => Reading::Bad {
            outcome: "failed",
            code: Some("AI_BAD_RESPONSE".to_owned()),
            findings: findings.iter().map(told).collect(),
            words: String::new(),
        },
    }
}

/// A finding as a model is told of it.
pub fn told(found: &SetFinding) -> protocol::Finding {
    let path = found.path.as_str();
    let mut told = json!({"code": found.code, "path": path, "message": found.message});
    for (name, text) in [("expected", found.expected), ("actual", found.actual)] {
        if let Some(text) = text {
            told[name] = json!(text);
        }
    }
    let key = (found.code.to_string(), path.to_owned(), found.pointer.clone().unwrap_or_default());
    protocol::Finding { key, told }
}

fn members(reader: &mut Reader, object: &Map<String, Value>, target: TargetType) -> Option<FinalMessage> {
    let at = |name: &str| Path::default().key(name);
    let kind = reader.one_of(&at("responseType"), object.get("responseType"), &["chat", "change"])?;
    let changes = kind == "change";
    reader.closed(&Path::default(), object, if changes { &CHANGE } else { &CHAT });
    let words = reader.text(&at("assistantSummary"), object.get("assistantSummary"));
    if words.is_some_and(|words| words.trim().is_empty()) {
        reader.find(&at("assistantSummary"), &NO_WORDS, args! {});
    }
    let mut list = |name: &str| -> Vec<String> {
        let Some(value) = object.get(name) else { return Vec::new() };
        let items = reader.list(&at(name), Some(value)).unwrap_or_default().iter().enumerate();
        let texts: Vec<Option<&str>> =
            items.map(|(index, item)| reader.text(&at(name).item(index), Some(item))).collect();
        texts.into_iter().flatten().map(str::to_owned).collect()
    };
    let (notes, assumptions) = (list("notes"), list("assumptions"));
    let mut reply =
        FinalMessage { assistant_summary: words.unwrap_or_default().to_owned(), notes, assumptions, change_set: None };
    if changes {
        let sent = reader.object(&at("changeSet"), object.get("changeSet"))?;
        // Old sections leave it to the session.
        match sent.get("targetType") {
            None if is_legacy(sent) => {}
            None => reader.mistyped(&at("changeSet").key("targetType"), "string", None),
            Some(given) => reader.exactly(&at("changeSet").key("targetType"), given, target.name()),
        }
        reply.change_set = Some(Value::Object(sent.clone()));
    }
    Some(reply)
}

/// An answer of the old form: what it suggests are steps.
fn old(object: &Map<String, Value>) -> FinalMessage {
    let mut sections = Map::new();
    if let Some(suggested) = object.get("suggested") {
        let steps = if suggested.is_object() { json!([suggested]) } else { suggested.clone() };
        sections.insert("steps".to_owned(), steps);
    }
    for name in ["assets", "impact"] {
        if let Some(value) = object.get(name) {
            sections.insert(name.to_owned(), value.clone());
        }
    }
    let words = object.get("assistantSummary").and_then(Value::as_str).unwrap_or_default();
    FinalMessage { assistant_summary: words.to_owned(), change_set: Some(sections.into()), ..FinalMessage::default() }
}

/// The one object that is meant.
fn find(raw: &str) -> Result<Map<String, Value>, &'static Code> {
    let text = raw.trim();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    let candidates = match object(text) {
        Some(whole) => vec![whole],
        None => Some(fenced(text)).filter(|found| !found.is_empty()).unwrap_or_else(|| balanced(text)),
    };
    for member in ["responseType", "suggested"] {
        let mut named = candidates.iter().filter(|object| object.contains_key(member));
        match (named.next(), named.next()) {
            (Some(only), None) => return Ok(only.clone()),
            (Some(_), Some(_)) => return Err(&MANY_OBJECTS),
            (None, _) => {}
        }
    }
    Err(&NO_OBJECT)
}

fn object(text: &str) -> Option<Map<String, Value>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    match json::read(text, MAX_DEPTH).ok()?.value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

/// The objects in fenced blocks of JSON, or of nothing that is named.
fn fenced(text: &str) -> Vec<Map<String, Value>> {
    let blocks = body::read(text, 0).fences;
    let plain = blocks.iter().filter(|block| {
        let info = text[block.info.clone()].trim();
        info.is_empty() || info.eq_ignore_ascii_case("json")
    });
    plain.filter_map(|block| object(&text[block.content.clone()])).collect()
}

/// The objects among prose: outermost braces that close, quotes inside them respected.
fn balanced(text: &str) -> Vec<Map<String, Value>> {
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MAX_STARTS {
        let Some(start) = text[at..].find('{').map(|offset| at + offset) else { break };
        match end_of_run(text, start) {
            Some(end) => {
                found.extend(object(&text[start..end]));
                at = end;
            }
            // A brace that never closes begins nothing.
            None => at = start + 1,
        }
    }
    found
}

/// The byte behind the brace that closes the one at `start`.
fn end_of_run(text: &str, start: usize) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.as_bytes()[start..].iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(start + offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: &str = r#"{"responseType": "chat", "assistantSummary": "Hello {\"a\"}."}"#;

    fn summary(raw: &str) -> Result<String, Vec<(String, String)>> {
        let place =
            |found: &SetFinding| (found.args["case"].as_str().unwrap().to_owned(), found.path.as_str().to_owned());
        read(raw, TargetType::Step)
            .map(|reply| reply.assistant_summary)
            .map_err(|findings| findings.iter().map(place).collect())
    }

    #[test]
    fn one_object_among_prose() {
        let taken = [
            WORDS.to_owned(),
            format!(" \u{feff}\n{WORDS}\n"),
            format!("Here:\n```json\n{WORDS}\n```\nDone."),
            format!("```\n{WORDS}\n```"),
            format!("```JSON \n{WORDS}\n``` \n{{\"responseType\": 1}}"),
            format!("```python\n{{}}\n```\n{WORDS}"),
            format!("I use {{braces}} and \"quotes: {WORDS} }} so."),
            format!("Open {{ and then {WORDS}"),
            format!("{{\"note\": \"}}\"}} {WORDS} {{}}"),
        ];
        for raw in taken {
            assert_eq!(summary(&raw), Ok("Hello {\"a\"}.".to_owned()), "{raw}");
        }
    }

    #[test]
    fn none_or_several_are_refused() {
        let cut = &WORDS[..40];
        let none =
            ["", "Hello.", "{}", "[1]", cut, "{\"responseType\": \"chat\",}", "```json\n{}\n```"].map(str::to_owned);
        for raw in
            none.into_iter().chain([format!("[{cut}]"), format!("{{ \"a\": {WORDS} }}"), format!("```js\n{cut}\n```")])
        {
            assert_eq!(summary(&raw), Err(vec![("NO_OBJECT".to_owned(), String::new())]), "{raw}");
        }
        let several = [format!("{WORDS}\n{WORDS}"), format!("```json\n{WORDS}\n```\n```\n{WORDS}\n```")];
        for raw in several {
            assert_eq!(summary(&raw), Err(vec![("MANY_OBJECTS".to_owned(), String::new())]), "{raw}");
        }
        let braces = "{".repeat(200_000);
        assert!(summary(&braces).is_err());
    }

    #[test]
    fn members_are_closed_and_typed() {
        let set = json!({"targetType": "step", "operations": []});
        let cases = [
            (json!({"responseType": "talk"}), vec![("NOT_ALLOWED", "responseType")]),
            (json!({"responseType": "chat"}), vec![("LEFT_OUT", "assistantSummary")]),
            (json!({"responseType": "chat", "assistantSummary": " \n"}), vec![("NO_WORDS", "assistantSummary")]),
            (json!({"responseType": "chat", "assistantSummary": 1}), vec![("WRONG_TYPE", "assistantSummary")]),
            (
                json!({"responseType": "chat", "assistantSummary": "a", "changeSet": set}),
                vec![("NO_SUCH_MEMBER", "changeSet")],
            ),
            (json!({"responseType": "chat", "assistantSummary": "a", "notes": "b"}), vec![("WRONG_TYPE", "notes")]),
            (
                json!({"responseType": "chat", "assistantSummary": "a", "assumptions": ["b", 1]}),
                vec![("WRONG_TYPE", "assumptions[1]")],
            ),
            (json!({"responseType": "change", "assistantSummary": "a"}), vec![("LEFT_OUT", "changeSet")]),
            (
                json!({"responseType": "change", "assistantSummary": "a", "changeSet": []}),
                vec![("WRONG_TYPE", "changeSet")],
            ),
            (
                json!({"responseType": "change", "assistantSummary": "a", "changeSet": {"operations": []}}),
                vec![("LEFT_OUT", "changeSet.targetType")],
            ),
            (
                json!({"responseType": "change", "assistantSummary": "a", "changeSet": {"targetType": "agent"}}),
                vec![("NOT_THAT", "changeSet.targetType")],
            ),
        ];
        for (value, want) in cases {
            let want = want.into_iter().map(|(case, path)| (case.to_owned(), path.to_owned())).collect();
            assert_eq!(summary(&value.to_string()), Err(want), "{value}");
        }
        let change = json!({"responseType": "change", "assistantSummary": "a", "notes": ["n"], "changeSet": set});
        let reply = read(&change.to_string(), TargetType::Step).unwrap();
        assert_eq!((reply.change_set, reply.notes), (Some(set), vec!["n".to_owned()]));
        let sections = json!({"responseType": "change", "assistantSummary": "a", "changeSet": {"steps": []}});
        assert!(read(&sections.to_string(), TargetType::Step).is_ok());
    }

    #[test]
    fn an_old_answer_is_a_change_in_sections() {
        let raw =
            r#"{"suggested": {"nodeId": "a", "stepMarkdown": "x"}, "assets": {"delete": []}, "impact": {"risks": []}}"#;
        let reply = read(raw, TargetType::Step).unwrap();
        let want = json!({
            "steps": [{"nodeId": "a", "stepMarkdown": "x"}], "assets": {"delete": []}, "impact": {"risks": []},
        });
        assert_eq!(reply.change_set, Some(want));
    }

    #[test]
    fn a_model_is_told_where() {
        let Reading::Bad { code, findings, .. } =
            reading(r#"{"responseType": "change", "assistantSummary": "a"}"#, TargetType::Step)
        else {
            panic!("it is taken")
        };
        let told = json!({
            "code": "AI_BAD_RESPONSE", "path": "changeSet", "message": "Add this member, of type object.",
            "expected": "object", "actual": "missing",
        });
        assert_eq!((code.as_deref(), &findings[0].told), (Some("AI_BAD_RESPONSE"), &told));
        let Reading::Said(content) = reading(WORDS, TargetType::Step) else { panic!("it is not taken") };
        assert_eq!((content.words.as_str(), content.wire), ("Hello {\"a\"}.", None));
    }
}
