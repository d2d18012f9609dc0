//! Messages of a session in pages, newest page first (spec: ai-sessions.md §3 "Pagination").
//!
//! Invariant: a cursor stays valid while newer messages arrive, and never repeats or skips one. Within a turn the user's
//! words come first, then tools in their order, then the answer, which is shown once its turn is over.

use super::Sessions;
use crate::page::{Page, seal, unseal};
use crate::sql::{MAX_INTEGER, Row, Sql, SqlError, params};
use crate::workspace::WriteError;

/// One message as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    pub number: i64,
    pub turn: i64,
    pub role: String,
    pub content: String,
    pub name: Option<String>,
    pub args: Option<String>,
    pub result: Option<String>,
    /// Of the message, or where it has none of its turn: `pending`, `complete`, `failed`, `cancelled`.
    pub status: String,
    pub client_id: Option<String>,
    pub change_set: Option<i64>,
    /// What was kept of the turn that it is the words of, or the answer.
    pub record: Option<String>,
    pub at: i64,
    rank: i64,
}

impl<S: Sql> Sessions<'_, S> {
    /// A page of a session's messages, oldest first; `all`: those of tools and systems too.
    pub fn messages(
        &self,
        session: &str,
        all: bool,
        before: Option<&str>,
        limit: u32,
    ) -> Result<Page<Spoken>, WriteError> {
        let [turn, rank, number] = match before {
            Some(cursor) => unseal::<3>(cursor).ok_or(WriteError::Cursor)?,
            None => [MAX_INTEGER; 3],
        };
        let rows = self.sql.query(
            "SELECT * FROM (SELECT message.number AS number, message.turn AS turn,
                 CASE role WHEN 'user' THEN 0 WHEN 'assistant' THEN 2 ELSE 1 END AS rank, role, content, name, args,
                 result, coalesce(message.status, turn.status) AS status, client_id, change_set, message.at AS at,
                 CASE WHEN role IN('user', 'assistant') THEN record END AS record
               FROM message JOIN turn ON turn.number = message.turn
               WHERE turn.session = ? AND (? OR role IN('user', 'assistant'))
                 AND NOT (role = 'assistant' AND turn.status = 'pending'))
             WHERE turn < ? OR turn = ? AND (rank < ? OR rank = ? AND number < ?)
             ORDER BY turn DESC, rank DESC, number DESC LIMIT ?",
            params![session, all, turn, turn, rank, rank, number, limit + 1],
        )?;
        let mut items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        let next = items.last().filter(|_| more).map(|spoken| seal(&[spoken.turn, spoken.rank, spoken.number]));
        items.reverse();
        Ok(Page { items, next_cursor: next })
    }

    /// Number and request of the turn that runs in a session.
    pub fn running(&self, session: &str) -> Result<Option<(i64, String)>, SqlError> {
        let row = self
            .sql
            .first("SELECT number, correlation FROM turn WHERE session = ? AND status = 'pending'", params![session])?;
        row.map(|row| Ok((row.get(0)?, row.get(1)?))).transpose()
    }
}

fn read(row: &Row) -> Result<Spoken, SqlError> {
    Ok(Spoken {
        number: row.get(0)?,
        turn: row.get(1)?,
        rank: row.get(2)?,
        role: row.get(3)?,
        content: row.get(4)?,
        name: row.get(5)?,
        args: row.get(6)?,
        result: row.get(7)?,
        status: row.get(8)?,
        client_id: row.get(9)?,
        change_set: row.get(10)?,
        at: row.get(11)?,
        record: row.get(12)?,
    })
}
