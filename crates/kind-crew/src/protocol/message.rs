//! A message as a person sends it: the words, and what an editor has open of the target (spec: ai-sessions.md §3 "Context
//! in messages").
//!
//! Invariants: the target is the session's alone, whatever a message says; the text of an editor is read only where the
//! effective view has none.

use holdpoint_check::{ApiError, Code, args};
use serde_json::{Map, Value};

use super::codes::{
    AI_TARGET_CONTEXT_MISMATCH, AI_TARGET_CONTEXT_REQUIRED, CLIENT_ID, CONTENT_LONG, CONTEXT_OBJECT, EXCLUDED,
    NO_CONTENT,
};
use crate::dialect::assets::tidy;
use crate::dialect::input::{BuilderSession, SessionMode, TargetType};
use crate::dialect::view::{StepObject, View, WorkflowObject, nodes};

/// It counts the characters of a message.
pub const MAX_CONTENT: usize = 100_000;
/// Characters of a page's own name for a message.
pub const MAX_CLIENT_ID: usize = 64;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserMessage {
    pub content: String,
    /// The page's own name for it.
    pub client_id: Option<String>,
    /// Keys of objects that the context leaves out.
    pub exclude: Vec<String>,
    /// Members of the context of the session's type, by their names.
    context: Vec<(&'static str, Map<String, Value>)>,
}

/// Of a type: the members of a message that speak of it.
fn members(target: TargetType) -> &'static [&'static str] {
    match target {
        TargetType::Workflow => &["workflowContext"],
        TargetType::Step => &["stepNode", "stepContext"],
        TargetType::Agent => &["agentContext"],
        TargetType::Asset => &["assetContext"],
    }
}

/// Members that name what a context is of.
fn naming(target: TargetType) -> &'static [&'static str] {
    match target {
        TargetType::Workflow => &["id", "workflowId", "targetId"],
        TargetType::Step => &["id", "nodeId", "targetId", "workflowId"],
        TargetType::Agent => &["id", "agentId", "targetId"],
        TargetType::Asset => &["path", "id", "targetId"],
    }
}

impl UserMessage {
    /// The message that a session begins with.
    pub fn first(content: &str, mode: SessionMode) -> Result<Self, ApiError> {
        Ok(Self { content: content_of(content, mode, "/userPrompt")?, ..Self::default() })
    }

    /// Reads a body for a session. Contexts of other types are not looked at.
    pub fn read(body: &Value, session: &BuilderSession) -> Result<Self, ApiError> {
        let content = match body.get("content").filter(|content| !content.is_null()) {
            None => "",
            Some(Value::String(content)) => content.as_str(),
            Some(_) => return Err(ApiError::at("/content", &NO_CONTENT, args! {})),
        };
        let content = content_of(content, session.mode, "/content")?;
        let client_id = match body.get("clientMessageId").filter(|id| !id.is_null()) {
            None => None,
            Some(Value::String(id)) if (1..=MAX_CLIENT_ID).contains(&id.chars().count()) => Some(id.clone()),
            Some(_) => return Err(wrong("/clientMessageId", &CLIENT_ID, MAX_CLIENT_ID)),
        };
        let exclude = match body.get("exclude").filter(|list| !list.is_null()) {
            None => Vec::new(),
            Some(list) => {
                let keys = list.as_array().map(|items| items.iter().map(|item| item.as_str().map(str::to_owned)));
                let keys = keys.and_then(Iterator::collect::<Option<Vec<String>>>);
                keys.ok_or_else(|| ApiError::at("/exclude", &EXCLUDED, args! {}))?
            }
        };
        let mut context = Vec::new();
        for name in members(session.target_type) {
            match body.get(*name).filter(|value| !value.is_null()) {
                None => {}
                Some(Value::Object(members)) => context.push((*name, members.clone())),
                Some(_) => return Err(ApiError::at(format!("/{name}"), &CONTEXT_OBJECT, args! {})),
            }
        }
        Ok(Self { content, client_id, exclude, context })
    }

    /// Puts what the editor has of the target into a view that has no text of it. The error: the context is of something
    /// else, or there is none and one is needed.
    pub fn complete(&self, session: &BuilderSession, view: &mut View) -> Result<(), ApiError> {
        for (_, members) in &self.context {
            belongs(members, session)?;
        }
        if has_text(session, view) {
            return Ok(());
        }
        let found = self.context.iter().any(|(_, members)| put(members, session, view));
        if !found && session.mode == SessionMode::Optimize {
            let target = session.target_id.as_str();
            return Err(of_target(session, ApiError::of(&AI_TARGET_CONTEXT_REQUIRED, args! { target }), "content"));
        }
        Ok(())
    }
}

fn content_of(content: &str, mode: SessionMode, pointer: &str) -> Result<String, ApiError> {
    if content.chars().nth(MAX_CONTENT).is_some() {
        return Err(wrong(pointer, &CONTENT_LONG, MAX_CONTENT));
    }
    // To better something needs no words: the prompt has some.
    if content.trim().is_empty() && mode == SessionMode::Create {
        return Err(ApiError::at(pointer, &NO_CONTENT, args! {}));
    }
    Ok(content.to_owned())
}

