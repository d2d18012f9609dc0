//! The routes of turns: what is said in a session, and how its answer is heard (spec: ai-sessions.md §3, §9).

use holdpoint_check::route::{Errors, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use super::{BODY, PACKAGES, PROJECTS, READ, WRITE};
use crate::wire::turns::{MessageBody, Stopped, TurnResult};

pub const TABLES: [Table<Id>; 2] =
    [Table::new(PROJECTS, Errors::Envelope, ROUTES), Table::new(PACKAGES, Errors::Envelope, ROUTES)];

const EVENTS: &str =
    "`turn`, then `runtime` any number of times, then one of `result` and `error`; `id` is turn and number";

routes! {
    Message => Route {
        path: "/{project_id}/ai/sessions/{session_id}/messages",
        does: "Says something in a session. The answer is the result of the turn; with `stream` or \
            `Accept: text/event-stream` its events, as they come. With an `Idempotency-Key` it is said once.",
        spec: "ai-sessions.md §3, §5",
        query: &[("stream", "1: the events of the turn instead of its result.")],
        body: BODY,
        rate: Rate::Calls,
        asks: Some(Shape::of::<MessageBody>()),
        answer: Returns::Json(Shape::of::<TurnResult>()),
        codes: &[
            "PROJECT_NOT_FOUND", "AI_ROLLOUT_CANARY_BLOCKED", "AI_WORKBENCH_READ_ONLY", "AI_SESSION_NOT_FOUND",
            "AI_SESSION_NOT_ACTIVE", "AI_TURN_IN_PROGRESS", "IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_IN_PROGRESS",
            "AI_TARGET_CONTEXT_MISMATCH", "AI_TARGET_CONTEXT_REQUIRED", "AI_CONTEXT_BUDGET_EXCEEDED", "AI_DISABLED",
            "AI_PROVIDER_ERROR", "AI_PROVIDER_UNREACHABLE", "AI_PROVIDER_TIMEOUT", "AI_BAD_RESPONSE",
            "AI_TOOL_LOOP_LIMIT_EXCEEDED", "AI_TURN_STOPPED", "AI_TURN_INTERRUPTED",
        ],
        ..WRITE
    },
    Events => Route {
        path: "/{project_id}/ai/sessions/{session_id}/turns/{turn_id}/events",
        does: "The events of a turn behind `Last-Event-ID`, and those that are yet to come.",
        spec: "ai-sessions.md §9",
        answer: Returns::Events(EVENTS),
        codes: &["PROJECT_NOT_FOUND", "AI_SESSION_NOT_FOUND", "AI_TURN_NOT_FOUND", "AI_TURN_EXPIRED"],
        ..READ
    },
    Stop => Route {
        path: "/{project_id}/ai/sessions/{session_id}/turns/{turn_id}/stop",
        does: "Ends a turn. What it staged stays.",
        spec: "ai-sessions.md §9",
        answer: Returns::Json(Shape::of::<Stopped>()),
        codes: &["PROJECT_NOT_FOUND", "AI_SESSION_NOT_FOUND", "AI_TURN_NOT_FOUND"],
        ..WRITE
    },
}
