//! One run: its prompt, how its replies are read, what it leaves (spec: app-builder.md §10).

use std::cell::RefCell;
use std::rc::Rc;

use holdpoint_bundle::Files;
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, args};
use holdpoint_kind::protocol::{
    Content, Ended, Feedback, Finding, MeantCall, Message, ModelSetting, NoPrompt, Prompt, Reading, TurnRequest,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::MODEL_CALL_OUTPUT_TOKENS;
use super::ask::{ChatBody, ChatMode};
use super::codes::MODEL_OUTPUT_INVALID;
use crate::options::{DEFAULT_ENTRY, RawOptions};
use crate::prompts::{AppSetting, PastTurn, PromptRequest, compose};
use crate::tools::{ASK, PROPOSAL_REFUSED, PROPOSE, ProjectFiles, Proposal, STAGE, Scratch, Verified};

/// Temperature of models that take one.
const TEMPERATURE: f64 = 0.2;
/// Characters of the summary of a proposal that was made in words.
const SUMMARY_CHARS: usize = 600;

/// A run, with the tree that it works on: whoever runs its tools holds the same one.
#[derive(Debug)]
pub struct AppTurn {
    pub body: ChatBody,
    pub scratch: Rc<RefCell<Scratch>>,
    pub app: AppSetting,
    /// The thread so far, oldest first.
    pub past: Vec<PastTurn>,
    /// Files that were changed lately, the newest first.
    pub recent: Vec<String>,
    /// A difference that is asked about.
    pub about: Option<String>,
    /// Whether the model may call tools; else it says all in one answer.
    pub loops: bool,
    /// Whether the model takes no temperature.
    pub fixed_temperature: bool,
}

/// What a run keeps of its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunNotes {
    #[default]
    Answered,
    Asked {
        question: String,
        #[serde(default)]
        options: Vec<String>,
    },
    Proposed {
        #[serde(flatten)]
        proposal: Box<Proposal>,
    },
}

impl RunNotes {
    pub fn of(content: &Content) -> Self {
        Self::deserialize(&content.notes).unwrap_or_default()
    }

    /// The word for how the run ended.
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Asked { .. } => "needs_input",
            Self::Proposed { proposal } if is_verified(proposal.verified) => "succeeded",
            Self::Proposed { .. } => "unverified",
        }
    }
}

fn is_verified(verified: Verified) -> bool {
    verified.is_built()
}

/// The project of a request that brings it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ProjectBody {
    files: Files,
    entry_file: Option<String>,
    options: RawOptions,
}

/// What one object instead of calls says.
#[derive(Debug, Deserialize)]
struct WholeAnswer {
    operations: Vec<Value>,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    rationale: String,
    #[serde(default)]
    assumptions: Vec<String>,
}

impl AppTurn {
    pub(super) fn read(body: &Value) -> Result<Self, ApiError> {
        let asked = ChatBody::read(body)?;
        let ProjectBody { files, entry_file, options } = read(body.clone())?;
        let draft = ProjectFiles { files, entry: entry_file.unwrap_or_else(|| DEFAULT_ENTRY.to_owned()) };
        options.resolve()?;
        Ok(Self {
            body: asked,
            scratch: Rc::new(RefCell::new(Scratch::new(draft, None, options))),
            app: AppSetting::default(),
            past: Vec::new(),
            recent: Vec::new(),
            about: None,
            loops: true,
            fixed_temperature: false,
        })
    }

    fn edits(&self) -> bool {
        self.body.mode() == ChatMode::Edit
    }
}

impl TurnRequest for AppTurn {
    fn message(&self) -> &str {
        &self.body.input
    }

    fn measures(&self, _: &ModelSetting) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn compose(&self, model: &ModelSetting, _: &[Message]) -> Result<Prompt, NoPrompt> {
        let request = PromptRequest {
            mode: self.body.mode(),
            loops: self.loops,
            app: &self.app,
            scratch: &self.scratch.borrow(),
            past: &self.past,
            recent: &self.recent,
            about: self.about.as_deref(),
            message: &self.body.input,
        };
        let composed = compose(&request, model.profile).map_err(NoPrompt::Refused)?;
        Ok(Prompt {
            messages: composed.messages,
            max_output: model.profile.max_output.min(MODEL_CALL_OUTPUT_TOKENS),
            temperature: (!self.fixed_temperature).then_some(TEMPERATURE),
            schema: None,
            notice: None,
            facts: composed.facts,
        })
    }

