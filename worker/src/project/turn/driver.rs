//! Runs a turn to its end: performs what the turn asks for, tells it what happened, and writes what it says into its log.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_check::ApiError;
use holdpoint_engine::turn::{Call, Close, Effect, Event, Turn};
use holdpoint_gateway::wire::Usage;
use holdpoint_kind::protocol::{Cause, Ended, Frame, Message, NoPrompt, Said, TokenUse, TurnRequest, TurnStatus};
use holdpoint_store::session::{self, Begun, Decision, NewTurn, Role, Sessions};
use serde_json::{Value, json};
use worker::State;

use super::Unbegun;
use super::host::{RequestEnd, TurnHost};
use super::log::{LastWord, TurnLog};
use super::sink::MAX_MS;
use super::upstream::{Ordered, Upstream, order};
use crate::answer::EdgeError;
use crate::js::{First, Gone, Watch, now_ms};
use crate::project::slots::{StopTurn, TakenSlot};
use crate::sql::ObjectSql;

pub struct Driver<H> {
    host: Rc<H>,
    turn: Turn,
    effects: VecDeque<Effect>,
    new: NewTurn,
    slot: TakenSlot,
    watch: Watch,
    since: i64,
    give: Option<oneshot::Sender<Result<TurnLog, Unbegun>>>,
    begun: Option<(Begun, TurnLog)>,
    /// How it ends, once that is known: it is written with the last that is said.
    close: Option<Close>,
    /// What is known of its newest call, for the log.
    call: Value,
    usage: Usage,
    /// What its calls were charged, in millionths of the currency.
    cost: u64,
    upstream: Option<Box<Upstream>>,
}

