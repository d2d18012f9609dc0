//! Whether what an operation names is there, and whether something is left that names what goes (spec: crew-package.md
//! §9.3).

use holdpoint_check::{Code, Diagnostic, args, codes};

use super::compile::{Compiled, Work};
use super::finding::{Phase, SetFinding};
use super::input::{SessionMode, TargetType};
use super::operation::Object;
use super::path::Path;
use super::steps::STEP_NOT_FOUND;
use super::uses::Uses;
use super::world::World;

codes! {
    /// an operation on a workflow that is not there
    WORKFLOW_NOT_FOUND: Error, "Name a workflow of the package: there is no `{id}`." [id];
    /// a workflow that a set would delete
    AI_APPLY_UNSUPPORTED: Error, "Leave the workflow: workflows are deleted by hand.";
    /// an agent that nobody would follow
    AGENT_LAST: Error, "Keep one agent: a package has at least one.";
    AGENT_NOT_FOUND / NO_SUCH_AGENT: Error, "Name an agent of the package: there is no `{id}`." [id];
    AGENT_ID_DUPLICATE / AGENT_EXISTS: Error, "Choose another id: there is an agent `{id}`." [id];
    /// a new asset that is there already
    ASSET_EXISTS: Error, "Choose another path: `{file}` is there." [file];
    /// an asset that is not there
    ASSET_NOT_FOUND: Error, "Name an asset of the package: there is no `{file}`." [file];
    /// a deleted agent or step that something still names
    REFERENCE_BROKEN_BY_DELETE / AGENT_USED: Error, "Keep `{id}`, or change first what names it: {users}." [id, users];
    REFERENCE_BROKEN_BY_DELETE / NODE_STAYS: Error, "Keep the step, or take the node `{id}` out of the graph first." [id];
    /// a deleted asset that something still cites
    ASSET_STILL_REFERENCED: Warning, "Change what cites `{file}`: {users}." [file, users];
}

/// A workflow that is not there.
pub fn no_workflow(at: Path, id: u64) -> SetFinding {
    SetFinding::new(Phase::Reference, at, Diagnostic::of(&WORKFLOW_NOT_FOUND, args! { id }))
}

pub fn check(operation: &Compiled, world: &World<'_>, uses: &Uses, findings: &mut Vec<SetFinding>) {
    let at = |name: &str| operation.target_at().key(name);
    let mut reference = |at: Path, found: Diagnostic| findings.push(SetFinding::new(Phase::Reference, at, found));
    let is_delete = matches!(operation.work, Work::Delete);
    let there = world.before.has(&operation.target);
    let session = world.session;
    // What takes a set back brings its target back too.
    let is_own =
        |kind: TargetType, id: &str| !world.is_inverse && session.target_type == kind && session.target_id == id;
    let users = || {
        let users: Vec<String> = uses.by(&operation.target).map(|object| format!("`{object}`")).collect();
        users.join(", ")
    };
    match &operation.target {
        Object::Workflow(_) if is_delete => {
            let found = Diagnostic::of(&AI_APPLY_UNSUPPORTED, args! {});
            findings.push(SetFinding::new(Phase::Bmad, operation.at.key("op"), found));
        }
        Object::Workflow(id) if world.lacks_workflow(*id) => findings.push(no_workflow(at("workflowId"), *id)),
        Object::Step { workflow, node } if is_delete => {
            if !there {
                reference(at("nodeId"), Diagnostic::of(&STEP_NOT_FOUND, args! { node }));
            }
            if there && world.files(*workflow).is_some_and(|files| files.has(node)) {
                reference(at("nodeId"), Diagnostic::of(&NODE_STAYS, args! { id: node }));
            }
        }
        Object::Agent(id) => {
            let own = is_own(TargetType::Agent, id);
            if !there && (is_delete || own && session.mode == SessionMode::Optimize) {
                reference(at("agentId"), Diagnostic::of(&NO_SUCH_AGENT, args! { id }));
            }
            if there && !is_delete && own && session.mode == SessionMode::Create {
                reference(at("agentId"), Diagnostic::of(&AGENT_EXISTS, args! { id }));
            }
            if there && is_delete {
                if uses.by(&operation.target).next().is_some() {
                    reference(at("agentId"), Diagnostic::of(&AGENT_USED, args! { id, users: users() }));
                }
                if world.after.agents.is_empty() {
                    let found = Diagnostic::of(&AGENT_LAST, args! {});
                    findings.push(SetFinding::new(Phase::Bmad, at("agentId"), found));
                }
            }
        }
        Object::Asset(file) => {
            let own = is_own(TargetType::Asset, file);
            let edits = matches!(&operation.work, Work::Asset(text) if text.failed);
            let needed = is_delete || edits || own && session.mode == SessionMode::Optimize;
            let code: Option<&'static Code> = match there {
                false if needed => Some(&ASSET_NOT_FOUND),
                true if !is_delete && own && session.mode == SessionMode::Create => Some(&ASSET_EXISTS),
                _ => None,
            };
            if let Some(code) = code.filter(|_| super::assets::fault(operation, world.before, &world.endings).is_none())
            {
                reference(at("path"), Diagnostic::of(code, args! { file }));
            }
            if there && is_delete && uses.by(&operation.target).next().is_some() {
                reference(at("path"), Diagnostic::of(&ASSET_STILL_REFERENCED, args! { file, users: users() }));
            }
        }
        Object::Workflow(_) | Object::Step { .. } => {}
    }
}
