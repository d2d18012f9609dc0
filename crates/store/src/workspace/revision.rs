//! Revisions: what happened to a bundle, each with the files that it left. Only ever added.

use std::collections::BTreeMap;

use holdpoint_change::{Facts, HandCause};

use super::{Files, Workspace, WriteError};
use crate::blob::{self, Manifest, read_json, to_json};
use crate::page::{Page, page};
use crate::sql::{Row, Sql, SqlError, params};

/// A changed path with its hashes before and after; `None`: not there.
pub type Changed = BTreeMap<String, (Option<String>, Option<String>)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Apply,
    Create,
    Save,
    Import,
    Reset,
    Merge,
    Undo,
    Redo,
    Restore,
    Remove,
}

/// One change of a bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// `rev_<number>`, rising within a project.
    pub id: String,
    /// The revision before; `None`: it was the first.
    pub parent: Option<String>,
    pub cause: Cause,
    /// Whether the bundle was there afterwards.
    pub stands: bool,
    /// What differs from the revision before.
    pub changed: Changed,
    /// The kind's; null where the bundle was not there.
    pub facts: Facts,
    /// The facts of the revision before; `None`: the bundle was not there.
    pub facts_before: Option<Facts>,
    pub actor: String,
    /// In milliseconds since 1970, UTC.
    pub at: i64,
    /// The revision that a way back speaks of.
    pub about: Option<String>,
    /// What a person named, where the change was signed.
    pub signed: Option<Signed>,
}

/// What a person named when they signed a change.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Signed {
    /// Of what it was made on.
    pub base_hash: Option<String>,
    pub patch_id: Option<String>,
    pub result_hash: Option<String>,
    /// Whether there were doubts, which they confirmed.
    pub confirmed: bool,
    /// Of the request whose turn proposed it.
    pub correlation: Option<String>,
}

/// A revision about to be written.
pub(super) struct Next<'n> {
    pub cause: Cause,
    pub files: Option<Manifest>,
    pub facts: Facts,
    pub actor: &'n str,
    pub about: Option<i64>,
    pub signed: Option<Signed>,
    pub place: Option<i64>,
}

impl Cause {
    const ALL: [(Self, &'static str); 10] = [
        (Self::Apply, "apply"),
        (Self::Create, "create"),
        (Self::Save, "save"),
        (Self::Import, "import"),
        (Self::Reset, "reset"),
        (Self::Merge, "merge"),
        (Self::Undo, "undo"),
        (Self::Redo, "redo"),
        (Self::Restore, "restore"),
        (Self::Remove, "remove"),
    ];

    pub fn as_str(self) -> &'static str {
        Self::ALL.into_iter().find(|(cause, _)| *cause == self).map_or("", |(_, word)| word)
    }

    fn parse(text: &str) -> Result<Self, SqlError> {
        let found = Self::ALL.into_iter().find(|(_, word)| *word == text);
        found.map(|(cause, _)| cause).ok_or_else(|| SqlError("a revision has a cause of another schema".to_owned()))
    }
}

impl From<HandCause> for Cause {
    fn from(cause: HandCause) -> Self {
        match cause {
            HandCause::Create => Self::Create,
            HandCause::Save => Self::Save,
            HandCause::Import => Self::Import,
            HandCause::Reset => Self::Reset,
            HandCause::Merge => Self::Merge,
        }
    }
}

impl<S: Sql> Workspace<S> {
    /// What happened to a bundle, newest first; `cursor` is the last id of the page before.
    pub fn revisions(&self, bundle: &str, cursor: Option<&str>, limit: u32) -> Result<Page<Revision>, WriteError> {
        let before = before(cursor, "rev_")?;
        self.row(bundle)?.ok_or(WriteError::NotFound)?;
        let rows = self.sql.query(
            &format!(
                "{SELECT} WHERE revision.bundle = ? AND revision.number < ? ORDER BY revision.number DESC LIMIT ?"
            ),
            params![bundle, before, limit + 1],
        )?;
        Ok(page(&rows, limit, read, |revision| &revision.id)?)
    }

