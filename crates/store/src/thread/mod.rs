//! What was said about a tool: one thread a user, shared by chat and proposals (spec: script-tool.md §7).
//!
//! Owns turns, messages and their life. Invariants: at most one pending turn a thread, by a unique index; a text is
//! written only while its turn is pending and the request is still the same; a thread that is older than its lifetime
//! is never read, whether or not the alarm came; patches and code are never stored here.

mod record;
mod schema;

pub use record::{Begun, Decision, Discarded, Ending, Message, NewTurn, Role, Said, Status, Stopped, Thread, TurnKind};
pub(crate) use schema::TABLES;

use crate::sql::{Row, Sql, SqlError, params};

/// Why a turn that nobody closed was closed.
pub const ABANDONED: &str = "abandoned_by_new_request";

/// The threads of one tool.
pub struct Threads<'s, S> {
    sql: &'s S,
    ttl_ms: i64,
}

impl<'s, S: Sql> Threads<'s, S> {
    pub(crate) fn new(sql: &'s S, ttl_ms: i64) -> Self {
        Self { sql, ttl_ms }
    }

    /// Deletes what is over its lifetime; answers how many threads that were.
    pub fn expire(&self, now: i64) -> Result<u64, SqlError> {
        let bound = now - self.ttl_ms;
        let rows = self.sql.query("SELECT user_id FROM thread WHERE active_ms <= ?", params![bound])?;
        if rows.is_empty() {
            return Ok(0);
        }
        self.sql.transaction(|| {
            for row in &rows {
                self.delete(&row.get::<String>(0)?)?;
            }
            Ok(rows.len() as u64)
        })
    }

    /// When the next thread is over.
    pub fn next_expiry(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT min(active_ms) FROM thread", params![])?;
        let oldest: Option<i64> = row.map_or(Ok(None), |row| row.get(0))?;
        Ok(oldest.map(|active| active + self.ttl_ms))
    }

    /// Begins a turn: a turn left behind is closed, the user's words and an empty answer are written.
    pub fn begin(&self, now: i64, user: &str, new: &NewTurn) -> Result<Begun, SqlError> {
        self.expire(now)?;
        self.sql.transaction(|| {
            let left = self.sql.first(
                "UPDATE turn SET status = 'failed', failure_outcome = ? WHERE user_id = ? AND status = 'pending'
                 RETURNING number",
                params![ABANDONED, user],
            )?;
            touch(self.sql, user, now)?;
            let turn = match self.replaced(user, new)? {
                Some(turn) => {
                    self.sql.execute(
                        "UPDATE turn SET status = 'pending', failure_outcome = NULL, provider = ?, correlation_id = ?,
                         at_ms = ?, decision = NULL, decided_ms = NULL, revision = NULL WHERE number = ?",
                        params![&new.provider, &new.correlation_id, now, turn],
                    )?;
                    let blank = "UPDATE message SET content = '', at_ms = ? WHERE turn = ? AND role = 'assistant'";
                    self.sql.execute(blank, params![now, turn])?;
                    turn
                }
                None => self.insert(now, user, new)?,
            };
            let answer =
                self.sql.first("SELECT number FROM message WHERE turn = ? AND role = 'assistant'", params![turn])?;
            let answer: i64 = answer.ok_or_else(|| SqlError("a turn has no answer row".to_owned()))?.get(0)?;
            Ok(Begun { turn_id: turn_id(turn), assistant_message_id: message_id(answer), abandoned: left.is_some() })
        })
    }

    /// Writes the answer so far. `false`: the turn is closed, or another request has it.
    pub fn keep(&self, turn: &str, correlation_id: &str, text: &str) -> Result<bool, SqlError> {
        self.sql.transaction(|| self.keep_in(turn, correlation_id, text))
    }

