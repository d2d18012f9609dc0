//! Why an answer is refused as a whole (spec: script-tool.md §4).

use holdpoint_check::{ApiError, Args, Code, codes};

codes! {
    /// the model ran out of output
    EDITOPS_TRUNCATED: Error, "the answer was cut off: ask for less at once";
    /// no object with `ops` in the model's answer
    EDITOPS_NO_OBJECT: Error, "answer with one JSON object that has the key \"ops\"";
    /// objects that contradict each other
    EDITOPS_MULTIPLE: Error, "answer with one JSON object, not with several that differ";
    /// a member of the wrong shape, which `details.pointer` names
    EDITOPS_SHAPE / WORDS: Error, "Give `assistant_message` as text.";
    EDITOPS_SHAPE / OPS: Error, "Give `ops` as an array of at most {limit} ops." [limit];
    /// an unknown op or a wrong body, which `details.pointer` names
    EDITOPS_OP_INVALID / OBJECT: Error, "Write each op as an object.";
    EDITOPS_OP_INVALID / OP: Error, "Use the op \"patch\".";
    EDITOPS_OP_INVALID / INSERTED: Error, "Give the text to insert.";
    EDITOPS_OP_INVALID / NO_CONTENT: Error, "Leave `content` out: `delete` takes none.";
    EDITOPS_OP_INVALID / ONE_PATCH: Error, "Give exactly one of `patch` and `patch_lines`.";
    EDITOPS_OP_INVALID / PATCH: Error, "Give a unified diff as text.";
    EDITOPS_OP_INVALID / PATCH_LINES: Error, "Give the lines of a unified diff.";
    EDITOPS_OP_INVALID / LINE: Error, "Give each line as text.";
    EDITOPS_OP_INVALID / TARGET: Error, "Name `cursor`, `selection` or `document`.";
    EDITOPS_OP_INVALID / TEXT: Error, "Give the text.";
    /// an op or a target that is not taken here
    EDITOPS_OP_NOT_ALLOWED / PATCH_ONLY: Error, "Only the op \"patch\" is taken: no place was named.";
    EDITOPS_OP_NOT_ALLOWED / NO_ANCHORS: Error, "Anchors are not taken: use a patch.";
    EDITOPS_OP_NOT_ALLOWED / OTHER_TARGET: Error, "This op does not take this target.";
    /// none of the five files of a tool
    EDITOPS_FILE_UNKNOWN: Error, "name one of the five files of the tool";
}

/// There are no partial results: one bad op rejects the answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.message)]
pub struct EditOpsError(Box<ApiError>);

impl EditOpsError {
    pub(super) fn of(code: &'static Code, args: Args<'_>) -> Self {
        Self(Box::new(ApiError::of(code, args)))
    }

    /// `pointer` is that of the first wrong value, inside the model's object.
    pub(super) fn at(pointer: String, code: &'static Code, args: Args<'_>) -> Self {
        Self(Box::new(ApiError::of(code, args).with("pointer", pointer)))
    }

    pub fn code(&self) -> &str {
        &self.0.code
    }

    pub fn answer(self) -> ApiError {
        *self.0
    }
}
