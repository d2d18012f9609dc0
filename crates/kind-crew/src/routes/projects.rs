//! The routes of projects and of what a project holds (spec: crew-package.md §7 "HTTP").

use holdpoint_check::route::{Errors, Home, Method, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use super::{BODY, PACKAGES, PAGE, PROJECTS, READ, WRITE};
use crate::wire::Listed;
use crate::wire::projects::{
    Agents, AgentsBody, AssetBody, AssetChanged, AssetPathBody, Assets, Bundle, Deleted, Hits, NameBody, Project,
    ProjectItem, Revision, Stepped, Workflow, WorkflowBody, Workflows,
};

pub const TABLES: [Table<Id>; 2] =
    [Table::new(PROJECTS, Errors::Envelope, ROUTES), Table::new(PACKAGES, Errors::Envelope, ROUTES)];

const NAMED: Route = Route { body: BODY, asks: Some(Shape::of::<NameBody>()), ..WRITE };
const OF_PROJECT: Route = Route { codes: &["PROJECT_NOT_FOUND"], ..READ };
const OF_WORKFLOW: Route = Route { codes: &["PROJECT_NOT_FOUND", "WORKFLOW_NOT_FOUND"], ..READ };
const PUT: Route = Route { method: Method::Put, body: BODY, rate: Rate::Writes, ..READ };
const ASSET: Route = Route {
    path: "/{project_id}/assets",
    asks: Some(Shape::of::<AssetBody>()),
    answer: Returns::Json(Shape::of::<AssetChanged>()),
    ..PUT
};
const STEP: Route = Route {
    answer: Returns::Json(Shape::of::<Stepped>()),
    codes: &["PROJECT_NOT_FOUND", "CONFLICT", "IDEMPOTENCY_CONFLICT"],
    ..WRITE
};

routes! {
    Create => Route {
        path: "",
        home: Home::New,
        does: "Makes an empty project.",
        status: 201,
        answer: Returns::Json(Shape::of::<Project>()),
        codes: &["VALIDATION_ERROR", "IDEMPOTENCY_CONFLICT"],
        ..NAMED
    },
    List => Route {
        path: "",
        home: Home::Account,
        does: "Lists one's projects, newest first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Listed<ProjectItem>>()),
        ..READ
    },
    Show => Route {
        path: "/{project_id}",
        does: "Shows a project: its workflows, its counters, and what the check says of it.",
        answer: Returns::Json(Shape::of::<Project>()),
        ..OF_PROJECT
    },
    Rename => Route {
        path: "/{project_id}",
        does: "Gives a project another name. `If-Match` is the project's revision.",
        asks: Some(Shape::of::<NameBody>()),
        answer: Returns::Json(Shape::of::<Project>()),
        codes: &["PROJECT_NOT_FOUND", "VALIDATION_ERROR", "CONFLICT"],
        ..PUT
    },
    Delete => Route {
        method: Method::Delete,
        path: "/{project_id}",
        does: "Removes a project. `If-Match` is the project's revision.",
        rate: Rate::Writes,
        answer: Returns::Json(Shape::of::<Deleted>()),
        codes: &["PROJECT_NOT_FOUND", "CONFLICT"],
        ..READ
    },
    Duplicate => Route {
        path: "/{project_id}/duplicate",
        does: "Copies a project, without its history. `If-Match` is the project's revision.",
        status: 201,
        answer: Returns::Json(Shape::of::<Project>()),
        codes: &["PROJECT_NOT_FOUND", "CONFLICT", "VALIDATION_ERROR", "IDEMPOTENCY_CONFLICT"],
        ..NAMED
    },
    Undo => Route {
        path: "/{project_id}/undo",
        does: "Goes back to the revision before. `If-Match` is the project's revision.",
        ..STEP
    },
    Redo => Route {
        path: "/{project_id}/redo",
        does: "Goes on to the revision that was undone. `If-Match` is the project's revision.",
        ..STEP
    },
    Bundle => Route {
        path: "/{project_id}/bundle",
        does: "Gives all files of a project with its counters.",
        answer: Returns::Json(Shape::of::<Bundle>()),
        ..OF_PROJECT
    },
    Revisions => Route {
        path: "/{project_id}/revisions",
        does: "Lists what happened to a project, newest first.",
        query: PAGE,
        answer: Returns::Json(Shape::of::<Listed<Revision>>()),
        ..OF_PROJECT
    },
    Revision => Route {
        path: "/{project_id}/revisions/{revision}",
        does: "Gives all files of a project as a revision left them.",
        answer: Returns::Json(Shape::of::<Bundle>()),
        codes: &["PROJECT_NOT_FOUND", "REVISION_NOT_FOUND"],
        ..READ
    },
    Restore => Route {
        path: "/{project_id}/revisions/{revision}/restore",
        does: "Brings the content of a revision back, as a new one. `If-Match` is the project's revision.",
        codes: &["PROJECT_NOT_FOUND", "REVISION_NOT_FOUND", "CONFLICT", "IDEMPOTENCY_CONFLICT"],
        ..STEP
    },
    Search => Route {
        path: "/{project_id}/search",
        does: "Finds a text, whatever its case, in all files of a project.",
        query: &[("q", "1 to 200 characters.")],
        answer: Returns::Json(Shape::of::<Hits>()),
        ..OF_PROJECT
    },
    Export => Route {
        path: "/{project_id}/export",
        does: "Gives the package as a ZIP archive.",
        answer: Returns::Passed("The archive, `application/zip`."),
        codes: &["PROJECT_NOT_FOUND", "PKG_VALIDATION_FAILED"],
        ..READ
    },
    Workflows => Route {
        path: "/{project_id}/workflows",
        does: "Lists the workflows of a project.",
        answer: Returns::Json(Shape::of::<Workflows>()),
        ..OF_PROJECT
    },
    CreateWorkflow => Route {
        path: "/{project_id}/workflows",
        does: "Adds a small workflow that holds.",
        status: 201,
        answer: Returns::Json(Shape::of::<Workflow>()),
        codes: &["PROJECT_NOT_FOUND", "VALIDATION_ERROR", "CONFLICT", "IDEMPOTENCY_CONFLICT"],
        ..NAMED
    },
    Workflow => Route {
        path: "/{project_id}/workflows/{workflow_id}",
        does: "Shows a workflow with its texts.",
        answer: Returns::Json(Shape::of::<Workflow>()),
        ..OF_WORKFLOW
    },
    PutWorkflow => Route {
        path: "/{project_id}/workflows/{workflow_id}",
        does: "Changes what is named of a workflow. `If-Match` is the workflow's revision.",
        asks: Some(Shape::of::<WorkflowBody>()),
        answer: Returns::Json(Shape::of::<Workflow>()),
        codes: &["PROJECT_NOT_FOUND", "WORKFLOW_NOT_FOUND", "VALIDATION_ERROR", "CONFLICT"],
        ..PUT
    },
    DeleteWorkflow => Route {
        method: Method::Delete,
        path: "/{project_id}/workflows/{workflow_id}",
        does: "Removes a workflow with its folder. `If-Match` is the workflow's revision.",
        rate: Rate::Writes,
        answer: Returns::Json(Shape::of::<Deleted>()),
        codes: &["PROJECT_NOT_FOUND", "WORKFLOW_NOT_FOUND", "WORKFLOW_LAST", "CONFLICT"],
        ..READ
    },
    DuplicateWorkflow => Route {
        path: "/{project_id}/workflows/{workflow_id}/duplicate",
        does: "Copies a workflow with its steps.",
        status: 201,
        answer: Returns::Json(Shape::of::<Workflow>()),
        codes: &["PROJECT_NOT_FOUND", "WORKFLOW_NOT_FOUND", "VALIDATION_ERROR", "CONFLICT", "IDEMPOTENCY_CONFLICT"],
        ..NAMED
    },
    Agents => Route {
        path: "/{project_id}/agents",
        does: "Lists the agents of a project.",
        answer: Returns::Json(Shape::of::<Agents>()),
        ..OF_PROJECT
    },
    PutAgents => Route {
        path: "/{project_id}/agents",
        does: "Replaces all agents. `If-Match` is the revision of the agents.",
        asks: Some(Shape::of::<AgentsBody>()),
        answer: Returns::Json(Shape::of::<Agents>()),
        codes: &["PROJECT_NOT_FOUND", "VALIDATION_ERROR", "CONFLICT"],
        ..PUT
    },
    Assets => Route {
        path: "/{project_id}/assets",
        does: "Lists the assets of a project.",
        query: &[("path", "Only this one, with its text."), ("content", "`1`: with their texts.")],
        answer: Returns::Json(Shape::of::<Assets>()),
        ..OF_PROJECT
    },
    CreateAsset => Route {
        method: Method::Post,
        does: "Adds an asset. `If-Match` is the revision of the assets.",
        status: 201,
        codes: &[
            "PROJECT_NOT_FOUND",
            "ASSET_EXISTS",
            "ASSET_PATH_INVALID",
            "ASSET_EXT_UNSUPPORTED",
            "ASSET_ENCODING_INVALID",
            "ASSET_TOO_LARGE",
            "ASSET_TOTAL_EXCEEDED",
            "ASSET_COUNT_EXCEEDED",
            "CONFLICT",
            "IDEMPOTENCY_CONFLICT",
        ],
        ..ASSET
    },
    PutAsset => Route {
        does: "Replaces the text of an asset. `If-Match` is the revision of the assets.",
        codes: &[
            "PROJECT_NOT_FOUND",
            "ASSET_NOT_FOUND",
            "ASSET_PATH_INVALID",
            "ASSET_EXT_UNSUPPORTED",
            "ASSET_ENCODING_INVALID",
            "ASSET_TOO_LARGE",
            "ASSET_TOTAL_EXCEEDED",
            "CONFLICT",
        ],
        ..ASSET
    },
    DeleteAsset => Route {
        method: Method::Delete,
        does: "Removes an asset, cited or not. `If-Match` is the revision of the assets.",
        asks: Some(Shape::of::<AssetPathBody>()),
        codes: &["PROJECT_NOT_FOUND", "ASSET_NOT_FOUND", "CONFLICT"],
        ..ASSET
    },
}
