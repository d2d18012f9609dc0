//! Proposals and turns as their routes read and show them (spec: app-builder.md §10).

use holdpoint_check::codes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::accept::Choices;
use crate::behaviours::ProposedBehaviour;
use crate::tools::{Proposal, Verified};

codes! {
    /// the draft moved since the proposal was looked at
    PROPOSAL_STALE: Error, "Look at the proposal once more: the draft moved.";
    PROPOSAL_STALE / CLOSED: Error, "Ask anew: this proposal was applied or discarded.";
    NOT_FOUND / NO_PROPOSAL: Error, "The app has no such proposal. List its conversations.";
    NOT_FOUND / NO_RUN: Error, "The app has no such run. List its conversations.";
}

/// A proposal as its change set keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StoredProposal {
    pub request_id: String,
    pub base_revision_id: String,
    /// What its run handed in, on that revision.
    pub proposal: Proposal,
}

/// Whether a proposal can still be applied, or what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ProposalState {
    Open,
    /// Kept of a run that did not end well; it can be taken all the same.
    Parked,
    Applied,
    Discarded,
}

/// A proposal as it is looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposalView {
    pub id: String,
    pub request_id: String,
    pub base_revision_id: String,
    pub base_hash: String,
    pub patch_id: String,
    pub result_hash: String,
    #[cfg_attr(feature = "ts", ts(type = "Array<Record<string, unknown>>"))]
    pub operations: Vec<Value>,
    pub files: Vec<ProposedFile>,
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
    pub verified: Verified,
    pub state: ProposalState,
    pub summary: String,
    pub rationale: String,
    pub assumptions: Vec<String>,
    /// What the app does in words, as its tests below `src/behaviours/` hold it: lost ones first, then new ones.
    pub behaviours: Vec<ProposedBehaviour>,
    /// In what its words and the whole of it differ; empty for what was picked of it.
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub claims: Vec<Value>,
    /// What a person confirms once more; null where nothing is.
    pub confirm_token: Option<String>,
    /// Where the result is looked at; null until it has been built.
    pub preview_url: Option<String>,
    /// The build of the result, while it goes on or where it failed; null where it is built, or nobody builds it.
    pub build: Option<ResultBuild>,
}

/// How the build of a result that is not applied stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResultBuild {
    /// One of `queued`, `running` and `failed`.
    #[cfg_attr(feature = "ts", ts(type = "\"queued\" | \"running\" | \"failed\""))]
    pub status: String,
    pub stage: Option<String>,
    /// Why it failed, and the end of what the failing stage said.
    pub code: Option<String>,
    pub error: Option<String>,
    #[cfg_attr(feature = "ts", ts(as = "Vec<holdpoint_check::Diagnostic>"))]
    pub diagnostics: Vec<Value>,
}

impl ResultBuild {
    /// One that was asked for just now.
    pub fn queued() -> Self {
        Self { status: "queued".to_owned(), stage: None, code: None, error: None, diagnostics: Vec::new() }
    }
}

/// A file that a proposal changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedFile {
    pub path: String,
    /// One of `added`, `modified` and `deleted`.
    #[cfg_attr(feature = "ts", ts(as = "crate::dialect::apply::ChangedStatus"))]
    pub status: String,
    /// The answer of `text.diff` for its texts; null once nothing of the proposal can be taken.
    #[cfg_attr(feature = "ts", ts(as = "Option<holdpoint_text::Diff>"))]
    pub diff: Value,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreviewProposalBody {
    pub accept: Option<Choices>,
}

/// The body of an apply: what its person saw. The tokens are read as a signature.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApplyProposalBody {
    #[serde(default)]
    pub base_revision_id: Option<String>,
    pub base_hash: String,
    pub patch_id: String,
    pub result_hash: String,
    #[serde(default)]
    pub accept: Option<Choices>,
    #[serde(default)]
    pub confirm_token: Option<String>,
}

/// What a discarded proposal answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiscardedProposal {
    pub id: String,
    pub state: ProposalState,
}

/// What a stopped run answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CancelledRun {
    pub request_id: String,
    /// Whether it ran until now.
    pub cancelled: bool,
}

/// A turn of a thread (spec: app-builder.md §10 "Turns").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationTurn {
    pub id: String,
    pub app_id: String,
    pub thread_id: String,
    pub request_id: String,
    /// The revision that it was asked on.
    pub revision_id: Option<String>,
    pub result_revision_id: Option<String>,
    /// One of `succeeded` and `failed`; null while it runs.
    pub status: Option<String>,
    #[cfg_attr(
        feature = "ts",
        ts(type = "\"succeeded\" | \"answered\" | \"unverified\" | \"needs_input\" | \"failed\" \
                   | \"cancelled\" | \"budget_exceeded\" | null")
    )]
    pub outcome: Option<String>,
    pub user_prompt: String,
    pub assistant_summary: String,
    pub assistant_rationale: String,
    pub assistant_assumptions: Vec<String>,
    #[cfg_attr(feature = "ts", ts(type = "Array<Record<string, unknown>>"))]
    pub patch_operations: Vec<Value>,
    #[cfg_attr(feature = "ts", ts(type = "Array<Record<string, unknown>>"))]
    pub tool_trace: Vec<Value>,
    pub tool_summary: ToolCounts,
    pub proposal_id: Option<String>,
    pub failure_code: Option<String>,
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown> | null"))]
    pub usage: Value,
    pub created_by: String,
    pub created_at: String,
}

/// Calls of tools in one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolCounts {
    pub total: u32,
    pub completed: u32,
    pub failed: u32,
    /// Names of the tools, each once.
    pub tools: Vec<String>,
}

impl ToolCounts {
    /// Counts the calls of events of a run.
    pub fn of<'e>(events: impl IntoIterator<Item = &'e Value>) -> Self {
        let mut counts = Self::default();
        for event in events {
            let text = |pointer| event.pointer(pointer).and_then(Value::as_str);
            let (Some("tool"), Some(name), Some(status)) = (text("/event"), text("/data/tool"), text("/data/status"))
            else {
                continue;
            };
            match status {
                "ok" => counts.completed += 1,
                "failed" => counts.failed += 1,
                _ => continue,
            }
            counts.total += 1;
            if !counts.tools.iter().any(|own| own == name) {
                counts.tools.push(name.to_owned());
            }
        }
        counts
    }
}

/// What a turn keeps of its end, beside its words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunRecord {
    pub revision_id: Option<String>,
    pub outcome: Option<String>,
    pub summary: String,
    pub rationale: String,
    pub assumptions: Vec<String>,
    pub changed: Vec<String>,
    pub proposal_id: Option<String>,
    /// The code of a run that failed.
    pub code: Option<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_counted_when_they_are_over() {
        let event = |tool: &str, status: &str| json!({ "event": "tool", "data": { "tool": tool, "status": status } });
        let all = [
            event("read_file", "started"),
            event("read_file", "ok"),
            event("propose", "failed"),
            event("read_file", "ok"),
            json!({ "event": "token", "data": { "content": "x" } }),
        ];
        let tools = vec!["read_file".to_owned(), "propose".to_owned()];
        assert_eq!(ToolCounts::of(&all), ToolCounts { total: 3, completed: 2, failed: 1, tools });
    }
}