impl<H: TurnHost + 'static> Driver<H> {
    /// Takes the slot and says everything that can be said before a model is called. Writes nothing but the end of an
    /// expired session.
    pub fn new(host: Rc<H>, request: Box<dyn TurnRequest>) -> Result<Self, Unbegun> {
        let since = now_ms();
        let Some((slot, cancelled)) = host.object().slots.enter(host.slot()) else {
            return Err(host.busy().into());
        };
        host.may_begin(since)?;
        let model = match host.model() {
            Ok(model) => model.clone(),
            Err(why) => return Err(Unbegun::Off { request, why }),
        };
        let protocol = host.job().protocol;
        let new = NewTurn {
            protocol: protocol.id().to_owned(),
            message: request.message().to_owned(),
            correlation: host.job().correlation.clone(),
            record: host.record().map(|record| record.to_string()),
            again: request.replaces(),
        };
        let history = history(host.as_ref(), &new, since)?;
        let prompt = match request.compose(&model, &history) {
            Ok(prompt) => prompt,
            Err(NoPrompt::Off(why)) => return Err(Unbegun::Off { request, why }),
            Err(NoPrompt::Refused(why)) => return Err(EdgeError(why).into()),
        };
        let watch = Watch::new(Gone::never(), cancelled, host.deadline_ms());
        let (turn, effects) = Turn::new(protocol, request, model, history, prompt);
        Ok(Self {
            host,
            turn,
            effects: effects.into(),
            new,
            slot,
            watch,
            since,
            give: None,
            begun: None,
            close: None,
            call: json!({}),
            usage: Usage::default(),
            cost: 0,
            upstream: None,
        })
    }

    /// Stops this turn and no later one.
    pub fn stop(&self) -> StopTurn {
        self.slot.stop()
    }

    /// Runs the turn to its end. Its log is given as soon as it is written.
    pub fn run(mut self, state: &State) -> oneshot::Receiver<Result<TurnLog, Unbegun>> {
        let (give, begun) = oneshot::channel();
        self.give = Some(give);
        state.wait_until(async move {
            self.drive().await;
            self.slot.leave();
            self.host.object().set_alarm().await;
        });
        begun
    }

    async fn drive(&mut self) {
        loop {
            let mut next = None;
            while let Some(effect) = self.effects.pop_front() {
                match effect {
                    Effect::Begin => {
                        if let Err(fault) = self.begin().await {
                            self.abort();
                            return self.refuse(fault.0).await;
                        }
                    }
                    Effect::Abort => self.abort(),
                    Effect::Open => {
                        let names = self.host.names(self.begun.as_ref().map(|(begun, _)| begun));
                        for frame in self.turn.protocol().frames(&Said::Opened(&names)) {
                            self.emit(&frame).await;
                        }
                    }
                    Effect::NotRun { call, error } => {
                        if let Some((begun, _)) = &self.begun {
                            self.host.not_run(begun.turn, &call, &error);
                        }
                    }
                    Effect::Emit(frame) => self.emit(&frame).await,
                    Effect::Keep(text) => self.keep(&text),
                    Effect::Close(close) => self.close = Some(close),
                    Effect::Answer(ended) => self.answer(&ended).await,
                    Effect::Refuse(refused) => self.refuse(refused).await,
                    awaited @ (Effect::Call(_) | Effect::Tool(_) | Effect::Gate { .. }) => next = Some(awaited),
                }
            }
            if self.turn.is_over() {
                return;
            }
            let event = match next {
                Some(effect) => self.perform(effect).await,
                None => match &mut self.upstream {
                    Some(upstream) => upstream.next(&mut self.watch, self.turn.due()).await,
                    None => Event::Cancelled,
                },
            };
            let event = self.seen(event);
            self.effects.extend(self.turn.step(event));
        }
    }

    /// Does what the turn waits for.
    async fn perform(&mut self, effect: Effect) -> Event {
        match effect {
            Effect::Call(call) => self.order(&call).await,
            Effect::Tool(run) => {
                let host = self.host.clone();
                let result = match self.watch.race(host.tool(&run), MAX_MS).await {
                    First::Done(result) => result,
                    First::Gone | First::Cancelled => return Event::Cancelled,
                    First::Late | First::Over => return Event::Overdue,
                };
                if let Some((begun, _)) = &self.begun {
                    self.host.called(begun.turn, &run, &result);
                }
                Event::ToolDone { id: run.id, result }
            }
            Effect::Gate { gate, wire } => Event::Gated { findings: self.host.gate(gate, &wire).await },
            _ => Event::Cancelled,
        }
    }

    async fn order(&mut self, call: &Call) -> Event {
        self.call = self.host.log_call(self.since, call);
        let left = (self.deadline() - now_ms()).max(0).cast_unsigned();
        if left == 0 {
            return Event::Overdue;
        }
        self.watch.end_in(self.host.call_ms().min(left));
        match order(self.host.as_ref(), call, &mut self.watch).await {
            Ordered::Admitted(upstream) => {
                self.upstream = Some(upstream);
                Event::Admitted
            }
            Ordered::Not(event) => event,
        }
    }

    /// What an event is in the whole of the turn.
    fn seen(&mut self, event: Event) -> Event {
        if let (Event::Finished { .. }, Some(upstream)) = (&event, &self.upstream) {
            self.cost += upstream.cost();
            let usage = upstream.usage().unwrap_or_default();
            self.usage.input += usage.input;
            self.usage.cached_input += usage.cached_input;
            self.usage.cache_write += usage.cache_write;
            self.usage.output += usage.output;
            let told = self.turn.step(Event::Used(self.used_tokens()));
            self.effects.extend(told);
        }
        match event {
            Event::TimedOut if now_ms() >= self.deadline() => Event::Overdue,
            event => event,
        }
    }

    /// Tokens and cost of all calls, whatever was cached of them.
    fn used_tokens(&self) -> TokenUse {
        let usage = &self.usage;
        let input = usage.input + usage.cached_input + usage.cache_write;
        TokenUse { input, output: usage.output, cost: self.cost }
    }

    fn deadline(&self) -> i64 {
        self.since + self.host.deadline_ms().cast_signed()
    }

    async fn begin(&mut self) -> Result<(), EdgeError> {
        let host = &self.host;
        let writer = (host.job().protocol, host.job().correlation.as_str());
        let (begun, log) = in_sessions(host.as_ref(), |sessions| {
            let session = host.session(sessions);
            let begun = session.begin(now_ms(), &self.new, &host.request_names())?;
            let log = TurnLog::new(host.object(), session.id(), begun.turn, writer);
            Ok((begun, log))
        })?;
        self.begun = Some((begun, log.clone()));
        host.begun().await;
        if let Some(give) = self.give.take() {
            let _ = give.send(Ok(log));
        }
        Ok(())
    }

    async fn emit(&mut self, frame: &Frame) {
        if frame.last {
            return self.finish(&LastWord::Frame(frame), (200, None), json!({})).await;
        }
        let Some((_, log)) = &self.begun else { return };
        let written = in_sessions(self.host.as_ref(), |sessions| log.append(sessions, frame));
        failed("event_failed", written);
    }

    fn keep(&self, text: &str) {
        let Some((begun, _)) = &self.begun else { return };
        let correlation = &self.host.job().correlation;
        let kept = in_sessions(self.host.as_ref(), |sessions| Ok(sessions.keep(&begun.turn_id, correlation, text)?));
        failed("keep_failed", kept);
    }

    async fn answer(&mut self, ended: &Ended) {
        let begun = self.begun.as_ref().map(|(begun, _)| begun);
        match self.host.result(self.turn.request(), ended, begun, &self.usage) {
            Ok(result) => {
                let facts = result.facts.clone();
                let outcome = ended.ending.outcome.to_owned();
                self.finish(&LastWord::Result(&result), (200, Some(outcome)), facts).await;
            }
            Err(fault) => {
                worker::console_error!("{}", json!({"event": "result_failed", "cause": fault.code}));
                let cause = Cause::Broke;
                let protocol = self.turn.protocol();
                self.close = begun.map(|_| Close { ending: protocol.ending(&cause), text: String::new() });
                self.refuse(protocol.refusal(&cause).unwrap_or(fault.0)).await;
            }
        }
    }

    async fn refuse(&mut self, refused: ApiError) {
        let refused = self.host.worded(refused);
        let outcome = refused.details.get("outcome").and_then(Value::as_str).map(str::to_owned);
        let facts = json!({"code": refused.code});
        self.finish(&LastWord::Error(&refused), (refused.status, outcome), facts).await;
    }

    /// Ends the turn, or the request where no turn began. The slot is free before anybody hears it: the next request may
    /// follow at once.
    async fn finish(&mut self, last: &LastWord<'_>, (status, outcome): (u16, Option<String>), facts: Value) {
        let host = self.host.as_ref();
        let close = self.close.take();
        if let (Some((begun, log)), Some(close)) = (&self.begun, &close) {
            let closed = in_sessions(host, |sessions| {
                let used = (host.keep_ms(), self.used_tokens());
                log.close(sessions, (begun, &host.job().correlation), close, last, used)
            });
            failed("close_failed", closed);
        }
        self.slot.leave();
        let ending = close.as_ref().map(|close| close.ending);
        if let Some(ending) = ending.filter(|ending| ending.status == TurnStatus::Failed) {
            host.failed(ending.outcome, self.turn.raw()).await;
        }
        let outcome = outcome.as_deref().or(ending.map(|ending| ending.outcome));
        host.log_end(&RequestEnd {
            since: self.since,
            call: &self.call,
            status,
            outcome,
            facts,
            usage: &self.usage,
            chars: close.map(|close| close.text.chars().count()),
        });
        match (&self.begun, self.give.take(), last.outcome(outcome)) {
            (Some((_, log)), ..) => log.end(last, outcome),
            (None, Some(give), Some(outcome)) => drop(give.send(Err(Unbegun::Ended(outcome)))),
            (None, ..) => {}
        }
    }

    fn abort(&self) {
        if let Some(upstream) = &self.upstream {
            upstream.abort();
        }
    }
}

/// What was said before, as the call may carry it.
fn history(host: &impl TurnHost, new: &NewTurn, now: i64) -> Result<Vec<Message>, EdgeError> {
    let protocol = host.job().protocol;
    let said =
        in_sessions(host, |sessions| Ok(host.session(sessions).context(now, new, protocol.bounds().history)?))?;
    let message = |said: &session::Said| {
        let role = if said.role == Role::Assistant { "assistant" } else { "user" };
        protocol.past(role, &said.content, said.decision.map(Decision::as_str))
    };
    Ok(said.iter().map(message).collect())
}

fn in_sessions<T>(
    host: &impl TurnHost,
    work: impl FnOnce(&Sessions<'_, ObjectSql>) -> Result<T, EdgeError>,
) -> Result<T, EdgeError> {
    let workspace = host.object().workspace()?;
    work(&workspace.sessions(host.session_ttl_ms()))
}

/// Logs what could not be written; the turn goes on.
fn failed<T>(event: &str, written: Result<T, EdgeError>) {
    if let Err(fault) = written {
        worker::console_error!("{}", json!({"event": event, "cause": fault.code}));
    }
}
