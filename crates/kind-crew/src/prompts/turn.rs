//! The prompt of a turn: the context of its session, packed, with what was said and what is asked (spec: ai-sessions.md
//! §3 "Context in messages", §7).
//!
//! Owns what of the effective view a call carries; the next turn sends what `GET …/context` shows, because both come from
//! here. Invariant: the target is never left out.

use holdpoint_check::ApiError;
use holdpoint_tokens::Message;
use serde_json::{Value, json};

use super::budget::{BudgetAsked, WindowShares};
use super::build::{Built, Given, build};
use super::compose::{Composed, compose};
use super::domain::{DomainProfile, resolve};
use super::envelope::{DIGEST, Envelope};
use super::history::{KEPT, Past, window};
use super::layers::words;
use super::request::ComposeRequest;
use super::source::TextFacts;
use super::tools::{READ, WRITE};
use super::trim::{Trimmed, trim};
use crate::dialect::input::SessionMode;
use crate::dialect::view::View;
use crate::documents::markdown::FileRole;
use crate::facts::PackageFacts;
use crate::tools::{Sight, snapshot};

/// A context as the next call carries it.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed {
    /// What fits, and what was done for that.
    pub trimmed: Trimmed,
    /// The assets that the target cites.
    pub referenced_asset_paths: std::collections::BTreeSet<String>,
}

/// The context of a session for a model of a window, without the objects whose keys are excluded.
pub fn packed(sight: &Sight<'_>, exclude: &[String], model_window: Option<u64>) -> Result<Packed, ApiError> {
    let given = Given { project_id: json!(sight.names.project), target_id: sight.target_id.clone() };
    let snapshot = snapshot(sight.view, sight.facts.revisions(sight.session.workflow_id));
    let Built { mut envelope, mut referenced_asset_paths } = build(sight.session, &given, &snapshot, sight.domain)?;
    for (list, member, kind) in [("agents", "id", "agent"), ("assets", "path", "asset"), ("steps", "nodeId", "step")] {
        leave_out(&mut envelope, list, |item| {
            item[member].as_str().is_some_and(|id| exclude.contains(&format!("{kind}:{id}")))
        });
    }
    referenced_asset_paths.retain(|path| !exclude.contains(&format!("asset:{path}")));
    let budget = WindowShares::of(BudgetAsked { model_window, ..BudgetAsked::default() })?;
    Ok(Packed { trimmed: trim(envelope, budget)?, referenced_asset_paths })
}

/// The whole prompt. `past` is the conversation, oldest first; `asked` the person's words, which may be blank where
/// something is bettered.
pub fn composed(sight: &Sight<'_>, packed: &Packed, past: Vec<Past>, asked: &str) -> Composed {
    let history = window(past, KEPT);
    let blank = asked.trim().is_empty() && sight.session.mode == SessionMode::Optimize;
    let request = ComposeRequest {
        target_type: sight.session.target_type,
        mode: sight.session.mode,
        user_prompt: if blank { words().default_user_prompt.clone() } else { asked.to_owned() },
        envelope: packed.trimmed.envelope.clone(),
        tools: [&READ[..], &WRITE].concat(),
        rules: Vec::new(),
        summary: history.summary,
        history: history.messages.into_iter().map(|kept| Message::new(&kept.role, kept.content)).collect(),
        paths: packed.referenced_asset_paths.clone(),
        merge_system: false,
    };
    compose(request, sight.domain.clone())
}

/// The field that a package works in, as its workflows, variables and assets name it. The error: a text is too large.
pub fn domain(view: &View, facts: &PackageFacts) -> Result<DomainProfile, ApiError> {
    let mut variables = Vec::new();
    for workflow in view.workflows.values() {
        if let Some(document) = &workflow.document {
            variables.extend(TextFacts::read(document, FileRole::Workflow)?.variables);
        }
    }
    let names: Vec<&str> = facts.workflows.iter().map(|workflow| workflow.name.as_str()).collect();
    let assets: Vec<&str> = view.assets.keys().map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
    resolve(&json!({"domain": {
        "workflow_signals": {"names": names, "variables": variables, "asset_names": assets},
    }}))
}

fn leave_out(envelope: &mut Envelope, list: &str, is_out: impl Fn(&Value) -> bool) {
    let Some(digest) = envelope.member_mut(DIGEST).and_then(|digest| digest.get_mut(list)) else { return };
    let Some(items) = digest.get_mut("items").and_then(Value::as_array_mut) else { return };
    items.retain(|item| !is_out(item));
    let total = items.len();
    digest["total"] = json!(total);
}
