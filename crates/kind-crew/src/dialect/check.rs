//! `changeset.check`: all phases, and the normal form beside them (spec: crew-package.md §9).
//!
//! Pure. Invariant: the first phase stops the others; the others look at all operations together.

use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde::Serialize;
use serde_json::Value;

use super::compile::{Compiled, Compiler, Work};
use super::envelope::{self, Envelope};
use super::finding::{Moved, Phase, SetFinding, arrange};
use super::impact::Impact;
use super::input::{BuilderSession, Revisions};
use super::meta::{self, ChangeMeta, ChangeStatus, ChangedRow};
use super::normal::{NormalOperation, Normalized};
use super::path::Path;
use super::sync::Synced;
use super::uses::Uses;
use super::view::View;
use super::world::World;
use super::{agents, assets, boundary, effect, references, secrets, steps, workflows};
use crate::limits::MAX_FILES;
use crate::policy::Endings;
use crate::rules::assets::AssetLimits;

codes! {
    /// the set has no `impact.objects`
    IMPACT_DERIVED: Warning, "Name in `impact.objects` what the set touches: it was worked out from the operations.";
    /// the set changes nothing there is
    AI_NO_EFFECT: Warning, "Change something: every object stays as it is.";
    /// the package has moved on since the set was made
    AI_REVISION_BASE_MISMATCH: Warning, "Look at the package again: `{field}` is {current}, the set was made at {provided}." [field, current, provided];
}

/// How a change set is checked.
pub struct CheckInput<'a> {
    /// The package as it stands.
    pub before: View,
    pub revisions: Revisions,
    pub session: &'a BuilderSession,
    pub change_set: &'a Value,
    /// The counters that the sender saw.
    pub base: Option<Revisions>,
    pub endings: Endings<'a>,
    pub limits: AssetLimits,
    /// It takes another set back: then no session bounds it, and bytes may come back.
    pub is_inverse: bool,
}

/// What is said of a change set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetVerdict {
    pub valid: bool,
    pub schema_failed: bool,
    pub errors: Vec<SetFinding>,
    pub warnings: Vec<SetFinding>,
    pub meta: ChangeMeta,
    pub normalized: Option<Normalized>,
}

/// A verdict with the package before and after.
#[derive(Debug)]
pub struct Checked {
    pub verdict: SetVerdict,
    pub before: View,
    pub after: View,
    pub operations: Vec<Compiled>,
}

/// Checks a change set. The error: something is too large to be read.
pub fn check(asked: CheckInput<'_>) -> Result<Checked, ApiError> {
    checked(asked, envelope::MAX_OPERATIONS)
}

/// Checks what the sets of a session come to together: at most one operation a file of a package.
pub fn check_joined(asked: CheckInput<'_>) -> Result<Checked, ApiError> {
    checked(asked, MAX_FILES)
}

fn checked(asked: CheckInput<'_>, most: usize) -> Result<Checked, ApiError> {
    let sent = envelope::read_up_to(asked.change_set, asked.session, most);
    let before = asked.before;
    let mut findings = sent.findings;
    let mut meta = ChangeMeta { legacy: sent.legacy, ..ChangeMeta::default() };
    let Some(mut envelope) = sent.envelope else {
        let after = before.clone();
        return Ok(Checked { verdict: verdict(findings, meta, None), before, after, operations: Vec::new() });
    };
    let mut compiler = Compiler::run(&before, std::mem::take(&mut envelope.operations), asked.is_inverse)?;
    if !compiler.violations.is_empty() {
        findings.append(&mut compiler.violations);
        let after = before.clone();
        return Ok(Checked { verdict: verdict(findings, meta, None), before, after, operations: Vec::new() });
    }
    effect::generate(&mut compiler, &before);
    findings.append(&mut compiler.findings);
    let operations = compiler.operations;
    let (after, synced) = effect::after(&before, &operations, &asked.endings)?;
    let mut world = World::new(asked.session, (&before, &after), &operations, asked.endings, asked.limits);
    world.is_inverse = asked.is_inverse;
    let uses = Uses::of(&after, &asked.endings)?;
    rules(&world, &uses, &mut findings)?;
    if !asked.is_inverse {
        boundary::check(asked.session, envelope.impact.objects.as_deref(), &operations, &before, &mut findings);
    }
    if envelope.impact.objects.is_none() {
        let found = Diagnostic::of(&IMPACT_DERIVED, args! {});
        findings.push(SetFinding::new(Phase::Impact, Path::of("impact"), found));
    }
    moved(asked.base, asked.revisions, &mut findings);
    tell(&mut meta, &world, &uses, synced, &mut findings);
    let normalized = normalized(asked.session, envelope, &operations);
    drop(world);
    let verdict = verdict(findings, meta, Some(normalized));
    Ok(Checked { verdict, before, after, operations })
}

