//! The routes of the edge but the editor's, as the OpenAPI document says them; [`router`](super::router) compares them with
//! the Worker's own.

#![allow(clippy::enum_glob_use)] // a table of codes

use holdpoint_check::route::WithFiles;
use holdpoint_gateway::Code::{self, *};
use holdpoint_gateway::indicator::{Indicator, Shown};
use holdpoint_kinds::planning::Review;
use holdpoint_store::Page;
use holdpoint_store::ledger::{KeyRow, LedgerItem, RunView};
use holdpoint_store::wire::extensions::{Record, Revision};
use holdpoint_store::wire::{
    BudgetAsk, Cancelled, CreatedKey, FirstKeys, Install, KeyAsk, Model, Models, Proposal, Quote, QuoteAsk, RunAsk,
    Step,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Asks a generator for the schema of a type.
pub type Shape = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type.
pub fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What an answer holds.
#[derive(Clone, Copy)]
pub enum Answer {
    Json(Shape),
    /// JSON of the provider's protocol, or its event stream when `stream` is asked for; passed through.
    Model,
    /// The events of a chat.
    Chat,
    Nothing,
}

/// Which error shape a route answers with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// `{"error": {code, message, details?}}`.
    House,
    /// Of the OpenAI protocol.
    Protocol,
    /// `{"error": {code, message, details?}, "correlation_id"}`, with codes in the words of the editor.
    Editor,
}

/// One method of one path.
#[derive(Clone, Copy)]
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub does: &'static str,
    pub spec: &'static str,
    /// The scope that the key needs; none where no key is sent.
    pub scope: Option<&'static str>,
    /// Name and what it means.
    pub query: &'static [(&'static str, &'static str)],
    pub body: Option<Shape>,
    pub status: u16,
    pub answer: Answer,
    pub errors: Errors,
    /// Beside those that every route with a key, a body or a list answers.
    pub codes: &'static [Code],
    /// Codes of the edge's or of the editor's table, or one more of the gateway's.
    pub others: &'static [&'static str],
}

/// Of every list.
pub const CURSOR: &[(&str, &str)] = &[("cursor", "`next_cursor` of the page before."), ("limit", "1 to 500; 50.")];
const BASE: &[(&str, &str)] = &[("base_hash", "Instead of a body: the content hash that the user saw.")];

/// Nothing yet: what most routes leave out.
pub const PLAIN: Route = Route {
    method: "get",
    path: "",
    does: "",
    spec: "",
    scope: None,
    query: &[],
    body: None,
    status: 200,
    answer: Answer::Nothing,
    errors: Errors::House,
    codes: &[],
    others: &[],
};

const MODELS: Route = Route { scope: Some("llm"), spec: "gateway.md §2", errors: Errors::Protocol, ..PLAIN };
const ADMIN: Route = Route { scope: Some("admin"), spec: "gateway.md §13", ..PLAIN };
const RUNS: Route = Route { scope: Some("llm"), spec: "gateway.md §13", ..PLAIN };
const EXTENSIONS: Route = Route { scope: Some("edit"), spec: "authoring.md §9.1", ..PLAIN };
const STEP: Route = Route {
    method: "post",
    query: BASE,
    body: Some(shape::<Step>),
    answer: Answer::Json(shape::<Record>),
    codes: &[NotFound],
    others: &["CONFLICT"],
    ..EXTENSIONS
};

/// Refusals of a model call, before and after it was sent.
const CALL: &[Code] = &[
    ModelNotFound,
    ModelNotAllowed,
    ModelNotPriced,
    MediaNotPriced,
    UnmeteredFeature,
    RunNotOpen,
    RequestIdConflict,
    BudgetExhausted,
    RunBudgetExceeded,
    BudgetExceeded,
    BudgetHeld,
    RateLimited,
    TooManyInFlight,
    UpstreamBadRequest,
    UpstreamRateLimited,
    UpstreamAuthFailed,
    UpstreamRedirect,
    UpstreamUnreachable,
    UpstreamError,
    UpstreamProtocolError,
    UpstreamTooLarge,
    UpstreamStreamError,
    UpstreamStreamCut,
    UpstreamTimeout,
    UpstreamStalled,
    LedgerUnavailable,
];

