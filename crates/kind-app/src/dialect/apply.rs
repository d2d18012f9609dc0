//! Takes operations on a project: all of them or none (spec: vite-app.md §3.1).
//!
//! Invariant: an error of class *policy* changes nothing; each operation sees the result of those before it; every fault
//! is told at once.

use std::collections::BTreeMap;

use holdpoint_bundle::{Files, content_hash, text_hash};
use holdpoint_change::{FileEffect, Op, OpFault, Step, Tree};
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use holdpoint_text::hash_records;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::guards;
use super::op::{self, Guarded, Operation};
use super::patch::{self, PATCH_NEEDS_CONFIRMATION};
use crate::check::{self, ProjectReport};
use crate::codes::is_policy;
use crate::fixes;
use crate::options::{DEFAULT_ENTRY, Options};
use crate::order;
use crate::policy;
use crate::project::normalise;

codes! {
    /// there are more than MAX_OPERATIONS
    LIMIT_OPERATIONS: Error, "Send at most {limit} operations; there are {actual}." [limit, actual];
    /// the file that is moved is not there
    RENAME_SOURCE_MISSING: Error, "Name a file that is there.";
    /// a file is where another is to be
    RENAME_TARGET_EXISTS: Error, "Choose another path: a file is there.";
    /// the file is not as the author saw it
    EDIT_BASE_MISMATCH: Error, "Read the file again: it is not what the operation was made on.";
    /// an operation, a path or a limit was refused
    BUILDER_PATCH_POLICY_VIOLATION / POLICY: Error, "Correct what is listed: nothing was applied.";
}

/// Name and version of the rules, in every token.
const ENGINE: &str = "holdpoint-files/1";

/// What one operation did to the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppliedOperation {
    /// The first one is number 0.
    pub index: usize,
    pub effect: Effect,
    pub path: String,
    /// Where a moved file was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub from_path: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "OperationEffect"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "OperationEffect"))]
pub enum Effect {
    Created,
    Modified,
    Deleted,
    Renamed,
    Entry,
    Noop,
}

/// A file whose text is another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ChangedProjectFile"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChangedProjectFile"))]
pub struct Changed {
    pub path: String,
    pub status: ChangedStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ChangedStatus {
    Added,
    Modified,
    Deleted,
}

impl ChangedStatus {
    pub fn id(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
        }
    }
}

/// The project that a list of operations leaves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EditedProject {
    /// Nothing found is an error.
    pub ok: bool,
    pub files: Files,
    pub entry_file: String,
    pub changed: Vec<Changed>,
    pub applied: Vec<AppliedOperation>,
    pub base_hash: String,
    pub result_hash: String,
    pub patch_id: String,
    /// Given where something is to be confirmed.
    pub confirm_token: Option<String>,
    #[serde(serialize_with = "patch::serialize")]
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs operations on files under raw keys. An error of class *policy* is the error
/// `BUILDER_PATCH_POLICY_VIOLATION` (400) with all findings.
pub fn apply(
    raw: &Files,
    entry: Option<&str>,
    operations: &[Value],
    options: &Options<'_>,
) -> Result<EditedProject, ApiError> {
    let limit = options.limits.operations();
    if operations.len() > limit {
        let values = args! { limit, actual: operations.len() };
        let only = Diagnostic::of(&LIMIT_OPERATIONS, values).at_pointer("/operations");
        return Err(violation(&[only]));
    }
    let whole = normalise(raw);
    let base = whole.files;
    let mut found = whole.findings;
    let entry = entry.unwrap_or(DEFAULT_ENTRY);
    let entry = policy::normalise(entry).map_or_else(|_| entry.to_owned(), |path| path.as_str().to_owned());
    let mut run = Run {
        tree: Tree { files: base.clone(), entry: Some(entry.clone()) },
        applied: Vec::new(),
        found: Vec::new(),
        moved: BTreeMap::new(),
    };
    for (index, value) in operations.iter().enumerate() {
        run.take(index, value, options);
    }
    let Run { tree, applied, found: told, moved } = run;
    found.extend(told);
    let entry_after = tree.entry.unwrap_or_default();
    // The form of an entry that an operation names is asked of the operation.
    let ProjectReport { mut diagnostics, entry: entry_file, .. } =
        check::tree(&tree.files, &entry_after, true, options);
    fixes::of_renames(&mut diagnostics, &base, &tree.files, &moved, options);
    found.extend(diagnostics);
    order::arrange(&mut found);
    if found.iter().any(|one| one.is_error() && is_policy(&one.code)) {
        return Err(violation(&found));
    }
    let changed = changes(&base, &tree.files);
    let (base_hash, result_hash) = (content_hash(&base), content_hash(&tree.files));
    let patch_id = patch_id(&base_hash, &entry_file, &changed, &tree.files);
    let confirm_token = confirm_token(&base_hash, &patch_id, &result_hash, &found);
    Ok(EditedProject {
        ok: !found.iter().any(Diagnostic::is_error),
        files: tree.files,
        entry_file,
        changed,
        applied,
        base_hash,
        result_hash,
        patch_id,
        confirm_token,
        diagnostics: found,
    })
}

