//! The last events of a run: what is proposed, what went wrong, `done` (spec: app-builder.md §9).

use holdpoint_check::ApiError;
use holdpoint_kind::protocol::{Frame, LogEnd, TokenUse};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::codes::{BUILDER_INTERNAL_ERROR, MODEL_UNAVAILABLE, RUN_INTERRUPTED, RUN_STALLED};
use super::frame::framed;
use crate::tools::Proposal;

/// What comes of a run that has an answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    pub outcome: String,
    /// The words that it ended with.
    pub summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<RunProposal>,
}

/// A proposal of a run, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunProposal {
    pub proposal_id: String,
    pub base_revision_id: String,
    #[serde(flatten)]
    pub proposal: Proposal,
    /// What it changes, as the event has it.
    pub changed: Value,
}

/// Detail of an error of a run: the id of the proposal that keeps what was staged.
pub const PARKED: &str = "proposal_id";

/// The events behind which nothing comes.
pub(super) fn frames(end: &LogEnd<'_>) -> Vec<Frame> {
    let mut all = Vec::new();
    let mut proposal_id = Value::Null;
    match end.said {
        Ok(value) => {
            let run = RunEnd::deserialize(value).unwrap_or_default();
            if let Some(proposal) = run.proposal {
                proposal_id = json!(proposal.proposal_id);
                all.push(framed("patch_ops", "patch_ready", patch_ops(&proposal)));
            }
        }
        Err(error) => {
            proposal_id = error.details.get(PARKED).cloned().unwrap_or_default();
            if end.ending.outcome != "cancelled" {
                all.push(framed("error", "complete", told(error)));
            }
        }
    }
    let mut data = json!({
        "outcome": end.ending.outcome, "turn_id": format!("turn_{}", end.turn), "usage": usage(end.usage),
    });
    if !proposal_id.is_null() {
        data[PARKED] = proposal_id;
    }
    all.push(Frame { last: true, ..framed("done", "complete", data) });
    all
}

fn patch_ops(run: &RunProposal) -> Value {
    let Proposal { operations, summary, rationale, assumptions, base_hash, patch_id, result_hash, verified, .. } =
        &run.proposal;
    json!({
        "operations": operations, "base_revision_id": run.base_revision_id, "summary": summary, "rationale": rationale,
        "assumptions": assumptions, "proposal_id": run.proposal_id, "base_hash": base_hash, "patch_id": patch_id,
        "result_hash": result_hash, "changed": run.changed, "verified": verified,
    })
}

pub(super) fn usage(used: TokenUse) -> Value {
    let mut told = json!({ "input_tokens": used.input, "output_tokens": used.output });
    if used.cost > 0 {
        told["cost_micros"] = used.cost.into();
    }
    told
}

fn told(error: &ApiError) -> Value {
    let again = [MODEL_UNAVAILABLE.name, RUN_STALLED.name, RUN_INTERRUPTED.name, BUILDER_INTERNAL_ERROR.name];
    let mut told =
        json!({ "code": error.code, "message": error.message, "retryable": again.contains(&error.code.as_str()) });
    for (name, members) in [("args", &error.args), ("details", &error.details)] {
        if !members.is_empty() {
            told[name] = json!(members);
        }
    }
    told
}
