//! What a new SDK does to an extension, as methods (spec: authoring.md §8).

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::method::{Group, input};
use serde::Deserialize;
use serde_json::{Value, json};

use super::compare::bounded;
use crate::drift::{self, ChangelogEntry, DriftOutcome};
use crate::engines::Version;
use crate::judged::manifest_value;
use crate::plan;

/// The methods of this file.
pub const METHODS: Group = &[("drift.match", matched), ("drift.judge", judged)];

pub const MAX_CHANGES: usize = 1_000;
/// Members that they name, all together.
pub const MAX_MEMBERS: usize = 10_000;

#[derive(Deserialize)]
struct Match {
    changes: Vec<ChangelogEntry>,
    from: Version,
    to: Version,
    files: Files,
}

fn matched(value: Value) -> Result<Value, ApiError> {
    let Match { changes, from, to, files } = input(value)?;
    bounded(&files)?;
    few(&changes)?;
    Ok(json!({ "relevant": drift::relevant(&changes, &from, &to, &files) }))
}

#[derive(Deserialize)]
struct Judge {
    files: Files,
    from: Version,
    to: Version,
    changes: Option<Vec<ChangelogEntry>>,
    /// Whether all tests of `trial` passed.
    passed: Option<bool>,
}

fn judged(value: Value) -> Result<Value, ApiError> {
    let Judge { files, from, to, changes, passed } = input(value)?;
    bounded(&files)?;
    changes.as_deref().map_or(Ok(()), few)?;
    let checked = drift::checked(&files, &to);
    let outcome = checked.outcome(passed);
    let mut answer = json!({
        "outcome": outcome,
        "satisfied": checked.satisfied,
        "diagnostics": checked.diagnostics,
        "relevant": drift::relevant(changes.as_deref().unwrap_or(drift::changes()), &from, &to, &files),
    });
    for member in ["id", "name", "version"] {
        answer[member] =
            manifest_value(&files).and_then(|mut manifest| manifest.get_mut(member).map(Value::take)).into();
    }
    if outcome.is_none() {
        answer["trial"] = json!(drift::trial(&files));
    }
    if matches!(outcome, Some(DriftOutcome::RangeOnly | DriftOutcome::Broken)) {
        answer["widened"] = json!(drift::widened(&files, &to));
    }
    if outcome == Some(DriftOutcome::Broken) {
        answer["plan"] = json!(plan::present(&files, ""));
    }
    Ok(answer)
}

fn few(changes: &[ChangelogEntry]) -> Result<(), ApiError> {
    let members = changes.iter().map(|change| change.members.len()).sum();
    if changes.len() > MAX_CHANGES {
        return Err(ApiError::over("MAX_CHANGES", MAX_CHANGES, changes.len()));
    }
    if members > MAX_MEMBERS { Err(ApiError::over("MAX_MEMBERS", MAX_MEMBERS, members)) } else { Ok(()) }
}

#[cfg(feature = "schema")]
pub mod reference;