    /// Ends a turn. `false`: it is closed, or another request has it; nothing is written then.
    pub fn close(&self, now: i64, turn: &str, correlation_id: &str, ending: &Ending) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            if !self.keep_in(turn, correlation_id, &ending.text)? {
                return Ok(false);
            }
            let row = self.sql.first(
                "UPDATE turn SET status = ?, failure_outcome = ? WHERE number = ? RETURNING user_id",
                params![ending.status.as_str(), ending.outcome.as_ref(), number(turn)],
            )?;
            if let Some(row) = row {
                touch(self.sql, &row.get::<String>(0)?, now)?;
            }
            Ok(true)
        })
    }

    /// What a turn about to begin may know: the newest messages of complete turns, oldest first, at most `most`, and
    /// never half a turn. A turn whose answer it replaces is not among them.
    pub fn context(&self, now: i64, user: &str, new: &NewTurn, most: u32) -> Result<Vec<Said>, SqlError> {
        let rows = self.sql.query(
            "SELECT role, content, decision FROM message JOIN turn ON turn.number = message.turn
             WHERE turn.user_id = ? AND status = 'complete' AND turn.number IS NOT ?
               AND (SELECT active_ms FROM thread WHERE thread.user_id = turn.user_id) > ?
             ORDER BY turn.number DESC, message.number DESC LIMIT ?",
            params![user, self.replaced(user, new)?, now - self.ttl_ms, most - most % 2],
        )?;
        let said = |row: &Row| -> Result<Said, SqlError> {
            Ok(Said {
                role: Role::parse(&row.get::<String>(0)?),
                content: row.get(1)?,
                decision: row.get::<Option<String>>(2)?.as_deref().and_then(Decision::parse),
            })
        };
        rows.iter().rev().map(said).collect()
    }

    /// The last `limit` messages, oldest first.
    pub fn history(&self, now: i64, user: &str, limit: u32) -> Result<Vec<Message>, SqlError> {
        let rows = self.sql.query(
            "SELECT message.number, turn.number, role, content, message.at_ms, status, kind, correlation_id,
                    failure_outcome, decision, decided_ms
             FROM message JOIN turn ON turn.number = message.turn
             WHERE turn.user_id = ? AND (SELECT active_ms FROM thread WHERE thread.user_id = turn.user_id) > ?
             ORDER BY turn.number DESC, message.number DESC LIMIT ?",
            params![user, now - self.ttl_ms, limit],
        )?;
        rows.iter().rev().map(read_message).collect()
    }

    /// Forgets a user's thread: messages, turns, state.
    pub fn clear(&self, user: &str) -> Result<(), SqlError> {
        self.sql.transaction(|| self.delete(user))
    }

    /// Notes that a proposal was discarded. `false`: the thread has no such proposal, or it was decided already.
    pub fn discard(&self, now: i64, user: &str, correlation_id: &str) -> Result<bool, SqlError> {
        self.expire(now)?;
        self.sql.transaction(|| decide(self.sql, user, correlation_id, Decision::Discarded, None, now))
    }

    /// When the turn of that request began.
    pub fn asked_at(&self, user: &str, correlation_id: &str) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first(
            "SELECT at_ms FROM turn WHERE user_id = ? AND correlation_id = ? ORDER BY number DESC LIMIT 1",
            params![user, correlation_id],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    fn insert(&self, now: i64, user: &str, new: &NewTurn) -> Result<i64, SqlError> {
        let row = self.sql.first(
            "INSERT INTO turn(user_id, kind, status, provider, correlation_id, at_ms) VALUES(?, ?, 'pending', ?, ?, ?)
             RETURNING number",
            params![user, new.kind.as_str(), &new.provider, &new.correlation_id, now],
        )?;
        let turn: i64 = row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?.get(0)?;
        for (role, content) in [(Role::User, new.message.as_str()), (Role::Assistant, "")] {
            self.sql.execute(
                "INSERT INTO message(turn, role, content, at_ms) VALUES(?, ?, ?, ?)",
                params![turn, role.as_str(), content, now],
            )?;
        }
        Ok(turn)
    }

    /// The newest turn, when this asks the same once more.
    fn replaced(&self, user: &str, new: &NewTurn) -> Result<Option<i64>, SqlError> {
        if !new.again {
            return Ok(None);
        }
        let row = self.sql.first(
            "SELECT turn.number, kind, content FROM turn JOIN message ON message.turn = turn.number AND role = 'user'
             WHERE user_id = ? ORDER BY turn.number DESC LIMIT 1",
            params![user],
        )?;
        let Some(row) = row else { return Ok(None) };
        let same = row.get::<String>(1)? == new.kind.as_str() && row.get::<String>(2)? == new.message;
        if same { row.get(0).map(Some) } else { Ok(None) }
    }

    fn keep_in(&self, turn: &str, correlation_id: &str, text: &str) -> Result<bool, SqlError> {
        let row = self.sql.first(
            "UPDATE message SET content = ? WHERE role = 'assistant' AND turn =
               (SELECT number FROM turn WHERE number = ? AND status = 'pending' AND correlation_id = ?)
             RETURNING number",
            params![text, number(turn), correlation_id],
        )?;
        Ok(row.is_some())
    }

    fn delete(&self, user: &str) -> Result<(), SqlError> {
        let messages = "DELETE FROM message WHERE turn IN (SELECT number FROM turn WHERE user_id = ?)";
        self.sql.execute(messages, params![user])?;
        self.sql.execute("DELETE FROM turn WHERE user_id = ?", params![user])?;
        self.sql.execute("DELETE FROM thread WHERE user_id = ?", params![user])
    }
}

