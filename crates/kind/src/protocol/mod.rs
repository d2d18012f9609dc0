//! What a turn at the edge asks of a kind (ENGINE §6; spec: script-tool.md §6 to §9, ai-sessions.md §6).
//!
//! A [`Protocol`] is the data and the words of one way to ask a model: bounds, tools, gates in their order, what a reply
//! means, how its faults are said, how it ends. When a model is asked, what is written and when to stop is
//! `holdpoint_engine::turn`'s, which holds any protocol and names none.
//!
//! Protocols are no part of [`Kind`](crate::Kind): the page holds every kind for its checks, and must not link what turns
//! need. Invariant: pure, and the same answer for the same question.

mod reply;
mod words;

use std::collections::BTreeMap;
use std::fmt::Debug;

use holdpoint_check::{ApiError, Sentence};
pub use holdpoint_tokens::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use reply::{Cause, Content, Ended, Ending, Failed, Finding, Key, MeantCall, Reading, ToolUse, TurnStatus, key};
pub use words::{Frame, LogEnd, Names, Phase, Said, Stamp, TokenUse};

/// One way in which a model is asked.
pub trait Protocol: Debug + Sync {
    /// Its id, as turns are stored.
    fn id(&self) -> &'static str;
    fn bounds(&self) -> &'static Bounds;
    /// What becomes of a turn whose client leaves.
    fn on_disconnect(&self) -> OnDisconnect;
    /// Whether the model's words reach the client as they come: a reply that is too long ends there. Else they are told
    /// when all is judged, and a reply that is too long is of no use.
    fn streams(&self) -> bool {
        false
    }
    /// What the model may call.
    fn tools(&self) -> &'static [Tool] {
        &[]
    }
    /// Whether the model calls the tools itself and hears what they gave. Else none is offered: one reply stands for all
    /// calls, and what refuses it ends the turn.
    fn loops(&self) -> bool {
        true
    }
    /// The code that a call of another tool is answered with. A call by the name of an approval is always forbidden.
    fn unlisted(&self) -> &'static str {
        "AI_TOOL_FORBIDDEN"
    }
    /// Whether a call by the name of an approval hears that only a person does that; else it is one of no tool. Neither
    /// runs.
    fn forbids(&self, name: &str) -> bool {
        let _ = name;
        true
    }
    /// Arguments of a call as they were meant, before their schema is asked.
    fn mend(&self, tool: &str, arguments: &str) -> Mended {
        let _ = (tool, arguments);
        Mended::AsWritten
    }
    /// The code of arguments that do not fit the tool.
    fn misused(&self) -> &'static str {
        "TOOL_INPUT_INVALID"
    }
    /// What a change must pass before it is shown, in this order.
    fn gates(&self) -> &'static [Gate] {
        &[]
    }
    /// Which of several attempts a turn ends with.
    fn ends_with(&self) -> EndsWith {
        EndsWith::Best
    }
    /// Reads what a person asks for. Nothing behind it looks at a body again; a wrong value is named by its pointer.
    fn ask(&self, body: &Value) -> Result<Box<dyn TurnRequest>, ApiError>;
    /// A message of a complete turn as the next call reads it; `decision` is what became of the turn's proposal.
    fn past(&self, role: &str, content: &str, decision: Option<&str>) -> Message;
    fn ending(&self, cause: &Cause<'_>) -> Ending;
    /// What a client hears of a turn that ends with nothing. `None`: its answer says so as it says everything else.
    fn refusal(&self, cause: &Cause<'_>) -> Option<ApiError>;
    /// The events of a stream.
    fn frames(&self, said: &Said<'_>) -> Vec<Frame> {
        let _ = said;
        Vec::new()
    }
    /// Whether a turn that goes on without its client tells the model's words in pieces; else they are told when all is
    /// judged.
    fn keeps_words(&self) -> bool {
        false
    }
    /// An event as a stored log has it, once its place there is known.
    fn stamped(&self, frame: Frame, stamp: &Stamp<'_>) -> Frame {
        let _ = stamp;
        frame
    }
    /// The events that a stored log ends with, the last of them last. `None`: one, named `result` or `error`.
    fn last(&self, end: &LogEnd<'_>) -> Option<Vec<Frame>> {
        let _ = end;
        None
    }
}

/// Arguments of a call of a tool, looked at before their schema is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mended {
    AsWritten,
    /// JSON that says the same in the form of the schema.
    Repaired(String),
    /// Several values may be meant where one is wanted: JSON pointers of the places.
    Ambiguous(Vec<String>),
}

