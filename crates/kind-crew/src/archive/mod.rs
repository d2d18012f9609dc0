//! Packages as ZIP files: what comes in, and what goes out (spec: crew-package.md §7 "Import", "Export").
//!
//! Owns the archive and the one layout that Holdpoint keeps; the check owns what a package may hold. Invariants: an
//! archive is taken whole or not at all; nothing of it is unpacked before its entries are known to be few, plain and
//! small; the same package gives the same bytes.
//!
//! ```
//! use holdpoint_kind_crew::archive::{ImportOptions, file_name, import};
//! assert_eq!(import(b"no archive", &ImportOptions::default()).unwrap_err().code, "PKG_INVALID_ZIP");
//! assert_eq!(file_name("Claims: north/south."), "Claims- north-south.bmad");
//! ```

mod decode;
mod layout;
mod legacy;
mod name;
mod unzip;
mod write;

#[cfg(test)]
mod tests;

use holdpoint_bundle::Files;
use holdpoint_check::error::NO_JSON;
use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde_json::json;

use super::check::{Examined, Options, bounded, examine};
use super::limits::MAX_ZIP_BYTES;
use super::policy::MANIFEST;
use super::report::{Summary, arranged};
use holdpoint_kind::Codes;
pub use name::file_name;

codes! {
    /// a file that is neither `.bmad` nor `.zip`
    PKG_INVALID_FORMAT: Error, "Choose a `.bmad` or `.zip` file.";
    /// a package with errors, or one of which Holdpoint cannot tell that it has none
    PKG_VALIDATION_FAILED: Error, "Mend the errors of the package first; there are {n}." [n];
    /// a package without workflows
    PKG_NO_WORKFLOW: Error, "Add a workflow: a package has at least one.";
}

/// The codes of archives.
pub const ARCHIVE: Codes = &[CODES, unzip::CODES, decode::CODES, legacy::CODES];
/// Endings of the files that are taken.
const ENDINGS: [&str; 2] = [".bmad", ".zip"];

/// What a caller says of an archive.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions<'o> {
    /// The name of the file as it was sent; without one its ending is not looked at.
    pub file_name: Option<&'o str>,
    /// Another name for the package; a blank one is none.
    pub name: Option<&'o str>,
    /// Of the check.
    pub check: Options,
}

/// A package that came in: clean, in the layout that Holdpoint keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// Path → text.
    pub files: Files,
    /// The name of the package.
    pub name: String,
    /// What it is made of.
    pub summary: Option<Summary>,
    /// What was changed or left out on the way, and what the check warns of.
    pub warnings: Vec<Diagnostic>,
}

/// The refusal of an archive that has at least that many bytes.
pub fn too_large(bytes: usize) -> ApiError {
    unzip::too_large("MAX_ZIP_BYTES", MAX_ZIP_BYTES, bytes)
}

/// Reads a package from an archive. Errors: `PKG_INVALID_FORMAT`, `PKG_INVALID_ZIP` (400), `PKG_TOO_LARGE` (413),
/// `PKG_VALIDATION_FAILED` (400) with `details.diagnostics`, in the paths of the archive; `INPUT_TOO_LARGE`.
pub fn import(bytes: &[u8], wanted: &ImportOptions<'_>) -> Result<Imported, ApiError> {
    let has_ending = |name: &str| ENDINGS.iter().any(|ending| name.to_ascii_lowercase().ends_with(ending));
    if wanted.file_name.is_some_and(|name| !has_ending(name)) {
        return Err(ApiError::of(&PKG_INVALID_FORMAT, args! {}).status(400));
    }
    if bytes.len() > MAX_ZIP_BYTES {
        return Err(too_large(bytes.len()));
    }
    let mut archive = unzip::Archive::open(bytes)?;
    decode::without_top_folder(&mut archive.listed);
    let (mut files, mut warnings) = decode::texts(archive.unpack(decode::place)?, &wanted.check.endings());
    warnings.extend(legacy::agents(&mut files)?);
    let Examined { report, unexpected } = examine(&files, &wanted.check)?;
    if !report.ok || warnings.iter().any(Diagnostic::is_error) {
        return Err(failed(&arranged([report.diagnostics, warnings].concat())).status(400));
    }
    warnings
        .extend(report.diagnostics.into_iter().filter(|it| it.path.as_ref().is_some_and(|it| unexpected.contains(it))));
    files.retain(|path, _| !unexpected.contains(path));
    let files = layout::normal(layout::with_agents_apart(files)?)?;
    let (files, name) = name::given(files, wanted.name)?;
    let report = examine(&files, &wanted.check)?.report;
    if !report.ok {
        return Err(failed(&report.diagnostics).status(400));
    }
    warnings.extend(report.diagnostics);
    Ok(Imported { files, name, summary: report.more.summary, warnings: arranged(warnings) })
}

/// The archive of a package. Errors: `PKG_NO_WORKFLOW`, `PKG_VALIDATION_FAILED` (422) with `details.diagnostics`.
pub fn export(files: &Files) -> Result<Vec<u8>, ApiError> {
    if !files.contains_key(MANIFEST) {
        return Err(ApiError::of(&PKG_NO_WORKFLOW, args! {}));
    }
    let Examined { report, unexpected } = examine(files, &Options::default())?;
    if !report.ok {
        return Err(failed(&report.diagnostics));
    }
    write::zipped(files.iter().filter(|(path, _)| !unexpected.contains(path)))
}

/// The archive of files as they are, in the bytes that [`export`] gives for the same files. The error: more files or
/// bytes than a package has.
pub fn packed(files: &Files) -> Result<Vec<u8>, ApiError> {
    bounded(files)?;
    write::zipped(files.iter())
}

/// [`packed`] over text. Input `{path: text}`; the error is an error answer as JSON text.
pub fn packed_text(input: &str) -> Result<Vec<u8>, String> {
    let files = serde_json::from_str(input).map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }));
    files.and_then(|files| packed(&files)).map_err(|error| json!({ "error": error }).to_string())
}

fn failed(diagnostics: &[Diagnostic]) -> ApiError {
    let n = diagnostics.iter().filter(|finding| finding.is_error()).count();
    ApiError::of(&PKG_VALIDATION_FAILED, args! { n }).with("diagnostics", json!(diagnostics))
}