fn wrong(pointer: &str, code: &'static Code, limit: usize) -> ApiError {
    ApiError::at(pointer, code, args! { limit })
}

fn of_target(session: &BuilderSession, error: ApiError, field: &str) -> ApiError {
    let error = error.status(400).with("targetType", session.target_type.name());
    error.with("targetId", session.target_id.as_str()).with("field", field)
}

fn belongs(members: &Map<String, Value>, session: &BuilderSession) -> Result<(), ApiError> {
    for field in naming(session.target_type) {
        let named = match members.get(*field) {
            None | Some(Value::Null) => continue,
            Some(Value::String(text)) if session.target_type == TargetType::Asset => tidy(text),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let own = match (*field, session.workflow_id) {
            ("workflowId", Some(workflow)) => workflow.to_string(),
            _ => session.target_id.clone(),
        };
        if named != own {
            let target = session.target_id.as_str();
            let error = ApiError::of(&AI_TARGET_CONTEXT_MISMATCH, args! { target, field });
            return Err(of_target(session, error, field));
        }
    }
    Ok(())
}

fn has_text(session: &BuilderSession, view: &View) -> bool {
    let id = session.target_id.as_str();
    match (session.target_type, session.workflow_id) {
        (TargetType::Workflow, Some(workflow)) => {
            view.workflows.get(&workflow).is_some_and(|workflow| workflow.document.is_some())
        }
        (TargetType::Step, Some(workflow)) => view.step(workflow, id).is_some(),
        (TargetType::Agent, _) => view.agent(id).is_some(),
        (TargetType::Asset, _) => view.assets.contains_key(id),
        (TargetType::Workflow | TargetType::Step, None) => false,
    }
}

/// Puts the text of a context into the view; `false`: it has none.
fn put(members: &Map<String, Value>, session: &BuilderSession, view: &mut View) -> bool {
    let text = |names: &[&str]| {
        let found = names.iter().find_map(|name| members.get(*name).and_then(Value::as_str));
        found.filter(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    let id = session.target_id.clone();
    match (session.target_type, session.workflow_id) {
        (TargetType::Workflow, Some(workflow)) => {
            let Some(document) = text(&["document", "workflowMarkdown", "markdown"]) else { return false };
            let graph = members.get("graph").filter(|graph| graph.is_object()).cloned();
            let known: &mut WorkflowObject = view.workflows.entry(workflow).or_default();
            known.document = Some(document);
            known.graph = graph.unwrap_or_else(|| known.graph.take());
            true
        }
        (TargetType::Step, Some(workflow)) => {
            let Some(text) = text(&["markdown", "stepMarkdown"]).or_else(|| drafted(members)) else { return false };
            let file = nodes(view.graph(workflow)).find(|(node, _)| *node == id);
            let file = file.and_then(|(_, node)| node.get("file")?.as_str()).filter(|file| !file.is_empty());
            let path = file.map_or_else(|| format!("workflows/{workflow}/steps/{id}.md"), str::to_owned);
            view.steps.insert((workflow, id), StepObject { path, text });
            true
        }
        (TargetType::Agent, _) => {
            let agent = members.get("agent").and_then(Value::as_object).unwrap_or(members);
            let says = agent
                .iter()
                .any(|(name, value)| !matches!(name.as_str(), "id" | "agentId" | "targetId") && !value.is_null());
            if says {
                let mut agent = agent.clone();
                agent.insert("id".to_owned(), id.into());
                view.agents.push(agent);
            }
            says
        }
        (TargetType::Asset, _) => text(&["content"]).map(|text| view.assets.insert(id, text)).is_some(),
        (TargetType::Workflow | TargetType::Step, None) => false,
    }
}

/// A step file of what an editor knows of a node that has none.
fn drafted(members: &Map<String, Value>) -> Option<String> {
    let text = |name: &str| members.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let sections: Vec<String> = [("Goal", "goal"), ("Instructions", "instructions"), ("Completion", "completion")]
        .into_iter()
        .filter_map(|(title, name)| text(name).map(|words| format!("\n## {title}\n\n{words}\n")))
        .collect();
    if sections.is_empty() {
        return None;
    }
    let mut head = String::from("---\nschemaVersion: \"1.1\"\n");
    let node = text("id").or_else(|| text("nodeId"));
    for (name, value) in [("nodeId", node.map(Value::from)), ("type", text("type").map(Value::from))] {
        if let Some(value) = value {
            head += &format!("{name}: {value}\n");
        }
    }
    for name in ["title", "agentId", "inputs", "outputs", "setsVariables"] {
        if let Some(value) = members.get(name).filter(|value| !value.is_null()) {
            head += &format!("{name}: {value}\n");
        }
    }
    let title = text("title").or(node).unwrap_or("Step");
    Some(format!("{head}---\n\n# {title}\n{}", sections.concat()))
}
