//! The routes of apps (spec: app-builder.md §3, §7 "Public routes").

pub mod codes;
pub mod public;

use holdpoint_check::route::{Body, Errors, Found, Home, Method, PLAIN, Page, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use crate::blobs::{UploadBody, UploadedBlob};
use crate::limits::MAX_BLOB_BYTES;
use crate::proposals::{
    ApplyProposalBody, CancelledRun, ConversationTurn, DiscardedProposal, PreviewProposalBody, ProposalView,
};
use crate::protocol::ChatBody;
use crate::requests::{
    AppChangeBody, NamedCheckpointBody, NewAppBody, OnDraftBody, PublishBody, RestoreAppBody, RetryBody,
    RevertFileBody, SaveAppBody, ScaffoldBody, TemplateResetBody, WorkingCopyBody,
};
use crate::scaffolds::Scaffold;
use crate::wire::{
    App, AppCheckpoint, AppHealth, AppPublication, AppTemplate, AppVersion, BuildState, BuilderState, ComparedVersions,
    DeletedOfApp, KeptWork, PreviewAddress, RevertedFile, SavedVersion, SteppedVersion, ValidatedSave,
};

/// Two roots: what owners ask, and what everybody may ask.
pub const ADMIN: Table<Id> = Table::new("/admin/apps", Errors::House, ROUTES);
pub const PUBLIC: Table<public::Id> = Table::new("/public/apps", Errors::House, public::ROUTES);

/// A route of apps, of either root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppRoute {
    Admin(Id),
    Public(public::Id),
}

/// The row of a request; `None` where the path is none of apps.
pub fn find(method: &str, path: &str) -> Option<(Errors, Found<AppRoute>)> {
    if ADMIN.owns(path) {
        return Some((ADMIN.errors, ADMIN.find(method, path).map(AppRoute::Admin)));
    }
    PUBLIC.owns(path).then(|| (PUBLIC.errors, PUBLIC.find(method, path).map(AppRoute::Public)))
}

pub fn all() -> impl Iterator<Item = (&'static str, Errors, &'static Route)> {
    ADMIN.all().chain(PUBLIC.all())
}

/// A project of 2 MiB, two locks and what JSON adds to them.
const BODY: Body = Body::Json(12 << 20);
const SMALL: Body = Body::Json(256 << 10);

/// Bytes of a form: a binary file, and what stands around it.
const MAX_FORM: u64 = MAX_BLOB_BYTES + (64 << 10);

/// The query of a list.
const PAGE: &[(&str, &str)] = &[("cursor", "`next_cursor` of the page before."), ("limit", "1 to 100; 25.")];

/// A route that names no app.
const APPS: Route = Route { scope: Some("edit"), spec: "app-builder.md §3", codes: &[], ..PLAIN };
/// A route of an app.
const APP: Route = Route { home: Home::Path("app_id"), codes: &["NOT_FOUND"], ..APPS };
/// A change of an app.
const CHANGE: Route = Route {
    method: Method::Post,
    body: BODY,
    rate: Rate::Writes,
    codes: &["NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT"],
    ..APP
};
/// A change of the draft's text.
const EDIT: Route = Route {
    asks: Some(Shape::of::<SaveAppBody>()),
    codes: &[
        "NOT_FOUND",
        "BASE_REVISION_REQUIRED",
        "REVISION_CONFLICT",
        "MERGE_CONFLICT",
        "CONFIRMATION_REQUIRED",
        "BUILDER_PATCH_POLICY_VIOLATION",
        "BUILDER_COMPILE_FAILED",
    ],
    ..CHANGE
};

/// The stream of a run.
const RUN_EVENTS: Returns = Returns::Events(
    "Events `status`, `tool`, `token`, `usage`, `patch_ops`, `error` and one `done`, each in its envelope.",
);

