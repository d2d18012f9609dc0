//! What is said about bundles: sessions, their turns and messages (ENGINE §6).
//!
//! Owns turns, messages and their life; what is spoken is a protocol's. A session is that of a user about a bundle, or one
//! of many with ids of their own, and it is the lane of its turns. Invariants: at most one pending turn a lane, by a unique index; a text is written
//! only while its turn is pending and the request is still the same; a session that is over its lifetime is never read,
//! whether or not the alarm came; patches and code are never stored here.

mod decide;
mod event;
mod messages;
mod own;
mod record;
mod schema;
mod told;

pub(crate) use decide::{decide, redecide};
pub(crate) use event::TABLES as EVENTS;
pub use event::{CalledTool, LastEvent, Logged, LoggedEvent, PastMessage, ThreadTurn};
pub use messages::Spoken;
pub use own::{NewSession, OwnSession, Standing, Which};
pub use record::{Begun, Decision, Ending, Message, NewTurn, OnceKey, RequestNames, Role, Said, Status};
pub(crate) use schema::TABLES;
pub use told::{ToldChange, ToldSession, ToldTurn};
pub(crate) use told::{forget, tell};

use crate::change_set;
use crate::once;
use crate::sql::{Row, Sql, SqlError, params};
use crate::workspace::Asked;

/// Why a turn that nobody closed was closed.
pub const ABANDONED: &str = "abandoned_by_new_request";

/// The sessions of a project.
pub struct Sessions<'s, S> {
    sql: &'s S,
    ttl_ms: i64,
}

/// What one user says about one bundle.
pub struct Session<'s, S> {
    sessions: &'s Sessions<'s, S>,
    id: String,
    bundle: &'s str,
    user: &'s str,
}

/// The session of a user about a bundle: no id of a bundle holds a slash.
pub(crate) fn id(bundle: &str, user: &str) -> String {
    format!("{bundle}/{user}")
}

impl<'s, S: Sql> Sessions<'s, S> {
    pub(crate) fn new(sql: &'s S, ttl_ms: i64) -> Self {
        Self { sql, ttl_ms }
    }

    /// The session of a user about a bundle, whether or not anything was said.
    pub fn of(&'s self, bundle: &'s str, user: &'s str) -> Session<'s, S> {
        Session { sessions: self, id: id(bundle, user), bundle, user }
    }

    /// A session with an id of its own.
    pub fn named(&'s self, id: &str, bundle: &'s str, user: &'s str) -> Session<'s, S> {
        Session { sessions: self, id: id.to_owned(), bundle, user }
    }

    /// Deletes what is over its lifetime; answers how many sessions that were.
    pub fn expire(&self, now: i64) -> Result<u64, SqlError> {
        let rows = self.sql.query("SELECT id FROM session WHERE expires <= ?", params![now])?;
        if rows.is_empty() {
            return Ok(0);
        }
        self.sql.transaction(|| {
            for row in &rows {
                let id: String = row.get(0)?;
                change_set::reject_open(self.sql, &id, now)?;
                self.delete(&id)?;
            }
            Ok(rows.len() as u64)
        })
    }

    /// When the next session is over.
    pub fn next_expiry(&self) -> Result<Option<i64>, SqlError> {
        let next = "SELECT min(expires) FROM session WHERE expires < ?";
        self.sql.first(next, params![told::NEVER])?.map_or(Ok(None), |row| row.get(0))
    }

    /// Writes the answer so far. `false`: the turn is closed, or another request has it.
    pub fn keep(&self, turn: &str, correlation: &str, text: &str) -> Result<bool, SqlError> {
        self.sql.transaction(|| self.keep_in(turn, correlation, text))
    }

    /// Ends a turn. `false`: it is closed, or another request has it; nothing is written then.
    pub fn close(&self, now: i64, turn: &str, correlation: &str, ending: &Ending) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            if !self.keep_in(turn, correlation, &ending.text)? {
                return Ok(false);
            }
            let row = self.sql.first(
                "UPDATE turn SET status = ?, outcome = ? WHERE id = ? RETURNING session",
                params![ending.status.as_str(), ending.outcome.as_ref(), turn],
            )?;
            if let Some(row) = row {
                self.sql.execute(
                    "UPDATE session SET active = ?, expires = coalesce(? + keep, ?) WHERE id = ?",
                    params![now, now, now + self.ttl_ms, row.get::<String>(0)?],
                )?;
            }
            Ok(true)
        })
    }

    /// When the proposal was asked for that a revision applied.
    pub fn asked_for(&self, revision: &str) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first(
            "SELECT turn.at FROM revision JOIN turn ON turn.revision = revision.number WHERE revision.id = ?",
            params![revision],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    fn keep_in(&self, turn: &str, correlation: &str, text: &str) -> Result<bool, SqlError> {
        let row = self.sql.first(
            "UPDATE message SET content = ? WHERE role = 'assistant' AND turn =
               (SELECT number FROM turn WHERE id = ? AND status = 'pending' AND correlation = ?)
             RETURNING number",
            params![text, turn, correlation],
        )?;
        Ok(row.is_some())
    }

    fn delete(&self, id: &str) -> Result<(), SqlError> {
        let messages = "DELETE FROM message WHERE turn IN (SELECT number FROM turn WHERE session = ?)";
        self.sql.execute(messages, params![id])?;
        self.delete_events(id)?;
        self.sql.execute("DELETE FROM turn WHERE session = ?", params![id])?;
        change_set::clear(self.sql, id)?;
        self.sql.execute("DELETE FROM session WHERE id = ?", params![id])
    }
}

