//! A request for a proposal, from its first call to its answer, without I/O (spec: script-tool.md §6).
//!
//! Invariants: one bad op rejects the whole answer; the model is asked again by itself at most [`MAX_AUTO_REPAIRS`]
//! times, and only when a fresh proposal cannot be placed; the thread gets the model's words, never ops; after the end
//! no event has an effect.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_kinds::script_tool::dialect::{self, Op, Parsed, Repair};
use holdpoint_kinds::script_tool::fingerprints;
use holdpoint_kinds::script_tool::limits::{MAX_AUTO_REPAIRS, MAX_RAW_BYTES};
use holdpoint_kinds::script_tool::outcome::Outcome;
use holdpoint_kinds::script_tool::prompts::Feedback;
use holdpoint_kinds::script_tool::tokens::Message;
use holdpoint_text::{Cursor, RawOp, RawOptions, RawPreview, Selection, Verdict, preview};
use serde::Serialize;
use serde_json::{Value, json};

use super::ask::EditAsk;
use super::call::{self, Call, Setting};
use super::outcome;
use super::step::{Close, Effect, Event, Phase, aborted};

/// What `POST /edit-ops` answers (spec §6).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditOpsAnswer"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOpsAnswer"))]
pub struct Answer {
    /// Whether a model was asked.
    pub enabled: bool,
    /// How it ended.
    pub outcome: Outcome,
    /// The model's words, or what to do where it said nothing usable.
    pub assistant_message: String,
    /// Empty on every failure.
    pub ops: Vec<Op>,
    /// Path to the fingerprint of its text as received.
    pub base_fingerprints: Files,
    /// What was tolerated in the model's answer.
    pub repairs: Vec<Repair>,
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

impl Answer {
    fn new(ask: &EditAsk, outcome: Outcome) -> Self {
        let sent = ask.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
        Self {
            enabled: outcome != Outcome::RemoteFallbackRequired,
            outcome,
            assistant_message: outcome::sentence(outcome).to_owned(),
            ops: Vec::new(),
            base_fingerprints: fingerprints(&sent),
            repairs: Vec::new(),
            code: None,
            repaired: None,
            turn_id: None,
        }
    }

    /// The answer while the feature is off for a call: nothing was written, no model was asked.
    pub fn off(ask: &EditAsk, code: &str, message: &str) -> Self {
        Self {
            enabled: false,
            assistant_message: message.to_owned(),
            code: Some(code.to_owned()),
            ..Self::new(ask, Outcome::Empty)
        }
    }
}

/// A request that runs.
#[derive(Debug)]
pub struct EditTurn {
    phase: Phase,
    setting: Setting,
    ask: EditAsk,
    history: Vec<Message>,
    /// What the model wrote in this call, and why it ended.
    raw: String,
    finish_reason: Option<String>,
    /// How often the model was asked again.
    repairs: u32,
    /// The answer that stands unless a repair gives a better one.
    first: Option<Parsed>,
}

impl EditTurn {
    /// A request about to call the model.
    pub fn new(setting: Setting, ask: EditAsk, history: Vec<Message>, call: Call) -> (Self, Vec<Effect>) {
        let turn = Self {
            phase: Phase::default(),
            setting,
            ask,
            history,
            raw: String::new(),
            finish_reason: None,
            repairs: 0,
            first: None,
        };
        (turn, vec![Effect::Call(Box::new(call))])
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The model's whole answer, for a capture.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// Why the model ended, for the log.
    pub fn finish_reason(&self) -> Option<&str> {
        self.finish_reason.as_deref()
    }

    /// What to do about an event.
    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        let event = match self.phase.pass(event) {
            Ok(event) => event,
            Err(effects) => return effects,
        };
        match event {
            Event::Admitted | Event::Tick { .. } => Vec::new(),
            Event::Refused(refused) => {
                if let Some(first) = self.first.take() {
                    return self.unrepaired(first);
                }
                let mut effects = self.phase.end(|| Close { outcome: Outcome::UpstreamError, text: String::new() });
                effects.push(Effect::Refuse(refused));
                effects
            }
            Event::Text { text, .. } => {
                self.raw.push_str(&text);
                if self.raw.len() <= MAX_RAW_BYTES {
                    return Vec::new();
                }
                aborted(self.fall(Outcome::ParseFailed, Some("INPUT_TOO_LARGE")))
            }
            Event::Finished { reason } => {
                self.finish_reason = reason;
                self.finished()
            }
            Event::Failed(failed) => self.fall(failed.outcome(), Some(&failed.code)),
            Event::TimedOut => aborted(self.fall(Outcome::Timeout, Some("UPSTREAM_TIMEOUT"))),
            Event::Cancelled => aborted(self.end(Outcome::Cancelled, None, None)),
        }
    }

