//! `editops.parse`: the model's text to ops (spec: script-tool.md §4).
//!
//! Owns the dialect between the model and the text engine. Invariants: what is read beyond strict JSON is named in
//! `repairs`; nothing is guessed: one bad op rejects the whole answer.
//!
//! ```
//! use holdpoint_kind_script::context::Mode;
//! use holdpoint_kind_script::dialect::parse;
//! let answer = parse(r#"Sure: {"assistant_message": "Nothing to do.", "ops": []}"#, Some("stop"), Mode::PatchOnly);
//! assert_eq!(answer.unwrap().assistant_message, "Nothing to do.");
//! ```

mod error;
mod op;
mod scan;

use holdpoint_check::args;
use serde::Serialize;
use serde_json::Value;

pub use error::{CODES, EditOpsError};
pub use op::{Op, Target};

use self::error::{EDITOPS_TRUNCATED, OPS, WORDS};
use super::context::Mode;
use super::limits::MAX_OPS;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parsed {
    /// What the model says to the person; may be empty.
    pub assistant_message: String,
    /// Normalised, in the order of the answer.
    pub ops: Vec<Op>,
    /// What was tolerated, in the order of [`Repair`].
    pub repairs: Vec<Repair>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditRepair"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditRepair"))]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    StrippedReasoning,
    #[serde(rename = "dropped_text_outside_json")]
    DroppedText,
    UnescapedControlCharacters,
    TrailingCommas,
    RepeatedObject,
    MissingAssistantMessage,
    IgnoredKeys,
}

/// Reads an answer of at most `MAX_RAW_BYTES`, which the caller bounds.
pub fn parse(raw: &str, finish_reason: Option<&str>, mode: Mode) -> Result<Parsed, EditOpsError> {
    if finish_reason == Some("length") {
        return Err(EditOpsError::of(&EDITOPS_TRUNCATED, args! {}));
    }
    let found = scan::scan(raw)?;
    let assistant_message = match found.object.get("assistant_message") {
        None => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => return Err(EditOpsError::at("/assistant_message".to_owned(), &WORDS, args! {})),
    };
    let ops = found.object.get("ops").and_then(Value::as_array).filter(|ops| ops.len() <= MAX_OPS);
    let ops = ops.ok_or_else(|| EditOpsError::at("/ops".to_owned(), &OPS, args! { limit: MAX_OPS }))?;
    let mut ignored = found.object.keys().any(|key| !["assistant_message", "ops"].contains(&key.as_str()));
    let mut read = Vec::with_capacity(ops.len());
    for (index, value) in ops.iter().enumerate() {
        let (op, ignores) = op::read(index, value, mode)?;
        ignored |= ignores;
        read.push(op);
    }
    let repairs = [
        (Repair::StrippedReasoning, found.stripped_reasoning),
        (Repair::DroppedText, found.dropped_text),
        (Repair::UnescapedControlCharacters, found.tolerated.control_characters),
        (Repair::TrailingCommas, found.tolerated.trailing_commas),
        (Repair::RepeatedObject, found.repeated),
        (Repair::MissingAssistantMessage, assistant_message.is_none()),
        (Repair::IgnoredKeys, ignored),
    ];
    Ok(Parsed {
        assistant_message: assistant_message.unwrap_or_default(),
        ops: read,
        repairs: repairs.into_iter().filter(|(_, made)| *made).map(|(repair, _)| repair).collect(),
    })
}

#[cfg(test)]
mod tests;