    /// Words with open changes hand them in; one object is what a model without tools says instead of calling them.
    fn read(&self, reply: &str, _: Option<&str>) -> Reading {
        let text = reply.trim();
        if self.edits() && text.starts_with(['{', '`']) {
            match whole_answer(text) {
                Some(calls) => return Reading::Calls(calls),
                None if text.starts_with('{') => return unread(text),
                None => {}
            }
        }
        if text.is_empty() {
            return unread(text);
        }
        if self.edits() && self.scratch.borrow().has_changes() {
            let summary: String = text.chars().take(SUMMARY_CHARS).collect();
            return Reading::Calls(vec![MeantCall { name: PROPOSE, arguments: json!({ "summary": summary }) }]);
        }
        Reading::Said(Content { words: text.to_owned(), wire: None, notes: json!(RunNotes::Answered) })
    }

    fn refused(&self, tool: &str, error: &ApiError) -> Vec<Finding> {
        if tool != PROPOSE || error.code != PROPOSAL_REFUSED {
            return Vec::new();
        }
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let found = error.details.get("diagnostics").and_then(Value::as_array).into_iter().flatten();
        let found = found.filter(|one| one.get("severity").and_then(Value::as_str) != Some("warning"));
        let finding = |one: &Value| Finding {
            key: (text(one, "code"), text(one, "path"), text(one, "message")),
            told: one.clone(),
        };
        let mut all: Vec<Finding> = found.map(finding).collect();
        if all.is_empty() {
            let gate = error.details.get("gate").and_then(Value::as_str).unwrap_or_default();
            all.push(Finding { key: (error.code.clone(), gate.to_owned(), error.message.clone()), told: json!(error) });
        }
        all
    }

    fn concluded(&self, tool: &str, data: &Value) -> Content {
        let member = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (words, notes) = if tool == ASK {
            let options = data.get("options").and_then(|list| Vec::deserialize(list).ok()).unwrap_or_default();
            (member("question"), RunNotes::Asked { question: member("question"), options })
        } else {
            let proposal = Proposal::deserialize(data).unwrap_or_default();
            (member("summary"), RunNotes::Proposed { proposal: Box::new(proposal) })
        };
        Content { words, wire: None, notes: json!(notes) }
    }

    fn feedback(&self, _: &ModelSetting, _: &[Message], told: &[Value]) -> Option<Feedback> {
        Some(Feedback::Behind(format!("Your answer could not be used. Answer again.\n{}", json!({ "errors": told }))))
    }

    fn facts(&self, ended: &Ended) -> Value {
        json!({ "code": ended.code, "calls": ended.calls, "tools": ended.tools.len() })
    }
}

/// The calls that one object stands for.
fn whole_answer(text: &str) -> Option<Vec<MeantCall>> {
    let inner = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map(|(_, rest)| rest);
    let inner = inner.map_or(text, |rest| rest.trim_end().trim_end_matches('`'));
    let WholeAnswer { operations, summary, rationale, assumptions } = serde_json::from_str(inner.trim()).ok()?;
    let propose = json!({ "summary": summary, "rationale": rationale, "assumptions": assumptions });
    Some(vec![
        MeantCall { name: STAGE, arguments: json!({ "operations": operations }) },
        MeantCall { name: PROPOSE, arguments: propose },
    ])
}

fn unread(text: &str) -> Reading {
    let error = ApiError::of(&MODEL_OUTPUT_INVALID, args! {});
    let begins: String = text.chars().take(80).collect();
    let told = json!({
        "code": error.code,
        "message": "Call tools, answer in words, or send one JSON object with `operations`, `summary`, `rationale` and `assumptions`.",
    });
    let findings = vec![Finding { key: (error.code.clone(), String::new(), begins), told }];
    Reading::Bad { outcome: "failed", code: Some(error.code), findings, words: String::new() }
}