impl<S: Sql> Session<'_, S> {
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Begins a turn: a turn left behind is closed, the user's words and an empty answer are written. Where a turn failed
    /// that was sent under the page's own name of these words, they are that turn's words. Under a key the turn is what
    /// [`Onces::look`](crate::once::Onces::look) answers from now on.
    pub fn begin(&self, now: i64, new: &NewTurn, sent: &RequestNames<'_>) -> Result<Begun, SqlError> {
        self.sessions.expire(now)?;
        let sql = self.sessions.sql;
        sql.transaction(|| {
            let left = sql.first(
                "UPDATE turn SET status = 'failed', outcome = ? WHERE lane = ? AND status = 'pending' RETURNING number",
                params![ABANDONED, &self.id],
            )?;
            self.touch(now)?;
            let turn = match self.replaced(new)? {
                Some(turn) => self.begin_again(now, turn, new)?,
                None => self.insert(now, new, sent.client_id)?,
            };
            if let Some(OnceKey { key, hash }) = sent.once {
                once::put(sql, (self.user, key), hash, &turn.to_string(), now)?;
            }
            let names = sql.first(
                "SELECT turn.id, message.id, turn.number, message.number FROM message JOIN turn ON turn.number = message.turn
                 WHERE turn.number = ? AND role = 'assistant'",
                params![turn],
            )?;
            let names = names.ok_or_else(|| SqlError("a turn has no answer row".to_owned()))?;
            Ok(Begun {
                turn_id: names.get(0)?,
                assistant_message_id: names.get(1)?,
                turn: names.get(2)?,
                message: names.get(3)?,
                abandoned: left.is_some(),
            })
        })
    }

    /// What a turn about to begin may know: the newest messages of complete turns, oldest first, at most `most`, and
    /// never half a turn. A turn whose answer it replaces is not among them.
    pub fn context(&self, now: i64, new: &NewTurn, most: u32) -> Result<Vec<Said>, SqlError> {
        let rows = self.sessions.sql.query(
            "SELECT role, content, decision FROM message JOIN turn ON turn.number = message.turn
             JOIN session ON session.id = turn.session
             WHERE session.id = ? AND expires > ? AND turn.status = 'complete' AND turn.number IS NOT ?
               AND role IN('user', 'assistant')
             ORDER BY turn.number DESC, message.number DESC LIMIT ?",
            params![&self.id, now, self.replaced(new)?, most - most % 2],
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
    pub fn history(&self, now: i64, limit: u32) -> Result<Vec<Message>, SqlError> {
        let rows = self.sessions.sql.query(
            "SELECT message.id, turn.id, role, content, message.at, turn.status, protocol, correlation, outcome, decision,
                    decided
             FROM message JOIN turn ON turn.number = message.turn JOIN session ON session.id = turn.session
             WHERE session.id = ? AND expires > ? AND role IN('user', 'assistant')
             ORDER BY turn.number DESC, message.number DESC LIMIT ?",
            params![&self.id, now, limit],
        )?;
        rows.iter().rev().map(read_message).collect()
    }

    /// Forgets the session: messages, turns, state.
    pub fn clear(&self) -> Result<(), SqlError> {
        self.sessions.sql.transaction(|| self.sessions.delete(&self.id))
    }

    /// Notes that a proposal was discarded. `false`: there is no such proposal, or it was decided already.
    pub fn discard(&self, now: i64, asked: &Asked<'_>) -> Result<bool, SqlError> {
        self.sessions.expire(now)?;
        let sql = self.sessions.sql;
        sql.transaction(|| Ok(decide(sql, &self.id, asked, Decision::Discarded, None, now)?.is_some()))
    }

    /// When the turn of that request began.
    pub fn asked_at(&self, correlation: &str) -> Result<Option<i64>, SqlError> {
        let row = self.sessions.sql.first(
            "SELECT at FROM turn WHERE session = ? AND correlation = ? ORDER BY number DESC LIMIT 1",
            params![&self.id, correlation],
        )?;
        row.map(|row| row.get(0)).transpose()
    }

    fn touch(&self, now: i64) -> Result<(), SqlError> {
        self.sessions.sql.execute(
            "INSERT INTO session(id, bundle, user, active, expires) VALUES(?, ?, ?, ?, ?)
             ON CONFLICT(id) DO UPDATE SET active = excluded.active,
               expires = coalesce(excluded.active + keep, excluded.expires)",
            params![&self.id, self.bundle, self.user, now, now + self.sessions.ttl_ms],
        )
    }

    fn insert(&self, now: i64, new: &NewTurn, client_id: Option<&str>) -> Result<i64, SqlError> {
        let sql = self.sessions.sql;
        let row = sql.first(
            "INSERT INTO turn(session, lane, protocol, status, correlation, at, record)
             VALUES(?, ?, ?, 'pending', ?, ?, ?) RETURNING number",
            params![&self.id, &self.id, &new.protocol, &new.correlation, now, new.record.as_ref()],
        )?;
        let turn: i64 = row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?.get(0)?;
        let again = match client_id {
            Some(client_id) => self.sessions.send_again(&self.id, client_id, turn, &new.message)?,
            None => false,
        };
        if !again {
            sql.execute(
                "INSERT INTO message(turn, role, content, client_id, at) VALUES(?, 'user', ?, ?, ?)",
                params![turn, &new.message, client_id, now],
            )?;
        }
        sql.execute("INSERT INTO message(turn, role, content, at) VALUES(?, 'assistant', '', ?)", params![turn, now])?;
        Ok(turn)
    }

    fn begin_again(&self, now: i64, turn: i64, new: &NewTurn) -> Result<i64, SqlError> {
        let sql = self.sessions.sql;
        sql.execute(
            "UPDATE turn SET status = 'pending', outcome = NULL, record = ?, correlation = ?, at = ?, decision = NULL,
             decided = NULL, revision = NULL WHERE number = ?",
            params![new.record.as_ref(), &new.correlation, now, turn],
        )?;
        let blank = "UPDATE message SET content = '', at = ? WHERE turn = ? AND role = 'assistant'";
        sql.execute(blank, params![now, turn])?;
        Ok(turn)
    }

    /// The newest turn, when this asks the same once more.
    fn replaced(&self, new: &NewTurn) -> Result<Option<i64>, SqlError> {
        if !new.again {
            return Ok(None);
        }
        let row = self.sessions.sql.first(
            "SELECT turn.number, protocol, content FROM turn
             JOIN message ON message.turn = turn.number AND role = 'user'
             WHERE session = ? ORDER BY turn.number DESC LIMIT 1",
            params![&self.id],
        )?;
        let Some(row) = row else { return Ok(None) };
        let same = row.get::<String>(1)? == new.protocol && row.get::<String>(2)? == new.message;
        if same { row.get(0).map(Some) } else { Ok(None) }
    }
}

fn read_message(row: &Row) -> Result<Message, SqlError> {
    Ok(Message {
        id: row.get(0)?,
        turn: row.get(1)?,
        role: Role::parse(&row.get::<String>(2)?),
        content: row.get(3)?,
        at: row.get(4)?,
        status: row.get(5)?,
        protocol: row.get(6)?,
        correlation: row.get(7)?,
        outcome: row.get(8)?,
        decision: row.get(9)?,
        decided: row.get(10)?,
    })
}
