//! Migrations: every database carries the number of its last one.
//!
//! Owns the order; the statements stand beside what uses them ([`crate::ledger::MIGRATIONS`],
//! [`crate::workspace::MIGRATIONS`]). Invariant: a migration that was released is never edited, only followed.

use crate::sql::{Sql, SqlError, params};

/// Brings a database up to date. `migrations[n]` leads from version n to n + 1; all or nothing.
pub fn migrate<S: Sql>(sql: &S, migrations: &[&[&str]]) -> Result<(), SqlError> {
    sql.execute("CREATE TABLE IF NOT EXISTS setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT", params![])?;
    let done = match setting(sql, "schema")? {
        Some(text) => text.parse::<usize>().map_err(|_| SqlError("its schema version is no number".to_owned()))?,
        None => 0,
    };
    if done > migrations.len() {
        return Err(SqlError(format!("its schema {done} is newer than this program's {}", migrations.len())));
    }
    if done == migrations.len() {
        return Ok(());
    }
    sql.transaction(|| {
        for statement in migrations.iter().skip(done).flat_map(|step| step.iter()) {
            sql.execute(statement, params![])?;
        }
        set_setting(sql, "schema", &migrations.len().to_string())
    })
}

/// A named setting of this database.
pub(crate) fn setting<S: Sql>(sql: &S, name: &str) -> Result<Option<String>, SqlError> {
    sql.first("SELECT value FROM setting WHERE name = ?", params![name])?.map(|row| row.get(0)).transpose()
}

/// Writes a named setting of this database.
pub(crate) fn set_setting<S: Sql>(sql: &S, name: &str, value: &str) -> Result<(), SqlError> {
    sql.execute(
        "INSERT INTO setting(name, value) VALUES(?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value",
        params![name, value],
    )
}
