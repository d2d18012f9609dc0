//! Errors of the text engine as the one error shape.

use holdpoint_check::ApiError;
use holdpoint_text::TextError;
use serde_json::json;

/// A call that the text engine refuses, with what it says beside its code.
pub fn text_error(error: &TextError) -> ApiError {
    let status = match error {
        TextError::Conflict { .. } | TextError::ConfirmationRequired { .. } => 409,
        TextError::TooLarge { .. } => 413,
        TextError::InvalidInput { .. } | TextError::UnknownHunk { .. } => 422,
    };
    ApiError::new(error.code(), error.to_string()).status(status).with_details(json!(error.details()))
}
