//! `PKG_PATH_INVALID`, `PKG_REQUIRED_FILE_MISSING`, `PKG_UNEXPECTED_FILE`, `STEP_FILE_UNUSED`: which files there are
//! (spec: crew-package.md §6).

use holdpoint_check::{Diagnostic, args, codes};

use crate::limits::MAX_PATH_BYTES;

codes! {
    /// a path that could leave the package
    PKG_PATH_INVALID: Error,
        "Rename the file: a path is relative, has plain segments and at most {limit} bytes." [limit];
    /// a file that every package has, or that the manifest names
    PKG_REQUIRED_FILE_MISSING: Error, "Add `{file}`." [file];
    /// a file that is no part of the package
    PKG_UNEXPECTED_FILE: Warning, "Move or remove the file: it is no part of the package and is not exported.";
    /// a step file that no node names
    STEP_FILE_UNUSED: Warning, "Name the file in a node of the graph, or remove it.";
}

pub fn unsafe_path() -> Diagnostic {
    Diagnostic::of(&PKG_PATH_INVALID, args! { limit: MAX_PATH_BYTES })
}

/// A file that is not there.
pub fn missing(file: &str) -> Diagnostic {
    Diagnostic::of(&PKG_REQUIRED_FILE_MISSING, args! { file }).with_hint(format!("File: {file}."))
}

/// A file that is no part of the package.
pub fn unexpected() -> Diagnostic {
    let places = "Allowed: bmad.json, the files that it names, step files, assets/.";
    Diagnostic::of(&PKG_UNEXPECTED_FILE, args! {}).with_hint(places)
}

/// A step file that no node names.
pub fn unused() -> Diagnostic {
    Diagnostic::of(&STEP_FILE_UNUSED, args! {}).with_hint("Member: file of a node.")
}
