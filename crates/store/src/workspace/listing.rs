//! Whether the account lists a bundle (spec: script-tool.md §6 "the Account object keeps the list").
//!
//! The list stands in another database, so no transaction holds both. Invariant: a bundle is unlisted from the
//! transaction that makes or removes it until its account has acknowledged that, so whoever looks after it knows what is
//! still to do.

use super::{Bundle, Workspace};
use crate::sql::{Sql, SqlError, params};

impl<S: Sql> Workspace<S> {
    /// Bundles that an account has not acknowledged yet, with that account.
    pub fn unlisted(&self) -> Result<Vec<(String, String)>, SqlError> {
        let rows = self.sql.query("SELECT bundle, account FROM unlisted ORDER BY bundle", params![])?;
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
    }

    /// The account has to hear of the bundle, where one lists it.
    pub(super) fn set_unlisted(&self, bundle: &Bundle<'_>) -> Result<(), SqlError> {
        let Some(account) = bundle.account else { return Ok(()) };
        self.sql.execute("INSERT OR REPLACE INTO unlisted(bundle, account) VALUES(?, ?)", params![bundle.id, account])
    }

    /// The account has heard of the bundle.
    pub fn set_listed(&self, bundle: &str) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM unlisted WHERE bundle = ?", params![bundle])
    }
}
