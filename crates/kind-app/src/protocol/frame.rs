//! The events of a run on its way, and the envelope of all of them (spec: app-builder.md §9).
//!
//! Invariant: a line of the time line says in plain words what happened; texts of files and logs do not stand in it.

use holdpoint_check::ApiError;
use holdpoint_kind::protocol::{Frame, Said, Stamp};
use serde_json::{Map, Value, json};

use super::end::usage;
use super::{RUN_MAX_MODEL_CALLS, RUN_MAX_REPAIRS, RUN_MAX_TOKENS, RUN_MAX_TOOL_CALLS, RUN_WALL_SECONDS};
use crate::tools::{ASK, BUILD, BUNDLE, COMPILE, DISCARD, PROPOSE, STAGE, TEST};

/// Bytes of a result in an event.
const MAX_RESULT_BYTES: usize = 4_096;
/// Members of results that no event has.
const NOT_TOLD: [&str; 5] = ["text", "log_tail", "diagnostics", "files", "dist_manifest"];

/// Data of an event, before its place in the log is known.
pub(super) fn framed(name: &'static str, stage: &str, data: impl Into<Value>) -> Frame {
    Frame { name, data: json!({ "stage": stage, "data": data.into() }), last: false }
}

/// The envelope of an event.
pub(super) fn stamped(frame: Frame, stamp: &Stamp<'_>) -> Frame {
    let Frame { name, data: Value::Object(own), last } = frame else { return frame };
    let mut envelope = Map::new();
    envelope.insert("event".to_owned(), name.into());
    envelope.insert("stage".to_owned(), own.get("stage").cloned().unwrap_or_default());
    envelope.insert("request_id".to_owned(), stamp.correlation.into());
    envelope.insert("seq".to_owned(), stamp.seq.into());
    envelope.insert("ts".to_owned(), stamp.at.into());
    if last {
        envelope.insert("type".to_owned(), "done".into());
    }
    envelope.extend(own.into_iter().filter(|(member, _)| member != "stage"));
    Frame { name, data: envelope.into(), last }
}

/// What who listens is told.
pub(super) fn frames(said: &Said<'_>) -> Vec<Frame> {
    let frame = match said {
        Said::Opened(names) => framed(
            "status",
            "start",
            json!({
                "content": "Reading the project", "model": names.model, "thread_id": names.session,
                "turn_id": names.turn,
                "limits": {
                    "model_calls": RUN_MAX_MODEL_CALLS, "tool_calls": RUN_MAX_TOOL_CALLS, "tokens": RUN_MAX_TOKENS,
                    "seconds": RUN_WALL_SECONDS, "repairs": RUN_MAX_REPAIRS,
                },
            }),
        ),
        Said::Composed(facts) => {
            let files = facts.get("files").and_then(Value::as_u64).unwrap_or_default();
            let content = format!("{} sent to the model", count(files, "file"));
            let mut data = json!({ "content": content });
            for name in ["files", "bytes", "tokens", "dropped_turns", "mentions"] {
                data[name] = facts.get(name).cloned().unwrap_or_default();
            }
            framed("status", "context", data)
        }
        Said::Words(text) => framed("token", "assistant_response", json!({ "content": text })),
        Said::Used(used) => {
            let mut data = usage(*used);
            data["of"] = json!({ "tokens": RUN_MAX_TOKENS });
            framed("usage", "assistant_response", data)
        }
        Said::Tool { name, call, arguments, repaired, iteration, over } => {
            let call = ToolCall { name, call, arguments, repaired: *repaired, iteration: *iteration };
            call.frame(*over)
        }
        _ => return Vec::new(),
    };
    vec![frame]
}

struct ToolCall<'s> {
    name: &'s str,
    call: &'s str,
    arguments: &'s Value,
    repaired: bool,
    iteration: u32,
}

