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
    self as rules, Call, ChatAsk, ChatTurn, Close, EditAsk, EditTurn, Effect, Event, Frame, outcome, past,
};
use holdpoint_kinds::script_tool::limits::CHAT_TAIL_MESSAGES;
use holdpoint_kinds::script_tool::outcome::{Outcome, TurnStatus};
use holdpoint_kinds::script_tool::prompts::Refusal;
use holdpoint_kinds::script_tool::tokens::Message;
use holdpoint_kinds::script_tool::window::OverBudget;
use holdpoint_store::thread::{Begun, Ending, NewTurn, Role, Status, TurnKind};
use serde_json::{Value, json};
use worker::Response;

use super::desk::Desk;
use super::out::Out;
use super::question::{Ask, Question};
use super::reply::{in_flight, members};
use super::upstream::{Ordered, Upstream, order};
use super::{capture, log};
use crate::answer::Fault;
use crate::js::{Gone, Watch, now_ms};

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

    fn is_chat(&self) -> bool {
        matches!(self, Self::Chat(_))
    }
}

/// A request that may begin.
struct Ready {
    turn: Turn,
    effects: Vec<Effect>,
    message: String,
    /// Whether it asks once more for the same.
    again: bool,
}

/// Why nothing begins.
enum Not {
    /// An error.
    Refused(Fault, &'static str),
    /// The feature is off for this call.
    Off(String, String),
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
    let ping_ms = desk.editor.ping_ms;
    let mut out = Out::new(give, &question.correlation_id, ping_ms, limits.client_stall_ms, question.eval);
    let user = question.principal.user_id.clone();
    // The shape first: a wrong body is no second request.
    let asked = match read(&question) {
        Ok(asked) => asked,
        Err(fault) => return out.refuse(&fault, "error"),
    };
    let Some((token, cancelled)) = desk.enter(&user) else { return out.refuse(&in_flight(), "error") };
    let mut watch = Watch::new(gone, cancelled, limits.total_ms);
    match ready(&desk, &question, asked, since) {
        Ok(ready) => {
            let mut work = Work { desk: &desk, question: &question, since, token, begun: None, upstream: None };
            work.drive(ready, &mut watch, &mut out).await;
        }
        Err(Not::Refused(fault, word)) => out.refuse(&fault, word),
        Err(Not::Off(code, message)) => off(&question, &code, &message, &mut watch, &mut out).await,
    }
    desk.leave(&user, token);
    desk.set_alarm().await;
}

/// What was asked for, in its shape.
enum Asked {
    Edit(EditAsk),
    Chat(ChatAsk),
}

fn read(question: &Question) -> Result<Asked, Fault> {
    let (asked, files) = match &question.ask {
        Ask::Chat { body } => {
            let ask = ChatAsk::read(body)?;
            let files = ask.files.clone();
            (Asked::Chat(ask), files)
        }
        Ask::EditOps { body } => {
            let ask = EditAsk::read(body)?;
            let files = ask.files.clone();
            (Asked::Edit(ask), files)
        }
        _ => return Err(Fault::internal("no model's request")),
    };
    rules::within_limits(&files)?;
    Ok(asked)
}

/// Everything that can be said before a model is called. Writes nothing but the end of an expired thread.
fn ready(desk: &Desk, question: &Question, asked: Asked, since: i64) -> Result<Ready, Not> {
    let Some(setting) = desk.editor.model.as_ref().filter(|_| !desk.editor.off) else {
        return Err(Not::Off(
            "FEATURE_OFF".to_owned(),
            "The assistant is switched off here. Editing by hand works.".to_owned(),
        ));
    };
    let tool = desk.tool()?;
    let threads = desk.threads(&tool);
    if threads.expire(since).map_err(Fault::from)? > 0 {
        log::event("thread_expired", question, since, json!({"by": "access"}));
    }
    let said = threads.context(since, &question.principal.user_id, CHAT_TAIL_MESSAGES as u32).map_err(Fault::from)?;
    let history: Vec<Message> = said
        .iter()
        .map(|said| {
            let role = if said.role == Role::Assistant { "assistant" } else { "user" };
            past::message(role, &said.content, said.decision.map(holdpoint_store::thread::Decision::as_str))
        })
        .collect();
    let composed = match &asked {
        Asked::Edit(ask) => rules::edit_ops(setting, ask, &history, ask.feedback.as_ref()),
        Asked::Chat(ask) => rules::chat(setting, ask, &history),
    };
    let call = composed.map_err(|refusal| refused(question, since, refusal))?;
    Ok(match asked {
        Asked::Edit(ask) => {
            let (message, again) = (ask.message.clone(), ask.feedback.is_some());
            let (turn, effects) = EditTurn::new(setting.clone(), ask, history, call);
            Ready { turn: Turn::Edit(Box::new(turn)), effects, message, again }
        }
        Asked::Chat(ask) => {
            let (turn, effects) = ChatTurn::new(call);
            Ready { turn: Turn::Chat(turn), effects, message: ask.message, again: false }
        }
    })
}

fn refused(question: &Question, since: i64, refusal: Refusal) -> Not {
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
                return Not::Off(over.code().to_owned(), over.to_string());
            }
            let message = "This is longer than the model can read. Shorten it, or start a new chat.";
            Not::Refused(Fault { details: members(&details), ..Fault::new(422, over.code(), message) }, "over_budget")
        }
    }
}