routes! {
    List => Route {
        path: "",
        does: "Lists one's apps, newest change first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Page<App>>()),
        ..APPS
    },
    Templates => Route {
        path: "/templates",
        does: "Lists the projects that an app can begin with.",
        answer: Returns::Json(Shape::of::<Vec<AppTemplate>>()),
        ..APPS
    },
    Create => Route {
        method: Method::Post,
        home: Home::New,
        body: SMALL,
        rate: Rate::Writes,
        does: "Makes an app with a first revision, which is built.",
        asks: Some(Shape::of::<NewAppBody>()),
        answer: Returns::Json(Shape::of::<App>()),
        codes: &["SLUG_INVALID", "TEMPLATE_UNKNOWN", "SLUG_TAKEN", "ENV_SECRET_VALUE"],
        ..APPS
    },
    Show => Route {
        path: "/{app_id}",
        does: "Shows an app.",
        answer: Returns::Json(Shape::of::<App>()),
        ..APP
    },
    Change => Route {
        method: Method::Patch,
        path: "/{app_id}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Changes name, address, settings or status of an app.",
        asks: Some(Shape::of::<AppChangeBody>()),
        answer: Returns::Json(Shape::of::<App>()),
        codes: &[
            "NOT_FOUND", "SLUG_INVALID", "SLUG_TAKEN", "APP_PUBLISHED", "STATUS_NOT_SETTABLE",
            "ENV_SECRET_VALUE",
        ],
        ..APP
    },
    Delete => Route {
        method: Method::Delete,
        path: "/{app_id}",
        rate: Rate::Writes,
        does: "Deletes an app with all its versions, and takes it off its address.",
        answer: Returns::Json(Shape::of::<DeletedOfApp>()),
        ..APP
    },
    State => Route {
        path: "/{app_id}/builder/state",
        does: "Shows what a page of the builder begins with.",
        answer: Returns::Json(Shape::of::<BuilderState>()),
        ..APP
    },
    Revisions => Route {
        path: "/{app_id}/builder/revisions",
        does: "Lists the versions of an app, newest first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Page<AppVersion>>()),
        ..APP
    },
    Revision => Route {
        path: "/{app_id}/builder/revisions/{revision_id}",
        does: "Shows one version.",
        query: &[("include", "`files`: with its files.")],
        answer: Returns::Json(Shape::of::<AppVersion>()),
        ..APP
    },
    Save => Route {
        path: "/{app_id}/builder/revisions",
        does: "Saves operations, or all files, as a new version of the draft.",
        answer: Returns::Json(Shape::of::<SavedVersion>()),
        ..EDIT
    },
    Validate => Route {
        path: "/{app_id}/builder/validate",
        does: "Says whether a save would be taken. Stores nothing.",
        answer: Returns::Json(Shape::of::<ValidatedSave>()),
        ..EDIT
    },
    Reset => Route {
        path: "/{app_id}/builder/template-reset",
        does: "Puts the files of a template in the place of all files, as a new version.",
        asks: Some(Shape::of::<TemplateResetBody>()),
        answer: Returns::Json(Shape::of::<SavedVersion>()),
        codes: &["NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "TEMPLATE_UNKNOWN"],
        ..CHANGE
    },
    Build => Route {
        path: "/{app_id}/builder/revisions/{revision_id}/build",
        does: "Shows how the build of a version stands.",
        answer: Returns::Json(Shape::of::<BuildState>()),
        ..APP
    },
    Retry => Route {
        path: "/{app_id}/builder/revisions/{revision_id}/build/retry",
        body: Body::Maybe(4 << 10),
        does: "Builds a version once more. What succeeded before stays until then.",
        asks: Some(Shape::of::<RetryBody>()),
        answer: Returns::Json(Shape::of::<BuildState>()),
        codes: &["NOT_FOUND", "BUILD_PENDING", "BUILD_ALREADY_SUCCEEDED"],
        ..CHANGE
    },
    Log => Route {
        path: "/{app_id}/builder/revisions/{revision_id}/build/log",
        does: "Tells the log of a build from its start, until its end.",
        answer: Returns::Events("Events `log` with a text as data, and `end`."),
        ..APP
    },
    PreviewToken => Route {
        path: "/{app_id}/builder/revisions/{revision_id}/preview-token",
        body: Body::Maybe(4 << 10),
        does: "Gives an address at which what a version was built to is looked at, for an hour.",
        asks: Some(Shape::of::<OnDraftBody>()),
        answer: Returns::Json(Shape::of::<PreviewAddress>()),
        codes: &["NOT_FOUND", "PREVIEW_ORIGIN_MISSING"],
        ..CHANGE
    },
    WorkingCopy => Route {
        path: "/{app_id}/builder/working-copy",
        does: "Shows what one has not saved yet; null where everything is saved.",
        answer: Returns::Json(Shape::of::<Option<KeptWork>>()),
        ..APP
    },
    KeepWorkingCopy => Route {
        method: Method::Put,
        path: "/{app_id}/builder/working-copy",
        does: "Keeps what is not saved yet, in whatever state it is. Never a version.",
        asks: Some(Shape::of::<WorkingCopyBody>()),
        answer: Returns::Json(Shape::of::<KeptWork>()),
        codes: &["NOT_FOUND", "BUILDER_PATCH_POLICY_VIOLATION"],
        ..CHANGE
    },
    Undo => Route {
        path: "/{app_id}/builder/undo",
        does: "Goes one step back in the history, or takes the newest run back (`scope: ai`).",
        asks: Some(Shape::of::<OnDraftBody>()),
        answer: Returns::Json(Shape::of::<SteppedVersion>()),
        codes: &[
            "NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "NOTHING_TO_UNDO", "MERGE_CONFLICT",
        ],
        ..CHANGE
    },
    Redo => Route {
        path: "/{app_id}/builder/redo",
        does: "Goes one step forth in the history.",
        asks: Some(Shape::of::<OnDraftBody>()),
        answer: Returns::Json(Shape::of::<SteppedVersion>()),
        codes: &[
            "NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "NOTHING_TO_REDO", "MERGE_CONFLICT",
        ],
        ..CHANGE
    },
    Restore => Route {
        path: "/{app_id}/builder/restore",
        does: "Makes the files of an earlier version the draft, as a new version.",
        asks: Some(Shape::of::<RestoreAppBody>()),
        answer: Returns::Json(Shape::of::<SteppedVersion>()),
        ..CHANGE
    },
    RevertFile => Route {
        path: "/{app_id}/builder/revert-file",
        does: "Takes one file from another version; everything else stays.",
        asks: Some(Shape::of::<RevertFileBody>()),
        answer: Returns::Json(Shape::of::<RevertedFile>()),
        codes: &[
            "NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "REVERT_REMOVES_ENTRY",
            "BUILDER_PATCH_POLICY_VIOLATION", "BUILDER_COMPILE_FAILED",
        ],
        ..CHANGE
    },
    Checkpoints => Route {
        path: "/{app_id}/builder/checkpoints",
        does: "Lists checkpoints, newest first. An applied proposal makes one by itself.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Page<AppCheckpoint>>()),
        ..APP
    },
    Checkpoint => Route {
        method: Method::Post,
        path: "/{app_id}/builder/checkpoints",
        body: SMALL,
        rate: Rate::Writes,
        does: "Gives the draft a name.",
        asks: Some(Shape::of::<NamedCheckpointBody>()),
        answer: Returns::Json(Shape::of::<AppCheckpoint>()),
        ..APP
    },
    RenameCheckpoint => Route {
        method: Method::Patch,
        path: "/{app_id}/builder/checkpoints/{checkpoint_id}",
        body: SMALL,
        rate: Rate::Writes,
        does: "Gives a named checkpoint another name.",
        asks: Some(Shape::of::<NamedCheckpointBody>()),
        answer: Returns::Json(Shape::of::<AppCheckpoint>()),
        ..APP
    },
    RemoveCheckpoint => Route {
        method: Method::Delete,
        path: "/{app_id}/builder/checkpoints/{checkpoint_id}",
        rate: Rate::Writes,
        does: "Forgets a named checkpoint. Its version stays.",
        answer: Returns::Json(Shape::of::<DeletedOfApp>()),
        ..APP
    },
    RestoreCheckpoint => Route {
        path: "/{app_id}/builder/checkpoints/{checkpoint_id}/restore",
        does: "Makes the files of a checkpoint the draft, as a new version.",
        asks: Some(Shape::of::<OnDraftBody>()),
        answer: Returns::Json(Shape::of::<SteppedVersion>()),
        ..CHANGE
    },
    Diff => Route {
        path: "/{app_id}/builder/diff",
        does: "Shows what differs between two versions, file by file.",
        query: &[("from", "The earlier version."), ("to", "The later version.")],
        answer: Returns::Json(Shape::of::<ComparedVersions>()),
        ..APP
    },
    Upload => Route {
        method: Method::Post,
        path: "/{app_id}/builder/blobs",
        body: Body::Form(MAX_FORM),
        rate: Rate::Writes,
        does: "Keeps the bytes of a binary file, so that a change can put it into the app: `multipart/form-data` with `file`.",
        asks: Some(Shape::of::<UploadBody>()),
        answer: Returns::Json(Shape::of::<UploadedBlob>()),
        codes: &["NOT_FOUND", "INVALID_INPUT", "INPUT_TOO_LARGE", "BLOB_TYPE_REFUSED", "STORAGE_UNAVAILABLE"],
        ..APP
    },
    SourceMap => Route {
        path: "/{app_id}/builder/builds/map",
        does: "Gives the source map of an asset, so that an error in what was built is found in its source.",
        query: &[("of", "A version, or a proposal that was built."), ("asset", "The path of a script or a style.")],
        spec: "app-builder.md §7",
        answer: Returns::Passed("A source map (revision 3) as JSON."),
        codes: &["NOT_FOUND", "ASSET_NOT_FOUND", "STORAGE_UNAVAILABLE"],
        ..APP
    },
    Export => Route {
        path: "/{app_id}/builder/export",
        does: "Gives a version as git and people take it, from nothing or from an earlier version on.",
        query: &[
            ("from", "The earlier version; without it everything is added."),
            ("to", "The later version; the draft where absent."),
            ("format", "`patch`, which `git apply` takes, `commit` or `zip`; `patch` where absent."),
        ],
        spec: "app-builder.md §11",
        answer: Returns::Passed("A unified diff, a commit as JSON (`branch`, `title`, `changes`, `deleted`), or an archive."),
        codes: &["NOT_FOUND", "INVALID_INPUT", "ASSET_NOT_FOUND", "STORAGE_UNAVAILABLE"],
        ..APP
    },
    Lock => Route {
        path: "/{app_id}/builder/lock",
        body: SMALL,
        does: "Renews the lock of the packages, as a proposal.",
        asks: Some(Shape::of::<OnDraftBody>()),
        answer: Returns::Json(Shape::of::<ProposalView>()),
        codes: &[
            "NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "BUILDER_COMPILE_FAILED",
            "BUILD_RUNNER_UNAVAILABLE",
        ],
        ..CHANGE
    },
    Scaffolds => Route {
        path: "/{app_id}/builder/scaffolds",
        does: "Lists set-ups of common services, with what they ask.",
        answer: Returns::Json(Shape::of::<Vec<Scaffold>>()),
        ..APP
    },
    Scaffold => Route {
        path: "/{app_id}/builder/scaffolds/{key}",
        body: SMALL,
        does: "Sets a common service up, as a proposal.",
        asks: Some(Shape::of::<ScaffoldBody>()),
        answer: Returns::Json(Shape::of::<ProposalView>()),
        codes: &[
            "NOT_FOUND", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "ENV_SECRET_VALUE",
            "BUILDER_PATCH_POLICY_VIOLATION",
        ],
        ..CHANGE
    },
    Health => Route {
        path: "/{app_id}/builder/health",
        does: "Says what stands in the way of publishing a version, and what its visitors would meet.",
        query: &[("revision_id", "The version; the draft where absent.")],
        answer: Returns::Json(Shape::of::<AppHealth>()),
        ..APP
    },
    Chat => Route {
        path: "/{app_id}/builder/chat/stream",
        body: SMALL,
        scope: Some("llm"),
        does: "Asks a model for a change, a plan or an answer. What it makes is a proposal.",
        asks: Some(Shape::of::<ChatBody>()),
        answer: RUN_EVENTS,
        codes: &[
            "NOT_FOUND", "EMPTY_INPUT", "BASE_REVISION_REQUIRED", "REVISION_CONFLICT", "RUN_ACTIVE",
        ],
        ..CHANGE
    },
    ChatEvents => Route {
        path: "/{app_id}/builder/chat/{request_id}/events",
        query: &[("after", "The number of the last event that is there; else `Last-Event-ID` says it.")],
        does: "Tells the events of a run behind one that is there, and those that come.",
        answer: RUN_EVENTS,
        codes: &["NOT_FOUND", "EVENTS_EXPIRED"],
        ..APP
    },
    Cancel => Route {
        method: Method::Post,
        path: "/{app_id}/builder/chat/{request_id}/cancel",
        body: Body::None,
        rate: Rate::Writes,
        does: "Stops a run. What it staged is kept as a proposal.",
        answer: Returns::Json(Shape::of::<CancelledRun>()),
        ..APP
    },
    Conversations => Route {
        path: "/{app_id}/builder/conversations",
        does: "Lists what was asked and what came of it, newest first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Page<ConversationTurn>>()),
        ..APP
    },
    Proposal => Route {
        path: "/{app_id}/builder/proposals/{proposal_id}",
        does: "Shows a proposal on the draft as it is now.",
        answer: Returns::Json(Shape::of::<ProposalView>()),
        ..APP
    },
    PreviewProposal => Route {
        path: "/{app_id}/builder/proposals/{proposal_id}/preview",
        body: Body::Maybe(256 << 10),
        does: "Shows what is chosen of a proposal: files, and hunks of them. Writes nothing.",
        asks: Some(Shape::of::<PreviewProposalBody>()),
        answer: Returns::Json(Shape::of::<ProposalView>()),
        codes: &["NOT_FOUND", "MERGE_CONFLICT", "BUILDER_COMPILE_FAILED"],
        ..CHANGE
    },
    ApplyProposal => Route {
        path: "/{app_id}/builder/proposals/{proposal_id}/apply",
        body: SMALL,
        does: "Makes what was seen of a proposal the draft, as one step.",
        asks: Some(Shape::of::<ApplyProposalBody>()),
        answer: Returns::Json(Shape::of::<AppVersion>()),
        codes: &[
            "NOT_FOUND", "PROPOSAL_STALE", "CONFIRMATION_REQUIRED", "MERGE_CONFLICT",
            "BUILDER_COMPILE_FAILED",
        ],
        ..CHANGE
    },
    DiscardProposal => Route {
        path: "/{app_id}/builder/proposals/{proposal_id}/discard",
        body: Body::None,
        does: "Leaves a proposal.",
        answer: Returns::Json(Shape::of::<DiscardedProposal>()),
        codes: &["NOT_FOUND", "PROPOSAL_STALE"],
        ..CHANGE
    },
    Events => Route {
        path: "/{app_id}/builder/events",
        does: "Tells of builds, versions and publishes as they happen.",
        answer: Returns::Events("Events `build` (BuildState), `revision` and `published` with JSON as data."),
        ..APP
    },
    Publish => Route {
        path: "/{app_id}/publish",
        does: "Publishes a version: its address shows it from then on.",
        asks: Some(Shape::of::<PublishBody>()),
        answer: Returns::Json(Shape::of::<App>()),
        codes: &[
            "NOT_FOUND", "REVISION_CONFLICT", "BUILD_PENDING", "BUILD_FAILED", "BUILD_ARTIFACT_MISSING",
            "PUBLISH_BLOCKED", "PREVIEW_ORIGIN_MISSING",
        ],
        ..CHANGE
    },
    Unpublish => Route {
        path: "/{app_id}/unpublish",
        body: Body::Maybe(4 << 10),
        does: "Takes an app off its address, which it keeps.",
        asks: Some(Shape::of::<PublishBody>()),
        answer: Returns::Json(Shape::of::<App>()),
        codes: &["NOT_FOUND", ],
        ..CHANGE
    },
    Rollback => Route {
        path: "/{app_id}/publish/rollback",
        body: Body::Maybe(4 << 10),
        does: "Publishes what was published before, or the version that is named. Builds nothing.",
        asks: Some(Shape::of::<PublishBody>()),
        answer: Returns::Json(Shape::of::<App>()),
        codes: &["NOT_FOUND", "BUILD_ARTIFACT_MISSING"],
        ..CHANGE
    },
    Publications => Route {
        path: "/{app_id}/publish/history",
        does: "Lists what was published, newest first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Page<AppPublication>>()),
        ..APP
    },
}
