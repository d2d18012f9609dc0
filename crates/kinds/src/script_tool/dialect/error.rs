//! Why an answer is refused as a whole (spec: script-tool.md §4).

/// There are no partial results: one bad op rejects the answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditOpsError {
    /// `EDITOPS_TRUNCATED`: the model ran out of output.
    #[error("the answer was cut off: ask for less at once")]
    Truncated,
    /// `EDITOPS_NO_OBJECT`: no object with `ops`.
    #[error("answer with one JSON object that has the key \"ops\"")]
    NoObject,
    /// `EDITOPS_MULTIPLE`: objects that contradict each other.
    #[error("answer with one JSON object, not with several that differ")]
    Multiple,
    /// `EDITOPS_SHAPE`: a member of the wrong shape.
    #[error("{wish}")]
    #[allow(missing_docs)]
    Shape { pointer: String, wish: String },
    /// `EDITOPS_OP_INVALID`: an unknown op or a wrong body.
    #[error("{wish}")]
    #[allow(missing_docs)]
    OpInvalid { pointer: String, wish: String },
    /// `EDITOPS_OP_NOT_ALLOWED`: an op or a target that is not taken here.
    #[error("{wish}")]
    #[allow(missing_docs)]
    OpNotAllowed { pointer: String, wish: String },
    /// `EDITOPS_FILE_UNKNOWN`: none of the five files.
    #[error("name one of the five files of the tool")]
    #[allow(missing_docs)]
    FileUnknown { pointer: String },
}

impl EditOpsError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Truncated => "EDITOPS_TRUNCATED",
            Self::NoObject => "EDITOPS_NO_OBJECT",
            Self::Multiple => "EDITOPS_MULTIPLE",
            Self::Shape { .. } => "EDITOPS_SHAPE",
            Self::OpInvalid { .. } => "EDITOPS_OP_INVALID",
            Self::OpNotAllowed { .. } => "EDITOPS_OP_NOT_ALLOWED",
            Self::FileUnknown { .. } => "EDITOPS_FILE_UNKNOWN",
        }
    }

    /// JSON Pointer of the first wrong value, inside the model's object.
    pub fn pointer(&self) -> Option<&str> {
        match self {
            Self::Truncated | Self::NoObject | Self::Multiple => None,
            Self::Shape { pointer, .. }
            | Self::OpInvalid { pointer, .. }
            | Self::OpNotAllowed { pointer, .. }
            | Self::FileUnknown { pointer } => Some(pointer),
        }
    }
}
