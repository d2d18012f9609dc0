//! The routes of conversations about a package (spec: ai-sessions.md §3).

use holdpoint_check::route::{Errors, PLAIN, Route, Table};
use holdpoint_check::routes;

use super::{PACKAGES, PROJECTS};

/// See the module.
pub const TABLES: [Table<Id>; 2] =
    [Table::new(PROJECTS, Errors::Envelope, ROUTES), Table::new(PACKAGES, Errors::Envelope, ROUTES)];

/// A step was once drafted outside of any session.
const DRAFT: Route = Route {
    gone: Some(("AI_STEP_DRAFT_DEPRECATED", "Open a session of this step and ask there: `POST …/ai/sessions`.")),
    spec: "ai-sessions.md §3",
    ..PLAIN
};

routes! {
    StepDraft => Route { path: "/{project_id}/ai/step-draft", ..DRAFT },
    WorkflowStepDraft => Route { path: "/{project_id}/workflows/{workflow_id}/ai/step-draft", ..DRAFT },
}
