//! Which files a bundle may hold (spec: ifc-extension.md §1).
//!
//! Owns the places of this kind and the first stage of the check. Invariant: a faulty file takes no further part.

use holdpoint_bundle::{AllowedFolder, FilePolicy, Files, PathError, PathLimits, case_collisions};
use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_sdk::near;

use super::limits::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, MAX_FILES, MAX_ICON_BYTES, MAX_MANIFEST_BYTES, MAX_PATH_BYTES, MAX_PATH_SEGMENTS,
};

codes! {
    /// there are more than MAX_FILES
    LIMIT_FILES: Error, "Keep at most {limit} files; there are {n}." [limit, n];
    /// all files are over MAX_BUNDLE_BYTES
    LIMIT_BUNDLE_BYTES: Error, "Keep all files within {limit} bytes; there are {n}." [limit, n];
    /// over MAX_FILE_BYTES, MAX_MANIFEST_BYTES or MAX_ICON_BYTES
    LIMIT_FILE_BYTES: Error, "Keep the file within {limit} bytes; it has {n}." [limit, n];
    /// two paths that differ in letter case only
    PATH_CASE_COLLISION: Error, "Rename the file: another one differs in letter case only.";
}

pub const MANIFEST: &str = "manifest.json";
pub const ICON: &str = "icon.svg";

/// The places of this kind.
pub const POLICY: FilePolicy = FilePolicy {
    limits: PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_SEGMENTS },
    root_files: &[MANIFEST, "README.md", "CHANGELOG.md", "LICENSE", "LICENSE.md", ICON],
    places: &[
        AllowedFolder { folder: "src", endings: &[".js"] },
        AllowedFolder { folder: "widgets", endings: &[".json"] },
        AllowedFolder { folder: "fixtures", endings: &[".json", ".js"] },
    ],
};

/// The files that further stages may look at.
#[derive(Debug, Default)]
pub(super) struct Usable {
    /// Files without a finding of this stage.
    pub files: Files,
    /// Whether the bundle as a whole is within its limits; if not, only the manifest is read on.
    pub within_limits: bool,
}

pub(super) fn check(files: &Files, findings: &mut Vec<Diagnostic>) -> Usable {
    let bytes: usize = files.values().map(String::len).sum();
    if files.len() > MAX_FILES {
        findings.push(Diagnostic::of(&LIMIT_FILES, args! { limit: MAX_FILES, n: files.len() }));
    }
    if bytes > MAX_BUNDLE_BYTES {
        findings.push(Diagnostic::of(&LIMIT_BUNDLE_BYTES, args! { limit: MAX_BUNDLE_BYTES, n: bytes }));
    }
    let collisions = case_collisions(files.keys());
    let mut usable =
        Usable { files: Files::new(), within_limits: files.len() <= MAX_FILES && bytes <= MAX_BUNDLE_BYTES };
    for (path, text) in files {
        if let Err(fault) = POLICY.judge(path) {
            let mut finding = Diagnostic::of(fault.code(), args! {}).in_file(path.clone());
            if matches!(fault, PathError::NotAllowed | PathError::ExtensionNotAllowed) {
                finding = finding.with_hint(places());
            }
            findings.push(finding);
        } else if collisions.contains(&path.as_str()) {
            findings.push(Diagnostic::of(&PATH_CASE_COLLISION, args! {}).in_file(path.clone()));
        } else if text.len() > limit(path) {
            let values = args! { limit: limit(path), n: text.len() };
            findings.push(Diagnostic::of(&LIMIT_FILE_BYTES, values).in_file(path.clone()));
        } else {
            usable.files.insert(path.clone(), text.clone());
        }
    }
    usable
}

fn limit(path: &str) -> usize {
    match path {
        MANIFEST => MAX_MANIFEST_BYTES,
        ICON => MAX_ICON_BYTES,
        _ => MAX_FILE_BYTES,
    }
}

fn places() -> String {
    let folders = POLICY
        .places
        .iter()
        .flat_map(|place| place.endings.iter().map(|ending| format!("{}/**{ending}", place.folder)));
    let root = POLICY.root_files.iter().map(|name| (*name).to_owned());
    let all: Vec<String> = folders.chain(root).collect();
    near::hint("", &all.iter().map(String::as_str).collect::<Vec<_>>())
}
