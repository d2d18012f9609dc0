//! A crew package: a project with its workflows, agents and assets, and the conversations about it (spec:
//! crew-package.md §7 "HTTP", ai-sessions.md).
//!
//! One project is one `Project` object that holds one bundle of the same id. Invariants: what belongs to somebody else
//! answers as what is not there; every write goes through the gate of `holdpoint_change`; every answer is an envelope.

mod command;
mod entry;
mod imports;
mod once;
mod perform;
mod profile;
mod projects;
pub mod routes;
mod sessions;
mod turns;

pub use command::{CrewAsk, CrewCommand};
pub use perform::perform;
pub use sessions::{interrupted, next_alarm, on_alarm};

/// What ids of projects begin with.
const ID: &str = "prj_";
