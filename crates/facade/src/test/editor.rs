//! The routes of the script editor, as the OpenAPI document says them (spec: script-tool.md §6).

#![allow(clippy::enum_glob_use)] // a table of codes

use holdpoint_author::editor::Answer as Proposed;
use holdpoint_gateway::Code::{self, *};
use holdpoint_store::Page;
use holdpoint_store::ledger::ToolRow;
use holdpoint_store::wire::editor::{Checkpoint, Discarded, Head, Revision, RevisionWithFiles, Step, Stopped, Thread};

use super::routes::{Answer, CURSOR, Errors, PLAIN, Route, shape};
use super::shapes::{
    Applied, ApplyQuestion, ChatQuestion, Discard, EditQuestion, Empty, NewCheckpoint, NewScript, OnRevision, Preview,
    PreviewQuestion, Restore, Save,
};

/// A route that names no script.
const EDITOR: Route = Route {
    scope: Some("edit"),
    spec: "script-tool.md §6",
    errors: Errors::Editor,
    // Whoever asks for measurements must be allowed to.
    others: &["FORBIDDEN"],
    ..PLAIN
};
/// A route of a script.
const SCRIPT: Route = Route { codes: &[NotFound], ..EDITOR };
/// A change of a script on the revision that its person saw.
const CHANGE: Route = Route {
    method: "post",
    body: Some(shape::<OnRevision>),
    answer: Answer::Json(shape::<Step>),
    others: &["FORBIDDEN", "CONFLICT"],
    ..SCRIPT
};
/// A request that calls a model.
const MODEL: Route = Route { method: "post", codes: CALL, ..SCRIPT };

/// Refusals of a model's call before anything was written; what the provider does later stands in the answer.
const CALL: &[Code] = &[
    NotFound,
    ModelNotFound,
    ModelNotAllowed,
    ModelNotPriced,
    BudgetExhausted,
    BudgetExceeded,
    BudgetHeld,
    RateLimited,
    TooManyInFlight,
    LedgerUnavailable,
];

/// Every route, in the order of the document.
pub const ROUTES: &[Route] = &[
    Route {
        method: "post",
        path: "/api/v1/editor/edit-ops",
        does: "Asks a model for a proposal. Writes only the thread. Needs the scope `llm` too. Whatever happens after the \
               call was admitted is said by `outcome`, with status 200.",
        body: Some(shape::<EditQuestion>),
        answer: Answer::Json(shape::<Proposed>),
        others: &["FORBIDDEN", "REQUEST_IN_FLIGHT", "MESSAGE_OVER_BUDGET"],
        ..MODEL
    },
    Route {
        method: "post",
        path: "/api/v1/editor/edit-ops/preview",
        does: "Says what a proposal would change in the texts that are sent. No model, nothing stored.",
        body: Some(shape::<PreviewQuestion>),
        answer: Answer::Json(shape::<Preview>),
        others: &["FORBIDDEN", "UNKNOWN_HUNK"],
        ..SCRIPT
    },
    Route {
        method: "post",
        path: "/api/v1/editor/edit-ops/apply",
        does: "Applies what a person saw, on the stored texts, as one revision. What is stale answers with a fresh preview \
               and changes nothing.",
        body: Some(shape::<ApplyQuestion>),
        answer: Answer::Json(shape::<Applied>),
        others: &["FORBIDDEN", "UNKNOWN_HUNK", "CONFLICT", "CONFIRMATION_REQUIRED"],
        ..SCRIPT
    },
    Route {
        method: "post",
        path: "/api/v1/editor/edit-ops/discard",
        does: "Notes that a person left the proposal of this correlation id.",
        body: Some(shape::<Discard>),
        answer: Answer::Json(shape::<Discarded>),
        ..SCRIPT
    },
    Route {
        path: "/api/v1/editor/tools",
        does: "Lists one's scripts, newest first.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<ToolRow>>),
        ..EDITOR
    },
    Route {
        method: "post",
        path: "/api/v1/editor/tools",
        does: "Makes a script.",
        body: Some(shape::<NewScript>),
        status: 201,
        answer: Answer::Json(shape::<Head>),
        ..EDITOR
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}",
        does: "Shows a script as it stands.",
        answer: Answer::Json(shape::<Head>),
        ..SCRIPT
    },
    Route {
        method: "put",
        path: "/api/v1/editor/tools/{tool_id}",
        does: "Saves what was written by hand.",
        body: Some(shape::<Save>),
        ..CHANGE
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/undo",
        does: "Takes the newest apply back, in its files only. Refused where one of them changed since.",
        others: &["FORBIDDEN", "CONFLICT", "UNDO_BLOCKED"],
        ..CHANGE
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/redo",
        does: "Applies again what was undone last, until the next apply, save or restore.",
        others: &["FORBIDDEN", "CONFLICT", "UNDO_BLOCKED"],
        ..CHANGE
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/restore",
        does: "Goes back to a revision or a checkpoint, as one new revision.",
        body: Some(shape::<Restore>),
        ..CHANGE
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/revisions",
        does: "Lists changes, newest first.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<Revision>>),
        ..SCRIPT
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/revisions/{revision_id}",
        does: "Shows one change, with the files after it.",
        answer: Answer::Json(shape::<RevisionWithFiles>),
        ..SCRIPT
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/checkpoints",
        does: "Lists checkpoints, newest first. An apply makes one by itself.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<Checkpoint>>),
        ..SCRIPT
    },
    Route {
        method: "post",
        path: "/api/v1/editor/tools/{tool_id}/checkpoints",
        does: "Gives the present revision a name.",
        body: Some(shape::<NewCheckpoint>),
        status: 201,
        answer: Answer::Json(shape::<Checkpoint>),
        ..SCRIPT
    },
    Route {
        path: "/api/v1/editor/tools/{tool_id}/chat",
        does: "Shows the newest messages of one's thread, oldest first.",
        query: HISTORY,
        answer: Answer::Json(shape::<Thread>),
        ..SCRIPT
    },
    Route {
        method: "post",
        path: "/api/v1/editor/tools/{tool_id}/chat",
        does: "Asks a model a question. Needs the scope `llm` too. What fails before the first words is an error; what \
               fails later ends the stream with the reason `error`.",
        body: Some(shape::<ChatQuestion>),
        answer: Answer::Chat,
        others: &["FORBIDDEN", "REQUEST_IN_FLIGHT", "MESSAGE_OVER_BUDGET", "SERVICE_UNAVAILABLE", "REQUEST_CANCELLED"],
        ..MODEL
    },
    Route {
        method: "delete",
        path: "/api/v1/editor/tools/{tool_id}/chat",
        does: "Clears one's thread, and stops what runs.",
        status: 204,
        ..SCRIPT
    },
    Route {
        method: "post",
        path: "/api/v1/editor/tools/{tool_id}/chat/cancel",
        does: "Stops one's running request of this script.",
        body: Some(shape::<Empty>),
        answer: Answer::Json(shape::<Stopped>),
        ..SCRIPT
    },
];

const HISTORY: &[(&str, &str)] = &[("limit", "1 to 200; 60.")];