fn rules(world: &World<'_>, uses: &Uses, findings: &mut Vec<SetFinding>) -> Result<(), ApiError> {
    for operation in world.operations {
        references::check(operation, world, uses, findings);
        workflows::check(operation, world, findings)?;
        steps::check(operation, world, findings)?;
        agents::check(operation, world, findings);
        assets::check(operation, world, findings);
    }
    assets::totals(world, findings);
    secrets::check(world.operations, findings);
    Ok(())
}

/// What stands beside the verdict.
fn tell(meta: &mut ChangeMeta, world: &World<'_>, uses: &Uses, synced: Vec<Synced>, findings: &mut Vec<SetFinding>) {
    let operations = world.operations;
    meta.changed = meta::changed(operations, &synced, world.before, world.after);
    let stays = |row: &ChangedRow| row.status == ChangeStatus::Unchanged;
    let whole = operations.iter().all(|operation| !is_without_effect(operation, world));
    if whole && !meta.changed.is_empty() && meta.changed.iter().all(stays) {
        let found = Diagnostic::of(&AI_NO_EFFECT, args! {});
        findings.push(SetFinding::new(Phase::Impact, Path::of("operations"), found));
    }
    meta.origins = operations.iter().map(|operation| operation.origin.clone()).collect();
    meta.bumps = meta::bumps(&meta.changed);
    meta.affected = meta::affected(operations, uses);
    meta.graph_sync = synced;
    if operations.iter().any(|operation| matches!(operation.work, Work::Delete)) {
        meta.confirm.push("delete");
    }
    if findings.iter().any(|finding| finding.code == secrets::SECRET_IN_CONTENT.name) {
        meta.confirm.push("secret");
    }
}

/// Whether an operation could not be made, so that its object stays for another reason than its own.
fn is_without_effect(operation: &Compiled, world: &World<'_>) -> bool {
    match &operation.work {
        Work::Workflow { text, graph } => {
            text.as_ref().is_some_and(|text| text.failed) || graph.as_ref().is_some_and(|graph| !graph.is_usable)
        }
        Work::Step(step) => step.text.failed,
        Work::Asset(text) => text.failed || assets::fault(operation, world.before, &world.endings).is_some(),
        Work::Agent { .. } | Work::Delete => false,
    }
}

fn moved(base: Option<Revisions>, current: Revisions, findings: &mut Vec<SetFinding>) {
    let fields = base.into_iter().flat_map(Revisions::fields).zip(current.fields());
    for ((field, provided), (_, current)) in fields {
        let (Some(provided), Some(current)) = (provided, current) else { continue };
        if provided != current {
            let found = Diagnostic::of(&AI_REVISION_BASE_MISMATCH, args! { field, current, provided });
            let mut finding = SetFinding::new(Phase::Revision, Path::of("revisionBase").key(field), found);
            finding.moved = Some(Moved { field, provided, current, blocking: false });
            findings.push(finding);
        }
    }
}

fn normalized(session: &BuilderSession, envelope: Envelope, operations: &[Compiled]) -> Normalized {
    Normalized {
        schema_version: envelope.schema_version,
        target_type: session.target_type,
        mode: session.mode,
        impact: Impact::of(&envelope.impact, operations),
        operations: operations.iter().map(NormalOperation::of).collect(),
        revisions: envelope.revisions,
        extensions: envelope.extensions,
    }
}

fn verdict(mut findings: Vec<SetFinding>, meta: ChangeMeta, normalized: Option<Normalized>) -> SetVerdict {
    arrange(&mut findings);
    let (errors, warnings): (Vec<SetFinding>, Vec<SetFinding>) = findings.into_iter().partition(SetFinding::is_error);
    SetVerdict { valid: errors.is_empty(), schema_failed: normalized.is_none(), errors, warnings, meta, normalized }
}

/// The phase in which a rule of the documents speaks.
pub fn phase(code: &str) -> Phase {
    match code {
        "GRAPH_EDGE_DANGLING"
        | "GRAPH_ENTRY_NOT_FOUND"
        | "AGENT_NOT_FOUND"
        | "STEP_FILE_MISSING"
        | "STEP_FILE_UNUSED"
        | "WORKFLOW_CURRENT_NODE_UNKNOWN"
        | "WORKFLOW_STEP_UNKNOWN"
        | "ASSET_REF_UNRESOLVED" => Phase::Reference,
        "STEP_MOUNT_IN_CODE" => Phase::Security,
        _ => Phase::Bmad,
    }
}
