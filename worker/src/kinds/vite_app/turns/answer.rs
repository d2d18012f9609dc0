//! The routes of runs (spec: app-builder.md §9).

use std::rc::Rc;

use holdpoint_check::route::Page;
use holdpoint_check::{ApiError, args};
use holdpoint_gateway::metrics::{Family, News};
use holdpoint_kind_app::proposals::{CancelledRun, ConversationTurn, NO_RUN, RunRecord, ToolCounts};
use holdpoint_kind_app::protocol::ChatBody;
use holdpoint_kind_app::protocol::codes::{EVENTS_EXPIRED, RUN_CANCELLED};
use holdpoint_kind_app::protocol::end::PARKED;
use holdpoint_kind_app::routes::Id;
use holdpoint_store::session::{Logged, ThreadTurn};
use serde_json::{Value, json};
use worker::{Headers, Response, State};

use super::{THREAD_MS, interrupt, start};
use crate::account::Slice;
use crate::answer::EdgeError;
use crate::js::{Gone, iso, now_ms};
use crate::kinds::vite_app::{AppDesk, object_of, slice};
use crate::project::once::Once;
use crate::project::turn::{Listener, ReaderKind, ResponseSink, TurnLog, TurnReader};
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::RouteRequest;

const LAST_EVENT: &str = "last-event-id";

/// Answers a route of runs, in the project of the app.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    head: ProjectCommand<()>,
    mut request: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    AppDesk::of(object, &head)?.present()?;
    interrupt(object)?;
    match id {
        Id::Chat => {
            let sent = object_of(&mut request)?;
            let once = Once::read(&request, &request.request().path(), &sent.to_string())?;
            let body = ChatBody::read(&sent)?;
            let begun = start::start(state, object, head, body, once).await?;
            Ok(ObjectReply::Response(serve(state, object, begun, 0, gone).await?))
        }
        Id::ChatEvents => {
            let named = request.place("request_id");
            let begun = AppDesk::of(object, &head)?.run(&named)?;
            if begun.logged.until.is_some_and(|until| until <= now_ms()) {
                return Err(EdgeError::of(410, &EVENTS_EXPIRED, args! {}));
            }
            let after = match request.query("after")? {
                Some(after) => after.parse().unwrap_or_default(),
                None => seen(&named, request.request().headers().get(LAST_EVENT)?.as_deref()),
            };
            if after > 0 {
                AppDesk::of(object, &head)?.tell(News::default().count(Family::TurnsResumed, &[], 1));
            }
            Ok(ObjectReply::Response(serve(state, object, begun, after, gone).await?))
        }
        Id::Cancel => {
            let begun = AppDesk::of(object, &head)?.run(&request.place("request_id"))?;
            let cancelled = begun.logged.pending && object.slots.stop(&begun.thread).await;
            Ok(ObjectReply::Json(json!(CancelledRun { request_id: begun.logged.correlation, cancelled })))
        }
        _ => {
            let Slice { cursor, limit } = slice(&request)?;
            Ok(ObjectReply::Json(json!(AppDesk::of(object, &head)?.conversations(cursor.as_deref(), limit)?)))
        }
    }
}

/// A run that can be read.
pub struct BegunRun {
    pub thread: String,
    pub logged: Logged,
}

/// The number behind a client's last event: of another run, or of none, it has seen nothing.
fn seen(request: &str, behind: Option<&str>) -> i64 {
    let number = behind.and_then(|id| id.strip_prefix(request)?.strip_prefix(':')?.parse().ok());
    number.unwrap_or_default()
}

