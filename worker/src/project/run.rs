//! The driver of a turn: performs what the turn asks for and tells it what happened (ENGINE §6; spec: script-tool.md
//! §6, §7, §9).
//!
//! Runs under the object's own `waitUntil`, so that a client which leaves ends the turn and not this. Every rule is
//! `holdpoint_engine::turn`'s and the protocol's; what only one kind has stands behind [`Site`]. Invariants: one running
//! request a lane; nothing is written before the account admitted the call; whatever happens after that, the turn is
//! closed once.

use std::collections::VecDeque;

use futures_channel::oneshot;
use holdpoint_engine::turn::{Call, Close, Effect, Event, Turn};
use holdpoint_kind::protocol::{
    Delivery, Ended, Ending, Frame, Message, Names, NoPrompt, Said as Told, TurnRequest, TurnStatus,
};
use holdpoint_store::session::{self, Begun, Decision, NewTurn, Role, Session, Sessions, Status};
use serde_json::{Value, json};
use worker::Response;

use super::out::{Measured, Out};
use super::reply::in_flight;
use super::site::{Job, Over, Site};
use super::upstream::{Ordered, Upstream, order};
use crate::answer::{EdgeError, finish_word};
use crate::js::{Gone, Watch, now_ms};
use crate::sql::ObjectSql;

/// Runs a request. Never fails: every way ends in an answer given or a client gone.
pub async fn run<S: Site>(site: &S, gone: Gone, give: oneshot::Sender<Response>) {
    let since = now_ms();
    let (job, limits) = (site.job(), site.limits());
    let asked = job.protocol.ask(&job.body).map_err(EdgeError::from);
    let measured = job.measured.map(|prefix| Measured {
        prefix,
        values: match (&asked, site.model()) {
            (Ok(asked), Some(model)) => asked.measures(model),
            _ => Vec::new(),
        },
    });
    let mut out = Out::new(give, &job.correlation, site.ping_ms(), limits.client_stall_ms, measured);
    // The shape first: a wrong body is no second request.
    let asked = match asked {
        Ok(asked) => asked,
        Err(fault) => return out.refuse(&fault, site.word(None)),
    };
    let Some((token, cancelled)) = site.lanes().enter(&job.user) else {
        return out.refuse(&in_flight(), site.word(None));
    };
    let mut watch = Watch::new(gone, cancelled, limits.total_ms);
    match ready(site, asked, since) {
        Ok((turn, effects, new)) => {
            let mut work =
                Work { site, since, token, new, begun: None, ending: None, logged: json!({}), upstream: None };
            work.drive(turn, effects, &mut watch, &mut out).await;
        }
        Err(Not::EdgeError(fault)) => out.refuse(&fault, site.word(None)),
        Err(Not::Prompt(asked, no)) => unasked(site, asked.as_ref(), no, since, &mut watch, &mut out).await,
    }
    site.lanes().leave(&job.user, token);
    site.set_alarm().await;
}

/// Why nothing begins.
enum Not {
    /// Something failed.
    EdgeError(EdgeError),
    /// There is no prompt.
    Prompt(Box<dyn TurnRequest>, NoPrompt),
}

impl From<EdgeError> for Not {
    fn from(fault: EdgeError) -> Self {
        Self::EdgeError(fault)
    }
}

type Ready = (Turn, Vec<Effect>, NewTurn);

/// Everything that can be said before a model is called. Writes nothing but the end of an expired session.
fn ready(site: &impl Site, asked: Box<dyn TurnRequest>, since: i64) -> Result<Ready, Not> {
    let job = site.job();
    let model = match site.on() {
        Ok(model) => model.clone(),
        Err(off) => return Err(Not::Prompt(asked, NoPrompt::Off(off))),
    };
    let new = NewTurn {
        protocol: job.protocol.id().to_owned(),
        message: asked.message().to_owned(),
        correlation: job.correlation.clone(),
        record: Some(json!({"provider": site.provider()}).to_string()),
        again: asked.replaces(),
    };
    site.expire(since)?;
    let history = in_session(site, |_, session| history(job, session, &new, since))?;
    let prompt = match asked.compose(&model, &history) {
        Ok(prompt) => prompt,
        Err(no) => return Err(Not::Prompt(asked, no)),
    };
    let (turn, effects) = Turn::new(job.protocol, asked, model, history, prompt);
    Ok((turn, effects, new))
}

