//! Model work without I/O (ENGINE §6; spec: authoring.md, script-tool.md, ai-sessions.md).
//!
//! Two machines, [`run`] in the page and [`turn`] at the edge; both judge attempts by [`attempt`], and a turn's model
//! calls tools by the rules of [`tools`]. The model writes text; when it is asked, what it is told of its faults and when
//! to stop is decided here, what a plan, a prompt and a reply mean by the kind. Invariants: pure and deterministic (time stands in the events, nothing is
//! random), a run never calls a model more often than its budget, and it never reaches `installed` without `Install`
//! from a person on a bundle that passed.
//!
//! Knows kinds and diagnostics; knows nothing of HTTP, storage, the sandbox or the page.

mod apply;
pub mod attempt;
pub mod codes;
pub mod tools;
pub mod turn;

use holdpoint_change::{Base, Preview};
use holdpoint_check::ApiError;
use holdpoint_kind::{Given, Stage};

pub use apply::{Applied, ApplyError, ApplyRequest, SeenRevision, apply};
pub use holdpoint_bundle::Files;

/// What an edit would do to a base: staged, and its files after it checked. This is what a person signs.
pub fn preview<K: Stage>(kind: &K, base: Base, request: &K::Request, given: Given<'_>) -> Result<Preview, ApiError> {
    let staged = kind.stage(base, request)?;
    Ok(kind.preview(staged, request, given)?)
}
