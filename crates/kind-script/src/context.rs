//! Where the user points, and what that lets a model do (spec: script-tool.md §5, text-engine.md §3).
//!
//! Invariant: the mode follows from the request alone: without selection and cursor only patches are taken, in the
//! prompt, in the parser and in the preview.

use serde::{Deserialize, Serialize};

use super::dialect::{Op, Target};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    #[default]
    PatchOnly,
    /// Patches, and the older ops at a place that the user named.
    Auto,
}

impl Mode {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::PatchOnly => "patch-only",
            Self::Auto => "auto",
        }
    }
}

/// A selection: UTF-16 code units of the active file as sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    pub from: u32,
    pub to: u32,
}

/// A cursor: UTF-16 code units of the active file as sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub pos: u32,
}

/// The place that a request names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Location {
    /// Present when the user selected text; `to` is not before `from`.
    pub selection: Option<Selection>,
    /// Present with a selection, or when the user put the cursor somewhere.
    pub cursor: Option<Cursor>,
}

impl Location {
    /// The mode that holds; `forced` is `options.mode`.
    pub fn mode(&self, forced: Option<Mode>) -> Mode {
        match forced {
            _ if self.selection.is_none() && self.cursor.is_none() => Mode::PatchOnly,
            Some(mode) => mode,
            None => Mode::Auto,
        }
    }

    /// Whether an op points at something that the request named. An empty selection is no selection.
    pub fn has(&self, op: &Op) -> bool {
        match op.target() {
            None | Some(Target::Document) => true,
            Some(Target::Cursor) => self.cursor.is_some() || self.selection.is_some(),
            Some(Target::Selection) => self.selection.is_some_and(|selection| selection.from < selection.to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VirtualFile;

    #[test]
    fn the_request_decides() {
        let nowhere = Location::default();
        let cursor = Location { selection: None, cursor: Some(Cursor { pos: 3 }) };
        let cases = [
            (nowhere, None, Mode::PatchOnly),
            (nowhere, Some(Mode::Auto), Mode::PatchOnly),
            (cursor, None, Mode::Auto),
            (cursor, Some(Mode::PatchOnly), Mode::PatchOnly),
        ];
        for (location, forced, want) in cases {
            assert_eq!(location.mode(forced), want, "{location:?} {forced:?}");
            assert_eq!(serde_json::json!(want), want.name());
        }
    }

    #[test]
    fn ops_need_their_place() {
        let target_file = VirtualFile::Tool;
        let delete = |target| Op::Delete { target_file, target };
        let select = |from, to| Location { selection: Some(Selection { from, to }), cursor: Some(Cursor { pos: to }) };
        assert!(select(1, 2).has(&delete(Target::Selection)));
        assert!(!select(2, 2).has(&delete(Target::Selection)));
        assert!(select(2, 2).has(&Op::Insert { target_file, target: Target::Cursor, content: "a".into() }));
        assert!(!Location::default().has(&Op::Insert { target_file, target: Target::Cursor, content: "a".into() }));
        assert!(Location::default().has(&delete(Target::Document)));
        assert!(Location::default().has(&Op::Patch { target_file, patch: "a\n".into() }));
    }
}
