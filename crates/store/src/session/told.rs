//! What was said on the way to a write, told with it: turns that are over, stored in the transaction of their revision
//! (ENGINE §6; spec: authoring.md §9.1 "Conversation").
//!
//! Owns rows. Where a run lives in the page, its words come with what they led to. Invariants: such a session lives as long
//! as its bundle, and the time of no other session ends it; a write that is refused leaves no word.

use super::{Role, Sessions, id};
use crate::page::{Page, seal, unseal};
use crate::sql::{MAX_INTEGER, Sql, SqlError, params};
use crate::workspace::WriteError;

/// The end of a session that lives as long as its bundle.
pub(super) const NEVER: i64 = MAX_INTEGER;

/// What led to one write.
#[derive(Debug, Clone, Copy)]
pub struct ToldSession<'t> {
    /// What was spoken, by the id of its protocol.
    pub protocol: &'t str,
    /// Of the change: the turn that it ended with is known by it.
    pub correlation: &'t str,
    /// Ordered with the oldest first.
    pub turns: &'t [ToldTurn],
}

/// A person's words and what followed from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldTurn {
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    pub said: String,
    /// What was answered; empty where nothing was.
    pub answer: String,
    /// What the protocol keeps of it, JSON text.
    pub record: String,
}

/// The turns that led to one revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldChange {
    pub correlation: String,
    /// The revision that it led to.
    pub revision: String,
    /// Ordered with the oldest first.
    pub turns: Vec<ToldTurn>,
}

/// Writes the turns of a change. They are complete; what became of them is decided by the write that they led to.
pub(crate) fn tell<S: Sql>(
    sql: &S,
    (bundle, user): (&str, &str),
    told: &ToldSession<'_>,
    now: i64,
) -> Result<(), SqlError> {
    let session = id(bundle, user);
    sql.execute(
        "INSERT INTO session(id, bundle, user, active, expires) VALUES(?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET active = excluded.active, expires = excluded.expires",
        params![&session, bundle, user, now, NEVER],
    )?;
    for turn in told.turns {
        let row = sql.first(
            "INSERT INTO turn(session, lane, protocol, status, correlation, at, record)
             VALUES(?, ?, ?, 'complete', ?, ?, ?) RETURNING number",
            params![&session, &session, told.protocol, told.correlation, turn.at, &turn.record],
        )?;
        let number: i64 = row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?.get(0)?;
        let message = "INSERT INTO message(turn, role, content, at) VALUES(?, ?, ?, ?)";
        sql.execute(message, params![number, "user", &turn.said, turn.at])?;
        if !turn.answer.is_empty() {
            sql.execute(message, params![number, "assistant", &turn.answer, turn.at])?;
        }
    }
    Ok(())
}

/// Forgets every session about a bundle: messages, turns, state.
pub(crate) fn forget<S: Sql>(sql: &S, bundle: &str) -> Result<(), SqlError> {
    let rows = sql.query("SELECT id FROM session WHERE bundle = ?", params![bundle])?;
    rows.iter().try_for_each(|row| Sessions::new(sql, 0).delete(&row.get::<String>(0)?))
}

impl<S: Sql> Sessions<'_, S> {
    /// What led to the revisions of a bundle, newest first, each whole.
    pub fn told(
        &self,
        (bundle, user): (&str, &str),
        protocol: &str,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<ToldChange>, WriteError> {
        let before = match cursor {
            Some(cursor) => unseal::<1>(cursor).ok_or(WriteError::Cursor)?[0],
            None => MAX_INTEGER,
        };
        let session = id(bundle, user);
        let rows = self.sql.query(
            "SELECT turn.number, turn.correlation, revision.id FROM turn
             JOIN revision ON revision.number = turn.revision
             WHERE session = ? AND protocol = ? AND turn.number < ? ORDER BY turn.number DESC LIMIT ?",
            params![&session, protocol, before, limit + 1],
        )?;
        let mut items = Vec::new();
        let mut last = None;
        for row in rows.iter().take(limit as usize) {
            let (number, correlation): (i64, String) = (row.get(0)?, row.get(1)?);
            let turns = self.turns_up_to(&session, protocol, &correlation, number)?;
            items.push(ToldChange { correlation, revision: row.get(2)?, turns });
            last = Some(number);
        }
        let more = rows.len() > limit as usize;
        Ok(Page { next_cursor: last.filter(|_| more).map(|number| seal(&[number])), items })
    }

    /// The turns of a change up to the one that was decided, without those of an earlier decision.
    fn turns_up_to(
        &self,
        session: &str,
        protocol: &str,
        correlation: &str,
        last: i64,
    ) -> Result<Vec<ToldTurn>, SqlError> {
        let rows = self.sql.query(
            "SELECT turn.number, role, content, turn.at, record FROM turn JOIN message ON message.turn = turn.number
             WHERE session = ? AND protocol = ? AND correlation = ? AND turn.number <= ? AND turn.number >
               (SELECT coalesce(max(number), 0) FROM turn WHERE session = ? AND protocol = ? AND correlation = ?
                AND number < ? AND revision IS NOT NULL)
             ORDER BY turn.number, role = 'assistant'",
            params![session, protocol, correlation, last, session, protocol, correlation, last],
        )?;
        let mut turns: Vec<ToldTurn> = Vec::new();
        for row in &rows {
            let content: String = row.get(2)?;
            match (Role::parse(&row.get::<String>(1)?), turns.last_mut()) {
                (Role::Assistant, Some(turn)) => turn.answer = content,
                _ => turns.push(ToldTurn {
                    at: row.get(3)?,
                    said: content,
                    answer: String::new(),
                    record: row.get::<Option<String>>(4)?.unwrap_or_default(),
                }),
            }
        }
        Ok(turns)
    }
}
