//! One turn of a model at the edge, without I/O: `step(event) → effects` (ENGINE §6; spec: script-tool.md §6 to §9,
//! ai-sessions.md §6.1).
//!
//! Owns when a model is asked, when something is written, what a client hears and when it ends; holds any
//! [`Protocol`], which says what it is about, and names none. Invariants: nothing is written and nothing is said before
//! the call is admitted; a turn that began is closed once; after the end no event has an effect; a reply is a proposal
//! and is never applied here.

mod call;
mod event;
mod judging;
mod stream;
#[cfg(test)]
mod tests;
mod tool_loop;

use std::collections::{BTreeSet, VecDeque};

use holdpoint_check::ApiError;
use holdpoint_gateway::wire;
use holdpoint_kind::protocol::{
    Cause, Ended, Ending, ModelSetting, OnDisconnect, Phase, Prompt, Protocol, Said, TokenUse, ToolUse, TurnRequest,
    TurnStatus,
};
use holdpoint_tokens::Message;

use crate::tools::ToolRun;
pub use call::Call;
pub use event::{Close, Effect, Event, cut, failed, refusal};
pub use stream::{KEEP_CHARS, KEEP_MS};

use judging::{Attempt, Judging};
use stream::Words;

/// A turn.
#[derive(Debug)]
pub struct Turn {
    protocol: &'static dyn Protocol,
    request: Box<dyn TurnRequest>,
    model: ModelSetting,
    history: Vec<Message>,
    /// The call that is made, or will be made next.
    call: Call,
    awaits: Awaits,
    begun: bool,
    /// What the model writes in this call, and why it ended.
    words: Words,
    finish: Option<String>,
    /// Calls of the model.
    calls: u32,
    /// Tokens of the calls that are over.
    used_tokens: TokenUse,
    /// Calls of tools that are over.
    used: Vec<ToolUse>,
    /// Calls of the model's answer that did not run yet, with their places in it.
    queue: VecDeque<(usize, wire::Tool)>,
    /// Ids of calls of tools.
    ids: BTreeSet<String>,
    attempts: Vec<Attempt>,
    /// Index of the attempt that stands.
    best: Option<usize>,
}

/// What a turn waits for.
#[derive(Debug)]
enum Awaits {
    /// Its call is ordered.
    Admission,
    /// The model writes.
    Words,
    /// A tool runs.
    Tool(ToolRun),
    /// A gate is asked.
    Gate(Judging),
    /// Nothing has an effect any more.
    Nothing,
}

impl Turn {
    /// A turn about to call the model with the prompt that the request composed of all this.
    pub fn new(
        protocol: &'static dyn Protocol,
        request: Box<dyn TurnRequest>,
        model: ModelSetting,
        history: Vec<Message>,
        prompt: Prompt,
    ) -> (Self, Vec<Effect>) {
        let call = Call::new(protocol, &model, &prompt);
        let words = Words::new(prompt.notice);
        let mut turn = Self {
            protocol,
            request,
            model,
            history,
            call,
            awaits: Awaits::Nothing,
            begun: false,
            words,
            finish: None,
            calls: 0,
            used_tokens: TokenUse::default(),
            used: Vec::new(),
            queue: VecDeque::new(),
            ids: BTreeSet::new(),
            attempts: Vec::new(),
            best: None,
        };
        let effects = turn.ask();
        (turn, effects)
    }

