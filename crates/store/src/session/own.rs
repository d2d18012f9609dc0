//! Sessions with an id of their own: a user may have many of them about one bundle (ENGINE §6; spec: ai-sessions.md §2).
//!
//! Owns their rows and their life. What a target or a mode means is a kind's. Invariants: a session that is cancelled or
//! failed never becomes active again and has no open change set; with its transcript go messages, turns and working
//! files, while change sets and audit rows stay.

use super::Sessions;
use crate::change_set::{SetStatus, clear, reject_open};
use crate::page::{Page, seal, unseal};
use crate::sql::{MAX_INTEGER, Row, Sql, SqlError, params};
use crate::workspace::WriteError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    Active,
    Cancelled,
    Failed,
}

impl Standing {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        [Self::Active, Self::Cancelled, Self::Failed].into_iter().find(|standing| standing.as_str() == text)
    }
}

/// A session about to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'n> {
    pub id: &'n str,
    pub bundle: &'n str,
    pub user: &'n str,
    /// Type and name of what it is about in there, with a colon between them.
    pub target: &'n str,
    /// The part of the bundle that the target is in.
    pub part: Option<i64>,
    /// That part is not there yet.
    pub waits: bool,
    pub mode: &'n str,
    /// JSON text that the kind alone reads.
    pub facts: &'n str,
}

/// A session as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSession {
    pub id: String,
    pub bundle: String,
    pub user: String,
    pub target: String,
    pub part: Option<i64>,
    pub mode: String,
    pub standing: Standing,
    pub facts: String,
    pub created: i64,
    pub updated: i64,
    /// The first words that were said in it, cut to 400 characters.
    pub opening: Option<String>,
    /// Where its newest change set stands.
    pub latest: Option<SetStatus>,
    /// What it was to make is there, by its own doing. The store never says so; a kind notes it here.
    pub settled: bool,
    number: i64,
}

/// Which sessions of a user about a bundle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Which<'w> {
    /// The type of the target.
    pub kind: Option<&'w str>,
    /// The name of the target.
    pub name: Option<&'w str>,
    pub part: Option<i64>,
    pub standing: Option<Standing>,
}

const SELECT: &str = "SELECT id, bundle, user, target, part, mode, status, facts, created, active, number,
 (SELECT substr(content, 1, 400) FROM message JOIN turn ON turn.number = message.turn
  WHERE turn.session = session.id AND role = 'user' AND trim(content, char(9, 10, 13, 32)) <> ''
  ORDER BY turn.number LIMIT 1),
 (SELECT change_set.status FROM change_set WHERE change_set.session = session.id ORDER BY version DESC LIMIT 1)
 FROM session";

