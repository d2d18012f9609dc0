//! The check of a staged set on what is stored (spec: ai-sessions.md §4 "Validate", crew-package.md §10).
//!
//! Invariant: an object that was only edited, and that moved since, is made again on what stands there now; one that was
//! written whole stays as it was written.

use holdpoint_check::ApiError;
use serde_json::{Value, json};

use super::super::dialect::check::{CheckInput, Checked, check_joined};
use super::super::dialect::input::{BuilderSession, Revisions};
use super::super::stage::tokens;
use super::effective::Baseline;
use super::object::WorkingFile;
use super::record::{DeclaredImpact, Issued, Record, Undo};
use super::wire;

#[derive(Debug)]
pub struct Judgement {
    /// The set as it was judged.
    pub record: Record,
    /// An object of it was made again.
    pub made_again: bool,
    /// The verdict, with the package before and after.
    pub checked: Checked,
    /// What a person is shown.
    pub issued: Issued,
}

/// Judges a set. `base` are the counters that a person saw, where they are compared.
pub fn judge(
    head: &Baseline,
    session: &BuilderSession,
    record: &Record,
    base: Option<Revisions>,
) -> Result<Judgement, ApiError> {
    let session = record.session(session);
    judge_files(head, &session, record.objects.clone(), &record.declared, record.undoes.clone(), base)
}

pub(super) fn judge_files(
    head: &Baseline,
    session: &BuilderSession,
    mut files: Vec<WorkingFile>,
    declared: &DeclaredImpact,
    undoes: Option<Undo>,
    base: Option<Revisions>,
) -> Result<Judgement, ApiError> {
    let mut operations = Vec::with_capacity(files.len());
    let mut made_again = false;
    for file in &mut files {
        let Some(target) = file.target() else { continue };
        let before = file.base_hash.clone();
        let whole = file.rebase(&target, &head.view);
        made_again |= file.base_hash != before;
        operations.push(file.operation(&target, !whole));
    }
    let change_set = declared.set(session, &operations);
    let checked = check_joined(CheckInput {
        before: head.view.clone(),
        revisions: head.facts.revisions(session.workflow_id),
        session,
        change_set: &change_set,
        base,
        endings: head.options.endings(),
        limits: head.options.limits(),
        is_inverse: undoes.is_some(),
    })?;
    let verdict = &checked.verdict;
    let normal = verdict.normalized.as_ref().map_or(Value::Null, |normal| json!(normal));
    let issued = Issued::of(&verdict.meta.changed, tokens(&verdict.meta.changed), &verdict.meta.confirm);
    let record = Record { change_set: normal, objects: files, declared: declared.clone(), undoes };
    Ok(Judgement { record, made_again, checked, issued })
}

impl Judgement {
    /// Whether the set may be applied.
    pub fn valid(&self) -> bool {
        self.checked.verdict.valid
    }

    /// What is stored of the verdict, and read again by [`stored`].
    pub fn validation(&self) -> Value {
        let mut members = wire::verdict_members(&self.checked.verdict);
        members["issued"] = if self.valid() { json!(self.issued) } else { Value::Null };
        members
    }
}

/// What a stored verdict showed to a person; `None`: it was not valid.
pub fn stored(validation: &Value) -> Option<Issued> {
    serde_json::from_value(validation["issued"].clone()).ok()
}
