//! Taking an applied set back: its inverse as a set of its own (spec: crew-package.md §10.1 "Undo").
//!
//! Invariant: an undo is checked and applied as any other set, only the boundary of its session is not asked.

use holdpoint_check::{ApiError, args};
use serde_json::{Value, json};

use super::super::dialect::input::{BuilderSession, SessionMode};
use super::codes::MADE_A_WORKFLOW;
use super::effective::Baseline;
use super::record::{Undo, VERSION};
use super::stage::{Staging, staged};

/// Stages the inverse of a set in place of what the session has.
pub fn revert(head: &Baseline, session: &BuilderSession, undo: &Undo) -> Result<Staging, ApiError> {
    let makes_none = |operation: &Value| operation["op"] == "delete" && operation["targetType"] == "workflow";
    if undo.inverse.operations.iter().any(makes_none) {
        return Err(ApiError::of(&MADE_A_WORKFLOW, args! {}));
    }
    let session = BuilderSession { mode: SessionMode::Optimize, ..session.clone() };
    let change_set = json!({
        "schemaVersion": VERSION, "targetType": session.target_type, "mode": session.mode,
        "operations": undo.inverse.operations,
    });
    staged(head, (&[], None), &session, &change_set, Some(undo.clone()))
}
