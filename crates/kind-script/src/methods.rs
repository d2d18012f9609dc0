//! What this kind answers as methods: answers of the model, windows, prompts (spec: script-tool.md §3, §4, §8).
//!
//! Reads inputs and writes outputs; what they mean is said in the other modules.

use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::context::Mode;
use super::dialect::{self, EditOpsError};
use super::limits::{MAX_MESSAGE_CHARS, MAX_RAW_BYTES};
use super::profile::Profile;
use super::prompts::{self, PromptError};
use super::tokens::{self, Message};
use super::window::{self, WindowError};

/// The methods of this file.
pub const METHODS: Group = &[("editops.parse", editops_parse)];

codes! {
    INVALID_INPUT / MISSING: Error, "Send {pointer}: the model needs all files and the one that is open." [pointer];
}

/// Bytes of all texts of one window or prompt.
const MAX_TEXT_BYTES: usize = 16 << 20;

#[derive(Deserialize)]
struct Answer {
    raw: String,
    finish_reason: Option<String>,
    #[serde(default)]
    mode: Mode,
}

fn editops_parse(value: Value) -> Result<Value, ApiError> {
    let Answer { raw, finish_reason, mode } = input(value)?;
    if raw.len() > MAX_RAW_BYTES {
        return Err(ApiError::over("MAX_RAW_BYTES", MAX_RAW_BYTES, raw.len()));
    }
    let parsed = dialect::parse(&raw, finish_reason.as_deref(), mode).map_err(EditOpsError::answer)?;
    let mut answer = json!({ "ok": true });
    if let (Some(answer), Value::Object(members)) = (answer.as_object_mut(), json!(parsed)) {
        answer.extend(members);
    }
    Ok(answer)
}

#[derive(Deserialize)]
struct Windowed {
    model: String,
    window: u64,
    max_output: u64,
    margin: u64,
    system: String,
    system_cap: Option<u64>,
    messages: Vec<Message>,
    user: String,
}

pub fn history_window(value: Value) -> Result<Value, ApiError> {
    let asked: Windowed = input(value)?;
    bounded(
        asked.messages.iter().map(|message| message.content.len()).sum::<usize>()
            + asked.system.len()
            + asked.user.len(),
    )?;
    let Windowed { window, max_output, margin, system_cap, .. } = asked;
    let budget = Profile { window, max_output, margin, system_cap: system_cap.unwrap_or(u64::MAX) }.prompt_budget();
    let window = window::window(&window::WindowInput {
        method: tokens::method(&asked.model),
        budget,
        system: &asked.system,
        system_cap,
        messages: &asked.messages,
        user: &asked.user,
    });
    window.map(|window| json!(window)).map_err(WindowError::answer)
}

pub fn prompt_compose(value: Value) -> Result<Value, ApiError> {
    let request: prompts::Request = input(value)?;
    let chars = request.message.chars().count();
    if chars > MAX_MESSAGE_CHARS {
        return Err(ApiError::over("MAX_MESSAGE_CHARS", MAX_MESSAGE_CHARS, chars));
    }
    let history: usize = request.history.iter().map(|message| message.content.len()).sum();
    bounded(history + request.virtual_files.values().map(String::len).sum::<usize>())?;
    prompts::compose(&request).map(|composed| json!(composed)).map_err(|refusal| match refusal {
        PromptError::Missing { pointer } => {
            let said = ApiError::of(&MISSING, args! { pointer });
            said.with("pointer", pointer)
        }
        PromptError::OverBudget(refusal) => refusal.answer(),
    })
}

fn bounded(bytes: usize) -> Result<(), ApiError> {
    if bytes <= MAX_TEXT_BYTES { Ok(()) } else { Err(ApiError::over("MAX_TEXT_BYTES", MAX_TEXT_BYTES, bytes)) }
}

#[cfg(feature = "schema")]
pub mod reference;
