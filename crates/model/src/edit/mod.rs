//! Changes of an opened model: `bim.mutate` and `bim.store` (spec: ifc-sdk.md §3 "Mutations").
//!
//! Owns what a change writes and how it is taken back. Refuses to know who may change what. Invariants: a refused
//! change leaves the model as it was; taking back what was done gives the records that were there before.

mod entities;
mod properties;
mod values;

use holdpoint_check::{Code, Sentence, args};
use serde::{Deserialize, Serialize};

use crate::create::CreateRefused;
use crate::model::{Model, TooLargeError};
use crate::shapes::ExpressId;
use crate::step::Arg;
use crate::writer::NoNumberError;

/// One record before and after a change, as STEP text; `None` where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEdit {
    pub id: ExpressId,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum EditError {
    /// Parameters of a new element.
    Refused(CreateRefused),
    /// An argument is wrong: which, and what it must be.
    Argument {
        /// As the method names it.
        argument: &'static str,
        expected: Sentence,
    },
    /// The model has no such instance.
    NotFound(ExpressId),
    /// The model is as large as can be.
    TooLarge,
    /// The numbers of instances end.
    NoNumber,
}

impl EditError {
    fn argument(argument: &'static str, expected: &'static Code) -> Self {
        Self::Argument { argument, expected: Sentence::of(expected, args! {}) }
    }
}

impl From<TooLargeError> for EditError {
    fn from(_: TooLargeError) -> Self {
        Self::TooLarge
    }
}

impl From<NoNumberError> for EditError {
    fn from(_: NoNumberError) -> Self {
        Self::NoNumber
    }
}

impl From<CreateRefused> for EditError {
    fn from(refused: CreateRefused) -> Self {
        Self::Refused(refused)
    }
}

impl Model {
    /// Does what was done on a model with the same records.
    pub fn apply(&mut self, edits: &[ModelEdit]) -> Result<(), TooLargeError> {
        edits.iter().try_for_each(|edit| self.put(edit.id, edit.after.as_deref()))
    }

    /// Takes back what was done.
    pub fn revert(&mut self, edits: &[ModelEdit]) -> Result<(), TooLargeError> {
        edits.iter().rev().try_for_each(|edit| self.put(edit.id, edit.before.as_deref()))
    }

    /// Whether the record is still what an edit found.
    pub fn holds(&self, edit: &ModelEdit) -> bool {
        self.record_text(edit.id) == edit.before
    }

    /// The record of a number, as STEP text.
    pub(crate) fn record_text(&self, id: ExpressId) -> Option<String> {
        let instance = self.instance(id)?;
        Some(written(id, &instance.class.name, instance.args))
    }

    /// Does a change as a whole: what it wrote, or nothing.
    fn change<T>(
        &mut self,
        work: impl FnOnce(&mut Editing<'_>) -> Result<T, EditError>,
    ) -> Result<(T, Vec<ModelEdit>), EditError> {
        let highest = self.highest();
        let mut editing = Editing { model: self, edits: Vec::new() };
        match work(&mut editing) {
            Ok(done) => Ok((done, editing.edits)),
            Err(error) => {
                let edits = editing.edits;
                self.revert(&edits)?;
                self.set_highest(highest);
                Err(error)
            }
        }
    }
}

/// The text of a record.
fn written(id: ExpressId, class: &str, args: Vec<Arg>) -> String {
    format!("#{id}={}{};\n", class.to_ascii_uppercase(), Arg::List(args))
}

/// A model while it is changed; every step is noted.
struct Editing<'m> {
    model: &'m mut Model,
    edits: Vec<ModelEdit>,
}

impl Editing<'_> {
    fn put(&mut self, id: ExpressId, after: Option<String>) -> Result<(), EditError> {
        let before = self.model.record_text(id);
        self.model.put(id, after.as_deref())?;
        self.edits.push(ModelEdit { id, before, after });
        Ok(())
    }

    /// Writes an instance with one attribute changed; `change` answers false where it cannot be.
    fn rewrite(
        &mut self,
        id: ExpressId,
        change: impl FnOnce(&mut Vec<Arg>, &dyn Fn(&str) -> Option<usize>),
    ) -> Result<(), EditError> {
        let instance = self.model.instance(id).ok_or(EditError::NotFound(id))?;
        let class = instance.class.clone();
        let mut args = instance.args;
        change(&mut args, &|attribute| class.position(attribute));
        self.put(id, Some(written(id, &class.name, args)))
    }

    /// Takes records of a writer over, one a line.
    fn take(&mut self, records: &str) -> Result<(), EditError> {
        for record in records.lines() {
            let id = record.strip_prefix('#').and_then(|rest| rest.split_once('=')).and_then(|(id, _)| id.parse().ok());
            let Some(id) = id else { continue };
            self.put(id, Some(format!("{record}\n")))?;
        }
        Ok(())
    }
}
