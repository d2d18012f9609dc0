//! Prompts: sections, limits, the cached prefix, blocks of untrusted text (spec: authoring.md §4).

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a page adds to a run's prompts; none of it is in the event log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// Version of the running SDK; empty is the built-in one.
    pub sdk_version: String,
    /// The user's standing wishes.
    pub overlay: Option<String>,
    /// What the user lets the model see of the open file (section 12).
    pub model_context: Option<Value>,
}

/// A composed prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// In order.
    pub sections: Vec<Section>,
    /// What is sent: one system message, one user message.
    pub messages: Vec<Message>,
    /// Hash of the static part's bytes.
    pub prefix_hash: String,
    /// Estimate for the whole.
    pub tokens: u64,
    /// What was cut, in the order in which it was.
    pub dropped: Vec<String>,
}

/// One section of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Section {
    pub id: String,
    /// `static`, `session` or `volatile`.
    pub cache: String,
    pub text: String,
    pub tokens: u64,
}

/// One message; `content` in parts, so that a provider's cache mark can stand at the end of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Message {
    pub role: String,
    pub content: String,
    /// Byte lengths of `content` after which a cache mark stands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cache_marks: Vec<usize>,
}

/// `PROMPT_TOO_LARGE`: nothing more can be cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the request needs {tokens} tokens of {limit}: shorten it, or split it")]
#[allow(missing_docs)]
pub struct PromptTooLarge {
    pub tokens: u64,
    pub limit: u64,
}
