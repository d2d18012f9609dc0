//! Which files a bundle may hold (spec: ifc-extension.md §1).
//!
//! Owns the places of this kind and the first stage of the check. Invariant: a faulty file takes no further part.

use holdpoint_bundle::{FilePolicy, Files, PathLimits, Place, case_collisions};
use holdpoint_check::Diagnostic;
use holdpoint_sdk::near;

use super::limits::{
    MAX_BUNDLE_BYTES, MAX_FILE_BYTES, MAX_FILES, MAX_ICON_BYTES, MAX_MANIFEST_BYTES, MAX_PATH_BYTES, MAX_PATH_SEGMENTS,
};

/// The manifest's path.
pub const MANIFEST: &str = "manifest.json";
/// The icon's path.
pub const ICON: &str = "icon.svg";

/// The places of this kind.
pub const POLICY: FilePolicy = FilePolicy {
    limits: PathLimits { bytes: MAX_PATH_BYTES, segments: MAX_PATH_SEGMENTS },
    root_files: &[MANIFEST, "README.md", "CHANGELOG.md", "LICENSE", "LICENSE.md", ICON],
    places: &[
        Place { folder: "src", endings: &[".js"] },
        Place { folder: "widgets", endings: &[".json"] },
        Place { folder: "fixtures", endings: &[".json", ".js"] },
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

/// Judges paths and sizes.
pub(super) fn check(files: &Files, findings: &mut Vec<Diagnostic>) -> Usable {
    let bytes: usize = files.values().map(String::len).sum();
    if files.len() > MAX_FILES {
        let message = format!("Keep at most {MAX_FILES} files; there are {}.", files.len());
        findings.push(Diagnostic::error("LIMIT_FILES", message));
    }
    if bytes > MAX_BUNDLE_BYTES {
        let message = format!("Keep all files within {MAX_BUNDLE_BYTES} bytes; there are {bytes}.");
        findings.push(Diagnostic::error("LIMIT_BUNDLE_BYTES", message));
    }
    let collisions = case_collisions(files.keys());
    let mut usable =
        Usable { files: Files::new(), within_limits: files.len() <= MAX_FILES && bytes <= MAX_BUNDLE_BYTES };
    for (path, text) in files {
        if let Err(fault) = POLICY.judge(path) {
            let mut finding = Diagnostic::error(fault.code(), fault.to_string()).in_file(path.clone());
            if matches!(fault.code(), "PATH_NOT_ALLOWED" | "PATH_EXTENSION_NOT_ALLOWED") {
                finding = finding.with_hint(places());
            }
            findings.push(finding);
        } else if collisions.contains(&path.as_str()) {
            let message = "Rename the file: another one differs in letter case only.";
            findings.push(Diagnostic::error("PATH_CASE_COLLISION", message).in_file(path.clone()));
        } else if text.len() > limit(path) {
            let message = format!("Keep the file within {} bytes; it has {}.", limit(path), text.len());
            findings.push(Diagnostic::error("LIMIT_FILE_BYTES", message).in_file(path.clone()));
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
