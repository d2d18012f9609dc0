//! Bundles of a project as they stand.

use holdpoint_change::{Base, Facts};

use super::{Files, Revision, Workspace, WriteError};
use crate::blob::{self, Manifest, read_json};
use crate::page::{Page, page};
use crate::sql::{Sql, SqlError, params};

/// What a bundle is called and whose it is: its first write stores that, later ones give it their title and leave the
/// rest.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'b> {
    /// No other in the project has it.
    pub id: &'b str,
    pub kind: &'b str,
    pub title: &'b str,
    pub owner: &'b str,
    /// The account that has to list it, or to strike it out, where one does.
    pub account: Option<&'b str>,
}

/// A bundle as it stands, without its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// Its name in the project.
    pub id: String,
    pub kind: String,
    pub title: String,
    pub owner: String,
    /// The kind's, of the bundle.
    pub facts: Facts,
    /// When it was made, ms since 1970.
    pub created: i64,
    /// When its newest revision was made, ms since 1970.
    pub updated: i64,
    pub revision: Revision,
    /// Path to the fingerprint of its text; `None`: the bundle is not there.
    pub fingerprints: Option<Manifest>,
    /// The revision in the list whose files these are; `None`: before the first.
    pub here: Option<Revision>,
    /// The one before it in the list.
    pub previous: Option<Revision>,
    /// Whether the list goes on before this.
    pub can_go_back: bool,
    /// Whether the list goes on behind this.
    pub can_go_forth: bool,
}

impl<'b> From<&'b Head> for Bundle<'b> {
    fn from(head: &'b Head) -> Self {
        let Head { id, kind, title, owner, .. } = head;
        Self { id, kind, title, owner, account: None }
    }
}

/// The row of a bundle.
pub(super) struct Row {
    pub kind: String,
    pub title: String,
    pub owner: String,
    pub head: i64,
    pub cursor: i64,
    pub facts: Facts,
    pub created: i64,
    pub updated: i64,
}

impl<S: Sql> Workspace<S> {
    /// Bundles that are there, by id; `cursor` is the last id of the page before.
    pub fn list(&self, cursor: &str, limit: u32) -> Result<Page<Head>, SqlError> {
        let rows = self.sql.query(
            "SELECT bundle.id FROM bundle JOIN revision ON revision.number = bundle.head
             WHERE revision.files IS NOT NULL AND bundle.id > ? ORDER BY bundle.id LIMIT ?",
            params![cursor, limit + 1],
        )?;
        let head = |row: &crate::sql::Row| -> Result<Head, SqlError> {
            let id: String = row.get(0)?;
            self.head(&id)?.ok_or_else(|| SqlError("a bundle of the list is gone".to_owned()))
        };
        page(&rows, limit, head, |head| &head.id)
    }

    /// A bundle as it stands, also one that is not there any more; `None`: nobody ever made it.
    pub fn head(&self, bundle: &str) -> Result<Option<Head>, SqlError> {
        let Some(row) = self.row(bundle)? else { return Ok(None) };
        Ok(Some(Head {
            id: bundle.to_owned(),
            revision: self.numbered(row.head)?,
            fingerprints: self.manifest(row.head)?,
            here: self.placed(bundle, row.cursor)?,
            previous: self.placed(bundle, row.cursor - 1)?,
            can_go_back: row.cursor > 0,
            can_go_forth: self.placed(bundle, row.cursor + 1)?.is_some(),
            kind: row.kind,
            title: row.title,
            owner: row.owner,
            facts: row.facts,
            created: row.created,
            updated: row.updated,
        }))
    }

    /// The files of a bundle; `None`: it is not there.
    pub fn files(&self, bundle: &str) -> Result<Option<Files>, SqlError> {
        Ok(self.base(bundle)?.files)
    }

    /// What a change of a bundle is made on.
    pub fn base(&self, bundle: &str) -> Result<Base, SqlError> {
        let Some(row) = self.row(bundle)? else { return Ok(Base::default()) };
        let revision = self.numbered(row.head)?;
        let files = self.manifest(row.head)?.map(|manifest| blob::get_all(&self.sql, &manifest)).transpose()?;
        Ok(Base { revision: Some(revision.id), files, facts: revision.facts })
    }

    /// Refuses what was decided on another revision.
    pub fn stands(&self, bundle: &str, base: &Base) -> Result<(), WriteError> {
        let current = match self.row(bundle)? {
            Some(row) => Some(self.numbered(row.head)?.id),
            None => None,
        };
        if current == base.revision { Ok(()) } else { Err(self.stale(bundle)?) }
    }

    pub(super) fn stale(&self, bundle: &str) -> Result<WriteError, SqlError> {
        Ok(WriteError::Stale { current: Box::new(self.base(bundle)?) })
    }

    pub(super) fn row(&self, bundle: &str) -> Result<Option<Row>, SqlError> {
        let row = self.sql.first(
            "SELECT kind, title, owner, head, cursor, facts, created, updated FROM bundle WHERE id = ?",
            params![bundle],
        )?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Row {
            kind: row.get(0)?,
            title: row.get(1)?,
            owner: row.get(2)?,
            head: row.get(3)?,
            cursor: row.get(4)?,
            facts: read_json(&row.get::<String>(5)?)?,
            created: row.get(6)?,
            updated: row.get(7)?,
        }))
    }
}