/// What a person asks for in one turn, read.
pub trait TurnRequest: Debug {
    /// The person's words, as the session keeps them.
    fn message(&self) -> &str;
    /// Whether its answer takes the place of one that failed.
    fn replaces(&self) -> bool {
        false
    }
    /// Whether a remote provider may answer for a local one.
    fn allows_remote(&self) -> bool {
        false
    }
    /// True counts of what would be asked, also of what does not fit: names and numbers, never a word of a text.
    fn measures(&self, model: &ModelSetting) -> Vec<(&'static str, String)>;
    /// The prompt of its first call.
    fn compose(&self, model: &ModelSetting, history: &[Message]) -> Result<Prompt, NoPrompt>;
    /// What a whole reply says.
    fn read(&self, reply: &str, finish: Option<&str>) -> Reading;
    /// What a gate finds in a change; `None`: it is the driver's to ask.
    fn judge(&self, gate: Gate, wire: &Value) -> Option<Vec<Finding>> {
        let _ = (gate, wire);
        None
    }
    /// What stands in the way of an end that a tool refused. With nothing, it counts as no attempt.
    fn refused(&self, tool: &str, error: &ApiError) -> Vec<Finding> {
        let _ = (tool, error);
        Vec::new()
    }
    /// What a turn leaves that a tool ended.
    fn concluded(&self, tool: &str, data: &Value) -> Content {
        let _ = tool;
        Content { notes: data.clone(), ..Content::default() }
    }
    /// How a model is asked again; `None`: there is no room for it.
    fn feedback(&self, model: &ModelSetting, history: &[Message], told: &[Value]) -> Option<Feedback>;
    /// The answer of a turn whose words are not streamed.
    fn answer(&self, ended: &Ended, names: &Names) -> Value {
        let _ = (ended, names);
        Value::Null
    }
    /// The same while the feature is off for a call: nothing was written, no model was asked.
    fn off(&self, why: &ApiError) -> Value {
        json!(why)
    }
    /// Numbers and codes of the end, for the log.
    fn facts(&self, ended: &Ended) -> Value {
        json!({ "code": ended.code })
    }
    /// What stands beside the data of every result of a tool; `data` of one that went well.
    fn meta(&self, tool: &str, data: Option<&Value>) -> Value {
        let _ = data;
        json!({ "tool": tool })
    }
}

/// What a turn may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Replies that are judged, the first included.
    pub attempts: u32,
    /// How often the same findings may stand before it is of no use to ask again; a change that came before with the
    /// same findings is of none at once. `None`: the model is asked while attempts are left.
    pub same: Option<usize>,
    pub calls: u32,
    /// Calls of tools in one answer; the rest are refused.
    pub tool_calls: usize,
    /// Calls of tools in the whole turn; over it, the turn ends.
    pub all_tool_calls: usize,
    /// Bytes of the arguments of one call of a tool.
    pub argument_bytes: usize,
    /// Characters of one result of a tool.
    pub result_chars: usize,
    /// It counts the bytes of one reply.
    pub reply_bytes: usize,
    /// Milliseconds of one call of the model.
    pub call_ms: u32,
    /// Messages of earlier turns that a call may carry.
    pub history: u32,
    /// Tokens of all calls, prompts and answers, as providers report them; asked before each call.
    pub tokens: Option<u64>,
}

/// What becomes of a turn whose client leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisconnect {
    /// It is cancelled; its log lives as long as it does.
    Stop,
    /// It goes on, and its log is kept for everybody who listens, now or later.
    Continue,
}

/// Which of several attempts a turn ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndsWith {
    /// The best: a later fault takes nothing away.
    Best,
    /// The newest, as the driver has stored it; what did not pass the first gate was never stored, and is of no more use
    /// than a reply that nobody can read.
    Newest,
}

/// What a tool does. There is no word for writing: only a person applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    /// It changes what is proposed, and nothing else.
    Stage,
    End,
}

/// Something that the model may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    pub name: &'static str,
    /// What it does, for the model.
    pub about: &'static str,
    /// JSON Schema of its arguments, as text.
    pub schema: &'static str,
    pub access: Access,
}

/// What a change must pass. Drivers perform them; those that are pure are judged at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// It can be put where it says.
    Place,
    /// The files after it hold.
    Check,
    Test,
    Build,
    /// What was built can be served.
    Bundle,
}

/// What the deployment says about a model.
#[derive(Debug, Clone)]
pub struct ModelSetting {
    /// By which the gateway knows it.
    pub alias: String,
    /// By which its provider knows it: tokens and family follow from this.
    pub name: String,
    pub profile: Profile,
    /// What the host adds to the system prompt, by the id of the layer.
    pub additions: BTreeMap<&'static str, String>,
    /// Whether the provider decodes under a JSON Schema.
    pub constrained: bool,
}

/// What a model can take and give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Tokens that a call and its answer may have together.
    pub window: u64,
    /// It counts the tokens of the answer.
    pub max_output: u64,
    /// Tokens kept back because estimates err.
    pub margin: u64,
    /// Tokens of the system prompt; over it the feature is off for the call.
    pub system_cap: u64,
}

impl Profile {
    /// Tokens that system prompt, history and message may have together.
    pub fn prompt_budget(&self) -> u64 {
        self.window.saturating_sub(self.max_output).saturating_sub(self.margin)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    pub messages: Vec<Message>,
    /// It counts the tokens of the answer.
    pub max_output: u64,
    /// `None`: of a family that takes none, and names its most output tokens `max_completion_tokens`.
    pub temperature: Option<f64>,
    /// A name and the schema that the answer must have.
    pub schema: Option<(&'static str, Value)>,
    /// What the person must know of it, before the first words.
    pub notice: Option<Sentence>,
    /// Numbers and names for the log, never a word of a prompt, a file or a message.
    pub facts: Value,
}

/// Why there is no prompt. Nothing was written, no model was asked.
#[derive(Debug, Clone, PartialEq)]
pub enum NoPrompt {
    /// The feature is off for this call.
    Off(ApiError),
    Refused(ApiError),
}

/// How a model is asked again.
#[derive(Debug, Clone, PartialEq)]
pub enum Feedback {
    /// With another prompt instead of the first.
    Anew(Prompt),
    /// With these words behind what it answered.
    Behind(String),
}

/// Whether a model takes no temperature, and names its most output tokens in another way.
pub fn has_fixed_temperature(model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    let name = model.rsplit('/').next().unwrap_or_default();
    ["gpt-5", "o1", "o3", "o4"].iter().any(|family| name.starts_with(family))
}
