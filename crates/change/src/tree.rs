//! The scratch copy on which a change set is taken, step by step (ENGINE §4).
//!
//! Decides whether an operation can be done to the files as they are, and does it; what a path may be, what a fault is
//! called and whether the run goes on after it is the kind's to say. Invariant: a step that fails leaves the tree as it
//! was.

use std::collections::BTreeSet;

use holdpoint_bundle::{Files, text_hash};
use holdpoint_text::{PartFault, Preview, RawPreview, TextError, Verdict, preview, preview_accepted, replace_once};

use crate::{ChangeSet, Op, Step, TextRequest};

/// Files and entry; a step sees what those before it did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    pub files: Files,
    /// The file that starts the bundle, in kinds that have one.
    pub entry: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FileEffect {
    /// Nothing: what it asks for is so already, or the file that it deletes is not there.
    Nothing,
    Created,
    /// Its file has another text.
    Modified,
    Deleted,
    /// Its file has another path, and an entry with it.
    Renamed,
    /// Another file is the entry.
    Entry,
    /// What the text engine said: verdict, reasons, places. It was given the files that the call names, no others.
    Text(Box<Preview>),
}

/// Why a step was not done. The kind gives it a code.
#[derive(Debug, Clone, PartialEq)]
pub enum OpFault {
    /// There is no such file.
    Missing,
    /// A file is where another shall go.
    Exists,
    /// The file is not as the step expects it.
    Moved,
    /// The part stands nowhere in the file.
    NotFound,
    /// The part stands in it more than once.
    Ambiguous,
    /// The text engine rejects: its answer, with every failure.
    Text(Box<Preview>),
    /// The call is none for the text engine: its shape, a limit, or hunks that the proposal does not have.
    Input(TextError),
}

impl Tree {
    /// Does one step, or answers why not and stays as it is. What the step expects is asked before whether its files
    /// exist, and that before what it does.
    pub fn take(&mut self, step: &Step) -> Result<FileEffect, OpFault> {
        if let Some(expected) = &step.expected {
            let text = step.op.subject().and_then(|path| self.files.get(path));
            if text.is_none_or(|text| text_hash(text) != *expected) {
                return Err(OpFault::Moved);
            }
        }
        match &step.op {
            Op::Text(request) => self.text(request),
            Op::Find { path, find, replace } => {
                let text = self.files.get(path).ok_or(OpFault::Missing)?;
                let text = replace_once(text, find, replace)?;
                Ok(self.write(path, &text))
            }
            Op::Write { path, text } => Ok(self.write(path, text)),
            Op::Delete { path } => Ok(self.files.remove(path).map_or(FileEffect::Nothing, |_| FileEffect::Deleted)),
            Op::Rename { from, to } => self.rename(from, to),
            Op::SetEntry { path } if self.entry.as_ref() == Some(path) => Ok(FileEffect::Nothing),
            Op::SetEntry { path } => {
                self.entry = Some(path.clone());
                Ok(FileEffect::Entry)
            }
        }
    }

    /// Takes every step in turn, also behind one that fails, so that every fault is found at once: one answer a step.
    pub fn take_all(&mut self, changes: &ChangeSet) -> Vec<Result<FileEffect, OpFault>> {
        changes.0.iter().map(|step| self.take(step)).collect()
    }

    fn write(&mut self, path: &str, text: &str) -> FileEffect {
        match self.files.get_mut(path) {
            Some(old) if old == text => FileEffect::Nothing,
            Some(old) => {
                text.clone_into(old);
                FileEffect::Modified
            }
            None => {
                self.files.insert(path.to_owned(), text.to_owned());
                FileEffect::Created
            }
        }
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<FileEffect, OpFault> {
        if !self.files.contains_key(from) {
            return Err(OpFault::Missing);
        }
        if from == to {
            return Ok(FileEffect::Nothing);
        }
        if self.files.contains_key(to) {
            return Err(OpFault::Exists);
        }
        if let Some(text) = self.files.remove(from) {
            self.files.insert(to.to_owned(), text);
        }
        if self.entry.as_deref() == Some(from) {
            self.entry = Some(to.to_owned());
        }
        Ok(FileEffect::Renamed)
    }

    fn text(&mut self, request: &TextRequest) -> Result<FileEffect, OpFault> {
        // Only the files that the call names: a large file elsewhere is no limit of this one.
        let named: BTreeSet<&str> = request.named().collect();
        let given = named.into_iter().filter_map(|path| self.files.get_key_value(path));
        let raw = RawPreview {
            files: given.map(|(path, text)| (path.clone(), text.clone())).collect(),
            ops: request.ops.clone(),
            active_file: request.active_file.clone(),
            selection: request.selection,
            cursor: request.cursor,
            options: request.options.clone(),
            accept: None,
        };
        let input = raw.resolve()?;
        let looked = match &request.accept {
            Some(accept) => preview_accepted(&input, accept)?,
            None => preview(&input),
        };
        if looked.verdict == Verdict::Reject {
            return Err(OpFault::Text(Box::new(looked)));
        }
        for path in &looked.changed_files {
            self.write(path, &looked.after_virtual_files[path]);
        }
        Ok(FileEffect::Text(Box::new(looked)))
    }
}

impl From<PartFault> for OpFault {
    fn from(fault: PartFault) -> Self {
        match fault {
            PartFault::NotFound => Self::NotFound,
            PartFault::Ambiguous => Self::Ambiguous,
        }
    }
}

impl From<TextError> for OpFault {
    fn from(error: TextError) -> Self {
        Self::Input(error)
    }
}

#[cfg(test)]
mod tests;
