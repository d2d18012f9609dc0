//! Finding the model's object in its text (spec: script-tool.md §4, steps 2 to 4).
//!
//! Invariant: bounded work: at most [`MAX_PARSE_STARTS`] places are tried and at most [`MAX_SCANNED_BYTES`] read.

use holdpoint_check::json::{Tolerated, read_tolerant};
use serde_json::{Map, Value};

use holdpoint_check::args;

use super::error::{EDITOPS_MULTIPLE, EDITOPS_NO_OBJECT, EditOpsError};
use crate::limits::{MAX_JSON_DEPTH, MAX_PARSE_STARTS, MAX_RAW_BYTES};

/// Bytes that all tries together may read. An honest answer is read little more than once.
const MAX_SCANNED_BYTES: usize = 8 * MAX_RAW_BYTES;
/// Blocks in which models think before they answer.
const REASONING: &[(&str, &str)] =
    &[("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")];

/// The object and what was tolerated on the way.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a repair that the answer names
pub(super) struct Scanned {
    pub object: Map<String, Value>,
    pub stripped_reasoning: bool,
    pub dropped_text: bool,
    pub tolerated: Tolerated,
    pub repeated: bool,
}

/// The one object with `ops`.
pub(super) fn scan(raw: &str) -> Result<Scanned, EditOpsError> {
    let (text, stripped_reasoning) = without_reasoning(trimmed(raw));
    let mut found: Option<(Map<String, Value>, Tolerated)> = None;
    let mut repeated = false;
    let mut dropped_text = false;
    let (mut at, mut kept) = (0, 0);
    let mut scanned = 0;
    for _ in 0..MAX_PARSE_STARTS {
        let Some(start) = text[at..].find('{').map(|offset| at + offset) else { break };
        match read_tolerant(text, start, MAX_JSON_DEPTH) {
            Ok((Value::Object(object), end, tolerated)) => {
                at = end;
                scanned += end - start;
                if !object.contains_key("ops") {
                    continue;
                }
                dropped_text |= has_text(&text[kept..start]);
                kept = end;
                match &found {
                    None => found = Some((object, tolerated)),
                    Some((first, _)) if *first == object => repeated = true,
                    Some(_) => return Err(EditOpsError::of(&EDITOPS_MULTIPLE, args! {})),
                }
            }
            Ok(_) => at = start + 1,
            Err(broken_at) => {
                at = start + 1;
                scanned += broken_at - start;
            }
        }
        if scanned > MAX_SCANNED_BYTES {
            break;
        }
    }
    dropped_text |= has_text(&text[kept..]);
    let (object, tolerated) = found.ok_or_else(|| EditOpsError::of(&EDITOPS_NO_OBJECT, args! {}))?;
    Ok(Scanned { object, stripped_reasoning, dropped_text, tolerated, repeated })
}

fn has_text(between: &str) -> bool {
    !between.trim().is_empty()
}

fn trimmed(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('\u{feff}').unwrap_or(text).trim()
}

/// The text behind leading blocks of reasoning, and whether there were any. A block that does not end stays.
fn without_reasoning(text: &str) -> (&str, bool) {
    let behind = |text: &str| -> Option<usize> {
        let (open, close) = REASONING.iter().find(|(open, _)| text.starts_with(open))?;
        Some(open.len() + text[open.len()..].find(close)? + close.len())
    };
    let (mut rest, mut stripped) = (text, false);
    while let Some(end) = behind(rest) {
        rest = rest[end..].trim_start();
        stripped = true;
    }
    (rest, stripped)
}