impl ToolCall<'_> {
    fn frame(&self, over: Option<Result<&Value, &ApiError>>) -> Frame {
        let failed = |data: &Value| data.get("ok") == Some(&Value::Bool(false));
        let status = match over {
            None => "started",
            Some(Ok(data)) if !failed(data) => "ok",
            Some(_) => "failed",
        };
        let mut data = json!({
            "tool": self.name, "call_id": self.call, "status": status, "iteration": self.iteration,
            "title": self.title(over),
        });
        if let Some(path) = self.text("path") {
            data["path"] = path.into();
        }
        if self.repaired {
            data["repaired"] = true.into();
        }
        let mut found = Value::Null;
        match over {
            Some(Ok(result)) => {
                data["elapsed_ms"] = result.get("elapsed_ms").cloned().unwrap_or_default();
                data["result"] = bounded(result);
                found = result.get("diagnostics").cloned().unwrap_or_default();
            }
            Some(Err(error)) => {
                data["code"] = error.code.as_str().into();
                data["result"] = bounded(&json!(error.details));
                found = error.details.get("diagnostics").cloned().unwrap_or_default();
            }
            None => {}
        }
        if let Some(members) = data.as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        let mut frame = framed("tool", self.stage(), data);
        if status == "failed" && found.as_array().is_some_and(|found| !found.is_empty()) {
            frame.data["diagnostics"] = found;
        }
        frame
    }

    fn stage(&self) -> &'static str {
        match self.name {
            "list_files" | "read_file" | "search_code" => "inspect",
            STAGE => "patch_dry_run",
            COMPILE => "compile",
            TEST => "test",
            BUILD => "worker_build",
            BUNDLE => "bundle",
            _ => "edit",
        }
    }

    fn text(&self, member: &str) -> Option<&str> {
        self.arguments.get(member).and_then(Value::as_str)
    }

    /// One line in plain words.
    fn title(&self, over: Option<Result<&Value, &ApiError>>) -> String {
        let path = self.text("path").unwrap_or("a file");
        let query = self.text("query").unwrap_or_default();
        let Some(over) = over else {
            return match self.name {
                "list_files" => "Looking through the files".to_owned(),
                "read_file" => format!("Reading {path}"),
                "search_code" => format!("Searching for \u{201c}{query}\u{201d}"),
                STAGE => "Trying a change".to_owned(),
                DISCARD => "Putting files back".to_owned(),
                COMPILE => "Checking the project".to_owned(),
                TEST => "Running tests".to_owned(),
                BUILD => "Building".to_owned(),
                BUNDLE => "Looking at what was built".to_owned(),
                PROPOSE => "Checking what is to be handed in".to_owned(),
                ASK => "Asking a question".to_owned(),
                other => format!("Calling {other}"),
            };
        };
        let Ok(result) = over else { return format!("{} did not go through", self.noun()) };
        let number = |member: &str| result.get(member).and_then(Value::as_u64).unwrap_or_default();
        let length = |member: &str| result.get(member).and_then(Value::as_array).map_or(0, Vec::len) as u64;
        let is_ok = result.get("ok") != Some(&Value::Bool(false));
        let said = |member: &str| result.get(member).and_then(Value::as_str).map(str::to_owned);
        match self.name {
            "list_files" => format!("Listed {}", count(number("total"), "file")),
            "read_file" => format!("Read {path}"),
            "search_code" => format!("Found {}", count(number("total"), "place")),
            STAGE if is_ok || result.get("staged") == Some(&Value::Bool(true)) => {
                format!("Changed {}", count(length("changed"), "file"))
            }
            STAGE => "A change was not taken".to_owned(),
            DISCARD => "Put files back".to_owned(),
            COMPILE if is_ok => "Checked the project".to_owned(),
            COMPILE => format!("The check found {}", count(length("diagnostics"), "fault")),
            TEST => said("message").unwrap_or_else(|| "Ran tests".to_owned()),
            BUILD => said("summary").unwrap_or_else(|| "Built".to_owned()),
            BUNDLE if is_ok => "Looked at what was built".to_owned(),
            BUNDLE => "What was built cannot be served".to_owned(),
            PROPOSE => "Handed the changes in".to_owned(),
            ASK => "Asked a question".to_owned(),
            other => format!("Called {other}"),
        }
    }

    fn noun(&self) -> &str {
        match self.name {
            "read_file" => "Reading a file",
            "search_code" => "A search",
            STAGE => "A change",
            PROPOSE => "The proposal",
            other => other,
        }
    }
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A result without texts of files and logs; nothing of one that is long.
fn bounded(result: &Value) -> Value {
    let Some(members) = result.as_object() else { return Value::Null };
    let kept: Map<String, Value> = members
        .iter()
        .filter(|(name, _)| !NOT_TOLD.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let told = Value::Object(kept);
    if told.to_string().len() > MAX_RESULT_BYTES { json!({ "truncated": true }) } else { told }
}
