//! The routes of turns, before the project is asked.

use holdpoint_check::ApiError;
use holdpoint_gateway::Code;
use holdpoint_kind_crew::routes::turns::Id;
use serde_json::Value;
use worker::Response;

use super::{SentBody, TurnAsk};
use crate::answer::{Answer, EdgeError};
use crate::envelope::{given, language};
use crate::kinds::crew_package::CrewCommand;
use crate::kinds::crew_package::entry::ProjectEntry;
use crate::kinds::crew_package::once;
use crate::routes::{Edge, Incoming};

const LAST_EVENT: &str = "last-event-id";

/// Answers a route of turns.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let entry = ProjectEntry::of(edge, &asked).await?;
    let session = asked.place("session_id");
    let mut once = None;
    let command = match id {
        Id::Message => {
            let body = match asked.json() {
                Ok(body) => SentBody::Body(body),
                Err(EdgeError(error)) => SentBody::Wrong { status: error.status, error },
            };
            if let SentBody::Body(body) = &body {
                once = once::of(&asked, body)?;
            }
            TurnAsk::Message { session, body, stream: streams(&asked)?, language: spoken(&asked)? }
        }
        Id::Events => {
            let behind = asked.request().headers().get(LAST_EVENT)?;
            TurnAsk::Events { session, turn: asked.place("turn_id"), behind, language: spoken(&asked)? }
        }
        Id::Stop => TurnAsk::Stop { session, turn: asked.place("turn_id") },
    };
    let response = entry.send(&asked, once, CrewCommand::Turn(command)).await?;
    told(response, &asked).await
}

/// Whether a client reads events.
fn streams(asked: &Incoming) -> Result<bool, EdgeError> {
    let accepts = asked.request().headers().get("accept")?.unwrap_or_default();
    Ok(asked.query("stream")?.as_deref() == Some("1") || accepts.contains("text/event-stream"))
}

fn spoken(asked: &Incoming) -> Result<Option<String>, EdgeError> {
    Ok(language(asked.request())?.map(str::to_owned))
}

/// A stream as it is; a value in its envelope.
async fn told(mut response: Response, asked: &Incoming) -> Answer {
    let status = response.status_code();
    if response.headers().get("content-type")?.is_some_and(|kind| kind.starts_with("text/event-stream")) {
        // Its head names the request already: what came from an object cannot be written to.
        return Ok(response);
    }
    let mut body: Value = response.json().await.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
    if status == 200 {
        return given(200, body, asked);
    }
    let error: ApiError =
        serde_json::from_value(body["error"].take()).map_err(|_| EdgeError::from(Code::LedgerUnavailable))?;
    Err(error.status(status).into())
}
