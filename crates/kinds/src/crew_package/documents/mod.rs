//! Reading: what a file says and where it says it, before any rule looks at it.
//!
//! Owns JSON, frontmatter, YAML, sections and citations; decides nothing. Invariants: what is over a limit of reading is
//! [`INPUT_TOO_LARGE`](holdpoint_check::ApiError::over); no reader recurses deeper than a limit; reading changes no byte.

pub mod body;
pub mod citations;
pub mod graph;
pub mod json;
pub mod markdown;
mod scalar;
mod yaml;

use holdpoint_check::ApiError;

use super::limits::MAX_DOCUMENT_BYTES;

/// Refuses a document that is too large to be read.
pub fn bounded(text: &str) -> Result<(), ApiError> {
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(ApiError::over("MAX_DOCUMENT_BYTES", MAX_DOCUMENT_BYTES, text.len()));
    }
    Ok(())
}
