//! What a person asks for in a run, read (spec: app-builder.md §9).

use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::Value;

codes! {
    /// a request of the chat without words
    EMPTY_INPUT: Error, "Write what you want.";
    INVALID_INPUT / MESSAGE_LONG: Error, "Write at most {limit} characters." [limit];
    INVALID_INPUT / THREAD_ID: Error, "Send the id of a thread, 32 hexadecimal digits, or leave it out.";
    INVALID_INPUT / OTHER_MODEL: Error, "Leave `model` out, or send `{model}`: it is the one that answers here." [model];
    INVALID_INPUT / EXPLAIN_MODE: Error, "Leave `mode` out, or send `answer`: a difference is explained, not made.";
    INVALID_INPUT / NOTHING_DIFFERS: Error, "Name two versions and a place where they differ: there is nothing to explain here.";
}

/// The most characters that one message has.
pub const MAX_MESSAGE_CHARS: usize = 32_000;
const THREAD_ID_CHARS: usize = 32;
const DRAFT: &str = "draft";
const WORKING_COPY: &str = "working_copy";

/// What a run is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ChatMode {
    #[default]
    Edit,
    Plan,
    Answer,
}

impl ChatMode {
    /// The name of its prompt, for the ledger; `loops`: whether the model may call tools.
    pub fn template(self, loops: bool) -> &'static str {
        match (self, loops) {
            (Self::Edit, true) => "vite-app/edit/1",
            (Self::Plan, true) => "vite-app/plan/1",
            (Self::Answer, true) => "vite-app/answer/1",
            (Self::Edit, false) => "vite-app/edit-once/1",
            (Self::Plan, false) => "vite-app/plan-once/1",
            (Self::Answer, false) => "vite-app/answer-once/1",
        }
    }
}

/// A difference that is to be explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainBody {
    /// A revision, or a proposal.
    pub from: String,
    pub to: String,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub hunk_id: Option<String>,
}

/// The body of `POST …/builder/chat/stream`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatBody {
    pub input: String,
    #[serde(default)]
    pub base_revision_id: Option<String>,
    /// The thread that it goes on with; a new one where absent.
    #[serde(default)]
    pub thread_id: Option<String>,
    #[serde(default)]
    pub mode: Option<ChatMode>,
    #[serde(default)]
    pub model: Option<String>,
    #[serde(default)]
    pub explain: Option<ExplainBody>,
    /// What the run may cost at most, in millionths of the currency.
    #[serde(default)]
    pub max_cost_micros: Option<u64>,
    /// One of `draft`, `working_copy` and the id of a proposal.
    #[serde(default)]
    pub from: Option<String>,
}

/// The files with which a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStart<'b> {
    Draft,
    WorkingCopy,
    /// The result of a proposal, by its id.
    Proposal(&'b str),
}

impl ChatBody {
    /// Reads a body; `EMPTY_INPUT` is said before anything else.
    pub fn read(body: &Value) -> Result<Self, ApiError> {
        let has_words = body.get("input").and_then(Value::as_str).is_some_and(|input| !input.trim().is_empty());
        if !has_words && body.get("input").is_none_or(|input| input.is_string() || input.is_null()) {
            return Err(ApiError::of(&EMPTY_INPUT, args! {}).status(400));
        }
        let read: Self = holdpoint_check::read::read(body.clone())?;
        if read.input.chars().count() > MAX_MESSAGE_CHARS {
            return Err(ApiError::at("/input", &MESSAGE_LONG, args! { limit: MAX_MESSAGE_CHARS }));
        }
        let is_hex = |id: &String| {
            id.len() == THREAD_ID_CHARS && id.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
        };
        if read.thread_id.as_ref().is_some_and(|id| !is_hex(id)) {
            return Err(ApiError::at("/thread_id", &THREAD_ID, args! {}));
        }
        if read.explain.is_some() && read.mode.is_some_and(|mode| mode != ChatMode::Answer) {
            return Err(ApiError::at("/mode", &EXPLAIN_MODE, args! {}));
        }
        Ok(read)
    }

    /// What the run is for: an explanation is an answer.
    pub fn mode(&self) -> ChatMode {
        let own = if self.explain.is_some() { ChatMode::Answer } else { ChatMode::Edit };
        self.mode.unwrap_or(own)
    }

    pub fn start(&self) -> RunStart<'_> {
        match self.from.as_deref() {
            None | Some(DRAFT) => RunStart::Draft,
            Some(WORKING_COPY) => RunStart::WorkingCopy,
            Some(id) => RunStart::Proposal(id),
        }
    }
}
