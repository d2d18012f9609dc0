//! The driver of a turn that outlives its client: its events go into the store, and whoever listens reads them there
//! (ENGINE §6; spec: ai-sessions.md §6.1, §9).
//!
//! Runs under the object's own `waitUntil`. Every rule is `holdpoint_engine::turn`'s and the protocol's. Invariants:
//! nothing is written before the account admitted the call; whatever happens after that, the turn ends once, in one
//! transaction with its last event; a turn of an object that went away is ended by the next one.

use std::collections::VecDeque;

use futures_channel::oneshot;
use holdpoint_check::ApiError;
use holdpoint_engine::turn::{Call, Close, Effect, Event, Turn};
use holdpoint_gateway::wire::Usage;
use holdpoint_kind::protocol::{
    Cause, Delivery, Ended, Frame, ModelSetting, NoPrompt, Protocol, Said, TurnRequest, TurnStatus,
};
use holdpoint_store::session::{Begun, Ending, LastEvent, NewTurn, Status};
use serde_json::{Value, json};

use super::Object;
use super::out::Out;
use super::site::{Over, Site};
use super::upstream::{Ordered, Upstream, order};
use crate::answer::EdgeError;
use crate::js::{Gone, Watch, now_ms};
use crate::kinds;

/// The last event of a turn that has a result.
pub const RESULT: &str = "result";
/// The last event of any other.
pub const ERROR: &str = "error";
/// How long the events of a turn are kept behind its end.
pub const KEEP_MS: i64 = 600_000;
/// When the alarm looks again for turns that nobody drives.
pub const LOOK_AGAIN_MS: i64 = 60_000;

/// What a turn ends with.
pub struct Result {
    /// The answer.
    pub data: Value,
    /// What is kept of the turn.
    pub record: Value,
    /// The change set that it speaks of.
    pub change_set: Option<i64>,
    /// Numbers and codes of it, for the log.
    pub facts: Value,
}

/// What a turn used, for its answer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    /// As providers reported it, over all calls.
    pub usage: Usage,
}

impl Spent {
    /// Tokens of prompts, whatever was cached of them, and of answers.
    pub fn told(&self) -> Value {
        let Usage { input, cached_input, cache_write, output, .. } = self.usage;
        json!({"input": input + cached_input + cache_write, "output": output})
    }
}

/// Runs a turn to its end; the number of the turn is given as soon as it is written.
pub async fn run<S: Site>(
    site: &S,
    asked: Box<dyn TurnRequest>,
    model: ModelSetting,
    give: oneshot::Sender<std::result::Result<i64, EdgeError>>,
) {
    let since = now_ms();
    let Some((token, cancelled)) = site.lanes().enter(site.lane()) else {
        let _ = give.send(Err(site.busy()));
        return;
    };
    let job = site.job();
    let new = NewTurn {
        protocol: job.protocol.id().to_owned(),
        message: asked.message().to_owned(),
        correlation: job.correlation.clone(),
        record: None,
        again: false,
    };
    let prompt = site.may_begin().and_then(|()| match asked.compose(&model, &[]) {
        Err(NoPrompt::Off(why) | NoPrompt::Refused(why)) => Err(why.into()),
        Ok(prompt) => Ok(prompt),
    });
    match prompt {
        Err(why) => drop(give.send(Err(why))),
        Ok(prompt) => {
            let (turn, effects) = Turn::new(job.protocol, asked, model, Vec::new(), prompt);
            let watch = Watch::new(Gone::never(), cancelled, site.deadline_ms());
            let until = since + site.deadline_ms().cast_signed();
            let mut work = Work {
                site,
                since,
                until,
                token,
                new,
                give: Some(give),
                begun: None,
                close: None,
                logged: json!({}),
                spent: Spent::default(),
                upstream: None,
            };
            work.drive(turn, effects, watch).await;
        }
    }
    site.lanes().leave(site.lane(), token);
    site.set_alarm().await;
}

/// Ends the turns that nobody drives any more; answers how many those were.
pub fn interrupt(object: &Object) -> std::result::Result<usize, EdgeError> {
    let workspace = object.workspace()?;
    let sessions = object.sessions(&workspace);
    let mut ended = 0;
    for protocol in protocols() {
        for (lane, logged) in sessions.pending(protocol.id())? {
            if object.lanes.is_taken(&lane) {
                continue;
            }
            let error = protocol.refusal(&Cause::Interrupted);
            let (data, record) = failed(&error);
            let ending = ended_as(protocol, &Cause::Interrupted);
            let (data, record) = (data.to_string(), record.to_string());
            let last = LastEvent {
                ending: &ending,
                name: ERROR,
                data: &data,
                record: Some(&record),
                change_set: None,
                keep_ms: KEEP_MS,
            };
            if sessions.close_with(now_ms(), logged.turn, &logged.correlation, &last)? {
                ended += 1;
                kinds::interrupted(object, &lane, &error.code)?;
            }
            object.feeds.ring(logged.turn);
        }
    }
    Ok(ended)
}

