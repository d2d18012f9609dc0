//! The scratch tree of a run: what the model has changed, and what is known of it (spec: app-builder.md §10).
//!
//! Invariants: a proposal is relative to the draft, wherever the run began; what a gate said counts for the exact tree
//! that it was asked of.

use std::collections::BTreeMap;

use holdpoint_bundle::{Files, content_hash};
use holdpoint_check::{ApiError, Diagnostic};
use holdpoint_kind::protocol::Gate;
use serde_json::{Value, json};

use super::builds::BuildAnswer;
use crate::check::{self, ProjectReport};
use crate::dialect::apply::{Changed, EditedProject, apply, changes};
use crate::options::RawOptions;
use crate::policy::{is_binary, pointer_hash};

/// Files and the one that starts them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProjectFiles {
    pub files: Files,
    pub entry: String,
}

/// The tree on which one run works.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    /// What a proposal is relative to.
    draft: ProjectFiles,
    /// The project with which the run began.
    start: ProjectFiles,
    now: ProjectFiles,
    options: RawOptions,
    /// What was staged since the run began; none of it where it began elsewhere than at the draft.
    staged: Vec<Value>,
    /// Gates that said yes, by the tree that they were asked of.
    green: BTreeMap<(String, Gate), Value>,
    /// The newest build, with the tree that it is of.
    built: Option<(String, BuildAnswer)>,
}

impl Scratch {
    /// A run that begins at `start`, or at the draft itself.
    pub fn new(draft: ProjectFiles, start: Option<ProjectFiles>, options: RawOptions) -> Self {
        let start = start.unwrap_or_else(|| draft.clone());
        Self { now: start.clone(), start, draft, options, ..Self::default() }
    }

    pub fn files(&self) -> &Files {
        &self.now.files
    }

    pub fn entry(&self) -> &str {
        &self.now.entry
    }

    pub fn draft(&self) -> &ProjectFiles {
        &self.draft
    }

    pub fn options(&self) -> &RawOptions {
        &self.options
    }

    /// The hash of the files as they are now.
    pub fn hash(&self) -> String {
        content_hash(&self.now.files)
    }

    /// What the tree is, its entry included.
    pub fn identity(&self) -> String {
        format!("{} {}", self.hash(), self.now.entry)
    }

    /// What differs from the draft, in path order.
    pub fn changed(&self) -> Vec<Changed> {
        changes(&self.draft.files, &self.now.files)
    }

    /// Whether there is anything to propose.
    pub fn has_changes(&self) -> bool {
        self.now != self.draft
    }

    /// The check of the tree as it is now.
    pub fn check(&self) -> Result<ProjectReport, ApiError> {
        Ok(check::check(&self.now.files, Some(&self.now.entry), &self.options.resolve()?))
    }

    /// What operations would leave, without taking them.
    pub fn try_operations(&self, operations: &[Value]) -> Result<EditedProject, ApiError> {
        apply(&self.now.files, Some(&self.now.entry), operations, &self.options.resolve()?)
    }

    /// Puts what operations left in the place of the tree.
    pub fn take(&mut self, operations: &[Value], edited: EditedProject) {
        self.staged.extend_from_slice(operations);
        self.now = ProjectFiles { files: edited.files, entry: edited.entry_file };
    }

    /// Whether the file was there when the run began.
    pub fn began_with(&self, path: &str) -> bool {
        self.start.files.contains_key(path)
    }

    /// Puts named files back to where the run began, or all of them.
    pub fn put_back(&mut self, paths: Option<&[String]>) {
        self.staged.clear();
        let Some(paths) = paths else {
            self.now = self.start.clone();
            return;
        };
        for path in paths {
            match self.start.files.get(path) {
                Some(text) => self.now.files.insert(path.clone(), text.clone()),
                None => self.now.files.remove(path),
            };
        }
        if !self.now.files.contains_key(&self.now.entry) {
            self.now.entry.clone_from(&self.start.entry);
        }
    }

    /// Writes a file without an operation of the model, as a renewed lock.
    pub fn write(&mut self, path: &str, text: String) {
        let operation = json!({ "op": "upsert_file", "path": path, "content": text });
        self.staged.push(operation);
        self.now.files.insert(path.to_owned(), text);
    }

    /// Operations that make the tree out of the draft: those that were staged, or as few as do it.
    pub fn operations(&self) -> Result<Vec<Value>, ApiError> {
        let options = self.options.resolve()?;
        let staged = apply(&self.draft.files, Some(&self.draft.entry), &self.staged, &options);
        let is_this = |done: EditedProject| done.files == self.now.files && done.entry_file == self.now.entry;
        if staged.is_ok_and(is_this) {
            return Ok(self.staged.clone());
        }
        let mut all: Vec<Value> = self.changed().iter().map(|one| self.operation(&one.path)).collect();
        if self.now.entry != self.draft.entry {
            all.push(json!({ "op": "set_entry_file", "entry_file": self.now.entry }));
        }
        Ok(all)
    }

    fn operation(&self, path: &str) -> Value {
        let Some(text) = self.now.files.get(path) else { return json!({ "op": "delete_file", "path": path }) };
        match pointer_hash(text).filter(|_| is_binary(path)) {
            Some((blob, bytes)) => json!({ "op": "put_blob", "path": path, "blob": blob, "bytes": bytes }),
            None => json!({ "op": "upsert_file", "path": path, "content": text }),
        }
    }

    /// What a gate said yes with, of the tree as it is now.
    pub fn green(&self, gate: Gate) -> Option<&Value> {
        self.green.get(&(self.identity(), gate))
    }

    /// Notes that a gate said yes to a tree.
    pub fn note_green(&mut self, identity: String, gate: Gate, said: Value) {
        self.green.insert((identity, gate), said);
    }

    /// The build of the tree as it is now, if there was one.
    pub fn built(&self) -> Option<&BuildAnswer> {
        self.built.as_ref().filter(|(identity, _)| *identity == self.identity()).map(|(_, built)| built)
    }

    pub fn note_built(&mut self, identity: String, built: BuildAnswer) {
        self.built = Some((identity, built));
    }

    /// Lines of a file about a place, numbered as an editor does, for whoever mends it.
    pub fn lines_about(&self, found: &Diagnostic) -> Option<Value> {
        let (path, range) = (found.path.as_deref()?, found.range?);
        let first = (range.start.line as usize).saturating_sub(1).max(1);
        let text = self.now.files.get(path)?;
        let lines: Vec<&str> = text.lines().skip(first - 1).take(3).collect();
        Some(json!({ "start_line": first, "lines": lines }))
    }
}
