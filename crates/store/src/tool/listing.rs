//! Whether the account lists this tool (spec: script-tool.md §6 "the Account object keeps the list").
//!
//! The list stands in another database, so no transaction holds both. Invariant: a tool is unlisted from the transaction
//! that makes it until its account has acknowledged the list's row, so whoever looks after it knows what is still to do.

use super::Tool;
use crate::sql::{Sql, SqlError, params};

impl<S: Sql> Tool<S> {
    /// The account that has not acknowledged the tool yet.
    pub fn unlisted(&self) -> Result<Option<String>, SqlError> {
        self.sql.first("SELECT account FROM unlisted", params![])?.map(|row| row.get(0)).transpose()
    }

    /// The account has the tool in its list.
    pub fn set_listed(&self) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM unlisted", params![])
    }
}
