//! A model's request in a tool's object: performs what the turn asks for and tells it what happened (spec:
//! script-tool.md §6, §7, §9).
//!
//! Runs under the object's own `waitUntil`, so that a client which leaves ends the turn and not this. Every rule is
//! `holdpoint_author::editor`'s. Invariants: one running request a user; nothing is written before the account admitted
//! the call; whatever happens after that, the turn is closed once.

use std::collections::VecDeque;
use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_author::editor::{
    self as rules, Answer, Call, ChatAsk, ChatTurn, Close, EditAsk, EditTurn, Effect, Event, Frame, Measures, Setting,
    outcome, past,
};
use holdpoint_kinds::script_tool::limits::CHAT_TAIL_MESSAGES;
use holdpoint_kinds::script_tool::outcome::{Outcome, TurnStatus};
use holdpoint_kinds::script_tool::prompts::Refusal;
use holdpoint_kinds::script_tool::tokens::Message;
use holdpoint_kinds::script_tool::window::OverBudget;
use holdpoint_store::session::{Begun, Decision, Ending, NewTurn, Role, Said, Status};
use serde_json::{Value, json};
use worker::Response;

use super::out::Out;
use super::reply::{in_flight, members};
use super::upstream::{Ordered, Upstream, order};
use crate::answer::{Fault, finish_word};
use crate::js::{Gone, Watch, now_ms};
use crate::kinds::script_tool::desk::Desk;
use crate::kinds::script_tool::question::{Ask, Question};
use crate::kinds::script_tool::{CHAT, EDIT_OPS, capture, log};

/// A turn of either kind.
enum Turn {
    Edit(Box<EditTurn>),
    Chat(ChatTurn),
}

impl Turn {
    fn step(&mut self, event: Event) -> Vec<Effect> {
        match self {
            Self::Edit(turn) => turn.step(event),
            Self::Chat(turn) => turn.step(event),
        }
    }

    fn is_over(&self) -> bool {
        match self {
            Self::Edit(turn) => turn.is_over(),
            Self::Chat(turn) => turn.is_over(),
        }
    }

    /// When it wants to be told the time.
    fn due(&self) -> Option<i64> {
        match self {
            Self::Edit(_) => None,
            Self::Chat(turn) => turn.due(),
        }
    }

    fn is_chat(&self) -> bool {
        matches!(self, Self::Chat(_))
    }
}

/// A request that may begin.
struct Ready {
    turn: Turn,
    effects: Vec<Effect>,
    new: NewTurn,
}

