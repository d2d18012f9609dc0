//! What a session may change (spec: crew-package.md §9.5).
//!
//! Invariant: it is asked what is applied, not what was sent: a step file of a payload is an operation on its step.

use std::collections::BTreeSet;

use holdpoint_check::{Diagnostic, args, codes};

use super::compile::{Compiled, Provenance, Work};
use super::finding::{Phase, SetFinding};
use super::impact::tidy_object;
use super::input::{BuilderSession, SessionMode, TargetType};
use super::operation::Object;
use super::view::View;

codes! {
    /// an object that the session may not change
    IMPACT_SCOPE_VIOLATION: Error, "Leave `{object}` as it is: this session is about `{session}`." [object, session];
    /// an object that `impact.objects` does not name
    IMPACT_UNDECLARED_OBJECT: Error, "Name `{object}` in `impact.objects`, or leave it as it is." [object];
}

pub fn check(
    session: &BuilderSession,
    declared: Option<&[String]>,
    operations: &[Compiled],
    before: &View,
    findings: &mut Vec<SetFinding>,
) {
    let declared: Option<BTreeSet<String>> =
        declared.map(|objects| objects.iter().map(|object| tidy_object(object)).collect());
    let mut scope = Scope { session, before, moves: moves(session, operations), moved: false };
    for operation in operations.iter().filter(|operation| operation.source != Provenance::Generated) {
        let is_delete = matches!(operation.work, Work::Delete);
        if is_delete && operation.target.kind() == TargetType::Workflow {
            continue;
        }
        let object = operation.target.object();
        if !scope.allows(&operation.target, is_delete) {
            let session = format!("{}:{}", session.target_type.name(), session.target_id);
            let found = Diagnostic::of(&IMPACT_SCOPE_VIOLATION, args! { object, session });
            findings.push(SetFinding::new(Phase::Impact, operation.target_at(), found));
        }
        let sent = operation.source == Provenance::Sent;
        if sent && declared.as_ref().is_some_and(|declared| !declared.contains(&object)) {
            let found = Diagnostic::of(&IMPACT_UNDECLARED_OBJECT, args! { object });
            findings.push(SetFinding::new(Phase::Impact, operation.target_at(), found));
        }
    }
}

/// Whether the asset of an optimize session goes, so that one other may come.
fn moves(session: &BuilderSession, operations: &[Compiled]) -> bool {
    let own = Object::Asset(session.target_id.clone());
    session.target_type == TargetType::Asset
        && session.mode == SessionMode::Optimize
        && operations.iter().any(|operation| operation.target == own && matches!(operation.work, Work::Delete))
}

struct Scope<'s> {
    session: &'s BuilderSession,
    before: &'s View,
    moves: bool,
    moved: bool,
}

impl Scope<'_> {
    fn allows(&mut self, target: &Object, is_delete: bool) -> bool {
        let session = self.session;
        let optimize = session.mode == SessionMode::Optimize;
        match (session.target_type, target) {
            (TargetType::Step | TargetType::Workflow, Object::Asset(_)) => true,
            (TargetType::Step, Object::Step { workflow, node }) => {
                !is_delete && session.workflow_id == Some(*workflow) && *node == session.target_id
            }
            (TargetType::Workflow, Object::Workflow(id) | Object::Step { workflow: id, .. }) => {
                session.workflow_id == Some(*id)
            }
            (TargetType::Workflow, Object::Agent(_)) => !is_delete && !self.before.has(target),
            (TargetType::Agent, Object::Agent(id)) => *id == session.target_id && (!is_delete || optimize),
            (TargetType::Asset, Object::Asset(path)) if *path == session.target_id => !is_delete || optimize,
            (TargetType::Asset, Object::Asset(_)) => {
                let free = self.moves && !self.moved && !is_delete && !self.before.has(target);
                self.moved |= free;
                free
            }
            _ => false,
        }
    }
}
