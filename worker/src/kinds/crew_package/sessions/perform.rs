//! What is asked of conversations about a package, in its object.

use std::rc::Rc;

use holdpoint_kind_crew::wire::sessions::SessionMade;
use serde_json::{Value, json};
use worker::State;

use super::SessionCommand;
use super::command::Sent;
use super::sets::without_token;
use super::show::item;
use super::work::Work;
use crate::answer::EdgeError;
use crate::envelope::known;
use crate::js::now_ms;
use crate::kinds::crew_package::turns::{begin, model};
use crate::project::once::Once;
use crate::project::{Object, ProjectCommand, turn};

pub async fn perform(
    state: &State,
    object: &Rc<Object>,
    asked: ProjectCommand<()>,
    command: SessionCommand,
    once: Option<&Once>,
) -> Result<Value, EdgeError> {
    let applies = matches!(command, SessionCommand::Apply { .. });
    let answer = answered(state, object, &asked, &command, once).await;
    // Nothing was awaited between an apply and its stored answer.
    if answer.is_ok() && applies {
        object.list(&asked.caller.account, &asked.bundle).await;
    }
    object.set_alarm().await;
    answer
}

async fn answered(
    state: &State,
    object: &Rc<Object>,
    asked: &ProjectCommand<()>,
    command: &SessionCommand,
    once: Option<&Once>,
) -> Result<Value, EdgeError> {
    // Turns that a restart broke off end before anybody looks.
    turn::interrupt(object)?;
    let (workspace, user) = (object.workspace()?, asked.principal.user_id.clone());
    let _alone = Once::alone(once, object, &user).await?;
    let now = now_ms();
    if let Some(before) = Once::answered(once, &workspace, &user, now)? {
        return Work::of(object, &asked.bundle, &user)?.with_token(before);
    }
    let answer = answer(state, object, asked, command).await?;
    if once.is_some() {
        Once::keep(once, &workspace, &user, now, without_token(answer.clone()))?;
    }
    Ok(answer)
}

async fn answer(
    state: &State,
    object: &Rc<Object>,
    asked: &ProjectCommand<()>,
    command: &SessionCommand,
) -> Result<Value, EdgeError> {
    let work = Work::of(object, &asked.bundle, &asked.principal.user_id)?;
    match command {
        SessionCommand::Open { sent } => open(state, object, asked, &work, sent).await,
        SessionCommand::List { which, page } => work.list(which, page),
        SessionCommand::Show { session, all, page, language } => {
            work.show(session, *all, page, language.as_deref().and_then(known))
        }
        SessionCommand::Delete { session } => work.delete(session).await,
        SessionCommand::Context { session } => {
            work.session(session)?;
            let model = model(&object.objects, &asked.caller).await.ok();
            work.context(session, model.map(|model| model.profile.window))
        }
        SessionCommand::Preview { session, set } => work.preview(session, set.as_deref()),
        SessionCommand::Cancel { session } => work.cancel(session).await,
        SessionCommand::Stage { sent } => work.stage_sent(sent),
        SessionCommand::Validate { sent } => work.validate_sent(sent),
        SessionCommand::Discard { sent } => work.discard_sent(sent),
        SessionCommand::Revert { sent } => work.revert_sent(sent),
        SessionCommand::Apply { session, sent } => work.apply_sent(session.as_deref(), sent, &asked.principal),
        SessionCommand::Audit { session, kind, page } => work.audit(session.as_deref(), kind.as_deref(), page),
        SessionCommand::Metrics => work.metrics(),
    }
}

/// Makes a session. Where its first turn is wanted, the model is asked for first: without a turn there is no session.
async fn open(
    state: &State,
    object: &Rc<Object>,
    asked: &ProjectCommand<()>,
    work: &Work<'_>,
    sent: &Sent,
) -> Result<Value, EdgeError> {
    let opening = work.opening(sent)?;
    let model = model(&object.objects, &asked.caller).await;
    let window = match (&opening.user_prompt, model) {
        (Some(_), Err(fault)) => return Err(fault),
        (_, model) => model.ok().map(|model| model.profile.window),
    };
    let (made, context_envelope) = work.open(&opening, window)?;
    let session = item(&made);
    let turn_id = match &opening.user_prompt {
        Some(words) => match begin(state, object, asked, made.clone(), words).await {
            Ok(turn) => Some(turn),
            Err(fault) => {
                // Nobody was told of this session.
                work.forget(&made)?;
                return Err(fault);
            }
        },
        None => None,
    };
    Ok(json!(SessionMade { session, context_envelope, latest_suggestion: Value::Null, turn_id }))
}
