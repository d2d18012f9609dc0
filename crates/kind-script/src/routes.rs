//! The routes of a script (spec: script-tool.md §6).

use holdpoint_check::route::{Body, CURSOR, Errors, Home, Method, PLAIN, Page, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use super::bodies::{
    ApplyBody, ChatBody, DiscardBody, EditBody, EmptyBody, NewCheckpointBody, NewScriptBody, OnRevisionBody,
    PreviewBody, RenameBody, RestoreBody, SaveBody, ScriptApplied, ScriptPreview,
};
use super::protocol::Proposed;
use super::wire::{
    Checkpoint, Discarded, Script, ScriptStep, Stopped, Thread, ToolItem, ToolRevision, ToolRevisionWithFiles,
};

pub const TABLE: Table<Id> = Table::new("/api/v1/editor", Errors::Correlated, ROUTES);

/// Five files and a proposal, escaped.
const BODY: Body = Body::Json(16 << 20);
const HISTORY: &[(&str, &str)] = &[("limit", "1 to 200; 60.")];

/// Of a call of a model, and more.
macro_rules! refusals {
    ($($more:literal),*) => {
        &[
            "NOT_FOUND",
            "FORBIDDEN",
            "MODEL_NOT_FOUND",
            "MODEL_NOT_ALLOWED",
            "MODEL_NOT_PRICED",
            "CALLS_STOPPED",
            "NO_BUDGET",
            "BUDGET_EXHAUSTED",
            "BUDGET_EXCEEDED",
            "BUDGET_HELD",
            "RATE_LIMITED",
            "TOO_MANY_IN_FLIGHT",
            "LEDGER_UNAVAILABLE",
            "REQUEST_IN_FLIGHT",
            "MESSAGE_OVER_BUDGET",
            $($more),*
        ]
    };
}

/// A route that names no script. Whoever asks for measurements must be allowed to.
const EDITOR: Route = Route { scope: Some("edit"), spec: "script-tool.md §6", codes: &["FORBIDDEN"], ..PLAIN };
/// A route of a script.
const SCRIPT: Route = Route { home: Home::Path("tool_id"), codes: &["NOT_FOUND", "FORBIDDEN"], ..EDITOR };
/// Whose body names the script.
const NAMED: Route =
    Route { method: Method::Post, home: Home::Body("tool_id"), body: BODY, rate: Rate::Writes, ..SCRIPT };
/// A change of a script on the revision that its person saw.
const CHANGE: Route = Route {
    method: Method::Post,
    body: BODY,
    rate: Rate::Writes,
    asks: Some(Shape::of::<OnRevisionBody>()),
    answer: Returns::Json(Shape::of::<ScriptStep>()),
    codes: &["NOT_FOUND", "FORBIDDEN", "CONFLICT"],
    ..SCRIPT
};
/// A request that calls a model. What is refused before anything was written; what the provider does later stands in
/// the answer.
const MODEL: Route = Route { rate: Rate::Calls, codes: refusals![], ..NAMED };

routes! {
    EditOps => Route {
        path: "/edit-ops",
        does: "Asks a model for a proposal. Writes only the thread. Needs the scope `llm` too. Whatever happens after \
               the call was admitted is said by `outcome`, with status 200.",
        asks: Some(Shape::of::<EditBody>()),
        answer: Returns::Json(Shape::of::<Proposed>()),
        ..MODEL
    },
    Preview => Route {
        path: "/edit-ops/preview",
        does: "Says what a proposal would change in the texts that are sent. No model, nothing stored.",
        asks: Some(Shape::of::<PreviewBody>()),
        answer: Returns::Json(Shape::of::<ScriptPreview>()),
        codes: &["NOT_FOUND", "FORBIDDEN", "UNKNOWN_HUNK"],
        ..NAMED
    },
    Apply => Route {
        path: "/edit-ops/apply",
        does: "Applies what a person saw, on the stored texts, as one revision. What is stale answers with a fresh \
               preview and changes nothing.",
        asks: Some(Shape::of::<ApplyBody>()),
        answer: Returns::Json(Shape::of::<ScriptApplied>()),
        codes: &["NOT_FOUND", "FORBIDDEN", "UNKNOWN_HUNK", "CONFLICT", "CONFIRMATION_REQUIRED"],
        ..NAMED
    },
    Discard => Route {
        path: "/edit-ops/discard",
        does: "Notes that a person left the proposal of this correlation id.",
        asks: Some(Shape::of::<DiscardBody>()),
        answer: Returns::Json(Shape::of::<Discarded>()),
        ..NAMED
    },
    List => Route {
        path: "/tools",
        does: "Lists one's scripts, newest first.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ToolItem>>()),
        ..EDITOR
    },
    Create => Route {
        method: Method::Post,
        home: Home::New,
        path: "/tools",
        does: "Makes a script.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<NewScriptBody>()),
        status: 201,
        answer: Returns::Json(Shape::of::<Script>()),
        ..EDITOR
    },
    Show => Route {
        path: "/tools/{tool_id}",
        does: "Shows a script as it stands.",
        answer: Returns::Json(Shape::of::<Script>()),
        ..SCRIPT
    },
    Save => Route {
        method: Method::Put,
        path: "/tools/{tool_id}",
        does: "Saves what was written by hand.",
        asks: Some(Shape::of::<SaveBody>()),
        ..CHANGE
    },
    Rename => Route {
        method: Method::Patch,
        path: "/tools/{tool_id}",
        does: "Gives a script another title. No revision is made of it.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<RenameBody>()),
        answer: Returns::Json(Shape::of::<Script>()),
        ..SCRIPT
    },
    Delete => Route {
        method: Method::Delete,
        path: "/tools/{tool_id}",
        does: "Deletes a script, and stops what runs. Its versions and its thread are kept for whoever brings it back.",
        rate: Rate::Writes,
        status: 204,
        ..SCRIPT
    },
    BringBack => Route {
        method: Method::Post,
        home: Home::Unlisted("tool_id"),
        path: "/tools/{tool_id}/bring-back",
        does: "Brings a deleted script back as it was, as one new revision. One that is there is shown.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<EmptyBody>()),
        answer: Returns::Json(Shape::of::<Script>()),
        ..SCRIPT
    },
    Undo => Route {
        path: "/tools/{tool_id}/undo",
        does: "Takes the newest apply back, in its files only. Refused where one of them changed since.",
        codes: &["NOT_FOUND", "FORBIDDEN", "CONFLICT", "UNDO_BLOCKED"],
        ..CHANGE
    },
    Redo => Route {
        path: "/tools/{tool_id}/redo",
        does: "Applies again what was undone last, until the next apply, save or restore.",
        codes: &["NOT_FOUND", "FORBIDDEN", "CONFLICT", "UNDO_BLOCKED"],
        ..CHANGE
    },
    Restore => Route {
        path: "/tools/{tool_id}/restore",
        does: "Goes back to a revision or a checkpoint, as one new revision.",
        asks: Some(Shape::of::<RestoreBody>()),
        ..CHANGE
    },
    Revisions => Route {
        path: "/tools/{tool_id}/revisions",
        does: "Lists changes, newest first.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ToolRevision>>()),
        ..SCRIPT
    },
    Revision => Route {
        path: "/tools/{tool_id}/revisions/{revision_id}",
        does: "Shows one change, with the files after it.",
        answer: Returns::Json(Shape::of::<ToolRevisionWithFiles>()),
        ..SCRIPT
    },
    Checkpoints => Route {
        path: "/tools/{tool_id}/checkpoints",
        does: "Lists checkpoints, newest first. An apply makes one by itself.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<Checkpoint>>()),
        ..SCRIPT
    },
    Checkpoint => Route {
        method: Method::Post,
        path: "/tools/{tool_id}/checkpoints",
        does: "Gives the present revision a name.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<NewCheckpointBody>()),
        status: 201,
        answer: Returns::Json(Shape::of::<Checkpoint>()),
        ..SCRIPT
    },
    Thread => Route {
        path: "/tools/{tool_id}/chat",
        does: "Shows the newest messages of one's thread, oldest first.",
        query: HISTORY,
        answer: Returns::Json(Shape::of::<Thread>()),
        ..SCRIPT
    },
    Chat => Route {
        home: Home::Path("tool_id"),
        path: "/tools/{tool_id}/chat",
        does: "Asks a model a question. Needs the scope `llm` too. What fails before the first words is an error; what \
               fails later ends the stream with the reason `error`.",
        asks: Some(Shape::of::<ChatBody>()),
        answer: Returns::Events("Events `meta`, `notice`, `delta` and `done` with JSON as data (script-tool.md §6)."),
        codes: refusals!["SERVICE_UNAVAILABLE", "REQUEST_CANCELLED"],
        ..MODEL
    },
    Clear => Route {
        method: Method::Delete,
        path: "/tools/{tool_id}/chat",
        rate: Rate::Writes,
        does: "Clears one's thread, and stops what runs.",
        status: 204,
        ..SCRIPT
    },
    Stop => Route {
        method: Method::Post,
        path: "/tools/{tool_id}/chat/cancel",
        does: "Stops one's running request of this script.",
        body: BODY,
        rate: Rate::Writes,
        asks: Some(Shape::of::<EmptyBody>()),
        answer: Returns::Json(Shape::of::<Stopped>()),
        ..SCRIPT
    },
}
