//! What was published of an app, and what is to be (spec: app-builder.md §8).
//!
//! Owns the numbers of publishes and their intents; the address itself is another object's, which takes a flip only under a
//! higher number than it has. Invariants: numbers rise and never come again; what is published is the done publish with the
//! highest number, so that an older one that ends last does not win; an intent stays until somebody says what became of it.

use crate::artifact::PUBLISHED_MS;
use crate::page::{Page, seal, unseal};
use crate::sql::{MAX_INTEGER, Row, Sql, SqlError, params};
use crate::workspace::WriteError;

/// Publishes of a project that are remembered: of more, the oldest that are over are forgotten.
pub const MAX_PUBLISHES: u64 = 1_000;

/// Follows the tables of builds in [`crate::workspace::MIGRATIONS`].
pub(crate) const TABLES: &[&str] = &[
    "CREATE TABLE publish(seq INTEGER PRIMARY KEY AUTOINCREMENT, bundle TEXT NOT NULL, revision INTEGER NOT NULL,
       kind TEXT NOT NULL CHECK(kind IN('publish','rollback','unpublish')),
       state TEXT NOT NULL CHECK(state IN('intended','done')), user TEXT NOT NULL, at INTEGER NOT NULL, done INTEGER,
       CHECK((state = 'done') = (done IS NOT NULL))) STRICT",
    "CREATE INDEX publish_bundle ON publish(bundle, state, seq)",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishKind {
    Publish,
    Rollback,
    Unpublish,
}

/// A publish, done or intended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publish {
    /// The number of the publication, rising in a project.
    pub seq: i64,
    pub bundle: String,
    /// What the address shows; of an unpublish, what it showed before.
    pub revision: String,
    pub kind: PublishKind,
    pub user: String,
    /// When it was asked for, ms since 1970.
    pub at: i64,
    /// When the address had it, ms since 1970; `None`: that is still to come.
    pub done: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishError {
    #[error("there is no such revision of this app")]
    NotFound,
    #[error("the revision has no artifact: build it first")]
    NotBuilt,
    #[error("the app is not published")]
    NotPublished,
    #[error(transparent)]
    Sql(#[from] SqlError),
}

/// The publishes of one project.
pub struct Publishes<'w, S> {
    sql: &'w S,
}

impl PublishKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Rollback => "rollback",
            Self::Unpublish => "unpublish",
        }
    }
}

const SELECT: &str =
    "SELECT publish.seq, publish.bundle, revision.id, publish.kind, publish.user, publish.at, publish.done
 FROM publish JOIN revision ON revision.number = publish.revision";

/// The newest publish that is done, also one that took the app off its address.
pub(crate) fn current<S: Sql>(sql: &S, bundle: &str) -> Result<Option<Publish>, SqlError> {
    let select =
        format!("{SELECT} WHERE publish.bundle = ? AND publish.state = 'done' ORDER BY publish.seq DESC LIMIT 1");
    sql.first(&select, params![bundle])?.map(|row| read(&row)).transpose()
}

impl<'w, S: Sql> Publishes<'w, S> {
    pub(crate) fn new(sql: &'w S) -> Self {
        Self { sql }
    }

    /// The newest publish that is done. One of the kind [`PublishKind::Unpublish`] names the revision that was published.
    pub fn current(&self, bundle: &str) -> Result<Option<Publish>, SqlError> {
        current(self.sql, bundle)
    }

    /// The revision that was published before the present one: where a rollback goes that names none.
    pub fn previous(&self, bundle: &str) -> Result<Option<Publish>, SqlError> {
        let Some(now) = self.current(bundle)? else { return Ok(None) };
        let select = format!(
            "{SELECT} WHERE publish.bundle = ? AND publish.state = 'done' AND publish.kind <> 'unpublish'
               AND publish.seq < ? AND revision.id <> ? ORDER BY publish.seq DESC LIMIT 1"
        );
        self.sql.first(&select, params![bundle, now.seq, now.revision])?.map(|row| read(&row)).transpose()
    }

