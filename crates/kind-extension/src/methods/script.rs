//! Scripts and what they need (spec: ifc-extension.md §3.3, authoring.md §1).

use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::engines::Version;
use crate::limits::MAX_FILE_BYTES;
use crate::script::{self, Promotion};

/// The methods of this file.
pub const METHODS: Group = &[("capability.infer", infer), ("script.promote", promote)];

codes! {
    INVALID_INPUT / SDK_VERSION: Error, "Give a SemVer version, for example 1.0.0.";
}

#[derive(Deserialize)]
struct Infer {
    source: String,
}

fn infer(value: Value) -> Result<Value, ApiError> {
    let Infer { source } = input(value)?;
    bounded(&source)?;
    Ok(json!(script::infer(&source)))
}

fn promote(value: Value) -> Result<Value, ApiError> {
    let wanted: Promotion = input(value)?;
    bounded(&wanted.source)?;
    if wanted.taken.len() > MAX_TAKEN {
        return Err(ApiError::over("MAX_TAKEN", MAX_TAKEN, wanted.taken.len()));
    }
    if wanted.sdk_version.as_deref().is_some_and(|version| Version::parse(version).is_none()) {
        return Err(ApiError::at("/sdk_version", &SDK_VERSION, args! {}));
    }
    Ok(json!(script::promote(&wanted)))
}

/// Installed ids that are looked at.
const MAX_TAKEN: usize = 10_000;

fn bounded(source: &str) -> Result<(), ApiError> {
    if source.len() <= MAX_FILE_BYTES {
        return Ok(());
    }
    Err(ApiError::over("MAX_FILE_BYTES", MAX_FILE_BYTES, source.len()))
}

#[cfg(feature = "schema")]
pub mod reference;
