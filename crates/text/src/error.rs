//! What the methods of this crate refuse (spec: text-engine.md §10 "Errors of the four methods").
//!
//! A proposal that cannot be applied is no error: it is a [`Preview`](crate::Preview) with the verdict `reject`.

use serde::Serialize;

use crate::preview::Preview;

/// A refusal; [`TextError::code`] is stable, the message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TextError {
    /// The input has the wrong shape at a JSON Pointer.
    #[error("{message}")]
    InvalidInput {
        /// Where, as a JSON Pointer.
        pointer: String,
        message: String,
    },
    /// The input is over a limit.
    #[error("{limit} is {max}, the input has {actual}: send less at once")]
    TooLarge {
        /// The name of the limit.
        limit: &'static str,
        max: usize,
        actual: usize,
    },
    /// Accepted hunks that the diff does not have.
    #[error("the diff has no hunk {}: take ids from text.diff of the same texts", ids.join(", "))]
    UnknownHunk {
        /// The unknown ids, in the order sent.
        ids: Vec<String>,
    },
    /// Base, patch or result are not those that were previewed.
    #[error("{}", reason.message())]
    Conflict { reason: ConflictReason, preview: Box<Preview> },
    /// The proposal must be confirmed with the token of its fresh preview.
    #[error("this proposal needs a confirmation: show its reasons to a person and send the confirm_token")]
    ConfirmationRequired { preview: Box<Preview> },
}

/// What changed between preview and apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictReason {
    BaseChanged,
    PatchChanged,
    ResultChanged,
}

impl ConflictReason {
    pub fn name(self) -> &'static str {
        match self {
            Self::BaseChanged => "base_changed",
            Self::PatchChanged => "patch_changed",
            Self::ResultChanged => "result_changed",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::BaseChanged => "a targeted file changed since the preview: look at the fresh preview and apply again",
            Self::PatchChanged => {
                "this is not the change that was previewed: look at the fresh preview and apply again"
            }
            Self::ResultChanged => "the result is not the previewed one: look at the fresh preview and apply again",
        }
    }
}

/// What an error answer says beside its message (`details` of facade.md "Shapes").
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ErrorDetails<'e> {
    Place { pointer: &'e str },
    Limit { limit: &'static str, max: usize, actual: usize },
    Hunks { ids: &'e [String] },
    Conflict { reason: &'static str, preview: &'e Preview },
    Confirmation { preview: &'e Preview },
}

impl TextError {
    /// What an error answer says beside its message.
    pub fn details(&self) -> ErrorDetails<'_> {
        match self {
            Self::InvalidInput { pointer, .. } => ErrorDetails::Place { pointer },
            Self::TooLarge { limit, max, actual } => ErrorDetails::Limit { limit, max: *max, actual: *actual },
            Self::UnknownHunk { ids } => ErrorDetails::Hunks { ids },
            Self::Conflict { reason, preview } => ErrorDetails::Conflict { reason: reason.name(), preview },
            Self::ConfirmationRequired { preview } => ErrorDetails::Confirmation { preview },
        }
    }

    /// The stable code of the error answer.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidInput { .. } => "INVALID_INPUT",
            Self::TooLarge { .. } => "INPUT_TOO_LARGE",
            Self::UnknownHunk { .. } => "UNKNOWN_HUNK",
            Self::Conflict { .. } => "CONFLICT",
            Self::ConfirmationRequired { .. } => "CONFIRMATION_REQUIRED",
        }
    }

    pub(crate) fn invalid(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self::InvalidInput { pointer: pointer.into(), message: message.into() }
    }
}

/// Refuses what is over a limit.
pub(crate) fn within(limit: &'static str, max: usize, actual: usize) -> Result<(), TextError> {
    if actual > max { Err(TextError::TooLarge { limit, max, actual }) } else { Ok(()) }
}
