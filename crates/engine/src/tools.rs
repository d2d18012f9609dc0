//! What a model may call, and what it hears of it (ENGINE §6; spec: ai-sessions.md §6, app-builder.md §10).
//!
//! The pure half of the tool loop: which calls run, the check of their arguments, the envelope of their results and its
//! bound. Tools themselves are run by drivers. Invariants: nothing runs that the protocol does not list; nothing that is
//! called like an approval runs, listed or not: a model can propose, stage, check and discard, and never apply.

use std::collections::BTreeSet;

use holdpoint_check::json::{self, join};
use holdpoint_check::{ApiError, Diagnostic};
use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{Access, Mended, Protocol};
use holdpoint_schema::Schema;
use serde_json::{Value, json};

/// The code of a call by the name of an approval.
pub const FORBIDDEN: &str = "AI_TOOL_FORBIDDEN";
/// The code of a call that could not be run.
pub const NOT_RUN: &str = "AI_TOOL_EXECUTION_ERROR";
/// The last word of what only a person does.
const APPROVALS: [&str; 5] = ["apply", "approve", "install", "publish", "sign"];
/// How deep arguments may nest.
const MAX_DEPTH: usize = 64;
/// How often a result is cut before its data is given up.
const CUTS: usize = 16;

/// A call that may run.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolRun {
    pub id: String,
    pub name: &'static str,
    pub access: Access,
    /// As its schema has them.
    pub arguments: Value,
    /// Whether the model wrote them otherwise.
    pub repaired: bool,
}

/// Judges the call at `place` of an answer.
pub fn judge(protocol: &dyn Protocol, call: &wire::Tool, place: usize) -> Result<ToolRun, ApiError> {
    let bounds = protocol.bounds();
    let last = call.name.rsplit(['.', '_', '-', '/']).next().unwrap_or_default().to_lowercase();
    if APPROVALS.contains(&last.as_str()) {
        let code = if protocol.forbids(&call.name) { FORBIDDEN } else { protocol.unlisted() };
        return Err(ApiError::new(code, "Only a person does that. Propose it, and stop there."));
    }
    let Some(tool) = protocol.tools().iter().find(|tool| tool.name == call.name) else {
        let names: Vec<&str> = protocol.tools().iter().map(|tool| tool.name).collect();
        return Err(ApiError::new(protocol.unlisted(), format!("There is no such tool. Call {}.", names.join(", "))));
    };
    if place >= bounds.tool_calls {
        let message = format!("Call at most {} tools at once.", bounds.tool_calls);
        return Err(ApiError::new(NOT_RUN, message));
    }
    let misused = |fields: Vec<Value>| {
        ApiError::new(protocol.misused(), "Call it again with arguments that fit its schema.").with("fields", fields)
    };
    let mended = if call.arguments.len() > bounds.argument_bytes {
        Mended::AsWritten
    } else {
        protocol.mend(tool.name, &call.arguments)
    };
    let (text, repaired) = match &mended {
        Mended::AsWritten => (&call.arguments, false),
        Mended::Repaired(text) => (text, true),
        Mended::Ambiguous(places) => {
            let message = "Send one value here: several members may be meant.";
            let field = |path: &String| json!({ "path": path, "code": "INVALID_VALUE", "message": message });
            return Err(misused(places.iter().map(field).collect()));
        }
    };
    let arguments = arguments(tool.schema, text, bounds.argument_bytes).map_err(misused)?;
    Ok(ToolRun { id: call.id.clone(), name: tool.name, access: tool.access, arguments, repaired })
}

/// Reads arguments; which of them are wrong otherwise.
fn arguments(schema: &str, text: &str, most: usize) -> Result<Value, Vec<Value>> {
    let wrong = |message: &str| vec![json!({ "path": "", "code": "INVALID_VALUE", "message": message })];
    if text.len() > most {
        return Err(wrong(&format!("Send at most {most} bytes.")));
    }
    let text = if text.trim().is_empty() { "{}" } else { text };
    // Of a key that stands twice nobody knows which value was meant.
    let json::Document { value, duplicates, .. } =
        json::read(text, MAX_DEPTH).map_err(|_| wrong("Send one JSON object."))?;
    if !duplicates.is_empty() {
        return Err(duplicates.iter().map(field).collect());
    }
    let schema: Value = serde_json::from_str(schema).expect("the schema of a tool is JSON");
    let schema = Schema::compile(schema, &[]);
    let found = schema.validate_value(&value).findings;
    if found.is_empty() { Ok(value) } else { Err(found.iter().map(field).collect()) }
}

fn field(found: &Diagnostic) -> Value {
    json!({ "path": found.pointer.as_deref().unwrap_or_default(), "code": found.code, "message": found.message })
}

/// Gives every call an id of its own: one that repeats, or is missing, gets a fresh one.
pub fn name_apart(calls: &mut [wire::Tool], seen: &mut BTreeSet<String>) {
    for call in calls {
        let mut fresh = seen.len();
        while call.id.is_empty() || !seen.insert(call.id.clone()) {
            fresh += 1;
            call.id = format!("call_{fresh}");
        }
    }
}

/// What the model hears of a call: JSON of at most `most` characters. What is longer is cut in its longest text.
pub fn envelope(result: &Result<Value, ApiError>, meta: &Value, most: usize) -> String {
    let (mut data, error) = match result {
        Ok(data) => (data.clone(), Value::Null),
        Err(error) => (Value::Null, told(error)),
    };
    let text = |data: &Value| json!({ "ok": result.is_ok(), "data": data, "error": error, "meta": meta }).to_string();
    let fits = |data: &Value| text(data).chars().count() <= most;
    if fits(&data) {
        return text(&data);
    }
    if let Some(members) = data.as_object_mut() {
        members.insert("truncated".to_owned(), true.into());
    }
    for _ in 0..CUTS {
        let Some((_, pointer)) = longest(&data, "") else { break };
        cut(&mut data, &pointer, fits);
        if fits(&data) {
            return text(&data);
        }
    }
    text(&json!({ "truncated": true }))
}

/// An error for a model: what other languages are said from enters no prompt.
fn told(error: &ApiError) -> Value {
    let mut told = json!({ "code": error.code, "message": error.message });
    if !error.details.is_empty() {
        told["details"] = json!(error.details);
    }
    if !error.hints.is_empty() {
        told["hints"] = json!(error.hints);
    }
    told
}

/// Keeps as much of the text at `pointer` as fits, and nothing of it where nothing does.
fn cut(data: &mut Value, pointer: &str, fits: impl Fn(&Value) -> bool) {
    let whole = data.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
    // What is escaped counts more than once, so the place is searched for.
    let kept = ends.partition_point(|end| {
        put(data, pointer, &whole[..*end]);
        fits(data)
    });
    put(data, pointer, &whole[..kept.checked_sub(1).map_or(0, |last| ends[last])]);
}

fn put(data: &mut Value, pointer: &str, text: &str) {
    if let Some(place) = data.pointer_mut(pointer) {
        *place = text.into();
    }
}

/// The length and the pointer of the longest text in a value that is not empty.
fn longest(value: &Value, at: &str) -> Option<(usize, String)> {
    match value {
        Value::String(text) if !text.is_empty() => Some((text.len(), at.to_owned())),
        Value::Array(items) => {
            let below = |(index, item): (usize, &Value)| longest(item, &format!("{at}/{index}"));
            items.iter().enumerate().filter_map(below).max()
        }
        Value::Object(members) => members.iter().filter_map(|(name, item)| longest(item, &join(at, name))).max(),
        _ => None,
    }
}