/// Why nothing begins.
enum Not {
    /// An error.
    Refused(Fault, &'static str),
    /// The feature is off for this call.
    Off { asked: Box<Asked>, code: &'static str, message: String },
}

impl From<Fault> for Not {
    fn from(fault: Fault) -> Self {
        Self::Refused(fault, "error")
    }
}

/// Runs a request. Never fails: every way ends in an answer given or a client gone.
pub async fn run(desk: Rc<Desk>, question: Question, gone: Gone, give: oneshot::Sender<Response>) {
    let since = now_ms();
    let limits = &desk.settings.limits;
    let user = question.principal.user_id.clone();
    let asked = read(&question);
    let measured = || match (&asked, &desk.editor.model) {
        (Ok(asked), Some(setting)) => asked.measures(setting),
        _ => Measures::default(),
    };
    let measures = question.eval.then(measured);
    let mut out = Out::new(give, &question.correlation_id, desk.editor.ping_ms, limits.client_stall_ms, measures);
    // The shape first: a wrong body is no second request.
    let asked = match asked {
        Ok(asked) => asked,
        Err(fault) => return out.refuse(&fault, "error"),
    };
    let Some((token, cancelled)) = desk.places.enter(&user) else { return out.refuse(&in_flight(), "error") };
    let mut watch = Watch::new(gone, cancelled, limits.total_ms);
    match ready(&desk, &question, asked, since) {
        Ok(Ready { turn, effects, new }) => {
            let mut work = Work {
                desk: &desk,
                question: &question,
                since,
                token,
                new,
                begun: None,
                outcome: None,
                logged: json!({}),
                upstream: None,
            };
            work.drive(turn, effects, &mut watch, &mut out).await;
        }
        Err(Not::Refused(fault, word)) => out.refuse(&fault, word),
        Err(Not::Off { asked, code, message }) => off(&asked, code, message, &mut watch, &mut out).await,
    }
    desk.places.leave(&user, token);
    desk.set_alarm().await;
}

/// What was asked for, in its shape.
enum Asked {
    Edit(EditAsk),
    Chat(ChatAsk),
}

impl Asked {
    fn measures(&self, setting: &Setting) -> Measures {
        match self {
            Self::Edit(ask) => rules::measure_edit_ops(setting, ask),
            Self::Chat(ask) => rules::measure_chat(setting, ask),
        }
    }
}

fn read(question: &Question) -> Result<Asked, Fault> {
    let asked = match &question.ask {
        Ask::Chat { body } => Asked::Chat(ChatAsk::read(body)?),
        Ask::EditOps { body } => Asked::Edit(EditAsk::read(body)?),
        _ => return Err(Fault::internal("no model's request")),
    };
    let (Asked::Chat(ChatAsk { files, .. }) | Asked::Edit(EditAsk { files, .. })) = &asked;
    rules::within_limits(files)?;
    Ok(asked)
}

/// Everything that can be said before a model is called. Writes nothing but the end of an expired thread.
fn ready(desk: &Desk, question: &Question, asked: Asked, since: i64) -> Result<Ready, Not> {
    let Some(setting) = desk.editor.model.as_ref().filter(|_| !desk.editor.off) else {
        let message = "The assistant is switched off here. Editing by hand works.".to_owned();
        return Err(Not::Off { asked: asked.into(), code: "FEATURE_OFF", message });
    };
    let (protocol, message, again) = match &asked {
        Asked::Edit(ask) => (EDIT_OPS, ask.message.clone(), ask.feedback.is_some()),
        Asked::Chat(ask) => (CHAT, ask.message.clone(), false),
    };
    let new = NewTurn {
        protocol: protocol.to_owned(),
        message,
        correlation: question.correlation_id.clone(),
        record: Some(json!({"provider": desk.editor.provider}).to_string()),
        again,
    };
    desk.expire(question, since)?;
    let history = history(desk, question, &new, since)?;
    let composed = match &asked {
        Asked::Edit(ask) => rules::edit_ops(setting, ask, &history, ask.feedback.as_ref()),
        Asked::Chat(ask) => rules::chat(setting, ask, &history),
    };
    let call = match composed {
        Ok(call) => call,
        Err(refusal) => return Err(refused(question, since, asked, refusal)),
    };
    let (turn, effects) = match asked {
        Asked::Edit(ask) => {
            let (turn, effects) = EditTurn::new(setting.clone(), ask, history, call);
            (Turn::Edit(Box::new(turn)), effects)
        }
        Asked::Chat(_) => {
            let (turn, effects) = ChatTurn::new(call);
            (Turn::Chat(turn), effects)
        }
    };
    Ok(Ready { turn, effects, new })
}

/// What was said before, as the call may carry it.
fn history(desk: &Desk, question: &Question, new: &NewTurn, since: i64) -> Result<Vec<Message>, Fault> {
    let workspace = desk.workspace()?;
    let sessions = desk.sessions(&workspace);
    let session = sessions.of(&question.tool_id, &question.principal.user_id);
    let said = session.context(since, new, CHAT_TAIL_MESSAGES as u32)?;
    let message = |said: &Said| {
        let role = if said.role == Role::Assistant { "assistant" } else { "user" };
        past::message(role, &said.content, said.decision.map(Decision::as_str))
    };
    Ok(said.iter().map(message).collect())
}

fn refused(question: &Question, since: i64, asked: Asked, refusal: Refusal) -> Not {
    match refusal {
        Refusal::Missing { pointer } => {
            let fault = Fault::new(422, "INVALID_INPUT", "Send the file that is open.").with("pointer", pointer.into());
            Not::Refused(fault, "error")
        }
        Refusal::OverBudget(over) => {
            let details = match over {
                OverBudget::System { system, system_cap } => json!({"system": system, "system_cap": system_cap}),
                OverBudget::Message { budget, system, user } => {
                    json!({"budget": budget, "system": system, "user": user})
                }
            };
            log::event("budget_over", question, since, json!({"code": over.code(), "numbers": details}));
            if matches!(over, OverBudget::System { .. }) {
                return Not::Off { asked: asked.into(), code: over.code(), message: over.to_string() };
            }
            let message = "This is longer than the model can read. Shorten it, or start a new chat.";
            Not::Refused(Fault { details: members(&details), ..Fault::new(422, over.code(), message) }, "over_budget")
        }
    }
}

/// The feature is off for this call: nothing was written, no model was asked.
async fn off(asked: &Asked, code: &str, message: String, watch: &mut Watch, out: &mut Out) {
    match asked {
        Asked::Edit(ask) => out.answer(&json!(Answer::off(ask, code, &message)), "error", watch).await,
        Asked::Chat(_) => {
            out.open_bare_stream();
            out.emit(&Frame::Off { message, code: Some(code.to_owned()) }, watch).await;
        }
    }
}

/// A request at work.
struct Work<'w> {
    desk: &'w Rc<Desk>,
    question: &'w Question,
    since: i64,
    token: u64,
    new: NewTurn,
    begun: Option<Begun>,
    /// How its turn was closed.
    outcome: Option<Outcome>,
    /// What is known of its newest call, for the log.
    logged: Value,
    upstream: Option<Box<Upstream>>,
}

impl Work<'_> {
    async fn drive(&mut self, mut turn: Turn, effects: Vec<Effect>, watch: &mut Watch, out: &mut Out) {
        let mut effects: VecDeque<Effect> = effects.into();
        loop {
            let mut ordered = None;
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Call(call) => ordered = Some(call),
                    Effect::Begin => {
                        if let Err(fault) = self.begin() {
                            self.abort().await;
                            self.ended(fault.status, None, json!({"code": fault.code}));
                            return out.refuse(&fault, "error");
                        }
                        if !turn.is_chat() {
                            out.open_answer();
                        }
                    }
                    Effect::Abort => self.abort().await,
                    Effect::Keep(text) => self.keep(&text),
                    Effect::Close(close) => self.close(&turn, &close).await,
                    Effect::Open => {
                        let meta = self.meta();
                        out.open_stream(&meta, watch).await;
                    }
                    Effect::Emit(frame) => {
                        if let Frame::Done { .. } = frame {
                            self.ended(200, self.outcome, json!({}));
                        }
                        out.emit(&frame, watch).await;
                    }
                    Effect::Answer(answer) => self.answer(&turn, *answer, watch, out).await,
                    Effect::Refuse(refused) => {
                        let outcome = log::outcome_of(&refused).or(self.outcome);
                        self.ended(refused.status, outcome, json!({"code": refused.code}));
                        out.refuse(&Fault::from(refused), outcome.map_or("error", outcome::eval_name));
                    }
                }
            }
            if turn.is_over() {
                return;
            }
            let event = if let Some(interrupt) = out.take_interrupt() {
                interrupt
            } else if let Some(call) = ordered {
                self.order(&turn, &call, watch).await
            } else if let Some(upstream) = &mut self.upstream {
                upstream.next(watch, out, turn.due()).await
            } else {
                Event::Cancelled
            };
            effects.extend(turn.step(event));
        }
    }

    async fn order(&mut self, turn: &Turn, call: &Call, watch: &mut Watch) -> Event {
        let editor = &self.desk.editor;
        let model = editor.model.as_ref().map_or("", |setting| setting.model.as_str());
        self.logged = log::request(self.question, self.since, call, &editor.provider, model);
        watch.end_in(if turn.is_chat() { editor.chat_timeout_ms } else { editor.ops_timeout_ms });
        match order(self.desk, self.question, call, watch).await {
            Ordered::Admitted(upstream) => {
                self.upstream = Some(upstream);
                Event::Admitted
            }
            Ordered::Not(event) => event,
        }
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let workspace = self.desk.workspace()?;
        let sessions = self.desk.sessions(&workspace);
        let session = sessions.of(&self.question.tool_id, &self.question.principal.user_id);
        self.begun = Some(session.begin(now_ms(), &self.new)?);
        Ok(())
    }

    fn keep(&self, text: &str) {
        let (Some(begun), Ok(workspace)) = (&self.begun, self.desk.workspace()) else { return };
        if let Err(error) = self.desk.sessions(&workspace).keep(&begun.turn_id, &self.question.correlation_id, text) {
            worker::console_error!("{}", json!({"event": "keep_failed", "cause": error.code()}));
        }
    }

    async fn close(&mut self, turn: &Turn, close: &Close) {
        let status = match close.outcome.turn() {
            TurnStatus::Complete => Status::Complete,
            TurnStatus::Cancelled => Status::Cancelled,
            TurnStatus::Failed | TurnStatus::Pending => Status::Failed,
        };
        let ending = Ending {
            status,
            outcome: (status == Status::Failed).then(|| outcome::name(close.outcome).to_owned()),
            text: close.text.clone(),
        };
        if let (Some(begun), Ok(workspace)) = (&self.begun, self.desk.workspace()) {
            let correlation_id = &self.question.correlation_id;
            let closed = self.desk.sessions(&workspace).close(now_ms(), &begun.turn_id, correlation_id, &ending);
            if let Err(error) = closed {
                worker::console_error!("{}", json!({"event": "close_failed", "cause": error.code()}));
            }
        }
        // The place is free before the answer is given: the next request may follow at once.
        self.desk.places.leave(&self.question.principal.user_id, self.token);
        self.outcome = Some(close.outcome);
        self.logged["assistant_chars"] = json!(close.text.chars().count());
        if let Turn::Edit(edit) = turn
            && status == Status::Failed
        {
            capture::generation(self.desk, self.question, close.outcome, edit.raw()).await;
        }
    }

    fn ended(&self, status: u16, outcome: Option<Outcome>, more: Value) {
        log::ended(self.question, self.since, &self.logged, status, outcome, more);
    }

    fn meta(&self) -> Frame {
        let begun = self.begun.as_ref();
        Frame::Meta {
            correlation_id: self.question.correlation_id.clone(),
            turn_id: begun.map(|begun| begun.turn_id.clone()).unwrap_or_default(),
            assistant_message_id: begun.map(|begun| begun.assistant_message_id.clone()).unwrap_or_default(),
        }
    }

    async fn answer(&self, turn: &Turn, mut answer: Answer, watch: &mut Watch, out: &mut Out) {
        answer.turn_id = self.begun.as_ref().map(|begun| begun.turn_id.clone());
        let Answer { outcome, ref code, ref ops, ref repairs, repaired, .. } = answer;
        let finish_reason = if let Turn::Edit(edit) = turn { edit.finish_reason().and_then(finish_word) } else { None };
        let parse_ok = matches!(outcome, Outcome::Ok | Outcome::Empty | Outcome::IncompatibleOps);
        let more = json!({
            "code": code, "finish_reason": finish_reason, "parse_ok": parse_ok, "ops": ops.len(), "repairs": repairs,
            "repaired": repaired.unwrap_or_default(),
        });
        self.ended(200, Some(outcome), more);
        out.answer(&json!(answer), outcome::eval_name(outcome), watch).await;
    }

    async fn abort(&self) {
        if let Some(upstream) = &self.upstream {
            upstream.abort().await;
        }
    }
}
