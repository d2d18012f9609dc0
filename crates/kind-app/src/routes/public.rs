//! Rows that everybody may ask, without a key (spec: app-builder.md §7 "Public routes").

use holdpoint_check::route::{Home, PLAIN, Returns, Route, Shape};
use holdpoint_check::routes;

use crate::wire::AppRuntime;

const OPEN: Route = Route { open: true, spec: "app-builder.md §7", ..PLAIN };
const GONE: Route = Route {
    gone: Some(("UI_SOURCE_MODE_REMOVED", "Ask for the runtime of the app: it is served as it was built.")),
    ..OPEN
};

routes! {
    Runtime => Route {
        path: "/{slug}/runtime",
        home: Home::Slug("slug"),
        does: "Says what is published at an address.",
        answer: Returns::Json(Shape::of::<AppRuntime>()),
        codes: &["NOT_FOUND"],
        ..OPEN
    },
    PreviewRuntime => Route {
        path: "/preview/revisions/{revision_id}/runtime",
        does: "The same of a preview; its token is sent as bearer or in the query.",
        query: &[("preview_token", "The token, where it is not sent as bearer.")],
        answer: Returns::Json(Shape::of::<AppRuntime>()),
        codes: &[
            "PREVIEW_TOKEN_REQUIRED", "PREVIEW_TOKEN_INVALID", "PREVIEW_TOKEN_EXPIRED", "PREVIEW_TOKEN_MISMATCH",
            "BUILD_NOT_READY",
        ],
        ..OPEN
    },
    PreviewAsset => Route {
        path: "/preview/revisions/{revision_id}/assets/{asset_path*}",
        does: "The bytes of an asset of a preview.",
        query: &[("preview_token", "The token, where it is not sent as bearer.")],
        answer: Returns::Passed("The asset with its own type."),
        codes: &[
            "PREVIEW_TOKEN_REQUIRED", "PREVIEW_TOKEN_INVALID", "PREVIEW_TOKEN_EXPIRED", "PREVIEW_TOKEN_MISMATCH",
            "BUILD_NOT_READY", "ASSET_NOT_FOUND", "ASSET_PATH_INVALID", "STORAGE_UNAVAILABLE",
        ],
        ..OPEN
    },
    Ui => Route { path: "/{slug}/ui", ..GONE },
    PreviewUi => Route { path: "/preview/ui/{revision_id}", ..GONE },
}