    fn finished(&mut self) -> Vec<Effect> {
        let parsed = dialect::parse(&self.raw, self.finish_reason(), self.ask.mode());
        let outcome = Outcome::of_answer(&parsed, self.ask.mode(), &self.ask.location);
        match parsed {
            Ok(parsed) if outcome == Outcome::Ok => self.placed(parsed),
            Ok(parsed) if outcome == Outcome::Empty && self.first.is_none() => {
                self.end(Outcome::Empty, Some(parsed), None)
            }
            Ok(_) => self.fall(outcome, None),
            Err(error) => self.fall(outcome, Some(error.code())),
        }
    }

    /// Ops in the right form: may they be put where they say? If not, the model is asked once more.
    fn placed(&mut self, parsed: Parsed) -> Vec<Effect> {
        let Some(error_details) = self.rejected(&parsed) else { return self.propose(parsed) };
        if self.repairs == MAX_AUTO_REPAIRS {
            return self.propose(parsed);
        }
        let feedback = Feedback { error_details, discarded_reason: None };
        match call::edit_ops(&self.setting, &self.ask, &self.history, Some(&feedback)) {
            Ok(call) => {
                self.repairs += 1;
                self.raw.clear();
                self.finish_reason = None;
                self.first = Some(parsed);
                vec![Effect::Call(Box::new(call))]
            }
            // No room for the failures: the person sees them.
            Err(_) => self.propose(parsed),
        }
    }

    /// Why a proposal cannot be placed; `None` when it can.
    fn rejected(&self, parsed: &Parsed) -> Option<Vec<Value>> {
        let files: BTreeMap<_, _> =
            self.ask.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
        let ops: Vec<RawOp> = serde_json::from_value(json!(parsed.ops)).ok()?;
        let input = RawPreview {
            files,
            ops,
            active_file: Some(self.ask.active_file.id().to_owned()),
            selection: self.ask.location.selection.map(|s| Selection { from: s.from as usize, to: s.to as usize }),
            cursor: self.ask.location.cursor.map(|cursor| Cursor { pos: cursor.pos as usize }),
            options: Some(RawOptions {
                mode: Some(self.ask.mode().name().to_owned()),
                generation_finished: Some(true),
            }),
            accept: None,
        };
        let fresh = preview(&input.resolve().ok()?);
        (fresh.verdict == Verdict::Reject).then(|| fresh.error_details.iter().map(|detail| json!(detail)).collect())
    }

    fn propose(&mut self, parsed: Parsed) -> Vec<Effect> {
        self.end(Outcome::Ok, Some(parsed), None)
    }

    /// The repair gave nothing, so the first answer is proposed as it came.
    fn unrepaired(&mut self, first: Parsed) -> Vec<Effect> {
        self.repairs = 0;
        self.propose(first)
    }

    /// A call that gave nothing: the answer before it stands, if there was one.
    fn fall(&mut self, outcome: Outcome, code: Option<&str>) -> Vec<Effect> {
        match self.first.take() {
            Some(first) if outcome != Outcome::Cancelled => self.unrepaired(first),
            _ => self.end(outcome, None, code),
        }
    }

    fn end(&mut self, outcome: Outcome, parsed: Option<Parsed>, code: Option<&str>) -> Vec<Effect> {
        let mut answer = Answer { code: code.map(str::to_owned), ..Answer::new(&self.ask, outcome) };
        let mut said = String::new();
        if let Some(parsed) = parsed {
            answer.assistant_message.clone_from(&parsed.assistant_message);
            answer.repaired = (self.repairs > 0).then_some(true);
            (answer.ops, answer.repairs, said) = (parsed.ops, parsed.repairs, parsed.assistant_message);
        }
        let mut effects = self.phase.end(|| Close { outcome, text: said });
        effects.push(Effect::Answer(Box::new(answer)));
        effects
    }
}