impl AppDesk<'_> {
    /// A run of this user by its request.
    pub fn run(&self, request: &str) -> Result<BegunRun, EdgeError> {
        let none = || EdgeError::of(404, &NO_RUN, args! {});
        let (thread, logged) = self.sessions().of_request(request)?.ok_or_else(none)?;
        self.sessions().own(self.id(), self.user(), &thread, self.now)?.ok_or_else(none)?;
        Ok(BegunRun { thread, logged })
    }

    /// What was asked and what came of it, newest first.
    fn conversations(&self, cursor: Option<&str>, limit: u32) -> Result<Page<ConversationTurn>, EdgeError> {
        let before = match cursor {
            Some(cursor) => cursor.strip_prefix("turn_").and_then(|number| number.parse().ok()).unwrap_or(0),
            None => i64::MAX,
        };
        let mut turns = self.sessions().turns(self.id(), self.user(), before, limit + 1)?;
        let more = turns.len() > limit as usize;
        turns.truncate(limit as usize);
        let items = turns.into_iter().map(|turn| self.conversation(turn)).collect::<Result<Vec<_>, _>>()?;
        let next_cursor = items.last().filter(|_| more).map(|turn: &ConversationTurn| turn.id.clone());
        Ok(Page { items, next_cursor })
    }

    /// The envelopes of a run, in their order.
    pub fn trace(&self, turn: i64) -> Result<Vec<Value>, EdgeError> {
        let events = self.sessions().events(turn, 0)?;
        Ok(events.iter().filter_map(|event| serde_json::from_str(&event.data).ok()).collect())
    }

    fn conversation(&self, turn: ThreadTurn) -> Result<ConversationTurn, EdgeError> {
        let record: Value = turn.record.as_deref().map_or(Ok(Value::Null), serde_json::from_str)?;
        let kept: RunRecord = serde_json::from_value(record.clone()).unwrap_or_default();
        let parked = record.pointer(&format!("/error/details/{PARKED}")).and_then(Value::as_str).map(str::to_owned);
        let proposal_id = kept.proposal_id.or(parked);
        let trace = self.trace(turn.number)?;
        let stored = proposal_id.as_deref().map(|id| self.stored_proposal(id)).transpose().ok().flatten();
        let (operations, result) =
            stored.map(|(set, stored)| (stored.proposal.operations, set.revision)).unwrap_or_default();
        let usage = trace.last().and_then(|done| done.pointer("/data/usage")).cloned().unwrap_or_default();
        Ok(ConversationTurn {
            id: format!("turn_{}", turn.number),
            app_id: self.id().to_owned(),
            thread_id: turn.session,
            request_id: turn.correlation,
            revision_id: kept.revision_id,
            result_revision_id: result.map(|number| format!("rev_{number}")),
            status: match turn.status.as_str() {
                "pending" => None,
                "complete" => Some("succeeded".to_owned()),
                _ => Some("failed".to_owned()),
            },
            outcome: kept.outcome.or(turn.outcome),
            user_prompt: turn.prompt,
            assistant_summary: if kept.summary.is_empty() { turn.answer } else { kept.summary },
            assistant_rationale: kept.rationale,
            assistant_assumptions: kept.assumptions,
            patch_operations: operations,
            tool_summary: ToolCounts::of(&trace),
            tool_trace: trace,
            proposal_id,
            failure_code: kept.code,
            usage,
            created_by: turn.user,
            created_at: iso(turn.at),
        })
    }
}

/// Answers with the events of a run.
async fn serve(
    state: &State,
    object: &Rc<Object>,
    begun: BegunRun,
    after: i64,
    gone: Gone,
) -> Result<Response, EdgeError> {
    let headers = Headers::new();
    headers.set("content-type", "text/event-stream; charset=utf-8")?;
    headers.set("cache-control", "no-store")?;
    let listener = Listener::Guest {
        id: begun.logged.correlation,
        // Each event is an envelope of its own, so it is read in English and said by the page.
        language: None,
        deleted: ApiError::of(&RUN_CANCELLED, args! {}).status(409),
        shown: Rc::new(|_| {}),
    };
    let log = TurnLog::stored(object, &begun.thread, begun.logged.turn);
    let (sink, given) = ResponseSink::new(gone, object.settings.limits.client_stall_ms);
    let reader = TurnReader { log, kind: ReaderKind::Sse { after }, headers, listener };
    let respond = |answer: Result<Value, EdgeError>| match answer {
        Ok(value) => crate::answer::json_response(200, &value),
        Err(fault) => fault.response(),
    };
    state.wait_until(async move { reader.read(sink, |outcome| respond(outcome.answer)).await });
    Ok(given.wait(|fault| fault.response()).await?)
}

/// Whoever reads of a thread that is gone hears that it is.
const _: () = assert!(THREAD_MS > super::EVENTS_MS, "events end before their thread does");
