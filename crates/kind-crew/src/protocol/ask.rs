//! One turn of a session: its prompt, how its replies are read, how they go back (spec: ai-sessions.md §6.1, §7).
//!
//! Invariant: what a person reads of a reply is the summary alone; the texts of the change stand in the preview.

use holdpoint_check::json::canonical;
use holdpoint_tokens::Message;
use serde_json::{Value, json};

use super::message::UserMessage;
use super::{reply, summary};
use crate::dialect::envelope;
use crate::dialect::input::BuilderSession;
use crate::dialect::operation::{Object, Operation};
use crate::dialect::view::View;
use crate::facts::PackageFacts;
use crate::prompts::domain::DomainProfile;
use crate::prompts::history::Past;
use crate::prompts::turn::{composed, packed};
use crate::tools::{Names, Sight};
pub use holdpoint_kind::protocol::has_fixed_temperature;
use holdpoint_kind::protocol::{Ended, Feedback, ModelSetting, NoPrompt, Prompt, Reading, TurnRequest};

/// What a model hears of an answer that is of no use.
const REFUSED: &str = "Your answer was refused. Repair it and send the complete JSON object again.";
/// Temperature of models that take one.
const TEMPERATURE: f64 = 0.2;

/// A turn of a session, with the effective view that it began on.
#[derive(Debug)]
pub struct CrewTurn {
    pub names: Names,
    pub session: BuilderSession,
    /// The target as the session was made with it.
    pub target_id: Value,
    pub view: View,
    pub facts: PackageFacts,
    pub domain: DomainProfile,
    /// The conversation so far, oldest first.
    pub past: Vec<Past>,
    pub message: UserMessage,
    /// Whether the model takes no temperature.
    pub fixed_temperature: bool,
}

impl CrewTurn {
    fn sight(&self) -> Sight<'_> {
        Sight {
            names: &self.names,
            session: &self.session,
            target_id: &self.target_id,
            view: &self.view,
            facts: &self.facts,
            domain: &self.domain,
        }
    }

    /// The summary of a reply that brings a change.
    fn summary(&self, words: &str, change_set: &Value) -> String {
        let operations = envelope::read(change_set, &self.session).envelope.map(|envelope| envelope.operations);
        let operations = operations.unwrap_or_default();
        let objects: Vec<String> = operations.iter().map(|operation| operation.target.object()).collect();
        let mut payloads = Vec::new();
        texts(change_set, &mut payloads);
        // An edit brings the text around it too.
        payloads.extend(operations.iter().filter_map(|operation| self.text_of(operation)));
        summary::summary(words, &payloads, &objects)
    }

    fn text_of(&self, operation: &Operation) -> Option<&str> {
        match &operation.target {
            Object::Workflow(id) => self.view.workflows.get(id)?.document.as_deref(),
            Object::Step { workflow, node } => self.view.step(*workflow, node).map(|step| step.text.as_str()),
            Object::Agent(_) => None,
            Object::Asset(path) => self.view.assets.get(path).map(String::as_str),
        }
    }
}

impl TurnRequest for CrewTurn {
    fn message(&self) -> &str {
        &self.message.content
    }

    fn measures(&self, _: &ModelSetting) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn compose(&self, model: &ModelSetting, _: &[Message]) -> Result<Prompt, NoPrompt> {
        let sight = self.sight();
        let packed = packed(&sight, &self.message.exclude, Some(model.profile.window)).map_err(NoPrompt::Refused)?;
        let composed = composed(&sight, &packed, self.past.clone(), &self.message.content);
        let report = &packed.trimmed.trim_report;
        let facts = json!({
            "template_id": composed.template, "prompt_tokens": composed.tokens, "signature": composed.signature,
            "context_tokens": report.estimate_after, "trimmed": report.applied,
        });
        Ok(Prompt {
            messages: composed.messages,
            max_output: model.profile.max_output,
            temperature: (!self.fixed_temperature).then_some(TEMPERATURE),
            schema: None,
            notice: None,
            facts,
        })
    }

    fn read(&self, raw: &str, _: Option<&str>) -> Reading {
        let Reading::Said(mut content) = reply::reading(raw, self.session.target_type) else {
            return reply::reading(raw, self.session.target_type);
        };
        content.words = match &content.wire {
            Some(change_set) => self.summary(&content.words, change_set),
            None => summary::summary(&content.words, &[], &[]),
        };
        Reading::Said(content)
    }

    fn feedback(&self, _: &ModelSetting, _: &[Message], told: &[Value]) -> Option<Feedback> {
        Some(Feedback::Behind(format!("{REFUSED}\n{}", canonical(&json!({ "errors": told })))))
    }

    fn facts(&self, ended: &Ended) -> Value {
        json!({
            "code": ended.code, "iterations": ended.calls, "repairs": ended.attempt, "tools": ended.tools.len(),
            "findings": ended.findings.len(),
        })
    }

    fn meta(&self, tool: &str, data: Option<&Value>) -> Value {
        let own = |name: &str| data.and_then(|data| data.get(name)).filter(|value| value.is_number()).cloned();
        json!({
            "tool": tool, "sessionId": self.names.session, "userId": self.names.user, "projectId": self.names.project,
            "workflowId": own("workflowId").unwrap_or_else(|| json!(self.session.workflow_id)),
            "revision": own("revision").unwrap_or_else(|| json!(self.sight().revision())),
            "allowWrite": false,
        })
    }
}

/// Every text of a value.
fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        _ => {}
    }
}
