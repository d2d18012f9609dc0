//! A crew package: a project with its workflows, agents and assets, and the conversations about it (spec:
//! crew-package.md §7 "HTTP", ai-sessions.md).
//!
//! One project is one `Project` object that holds one bundle of the same id. Invariants: what belongs to somebody else
//! answers as what is not there; every write goes through the gate of `holdpoint_change`; every answer is an envelope.

mod imports;
mod once;
mod profile;
mod projects;
pub mod routes;
mod sessions;
mod turns;

use holdpoint_check::args;
use holdpoint_kind::Kind;
use holdpoint_kind_crew::CrewPackage;
use holdpoint_kind_crew::routes::codes::PROJECT_NOT_FOUND;

use super::ProjectNames;
use crate::answer::EdgeError;
pub use projects::{MakeTask, make};
pub use sessions::{interrupted, next_alarm, on_alarm};

/// A package is a project. What is absent and what is foreign answer alike.
pub const NAMES: ProjectNames = ProjectNames {
    kind: CrewPackage::ID,
    word: "crew",
    prefix: "prj_",
    reserves: true,
    refuse: |_| EdgeError::of(404, &PROJECT_NOT_FOUND, args! {}),
};
