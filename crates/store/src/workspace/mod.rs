//! The bundles of a project, of whichever kind: files by their hash, revisions, and two ways back (ENGINE §5).
//!
//! Owns what a bundle is and how it came to be. Knows no kind (what only a kind knows are [`Facts`], carried unread), no
//! check, no HTTP. Invariants: a model's change comes in as `Approved` only, everything else is a person's own or stood
//! before; a write names the revision that it was made on, and is refused when that, or one of the change's units, moved;
//! gate, revision, head and the word on its turn are one transaction; revisions are only ever added; a refusal leaves the
//! database as it was.
//!
//! The list of a bundle's revisions is linear: what brings new content comes behind the cursor (what stood there leaves
//! the list and stays in the history), a step moves the cursor. Its place 0 is the time before the bundle was there.

mod back;
mod bundle;
mod checkpoint;
mod listing;
mod revision;
mod schema;

pub use back::{MAX_MERGED_LINES, OnLater, Restored, Way};
pub use bundle::{Bundle, Head};
pub use checkpoint::Checkpoint;
pub use revision::{Cause, Changed, Revision, Signed};
pub use schema::MIGRATIONS;

use holdpoint_bundle::content_hash;
use holdpoint_change::{Approved, Base, Change, Confirm, Facts, Hand, Staged, Tokens, Unit};

use crate::artifact::Artifacts;
use crate::audit::AuditLog;
pub use crate::blob::Files;
use crate::blob::{self, Hold, Manifest, to_json};
use crate::build::{self, AppliedBuild, Builds};
use crate::captures::Captures;
use crate::change_set::{self, Applies, ChangeSets};
use crate::migrate::migrate;
use crate::once::Onces;
use crate::publish::Publishes;
use crate::session::{self, Decision, Sessions, ToldSession};
use crate::sql::{Sql, SqlError, params};
use crate::token;
use crate::upload::Uploads;
use crate::working_copy::WorkingCopies;
use back::Goes;
use bundle::Row;
use revision::Next;

/// The bundles of one project.
pub struct Workspace<S> {
    sql: S,
}

/// Who writes, when (ms since 1970), and for which request.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    pub user: &'a str,
    /// The clock of the caller.
    pub now: i64,
    /// The turn of a session that proposed what is written: a checkpoint comes before it, and the turn hears of it.
    pub asked: Option<Asked<'a>>,
}

/// Which turn of the user's session about the bundle.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub protocol: &'a str,
    /// Of the request that began it.
    pub correlation: &'a str,
}

/// What is written in the transaction of an apply.
#[derive(Clone, Copy)]
pub enum Beside<'a> {
    Nothing,
    /// What was said on the way to the change, as the user's session about the bundle.
    Told(&'a ToldSession<'a>),
    /// That a session's change set is applied, and what takes it back.
    Set(&'a Applies<'a>),
    /// That the new revision is to be built, and of a change set what [`Beside::Set`] says.
    Built(&'a AppliedBuild<'a>),
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// No such bundle, revision or checkpoint.
    #[error("there is no such bundle, revision or checkpoint: list what there is")]
    NotFound,
    /// A list was asked to go on where none of its pages ended.
    #[error("no page ended there: give back the cursor of the page before")]
    Cursor,
    /// The bundle moved since the caller looked.
    #[error("the bundle changed since you looked: look again, then repeat")]
    Stale { current: Box<Base> },
    /// Files of the revision changed since, so it cannot be taken back alone.
    #[error("{} changed since: restore a revision instead", paths.join(", "))]
    Blocked {
        /// Those files, in byte order.
        paths: Vec<String>,
    },
    /// There is no revision to go to.
    #[error("there is nothing to {0}")]
    NothingTo(&'static str),
    /// The change needs a token that was issued for it, and this is none.
    #[error("confirm the change once more: the confirmation is not one that was issued for it")]
    Token,
    #[error(transparent)]
    Sql(#[from] SqlError),
}

impl By<'_> {
    fn actor(&self) -> String {
        actor(self.user)
    }
}

fn actor(user: &str) -> String {
    format!("user:{user}")
}

impl<S: Sql> Workspace<S> {
    /// Opens the database and brings it up to date.
    pub fn open(sql: S) -> Result<Self, SqlError> {
        migrate(&sql, MIGRATIONS)?;
        Ok(Self { sql })
    }

