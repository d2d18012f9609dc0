//! How long the rows of a project and of a public name live, and how many of them there may be (ENGINE §5, §11 law 6).
//!
//! Owns what is said of each table; who deletes stands beside the table. A test over the schema finds a table of which nothing
//! is said.

use crate::artifact::MAX_ARTIFACTS;
use crate::build::{LOG_MS, MAX_LOG_BYTES};
use crate::publish::MAX_PUBLISHES;
use crate::slug::{CLAIM_MS, MAX_PUBLISHED};
use crate::upload::MAX_UPLOADS;
use crate::working_copy::{self, MAX_COPIES};
use crate::{once, token};

/// What is said of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptTable {
    pub table: &'static str,
    pub lives: Life,
    pub most: Most,
}

/// When a row of a table goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It goes with its project alone.
    Project,
    /// It goes with the object that holds it.
    Object,
    /// Until who has it gives it back; where that is never confirmed, so many ms.
    Held(i64),
    /// With the row of another table that it belongs to.
    With(&'static str),
    /// So many ms after it was made, last changed, or over.
    Ms(i64),
    /// When the time in this column of its table or of the one that it belongs to is over.
    Column(&'static str),
    /// When what it says is done elsewhere.
    Done,
}

/// How many rows a project, or a name, holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Most {
    Rows(u64),
    /// So many bytes for each row of another table.
    Bytes(usize, &'static str),
    /// At most one for each row of another table, and so many that belong to none.
    With(&'static str, u64),
    /// The program names its rows, and they are few.
    Named,
    /// No limit of its own: what its account may ask for in a minute, and the size of a database, bound it.
    Open,
}

const fn kept(table: &'static str, lives: Life, most: Most) -> KeptTable {
    KeptTable { table, lives, most }
}

/// Every table of a project.
pub const PROJECT: &[KeptTable] = &[
    kept("artifact", Life::Done, Most::Rows(MAX_ARTIFACTS)),
    kept("audit", Life::Project, Most::Open),
    kept("audit_event", Life::Project, Most::Open),
    kept("blob", Life::With("revision, change_set, working_copy"), Most::Open),
    kept("build", Life::With("revision"), Most::With("revision", crate::build::MAX_GATES)),
    kept("build_log", Life::Ms(LOG_MS), Most::Bytes(MAX_LOG_BYTES, "build")),
    kept("bundle", Life::Project, Most::Open),
    kept("capture", Life::Done, Most::Open),
    kept("change_set", Life::Project, Most::Open),
    kept("checkpoint", Life::With("bundle"), Most::Open),
    kept("event", Life::Column("turn.log_until"), Most::Open),
    kept("idempotency", Life::Ms(once::KEPT_MS), Most::Open),
    kept("message", Life::With("turn"), Most::Open),
    kept("publish", Life::Project, Most::Rows(MAX_PUBLISHES)),
    kept("revision", Life::With("bundle"), Most::Open),
    kept("session", Life::Column("session.expires"), Most::Open),
    kept("setting", Life::Project, Most::Named),
    kept("token", Life::Ms(token::TOKEN_MS), Most::Open),
    kept("turn", Life::With("session"), Most::Open),
    kept("unlisted", Life::Done, Most::With("bundle", 0)),
    kept("upload", Life::With("bundle"), Most::Rows(MAX_UPLOADS)),
    kept("working_copy", Life::Ms(working_copy::KEPT_MS), Most::Rows(MAX_COPIES)),
    kept("working_file", Life::With("session"), Most::Open),
];

/// Every table of a public name.
pub const SLUG: &[KeptTable] = &[
    kept("published", Life::With("slug"), Most::Rows(MAX_PUBLISHED)),
    kept("setting", Life::Object, Most::Named),
    kept("slug", Life::Held(CLAIM_MS), Most::Rows(1)),
];
