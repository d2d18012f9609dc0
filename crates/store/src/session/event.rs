//! The log of a turn that outlives its client: events in their order, and the end of the turn with the last of them
//! (ENGINE §6; spec: ai-sessions.md §9).
//!
//! Owns rows; what an event says is a protocol's. Invariants: numbers begin at 1 and have no gap; a turn ends in one
//! transaction with its last event, and nothing is written behind it; the last event stays as long as its turn, the
//! others for the time that its end was given.

use super::{Ending, Role, Sessions, Status};
use crate::sql::{Row, Sql, SqlError, params};

/// Follows the tables of change sets in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    // A row holds at most 2 MB, so an event has parts.
    "CREATE TABLE event(turn INTEGER NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL,
       data TEXT NOT NULL, PRIMARY KEY(turn, seq, part)) STRICT, WITHOUT ROWID",
    // When the log of a turn that is over is over too; negative: it is, and its events are gone.
    "ALTER TABLE turn ADD COLUMN log_until INTEGER",
    "CREATE INDEX turn_log ON turn(log_until) WHERE log_until > 0",
];

/// Bytes of one part of an event.
const PART_BYTES: usize = 500_000;

/// An event of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// The first one is number 1.
    pub seq: i64,
    pub name: String,
    /// JSON text in one line.
    pub data: String,
}

/// A turn with its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    pub turn: i64,
    pub correlation: String,
    /// Whether it runs, as far as the store knows.
    pub pending: bool,
    pub status: String,
    /// When its log is over; `None` while it runs.
    pub until: Option<i64>,
}

/// A turn with what was said in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadTurn {
    pub number: i64,
    pub session: String,
    pub correlation: String,
    pub status: String,
    /// The protocol's word, where it did not end well.
    pub outcome: Option<String>,
    /// What was kept of it, JSON text.
    pub record: Option<String>,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    pub user: String,
    pub prompt: String,
    pub answer: String,
}

/// The end of a turn and of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastEvent<'e> {
    pub ending: &'e Ending,
    pub name: &'e str,
    /// JSON text in one line.
    pub data: &'e str,
    /// What is kept of the turn, JSON text.
    pub record: Option<&'e str>,
    /// The change set that its answer speaks of.
    pub change_set: Option<i64>,
    /// How long its events are kept from now on.
    pub keep_ms: i64,
}

/// A call of a tool that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledTool<'t> {
    pub name: &'t str,
    /// JSON as it is written as text.
    pub args: &'t str,
    /// JSON as it is written as text.
    pub result: &'t str,
    pub ok: bool,
}

/// A message of a complete turn, for a protocol that knows what was proposed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastMessage {
    pub role: Role,
    pub content: String,
    /// What was kept of the turn.
    pub record: Option<String>,
    /// Version and status of the change set that it speaks of.
    pub change_set: Option<(i64, String)>,
}