    /// The conversations about these bundles, which live for `ttl_ms` after their last activity.
    pub fn sessions(&self, ttl_ms: i64) -> Sessions<'_, S> {
        Sessions::new(&self.sql, ttl_ms)
    }

    /// What sessions propose for these bundles.
    pub fn change_sets(&self) -> ChangeSets<'_, S> {
        ChangeSets::new(&self.sql)
    }

    /// What was captured of the project's failures.
    pub fn captures(&self) -> Captures<'_, S> {
        Captures::new(&self.sql)
    }

    /// Requests that are done once.
    pub fn onces(&self) -> Onces<'_, S> {
        Onces::new(&self.sql)
    }

    /// Builds of revisions and for gates.
    pub fn builds(&self) -> Builds<'_, S> {
        Builds::new(&self.sql)
    }

    /// What builds left in the artifact store.
    pub fn artifacts(&self) -> Artifacts<'_, S> {
        Artifacts::new(&self.sql)
    }

    /// What was published of these bundles.
    pub fn publishes(&self) -> Publishes<'_, S> {
        Publishes::new(&self.sql)
    }

    /// Binary files that the artifact store holds.
    pub fn uploads(&self) -> Uploads<'_, S> {
        Uploads::new(&self.sql)
    }

    /// What its users have not saved yet.
    pub fn working_copies(&self) -> WorkingCopies<'_, S> {
        WorkingCopies::new(&self.sql)
    }

    /// What was done with it.
    pub fn audit(&self) -> AuditLog<'_, S> {
        AuditLog::new(&self.sql)
    }

    /// Stores that a user was given `token`, which nobody can guess, to confirm the change that these tokens name: the
    /// write of that change spends it.
    pub fn issue(&self, change: (&str, &Tokens), user: &str, token: &str, now: i64) -> Result<(), SqlError> {
        self.sql.transaction(|| token::issue(&self.sql, change, user, token, now))
    }

    /// Writes a change that was made on `base`. The first write of a bundle makes it. A save that changes neither a file
    /// nor, where it names any, the facts makes no revision.
    pub fn write(
        &self,
        bundle: &Bundle<'_>,
        base: &Base,
        change: Change<Restored>,
        by: &By<'_>,
    ) -> Result<Head, WriteError> {
        self.sql.transaction(|| self.write_in(bundle, base, change, by))
    }

    /// The same of a change whose revision is to be built with this key, if it is a new one.
    pub fn write_built(
        &self,
        bundle: &Bundle<'_>,
        base: &Base,
        change: Change<Restored>,
        by: &By<'_>,
        key: &str,
    ) -> Result<Head, WriteError> {
        self.sql.transaction(|| {
            let head = self.write_in(bundle, base, change, by)?;
            self.enqueue(bundle, &head, key, by)?;
            Ok(head)
        })
    }

    /// The same of a change after which nothing is kept of what was said about the bundle, and nothing is built of it.
    pub fn write_forgetting(
        &self,
        bundle: &Bundle<'_>,
        base: &Base,
        change: Change<Restored>,
        by: &By<'_>,
    ) -> Result<Head, WriteError> {
        self.sql.transaction(|| {
            session::forget(&self.sql, bundle.id)?;
            build::end_all(&self.sql, bundle.id, by.now)?;
            self.write_in(bundle, base, change, by)
        })
    }

    /// Gives a bundle the title that it comes with: no revision is made, and its account has to hear of it.
    /// [`WriteError::NotFound`]: nobody ever made it.
    pub fn rename(&self, bundle: &Bundle<'_>) -> Result<(), WriteError> {
        self.sql.transaction(|| {
            let update = "UPDATE bundle SET title = ? WHERE id = ? RETURNING id";
            self.sql.first(update, params![bundle.title, bundle.id])?.ok_or(WriteError::NotFound)?;
            Ok(self.set_unlisted(bundle)?)
        })
    }

    /// Writes what a person signed, with what belongs beside it. [`WriteError::NotFound`]: the change set is not one that waits
    /// to be applied.
    pub fn apply(
        &self,
        bundle: &Bundle<'_>,
        base: &Base,
        approved: Approved,
        by: &By<'_>,
        beside: Beside<'_>,
    ) -> Result<Head, WriteError> {
        let change = Change::Approved(approved);
        self.sql.transaction(|| match beside {
            Beside::Nothing => self.write_in(bundle, base, change, by),
            Beside::Told(told) => {
                session::tell(&self.sql, (bundle.id, by.user), told, by.now)?;
                let asked = Some(Asked { protocol: told.protocol, correlation: told.correlation });
                self.write_in(bundle, base, change, &By { asked, ..*by })
            }
            Beside::Set(applies) => {
                let head = self.write_in(bundle, base, change, by)?;
                self.note_applied(bundle, &head, applies, by)?;
                Ok(head)
            }
            Beside::Built(built) => {
                let head = self.write_in(bundle, base, change, by)?;
                if let Some(applies) = built.set {
                    self.note_applied(bundle, &head, applies, by)?;
                }
                self.enqueue(bundle, &head, built.key, by)?;
                Ok(head)
            }
        })
    }

    fn note_applied(
        &self,
        bundle: &Bundle<'_>,
        head: &Head,
        applies: &Applies<'_>,
        by: &By<'_>,
    ) -> Result<(), WriteError> {
        let revision = self.number_of(bundle.id, &head.revision.id)?;
        let noted = change_set::applied(&self.sql, applies, revision, by.now)?;
        if noted { Ok(()) } else { Err(WriteError::NotFound) }
    }

    fn enqueue(&self, bundle: &Bundle<'_>, head: &Head, key: &str, by: &By<'_>) -> Result<(), WriteError> {
        let revision = self.number_of(bundle.id, &head.revision.id)?;
        Ok(build::enqueue(&self.sql, bundle.id, revision, key, by.now)?)
    }

    fn write_in(
        &self,
        bundle: &Bundle<'_>,
        base: &Base,
        change: Change<Restored>,
        by: &By<'_>,
    ) -> Result<Head, WriteError> {
        let row = self.row(bundle.id)?;
        self.stands(bundle.id, base)?;
        let before = match &row {
            Some(row) => self.manifest(row.head)?,
            None => None,
        };
        let write = Write { bundle, row: row.as_ref(), before: before.as_ref(), by };
        match change {
            Change::Approved(approved) => self.approved(&write, base, &approved)?,
            Change::Hand(hand) => self.hand(&write, hand)?,
            Change::Restored(restored) => self.restored(&write, restored)?,
            Change::Removed(person) => {
                before.as_ref().ok_or(WriteError::NotFound)?;
                let actor = actor(person.user());
                self.append(&write, Next { cause: Cause::Remove, ..Next::nothing(&actor) })?;
                self.set_unlisted(bundle)?;
            }
            Change::Facts(facts, person) => {
                before.as_ref().ok_or(WriteError::NotFound)?;
                self.set_facts(&write, &facts, &actor(person.user()))?;
            }
        }
        self.head(bundle.id)?.ok_or(WriteError::NotFound)
    }

    fn approved(&self, write: &Write<'_>, base: &Base, approved: &Approved) -> Result<(), WriteError> {
        let staged = approved.staged();
        if staged.base.revision != base.revision || !self.is_unmoved(write, staged)? {
            return Err(self.stale(write.bundle.id)?);
        }
        if let Some(claim) = approved.claim() {
            let change = (write.bundle.id, &staged.tokens);
            if !token::spend(&self.sql, change, approved.by().user(), claim, write.by.now)? {
                return Err(WriteError::Token);
            }
        }
        let after = staged.after.as_ref().ok_or(WriteError::NotFound)?;
        let tokens = staged.tokens.clone();
        let actor = actor(approved.by().user());
        let next = Next {
            cause: Cause::Apply,
            files: Some(blob::put_all(&self.sql, after, Hold::ForEver)?),
            facts: staged.facts.clone(),
            signed: Some(Signed {
                base_hash: tokens.base,
                patch_id: tokens.patch,
                result_hash: tokens.result,
                confirmed: staged.confirm != Confirm::None,
                correlation: write.by.asked.map(|asked| asked.correlation.to_owned()),
            }),
            ..Next::nothing(&actor)
        };
        let number = self.append(write, next)?;
        let Some(asked) = write.by.asked else { return Ok(()) };
        let turn = session::decide(
            &self.sql,
            &session::id(write.bundle.id, approved.by().user()),
            &asked,
            Decision::Applied,
            Some(number),
            write.by.now,
        )?;
        if let Some(row) = write.row {
            self.insert_checkpoint(write.bundle.id, row.head, ("", "auto"), turn, &actor, write.by.now)?;
        }
        Ok(())
    }

    /// Whether the units of a change are as it found them. A unit is a file or the whole bundle.
    fn is_unmoved(&self, write: &Write<'_>, staged: &Staged) -> Result<bool, SqlError> {
        let whole = match write.before {
            Some(manifest) if staged.units.iter().any(|unit| unit.key == Unit::WHOLE) => {
                Some(content_hash(&blob::get_all(&self.sql, manifest)?))
            }
            _ => None,
        };
        let moved = staged.moved(|key| match key {
            Unit::WHOLE => whole.clone(),
            path => write.before.and_then(|manifest| manifest.get(path).cloned()),
        });
        Ok(moved.is_empty())
    }

    fn hand(&self, write: &Write<'_>, hand: Hand) -> Result<(), WriteError> {
        let files = blob::put_all(&self.sql, &hand.files, Hold::ForEver)?;
        let facts = match write.row {
            Some(row) => Some(self.numbered(row.head)?.facts),
            None => None,
        };
        if write.before == Some(&files) && (hand.facts.0.is_null() || Some(&hand.facts) == facts.as_ref()) {
            return Ok(());
        }
        let actor = actor(hand.by.user());
        let next = Next { cause: hand.cause.into(), files: Some(files), facts: hand.facts, ..Next::nothing(&actor) };
        self.append(write, next)?;
        Ok(())
    }

    fn restored(&self, write: &Write<'_>, restored: Restored) -> Result<(), WriteError> {
        let Restored { bundle, on, files, merged, facts, cause, about, goes } = restored;
        if bundle != write.bundle.id || write.row.is_none_or(|row| row.head != on) {
            return Err(self.stale(write.bundle.id)?);
        }
        for text in merged.values() {
            blob::put(&self.sql, text, Hold::ForEver)?;
        }
        if write.before.is_none() && files.is_some() {
            self.set_unlisted(write.bundle)?;
        }
        let actor = write.by.actor();
        let next = Next { cause, files, facts, actor: &actor, about, signed: None, place: None };
        match goes {
            Goes::On => {
                self.append(write, next)?;
            }
            Goes::To(cursor) => {
                let number = self.insert(write.bundle.id, Some(on), write.before, &next, write.by.now)?;
                self.point(write, number, cursor)?;
            }
            Goes::Inverse(of) => {
                let number = self.append(write, next)?;
                self.note_inverse(of, number)?;
                let decision = if cause == Cause::Redo { Decision::Applied } else { Decision::Undone };
                if let Some(about) = about {
                    session::redecide(&self.sql, about, decision, write.by.now)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a revision behind the cursor and moves it there; what stood behind leaves the list.
    fn append(&self, write: &Write<'_>, next: Next<'_>) -> Result<i64, SqlError> {
        let id = write.bundle.id;
        let cursor = write.row.map_or(0, |row| row.cursor);
        self.sql.execute("UPDATE revision SET place = NULL WHERE bundle = ? AND place > ?", params![id, cursor])?;
        let next = Next { place: Some(cursor + 1), ..next };
        let number = self.insert(id, write.row.map(|row| row.head), write.before, &next, write.by.now)?;
        self.point(write, number, cursor + 1)?;
        Ok(number)
    }

    /// Makes a revision the head.
    fn point(&self, write: &Write<'_>, number: i64, cursor: i64) -> Result<(), SqlError> {
        let Bundle { id, kind, title, owner, .. } = *write.bundle;
        let now = write.by.now;
        if write.row.is_some() {
            let update = "UPDATE bundle SET head = ?, cursor = ?, title = ?, updated = ? WHERE id = ?";
            return self.sql.execute(update, params![number, cursor, title, now, id]);
        }
        self.sql.execute(
            "INSERT INTO bundle(id, kind, title, owner, head, cursor, facts, created, updated)
             VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![id, kind, title, owner, number, cursor, to_json(&Facts::default()), now, now],
        )?;
        self.set_unlisted(write.bundle)
    }

    fn set_facts(&self, write: &Write<'_>, facts: &Facts, actor: &str) -> Result<(), SqlError> {
        let (id, facts) = (write.bundle.id, to_json(facts));
        self.sql.execute("UPDATE bundle SET facts = ? WHERE id = ?", params![&facts, id])?;
        self.sql.execute(
            "INSERT INTO audit(bundle, action, detail, actor, at) VALUES(?, 'facts', ?, ?, ?)",
            params![id, facts, actor, write.by.now],
        )
    }
}

struct Write<'w> {
    bundle: &'w Bundle<'w>,
    row: Option<&'w Row>,
    before: Option<&'w Manifest>,
    by: &'w By<'w>,
}

impl<'n> Next<'n> {
    /// A revision after which the bundle is not there.
    fn nothing(actor: &'n str) -> Self {
        Self {
            cause: Cause::Remove,
            files: None,
            facts: Facts::default(),
            actor,
            about: None,
            signed: None,
            place: None,
        }
    }
}
