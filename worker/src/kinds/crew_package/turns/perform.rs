//! What is asked of the turns of a project, in its object.

use std::cell::RefCell;
use std::rc::Rc;

use holdpoint_check::{ApiError, args};
use holdpoint_kind::protocol::ModelSetting;
use holdpoint_kind_crew::ids::IdOf;
use holdpoint_kind_crew::proposals::SeenPreview;
use holdpoint_kind_crew::protocol::ask::{CrewTurn, has_fixed_temperature};
use holdpoint_kind_crew::protocol::codes::{AI_TURN_EXPIRED, AI_TURN_IN_PROGRESS, AI_TURN_NOT_FOUND, AI_TURN_STOPPED};
use holdpoint_kind_crew::protocol::message::UserMessage;
use holdpoint_kind_crew::protocol::{PROTOCOLS, TURN_DEADLINE_MS};
use holdpoint_kind_crew::sessions::rollout::Wants;
use holdpoint_kind_crew::wire::turns::Stopped;
use holdpoint_store::session::{Logged, OwnSession};
use serde::Deserialize;
use serde_json::{Value, json};
use worker::{Env, Headers, Response, State};

use super::TurnCommand;
use super::host::{SessionTurn, TurnProposal};
use super::target::{SessionTarget, past};
use crate::account::Caller;
use crate::account::profile::model_of;
use crate::answer::EdgeError;
use crate::envelope::{self, REQUEST_HEADER, known};
use crate::js::{Gone, now_ms};
use crate::kinds::crew_package::sessions::{Work, active};
use crate::objects::Objects;
use crate::project::once::Once;
use crate::project::turn::{
    self, Driver, Job, KEEP_MS, Listener, ReaderKind, ResponseSink, TurnLog, TurnReader, Unbegun,
};
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::relay::Consent;

/// What marks the calls of turns in the ledger.
const TAG: &str = "crew";
/// What is read where a request says nothing.
const ENGLISH: &str = "en";
/// Tokens of an answer, where the window has room for more.
const MAX_OUTPUT: u64 = 16_384;

pub async fn perform(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    command: TurnCommand,
    once: Option<Once>,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    turn::interrupt(object)?;
    let (session, turn, kind, language) = match command {
        TurnCommand::Message { session, body, stream, language } => {
            let spoken = language.as_deref().unwrap_or(ENGLISH);
            let turn = said(state, object, head.clone(), (&session, spoken), (body, once)).await?;
            let kind = if stream { ReaderKind::Sse { after: 0 } } else { ReaderKind::Json };
            (session, turn, kind, language)
        }
        TurnCommand::Events { session, turn, behind, language } => {
            let number = resumed(object, &head, &session, &turn)?;
            let kind = ReaderKind::Sse { after: seen(&turn, behind.as_deref()) };
            (session, number, kind, language)
        }
        TurnCommand::Stop { session, turn } => {
            return Ok(ObjectReply::Json(json!(stop(object, &head, &session, &turn).await?)));
        }
    };
    let log = TurnLog::stored(object, &session, turn);
    let request = head.correlation_id.clone();
    let object = object.clone();
    let shown = Rc::new(move |data: &Value| note_given(&object, &head, &session, data));
    let language = language.as_deref().and_then(known);
    Ok(ObjectReply::Response(serve(state, (log, kind), (language, &request), shown, gone).await?))
}

/// Starts the first turn of a session that was just made; answers its id once it is written.
pub async fn begin(
    state: &State,
    object: &Rc<Object>,
    head: &ProjectCommand<()>,
    own: OwnSession,
    words: &str,
) -> Result<String, EdgeError> {
    let target = SessionTarget::of(own)?;
    let message = UserMessage::first(words, target.session.mode)?;
    let model = model(&object.objects, &head.caller).await?;
    let turn = start(state, object, head.clone(), target, (message, None), (model, ENGLISH)).await?;
    Ok(IdOf::Turn.outside(turn))
}