/// What was said before, as the call may carry it.
fn history(job: &Job, session: &Session<'_, ObjectSql>, new: &NewTurn, since: i64) -> Result<Vec<Message>, EdgeError> {
    let said = session.context(since, new, job.protocol.bounds().history)?;
    let message = |said: &session::Said| {
        let role = if said.role == Role::Assistant { "assistant" } else { "user" };
        job.protocol.past(role, &said.content, said.decision.map(Decision::as_str))
    };
    Ok(said.iter().map(message).collect())
}

/// The session that a request belongs to, and all of them.
fn in_session<T>(
    site: &impl Site,
    work: impl FnOnce(&Sessions<'_, ObjectSql>, &Session<'_, ObjectSql>) -> Result<T, EdgeError>,
) -> Result<T, EdgeError> {
    let workspace = site.workspace()?;
    let sessions = workspace.sessions(site.session_ttl_ms());
    let session = sessions.of(&site.job().bundle, &site.job().user);
    work(&sessions, &session)
}

/// Nothing was written, no model was asked.
async fn unasked(
    site: &impl Site,
    asked: &dyn TurnRequest,
    no: NoPrompt,
    since: i64,
    watch: &mut Watch,
    out: &mut Out,
) {
    let protocol = site.job().protocol;
    let (NoPrompt::Off(why) | NoPrompt::Refused(why)) = &no;
    let word = site.unasked(since, why);
    match &no {
        NoPrompt::Refused(why) => out.refuse(&EdgeError::from(why.clone()), word),
        NoPrompt::Off(why) if protocol.delivery() == Delivery::Whole => out.answer(&asked.off(why), word, watch).await,
        NoPrompt::Off(why) => {
            out.open_stream();
            for frame in protocol.frames(&Told::Off(why)) {
                out.emit(&frame, watch).await;
            }
        }
    }
}

/// A request at work.
struct Work<'w, S> {
    site: &'w S,
    since: i64,
    token: u64,
    new: NewTurn,
    begun: Option<Begun>,
    /// How its turn was closed.
    ending: Option<Ending>,
    /// What is known of its newest call, for the log.
    logged: Value,
    upstream: Option<Box<Upstream>>,
}

