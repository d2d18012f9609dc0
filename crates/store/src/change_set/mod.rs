//! What sessions propose: change sets with their status, and the working files of a session (spec: crew-package.md §10,
//! ai-sessions.md §2, §4).
//!
//! Owns rows and the machine of states; what a set or a working file holds is a kind's and carried unread. Invariants: a
//! session has at most one open set, by a unique index; what is applied or rejected stays so; versions rise; working
//! files and the set that they make up change in one transaction.

mod record;
mod schema;

pub use record::{Applies, ChangeSet, JudgedSet, NewSet, SHOWN_MS, SetStatus, WorkingRow};
pub(crate) use schema::{SHOWN, TABLES};

use crate::audit::{self, NewEvent};
use crate::blob;
use crate::sql::{Row, Sql, SqlError, params};

/// The change sets of a project.
pub struct ChangeSets<'s, S> {
    sql: &'s S,
}

const SELECT: &str = "SELECT number, session, user, version, content, validation, inverse, status, created, updated,
 shown, shown_at, revision FROM change_set";
const DAY_MS: i64 = 86_400_000;
/// What may still become something.
const OPEN: &str = "status IN('staged','validated')";

impl<'s, S: Sql> ChangeSets<'s, S> {
    pub(crate) fn new(sql: &'s S) -> Self {
        Self { sql }
    }

    /// Stores a new set with the working files that it comes from; an open one of its session is rejected.
    pub fn stage(&self, new: &NewSet<'_>, now: i64, events: &[NewEvent<'_>]) -> Result<ChangeSet, SqlError> {
        self.sql.transaction(|| {
            reject_open(self.sql, new.session, now)?;
            let content = blob::put_long(self.sql, new.content)?;
            let row = self.sql.first(
                "INSERT INTO change_set(session, bundle, user, version, content, status, created, updated)
                 VALUES(?, ?, ?, (SELECT coalesce(max(version), 0) + 1 FROM change_set WHERE session = ?), ?, 'staged',
                        ?, ?) RETURNING number, version",
                params![new.session, new.bundle, new.user, new.session, content, now, now],
            )?;
            let row = row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?;
            let (number, version): (i64, i64) = (row.get(0)?, row.get(1)?);
            self.set_working(new.session, new.working, now)?;
            self.touch(new.session, now)?;
            for event in events {
                audit::insert(self.sql, &NewEvent { change_set: Some((number, version)), ..event.clone() }, now)?;
            }
            self.get(new.session, number)?.ok_or_else(|| SqlError("a change set is gone".to_owned()))
        })
    }

    /// Stores what a validation said; an invalid set is rejected, its working files stay. `None`: it is closed, nothing
    /// is written.
    pub fn judge(
        &self,
        set: &ChangeSet,
        judged: &JudgedSet<'_>,
        now: i64,
        events: &[NewEvent<'_>],
    ) -> Result<Option<SetStatus>, SqlError> {
        let status = if judged.valid { SetStatus::Validated } else { SetStatus::Rejected };
        self.sql.transaction(|| {
            let validation = blob::put_long(self.sql, judged.validation)?;
            let row = self.sql.first(
                &format!(
                    "UPDATE change_set SET status = ?, validation = ?, updated = ? WHERE number = ? AND {OPEN}
                     RETURNING session"
                ),
                params![status.as_str(), validation, now, set.number],
            )?;
            if row.is_none() {
                return Ok(None);
            }
            if let Some((content, working)) = judged.again {
                let content = blob::put_long(self.sql, content)?;
                self.sql.execute("UPDATE change_set SET content = ? WHERE number = ?", params![content, set.number])?;
                self.set_working(&set.session, working, now)?;
            }
            self.touch(&set.session, now)?;
            for event in events {
                audit::insert(self.sql, event, now)?;
            }
            Ok(Some(status))
        })
    }

    /// Rejects an open set and removes the working files of its session. `false`: it is closed, nothing is written.
    pub fn discard(&self, set: &ChangeSet, now: i64, event: &NewEvent<'_>) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                &format!(
                    "UPDATE change_set SET status = 'rejected', updated = ? WHERE number = ? AND {OPEN} RETURNING number"
                ),
                params![now, set.number],
            )?;
            if row.is_none() {
                return Ok(false);
            }
            clear(self.sql, &set.session)?;
            self.touch(&set.session, now)?;
            audit::insert(self.sql, event, now)?;
            Ok(true)
        })
    }

    /// A set of a session.
    pub fn get(&self, session: &str, number: i64) -> Result<Option<ChangeSet>, SqlError> {
        let row = self.sql.first(&format!("{SELECT} WHERE number = ? AND session = ?"), params![number, session])?;
        row.map(|row| self.read(&row)).transpose()
    }

    /// A set by its number, whosever it is.
    pub fn numbered(&self, number: i64) -> Result<Option<ChangeSet>, SqlError> {
        let row = self.sql.first(&format!("{SELECT} WHERE number = ?"), params![number])?;
        row.map(|row| self.read(&row)).transpose()
    }

    /// The newest set of a session, whatever became of it.
    pub fn latest(&self, session: &str) -> Result<Option<ChangeSet>, SqlError> {
        let select = format!("{SELECT} WHERE session = ? ORDER BY version DESC LIMIT 1");
        self.sql.first(&select, params![session])?.map(|row| self.read(&row)).transpose()
    }

    /// Notes what the user of an open set was shown of it. The same again is noted once a day.
    pub fn note_shown(&self, session: &str, number: i64, shown: &str, now: i64) -> Result<(), SqlError> {
        let update = format!(
            "UPDATE change_set SET shown = ?, shown_at = ? WHERE number = ? AND session = ? AND {OPEN}
             AND (shown IS NOT ? OR shown_at < ?)"
        );
        self.sql.execute(&update, params![shown, now, number, session, shown, now - DAY_MS])?;
        Ok(())
    }

    /// Whether any set of a session was applied.
    pub fn any_applied(&self, session: &str) -> Result<bool, SqlError> {
        let select = "SELECT 1 FROM change_set WHERE session = ? AND status = 'applied' LIMIT 1";
        Ok(self.sql.first(select, params![session])?.is_some())
    }

    /// The working files of a session, in the order in which their objects were first written.
    pub fn working(&self, session: &str) -> Result<Vec<WorkingRow>, SqlError> {
        let rows = self.sql.query(
            "SELECT part, object, content, deleted, base_hash FROM working_file WHERE session = ? ORDER BY place",
            params![session],
        )?;
        let read = |row: &Row| -> Result<WorkingRow, SqlError> {
            Ok(WorkingRow {
                part: row.get(0)?,
                object: row.get(1)?,
                content: blob::get_column(self.sql, row.get(2)?)?,
                deleted: row.get(3)?,
                base_hash: row.get(4)?,
            })
        };
        rows.iter().map(read).collect()
    }

    fn set_working(&self, session: &str, working: &[WorkingRow], now: i64) -> Result<(), SqlError> {
        clear(self.sql, session)?;
        for (place, row) in working.iter().enumerate() {
            self.sql.execute(
                "INSERT INTO working_file(session, part, object, place, content, deleted, base_hash, updated)
                 VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    session,
                    row.part,
                    &row.object,
                    place as u64,
                    blob::put_column(self.sql, &row.content)?,
                    row.deleted,
                    row.base_hash.as_ref(),
                    now
                ],
            )?;
        }
        Ok(())
    }

    fn touch(&self, session: &str, now: i64) -> Result<(), SqlError> {
        self.sql.execute("UPDATE session SET active = ? WHERE id = ?", params![now, session])
    }

    fn read(&self, row: &Row) -> Result<ChangeSet, SqlError> {
        let long = |column: Option<String>| column.map(|list| blob::get_long(self.sql, &list)).transpose();
        Ok(ChangeSet {
            number: row.get(0)?,
            session: row.get(1)?,
            user: row.get(2)?,
            version: row.get(3)?,
            content: blob::get_long(self.sql, &row.get::<String>(4)?)?,
            validation: long(row.get(5)?)?,
            inverse: long(row.get(6)?)?,
            status: SetStatus::parse(&row.get::<String>(7)?)?,
            created: row.get(8)?,
            updated: row.get(9)?,
            shown: row.get::<Option<String>>(10)?.zip(row.get(11)?),
            revision: row.get(12)?,
        })
    }
}

