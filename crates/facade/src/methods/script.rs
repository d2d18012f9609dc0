//! The script editor: answers of the model, windows, prompts, the check (spec: script-tool.md §2–§4, §8).
//!
//! Reads inputs and writes outputs; what they mean is the kind's.

use holdpoint_bundle::Files;
use holdpoint_check::python::PythonFacts;
use holdpoint_kinds::script_tool::context::Mode;
use holdpoint_kinds::script_tool::limits::{MAX_MESSAGE_CHARS, MAX_RAW_BYTES};
use holdpoint_kinds::script_tool::profile::Profile;
use holdpoint_kinds::script_tool::prompts::{self, Refusal};
use holdpoint_kinds::script_tool::tokens::{self, Message};
use holdpoint_kinds::script_tool::window::{self, OverBudget};
use holdpoint_kinds::script_tool::{self, KIND, editops};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ErrorAnswer, Method, input};

/// The methods of this file.
pub const METHODS: &[(&str, Method)] = &[("editops.parse", editops_parse), ("history.window", history_window)];

/// The grammar as a method.
pub const PYTHON: &[(&str, Method)] = &[("python.facts", crate::python::facts)];

/// Bytes of all texts of one window or prompt.
const MAX_TEXT_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct Answer {
    raw: String,
    finish_reason: Option<String>,
    #[serde(default)]
    mode: Mode,
}

fn editops_parse(value: Value) -> Result<Value, ErrorAnswer> {
    let Answer { raw, finish_reason, mode } = input(value)?;
    if raw.len() > MAX_RAW_BYTES {
        return Err(over("MAX_RAW_BYTES", MAX_RAW_BYTES, raw.len()));
    }
    let parsed = editops::parse(&raw, finish_reason.as_deref(), mode).map_err(|error| {
        let answer = ErrorAnswer::new(error.code(), error.to_string());
        match error.pointer() {
            Some(pointer) => answer.with(json!({ "pointer": pointer })),
            None => answer,
        }
    })?;
    let mut answer = json!({ "ok": true });
    if let (Some(answer), Value::Object(members)) = (answer.as_object_mut(), json!(parsed)) {
        answer.extend(members);
    }
    Ok(answer)
}

#[derive(Deserialize)]
struct Windowed {
    kind: String,
    model: String,
    window: u64,
    max_output: u64,
    margin: u64,
    system: String,
    system_cap: Option<u64>,
    messages: Vec<Message>,
    user: String,
}

fn history_window(value: Value) -> Result<Value, ErrorAnswer> {
    let asked: Windowed = input(value)?;
    if asked.kind != KIND {
        return Err(ErrorAnswer::invalid_input("/kind", format!("There is no window for this kind. Use `{KIND}`.")));
    }
    bounded(
        asked.messages.iter().map(|message| message.content.len()).sum::<usize>()
            + asked.system.len()
            + asked.user.len(),
    )?;
    let Windowed { window, max_output, margin, system_cap, .. } = asked;
    let budget = Profile { window, max_output, margin, system_cap: system_cap.unwrap_or(u64::MAX) }.prompt_budget();
    let window = window::window(&window::Request {
        method: tokens::method(&asked.model),
        budget,
        system: &asked.system,
        system_cap,
        messages: &asked.messages,
        user: &asked.user,
    });
    window.map(|window| json!(window)).map_err(over_budget)
}

/// `prompt.compose` for this kind.
pub(super) fn prompt_compose(value: Value) -> Result<Value, ErrorAnswer> {
    let request: prompts::Request = input(value)?;
    let chars = request.message.chars().count();
    if chars > MAX_MESSAGE_CHARS {
        return Err(over("MAX_MESSAGE_CHARS", MAX_MESSAGE_CHARS, chars));
    }
    let history: usize = request.history.iter().map(|message| message.content.len()).sum();
    bounded(history + request.virtual_files.values().map(String::len).sum::<usize>())?;
    prompts::compose(&request).map(|composed| json!(composed)).map_err(|refusal| match refusal {
        Refusal::Missing { pointer } => {
            let message = format!("Send {pointer}: the model needs all files and the one that is open.");
            ErrorAnswer::invalid_input(pointer, message)
        }
        Refusal::OverBudget(refusal) => over_budget(refusal),
    })
}

/// `bundle.check` for this kind; `grammar` is asked for `tool.py` only when its text is worth parsing.
pub(super) fn check(files: &Files, grammar: impl FnOnce(&str) -> Option<PythonFacts>) -> Result<Value, ErrorAnswer> {
    let report = script_tool::check(files, grammar)
        .map_err(|missing| ErrorAnswer::invalid_input("/options/python_facts", format!("Here {missing}.")))?;
    Ok(json!(report))
}

fn over_budget(refusal: OverBudget) -> ErrorAnswer {
    let details = match refusal {
        OverBudget::System { system, system_cap } => json!({ "system": system, "system_cap": system_cap }),
        OverBudget::Message { budget, system, user } => json!({ "budget": budget, "system": system, "user": user }),
    };
    ErrorAnswer::new(refusal.code(), refusal.to_string()).with(details)
}

fn bounded(bytes: usize) -> Result<(), ErrorAnswer> {
    if bytes <= MAX_TEXT_BYTES { Ok(()) } else { Err(over("MAX_TEXT_BYTES", MAX_TEXT_BYTES, bytes)) }
}

/// `INPUT_TOO_LARGE` with the limit's name (spec: script-tool.md §12).
pub(crate) fn over(limit: &str, max: usize, actual: usize) -> ErrorAnswer {
    let message = format!("Send less: at most {max} are taken, there are {actual}.");
    ErrorAnswer::new("INPUT_TOO_LARGE", message).with(json!({ "limit": limit, "max": max, "actual": actual }))
}

#[cfg(test)]
pub mod reference;