    /// Takes the next number and notes what is to be done under it. A revision must have an artifact; an unpublish must
    /// name the revision that is published.
    pub fn intend(
        &self,
        bundle: &str,
        revision: &str,
        kind: PublishKind,
        user: &str,
        now: i64,
    ) -> Result<Publish, PublishError> {
        self.sql.transaction(|| {
            let found = self.sql.first(
                "SELECT revision.number, EXISTS(SELECT 1 FROM build WHERE build.revision = revision.number
                   AND build.built_key IS NOT NULL)
                 FROM revision WHERE revision.id = ? AND revision.bundle = ?",
                params![revision, bundle],
            )?;
            let found = found.ok_or(PublishError::NotFound)?;
            let number: i64 = found.get(0)?;
            if kind == PublishKind::Unpublish {
                let stands = self.current(bundle)?.filter(|current| current.kind != PublishKind::Unpublish);
                stands.filter(|current| current.revision == revision).ok_or(PublishError::NotPublished)?;
            } else if !found.get::<bool>(1)? {
                return Err(PublishError::NotBuilt);
            }
            let row = self.sql.first(
                "INSERT INTO publish(bundle, revision, kind, state, user, at) VALUES(?, ?, ?, 'intended', ?, ?)
                 RETURNING seq",
                params![bundle, number, kind.as_str(), user, now],
            )?;
            let seq: i64 = row.ok_or_else(|| SqlError("an insert gave no row".to_owned()))?.get(0)?;
            self.forget(bundle)?;
            self.get(seq)?.ok_or(PublishError::NotFound)
        })
    }

    /// The address has it, or had it before a later one: the pointer moves there, unless a later one is done. `None`: there
    /// is no such intent.
    pub fn done(&self, bundle: &str, seq: i64, now: i64) -> Result<Option<Publish>, SqlError> {
        self.sql.transaction(|| {
            let row = self.sql.first(
                "UPDATE publish SET state = 'done', done = ? WHERE seq = ? AND bundle = ? AND state = 'intended'
                 RETURNING revision",
                params![now, seq, bundle],
            )?;
            if row.is_none() {
                return Ok(None);
            }
            self.sql.execute(
                "UPDATE build SET kept_until = max(coalesce(kept_until, 0), ?),
                   kind = iif(revision = (SELECT revision FROM publish WHERE bundle = ? AND state = 'done'
                     ORDER BY seq DESC LIMIT 1), 'published', 'draft')
                 WHERE bundle = ? AND kind <> 'gate'
                   AND (kind = 'published' OR revision IN(SELECT revision FROM publish WHERE seq = ?))",
                params![now + PUBLISHED_MS, bundle, bundle, seq],
            )?;
            self.get(seq)
        })
    }

    /// The address has refused it, or it could not be done: only where it is certain that the address never takes it.
    /// `false`: there is no such intent.
    pub fn withdraw(&self, bundle: &str, seq: i64) -> Result<bool, SqlError> {
        let delete = "DELETE FROM publish WHERE seq = ? AND bundle = ? AND state = 'intended' RETURNING seq";
        Ok(self.sql.first(delete, params![seq, bundle])?.is_some())
    }

    /// What is still to be said to the address, oldest first: the alarm says it again.
    pub fn intended(&self) -> Result<Vec<Publish>, SqlError> {
        let rows =
            self.sql.query(&format!("{SELECT} WHERE publish.state = 'intended' ORDER BY publish.seq"), params![])?;
        rows.iter().map(read).collect()
    }

    /// What was published, newest first; `cursor` is from the page before.
    pub fn history(&self, bundle: &str, cursor: Option<&str>, limit: u32) -> Result<Page<Publish>, WriteError> {
        let before = match cursor {
            Some(cursor) => unseal::<1>(cursor).ok_or(WriteError::Cursor)?[0],
            None => MAX_INTEGER,
        };
        let select = format!("{SELECT} WHERE publish.bundle = ? AND publish.seq < ? ORDER BY publish.seq DESC LIMIT ?");
        let rows = self.sql.query(&select, params![bundle, before, limit + 1])?;
        let items = rows.iter().take(limit as usize).map(read).collect::<Result<Vec<_>, _>>()?;
        let more = rows.len() > limit as usize;
        Ok(Page { next_cursor: items.last().filter(|_| more).map(|last| seal(&[last.seq])), items })
    }

    fn get(&self, seq: i64) -> Result<Option<Publish>, SqlError> {
        self.sql.first(&format!("{SELECT} WHERE publish.seq = ?"), params![seq])?.map(|row| read(&row)).transpose()
    }

    /// Forgets the oldest publishes beyond [`MAX_PUBLISHES`], but none that is still to be done, the present one, or what a
    /// rollback would go to.
    fn forget(&self, bundle: &str) -> Result<(), SqlError> {
        let kept = [self.current(bundle)?, self.previous(bundle)?].map(|one| one.map_or(0, |publish| publish.seq));
        self.sql.execute(
            "DELETE FROM publish WHERE state = 'done' AND seq NOT IN(?, ?)
               AND seq <= (SELECT seq FROM publish ORDER BY seq DESC LIMIT 1 OFFSET ?)",
            params![kept[0], kept[1], MAX_PUBLISHES],
        )
    }
}

fn read(row: &Row) -> Result<Publish, SqlError> {
    let kind: String = row.get(3)?;
    let kinds = [PublishKind::Publish, PublishKind::Rollback, PublishKind::Unpublish];
    let kind = kinds.into_iter().find(|one| one.as_str() == kind);
    Ok(Publish {
        seq: row.get(0)?,
        bundle: row.get(1)?,
        revision: row.get(2)?,
        kind: kind.ok_or_else(|| SqlError("a publish has a kind of another schema".to_owned()))?,
        user: row.get(4)?,
        at: row.get(5)?,
        done: row.get(6)?,
    })
}