    /// What it is about.
    pub fn protocol(&self) -> &'static dyn Protocol {
        self.protocol
    }

    /// What was asked for.
    pub fn request(&self) -> &dyn TurnRequest {
        self.request.as_ref()
    }

    /// Whether nothing more will happen.
    pub fn is_over(&self) -> bool {
        matches!(self.awaits, Awaits::Nothing)
    }

    /// What the model wrote in its last call, for a capture.
    pub fn raw(&self) -> &str {
        self.words.text()
    }

    /// When words are to be written, unless more come before: the driver then says [`Event::Tick`].
    pub fn due(&self) -> Option<i64> {
        self.words.due().filter(|_| !self.is_over())
    }

    /// What to do about an event. One that is not awaited changes nothing.
    pub fn step(&mut self, event: Event) -> Vec<Effect> {
        match (&self.awaits, event) {
            (Awaits::Nothing, _) => Vec::new(),
            (Awaits::Admission, Event::Admitted) => self.admitted(),
            (Awaits::Admission, Event::Refused(refused)) => self.refused(refused),
            (Awaits::Words, Event::Text { text, now }) => self.text(&text, now),
            (_, Event::Used(used)) => {
                self.used_tokens = used;
                if self.continues() { self.say(&Said::Used(used)) } else { Vec::new() }
            }
            (Awaits::Words, Event::Finished { reason, calls }) => {
                self.finish = reason;
                self.finished(calls)
            }
            (Awaits::Admission | Awaits::Words, Event::Failed(failed)) => {
                self.fail(&Cause::Failed(&failed), Some(&failed.code))
            }
            (Awaits::Tool(run), Event::ToolDone { id, result }) if run.id == id => self.tool_done(result),
            (Awaits::Gate(_), Event::Gated { findings }) => self.gated(findings),
            (_, Event::Tick { now }) => self.keep(now),
            (_, Event::TimedOut) => self.aborted(&Cause::TimedOut, Some("UPSTREAM_TIMEOUT")),
            (_, Event::Overdue) => self.aborted(&Cause::Overdue, Some("UPSTREAM_TIMEOUT")),
            (_, Event::Cancelled) => self.aborted(&Cause::Cancelled, None),
            _ => Vec::new(),
        }
    }

    /// Whether the turn goes on without its client.
    fn continues(&self) -> bool {
        self.protocol.on_disconnect() == OnDisconnect::Continue
    }

    /// Whether somebody hears of it before its answer.
    fn has_events(&self) -> bool {
        self.continues() || self.protocol.streams()
    }

    /// Orders the call.
    fn ask(&mut self) -> Vec<Effect> {
        if self.calls >= self.protocol.bounds().calls {
            return self.fail(&Cause::Limit("calls"), None);
        }
        let used = self.used_tokens.input.saturating_add(self.used_tokens.output);
        if self.protocol.bounds().tokens.is_some_and(|most| used >= most) {
            return self.fail(&Cause::Limit("tokens"), None);
        }
        self.calls += 1;
        self.words.clear();
        self.finish = None;
        self.awaits = Awaits::Admission;
        let mut effects = if self.begun { self.say_phase(Phase::Model) } else { Vec::new() };
        effects.push(Effect::Call(Box::new(self.call.clone())));
        effects
    }

    fn admitted(&mut self) -> Vec<Effect> {
        self.awaits = Awaits::Words;
        if std::mem::replace(&mut self.begun, true) {
            return Vec::new();
        }
        let mut effects = vec![Effect::Begin];
        if self.continues() {
            effects.extend(self.opened());
            effects.extend(self.say_phase(Phase::Composing));
            effects.extend(self.say(&Said::Composed(&self.call.facts)));
            effects.extend(self.say_phase(Phase::Model));
        }
        effects
    }

    /// The account does not let a call through: before the turn began nothing is touched.
    fn refused(&mut self, refused: ApiError) -> Vec<Effect> {
        if self.begun {
            return self.fail(&Cause::Refused(&refused), Some(&refused.code));
        }
        self.awaits = Awaits::Nothing;
        vec![Effect::Refuse(refused)]
    }

    fn aborted(&mut self, cause: &Cause<'_>, code: Option<&str>) -> Vec<Effect> {
        let calls = matches!(self.awaits, Awaits::Admission | Awaits::Words);
        let mut effects: Vec<Effect> = calls.then_some(Effect::Abort).into_iter().collect();
        effects.extend(self.fail(cause, code));
        effects
    }

    /// Ends without a reply of this call: what stood before it stands, if there was something.
    fn fail(&mut self, cause: &Cause<'_>, code: Option<&str>) -> Vec<Effect> {
        let ending = self.protocol.ending(cause);
        match self.best {
            Some(best) if ending.status != TurnStatus::Cancelled => self.stand(best),
            _ => self.end_empty(ending, code, cause, String::new()),
        }
    }

    /// Ends with nothing that stands but what was `said`, for a protocol whose answer says how it ended.
    fn end_empty(&mut self, ending: Ending, code: Option<&str>, cause: &Cause<'_>, said: String) -> Vec<Effect> {
        let Some(refused) = self.protocol.refusal(cause) else { return self.answer(ending, None, code, said) };
        if !self.protocol.streams() {
            let mut effects = self.close(ending, String::new());
            effects.push(Effect::Refuse(refused));
            return effects;
        }
        let mut effects = self.close(ending, self.words.text().to_owned());
        if self.words.is_open() {
            let said = if ending.status == TurnStatus::Cancelled { Said::Cancelled } else { Said::Failed(&ending) };
            effects.extend(self.say(&said));
        } else {
            effects.push(Effect::Refuse(refused));
        }
        effects
    }

    /// Ends with the attempt at `index`.
    fn stand(&mut self, index: usize) -> Vec<Effect> {
        let reply = self.attempts[index].reply.clone().unwrap_or_default();
        let ending = self.protocol.ending(&Cause::Replied(&reply));
        if !self.protocol.streams() {
            return self.answer(ending, Some(index), None, String::new());
        }
        let mut effects = self.opened();
        effects.extend(self.close(ending, reply.words));
        effects.extend(self.say(&Said::Done { finish: self.finish.as_deref() }));
        effects
    }

    /// Ends with the attempt at `index`, or with what was `said` where none can be used.
    fn answer(&mut self, ending: Ending, index: Option<usize>, code: Option<&str>, said: String) -> Vec<Effect> {
        let stands = index.map(|index| self.attempts[index].clone()).unwrap_or_default();
        let words = stands.reply.as_ref().map_or_else(|| said.clone(), |reply| reply.words.clone());
        let ended = Ended {
            ending,
            reply: stands.reply,
            attempt: index.unwrap_or_default() as u32,
            findings: stands.findings,
            said,
            code: code.map(str::to_owned),
            finish: self.finish.clone(),
            tools: self.used.clone(),
            calls: self.calls,
        };
        let mut effects = self.close(ending, words);
        effects.push(Effect::Answer(Box::new(ended)));
        effects
    }

    /// Nothing happens behind it. A turn that was written is closed.
    fn close(&mut self, ending: Ending, text: String) -> Vec<Effect> {
        self.awaits = Awaits::Nothing;
        let mut effects = self.rest_of_words();
        effects.extend(self.begun.then_some(Effect::Close(Close { ending, text })));
        effects
    }
}
