//! IFC files as commands take them: packed or not, and what of them cannot be read is said.

use std::path::Path;

use holdpoint_model::{InvalidModelError, Model, Warning, unpacked};

use crate::exit::CommandError;
use crate::folder::unreadable;
use crate::terminal::visible;

/// Sentences that say that the file goes on elsewhere.
const CUT: [&str; 3] = ["CUT_OFF", "CUT_INSTANCE", "NO_ENDSEC"];

/// The last part of a path.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The bytes of a model, unpacked.
pub fn read(path: &Path) -> Result<Result<Vec<u8>, InvalidModelError>, CommandError> {
    Ok(unpacked(std::fs::read(path).map_err(|error| unreadable(path, &error))?))
}

/// Whether a file is cut off, so that what is missing was not looked at.
pub fn is_cut_off(model: &Model) -> bool {
    model.warnings().iter().any(|one| CUT.iter().any(|case| one.args.get("case").is_some_and(|own| own == case)))
}

/// What of a file cannot be read, on standard error.
pub fn warn(name: &str, model: &Model) {
    for Warning { code, line, message, .. } in model.warnings() {
        eprintln!("{}: {code} at line {line}: {}", visible(name), visible(message));
    }
}