    /// What happened to all bundles of a kind, newest first, each with the bundle's id; also of bundles that are not there
    /// any more. `cursor` is the last id of the page before.
    pub fn history(
        &self,
        kind: &str,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<(String, Revision)>, WriteError> {
        let before = before(cursor, "rev_")?;
        let rows = self.sql.query(
            &format!(
                "{SELECT} JOIN bundle ON bundle.id = revision.bundle
                 WHERE bundle.kind = ? AND revision.number < ? ORDER BY revision.number DESC LIMIT ?"
            ),
            params![kind, before, limit + 1],
        )?;
        Ok(page(&rows, limit, |row| Ok((row.get(11)?, read(row)?)), |(_, revision)| &revision.id)?)
    }

    /// One revision with the files that it left; none where the bundle was not there.
    pub fn revision(&self, bundle: &str, id: &str) -> Result<(Revision, Option<Files>), WriteError> {
        let number = self.number_of(bundle, id)?;
        let files = self.manifest(number)?.map(|manifest| blob::get_all(&self.sql, &manifest)).transpose()?;
        Ok((self.numbered(number)?, files))
    }

    /// Whether a bundle ever had that revision.
    pub fn knows(&self, bundle: &str, id: &str) -> Result<bool, SqlError> {
        match self.number_of(bundle, id) {
            Ok(_) => Ok(true),
            Err(WriteError::Sql(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Facts that revisions of a bundle ever had, each once: what a person signed before may have been good once.
    pub fn facts_ever(&self, bundle: &str) -> Result<Vec<Facts>, SqlError> {
        let select = "SELECT DISTINCT facts FROM revision WHERE bundle = ? AND files IS NOT NULL";
        let rows = self.sql.query(select, params![bundle])?;
        rows.iter().map(|row| read_json(&row.get::<String>(0)?)).collect()
    }

    /// The number of a revision of this bundle.
    pub(super) fn number_of(&self, bundle: &str, id: &str) -> Result<i64, WriteError> {
        let row = self.sql.first("SELECT number FROM revision WHERE id = ? AND bundle = ?", params![id, bundle])?;
        Ok(row.ok_or(WriteError::NotFound)?.get(0)?)
    }

    pub(super) fn numbered(&self, number: i64) -> Result<Revision, SqlError> {
        let row = self.sql.first(&format!("{SELECT} WHERE revision.number = ?"), params![number])?;
        read(&row.ok_or_else(|| gone(number))?)
    }

    /// The revision at a place of the list.
    pub(super) fn placed(&self, bundle: &str, place: i64) -> Result<Option<Revision>, SqlError> {
        let select = format!("{SELECT} WHERE revision.bundle = ? AND revision.place = ?");
        self.sql.first(&select, params![bundle, place])?.map(|row| read(&row)).transpose()
    }

    /// Path to hash after a revision; `None`: the bundle was not there.
    pub(super) fn manifest(&self, number: i64) -> Result<Option<Manifest>, SqlError> {
        let row = self.sql.first("SELECT files FROM revision WHERE number = ?", params![number])?;
        let files: Option<String> = row.ok_or_else(|| gone(number))?.get(0)?;
        files.map(|text| read_json(&text)).transpose()
    }

    /// Adds a revision behind `parent`, whose files are `before`.
    pub(super) fn insert(
        &self,
        bundle: &str,
        parent: Option<i64>,
        before: Option<&Manifest>,
        next: &Next<'_>,
        at: i64,
    ) -> Result<i64, SqlError> {
        let row = self.sql.first("SELECT coalesce(max(number), 0) + 1 FROM revision", params![])?;
        let number: i64 = row.ok_or_else(|| SqlError("an aggregate gave no row".to_owned()))?.get(0)?;
        let changed = changed(before, next.files.as_ref());
        self.sql.execute(
            "INSERT INTO revision(number, id, bundle, parent, cause, files, changed, facts, actor, at, about, signed, place)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                number,
                format!("rev_{number}"),
                bundle,
                parent,
                next.cause.as_str(),
                next.files.as_ref().map(to_json),
                to_json(&changed),
                to_json(&next.facts),
                next.actor,
                at,
                next.about,
                next.signed.as_ref().map(to_json),
                next.place,
            ],
        )?;
        Ok(number)
    }
}

const SELECT: &str = "SELECT revision.id, revision.cause, revision.files IS NOT NULL, revision.changed, revision.facts,
 parent.facts, parent.files IS NOT NULL, revision.actor, revision.at, about.id, revision.signed, revision.bundle, parent.id
 FROM revision LEFT JOIN revision AS parent ON parent.number = revision.parent
 LEFT JOIN revision AS about ON about.number = revision.about";

fn read(row: &Row) -> Result<Revision, SqlError> {
    let stood: bool = row.get(6)?;
    let facts_before: Option<String> = row.get(5)?;
    Ok(Revision {
        id: row.get(0)?,
        parent: row.get(12)?,
        cause: Cause::parse(&row.get::<String>(1)?)?,
        stands: row.get(2)?,
        changed: read_json(&row.get::<String>(3)?)?,
        facts: read_json(&row.get::<String>(4)?)?,
        facts_before: facts_before.filter(|_| stood).map(|text| read_json(&text)).transpose()?,
        actor: row.get(7)?,
        at: row.get(8)?,
        about: row.get(9)?,
        signed: row.get::<Option<String>>(10)?.map(|text| read_json(&text)).transpose()?,
    })
}

fn changed(before: Option<&Manifest>, after: Option<&Manifest>) -> Changed {
    let none = Manifest::new();
    let (before, after) = (before.unwrap_or(&none), after.unwrap_or(&none));
    let paths = before.keys().chain(after.keys());
    let change = |path: &String| (path.clone(), (before.get(path).cloned(), after.get(path).cloned()));
    paths.map(change).filter(|(_, (old, new))| old != new).collect()
}

fn gone(number: i64) -> SqlError {
    SqlError(format!("revision {number} is gone"))
}

/// The number below which a page goes on: that of the last item before it. Only an id as it is given out counts.
pub(super) fn before(cursor: Option<&str>, prefix: &str) -> Result<i64, WriteError> {
    let Some(cursor) = cursor else { return Ok(i64::MAX >> 10) };
    let digits = cursor.strip_prefix(prefix).ok_or(WriteError::Cursor)?;
    let number: i64 = digits.parse().map_err(|_| WriteError::Cursor)?;
    if number.to_string() == digits { Ok(number) } else { Err(WriteError::Cursor) }
}
