//! SQLite behind a small trait: ledger, keys, revisions, install records, script tools and
//! their threads (DESIGN §2 "One SQL").
//!
//! Owns every SQL statement of the product. Knows no driver, no HTTP, no clock and no randomness: [`Sql`] is given,
//! `now` and entropy come in. What a budget admits is decided by `holdpoint_gateway`; what a bundle is, by
//! `holdpoint_kinds`. Invariant: a refusal leaves the database byte for byte as it was.

mod blob;
pub mod ledger;
mod migrate;
mod page;
pub mod project;
pub mod session;
mod sql;
pub mod thread;
pub mod tool;
pub mod wire;
pub mod workspace;

pub use blob::Files;
pub use ledger::Ledger;
pub use page::Page;
pub use project::Project;
pub use sql::{Column, Row, Sql, SqlError, Value};
pub use tool::Tool;
pub use workspace::Workspace;
