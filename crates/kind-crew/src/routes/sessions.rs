//! The routes of conversations about a package (spec: ai-sessions.md §3).

use holdpoint_check::route::{Errors, Method, PLAIN, Rate, Returns, Route, Shape, Table};
use holdpoint_check::routes;

use super::{BODY, PACKAGES, PAGE, PROJECTS, READ, WRITE};
use crate::sessions::metrics::Metrics;
use crate::wire::Listed;
use crate::wire::sessions::{
    ApplyShape, AuditItem, ContextShown, NewSessionBody, PreviewShown, SessionCancelled, SessionDeleted, SessionListed,
    SessionMade, SessionShown, SetApplied, SetBody, SetDiscarded, SetStaged, SetValidated, StageBody, ValidateBody,
};

pub const TABLES: [Table<Id>; 2] =
    [Table::new(PROJECTS, Errors::Envelope, ROUTES), Table::new(PACKAGES, Errors::Envelope, ROUTES)];

/// A step was once drafted outside of any session.
const DRAFT: Route = Route {
    gone: Some(("AI_STEP_DRAFT_DEPRECATED", "Open a session of this step and ask there: `POST …/ai/sessions`.")),
    spec: "ai-sessions.md §3",
    ..PLAIN
};

/// Reads something of a project's conversations.
const LOOK: Route = Route { spec: "ai-sessions.md §3", codes: &["PROJECT_NOT_FOUND"], ..READ };
/// Reads something of a session.
const SESSION: Route = Route { codes: &["PROJECT_NOT_FOUND", "AI_SESSION_NOT_FOUND"], ..LOOK };
/// Changes a session or what it proposes.
const CHANGE: Route = Route { spec: "ai-sessions.md §3", body: BODY, ..WRITE };
const TAKE_BACK: Route = Route {
    asks: Some(Shape::of::<SetBody>()),
    codes: &[
        "PROJECT_NOT_FOUND",
        "AI_SESSION_NOT_FOUND",
        "AI_CHANGESET_NOT_FOUND",
        "AI_NO_STAGED_CHANGES",
        "AI_CHANGESET_CLOSED",
    ],
    ..CHANGE
};
/// Writes what a person signed.
const APPLY: Route = Route {
    asks: Some(Shape::of::<ApplyShape>()),
    answer: Returns::Json(Shape::of::<SetApplied>()),
    codes: &[
        "PROJECT_NOT_FOUND",
        "AI_ROLLOUT_CANARY_BLOCKED",
        "AI_WORKBENCH_READ_ONLY",
        "AI_APPLY_DISABLED",
        "AI_SESSION_NOT_FOUND",
        "AI_SESSION_NOT_ACTIVE",
        "AI_CHANGESET_NOT_FOUND",
        "AI_CHANGESET_NOT_VALIDATED",
        "AI_CHANGESET_CLOSED",
        "AI_APPLY_REQUIRES_CONFIRMATION",
        "CONFLICT",
        "CONFIRMATION_REQUIRED",
        "AI_VALIDATION_FAILED",
        "AI_APPLY_UNSUPPORTED",
        "AI_APPLY_FAILED",
    ],
    ..CHANGE
};

