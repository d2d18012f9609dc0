//! The routes of a user's extensions (spec: authoring.md §9.1).

use holdpoint_check::route::{
    Body, CURSOR, Errors, Home, Method, PLAIN, Page, Rate, Returns, Route, Shape, Table, WithFiles,
};
use holdpoint_check::routes;

use super::Install;
use super::review::Review;
use super::wire::{ExtensionRecord, ExtensionRevision, HistoryEntry, InstallBody, StepBody, ToldChange};

pub const TABLE: Table<Id> = Table::new("/api/v1/extensions", Errors::House, ROUTES);

/// A bundle that is too large shall be told by its own codes, up to here.
const MOST: u64 = 32 << 20;
const BUNDLE: Body = Body::Json(MOST);
const BASE: &[(&str, &str)] = &[("base_hash", "Instead of a body: the content hash that the user saw.")];

const EXTENSIONS: Route = Route { scope: Some("edit"), home: Home::User, spec: "authoring.md §9.1", ..PLAIN };
const STEP: Route = Route {
    method: Method::Post,
    query: BASE,
    body: Body::Unless("base_hash", MOST),
    rate: Rate::Writes,
    asks: Some(Shape::of::<StepBody>()),
    answer: Returns::Json(Shape::of::<ExtensionRecord>()),
    codes: &["NOT_FOUND", "CONFLICT", "IDEMPOTENCY_CONFLICT"],
    ..EXTENSIONS
};

routes! {
    List => Route {
        path: "",
        does: "Lists what is installed.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ExtensionRecord>>()),
        ..EXTENSIONS
    },
    Install => Route {
        method: Method::Post,
        path: "",
        does: "Installs what a person reviewed and signed. The bundle is checked again; what is stale answers with a \
               fresh review and changes nothing.",
        body: BUNDLE,
        rate: Rate::Writes,
        asks: Some(Shape::of::<InstallBody>()),
        status: 201,
        answer: Returns::Json(Shape::of::<ExtensionRecord>()),
        codes: &[
            "BUNDLE_INVALID",
            "CAPABILITY_REQUIRED",
            "CONFLICT",
            "CONFIRMATION_REQUIRED",
            "IDEMPOTENCY_CONFLICT",
            "INPUT_TOO_LARGE",
            "INVALID_INPUT",
        ],
        ..EXTENSIONS
    },
    Review => Route {
        method: Method::Post,
        path: "/review",
        does: "Says what an install would change, as `bundle.review` does. Stores nothing.",
        body: BUNDLE,
        rate: Rate::Writes,
        asks: Some(Shape::of::<Install>()),
        answer: Returns::Json(Shape::of::<Review>()),
        codes: &["INPUT_TOO_LARGE", "INVALID_INPUT"],
        ..EXTENSIONS
    },
    History => Route {
        path: "/history",
        does: "Lists changes of everything that is or was installed, newest first.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<HistoryEntry>>()),
        ..EXTENSIONS
    },
    Show => Route {
        path: "/{id}",
        does: "Shows what is installed, with its files.",
        answer: Returns::Json(Shape::of::<WithFiles<ExtensionRecord>>()),
        codes: &["NOT_FOUND"],
        ..EXTENSIONS
    },
    Remove => Route {
        method: Method::Delete,
        path: "/{id}",
        does: "Removes an extension.",
        answer: Returns::Json(Shape::of::<()>()),
        ..STEP
    },
    Revisions => Route {
        path: "/{id}/revisions",
        does: "Lists changes, newest first.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ExtensionRevision>>()),
        codes: &["NOT_FOUND"],
        ..EXTENSIONS
    },
    Conversation => Route {
        path: "/{id}/conversation",
        does: "Lists what led to each revision that was talked about, newest first: requests, plans, adjustments, \
               attempts. It is gone with the extension.",
        query: CURSOR,
        answer: Returns::Json(Shape::of::<Page<ToldChange>>()),
        codes: &["NOT_FOUND"],
        ..EXTENSIONS
    },
    Revision => Route {
        path: "/{id}/revisions/{revision}",
        does: "Shows one change, with the files after it.",
        answer: Returns::Json(Shape::of::<WithFiles<ExtensionRevision>>()),
        codes: &["NOT_FOUND"],
        ..EXTENSIONS
    },
    Undo => Route { path: "/{id}/undo", does: "Goes back by one change.", ..STEP },
    Redo => Route { path: "/{id}/redo", does: "Goes forward by one change.", ..STEP },
    Enable => Route { path: "/{id}/enable", does: "Loads it again.", ..STEP },
    Disable => Route { path: "/{id}/disable", does: "Loads it no more.", ..STEP },
}
