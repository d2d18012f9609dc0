//! A request for a proposal, from its first call to its answer, without I/O (spec: script-tool.md §6).
//!
//! Invariants: one bad op rejects the whole answer; the model is asked again by itself at most [`MAX_AUTO_REPAIRS`]
//! times, and only when a fresh proposal cannot be placed; the thread gets the model's words, never ops; after the end
//! no event has an effect.

use std::collections::BTreeMap;

use holdpoint_kinds::script_tool::editops::{self, Parsed};
use holdpoint_kinds::script_tool::fingerprints;
use holdpoint_kinds::script_tool::limits::{MAX_AUTO_REPAIRS, MAX_RAW_BYTES};
use holdpoint_kinds::script_tool::outcome::Outcome;
use holdpoint_kinds::script_tool::prompts::Feedback;
use holdpoint_kinds::script_tool::tokens::Message;
use holdpoint_text::{Cursor, RawOp, RawOptions, RawPreview, Selection, Verdict, preview};
use serde_json::{Value, json};

use super::ask::EditAsk;
use super::call::{self, Call, Setting};
use super::outcome;
use super::step::{Close, Effect, Event};

/// A request that runs.
#[derive(Debug)]
pub struct EditTurn {
    setting: Setting,
    ask: EditAsk,
    history: Vec<Message>,
    begun: bool,
    over: bool,
    /// What the model wrote in this call.
    raw: String,
    repairs: u32,
    /// The answer that stands unless a repair gives a better one.
    first: Option<Parsed>,
}

impl EditTurn {
    /// A request about to call the model.
    pub fn new(setting: Setting, ask: EditAsk, history: Vec<Message>, call: Call) -> (Self, Vec<Effect>) {
        let (raw, first) = (String::new(), None);
        let turn = Self { setting, ask, history, begun: false, over: false, raw, repairs: 0, first };
        (turn, vec![Effect::Call(Box::new(call))])
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The model's whole answer, for a capture.
    pub fn raw(&self) -> &str {
        &self.raw
    }

    /// What to do about an event.
    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        if self.over {
            return Vec::new();
        }
        match event {
            Event::Admitted if self.begun => Vec::new(),
            Event::Admitted => {
                self.begun = true;
                vec![Effect::Begin]
            }
            Event::Refused(refused) => {
                if let Some(first) = self.first.take() {
                    return self.unrepaired(first);
                }
                self.over = true;
                vec![Effect::Refuse(refused)]
            }
            Event::Text { text, .. } => {
                self.raw.push_str(&text);
                if self.raw.len() <= MAX_RAW_BYTES {
                    return Vec::new();
                }
                let mut effects = vec![Effect::Abort];
                effects.extend(self.fall(Outcome::ParseFailed, Some("INPUT_TOO_LARGE")));
                effects
            }
            Event::Finished { reason } => self.finished(reason.as_deref()),
            Event::Failed { code, upstream } => self.fall(outcome::of_failure(&code, &upstream), Some(&code)),
            Event::TimedOut => {
                let mut effects = vec![Effect::Abort];
                effects.extend(self.fall(Outcome::Timeout, Some("UPSTREAM_TIMEOUT")));
                effects
            }
            Event::Cancelled => {
                let mut effects = vec![Effect::Abort];
                effects.extend(self.end(Outcome::Cancelled, None, None));
                effects
            }
        }
    }

    fn finished(&mut self, reason: Option<&str>) -> Vec<Effect> {
        let parsed = editops::parse(&self.raw, reason, self.ask.mode());
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
            options: Some(RawOptions { mode: None, generation_finished: Some(true) }),
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

    #[allow(clippy::needless_pass_by_value)] // a turn ends once: what it ends with is given away
    fn end(&mut self, outcome: Outcome, parsed: Option<Parsed>, code: Option<&str>) -> Vec<Effect> {
        self.over = true;
        let said = parsed.as_ref().map(|parsed| parsed.assistant_message.clone());
        let mut answer = json!({
            "enabled": outcome != Outcome::RemoteFallbackRequired,
            "outcome": outcome,
            "assistant_message": said.clone().unwrap_or_else(|| outcome::sentence(outcome).to_owned()),
            "ops": parsed.as_ref().map_or_else(|| json!([]), |parsed| json!(parsed.ops)),
            "base_fingerprints": self.fingerprints(),
            "repairs": parsed.as_ref().map_or_else(|| json!([]), |parsed| json!(parsed.repairs)),
        });
        if let Some(code) = code {
            answer["code"] = json!(code);
        }
        if self.repairs > 0 && parsed.is_some() {
            answer["repaired"] = json!(true);
        }
        let mut effects = Vec::new();
        if self.begun {
            let text = said.unwrap_or_default();
            effects.push(Effect::Close(Close { status: outcome.turn(), outcome, text }));
        }
        effects.push(Effect::Answer(answer));
        effects
    }

    fn fingerprints(&self) -> Value {
        json!(fingerprints(&self.ask.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect()))
    }
}

/// The answer while the feature is off for a call: nothing was written, no model was asked.
pub fn off(ask: &EditAsk, code: &str, message: &str) -> Value {
    let files = ask.files.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
    json!({
        "enabled": false, "outcome": Outcome::Empty, "assistant_message": message, "ops": [],
        "base_fingerprints": fingerprints(&files), "repairs": [], "code": code,
    })
}
