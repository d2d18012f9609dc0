//! Transcripts: what is answered to which request (spec: gateway.md §10).
//!
//! Owns the format and its loading. Invariant: an unknown member of a transcript is an error, so a typing mistake does
//! not become a request that nobody answers.

use std::path::{Path, PathBuf};

use holdpoint_gateway::Protocol;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::follow::{FollowsPlan, Own, follow};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcript {
    pub transcript: u8,
    /// For people and the log.
    pub name: String,
    /// In order; the first that fits answers.
    #[serde(default)]
    pub turns: Vec<Turn>,
    /// When no turn of any file fits.
    #[serde(default)]
    pub otherwise: Option<Play>,
    /// The answers follow the plan that a request states.
    #[serde(default)]
    pub follows_plan: Option<FollowsPlan>,
}

impl Transcript {
    /// A turn's answer to a request: as it is written, or as the plan of the request has it.
    pub(crate) fn answer(&self, turn: &Turn, asked: &str) -> Play {
        let mut play = turn.play.clone();
        if let (Some(how), Some(text)) = (&self.follows_plan, &play.reply.text) {
            let replies = self.turns.iter().filter_map(|turn| turn.play.reply.text.as_deref());
            play.reply.text = Some(follow(text, asked, &Own::of(replies), how));
        }
        play
    }
}

/// One answer and when it is given.
#[derive(Debug, Clone, Deserialize)]
pub struct Turn {
    #[serde(default)]
    pub(crate) when: When,
    /// How often; without it there is no limit.
    #[serde(default)]
    pub(crate) times: Option<u64>,
    #[serde(flatten)]
    pub(crate) play: Play,
}

/// What a request must be; every member given must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    pub(crate) protocol: Option<Protocol>,
    pub(crate) model: Option<String>,
    pub(crate) turn: Option<usize>,
    pub(crate) last_user_contains: Option<Texts>,
    pub(crate) system_contains: Option<Texts>,
    pub(crate) has_tool: Option<String>,
    pub(crate) tool_result_for: Option<String>,
    pub(crate) stream: Option<bool>,
    pub(crate) header: Option<Map<String, Value>>,
}

/// A text, or texts that must all occur.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Texts {
    One(String),
    All(Vec<String>),
}

impl Texts {
    /// Whether all occur, ignoring case and runs of white space.
    pub fn occur_in(&self, text: &str) -> bool {
        let text = folded(text);
        match self {
            Self::One(part) => text.contains(&folded(part)),
            Self::All(parts) => parts.iter().all(|part| text.contains(&folded(part))),
        }
    }
}

/// A person types capitals and spaces as they come.
fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An answer with its pace, faults and wire form.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Play {
    pub(crate) reply: ScriptedReply,
    pub(crate) pace: Pace,
    pub(crate) faults: Vec<InjectedFault>,
    pub(crate) wire: Wire,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptedReply {
    pub(crate) thinking: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) tool_calls: Vec<ScriptedToolCall>,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Option<Value>,
}

/// A call of a tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    pub(crate) first_ms: u64,
    pub(crate) per_token_ms: u64,
    pub(crate) tokens_per_chunk: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { first_ms: 0, per_token_ms: 0, tokens_per_chunk: 1 }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wire {
    pub(crate) eol: Eol,
    pub(crate) bom: bool,
    pub(crate) comments: bool,
    pub(crate) split_bytes: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eol {
    #[default]
    Lf,
    Cr,
    Crlf,
}

impl Eol {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Cr => "\r",
            Self::Crlf => "\r\n",
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum InjectedFault {
    Status {
        status: u16,
        retry_after: Option<Value>,
        body: Option<Value>,
        times: Option<u64>,
    },
    Reset,
    SlowHeaders {
        ms: u64,
    },
    SlowFirstByte {
        ms: u64,
    },
    Stall {
        after_tokens: u64,
        ms: Option<u64>,
    },
    Cut {
        after_tokens: u64,
    },
    CutMidEvent {
        after_tokens: u64,
    },
    Malformed {
        after_tokens: u64,
        data: String,
    },
    ErrorEvent {
        after_tokens: u64,
        #[serde(rename = "type")]
        kind: String,
        message: String,
    },
    NoUsage,
    WrongUsage {
        usage: Value,
    },
    UsageEveryChunk,
    NoDone,
    NoFinish,
    ExtraOutput {
        tokens: u64,
    },
    HugeEvent {
        bytes: usize,
    },
    Redirect {
        location: String,
    },
    BadJsonBody,
}

/// A file that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{path}: correct the transcript: {source}")]
    Form { path: PathBuf, source: serde_json::Error },
}

/// Reads files, and the `*.json` files of folders and of what lies in these, in order of their paths.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Transcript>, LoadError> {
    let mut transcripts = Vec::new();
    for path in paths {
        for file in files(path).map_err(|source| LoadError::Read { path: path.clone(), source })? {
            let text =
                std::fs::read_to_string(&file).map_err(|source| LoadError::Read { path: file.clone(), source })?;
            let read = serde_json::from_str(&text).map_err(|source| LoadError::Form { path: file, source })?;
            transcripts.push(read);
        }
    }
    Ok(transcripts)
}

fn files(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let file = entry?.path();
        if file.is_dir() {
            found.extend(files(&file)?);
        } else if file.extension().is_some_and(|ending| ending == "json") {
            found.push(file);
        }
    }
    found.sort();
    Ok(found)
}