/// Passes the gates of a message and starts its turn, or finds the one that answered it; the number of the turn.
async fn said(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    (session, language): (&str, &str),
    (body, once): (Result<Value, EdgeError>, Option<Once>),
) -> Result<i64, EdgeError> {
    let work = work(object, &head)?;
    work.head()?;
    work.may(Wants::Work)?;
    let target = SessionTarget::of(work.session(session)?)?;
    active(&target.own)?;
    let message = UserMessage::read(&body?, &target.session)?;
    // Who sends the same meanwhile hears of the turn that this begins.
    let user = head.principal.user_id.clone();
    let _alone = Once::alone(once.as_ref(), object, &user).await?;
    if let Some(turn) = answered(object, session, &user, once.as_ref())? {
        return Ok(turn);
    }
    if let Some(client_id) = &message.client_id
        && let Some(sent) = earlier(object, session, client_id)?
        && sent.status == "complete"
    {
        return Ok(sent.turn);
    }
    if object.slots.is_taken(session) {
        return Err(EdgeError::of(409, &AI_TURN_IN_PROGRESS, args! {}));
    }
    // What an editor has open belongs to the target, before anybody is asked for a model.
    message.complete(&target.session, &mut target.seen(&work)?.view)?;
    drop(work);
    let model = model(&object.objects, &head.caller).await?;
    start(state, object, head, target, (message, once), (model, language)).await
}

/// The turn that was begun under a key, unless it failed: then the words are said again.
fn answered(object: &Object, session: &str, user: &str, once: Option<&Once>) -> Result<Option<i64>, EdgeError> {
    let workspace = object.workspace()?;
    let Some(turn) = Once::answered(once, &workspace, user, now_ms())?.and_then(|answer| answer.as_i64()) else {
        return Ok(None);
    };
    let logged = object.sessions(&workspace).logged(session, turn)?;
    let stands = logged.is_some_and(|logged| logged.pending || logged.status == "complete");
    Ok(stands.then_some(turn))
}

fn earlier(object: &Object, session: &str, client_id: &str) -> Result<Option<Logged>, EdgeError> {
    let workspace = object.workspace()?;
    Ok(object.sessions(&workspace).sent(session, client_id)?)
}

async fn start(
    state: &State,
    object: &Rc<Object>,
    head: ProjectCommand<()>,
    target: SessionTarget,
    (message, once): (UserMessage, Option<Once>),
    (model, language): (ModelSetting, &str),
) -> Result<i64, EdgeError> {
    let work = work(object, &head)?;
    let mut seen = target.seen(&work)?;
    message.complete(&target.session, &mut seen.view)?;
    let past = past(&work.sessions(), &target.own.id)?;
    drop(work);
    let turn = CrewTurn {
        names: target.names.clone(),
        session: target.session.clone(),
        target_id: target.target_id.clone(),
        view: seen.view,
        facts: seen.head.facts.clone(),
        domain: seen.domain,
        past,
        message: message.clone(),
        fixed_temperature: has_fixed_temperature(&model.name),
    };
    let job = Job {
        protocol: PROTOCOLS[0],
        bundle: head.bundle.clone(),
        user: head.principal.user_id.clone(),
        caller: head.caller.clone(),
        correlation: head.correlation_id.clone(),
        tag: TAG,
        consent: Consent::None,
    };
    let host = SessionTurn {
        object: object.clone(),
        asked: head,
        job,
        target,
        message,
        once,
        model: model.clone(),
        language: language.to_owned(),
        deadline_ms: lowered(&object.env, "CREW_TURN_DEADLINE_MS", TURN_DEADLINE_MS.into()).unsigned_abs(),
        keep_ms: lowered(&object.env, "CREW_TURN_EVENTS_MS", KEEP_MS),
        staged: RefCell::new(TurnProposal::default()),
    };
    let begun = Driver::new(Rc::new(host), Box::new(turn))?.run(state).await;
    Ok(begun.unwrap_or_else(|_| Err(Unbegun::lost()))?.turn())
}

/// The model that answers a caller's sessions. Errors, with their status: `AI_DISABLED`, `LLM_PROFILE_*`.
pub async fn model(objects: &Objects, caller: &Caller) -> Result<ModelSetting, EdgeError> {
    model_of(objects, caller, MAX_OUTPUT).await
}

/// A time that a deployment may lower.
fn lowered(env: &Env, name: &str, most: i64) -> i64 {
    let said = env.var(name).ok().and_then(|value| value.to_string().trim().parse::<i64>().ok());
    said.filter(|ms| (0..most).contains(ms)).unwrap_or(most)
}

