//! Undo and redo of applies (spec: script-tool.md §6).
//!
//! Undo takes back the newest apply that stands, in its files only; redo mirrors it until the next apply, save or
//! restore. Invariant: a file that changed since is never overwritten: the step is refused and names it.

use super::record::{Cause, Head, ToolError};
use super::{Next, Row, Tool};
use crate::project::By;
use crate::sql::{Sql, SqlError, params};
use crate::thread::{self, Decision};

/// What undo and redo would do now.
pub(super) struct Undoable {
    pub undo: bool,
    pub redo: bool,
    pub blocked: Vec<String>,
}

/// Which way to go.
#[derive(Clone, Copy)]
enum Way {
    Back,
    Forth,
}

impl<S: Sql> Tool<S> {
    /// Takes the newest standing apply back.
    pub fn undo(&self, base: &str, by: By<'_>) -> Result<Head, ToolError> {
        self.go(base, Way::Back, by)
    }

    /// Does again what was undone last.
    pub fn redo(&self, base: &str, by: By<'_>) -> Result<Head, ToolError> {
        self.go(base, Way::Forth, by)
    }

    pub(super) fn undoable(&self, row: &Row) -> Result<Undoable, SqlError> {
        let blocked = |way: Way| -> Result<Option<Vec<String>>, SqlError> {
            self.target(way)?.map(|number| self.blocked(row, number, way)).transpose()
        };
        let (back, forth) = (blocked(Way::Back)?, blocked(Way::Forth)?);
        Ok(Undoable {
            undo: back.as_ref().is_some_and(Vec::is_empty),
            redo: forth.as_ref().is_some_and(Vec::is_empty),
            blocked: back.unwrap_or_default(),
        })
    }

    /// What was undone cannot be redone any more.
    pub(super) fn forget_undone(&self) -> Result<(), SqlError> {
        self.sql.execute("DELETE FROM applied WHERE undone IS NOT NULL", params![])
    }

    fn go(&self, base: &str, way: Way, by: By<'_>) -> Result<Head, ToolError> {
        self.sql.transaction(|| {
            let row = self.gate(base)?;
            let (cause, word, decision) = match way {
                Way::Back => (Cause::Undo, "undo", Decision::Undone),
                Way::Forth => (Cause::Redo, "redo", Decision::Applied),
            };
            let target = self.target(way)?.ok_or(ToolError::NothingTo(word))?;
            let paths = self.blocked(&row, target, way)?;
            if !paths.is_empty() {
                return Err(ToolError::Blocked { paths });
            }
            let mut files = row.files.clone();
            for (path, (before, after)) in self.changed(target)? {
                match (way, before) {
                    (Way::Back, Some(before)) => files.insert(path, before),
                    (Way::Back, None) => files.remove(&path),
                    (Way::Forth, _) => files.insert(path, after),
                };
            }
            let number = self.write(&row.files, Next { cause, files, about: Some(target), proposal: None }, by)?;
            let undone = matches!(way, Way::Back).then_some(number);
            self.sql.execute("UPDATE applied SET undone = ? WHERE number = ?", params![undone, target])?;
            thread::redecide(&self.sql, target, decision, by.now)?;
            self.head()?.ok_or(ToolError::NotFound)
        })
    }

    /// The apply that a step is about.
    fn target(&self, way: Way) -> Result<Option<i64>, SqlError> {
        let row = match way {
            Way::Back => self.sql.first("SELECT max(number) FROM applied WHERE undone IS NULL", params![])?,
            Way::Forth => self
                .sql
                .first("SELECT number FROM applied WHERE undone IS NOT NULL ORDER BY undone DESC LIMIT 1", params![])?,
        };
        row.map_or(Ok(None), |row| row.get(0))
    }

    /// The files of an apply that are not as the step must find them.
    fn blocked(&self, row: &Row, apply: i64, way: Way) -> Result<Vec<String>, SqlError> {
        let changed = self.changed(apply)?;
        let moved = changed.into_iter().filter(|(path, (before, after))| {
            let expected = if matches!(way, Way::Back) { Some(after) } else { before.as_ref() };
            row.files.get(path) != expected
        });
        Ok(moved.map(|(path, _)| path).collect())
    }
}