/// When the object looks again at the logs of its turns.
pub fn next_look(object: &Object) -> std::result::Result<Option<i64>, EdgeError> {
    let workspace = object.workspace()?;
    let sessions = object.sessions(&workspace);
    let mut runs = false;
    for protocol in protocols() {
        runs |= !sessions.pending(protocol.id())?.is_empty();
    }
    let again = runs.then(|| now_ms() + LOOK_AGAIN_MS);
    Ok(sessions.next_forgetting()?.into_iter().chain(again).min())
}

/// Those whose turns outlive their clients.
fn protocols() -> impl Iterator<Item = &'static dyn Protocol> {
    let all = holdpoint_kinds::KINDS.iter().flat_map(|entry| entry.protocols.iter().copied());
    all.filter(|protocol| protocol.delivery() == Delivery::Kept)
}

/// The envelope of an error, and what is kept of it: an envelope says no status, and lists of messages read no
/// events.
fn failed(error: &ApiError) -> (Value, Value) {
    (json!({"data": null, "error": error}), json!({"status": error.status, "code": error.code, "error": error}))
}

fn ended_as(protocol: &dyn Protocol, cause: &Cause<'_>) -> Ending {
    let ending = protocol.ending(cause);
    Ending { status: status(ending.status), outcome: Some(ending.outcome.to_owned()), text: String::new() }
}

fn status(status: TurnStatus) -> Status {
    match status {
        TurnStatus::Complete => Status::Complete,
        TurnStatus::Cancelled => Status::Cancelled,
        TurnStatus::Failed | TurnStatus::Pending => Status::Failed,
    }
}

/// A turn at work.
struct Work<'w, S> {
    site: &'w S,
    since: i64,
    /// When its time is over.
    until: i64,
    token: u64,
    new: NewTurn,
    give: Option<oneshot::Sender<std::result::Result<i64, EdgeError>>>,
    begun: Option<Begun>,
    /// How it ends, once that is known: it is written with its last event.
    close: Option<Close>,
    /// What is known of its newest call, for the log.
    logged: Value,
    spent: Spent,
    upstream: Option<Box<Upstream>>,
}

