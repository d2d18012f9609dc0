//! Reads a bundle from a folder.

use std::collections::BTreeMap;
use std::path::Path;

use holdpoint_kinds::{KINDS, shown_by};

use crate::exit::CommandError;

/// Files that are read at most; the check names the limit that a bundle breaks.
const MAX_READ_FILES: usize = 2_000;
/// Bytes that are read of one file; the check refuses smaller ones already.
const MAX_READ_BYTES: u64 = 32 * 1024 * 1024;
/// Folders that belong to tools and never to a bundle.
const SKIPPED: &[&str] = &[".git", "node_modules"];

/// Path → text below a folder; bytes that are no UTF-8 become replacement characters, which no rule accepts in code.
pub fn read(dir: &Path) -> Result<BTreeMap<String, String>, CommandError> {
    if !dir.is_dir() {
        return Err(CommandError::Usage(format!("{} is no folder. Name the folder of a bundle.", dir.display())));
    }
    let mut files = BTreeMap::new();
    visit(dir, "", &mut files)?;
    Ok(files)
}

fn visit(dir: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> Result<(), CommandError> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
            visit(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            if files.len() == MAX_READ_FILES {
                return Err(CommandError::Usage(format!(
                    "{} holds over {MAX_READ_FILES} files. Name the folder of one bundle.",
                    dir.display()
                )));
            }
            if entry.metadata()?.len() > MAX_READ_BYTES {
                return Err(CommandError::Usage(format!(
                    "{path} is over {MAX_READ_BYTES} bytes. Take it out of the bundle."
                )));
            }
            files.insert(path, String::from_utf8_lossy(&std::fs::read(entry.path())?).into_owned());
        }
    }
    Ok(())
}

/// The kind that the files show, or the one that was named.
pub fn kind(files: &BTreeMap<String, String>, named: Option<&str>) -> Result<String, CommandError> {
    if let Some(kind) = named {
        return Ok(kind.to_owned());
    }
    shown_by(files).map(|kind| kind.id().to_owned()).ok_or_else(|| {
        let marks = KINDS.iter().filter_map(|kind| Some(format!("{} has a {}", kind.id(), kind.parts().mark?)));
        let marks = marks.collect::<Vec<_>>().join(", ");
        CommandError::Usage(format!("No kind fits these files: {marks}. Name one with --kind."))
    })
}
