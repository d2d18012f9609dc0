//! What a new session is about (spec: ai-sessions.md §3 "Creating").
//!
//! Invariants: the first wrong member of the body is named; a target that has to be there is there.

use holdpoint_check::error::{ALLOWED, SHAPE};
use holdpoint_check::{ApiError, Code, args};
use serde_json::{Value, json};

use super::super::dialect::assets::tidy;
use super::super::dialect::input::{BuilderSession, SessionMode, TargetType};
use super::super::dialect::reader::is_identifier;
use super::super::dialect::view::{View, nodes};
use super::super::limits::MAX_WORKFLOW_ID;
use super::super::policy::is_asset_path;
use super::super::prompts::build::AI_CONTEXT_BUILD_ERROR;
use super::codes::{AI_TARGET_NOT_SUPPORTED, NEEDS_TARGET, NEEDS_TEXT, NEEDS_WORKFLOW, OWN_NUMBER};

/// A session about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub session: BuilderSession,
    /// Its workflow is not there yet.
    pub waits: bool,
    /// The words of its first turn.
    pub user_prompt: Option<String>,
}

impl Opening {
    /// Reads a body. `next` is the number that a new workflow would get.
    pub fn read(body: &Value, view: &View, next: u64) -> Result<Self, ApiError> {
        let target_type = text(body, "targetType")?.ok_or_else(|| at("/targetType", &NEEDS_TEXT))?;
        let Some(target_type) = TargetType::parse(target_type) else {
            return Err(ApiError::of(&AI_TARGET_NOT_SUPPORTED, args! { type: target_type }).status(400));
        };
        let mode = match text(body, "mode")? {
            Some("create") => SessionMode::Create,
            Some("optimize") => SessionMode::Optimize,
            _ => return Err(ApiError::at("/mode", &ALLOWED, args! { allowed: "`create`, `optimize`" })),
        };
        let workflow = number(body, "workflowId")?;
        let target = text(body, "targetId")?.map(str::trim).filter(|id| !id.is_empty());
        let user_prompt = text(body, "userPrompt")?.filter(|words| !words.trim().is_empty()).map(str::to_owned);
        let create = mode == SessionMode::Create;
        let workflow_id = match (target_type, workflow) {
            (TargetType::Workflow, None) if create && target.is_none() => Some(next),
            (TargetType::Workflow | TargetType::Step, None) => return Err(at("/workflowId", &NEEDS_WORKFLOW)),
            (_, workflow) => workflow,
        };
        let target_id = match (target_type, target, workflow_id) {
            (TargetType::Workflow, Some(id), Some(own)) if id != own.to_string() => {
                return Err(ApiError::at("/targetId", &OWN_NUMBER, args! { id: own }));
            }
            (TargetType::Workflow, _, Some(own)) => own.to_string(),
            (TargetType::Asset, Some(path), _) => tidy(path),
            (_, Some(id), _) => id.to_owned(),
            (_, None, _) => return Err(at("/targetId", &NEEDS_TARGET)),
        };
        let fits = match target_type {
            TargetType::Step | TargetType::Agent => is_identifier(&target_id),
            TargetType::Asset => is_asset_path(&target_id),
            TargetType::Workflow => true,
        };
        let session = BuilderSession { target_type, target_id, mode, workflow_id };
        if !fits && create {
            return Err(at("/targetId", &NEEDS_TARGET));
        }
        let waits = workflow_id.is_some_and(|id| !view.workflows.contains_key(&id));
        let own = create && target_type == TargetType::Workflow;
        if waits && !own {
            return Err(absent(&session, &json!({"type": "workflow", "id": workflow_id})));
        }
        if !create && !is_there(&session, view) {
            let locator = json!({
                "type": target_type, "id": session.target_id, "workflowId": workflow_id,
            });
            return Err(absent(&session, &locator));
        }
        Ok(Self { session, waits, user_prompt })
    }
}

/// Whether the target is stored. A step is there as soon as it is a node.
fn is_there(session: &BuilderSession, view: &View) -> bool {
    let id = session.target_id.as_str();
    match (session.target_type, session.workflow_id) {
        (TargetType::Workflow, Some(workflow)) => view.workflows.contains_key(&workflow),
        (TargetType::Step, Some(workflow)) => {
            view.step(workflow, id).is_some() || nodes(view.graph(workflow)).any(|(node, _)| node == id)
        }
        (TargetType::Agent, _) => view.agent(id).is_some(),
        (TargetType::Asset, _) => view.assets.contains_key(id),
        (TargetType::Workflow | TargetType::Step, None) => false,
    }
}

fn absent(session: &BuilderSession, locator: &Value) -> ApiError {
    let error = ApiError::of(&AI_CONTEXT_BUILD_ERROR, args! { id: session.target_id });
    error.status(404).with("locator", locator.clone())
}

fn at(pointer: &str, code: &'static Code) -> ApiError {
    ApiError::at(pointer, code, args! {})
}

/// A member that is a text, absent or null.
pub fn text<'b>(body: &'b Value, name: &str) -> Result<Option<&'b str>, ApiError> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(at(&format!("/{name}"), &NEEDS_TEXT)),
    }
}

fn number(body: &Value, name: &str) -> Result<Option<u64>, ApiError> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => {
            let number = value.as_u64().filter(|number| (1..=MAX_WORKFLOW_ID).contains(number));
            number.map(Some).ok_or_else(|| at(&format!("/{name}"), &NEEDS_WORKFLOW))
        }
    }
}

/// A body that is no object.
pub fn object(body: &Value) -> Result<(), ApiError> {
    if body.is_object() { Ok(()) } else { Err(ApiError::at("", &SHAPE, args! { cause: "expected an object" })) }
}

