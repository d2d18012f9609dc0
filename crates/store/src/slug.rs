//! One public name of an app: who has it, and which revision it shows (spec: app-builder.md §8).
//!
//! Owns the tables of one `Slug` object. Knows no project and no artifact: what is published is a project's to say, and
//! comes with a number that only rises. Invariants: a name has one owner; a flip counts only from the owner, and only
//! under a higher number than the one that stands, so an older publish that ends last changes nothing; a revision that
//! was never published here is never served.

use serde::{Deserialize, Serialize};

use crate::blob::{read_json, to_json};
use crate::migrate::migrate;
use crate::sql::{Row, Sql, SqlError, params};

/// How long a claim stands that nobody confirms, in ms.
pub const CLAIM_MS: i64 = 10 * 60 * 1_000;
/// Revisions whose addresses a name remembers: of more, those that were published the longest ago go.
pub const MAX_PUBLISHED: u64 = 1_000;

/// The tables of a name, as [`crate::migrate::migrate`] brings them up to date.
pub const MIGRATIONS: &[&[&str]] = &[&[
    // `revision` is NULL while nothing is published; `origins` is a list of texts.
    "CREATE TABLE slug(slug TEXT PRIMARY KEY, tenant TEXT NOT NULL, app TEXT NOT NULL, revision TEXT, seq INTEGER NOT NULL,
       origins TEXT NOT NULL, claimed INTEGER NOT NULL, confirmed INTEGER NOT NULL CHECK(confirmed IN(0, 1)))
     STRICT, WITHOUT ROWID",
    // `seq` is the number under which the revision was published last.
    "CREATE TABLE published(revision TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX published_seq ON published(seq)",
]];

/// The app that has a name, or wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlugOwner<'a> {
    pub tenant_id: &'a str,
    pub app_id: &'a str,
}

/// What an address is to show from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip<'a> {
    /// What is shown from now on; `None`: nothing.
    pub revision_id: Option<&'a str>,
    /// The number of the publish in its project.
    pub publish_seq: i64,
    /// Origins that pages of the app may connect to.
    pub connect_origins: &'a [String],
}

/// A name that somebody has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlugRow {
    pub slug: String,
    pub tenant_id: String,
    pub app_id: String,
    /// The published revision; `None`: nothing is published.
    pub revision_id: Option<String>,
    /// The number of the newest publish that was accepted; 0: none was.
    pub publish_seq: i64,
    /// Origins that pages of the app may connect to, as of that publish.
    pub connect_origins: Vec<String>,
    /// When the name was claimed, in milliseconds since 1970, UTC.
    pub claimed_at: i64,
    /// Whether an app is known to stand behind the claim.
    pub confirmed: bool,
}

/// The database of one name.
pub struct SlugStore<S> {
    sql: S,
    slug: String,
}

const SELECT: &str = "SELECT slug, tenant, app, revision, seq, origins, claimed, confirmed FROM slug";

impl<S: Sql> SlugStore<S> {
    /// Opens the database of the name `slug` and brings it up to date.
    pub fn open(sql: S, slug: &str) -> Result<Self, SqlError> {
        migrate(&sql, MIGRATIONS)?;
        Ok(Self { sql, slug: slug.to_owned() })
    }