/// Everything that is told, as the error of a list of which nothing is applied.
fn violation(found: &[Diagnostic]) -> ApiError {
    let first = found.iter().find(|one| one.is_error() && is_policy(&one.code));
    let field = first.map_or_else(String::new, |one| match (&one.path, &one.pointer) {
        (None, Some(pointer)) => {
            let words = pointer.split('/').filter(|word| !word.is_empty() && word.parse::<usize>().is_err());
            words.collect::<Vec<_>>().join(".")
        }
        _ => "files".to_owned(),
    });
    ApiError::of(&POLICY, args! {})
        .status(400)
        .with("field", field)
        .with("diagnostics", json!(found.iter().map(patch::told).collect::<Vec<_>>()))
}

struct Run {
    tree: Tree,
    applied: Vec<AppliedOperation>,
    found: Vec<Diagnostic>,
    /// Where files were before they were moved, by where they are.
    moved: BTreeMap<String, String>,
}

impl Run {
    fn take(&mut self, index: usize, value: &Value, options: &Options<'_>) {
        let at = format!("/operations/{index}");
        let Guarded { operation, expected } = match op::read(value, &at, options.layout) {
            Ok(read) => read,
            Err(faults) => return self.found.extend(faults),
        };
        let put = |found: &mut Vec<Diagnostic>, field: &str, finding: Diagnostic| {
            found.push(finding.at_pointer(format!("{at}/{field}")));
        };
        let subject = match &operation {
            Operation::Rename { from, .. } => from,
            Operation::Upsert { path, .. }
            | Operation::Delete { path }
            | Operation::Patch { path, .. }
            | Operation::SetEntry { path }
            | Operation::PutBlob { path, .. } => path,
        };
        if let Some(expected) = &expected
            && self.tree.files.get(subject).is_none_or(|text| text_hash(text) != *expected)
        {
            return put(&mut self.found, "expected_hash", Diagnostic::of(&EDIT_BASE_MISMATCH, args! {}));
        }
        let (path, from_path) = match &operation {
            Operation::Rename { from, to } => (to.clone(), Some(from.clone())),
            _ => (subject.clone(), None),
        };
        let effect = match operation {
            Operation::Patch { path, patch } => match patch::take(&mut self.tree, &path, &patch) {
                Ok(done) => {
                    self.found.extend(done.warning);
                    done.effect
                }
                Err(fault) => return put(&mut self.found, "patch", fault),
            },
            other => {
                if let Operation::Upsert { path, content } = &other
                    && let Some(before) = self.tree.files.get(path)
                {
                    self.found.extend(guards::check(path, before, content));
                }
                match self.tree.take(&Step::new(step(other), at.as_str())) {
                    Ok(effect) => effect,
                    Err(OpFault::Exists) => {
                        return put(&mut self.found, "to_path", Diagnostic::of(&RENAME_TARGET_EXISTS, args! {}));
                    }
                    Err(_) => {
                        return put(&mut self.found, "from_path", Diagnostic::of(&RENAME_SOURCE_MISSING, args! {}));
                    }
                }
            }
        };
        if let (FileEffect::Renamed, Some(from)) = (&effect, &from_path) {
            let origin = self.moved.remove(from).unwrap_or_else(|| from.clone());
            self.moved.insert(path.clone(), origin);
        }
        self.applied.push(AppliedOperation { index, effect: effect_of(&effect), path, from_path });
    }
}