routes! {
    Open => Route {
        path: "/{project_id}/ai/sessions",
        does: "Begins a conversation about a workflow, a step, an agent or an asset. With `userPrompt` its first turn \
               starts at once.",
        asks: Some(Shape::of::<NewSessionBody>()),
        status: 201,
        answer: Returns::Json(Shape::of::<SessionMade>()),
        codes: &[
            "PROJECT_NOT_FOUND",
            "AI_ROLLOUT_CANARY_BLOCKED",
            "AI_WORKBENCH_READ_ONLY",
            "AI_TARGET_NOT_SUPPORTED",
            "AI_CONTEXT_BUILD_ERROR",
            "AI_CONTEXT_BUDGET_EXCEEDED",
            "IDEMPOTENCY_CONFLICT",
            "IDEMPOTENCY_IN_PROGRESS",
        ],
        ..CHANGE
    },
    List => Route {
        path: "/{project_id}/ai/sessions",
        does: "Lists one's sessions about a project, newest first.",
        query: &[
            ("targetType", "`workflow`, `step`, `agent` or `asset`."),
            ("targetId", "Only of this target."),
            ("workflowId", "Only in this workflow."),
            ("status", "`active`, `cancelled` or `failed`."),
            ("cursor", "`nextCursor` of the page before."),
            ("limit", "1 to 100; 50."),
        ],
        answer: Returns::Json(Shape::of::<Listed<SessionListed>>()),
        ..LOOK
    },
    Show => Route {
        path: "/{project_id}/ai/sessions/{session_id}",
        does: "Shows a session: its newest proposal, the verdict on it, the turn that runs, what was said.",
        query: &[
            ("before", "`nextCursor` of the page before."),
            ("limit", "1 to 100; 50."),
            ("include", "`tool`: messages of tools too."),
        ],
        answer: Returns::Json(Shape::of::<SessionShown>()),
        ..SESSION
    },
    Delete => Route {
        method: Method::Delete,
        path: "/{project_id}/ai/sessions/{session_id}",
        does: "Deletes a session with its messages and working files at once. Change sets and the audit log stay.",
        rate: Rate::Writes,
        answer: Returns::Json(Shape::of::<SessionDeleted>()),
        ..SESSION
    },
    Context => Route {
        path: "/{project_id}/ai/sessions/{session_id}/context",
        does: "Shows what the next turn would send.",
        answer: Returns::Json(Shape::of::<ContextShown>()),
        codes: &["PROJECT_NOT_FOUND", "AI_SESSION_NOT_FOUND", "AI_CONTEXT_BUILD_ERROR", "AI_CONTEXT_BUDGET_EXCEEDED"],
        ..SESSION
    },
    Preview => Route {
        path: "/{project_id}/ai/sessions/{session_id}/preview",
        does: "Shows a proposal file by file: left what is stored, right what would be.",
        query: &[("changeSetId", "The newest one.")],
        answer: Returns::Json(Shape::of::<PreviewShown>()),
        codes: &["PROJECT_NOT_FOUND", "AI_SESSION_NOT_FOUND", "AI_CHANGESET_NOT_FOUND", "AI_NO_STAGED_CHANGES"],
        ..SESSION
    },
    ApplyInSession => Route {
        path: "/{project_id}/ai/sessions/{session_id}/apply",
        does: "Applies what a person saw and signed, as one revision.",
        ..APPLY
    },
    Cancel => Route {
        method: Method::Post,
        path: "/{project_id}/ai/sessions/{session_id}/cancel",
        does: "Ends a session. What it proposes is rejected, nothing is changed.",
        rate: Rate::Writes,
        answer: Returns::Json(Shape::of::<SessionCancelled>()),
        ..SESSION
    },
    Stage => Route {
        path: "/{project_id}/ai/change/stage",
        does: "Stages a change set on what its session has. Nothing of the package is changed.",
        asks: Some(Shape::of::<StageBody>()),
        status: 201,
        answer: Returns::Json(Shape::of::<SetStaged>()),
        codes: &[
            "PROJECT_NOT_FOUND",
            "AI_ROLLOUT_CANARY_BLOCKED",
            "AI_WORKBENCH_READ_ONLY",
            "AI_SESSION_NOT_FOUND",
            "AI_SESSION_NOT_ACTIVE",
            "AI_BAD_RESPONSE",
            "AI_CHANGESET_SCHEMA_UNSUPPORTED",
            "AI_CHANGESET_CONTRACT_VIOLATION",
            "EDIT_NOT_FOUND",
            "EDIT_AMBIGUOUS",
            "AI_NO_STAGED_CHANGES",
        ],
        ..CHANGE
    },
    Validate => Route {
        path: "/{project_id}/ai/change/validate",
        does: "Checks a staged set on what is stored, as often as wanted, or a text without storing anything.",
        asks: Some(Shape::of::<ValidateBody>()),
        answer: Returns::Json(Shape::of::<SetValidated>()),
        codes: &[
            "PROJECT_NOT_FOUND",
            "AI_ROLLOUT_CANARY_BLOCKED",
            "AI_WORKBENCH_READ_ONLY",
            "AI_SESSION_NOT_FOUND",
            "AI_SESSION_NOT_ACTIVE",
            "AI_CHANGESET_NOT_FOUND",
            "AI_NO_STAGED_CHANGES",
            "AI_CHANGESET_CLOSED",
        ],
        ..CHANGE
    },
    Discard => Route {
        path: "/{project_id}/ai/change/discard",
        does: "Rejects a set and removes the working files of its session.",
        answer: Returns::Json(Shape::of::<SetDiscarded>()),
        ..TAKE_BACK
    },
    Revert => Route {
        path: "/{project_id}/ai/change/revert",
        does: "Stages the inverse of an applied set as a new one, which is checked and applied like any other.",
        status: 201,
        answer: Returns::Json(Shape::of::<SetStaged>()),
        codes: &[
            "PROJECT_NOT_FOUND",
            "AI_ROLLOUT_CANARY_BLOCKED",
            "AI_WORKBENCH_READ_ONLY",
            "AI_SESSION_NOT_FOUND",
            "AI_SESSION_NOT_ACTIVE",
            "AI_CHANGESET_NOT_FOUND",
            "AI_CHANGESET_NOT_VALIDATED",
            "AI_CHANGESET_CLOSED",
            "AI_NO_STAGED_CHANGES",
            "AI_APPLY_UNSUPPORTED",
        ],
        ..TAKE_BACK
    },
    Apply => Route {
        path: "/{project_id}/ai/change/apply",
        does: "Applies what a person saw and signed, as one revision; the body names the session.",
        ..APPLY
    },
    Audit => Route {
        path: "/{project_id}/ai/audit/events",
        does: "Lists what was done in conversations about a project, newest first. No content.",
        query: &[
            ("sessionId", "Only of this session."),
            ("type", "Only events of this type."),
            PAGE[0],
            PAGE[1],
        ],
        answer: Returns::Json(Shape::of::<Listed<AuditItem>>()),
        ..LOOK
    },
    Metrics => Route {
        path: "/{project_id}/ai/metrics",
        does: "Counts the last 24 hours.",
        answer: Returns::Json(Shape::of::<Metrics>()),
        spec: "ai-sessions.md §10",
        ..LOOK
    },
    StepDraft => Route { path: "/{project_id}/ai/step-draft", ..DRAFT },
    WorkflowStepDraft => Route { path: "/{project_id}/workflows/{workflow_id}/ai/step-draft", ..DRAFT },
}
