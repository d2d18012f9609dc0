//! IFC files as commands take them: packed or not, and what of them cannot be read is said.

use std::path::Path;

use holdpoint_model::{InvalidModelError, Model, Warning, unpacked};

use serde_json::{Value, json};

use crate::exit::CommandError;
use crate::folder::unreadable;
use crate::terminal::visible;

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The bytes of a model, unpacked.
pub fn read(path: &Path) -> Result<Result<Vec<u8>, InvalidModelError>, CommandError> {
    Ok(unpacked(std::fs::read(path).map_err(|error| unreadable(path, &error))?))
}

/// The answer about a file that is no model.
pub fn refused(name: &str, InvalidModelError { line, message, .. }: &InvalidModelError) -> Value {
    json!({ "file": name, "error": {
        "code": InvalidModelError::CODE, "message": message, "details": { "line": line } } })
}

/// What of a file cannot be read, on standard error.
pub fn warn(name: &str, model: &Model) {
    for Warning { code, line, message, .. } in model.warnings() {
        eprintln!("{}: {code} at line {line}: {}", visible(name), visible(message));
    }
}
