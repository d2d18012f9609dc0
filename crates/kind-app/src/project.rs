//! The files of a project under their normal paths, with the rules of the whole tree (spec: vite-app.md §1, §2).

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::{Files, PathError, case_collisions};
use holdpoint_check::{Diagnostic, args, codes};
use serde::Serialize;

use crate::options::Options;
use crate::policy::{self, LOCK_FILES, is_binary, pointer_bytes};

codes! {
    /// two keys of the files have one normal form
    PATH_DUPLICATE: Error, "Keep one of the files: several names mean this path.";
    /// another path differs in letter case alone
    PATH_CASE_COLLISION / OTHER_CASE: Error, "Choose another name: `{other}` differs in letter case alone." [other];
    /// the path is a folder of another file
    PATH_FILE_DIR_CLASH: Error, "Choose another name: `{other}` needs a folder of this name." [other];
    /// a file with a binary ending holds text that is no pointer
    BINARY_AS_TEXT: Error, "Upload the file: a binary file is held as `blob sha256:<hash> <bytes>` and a line end.";
    /// there are more than MAX_FILES
    LIMIT_FILES / PROJECT_FILES: Error, "Keep to {limit} files; there are {actual}." [limit, actual];
    /// the text of all files is over MAX_PROJECT_BYTES
    LIMIT_PROJECT_BYTES: Error, "Keep all text within {limit} bytes; there are {actual}." [limit, actual];
    /// all binary files together are over MAX_PROJECT_BLOB_BYTES
    LIMIT_PROJECT_BLOB_BYTES: Error, "Keep all binary files within {limit} bytes; there are {actual}." [limit, actual];
    /// a file is over MAX_FILE_BYTES, a lock over MAX_LOCKFILE_BYTES
    LIMIT_FILE_BYTES / PROJECT_FILE: Error, "Keep the file within {limit} bytes; it has {actual}." [limit, actual];
    /// a binary file is over MAX_BLOB_BYTES
    LIMIT_BLOB_BYTES: Error, "Keep the binary file within {limit} bytes; it has {actual}." [limit, actual];
}

/// What a project is made of, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "AppStats"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AppStats"))]
pub struct Stats {
    pub files: usize,
    /// UTF-8 bytes of all files but root lock files; a binary file counts as its pointer text.
    pub text_bytes: usize,
    /// UTF-8 bytes of root lock files.
    pub lockfile_bytes: usize,
    /// Bytes that the pointers of binary files stand for.
    pub blob_bytes: u64,
}

/// Files under normal paths; keys that have none are left out and reported.
#[derive(Debug, Clone, Default)]
pub struct Normalised {
    pub files: Files,
    pub findings: Vec<Diagnostic>,
}

/// The same with the normal form of each key.
pub fn normalise(raw: &Files) -> Normalised {
    let mut whole = Normalised::default();
    for (key, text) in raw {
        match policy::normalise(key) {
            Ok(path) if whole.files.contains_key(path.as_str()) => {
                whole.findings.push(Diagnostic::of(&PATH_DUPLICATE, args! {}).in_file(path.as_str()));
            }
            Ok(path) => {
                whole.files.insert(path.as_str().to_owned(), text.clone());
            }
            Err(fault) => whole.findings.push(Diagnostic::of(fault.code(), args! {}).in_file(key.as_str())),
        }
    }
    whole
}

/// A project that is checked.
pub struct ProjectTree<'f> {
    pub files: &'f Files,
    /// Paths that the policy refuses: not scanned, but there for imports.
    pub refused: BTreeSet<&'f str>,
    /// Real paths by their lower-case form.
    by_lower: BTreeMap<String, Vec<&'f str>>,
}

impl<'f> ProjectTree<'f> {
    /// Judges every path and the tree, and counts.
    pub fn new(files: &'f Files, options: &Options<'_>, findings: &mut Vec<Diagnostic>) -> (Self, Stats) {
        let mut by_lower: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut refused = BTreeSet::new();
        for path in files.keys() {
            by_lower.entry(path.to_lowercase()).or_default().push(path);
            if let Err(fault) = judged(path, options) {
                refused.insert(path.as_str());
                findings.push(Diagnostic::of(fault.code(), args! {}).in_file(path.as_str()));
            }
        }
        for path in case_collisions(files.keys()) {
            let other = by_lower.get(&path.to_lowercase()).and_then(|same| same.first()).copied().unwrap_or_default();
            findings.push(Diagnostic::of(&OTHER_CASE, args! { other }).in_file(path));
        }
        for path in files.keys() {
            let folder = format!("{path}/");
            if let Some(other) =
                files.range(folder.clone()..).map(|(other, _)| other).next().filter(|other| other.starts_with(&folder))
            {
                findings
                    .push(Diagnostic::of(&PATH_FILE_DIR_CLASH, args! { other: other.as_str() }).in_file(path.as_str()));
            }
        }
        let stats = measured(files, options, findings);
        (Self { files, refused, by_lower }, stats)
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// A file whose path differs from this one in letter case alone.
    pub fn in_other_case(&self, path: &str) -> Option<&'f str> {
        self.by_lower.get(&path.to_lowercase())?.iter().copied().find(|real| *real != path)
    }

    /// Files that are read: those whose path the policy takes.
    pub fn scanned(&self) -> impl Iterator<Item = (&'f str, &'f str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .filter(|(path, _)| !self.refused.contains(path))
    }
}

fn judged(path: &str, options: &Options<'_>) -> Result<(), PathError> {
    policy::judge(&policy::normalise(path)?, options.layout)
}

fn measured(files: &Files, options: &Options<'_>, findings: &mut Vec<Diagnostic>) -> Stats {
    let limits = options.limits;
    let mut stats = Stats { files: files.len(), ..Stats::default() };
    for (path, text) in files {
        let is_lock = LOCK_FILES.contains(&path.as_str());
        let limit = if is_lock { limits.lockfile_bytes() } else { limits.file_bytes() };
        *(if is_lock { &mut stats.lockfile_bytes } else { &mut stats.text_bytes }) += text.len();
        if text.len() > limit {
            let values = args! { limit, actual: text.len() };
            findings.push(Diagnostic::of(&PROJECT_FILE, values).in_file(path.as_str()));
        }
        if !is_binary(path) {
            continue;
        }
        let Some(bytes) = pointer_bytes(text) else {
            findings.push(Diagnostic::of(&BINARY_AS_TEXT, args! {}).in_file(path.as_str()));
            continue;
        };
        stats.blob_bytes = stats.blob_bytes.saturating_add(bytes);
        if bytes > limits.blob_bytes() {
            let values = args! { limit: limits.blob_bytes(), actual: bytes };
            findings.push(Diagnostic::of(&LIMIT_BLOB_BYTES, values).in_file(path.as_str()));
        }
    }
    let whole = [
        (&PROJECT_FILES, limits.files() as u64, stats.files as u64),
        (&LIMIT_PROJECT_BYTES, limits.project_bytes() as u64, stats.text_bytes as u64),
        (&LIMIT_PROJECT_BLOB_BYTES, limits.project_blob_bytes(), stats.blob_bytes),
    ];
    for (code, limit, actual) in whole {
        if actual > limit {
            findings.push(Diagnostic::of(code, args! { limit, actual }).at_pointer("/files"));
        }
    }
    stats
}
