//! Change sets: ordered operations on a bundle, the one internal form of an edit (ENGINE §4).
//!
//! What models, tools and routes write is translated to this at the edge of a kind and nowhere else. Knows nothing of a
//! kind's paths, codes or words.

use holdpoint_text::{Accept, Cursor, RawOp, RawOptions, Selection};
use serde::Deserialize;

use crate::Hash;

/// Operations in the order in which they are taken.
#[derive(Debug, Clone, Default)]
pub struct ChangeSet(pub Vec<Step>);

/// One operation of a change set.
#[derive(Debug, Clone)]
pub struct Step {
    pub op: Op,
    /// What the file must hold when the step's turn comes, as [`holdpoint_bundle::text_hash`] has it. Of a rename the
    /// file that moves, of a call of the text engine its only target; where no single file is meant, nothing can hold.
    pub expected: Option<Hash>,
    /// JSON Pointer of the member of the wire that said so: findings point where the sender can see.
    pub origin: String,
}

/// What can be done to a bundle. A binary file is pointer text, so it is written as any other.
#[derive(Debug, Clone)]
pub enum Op {
    /// One whole call of the text engine.
    Text(TextRequest),
    /// Replaces a part of a file that stands in it exactly once ([`holdpoint_text::replace_once`]).
    Find {
        path: String,
        find: String,
        replace: String,
    },
    /// Creates or overwrites a file.
    Write {
        path: String,
        text: String,
    },
    Delete {
        path: String,
    },
    /// Moves a file; an entry moves with it.
    Rename {
        from: String,
        /// Where it is to be; nothing may be there.
        to: String,
    },
    /// Names the file that starts the bundle, also one that a later step makes.
    SetEntry {
        path: String,
    },
}

/// A call of the text engine without its files, which come from the tree: the members of an edit as requests write
/// them (spec: text-engine.md §3, script-tool.md §6).
#[derive(Debug, Clone, Default, Deserialize)]
pub struct TextRequest {
    /// The edits; all refer to the texts as the step finds them.
    pub ops: Vec<RawOp>,
    /// Where selection and cursor are.
    #[serde(default)]
    pub active_file: Option<String>,
    #[serde(default)]
    pub selection: Option<Selection>,
    /// Where the cursor is there.
    #[serde(default)]
    pub cursor: Option<Cursor>,
    /// How to read the edits.
    #[serde(default)]
    pub options: Option<RawOptions>,
    /// The hunks that are taken; all when absent.
    #[serde(default)]
    pub accept: Option<Accept>,
}

impl Step {
    /// A step that expects nothing of its file.
    pub fn new(op: Op, origin: impl Into<String>) -> Self {
        Self { op, expected: None, origin: origin.into() }
    }
}

impl Op {
    /// The file that a hash of the step speaks of.
    pub(crate) fn subject(&self) -> Option<&str> {
        match self {
            Self::Text(request) => request.only_target(),
            Self::Find { path, .. } | Self::Write { path, .. } | Self::Delete { path } => Some(path),
            Self::Rename { from, .. } => Some(from),
            Self::SetEntry { .. } => None,
        }
    }
}

impl TextRequest {
    /// The files that the call is about: those that it targets, and where the cursor is.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
        self.ops.iter().map(|op| op.target_file.as_str()).chain(self.active_file.as_deref())
    }

    fn only_target(&self) -> Option<&str> {
        let (first, others) = self.ops.split_first()?;
        others.iter().all(|op| op.target_file == first.target_file).then_some(first.target_file.as_str())
    }
}