fn step(operation: Operation) -> Op {
    match operation {
        Operation::Upsert { path, content: text } | Operation::PutBlob { path, pointer: text } => {
            Op::Write { path, text }
        }
        Operation::Patch { path, patch: text } => Op::Write { path, text },
        Operation::Delete { path } => Op::Delete { path },
        Operation::Rename { from, to } => Op::Rename { from, to },
        Operation::SetEntry { path } => Op::SetEntry { path },
    }
}

fn effect_of(effect: &FileEffect) -> Effect {
    match effect {
        FileEffect::Nothing => Effect::Noop,
        FileEffect::Created => Effect::Created,
        FileEffect::Modified | FileEffect::Text(_) => Effect::Modified,
        FileEffect::Deleted => Effect::Deleted,
        FileEffect::Renamed => Effect::Renamed,
        FileEffect::Entry => Effect::Entry,
    }
}

/// Files whose texts differ, in path order.
pub fn changes(before: &Files, after: &Files) -> Vec<Changed> {
    let mut all: BTreeMap<&String, ChangedStatus> = BTreeMap::new();
    for (path, text) in after {
        match before.get(path) {
            None => all.insert(path, ChangedStatus::Added),
            Some(old) if old != text => all.insert(path, ChangedStatus::Modified),
            Some(_) => None,
        };
    }
    all.extend(before.keys().filter(|path| !after.contains_key(*path)).map(|path| (path, ChangedStatus::Deleted)));
    all.into_iter().map(|(path, status)| Changed { path: path.clone(), status }).collect()
}

fn patch_id(base_hash: &str, entry: &str, changed: &[Changed], after: &Files) -> String {
    let rows: Vec<(&str, String)> = changed
        .iter()
        .map(|one| {
            let said = match after.get(&one.path) {
                Some(text) => format!("{} {}", one.status.id(), text_hash(text)),
                None => one.status.id().to_owned(),
            };
            (one.path.as_str(), said)
        })
        .collect();
    let head = [("engine", ENGINE), ("base_hash", base_hash), ("entry_file", entry)];
    hash_records(head.into_iter().chain(rows.iter().map(|(path, said)| (*path, said.as_str()))))
}

fn confirm_token(base_hash: &str, patch_id: &str, result_hash: &str, found: &[Diagnostic]) -> Option<String> {
    let is_guard = |one: &&Diagnostic| {
        let guards = [PATCH_NEEDS_CONFIRMATION.name, guards::SHRINK_SUSPECT.name, guards::ELISION_SUSPECT.name];
        guards.contains(&one.code.as_ref())
    };
    let said = |one: &Diagnostic| format!("{} {}", one.code, one.path.as_deref().unwrap_or_default());
    let reasons: Vec<String> = found.iter().filter(is_guard).map(said).collect();
    let reasons = (!reasons.is_empty()).then(|| reasons.join("\n"))?;
    Some(hash_records([
        ("confirm", ENGINE),
        ("base_hash", base_hash),
        ("patch_id", patch_id),
        ("result_hash", result_hash),
        ("reasons", reasons.as_str()),
    ]))
}