#[cfg(test)]
mod tests {
    use super::super::super::dialect::view::{StepObject, WorkflowObject};
    use super::*;

    fn view() -> View {
        let graph = json!({"nodes": [{"id": "a", "file": "workflows/1/steps/a.md"}]});
        let mut view = View::default();
        view.workflows.insert(1, WorkflowObject { document: None, graph });
        let step = StepObject { path: "workflows/1/steps/b.md".to_owned(), text: String::new() };
        view.steps.insert((1, "b".to_owned()), step);
        view.agents.push(json!({"id": "clerk"}).as_object().unwrap().clone());
        view.assets.insert("assets/a.md".to_owned(), String::new());
        view
    }

    fn said(body: &Value) -> String {
        match Opening::read(body, &view(), 7) {
            Ok(Opening { session, waits, .. }) => {
                let workflow = session.workflow_id.map_or("-".to_owned(), |id| id.to_string());
                format!("{} {workflow}{}", session.target_id, if waits { " waits" } else { "" })
            }
            Err(error) => {
                let details = error.details;
                let place = details.get("pointer").or_else(|| details.get("locator")).cloned().unwrap_or_default();
                format!("{} {} {place}", error.status, error.code)
            }
        }
    }

    #[test]
    fn every_target_in_both_modes() {
        let cases = [
            (json!({"targetType": "workflow", "mode": "create"}), "7 7 waits"),
            (json!({"targetType": "workflow", "mode": "create", "workflowId": 9, "targetId": "9"}), "9 9 waits"),
            (json!({"targetType": "workflow", "mode": "optimize", "workflowId": 1}), "1 1"),
            (json!({"targetType": "step", "mode": "create", "workflowId": 1, "targetId": "new"}), "new 1"),
            (json!({"targetType": "step", "mode": "optimize", "workflowId": 1, "targetId": "a"}), "a 1"),
            (json!({"targetType": "step", "mode": "optimize", "workflowId": 1, "targetId": "b"}), "b 1"),
            (json!({"targetType": "agent", "mode": "create", "targetId": "new"}), "new -"),
            (json!({"targetType": "agent", "mode": "optimize", "targetId": " clerk "}), "clerk -"),
            (json!({"targetType": "asset", "mode": "create", "targetId": "./assets/new.md"}), "assets/new.md -"),
            (
                json!({"targetType": "asset", "mode": "optimize", "targetId": "assets/a.md", "workflowId": null}),
                "assets/a.md -",
            ),
        ];
        for (body, want) in cases {
            assert_eq!(said(&body), want, "{body}");
        }
    }

    #[test]
    fn the_first_wrong_member_is_named() {
        let cases = [
            (json!({}), "422 INVALID_INPUT \"/targetType\""),
            (json!({"targetType": 1}), "422 INVALID_INPUT \"/targetType\""),
            (json!({"targetType": "tool"}), "400 AI_TARGET_NOT_SUPPORTED null"),
            (json!({"targetType": "agent", "mode": "better"}), "422 INVALID_INPUT \"/mode\""),
            (json!({"targetType": "agent", "mode": true}), "422 INVALID_INPUT \"/mode\""),
            (json!({"targetType": "agent", "mode": "create"}), "422 INVALID_INPUT \"/targetId\""),
            (json!({"targetType": "agent", "mode": "create", "targetId": "a b"}), "422 INVALID_INPUT \"/targetId\""),
            (json!({"targetType": "asset", "mode": "create", "targetId": "a.md"}), "422 INVALID_INPUT \"/targetId\""),
            (json!({"targetType": "step", "mode": "create", "targetId": "a"}), "422 INVALID_INPUT \"/workflowId\""),
            (json!({"targetType": "workflow", "mode": "optimize"}), "422 INVALID_INPUT \"/workflowId\""),
            (json!({"targetType": "workflow", "mode": "create", "targetId": "3"}), "422 INVALID_INPUT \"/workflowId\""),
            (
                json!({"targetType": "workflow", "mode": "optimize", "workflowId": 1, "targetId": "2"}),
                "422 INVALID_INPUT \"/targetId\"",
            ),
            (
                json!({"targetType": "agent", "mode": "create", "targetId": "a", "userPrompt": 1}),
                "422 INVALID_INPUT \"/userPrompt\"",
            ),
        ];
        for (body, want) in cases {
            assert_eq!(said(&body), want, "{body}");
        }
        for wrong in [json!("1"), json!(0), json!(1.5), json!(true), json!(u64::MAX), json!(MAX_WORKFLOW_ID + 1)] {
            let body = json!({"targetType": "workflow", "mode": "optimize", "workflowId": wrong});
            assert_eq!(said(&body), "422 INVALID_INPUT \"/workflowId\"", "{body}");
        }
    }

    #[test]
    fn what_is_not_there_is_said_with_its_place() {
        let absent = [
            json!({"targetType": "workflow", "mode": "optimize", "workflowId": 2}),
            json!({"targetType": "step", "mode": "create", "workflowId": 2, "targetId": "a"}),
            json!({"targetType": "step", "mode": "optimize", "workflowId": 1, "targetId": "z"}),
            json!({"targetType": "agent", "mode": "optimize", "targetId": "nobody"}),
            json!({"targetType": "asset", "mode": "optimize", "targetId": "assets/none.md"}),
            json!({"targetType": "agent", "mode": "optimize", "targetId": "clerk", "workflowId": 2}),
        ];
        for body in absent {
            assert!(said(&body).starts_with("404 AI_CONTEXT_BUILD_ERROR {"), "{body}: {}", said(&body));
        }
    }
}
