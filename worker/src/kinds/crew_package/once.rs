//! The keys of requests about packages, which have two roots with the same answers (spec: ai-sessions.md §1 "Idempotency").

use holdpoint_kind_crew::routes::{PACKAGES, PROJECTS};
use serde_json::Value;

use crate::answer::EdgeError;
use crate::project::once::Once;
use crate::routes::RouteRequest;

/// The key of a request, where it has one.
pub fn of(asked: &RouteRequest, body: &Value) -> Result<Option<Once>, EdgeError> {
    with(asked, &body.to_string())
}

/// The same, of a text that stands for the body.
pub fn with(asked: &RouteRequest, body: &str) -> Result<Option<Once>, EdgeError> {
    let path = asked.request().path();
    let path = path.strip_prefix(PACKAGES).map_or_else(|| path.clone(), |rest| format!("{PROJECTS}{rest}"));
    Once::read(asked, &path, body)
}
