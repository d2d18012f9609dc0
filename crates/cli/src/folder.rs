//! Reads a bundle from a folder, or from a packed bundle.
//!
//! Invariant: what is read is bounded before it is read, and a file that is no text is a finding, never other text.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_kind::shown_by;
use holdpoint_kinds::CHECKS;

use crate::archive;
use crate::exit::CommandError;

codes! {
    /// a file of the folder is no UTF-8
    FILE_NOT_UTF8: Error, "Save the file as UTF-8: no character begins at byte {at}." [at];
}

/// Files that are read at most; the check names the limit that a bundle breaks.
const MAX_READ_FILES: usize = 2_000;
/// Bytes of all files that are read; the check refuses fewer already.
const MAX_READ_BYTES: u64 = 64 << 20;
/// Folders below each other that are looked into.
const MAX_DEPTH: usize = 64;
/// Folders that belong to tools and never to a bundle.
const SKIPPED: &[&str] = &[".git", "node_modules"];

#[derive(Debug, Default)]
pub struct Folder {
    /// Path → text; of a file that is no UTF-8, what can be read of it.
    pub files: BTreeMap<String, String>,
    /// A finding a file that is no UTF-8.
    pub findings: Vec<Diagnostic>,
    bytes: u64,
}

/// Reads the files below a folder, or those of a packed bundle.
pub fn read(dir: &Path) -> Result<Folder, CommandError> {
    if dir.is_file() {
        return archive::folder(dir);
    }
    if !dir.is_dir() {
        return Err(CommandError::Usage(format!(
            "{} is no folder. Name the folder of a bundle, or a packed bundle.",
            dir.display()
        )));
    }
    let mut folder = Folder::default();
    folder.visit(dir, "", 0)?;
    Ok(folder)
}

impl Folder {
    /// What a packed bundle holds.
    pub fn of(files: BTreeMap<String, String>) -> Self {
        Self { files, ..Self::default() }
    }

    fn visit(&mut self, dir: &Path, prefix: &str, depth: usize) -> Result<(), CommandError> {
        if depth > MAX_DEPTH {
            return Err(over(prefix, &format!("lies over {MAX_DEPTH} folders deep")));
        }
        for entry in dir.read_dir().map_err(|error| unreadable(dir, &error))? {
            let entry = entry.map_err(|error| unreadable(dir, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().map_err(|error| unreadable(&entry.path(), &error))?;
            if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
                self.visit(&entry.path(), &format!("{path}/"), depth + 1)?;
            } else if kind.is_file() {
                if self.files.len() == MAX_READ_FILES {
                    return Err(over(&path, &format!("is one of over {MAX_READ_FILES} files")));
                }
                self.take(&entry.path(), path)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, from: &Path, path: String) -> Result<(), CommandError> {
        let left = MAX_READ_BYTES - self.bytes;
        let mut bytes = Vec::new();
        let read = File::open(from).and_then(|file| file.take(left + 1).read_to_end(&mut bytes));
        let read = read.map_err(|error| unreadable(from, &error))? as u64;
        if read > left {
            return Err(over(&path, &format!("brings the folder over {MAX_READ_BYTES} bytes")));
        }
        self.bytes += read;
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let at = error.utf8_error().valid_up_to();
            self.findings.push(Diagnostic::of(&FILE_NOT_UTF8, args! { at: at }).in_file(&path));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        self.files.insert(path, text);
        Ok(())
    }
}

fn over(path: &str, why: &str) -> CommandError {
    CommandError::Usage(format!("{path} {why}. Name the folder of one bundle, without what does not belong to it."))
}

/// What the caller named cannot be read: the caller can mend it.
pub fn unreadable(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Usage(format!("{} cannot be read: {error}.", path.display()))
}

/// The kind that the files show, or the one that was named.
pub fn kind(files: &BTreeMap<String, String>, named: Option<&str>) -> Result<String, CommandError> {
    if let Some(kind) = named {
        return Ok(kind.to_owned());
    }
    shown_by(CHECKS, files).map(|entry| entry.kind.id().to_owned()).ok_or_else(|| {
        let marks = CHECKS.iter().map(|entry| format!("{} has a {}", entry.kind.id(), entry.mark));
        let marks = marks.collect::<Vec<_>>().join(", ");
        CommandError::Usage(format!("No kind fits these files: {marks}. Name one with --kind."))
    })
}