impl<S: Site> Work<'_, S> {
    async fn drive(&mut self, mut turn: Turn, effects: Vec<Effect>, watch: &mut Watch, out: &mut Out) {
        let mut effects: VecDeque<Effect> = effects.into();
        loop {
            let mut next = None;
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Begin => {
                        if let Err(fault) = self.begin() {
                            self.abort().await;
                            self.ended(fault.status, None, json!({"code": fault.code}));
                            return out.refuse(&fault, self.site.word(None));
                        }
                        if turn.protocol().delivery() == Delivery::Whole {
                            out.open_answer();
                        }
                    }
                    Effect::Abort => self.abort().await,
                    Effect::Keep(text) => self.keep(&text),
                    Effect::NotRun { .. } => {}
                    Effect::Close(close) => self.close(&turn, &close).await,
                    Effect::Open => {
                        out.open_stream();
                        for frame in turn.protocol().frames(&Told::Opened(&self.names())) {
                            out.emit(&frame, watch).await;
                        }
                    }
                    Effect::Emit(frame) => self.emit(&frame, watch, out).await,
                    Effect::Answer(ended) => self.answer(&turn, &ended, watch, out).await,
                    Effect::Refuse(refused) => {
                        let outcome = refused.details.get("outcome").and_then(Value::as_str);
                        let outcome = outcome.or(self.ending.map(|ending| ending.outcome)).map(str::to_owned);
                        self.ended(refused.status, outcome.as_deref(), json!({"code": refused.code}));
                        let word = self.site.word(outcome.as_deref());
                        out.refuse(&EdgeError::from(refused), word);
                    }
                    awaited @ (Effect::Call(_) | Effect::Tool(_) | Effect::Gate { .. }) => next = Some(awaited),
                }
            }
            if turn.is_over() {
                return;
            }
            let event = match (out.take_interrupt(), next) {
                (Some(interrupt), _) => interrupt,
                (None, Some(effect)) => self.perform(effect, watch).await,
                (None, None) => match &mut self.upstream {
                    Some(upstream) => upstream.next(watch, out, turn.due()).await,
                    None => Event::Cancelled,
                },
            };
            effects.extend(turn.step(event));
        }
    }

    /// Does what the turn waits for.
    async fn perform(&mut self, effect: Effect, watch: &mut Watch) -> Event {
        match effect {
            Effect::Call(call) => self.order(&call, watch).await,
            Effect::Tool(run) => Event::ToolDone { result: self.site.tool(&run).await, id: run.id },
            Effect::Gate { gate, wire } => Event::Gated { findings: self.site.gate(gate, &wire).await },
            _ => Event::Cancelled,
        }
    }

    async fn order(&mut self, call: &Call, watch: &mut Watch) -> Event {
        self.logged = self.site.ordered(self.since, call);
        watch.end_in(self.site.call_ms());
        match order(self.site, call, watch).await {
            Ordered::Admitted(upstream) => {
                self.upstream = Some(upstream);
                Event::Admitted
            }
            Ordered::Not(event) => event,
        }
    }

    fn begin(&mut self) -> Result<(), EdgeError> {
        self.begun = Some(in_session(self.site, |_, session| Ok(session.begin(now_ms(), &self.new)?))?);
        Ok(())
    }

    fn keep(&self, text: &str) {
        let Some(begun) = &self.begun else { return };
        let correlation = &self.site.job().correlation;
        let kept = in_session(self.site, |sessions, _| Ok(sessions.keep(&begun.turn_id, correlation, text)?));
        if let Err(fault) = kept {
            worker::console_error!("{}", json!({"event": "keep_failed", "cause": fault.code}));
        }
    }

    async fn close(&mut self, turn: &Turn, close: &Close) {
        let Close { ending, text } = close;
        let status = match ending.status {
            TurnStatus::Complete => Status::Complete,
            TurnStatus::Cancelled => Status::Cancelled,
            TurnStatus::Failed | TurnStatus::Pending => Status::Failed,
        };
        let has_failed = status == Status::Failed;
        let row =
            session::Ending { status, outcome: has_failed.then(|| ending.outcome.to_owned()), text: text.clone() };
        let job = self.site.job();
        if let Some(begun) = &self.begun {
            let closed = in_session(self.site, |sessions, _| {
                Ok(sessions.close(now_ms(), &begun.turn_id, &job.correlation, &row)?)
            });
            if let Err(fault) = closed {
                worker::console_error!("{}", json!({"event": "close_failed", "cause": fault.code}));
            }
        }
        // The place is free before the answer is given: the next request may follow at once.
        self.site.lanes().leave(&job.user, self.token);
        self.ending = Some(*ending);
        self.logged["assistant_chars"] = json!(text.chars().count());
        if has_failed {
            self.site.failed(ending.outcome, turn.raw()).await;
        }
    }

    async fn emit(&self, frame: &Frame, watch: &mut Watch, out: &mut Out) {
        if frame.last {
            self.ended(200, self.ending.map(|ending| ending.outcome), json!({}));
        }
        out.emit(frame, watch).await;
    }

    async fn answer(&self, turn: &Turn, ended: &Ended, watch: &mut Watch, out: &mut Out) {
        let mut facts = turn.request().facts(ended);
        facts["finish_reason"] = json!(ended.finish.as_deref().and_then(finish_word));
        self.ended(200, Some(ended.ending.outcome), facts);
        let answer = turn.request().answer(ended, &self.names());
        out.answer(&answer, self.site.word(Some(ended.ending.outcome)), watch).await;
    }

    /// How the request ended; `outcome` is missing where its call was never admitted.
    fn ended(&self, status: u16, outcome: Option<&str>, more: Value) {
        self.site.over(&Over { since: self.since, call: &self.logged, status, outcome, more });
    }

    fn names(&self) -> Names {
        let begun = self.begun.as_ref();
        Names {
            correlation: self.site.job().correlation.clone(),
            turn: begun.map(|begun| begun.turn_id.clone()).unwrap_or_default(),
            message: begun.map(|begun| begun.assistant_message_id.clone()).unwrap_or_default(),
        }
    }

    async fn abort(&self) {
        if let Some(upstream) = &self.upstream {
            upstream.abort().await;
        }
    }
}