/// Writes what became of a proposal, inside the transaction that did it. A decision without a turn is only activity.
pub(crate) fn decide<S: Sql>(
    sql: &S,
    user: &str,
    correlation_id: &str,
    decision: Decision,
    revision: Option<i64>,
    now: i64,
) -> Result<bool, SqlError> {
    sql.execute("UPDATE thread SET active_ms = ? WHERE user_id = ?", params![now, user])?;
    // What was discarded or undone may be applied after all; only what nobody decided can be discarded.
    let open = if decision == Decision::Discarded { "decision IS NULL" } else { "decision IS NOT 'applied'" };
    let row = sql.first(
        &format!(
            "UPDATE turn SET decision = ?, decided_ms = ?, revision = ? WHERE number =
               (SELECT max(number) FROM turn WHERE user_id = ? AND correlation_id = ? AND kind = 'edit_ops'
                AND status = 'complete') AND {open} RETURNING number"
        ),
        params![decision.as_str(), now, revision, user, correlation_id],
    )?;
    Ok(row.is_some())
}

/// The same for an undo or redo of the apply that made `revision`.
pub(crate) fn redecide<S: Sql>(sql: &S, revision: i64, decision: Decision, now: i64) -> Result<(), SqlError> {
    sql.execute(
        "UPDATE turn SET decision = ?, decided_ms = ? WHERE revision = ?",
        params![decision.as_str(), now, revision],
    )
}

fn touch<S: Sql>(sql: &S, user: &str, now: i64) -> Result<(), SqlError> {
    sql.execute(
        "INSERT INTO thread(user_id, active_ms) VALUES(?, ?)
         ON CONFLICT(user_id) DO UPDATE SET active_ms = excluded.active_ms",
        params![user, now],
    )
}

fn read_message(row: &Row) -> Result<Message, SqlError> {
    Ok(Message {
        message_id: message_id(row.get(0)?),
        turn_id: turn_id(row.get(1)?),
        role: Role::parse(&row.get::<String>(2)?),
        content: row.get(3)?,
        created_at: row.get(4)?,
        status: row.get(5)?,
        kind: row.get(6)?,
        correlation_id: row.get(7)?,
        failure_outcome: row.get(8)?,
        decision: row.get(9)?,
        decided_at: row.get(10)?,
    })
}

fn turn_id(number: i64) -> String {
    format!("turn_{number}")
}

fn message_id(number: i64) -> String {
    format!("msg_{number}")
}

/// A name that was never given out is no row.
fn number(id: &str) -> i64 {
    id.strip_prefix("turn_").and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