impl<S: Site> Work<'_, S> {
    async fn drive(&mut self, mut turn: Turn, effects: Vec<Effect>, mut watch: Watch) {
        let mut effects: VecDeque<Effect> = effects.into();
        let mut nobody = Out::nobody();
        loop {
            let mut next = None;
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Begin => {
                        if let Err(fault) = self.begin() {
                            self.abort().await;
                            return self.refuse(fault.0);
                        }
                        self.site.begun().await;
                    }
                    Effect::Abort => self.abort().await,
                    Effect::Open => {
                        let names = self.begun.as_ref().map(|begun| self.site.names(begun)).unwrap_or_default();
                        for frame in turn.protocol().frames(&Said::Opened(&names)) {
                            self.emit(&frame);
                        }
                        // Who asked hears of the turn once its first event is there.
                        if let (Some(give), Some(begun)) = (self.give.take(), &self.begun) {
                            let _ = give.send(Ok(begun.turn));
                        }
                    }
                    Effect::NotRun { call, error } => {
                        if let Some(begun) = &self.begun {
                            self.site.not_run(begun.turn, &call, &error);
                        }
                    }
                    Effect::Emit(frame) => self.emit(&frame),
                    Effect::Close(close) => self.close = Some(close),
                    Effect::Answer(ended) => self.answer(&turn, &ended),
                    Effect::Refuse(refused) => self.refuse(refused),
                    Effect::Keep(_) => {}
                    awaited @ (Effect::Call(_) | Effect::Tool(_) | Effect::Gate { .. }) => next = Some(awaited),
                }
            }
            if turn.is_over() {
                return;
            }
            let event = match next {
                Some(effect) => self.perform(effect, &mut watch).await,
                None => match &mut self.upstream {
                    Some(upstream) => upstream.next(&mut watch, &mut nobody, None).await,
                    None => Event::Cancelled,
                },
            };
            effects.extend(turn.step(self.seen(event)));
        }
    }

    /// What an event is in the whole of the turn.
    fn seen(&mut self, event: Event) -> Event {
        if let (Event::Finished { .. }, Some(upstream)) = (&event, &self.upstream) {
            let usage = upstream.usage().unwrap_or_default();
            let spent = &mut self.spent.usage;
            spent.input += usage.input;
            spent.cached_input += usage.cached_input;
            spent.cache_write += usage.cache_write;
            spent.output += usage.output;
        }
        match event {
            Event::TimedOut if now_ms() >= self.until => Event::Overdue,
            event => event,
        }
    }

    /// Does what the turn waits for.
    async fn perform(&mut self, effect: Effect, watch: &mut Watch) -> Event {
        match effect {
            Effect::Call(call) => self.order(&call, watch).await,
            Effect::Tool(run) => {
                let result = self.site.tool(&run).await;
                if let Some(begun) = &self.begun {
                    self.site.called(begun.turn, &run, &result);
                }
                Event::ToolDone { id: run.id, result }
            }
            Effect::Gate { gate, wire } => Event::Gated { findings: self.site.gate(gate, &wire).await },
            _ => Event::Cancelled,
        }
    }

    async fn order(&mut self, call: &Call, watch: &mut Watch) -> Event {
        self.logged = self.site.ordered(self.since, call);
        let left = (self.until - now_ms()).max(0).cast_unsigned();
        if left == 0 {
            return Event::Overdue;
        }
        watch.end_in(self.site.call_ms().min(left));
        match order(self.site, call, watch).await {
            Ordered::Admitted(upstream) => {
                self.upstream = Some(upstream);
                Event::Admitted
            }
            Ordered::Not(event) => event,
        }
    }

    fn begin(&mut self) -> std::result::Result<(), EdgeError> {
        let workspace = self.site.workspace()?;
        let sessions = workspace.sessions(self.site.session_ttl_ms());
        let session = self.site.session(&sessions);
        self.begun = Some(session.begin_as(now_ms(), &self.new, &self.site.sent())?);
        Ok(())
    }

    fn emit(&self, frame: &Frame) {
        let Some(begun) = &self.begun else { return };
        let written = self.site.workspace().and_then(|workspace| {
            let sessions = workspace.sessions(self.site.session_ttl_ms());
            Ok(sessions.emit(begun.turn, frame.name, &frame.data.to_string())?)
        });
        if let Err(fault) = written {
            worker::console_error!("{}", json!({"event": "event_failed", "cause": fault.code}));
        }
        self.site.feeds().ring(begun.turn);
    }

    fn answer(&mut self, turn: &Turn, ended: &Ended) {
        let Some(begun) = self.begun.clone() else { return };
        match self.site.result(turn.request(), ended, &begun, &self.spent) {
            Ok(Result { data, record, change_set, facts: more }) => {
                let mut facts = turn.request().facts(ended);
                facts["usage"] = self.spent.told();
                if let (Value::Object(facts), Value::Object(more)) = (&mut facts, more) {
                    facts.extend(more);
                }
                self.end(&begun, RESULT, &json!({"data": data, "error": null}), &record, change_set);
                self.over(200, Some(ended.ending.outcome), facts);
            }
            Err(fault) => {
                worker::console_error!("{}", json!({"event": "result_failed", "cause": fault.code}));
                let cause = Cause::Broke;
                let error = turn.protocol().refusal(&cause);
                self.close = Some(Close { ending: turn.protocol().ending(&cause), text: String::new() });
                self.refuse(error);
            }
        }
    }

    /// Ends the turn, or the request where no turn began.
    fn refuse(&mut self, refused: ApiError) {
        let refused = self.site.told(refused);
        let outcome = self.close.as_ref().map(|close| close.ending.outcome);
        let code = refused.code.clone();
        match (self.begun.clone(), self.give.take()) {
            (Some(begun), None) => {
                let (data, record) = failed(&refused);
                self.end(&begun, ERROR, &data, &record, None);
            }
            (_, Some(give)) => drop(give.send(Err(EdgeError(refused.clone())))),
            (None, None) => {}
        }
        self.over(refused.status, outcome, json!({"code": code, "usage": self.spent.told()}));
    }

    /// Writes the end of the turn with its last event. The lane is free before anybody hears it.
    fn end(&mut self, begun: &Begun, name: &str, data: &Value, record: &Value, change_set: Option<i64>) {
        let Some(Close { ending, text }) = self.close.take() else { return };
        let complete = ending.status == TurnStatus::Complete;
        let ending =
            Ending { status: status(ending.status), outcome: (!complete).then(|| ending.outcome.to_owned()), text };
        let (data, record) = (data.to_string(), record.to_string());
        let last = LastEvent {
            ending: &ending,
            name,
            data: &data,
            record: Some(&record),
            change_set,
            keep_ms: self.site.keep_ms(),
        };
        let closed = self.site.workspace().and_then(|workspace| {
            let sessions = workspace.sessions(self.site.session_ttl_ms());
            Ok(sessions.close_with(now_ms(), begun.turn, &self.site.job().correlation, &last)?)
        });
        if let Err(fault) = closed {
            worker::console_error!("{}", json!({"event": "close_failed", "cause": fault.code}));
        }
        self.site.lanes().leave(self.site.lane(), self.token);
        self.site.feeds().ring(begun.turn);
    }

    fn over(&self, status: u16, outcome: Option<&str>, more: Value) {
        self.site.over(&Over { since: self.since, call: &self.logged, status, outcome, more });
    }

    async fn abort(&self) {
        if let Some(upstream) = &self.upstream {
            upstream.abort().await;
        }
    }
}