    /// Takes the name for an app that is about to be made; answers whether the app has it. A claim of another app that
    /// was not confirmed in [`CLAIM_MS`] gives way.
    pub fn claim(&self, owner: SlugOwner<'_>, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            self.forget(now)?;
            match self.row()? {
                Some(row) if !row.is_of(owner) => return Ok(false),
                Some(row) if row.confirmed => {}
                Some(_) => self.sql.execute("UPDATE slug SET claimed = ?", params![now])?,
                None => self.insert(owner, now, false)?,
            }
            Ok(true)
        })
    }

    /// The app is there: its claim stands until it is released. Answers whether the app has the name, which it also takes
    /// where the claim fell and nobody else came.
    pub fn confirm(&self, owner: SlugOwner<'_>, now: i64) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            match self.row()? {
                Some(row) if !row.is_of(owner) => return Ok(false),
                Some(_) => self.sql.execute("UPDATE slug SET confirmed = 1", params![])?,
                None => self.insert(owner, now, true)?,
            }
            Ok(true)
        })
    }

    /// Gives the name back; does nothing when another app has it, or none.
    pub fn release(&self, app_id: &str) -> Result<(), SqlError> {
        self.sql.transaction(|| {
            let gone = self.sql.first("DELETE FROM slug WHERE app = ? RETURNING app", params![app_id])?;
            if gone.is_some() {
                self.sql.execute("DELETE FROM published", params![])?;
            }
            Ok(())
        })
    }

    /// Lets the address show another revision, or nothing; answers whether that stands. It does not when another app has
    /// the name, or when a publish with a higher number was here before. The same publish may come again.
    pub fn flip(&self, owner: SlugOwner<'_>, flip: &Flip<'_>) -> Result<bool, SqlError> {
        self.sql.transaction(|| {
            let Some(row) = self.row()?.filter(|row| row.is_of(owner)) else { return Ok(false) };
            if flip.publish_seq <= row.publish_seq {
                let is_same = flip.publish_seq == row.publish_seq && flip.revision_id == row.revision_id.as_deref();
                return Ok(is_same);
            }
            self.sql.execute(
                "UPDATE slug SET revision = ?, seq = ?, origins = ?, confirmed = 1",
                params![flip.revision_id, flip.publish_seq, to_json(&flip.connect_origins)],
            )?;
            if let Some(revision) = flip.revision_id {
                self.remember(revision, flip.publish_seq)?;
            }
            Ok(true)
        })
    }

    /// Who has the name, and what it shows.
    pub fn look(&self) -> Result<Option<SlugRow>, SqlError> {
        self.row()
    }

    /// The same where the app is published now and this revision is, or was, published under this name.
    pub fn served(&self, revision_id: &str) -> Result<Option<SlugRow>, SqlError> {
        let Some(row) = self.row()?.filter(|row| row.revision_id.is_some()) else { return Ok(None) };
        let known = self.sql.first("SELECT seq FROM published WHERE revision = ?", params![revision_id])?;
        Ok(known.map(|_| row))
    }

    /// Drops a claim that nobody confirmed in time.
    pub fn forget(&self, now: i64) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM slug WHERE confirmed = 0 AND claimed <= ?", params![now - CLAIM_MS])
    }

    /// When the claim falls, unless it is confirmed before, ms since 1970.
    pub fn next_forgetting(&self) -> Result<Option<i64>, SqlError> {
        let row = self.sql.first("SELECT claimed + ? FROM slug WHERE confirmed = 0", params![CLAIM_MS])?;
        row.map(|row| row.get(0)).transpose()
    }

    fn row(&self) -> Result<Option<SlugRow>, SqlError> {
        self.sql.first(SELECT, params![])?.map(|row| SlugRow::read(&row)).transpose()
    }

    fn insert(&self, owner: SlugOwner<'_>, now: i64, confirmed: bool) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO slug(slug, tenant, app, revision, seq, origins, claimed, confirmed)
             VALUES(?, ?, ?, NULL, 0, '[]', ?, ?)",
            params![&self.slug, owner.tenant_id, owner.app_id, now, confirmed],
        )
    }

    fn remember(&self, revision: &str, seq: i64) -> Result<(), SqlError> {
        self.sql.execute(
            "INSERT INTO published(revision, seq) VALUES(?, ?) ON CONFLICT(revision) DO UPDATE SET seq = excluded.seq",
            params![revision, seq],
        )?;
        self.sql.execute(
            "DELETE FROM published WHERE seq <= (SELECT seq FROM published ORDER BY seq DESC LIMIT 1 OFFSET ?)",
            params![MAX_PUBLISHED],
        )
    }
}

impl SlugRow {
    fn is_of(&self, owner: SlugOwner<'_>) -> bool {
        self.tenant_id == owner.tenant_id && self.app_id == owner.app_id
    }

    fn read(row: &Row) -> Result<Self, SqlError> {
        Ok(Self {
            slug: row.get(0)?,
            tenant_id: row.get(1)?,
            app_id: row.get(2)?,
            revision_id: row.get(3)?,
            publish_seq: row.get(4)?,
            connect_origins: read_json(&row.get::<String>(5)?)?,
            claimed_at: row.get(6)?,
            confirmed: row.get(7)?,
        })
    }
}