/// The feature is off for this call: nothing was written, no model was asked.
async fn off(question: &Question, code: &str, message: &str, watch: &mut Watch, out: &mut Out) {
    if let Ask::EditOps { body } = &question.ask {
        if let Ok(ask) = EditAsk::read(body) {
            out.answer(&rules::off(&ask, code, message), "error", watch).await;
        }
    } else {
        let frame = Frame::Off { message: message.to_owned(), code: Some(code.to_owned()) };
        out.open_bare_stream();
        out.emit(&frame, watch).await;
    }
}

/// A request at work.
struct Work<'w> {
    desk: &'w Rc<Desk>,
    question: &'w Question,
    since: i64,
    token: u64,
    begun: Option<Begun>,
    upstream: Option<Box<Upstream>>,
}

impl Work<'_> {
    async fn drive(&mut self, ready: Ready, watch: &mut Watch, out: &mut Out) {
        let Ready { mut turn, effects, message, again } = ready;
        let mut effects: VecDeque<Effect> = effects.into();
        loop {
            let mut ordered = None;
            while let Some(effect) = effects.pop_front() {
                match effect {
                    Effect::Call(call) => ordered = Some(call),
                    Effect::Begin => {
                        if let Err(fault) = self.begin(&turn, &message, again) {
                            self.abort().await;
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
                    Effect::Emit(frame) => out.emit(&frame, watch).await,
                    Effect::Answer(answer) => self.answer(answer, watch, out).await,
                    Effect::Refuse(refused) => {
                        let word = refused.details["outcome"].as_str().map_or("error", |word| match word {
                            "timeout" => "timeout",
                            "context_exceeded" => "over_budget",
                            _ => "error",
                        });
                        out.refuse(&Fault::from(refused), word);
                    }
                }
            }
            if turn.is_over() {
                return;
            }
            let event = if let Some(interrupt) = out.take_interrupt() {
                interrupt
            } else if let Some(call) = ordered {
                self.order(&turn, &call, watch, out).await
            } else if let Some(upstream) = &mut self.upstream {
                upstream.next(watch, out).await
            } else {
                Event::Cancelled
            };
            effects.extend(turn.step(event));
        }
    }

    async fn order(&mut self, turn: &Turn, call: &Call, watch: &mut Watch, out: &mut Out) -> Event {
        let editor = &self.desk.editor;
        log::request(self.question, self.since, turn.is_chat(), call, &editor.provider);
        out.measure(call);
        watch.end_in(if turn.is_chat() { editor.chat_timeout_ms } else { editor.ops_timeout_ms });
        match order(self.desk, self.question, call, watch).await {
            Ordered::Admitted(upstream) => {
                self.upstream = Some(upstream);
                Event::Admitted
            }
            Ordered::Not(event) => event,
        }
    }

    fn begin(&mut self, turn: &Turn, message: &str, again: bool) -> Result<(), Fault> {
        let tool = self.desk.tool()?;
        let new = NewTurn {
            kind: if turn.is_chat() { TurnKind::Chat } else { TurnKind::EditOps },
            message: message.to_owned(),
            correlation_id: self.question.correlation_id.clone(),
            provider: self.desk.editor.provider.clone(),
            again,
        };
        self.begun = Some(self.desk.threads(&tool).begin(now_ms(), &self.question.principal.user_id, &new)?);
        Ok(())
    }

    fn keep(&self, text: &str) {
        let (Some(begun), Ok(tool)) = (&self.begun, self.desk.tool()) else { return };
        if let Err(error) = self.desk.threads(&tool).keep(&begun.turn_id, &self.question.correlation_id, text) {
            worker::console_error!("{}", json!({"event": "keep_failed", "cause": error.to_string()}));
        }
    }

    async fn close(&self, turn: &Turn, close: &Close) {
        let ending = Ending {
            status: match close.status {
                TurnStatus::Complete => Status::Complete,
                TurnStatus::Cancelled => Status::Cancelled,
                TurnStatus::Failed | TurnStatus::Pending => Status::Failed,
            },
            outcome: (close.status == TurnStatus::Failed).then(|| outcome::name(close.outcome).to_owned()),
            text: close.text.clone(),
        };
        if let (Some(begun), Ok(tool)) = (&self.begun, self.desk.tool()) {
            let correlation_id = &self.question.correlation_id;
            let closed = self.desk.threads(&tool).close(now_ms(), &begun.turn_id, correlation_id, &ending);
            if let Err(error) = closed {
                worker::console_error!("{}", json!({"event": "close_failed", "cause": error.to_string()}));
            }
        }
        // The place is free before the answer is given: the next request may follow at once.
        self.desk.leave(&self.question.principal.user_id, self.token);
        log::ended(self.question, self.since, turn.is_chat(), close.outcome, close.text.chars().count());
        if let Turn::Edit(edit) = turn
            && close.status == TurnStatus::Failed
        {
            capture::generation(self.desk, self.question, close.outcome, edit.raw()).await;
        }
    }

    fn meta(&self) -> Frame {
        let begun = self.begun.as_ref();
        Frame::Meta {
            correlation_id: self.question.correlation_id.clone(),
            turn_id: begun.map(|begun| begun.turn_id.clone()).unwrap_or_default(),
            assistant_message_id: begun.map(|begun| begun.assistant_message_id.clone()).unwrap_or_default(),
        }
    }

    async fn answer(&self, mut answer: Value, watch: &mut Watch, out: &mut Out) {
        if let Some(begun) = &self.begun {
            answer["turn_id"] = json!(begun.turn_id);
        }
        let ended = serde_json::from_value::<Outcome>(answer["outcome"].clone()).unwrap_or(Outcome::UpstreamError);
        out.answer(&answer, outcome::eval_name(ended), watch).await;
    }

    async fn abort(&self) {
        if let Some(upstream) = &self.upstream {
            upstream.abort().await;
        }
    }
}
