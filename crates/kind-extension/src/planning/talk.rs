//! What a model is told for a plan or a bundle, and what it answered (spec: authoring.md §4, §5).

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

codes! {
    /// the request does not fit a prompt, whatever is cut
    PROMPT_TOO_LARGE / REQUEST: Error,
        "the request needs {tokens} tokens of {limit}: shorten it, or split it" [tokens, limit];
    INPUT_TOO_LARGE / REPLY: Error, "the reply has more than {limit} {unit}: ask for less at once" [limit, unit];
}

/// What a prompt asks for (spec: authoring.md §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    Plan,
    Generate,
    Repair,
    Continue,
    Fork,
    Drift,
    /// A test that shows what a person says is wrong.
    Test,
    /// A script that answers the request, and is kept nowhere.
    Script,
}

/// What a page adds to a run's prompts; none of it is in the event log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Version of the running SDK; empty is the built-in one.
    pub sdk_version: String,
    pub overlay: Option<String>,
    /// What the user lets the model see of the open file (section 12).
    pub model_context: Option<Value>,
}

/// What a prompt is made of.
#[derive(Debug, Clone, Deserialize)]
pub struct PromptRequest {
    pub purpose: Purpose,
    #[serde(default)]
    pub overlay: Option<String>,
    /// `{schema, types, storeys, selection}` of the open file.
    #[serde(default)]
    pub model_context: Option<Value>,
    pub request: String,
    #[serde(default)]
    pub plan: Option<Value>,
    #[serde(default)]
    pub files: Files,
    #[serde(default)]
    pub diagnostics: Option<Value>,
    /// Entries of the SDK's changelog (§8).
    #[serde(default)]
    pub changelog: Option<Value>,
    /// Input tokens, when fewer than the kind's own bound.
    #[serde(default)]
    pub budget: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    pub sections: Vec<Section>,
    /// What is sent: one system message, one user message.
    pub messages: Vec<PromptMessage>,
    /// Hash of the static part's bytes.
    pub prefix_hash: String,
    pub tokens: u64,
    /// What was cut, in the order in which it was.
    pub dropped: Vec<String>,
}

/// One section of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub id: String,
    /// It is one of `static`, `session` or `volatile`.
    pub cache: String,
    pub text: String,
    pub tokens: u64,
}

/// One message; a provider's cache mark may stand at the end of the static part and of the overlay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMessage {
    pub role: String,
    pub content: String,
    /// Byte lengths of `content` after which a cache mark stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache_marks: Vec<usize>,
}

/// `PROMPT_TOO_LARGE`: nothing more can be cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.finding().message)]
pub struct PromptTooLargeError {
    pub tokens: u64,
    pub limit: u64,
}

impl PromptTooLargeError {
    pub fn finding(&self) -> Diagnostic {
        Diagnostic::of(&REQUEST, args! { tokens: self.tokens, limit: self.limit })
    }
}

/// A tool call of a reply: `write_file`, `edit_file`, `delete_file`, `submit_plan`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ToolCall {
    pub name: String,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(type = "unknown"))]
    pub arguments: Value,
}

/// A reply that is over a limit is not read at all (`INPUT_TOO_LARGE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.finding().message)]
pub struct ReplyTooLargeError {
    pub unit: &'static str,
    pub limit: usize,
}

impl ReplyTooLargeError {
    pub fn finding(&self) -> Diagnostic {
        Diagnostic::of(&REPLY, args! { limit: self.limit, unit: self.unit })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParsedReply {
    pub ok: bool,
    /// `files`, `plan`, `plan+files` or `empty`.
    pub kind: String,
    /// The plan, which may be any JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Value>,
    /// Good changes in the order of the reply.
    pub changes: Vec<ReplyChange>,
    /// The base with the good changes.
    pub files: Files,
    /// The path of a block that was cut.
    pub incomplete: Option<String>,
    pub prose: String,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyChange {
    pub path: String,
    pub op: ReplyOp,
    pub created: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyOp {
    Write,
    Edit,
    Delete,
}

/// A fault that the host mended without the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Autofix {
    pub path: String,
    pub code: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
}

impl Autofix {
    /// What was mended, as the finding says it or a fact of the host's own.
    pub fn new(path: impl Into<String>, told: Diagnostic) -> Self {
        let Diagnostic { code, message, args, .. } = told;
        Self { path: path.into(), code: code.into_owned(), message, args }
    }
}