impl<S: Sql> Sessions<'_, S> {
    /// Writes the next event of a turn that runs; answers its number. `None`: the turn is over, nothing is written.
    pub fn emit(&self, turn: i64, name: &str, data: &str) -> Result<Option<i64>, SqlError> {
        self.sql.transaction(|| {
            let runs = self.sql.first("SELECT 1 FROM turn WHERE number = ? AND status = 'pending'", params![turn])?;
            if runs.is_none() { Ok(None) } else { self.append(turn, name, data).map(Some) }
        })
    }

    /// The number of the next event of a turn.
    pub fn next_event(&self, turn: i64) -> Result<i64, SqlError> {
        let row = self.sql.first("SELECT coalesce(max(seq), 0) + 1 FROM event WHERE turn = ?", params![turn])?;
        row.ok_or_else(|| SqlError("a maximum gave no row".to_owned()))?.get(0)
    }

    /// Ends a turn with its last event. `false`: it is over, or another request has it; nothing is written then.
    pub fn close_with(&self, now: i64, turn: i64, correlation: &str, last: &LastEvent<'_>) -> Result<bool, SqlError> {
        self.close_behind(now, (turn, correlation), &[], last)
    }

    /// The same behind other events, each with its name and its data.
    pub fn close_behind(
        &self,
        now: i64,
        (turn, correlation): (i64, &str),
        events: &[(&str, String)],
        last: &LastEvent<'_>,
    ) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                "UPDATE turn SET status = ?, outcome = ?, record = coalesce(?, record), log_until = ?
                 WHERE number = ? AND status = 'pending' AND correlation = ? RETURNING session",
                params![
                    last.ending.status.as_str(),
                    last.ending.outcome.as_ref(),
                    last.record,
                    now + last.keep_ms,
                    turn,
                    correlation
                ],
            )?;
            let Some(row) = row else { return Ok(false) };
            for (name, data) in events {
                self.append(turn, name, data)?;
            }
            self.append(turn, last.name, last.data)?;
            if last.ending.status == Status::Complete {
                self.sql.execute(
                    "UPDATE message SET content = ?, change_set = ?, at = ? WHERE turn = ? AND role = 'assistant'",
                    params![&last.ending.text, last.change_set, now, turn],
                )?;
            } else {
                // Nothing was answered.
                self.sql.execute("DELETE FROM message WHERE turn = ? AND role = 'assistant'", params![turn])?;
            }
            self.sql.execute(
                "UPDATE session SET active = ?, expires = max(expires, coalesce(? + keep, ?)) WHERE id = ?",
                params![now, now, now + self.ttl_ms, row.get::<String>(0)?],
            )?;
            Ok(true)
        })
    }

    /// A turn of a session with its log.
    pub fn logged(&self, session: &str, turn: i64) -> Result<Option<Logged>, SqlError> {
        let row = self.sql.first(
            "SELECT number, correlation, status, log_until FROM turn WHERE number = ? AND session = ?",
            params![turn, session],
        )?;
        row.map(|row| read_logged(&row)).transpose()
    }

    /// The newest turn that a page sent under a name of its own.
    pub fn sent(&self, session: &str, client_id: &str) -> Result<Option<Logged>, SqlError> {
        let row = self.sql.first(
            "SELECT turn.number, correlation, turn.status, log_until FROM turn
             JOIN message ON message.turn = turn.number AND role = 'user'
             WHERE session = ? AND client_id = ? ORDER BY turn.number DESC LIMIT 1",
            params![session, client_id],
        )?;
        row.map(|row| read_logged(&row)).transpose()
    }

    /// The turn of a request, with its session.
    pub fn of_request(&self, correlation: &str) -> Result<Option<(String, Logged)>, SqlError> {
        let row = self.sql.first(
            "SELECT number, correlation, status, log_until, session FROM turn WHERE correlation = ?
             ORDER BY number DESC LIMIT 1",
            params![correlation],
        )?;
        row.map(|row| Ok((row.get(4)?, read_logged(&row)?))).transpose()
    }

    /// The request of a turn.
    pub fn correlation(&self, turn: i64) -> Result<Option<String>, SqlError> {
        let row = self.sql.first("SELECT correlation FROM turn WHERE number = ?", params![turn])?;
        row.map(|row| row.get(0)).transpose()
    }

    /// Turns of a user about a bundle, over all sessions, newest first, behind the one of a number.
    pub fn turns(&self, bundle: &str, user: &str, before: i64, limit: u32) -> Result<Vec<ThreadTurn>, SqlError> {
        let rows = self.sql.query(
            "SELECT turn.number, turn.session, turn.correlation, turn.status, turn.outcome, turn.record, turn.at,
               session.user,
               (SELECT content FROM message WHERE message.turn = turn.number AND role = 'user'),
               (SELECT content FROM message WHERE message.turn = turn.number AND role = 'assistant')
             FROM turn JOIN session ON session.id = turn.session
             WHERE session.bundle = ? AND session.user = ? AND turn.number < ? ORDER BY turn.number DESC LIMIT ?",
            params![bundle, user, before, limit],
        )?;
        let read = |row: &Row| -> Result<ThreadTurn, SqlError> {
            Ok(ThreadTurn {
                number: row.get(0)?,
                session: row.get(1)?,
                correlation: row.get(2)?,
                status: row.get(3)?,
                outcome: row.get(4)?,
                record: row.get(5)?,
                at: row.get(6)?,
                user: row.get(7)?,
                prompt: row.get::<Option<String>>(8)?.unwrap_or_default(),
                answer: row.get::<Option<String>>(9)?.unwrap_or_default(),
            })
        };
        rows.iter().map(read).collect()
    }

    /// Every turn that runs as far as the store knows, with its session.
    pub fn pending(&self, protocol: &str) -> Result<Vec<(String, Logged)>, SqlError> {
        let rows = self.sql.query(
            "SELECT number, correlation, status, log_until, session FROM turn
             WHERE status = 'pending' AND protocol = ? ORDER BY number",
            params![protocol],
        )?;
        rows.iter().map(|row| Ok((row.get(4)?, read_logged(row)?))).collect()
    }

    /// The events of a turn behind a number, in their order.
    pub fn events(&self, turn: i64, behind: i64) -> Result<Vec<LoggedEvent>, SqlError> {
        let rows = self.sql.query(
            "SELECT seq, name, data FROM event WHERE turn = ? AND seq > ? ORDER BY seq, part",
            params![turn, behind],
        )?;
        let mut events: Vec<LoggedEvent> = Vec::new();
        for row in &rows {
            let (seq, data): (i64, String) = (row.get(0)?, row.get(2)?);
            match events.last_mut() {
                Some(event) if event.seq == seq => event.data.push_str(&data),
                _ => events.push(LoggedEvent { seq, name: row.get(1)?, data }),
            }
        }
        Ok(events)
    }

    /// The last event of a turn that is over.
    pub fn last_event(&self, turn: i64) -> Result<Option<LoggedEvent>, SqlError> {
        let row = self.sql.first("SELECT max(seq) FROM event WHERE turn = ?", params![turn])?;
        let last: Option<i64> = row.map_or(Ok(None), |row| row.get(0))?;
        let Some(last) = last else { return Ok(None) };
        Ok(self.events(turn, last - 1)?.pop())
    }

    /// Deletes the events, but the last, of turns whose time for that is over; answers how many turns that were.
    pub fn forget_events(&self, now: i64) -> Result<u64, SqlError> {
        let due = "SELECT number FROM turn WHERE log_until > 0 AND log_until <= ?";
        let rows = self.sql.query(due, params![now])?;
        if rows.is_empty() {
            return Ok(0);
        }
        self.sql.transaction(|| {
            for row in &rows {
                let turn: i64 = row.get(0)?;
                let last = "DELETE FROM event WHERE turn = ? AND seq < (SELECT max(seq) FROM event WHERE turn = ?)";
                self.sql.execute(last, params![turn, turn])?;
                self.sql.execute("UPDATE turn SET log_until = -log_until WHERE number = ?", params![turn])?;
            }
            Ok(rows.len() as u64)
        })
    }

    /// What is kept of a turn.
    pub fn record(&self, turn: i64) -> Result<Option<String>, SqlError> {
        let select = "SELECT record FROM turn WHERE number = ?";
        self.sql.first(select, params![turn])?.map_or(Ok(None), |row| row.get(0))
    }

    /// When the next events are to be deleted.
    pub fn next_forgetting(&self) -> Result<Option<i64>, SqlError> {
        let next = "SELECT min(log_until) FROM turn WHERE log_until > 0";
        self.sql.first(next, params![])?.map_or(Ok(None), |row| row.get(0))
    }

    /// Notes a call of a tool in a turn that runs.
    pub fn note_tool(&self, now: i64, turn: i64, call: &CalledTool<'_>) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO message(turn, role, name, content, args, result, status, at)
             SELECT number, 'tool', ?, '', ?, ?, ?, ? FROM turn WHERE number = ? AND status = 'pending'",
            params![call.name, call.args, call.result, if call.ok { "ok" } else { "failed" }, now, turn],
        )
    }

    /// What was said in complete turns of a session, oldest first.
    pub fn past(&self, session: &str) -> Result<Vec<PastMessage>, SqlError> {
        let rows = self.sql.query(
            "SELECT role, message.content, record, version, change_set.status FROM message
             JOIN turn ON turn.number = message.turn
             LEFT JOIN change_set ON change_set.number = message.change_set
             WHERE turn.session = ? AND turn.status = 'complete' AND role IN('user', 'assistant')
             ORDER BY turn.number, message.role = 'assistant'",
            params![session],
        )?;
        let read = |row: &Row| -> Result<PastMessage, SqlError> {
            let version: Option<i64> = row.get(3)?;
            let status: Option<String> = row.get(4)?;
            Ok(PastMessage {
                role: Role::parse(&row.get::<String>(0)?),
                content: row.get(1)?,
                record: row.get(2)?,
                change_set: version.zip(status),
            })
        };
        rows.iter().map(read).collect()
    }

    /// The words of a user were sent once more: they belong to the new turn, and the old one has none. `false`: no turn
    /// that failed has them.
    pub(super) fn send_again(
        &self,
        session: &str,
        client_id: &str,
        turn: i64,
        content: &str,
    ) -> Result<bool, SqlError> {
        let row = self.sql.first(
            "UPDATE message SET turn = ?, content = ? WHERE role = 'user' AND client_id = ? AND turn IN
               (SELECT number FROM turn WHERE session = ? AND status IN('failed', 'cancelled')) RETURNING number",
            params![turn, content, client_id, session],
        )?;
        Ok(row.is_some())
    }

    pub(super) fn delete_events(&self, session: &str) -> Result<(), SqlError> {
        let events = "DELETE FROM event WHERE turn IN (SELECT number FROM turn WHERE session = ?)";
        self.sql.execute(events, params![session])
    }

    fn append(&self, turn: i64, name: &str, data: &str) -> Result<i64, SqlError> {
        let seq = self.next_event(turn)?;
        for (part, text) in parts(data).into_iter().enumerate() {
            self.sql.execute(
                "INSERT INTO event(turn, seq, part, name, data) VALUES(?, ?, ?, ?, ?)",
                params![turn, seq, part as u64, name, text],
            )?;
        }
        Ok(seq)
    }
}

fn read_logged(row: &Row) -> Result<Logged, SqlError> {
    let status: String = row.get(2)?;
    Ok(Logged {
        turn: row.get(0)?,
        correlation: row.get(1)?,
        pending: status == "pending",
        status,
        until: row.get::<Option<i64>>(3)?.map(i64::abs),
    })
}

/// A text in pieces that fit a row; one, if it is empty.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > PART_BYTES {
        let (part, behind) = rest.split_at(rest.floor_char_boundary(PART_BYTES));
        parts.push(part);
        rest = behind;
    }
    parts.push(rest);
    parts
}
