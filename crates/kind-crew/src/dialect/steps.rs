//! Rules of the steps that a change set writes (spec: crew-package.md §9.3).
//!
//! What a step file says is judged by the rules of the documents; here is where it belongs, and what the operation says
//! of it.

use holdpoint_check::{ApiError, Diagnostic, Severity, args, codes};

use super::compile::{Compiled, Provenance, StepWork, Work};
use super::finding::{Phase, SetFinding};
use super::input::{SessionMode, TargetType};
use super::operation::Object;
use super::references::NO_SUCH_AGENT;
use super::world::World;
use crate::documents::body::Section;
use crate::documents::markdown::{FileRole, Markdown};
use crate::documents::said;
use crate::policy::is_safe;
use crate::rules::{step, transitions};

codes! {
    /// a step whose node is not in the graph, or that is not there
    STEP_NOT_FOUND: Error, "Name a step of the workflow, or add its node to the graph: `{node}` is none." [node];
    /// a new step that the graph does not have yet
    STEP_NOT_IN_GRAPH: Warning, "Add the node `{node}` to the graph: until then the step waits for it." [node];
    /// a path that no step may have
    STEP_PATH_INVALID: Error, "Write a path under `{folder}` that ends with `.md`, or leave it out." [folder];
    /// a path that is not the one of the node
    STEP_PATH_MISMATCH: Error, "Write `{file}`, or leave the path out: a step stays where its node says." [file];
    STEP_PATH_MISMATCH / PATH_TAKEN: Error, "Choose another path: `{file}` belongs to another step." [file];
    STEP_AGENT_MISMATCH / AGENT_BESIDE: Warning, "Write the agent of the document, `{agent}`, or leave it out: the document counts." [agent];
}

/// Whether a step may lie there.
pub fn is_step_path(path: &str, workflow: u64) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-/".contains(&byte);
    let inside = path.strip_prefix(&format!("workflows/{workflow}/steps/"));
    is_safe(path)
        && inside.is_some_and(|name| name.len() > ".md".len() && name.ends_with(".md"))
        && path.bytes().all(plain)
}

/// Looks at one step that is written.
pub fn check(operation: &Compiled, world: &World<'_>, findings: &mut Vec<SetFinding>) -> Result<(), ApiError> {
    let (Object::Step { workflow, node }, Work::Step(step)) = (&operation.target, &operation.work) else {
        return Ok(());
    };
    belongs(*workflow, node, step, world, findings);
    path(*workflow, node, step, world, findings);
    if step.text.failed && world.before.step(*workflow, node).is_none() {
        return Ok(());
    }
    let markdown = Markdown::read(&step.text.text, FileRole::Step)?;
    let graph = world.graph(*workflow);
    let place = graph.and_then(|graph| graph.place(node));
    let agent = markdown.usable().ok().map(|head| said(&head.value, "agentId"));
    let beside = step.agent.as_deref().map(str::trim).filter(|agent| !agent.is_empty());
    let mut found = step::check(&markdown, graph.zip(place), &world.scope());
    if let (None, Ok(head)) = (place, markdown.usable())
        && head.value.get("nodeId").is_some_and(|id| id != node)
    {
        let finding = Diagnostic::of(&transitions::STEP_NODE_ID_MISMATCH, args! { wanted: node });
        found.push(finding.at_pointer("/nodeId").at(head.range("/nodeId")));
    }
    for finding in found {
        let at = match finding.code.as_ref() {
            // The node that the file was made from has the finding.
            "AGENT_NOT_FOUND" if operation.source == Provenance::Generated => continue,
            "AGENT_NOT_FOUND" if beside.is_some() && agent == Some(beside) => &step.places.agent,
            _ => &step.text.at,
        };
        let finding = weighed(finding).in_file(&step.path);
        findings.push(SetFinding::new(super::check::phase(&finding.code), at.clone(), finding));
    }
    if let (Some(agent), Some(named)) = (agent.filter(|agent| *agent != beside), beside) {
        let agent = agent.unwrap_or_default();
        let finding = Diagnostic::of(&AGENT_BESIDE, args! { agent }).in_file(&step.path);
        findings.push(SetFinding::new(Phase::Bmad, step.places.agent.clone(), finding));
        if world.after.agent(named).is_none() {
            let finding = Diagnostic::of(&NO_SUCH_AGENT, args! { id: named }).in_file(&step.path);
            findings.push(SetFinding::new(Phase::Reference, step.places.agent.clone(), finding));
        }
    }
    Ok(())
}

/// A step without a goal or instructions is not what somebody asked for.
fn weighed(finding: Diagnostic) -> Diagnostic {
    let named = finding.args.get("name").and_then(serde_json::Value::as_str);
    let needed = [Section::Goal, Section::Instructions].into_iter().any(|section| named == Some(section.name()));
    if finding.code == "STEP_EMPTY_SECTION" && needed { finding.weighed(Severity::Error) } else { finding }
}

/// Whether workflow and node are there.
fn belongs(workflow: u64, node: &str, step: &StepWork, world: &World<'_>, findings: &mut Vec<SetFinding>) {
    if world.lacks_workflow(workflow) {
        findings.push(super::references::no_workflow(step.places.workflow.clone(), workflow));
        return;
    }
    let session = world.session;
    let is_new = session.mode == SessionMode::Create
        && session.target_type == TargetType::Step
        && session.workflow_id == Some(workflow)
        && session.target_id == node;
    let lacks_step = step.text.failed && world.before.step(workflow, node).is_none();
    let in_graph = world.files(workflow).is_some_and(|files| files.has(node));
    let code = match (in_graph, lacks_step) {
        (true, false) => return,
        (false, false) if is_new => &STEP_NOT_IN_GRAPH,
        _ => &STEP_NOT_FOUND,
    };
    let finding = Diagnostic::of(code, args! { node });
    findings.push(SetFinding::new(Phase::Reference, step.places.node.clone(), finding));
}

/// Whether it may lie where it shall.
fn path(workflow: u64, node: &str, step: &StepWork, world: &World<'_>, findings: &mut Vec<SetFinding>) {
    let files = world.files(workflow);
    let file = files.and_then(|files| files.file(node));
    let sent = step.sent_path.as_deref();
    let (phase, finding) = match (sent, file) {
        (Some(sent), Some(file)) if sent == file => return,
        (Some(sent), _) if !is_step_path(sent, workflow) => {
            let folder = format!("workflows/{workflow}/steps/");
            (Phase::Security, Diagnostic::of(&STEP_PATH_INVALID, args! { folder }))
        }
        (Some(_), Some(file)) => (Phase::Reference, Diagnostic::of(&STEP_PATH_MISMATCH, args! { file })),
        (_, Some(_)) => return,
        (_, None) => {
            let other = files.and_then(|files| files.node(&step.path)).is_some_and(|owner| owner != node);
            // Where letters have no case the later file would take the place of the other.
            let is_other = |path: &str| path.eq_ignore_ascii_case(&step.path);
            let stored = || {
                let own = (workflow, node.to_owned());
                world.after.steps.iter().any(|(key, it)| *key != own && is_other(&it.path))
            };
            if !other && !stored() {
                return;
            }
            (Phase::Reference, Diagnostic::of(&PATH_TAKEN, args! { file: step.path }))
        }
    };
    let at = if sent.is_some() { &step.places.path } else { &step.places.node };
    findings.push(SetFinding::new(phase, at.clone(), finding));
}