/// Rejects what is open in a session; answers how many sets that were.
pub(crate) fn reject_open<S: Sql>(sql: &S, session: &str, now: i64) -> Result<u64, SqlError> {
    let update =
        format!("UPDATE change_set SET status = 'rejected', updated = ? WHERE session = ? AND {OPEN} RETURNING number");
    Ok(sql.query(&update, params![now, session])?.len() as u64)
}

/// Removes the working files of a session.
pub(crate) fn clear<S: Sql>(sql: &S, session: &str) -> Result<(), SqlError> {
    sql.execute("DELETE FROM working_file WHERE session = ?", params![session])
}

/// Notes that a set is applied by a revision. `false`: it was not validated, or was applied before.
pub(crate) fn applied<S: Sql>(sql: &S, applies: &Applies<'_>, revision: i64, now: i64) -> Result<bool, SqlError> {
    let inverse = blob::put_long(sql, applies.inverse)?;
    let row = sql.first(
        "UPDATE change_set SET status = 'applied', inverse = ?, revision = ?, updated = ?
         WHERE number = ? AND status = 'validated' RETURNING session",
        params![inverse, revision, now, applies.change_set],
    )?;
    let Some(row) = row else { return Ok(false) };
    clear(sql, &row.get::<String>(0)?)?;
    audit::insert(sql, applies.event, now)?;
    Ok(true)
}