impl<S: Sql> Sessions<'_, S> {
    /// Makes a session. It lives for the time of these [`Sessions`] after its last message.
    pub fn open(&self, new: &NewSession<'_>, now: i64) -> Result<OwnSession, SqlError> {
        let row = self.sql.first(
            "INSERT INTO session(id, bundle, user, target, part, waits, mode, status, facts, created, active, expires,
               keep, number) VALUES(?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?, ?, ?,
               (SELECT coalesce(max(number), 0) + 1 FROM session))
             RETURNING id, bundle, user, target, part, mode, status, facts, created, active, number, NULL, NULL",
            params![
                new.id,
                new.bundle,
                new.user,
                new.target,
                new.part,
                new.waits,
                new.mode,
                new.facts,
                now,
                now,
                now + self.ttl_ms,
                self.ttl_ms
            ],
        )?;
        read(&row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?)
    }

    /// A user's session by its id.
    pub fn own(&self, bundle: &str, user: &str, id: &str, now: i64) -> Result<Option<OwnSession>, SqlError> {
        let select =
            format!("{SELECT} WHERE id = ? AND bundle = ? AND user = ? AND number IS NOT NULL AND expires > ?");
        self.sql.first(&select, params![id, bundle, user, now])?.map(|row| read(&row)).transpose()
    }

    /// A session by its id, whoever's it is.
    pub fn by_id(&self, id: &str) -> Result<Option<OwnSession>, SqlError> {
        let select = format!("{SELECT} WHERE id = ? AND number IS NOT NULL");
        self.sql.first(&select, params![id])?.map(|row| read(&row)).transpose()
    }

    /// A user's sessions about a bundle, newest first.
    pub fn list(
        &self,
        (bundle, user): (&str, &str),
        which: &Which<'_>,
        cursor: Option<&str>,
        limit: u32,
        now: i64,
    ) -> Result<Page<OwnSession>, WriteError> {
        let before = match cursor {
            Some(cursor) => unseal::<1>(cursor).ok_or(WriteError::Cursor)?[0],
            None => MAX_INTEGER,
        };
        let standing = which.standing.map(Standing::as_str);
        let rows = self.sql.query(
            &format!(
                "{SELECT} WHERE bundle = ? AND user = ? AND number < ? AND expires > ?
                   AND (? IS NULL OR substr(target, 1, instr(target, ':') - 1) = ?)
                   AND (? IS NULL OR substr(target, instr(target, ':') + 1) = ?)
                   AND (? IS NULL OR part = ?) AND (? IS NULL OR status = ?)
                 ORDER BY number DESC LIMIT ?"
            ),
            params![
                bundle,
                user,
                before,
                now,
                which.kind,
                which.kind,
                which.name,
                which.name,
                which.part,
                which.part,
                standing,
                standing,
                limit + 1
            ],
        )?;
        let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        Ok(Page { next_cursor: items.last().filter(|_| more).map(|session| seal(&[session.number])), items })
    }

    /// The highest part that any session about a bundle was ever in: what waits for its part has its number.
    pub fn highest_part(&self, bundle: &str) -> Result<Option<i64>, SqlError> {
        let select = "SELECT max(part) FROM session WHERE bundle = ? AND number IS NOT NULL";
        self.sql.first(select, params![bundle])?.map_or(Ok(None), |row| row.get(0))
    }

    /// Ends a session; answers how many open sets that rejected.
    pub fn cancel(&self, id: &str, now: i64) -> Result<u64, SqlError> {
        self.sql.transaction(|| self.end(id, Standing::Cancelled, now))
    }

    /// Ends sessions that nobody used for `idle_ms`; answers their ids with bundle and user.
    pub fn cancel_idle(&self, now: i64, idle_ms: i64) -> Result<Vec<OwnSession>, SqlError> {
        let select = format!("{SELECT} WHERE status = 'active' AND number IS NOT NULL AND active <= ?");
        let idle = self.sql.query(&select, params![now - idle_ms])?;
        let idle = idle.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if !idle.is_empty() {
            self.sql.transaction(|| {
                idle.iter().try_for_each(|session| self.end(&session.id, Standing::Cancelled, now).map(drop))
            })?;
        }
        Ok(idle)
    }

    /// When the next session has been idle for `idle_ms`.
    pub fn next_idle(&self, idle_ms: i64) -> Result<Option<i64>, SqlError> {
        let select = "SELECT min(active) FROM session WHERE status = 'active' AND number IS NOT NULL";
        let active: Option<i64> = self.sql.first(select, params![])?.map_or(Ok(None), |row| row.get(0))?;
        Ok(active.map(|active| active + idle_ms))
    }

    /// Sessions in parts that a bundle has no more have failed; one whose part is yet to come waits for it. `parts` are
    /// those that are there; `None`: the bundle is gone.
    pub fn fail_without(&self, bundle: &str, parts: Option<&[i64]>, now: i64) -> Result<u64, SqlError> {
        let rows = self.sql.query(
            "SELECT id, part, waits FROM session WHERE bundle = ? AND status = 'active' AND number IS NOT NULL
               AND (part IS NOT NULL OR ?)",
            params![bundle, parts.is_none()],
        )?;
        let mut gone = Vec::new();
        let mut come = Vec::new();
        for row in &rows {
            let (id, part, waits): (String, Option<i64>, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let is_there = part.is_none_or(|part| parts.is_some_and(|parts| parts.contains(&part)));
            match (parts.is_some() && is_there, waits) {
                (false, true) if parts.is_some() => {}
                (false, _) => gone.push(id),
                (true, true) => come.push(id),
                (true, false) => {}
            }
        }
        if gone.is_empty() && come.is_empty() {
            return Ok(0);
        }
        self.sql.transaction(|| {
            for id in &come {
                self.sql.execute("UPDATE session SET waits = 0 WHERE id = ?", params![id])?;
            }
            for id in &gone {
                self.end(id, Standing::Failed, now)?;
            }
            Ok(gone.len() as u64)
        })
    }

    /// Deletes the transcript of a session at once: the session with its messages, turns and working files.
    pub fn forget(&self, id: &str, now: i64) -> Result<(), SqlError> {
        self.sql.transaction(|| {
            reject_open(self.sql, id, now)?;
            self.delete(id)
        })
    }

    pub fn touch(&self, id: &str, now: i64) -> Result<(), SqlError> {
        self.sql.execute("UPDATE session SET active = ? WHERE id = ?", params![now, id])
    }

    fn end(&self, id: &str, standing: Standing, now: i64) -> Result<u64, SqlError> {
        let update = "UPDATE session SET status = ?, active = ? WHERE id = ? AND status = 'active'";
        self.sql.execute(update, params![standing.as_str(), now, id])?;
        clear(self.sql, id)?;
        reject_open(self.sql, id, now)
    }
}

fn read(row: &Row) -> Result<OwnSession, SqlError> {
    let standing: String = row.get(6)?;
    Ok(OwnSession {
        id: row.get(0)?,
        bundle: row.get(1)?,
        user: row.get(2)?,
        target: row.get(3)?,
        part: row.get(4)?,
        mode: row.get(5)?,
        standing: Standing::parse(&standing)
            .ok_or_else(|| SqlError("a session has a status of another schema".to_owned()))?,
        facts: row.get(7)?,
        created: row.get(8)?,
        updated: row.get(9)?,
        settled: false,
        number: row.get(10)?,
        opening: row.get(11)?,
        latest: row.get::<Option<String>>(12)?.as_deref().map(SetStatus::parse).transpose()?,
    })
}
