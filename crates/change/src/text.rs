//! Errors of the text engine as the one error shape.

use holdpoint_check::{ApiError, args, codes};
use holdpoint_text::{ConflictReason, TextError};
use serde_json::json;

codes! {
    INPUT_TOO_LARGE / LIMIT: Error, "{limit} is {max}, the input has {actual}: send less at once" [limit, max, actual];
    UNKNOWN_HUNK: Error, "the diff has no hunk {ids}: take ids from text.diff of the same texts" [ids];
    CONFLICT / BASE: Error, "a targeted file changed since the preview: look at the fresh preview and apply again";
    CONFLICT / PATCH: Error, "this is not the change that was previewed: look at the fresh preview and apply again";
    CONFLICT / RESULT: Error, "the result is not the previewed one: look at the fresh preview and apply again";
    CONFIRMATION_REQUIRED / PROPOSAL: Error,
        "this proposal needs a confirmation: show its reasons to a person and send the confirm_token";
}

/// A call that the text engine refuses, with what it says beside its code.
pub fn text_error(error: &TextError) -> ApiError {
    let (status, told) = match error {
        TextError::InvalidInput { message, .. } => (422, ApiError::new(error.code(), message.as_str())),
        TextError::UnknownHunk { ids } => (422, ApiError::of(&UNKNOWN_HUNK, args! { ids: ids.join(", ") })),
        TextError::TooLarge { limit, max, actual } => (413, ApiError::of(&LIMIT, args! { limit, max, actual })),
        TextError::ConfirmationRequired { .. } => (409, ApiError::of(&PROPOSAL, args! {})),
        TextError::Conflict { reason, .. } => {
            let code = match reason {
                ConflictReason::BaseChanged => &BASE,
                ConflictReason::PatchChanged => &PATCH,
                ConflictReason::ResultChanged => &RESULT,
            };
            (409, ApiError::of(code, args! {}))
        }
    };
    told.status(status).with_details(json!(error.details()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_the_engine_says() {
        let errors = [
            TextError::TooLarge { limit: "MAX_OPS", max: 3, actual: 4 },
            TextError::UnknownHunk { ids: vec!["a".to_owned(), "b".to_owned()] },
            TextError::InvalidInput { pointer: "/ops".to_owned(), message: "Send ops.".to_owned() },
        ];
        for error in errors {
            let told = text_error(&error);
            assert_eq!((told.code.as_str(), told.message), (error.code(), error.to_string()));
        }
    }
}
