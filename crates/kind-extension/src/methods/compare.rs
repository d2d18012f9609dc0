//! What differs between two bundles (spec: facade.md "Methods", ifc-extension.md §7).

use holdpoint_bundle::Files;
use holdpoint_check::ApiError;
use holdpoint_check::method::{Group, input};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::review;

/// The methods of this file.
pub const METHODS: Group = &[("bundle.diff", bundle_diff)];

/// Bytes of the files of one input.
pub const MAX_FILES_BYTES: usize = review::MAX_REVIEWED_BYTES;

#[derive(Deserialize)]
struct Diff {
    before: Files,
    after: Files,
}

fn bundle_diff(value: Value) -> Result<Value, ApiError> {
    let Diff { before, after } = input(value)?;
    bounded(&before)?;
    bounded(&after)?;
    Ok(json!(review::diff(&before, &after)))
}

/// Refuses more files than a method looks at.
pub fn bounded(files: &Files) -> Result<(), ApiError> {
    let bytes: usize = files.iter().map(|(path, text)| path.len() + text.len()).sum();
    if bytes <= MAX_FILES_BYTES { Ok(()) } else { Err(ApiError::over("MAX_FILES_BYTES", MAX_FILES_BYTES, bytes)) }
}

#[cfg(feature = "schema")]
pub mod reference;
