//! A request for a proposal: how its reply is read and placed, and what it answers (spec: script-tool.md §6).
//!
//! Invariants: one bad op rejects the whole answer; the thread gets the model's words, never ops.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, Sentence};
use holdpoint_text::{Cursor, RawOp, RawOptions, RawPreview, Selection, Verdict, preview};
use holdpoint_tokens::Message;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::ask::EditAsk;
use super::call::{self, Measures};
#[cfg(any(feature = "ts", feature = "schema"))]
use crate::dialect::{Op, Repair};
use crate::outcome::Outcome;
use crate::{dialect, fingerprints, prompts};
use holdpoint_kind::protocol::{
    Content, Ended, Feedback, Finding, Gate, ModelSetting, Names, NoPrompt, Prompt, Reading, TurnRequest,
};

/// What `POST /edit-ops` answers (spec §6).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditOpsAnswer"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOpsAnswer"))]
pub struct Proposed {
    /// Whether a model was asked.
    pub enabled: bool,
    pub outcome: Outcome,
    /// The model's words, or what to do where it said nothing usable.
    pub assistant_message: String,
    /// What that is said from in other languages, where it is not the model's.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    /// It is empty after every failure.
    #[cfg_attr(feature = "ts", ts(as = "Vec<Op>"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Op>"))]
    pub ops: Value,
    /// Path to the fingerprint of its text as received.
    pub base_fingerprints: Files,
    /// What was tolerated in the model's answer.
    #[cfg_attr(feature = "ts", ts(as = "Vec<Repair>"))]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Repair>"))]
    pub repairs: Value,
    /// Of the failure, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub code: Option<String>,
    /// Present when the model was asked a second time because its first answer could not be placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub repaired: Option<bool>,
    /// The turn on the thread, where one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub turn_id: Option<String>,
}

impl Proposed {
    fn new(ask: &EditAsk, outcome: Outcome) -> Self {
        let sent = ask.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
        let said = outcome.sentence();
        Self {
            enabled: outcome != Outcome::RemoteFallbackRequired,
            outcome,
            assistant_message: said.as_ref().map_or_else(String::new, |said| said.message.clone()),
            args: said.map(Sentence::lent).unwrap_or_default(),
            ops: json!([]),
            base_fingerprints: fingerprints(&sent),
            repairs: json!([]),
            code: None,
            repaired: None,
            turn_id: None,
        }
    }
}

/// A reply that is no change and does not look like one: a refusal, or a question back.
fn words_alone(reply: &str) -> String {
    let form = ["{", "}", "@@", "```", "<<<<<"].iter().any(|mark| reply.contains(mark));
    if form { String::new() } else { reply.trim().to_owned() }
}

impl TurnRequest for EditAsk {
    fn allows_remote(&self) -> bool {
        self.allows_remote
    }

    fn message(&self) -> &str {
        &self.message
    }

    fn replaces(&self) -> bool {
        self.feedback.is_some()
    }

    fn measures(&self, model: &ModelSetting) -> Vec<(&'static str, String)> {
        Measures::edit(model, self).named()
    }

    fn compose(&self, model: &ModelSetting, history: &[Message]) -> Result<Prompt, NoPrompt> {
        call::edit_ops(model, self, history, self.feedback.as_ref())
    }

    fn read(&self, reply: &str, finish: Option<&str>) -> Reading {
        let parsed = dialect::parse(reply, finish, self.mode());
        let outcome = Outcome::of_answer(&parsed, self.mode(), &self.location);
        match parsed {
            Ok(parsed) if matches!(outcome, Outcome::Ok | Outcome::Empty) => Reading::Said(Content {
                wire: (outcome == Outcome::Ok).then(|| json!(parsed.ops)),
                words: parsed.assistant_message,
                notes: json!(parsed.repairs),
            }),
            // The person sees what did not come; the model is not told, as it would only guess.
            other => Reading::Bad {
                outcome: outcome.name(),
                code: other.err().map(|error| error.code().to_owned()),
                findings: Vec::new(),
                words: words_alone(reply),
            },
        }
    }

    fn judge(&self, _: Gate, wire: &Value) -> Option<Vec<Finding>> {
        Some(self.misplaced(wire).unwrap_or_default())
    }

    fn feedback(&self, model: &ModelSetting, history: &[Message], told: &[Value]) -> Option<Feedback> {
        let failed = prompts::Feedback { error_details: told.to_vec(), discarded_reason: None };
        call::edit_ops(model, self, history, Some(&failed)).ok().map(Feedback::Anew)
    }

    fn answer(&self, ended: &Ended, names: &Names) -> Value {
        let outcome = Outcome::named(ended.ending.outcome).unwrap_or(Outcome::UpstreamError);
        let mut answer = Proposed { code: ended.code.clone(), ..Proposed::new(self, outcome) };
        if let Some(reply) = &ended.reply {
            answer.assistant_message.clone_from(&reply.words);
            answer.args = Map::new();
            answer.repaired = (ended.attempt > 0).then_some(true);
            answer.ops = reply.wire.clone().unwrap_or_else(|| json!([]));
            answer.repairs.clone_from(&reply.notes);
        }
        if !ended.said.is_empty() {
            answer.assistant_message.clone_from(&ended.said);
            answer.args = Map::new();
        }
        answer.turn_id = Some(names.turn.clone()).filter(|turn| !turn.is_empty());
        json!(answer)
    }

    fn off(&self, why: &ApiError) -> Value {
        json!(Proposed {
            enabled: false,
            assistant_message: why.message.clone(),
            args: why.args.clone(),
            code: Some(why.code.clone()),
            ..Proposed::new(self, Outcome::Empty)
        })
    }

    fn facts(&self, ended: &Ended) -> Value {
        let outcome = Outcome::named(ended.ending.outcome);
        let parse_ok = matches!(outcome, Some(Outcome::Ok | Outcome::Empty | Outcome::IncompatibleOps));
        let reply = ended.reply.as_ref();
        let ops = reply.and_then(|reply| reply.wire.as_ref()?.as_array()).map_or(0, Vec::len);
        json!({
            "code": ended.code, "parse_ok": parse_ok, "ops": ops,
            "repairs": reply.map_or_else(|| json!([]), |reply| reply.notes.clone()),
            "repaired": reply.is_some() && ended.attempt > 0,
        })
    }
}

impl EditAsk {
    /// Why ops cannot be put where they say; `None` where they can.
    fn misplaced(&self, ops: &Value) -> Option<Vec<Finding>> {
        let files: BTreeMap<_, _> =
            self.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
        let ops: Vec<RawOp> = serde_json::from_value(ops.clone()).ok()?;
        let input = RawPreview {
            files,
            ops,
            active_file: Some(self.active_file.id().to_owned()),
            selection: self.location.selection.map(|s| Selection { from: s.from as usize, to: s.to as usize }),
            cursor: self.location.cursor.map(|cursor| Cursor { pos: cursor.pos as usize }),
            options: Some(RawOptions { mode: Some(self.mode().name().to_owned()), generation_finished: Some(true) }),
            accept: None,
        };
        let fresh = preview(&input.resolve().ok()?);
        (fresh.verdict == Verdict::Reject).then(|| fresh.error_details.iter().enumerate().map(finding).collect())
    }
}

/// A detail of a preview, which the payload of the next call cuts down to what the model needs.
fn finding((index, detail): (usize, impl Serialize)) -> Finding {
    let told = json!(detail);
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    Finding { key: (text("code"), text("target_file"), format!("{index} {}", text("hunk_header"))), told }
}
