//! SQLite behind a small trait: an account's ledger and keys, a project's bundles and what is said about them (DESIGN §2
//! "One SQL", ENGINE §5, §6).
//!
//! Owns every SQL statement of the product. Knows no driver, no HTTP, no clock, no randomness and no kind: [`Sql`] is
//! given, `now` and entropy come in, facts that only a kind understands are carried unread. What a budget admits is
//! decided by `holdpoint_gateway`; what may be written to a bundle, by `holdpoint_change`. Invariant: a refusal leaves the
//! database byte for byte as it was.

pub mod artifact;
pub mod audit;
mod blob;
pub mod build;
mod captures;
pub mod change_set;
pub mod codes;
pub mod kept;
pub mod ledger;
mod migrate;
pub mod once;
mod page;
pub mod publish;
pub mod requests;
pub mod routes;
pub mod session;
pub mod slug;
mod sql;
mod token;
pub mod upload;
pub mod wire;
pub mod working_copy;
pub mod workspace;

pub use blob::Files;
pub use captures::Captures;
pub use ledger::Ledger;
pub use page::Page;
pub use sql::{Column, Row, Sql, SqlError, Value};
pub use token::TOKEN_MS;
pub use workspace::Workspace;