/// Every route but the editor's, in the order of the document.
pub const ROUTES: &[Route] = &[
    Route {
        method: "post",
        path: "/v1/chat/completions",
        does: "Calls a model over the OpenAI protocol. The request is passed on with few edits, the answer byte for byte. \
               With `stream: true` the answer is an event stream; its last event may be an error of the same shape.",
        body: Some(|_| schemars::json_schema!({"type": "object", "description": "A request of the OpenAI protocol."})),
        answer: Answer::Model,
        codes: CALL,
        ..MODELS
    },
    Route {
        path: "/v1/models",
        does: "Lists the models that this key may use.",
        answer: Answer::Json(shape::<Models>),
        ..MODELS
    },
    Route {
        path: "/v1/models/{id}",
        does: "Shows one model.",
        answer: Answer::Json(shape::<Model>),
        codes: &[ModelNotFound],
        ..MODELS
    },
    Route {
        method: "post",
        path: "/gateway/v1/bootstrap",
        does: "Makes the first keys of a fresh state. Only for the launcher that gave the secret to this very process; \
               everybody else is told that nothing is here.",
        spec: "gateway.md §4",
        status: 201,
        answer: Answer::Json(shape::<FirstKeys>),
        codes: &[NotFound],
        ..PLAIN
    },
    Route {
        path: "/gateway/v1/keys",
        does: "Lists keys.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<KeyRow>>),
        ..ADMIN
    },
    Route {
        method: "post",
        path: "/gateway/v1/keys",
        does: "Makes a key. This answer is the only one that holds it.",
        body: Some(shape::<KeyAsk>),
        status: 201,
        answer: Answer::Json(shape::<CreatedKey>),
        ..ADMIN
    },
    Route {
        path: "/gateway/v1/keys/{id}",
        does: "Shows a key.",
        answer: Answer::Json(shape::<KeyRow>),
        codes: &[NotFound],
        ..ADMIN
    },
    Route {
        method: "post",
        path: "/gateway/v1/keys/{id}/revoke",
        does: "Ends a key for good.",
        answer: Answer::Json(shape::<KeyRow>),
        codes: &[NotFound],
        ..ADMIN
    },
    Route {
        path: "/gateway/v1/budgets",
        does: "Lists budgets with their present windows.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<Shown>>),
        ..ADMIN
    },
    Route {
        path: "/gateway/v1/budgets/{id}",
        does: "Shows a budget.",
        answer: Answer::Json(shape::<Shown>),
        codes: &[NotFound],
        ..ADMIN
    },
    Route {
        method: "put",
        path: "/gateway/v1/budgets/{id}",
        does: "Sets a budget. Below what is used it stops new calls.",
        body: Some(shape::<BudgetAsk>),
        answer: Answer::Json(shape::<Shown>),
        ..ADMIN
    },
    Route {
        method: "delete",
        path: "/gateway/v1/budgets/{id}",
        does: "Removes a budget.",
        answer: Answer::Json(shape::<Shown>),
        codes: &[NotFound],
        ..ADMIN
    },
    Route {
        path: "/gateway/v1/ledger",
        does: "Lists what calls used and cost, newest first. No content.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<LedgerItem>>),
        ..ADMIN
    },
    Route {
        path: "/gateway/v1/indicator",
        does: "Shows the tightest budget and what today used.",
        scope: Some("usage"),
        answer: Answer::Json(shape::<Indicator>),
        ..ADMIN
    },
    Route {
        method: "post",
        path: "/gateway/v1/quote",
        does: "Says what a planned piece of work costs at least and at most, and whether it fits every budget now.",
        body: Some(shape::<QuoteAsk>),
        answer: Answer::Json(shape::<Quote>),
        codes: &[ModelNotFound],
        ..RUNS
    },
    Route {
        method: "post",
        path: "/gateway/v1/runs",
        does: "Holds an amount for a run, from which its calls take.",
        body: Some(shape::<RunAsk>),
        status: 201,
        answer: Answer::Json(shape::<RunView>),
        codes: &[BudgetExhausted, BudgetExceeded, BudgetHeld, RateLimited],
        ..RUNS
    },
    Route {
        path: "/gateway/v1/runs/{id}",
        does: "Shows a run of this key.",
        answer: Answer::Json(shape::<RunView>),
        codes: &[NotFound],
        ..RUNS
    },
    Route {
        method: "delete",
        path: "/gateway/v1/runs/{id}",
        does: "Closes a run and gives back what is left.",
        answer: Answer::Json(shape::<RunView>),
        codes: &[NotFound],
        ..RUNS
    },
    Route {
        method: "post",
        path: "/gateway/v1/requests/{id}/cancel",
        does: "Stops a running call of this key.",
        answer: Answer::Json(shape::<Cancelled>),
        codes: &[NotFound],
        ..RUNS
    },
    Route {
        path: "/api/v1/extensions",
        does: "Lists what is installed.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<Record>>),
        ..EXTENSIONS
    },
    Route {
        method: "post",
        path: "/api/v1/extensions",
        does: "Installs what a person reviewed and signed. The bundle is checked again; what is stale answers with a fresh \
               review and changes nothing.",
        body: Some(shape::<Install>),
        status: 201,
        answer: Answer::Json(shape::<Record>),
        others: &[
            "BUNDLE_INVALID",
            "CAPABILITY_REQUIRED",
            "CONFLICT",
            "CONFIRMATION_REQUIRED",
            "INPUT_TOO_LARGE",
            "INVALID_INPUT",
        ],
        ..EXTENSIONS
    },
    Route {
        method: "post",
        path: "/api/v1/extensions/review",
        does: "Says what an install would change, as `bundle.review` does. Stores nothing.",
        body: Some(shape::<Proposal>),
        answer: Answer::Json(shape::<Review>),
        others: &["INPUT_TOO_LARGE", "INVALID_INPUT"],
        ..EXTENSIONS
    },
    Route {
        path: "/api/v1/extensions/{id}",
        does: "Shows what is installed, with its files.",
        answer: Answer::Json(shape::<WithFiles<Record>>),
        codes: &[NotFound],
        ..EXTENSIONS
    },
    Route {
        method: "delete",
        path: "/api/v1/extensions/{id}",
        does: "Removes an extension.",
        answer: Answer::Json(|_| schemars::json_schema!({"type": "null"})),
        ..STEP
    },
    Route {
        path: "/api/v1/extensions/{id}/revisions",
        does: "Lists changes, newest first.",
        query: CURSOR,
        answer: Answer::Json(shape::<Page<Revision>>),
        codes: &[NotFound],
        ..EXTENSIONS
    },
    Route {
        path: "/api/v1/extensions/{id}/revisions/{revision}",
        does: "Shows one change, with the files after it.",
        answer: Answer::Json(shape::<WithFiles<Revision>>),
        codes: &[NotFound],
        ..EXTENSIONS
    },
    Route { path: "/api/v1/extensions/{id}/undo", does: "Goes back by one change.", ..STEP },
    Route { path: "/api/v1/extensions/{id}/redo", does: "Goes forward by one change.", ..STEP },
    Route { path: "/api/v1/extensions/{id}/enable", does: "Loads it again.", ..STEP },
    Route { path: "/api/v1/extensions/{id}/disable", does: "Loads it no more.", ..STEP },
];