fn work<'w>(object: &'w Object, head: &'w ProjectCommand<()>) -> Result<Work<'w>, EdgeError> {
    Work::of(object, &head.bundle, &head.principal.user_id)
}

/// The number of a turn whose events may be read.
fn resumed(object: &Rc<Object>, head: &ProjectCommand<()>, session: &str, turn: &str) -> Result<i64, EdgeError> {
    let number = named(object, head, session, turn)?;
    let workspace = object.workspace()?;
    let logged = object.sessions(&workspace).logged(session, number)?.ok_or_else(no_turn)?;
    match logged.until {
        Some(until) if until <= now_ms() => Err(EdgeError::of(410, &AI_TURN_EXPIRED, args! {})),
        _ => Ok(number),
    }
}

async fn stop(object: &Rc<Object>, head: &ProjectCommand<()>, session: &str, turn: &str) -> Result<Stopped, EdgeError> {
    let number = named(object, head, session, turn)?;
    let workspace = object.workspace()?;
    let logged = object.sessions(&workspace).logged(session, number)?.ok_or_else(no_turn)?;
    if !logged.pending || !object.slots.stop(session).await {
        return Ok(Stopped { stopped: false });
    }
    // One that came to its end meanwhile was not stopped.
    let ended = object.sessions(&workspace).logged(session, number)?;
    Ok(Stopped { stopped: ended.is_some_and(|ended| ended.pending || ended.status == "cancelled") })
}

/// A turn of a session of somebody.
fn named(object: &Object, head: &ProjectCommand<()>, session: &str, turn: &str) -> Result<i64, EdgeError> {
    work(object, head)?.session(session)?;
    IdOf::Turn.number(turn).ok_or_else(no_turn)
}

fn no_turn() -> EdgeError {
    EdgeError::of(404, &AI_TURN_NOT_FOUND, args! {})
}

/// The number behind a client's last event: of another turn, or of none, it has seen nothing.
fn seen(turn: &str, behind: Option<&str>) -> i64 {
    let number = behind.and_then(|id| id.strip_prefix(turn)?.strip_prefix(':')?.parse().ok());
    number.unwrap_or_default()
}

/// What is read of the result of a turn that somebody was given.
#[derive(Default, Deserialize)]
#[serde(default)]
struct GivenTurn {
    preview: Option<GivenPreview>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GivenPreview {
    change_set_id: String,
    #[serde(flatten)]
    seen: SeenPreview,
}

/// Notes what somebody was shown by the result of a turn. Whoever cannot be noted is shown it again before an apply.
fn note_given(object: &Object, head: &ProjectCommand<()>, session: &str, data: &Value) {
    let GivenTurn { preview } = GivenTurn::deserialize(data).unwrap_or_default();
    let Some(GivenPreview { change_set_id, seen }) = preview else { return };
    let Some(number) = IdOf::ChangeSet.number(&change_set_id) else { return };
    if let Err(fault) = work(object, head).and_then(|work| work.note_given(session, number, &seen)) {
        worker::console_error!("{}", json!({"event": "shown_not_noted", "code": fault.code}));
    }
}

/// Answers with what a reader of a log hears.
async fn serve(
    state: &State,
    (log, kind): (TurnLog, ReaderKind),
    (language, request): (Option<&'static str>, &str),
    shown: Rc<dyn Fn(&Value)>,
    gone: Gone,
) -> worker::Result<Response> {
    let headers = Headers::new();
    headers.set("content-type", "text/event-stream; charset=utf-8")?;
    headers.set("cache-control", "no-store")?;
    headers.set(REQUEST_HEADER, request)?;
    let listener = Listener::Guest {
        id: IdOf::Turn.outside(log.turn()),
        language,
        deleted: ApiError::of(&AI_TURN_STOPPED, args! {}).status(409),
        shown: shown.clone(),
    };
    let (sink, given) = ResponseSink::new(gone, log.object().settings.limits.client_stall_ms);
    let reader = TurnReader { log, kind, headers, listener };
    let named = request.to_owned();
    let respond = move |answer| match answer {
        Ok(value) => {
            shown(&value);
            envelope::given(200, value, language, &named)
        }
        Err(fault) => envelope::refused(&fault, language, &named),
    };
    state.wait_until(async move { reader.read(sink, |outcome| respond(outcome.answer)).await });
    given.wait(|fault| envelope::refused(&fault, language, request)).await
}
