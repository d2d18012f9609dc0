//! The input of preview and apply: what was sent, and what it means (spec: text-engine.md §3).
//!
//! Owns every rule on the shape of the input, its limits, and the mode. Invariant: a [`PreviewInput`] can only come
//! from [`RawPreview::resolve`], so nothing downstream checks shapes or sizes again.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{TextError, within};
use crate::limits::{MAX_FILE_BYTES, MAX_FILES, MAX_HUNKS, MAX_LINES, MAX_OPS, MAX_PATCH_BYTES, MAX_TOTAL_BYTES};
use crate::transport::{Transported, transport};
use holdpoint_diff::{Line, lines};

pub type Files = BTreeMap<String, String>;
/// Path to the ids of the accepted hunks (spec: script-tool.md §6 "Partial accept").
pub type Accept = BTreeMap<String, Vec<String>>;

/// The input of `text.preview` as sent.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RawPreview {
    pub files: Files,
    pub ops: Vec<RawOp>,
    #[serde(default)]
    pub active_file: Option<String>,
    #[serde(default)]
    pub selection: Option<Selection>,
    #[serde(default)]
    pub cursor: Option<Cursor>,
    #[serde(default)]
    pub options: Option<RawOptions>,
    /// Not part of the meaning: for [`preview_accepted`](crate::preview_accepted).
    #[serde(default)]
    pub accept: Option<Accept>,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct RawOp {
    pub op: String,
    pub target_file: String,
    #[serde(default)]
    pub target: Option<RawTarget>,
    #[serde(default)]
    pub content: Option<String>,
    #[serde(default)]
    pub patch: Option<String>,
    #[serde(default)]
    pub patch_lines: Option<Vec<String>>,
}

impl RawOp {
    /// A patch of one file.
    pub fn patch(target_file: impl Into<String>, patch: impl Into<String>) -> Self {
        Self { op: "patch".into(), target_file: target_file.into(), patch: Some(patch.into()), ..Self::default() }
    }
}

/// The place of an op that is no patch.
#[derive(Debug, Clone, Deserialize)]
pub struct RawTarget {
    pub kind: String,
}

/// How to preview, as sent.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RawOptions {
    #[serde(default)]
    pub mode: Option<String>,
    #[serde(default)]
    pub generation_finished: Option<bool>,
}

/// UTF-16 positions in the active file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Selection {
    pub from: usize,
    pub to: usize,
}

/// A UTF-16 position in the active file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Cursor {
    pub pos: usize,
}

/// A proposal that has the right shape and is within the limits.
#[derive(Debug, Clone)]
pub struct PreviewInput {
    pub(crate) files: Files,
    pub(crate) ops: Vec<Op>,
    pub(crate) active_file: Option<String>,
    pub(crate) selection: Option<Selection>,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) mode: TextMode,
    pub(crate) generation_finished: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum TextMode {
    /// Every op but a patch is rejected.
    PatchOnly,
    Auto,
}

#[derive(Debug, Clone)]
pub(crate) struct Op {
    pub target_file: String,
    pub action: Action,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    Patch(Transported),
    Insert { target: Target, content: String },
    Replace { target: Target, content: String },
    Delete { target: Target },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Cursor,
    Selection,
    Document,
    Anchor,
}

impl PreviewInput {
    /// One patch on one file, as a proposal of its own.
    pub fn patch(path: &str, base: &str, patch: &str) -> Result<Self, TextError> {
        RawPreview {
            files: Files::from([(path.to_owned(), base.to_owned())]),
            ops: vec![RawOp::patch(path, patch)],
            ..RawPreview::default()
        }
        .resolve()
    }

    pub fn files(&self) -> &Files {
        &self.files
    }
}

impl RawPreview {
    /// What the input means. Errors: [`TextError::InvalidInput`] with the first wrong value,
    /// [`TextError::TooLarge`].
    pub fn resolve(self) -> Result<PreviewInput, TextError> {
        if self.ops.is_empty() {
            return Err(TextError::invalid("/ops", "Send at least one op."));
        }
        self.check_location()?;
        let options = self.options.unwrap_or_default();
        let auto = match options.mode.as_deref() {
            None | Some("auto") => true,
            Some("patch-only") => false,
            Some(_) => return Err(TextError::invalid("/options/mode", "Send `auto` or `patch-only`.")),
        };
        let located = self.selection.is_some() || self.cursor.is_some();
        within("MAX_FILES", MAX_FILES, self.files.len())?;
        within("MAX_TOTAL_BYTES", MAX_TOTAL_BYTES, self.files.values().map(String::len).sum())?;
        for text in self.files.values() {
            lines_of(text)?;
        }
        within("MAX_OPS", MAX_OPS, self.ops.len())?;
        let ops =
            self.ops.into_iter().enumerate().map(|(index, op)| op.resolve(index)).collect::<Result<Vec<_>, _>>()?;
        let hunks = ops.iter().map(|op| if let Action::Patch(patch) = &op.action { patch.hunk_lines() } else { 0 });
        within("MAX_HUNKS", MAX_HUNKS, hunks.sum())?;
        Ok(PreviewInput {
            files: self.files,
            ops,
            active_file: self.active_file,
            selection: self.selection.filter(|selection| selection.from < selection.to),
            cursor: self.cursor,
            mode: if auto && located { TextMode::Auto } else { TextMode::PatchOnly },
            generation_finished: options.generation_finished.unwrap_or(false),
        })
    }

    fn check_location(&self) -> Result<(), TextError> {
        let located = self.selection.is_some() || self.cursor.is_some();
        match &self.active_file {
            Some(path) if !self.files.contains_key(path) => {
                return Err(TextError::invalid("/active_file", "Name one of the files."));
            }
            None if located => {
                return Err(TextError::invalid("/active_file", "Name the file that selection and cursor belong to."));
            }
            _ => {}
        }
        match self.selection {
            Some(Selection { from, to }) if to < from => {
                Err(TextError::invalid("/selection/to", "Send a selection that ends where it begins or later."))
            }
            _ => Ok(()),
        }
    }
}

/// Bytes and lines of one text.
/// The lines of a text that is within the limits of a file.
pub(crate) fn lines_of(text: &str) -> Result<Vec<Line<'_>>, TextError> {
    within("MAX_FILE_BYTES", MAX_FILE_BYTES, text.len())?;
    lines_within_limits(text)
}

fn lines_within_limits(text: &str) -> Result<Vec<Line<'_>>, TextError> {
    let lines = lines(text);
    within("MAX_LINES", MAX_LINES, lines.len())?;
    Ok(lines)
}

impl RawOp {
    fn resolve(self, index: usize) -> Result<Op, TextError> {
        let at = |member: &str| format!("/ops/{index}/{member}");
        let action = match self.op.as_str() {
            "patch" => Action::Patch(self.patch_text(index)?),
            "insert" | "replace" => {
                let target = self.target(index)?;
                let Some(content) = self.content else {
                    return Err(TextError::invalid(at("content"), "Send the text of the op."));
                };
                within("MAX_PATCH_BYTES", MAX_PATCH_BYTES, content.len())?;
                lines_within_limits(&content)?;
                if self.op == "replace" {
                    Action::Replace { target, content }
                } else if content.is_empty() {
                    return Err(TextError::invalid(at("content"), "Send the text to insert."));
                } else {
                    Action::Insert { target, content }
                }
            }
            "delete" => {
                let target = self.target(index)?;
                if self.content.is_some() {
                    return Err(TextError::invalid(at("content"), "Leave the content of a deletion out."));
                }
                Action::Delete { target }
            }
            _ => return Err(TextError::invalid(at("op"), "Send `patch`, `insert`, `replace` or `delete`.")),
        };
        Ok(Op { target_file: self.target_file, action })
    }

    fn patch_text(&self, index: usize) -> Result<Transported, TextError> {
        let invalid = |member: &str, message: &str| TextError::invalid(format!("/ops/{index}/{member}"), message);
        let transported = match (&self.patch, &self.patch_lines) {
            (Some(text), None) => {
                within("MAX_PATCH_BYTES", MAX_PATCH_BYTES, text.len())?;
                lines_within_limits(text)?;
                transport(text, false)
            }
            (None, Some(lines)) if lines.is_empty() => {
                return Err(invalid("patch_lines", "Send at least one line."));
            }
            (None, Some(lines)) => {
                // The line feeds stand between the elements: one behind the last would be an ending of its own.
                let elements: Vec<&str> = lines.iter().map(|line| line.strip_suffix('\n').unwrap_or(line)).collect();
                let text = elements.join("\n");
                within("MAX_PATCH_BYTES", MAX_PATCH_BYTES, text.len())?;
                lines_within_limits(&text)?;
                transport(&text, lines.iter().any(|line| line.contains('\n')))
            }
            _ => return Err(invalid("patch", "Send exactly one of `patch` and `patch_lines`.")),
        };
        Ok(transported)
    }

    fn target(&self, index: usize) -> Result<Target, TextError> {
        let Some(target) = &self.target else {
            return Err(TextError::invalid(format!("/ops/{index}/target"), "Say where: send a target."));
        };
        match target.kind.as_str() {
            "cursor" => Ok(Target::Cursor),
            "selection" => Ok(Target::Selection),
            "document" => Ok(Target::Document),
            "anchor" => Ok(Target::Anchor),
            _ => Err(TextError::invalid(
                format!("/ops/{index}/target/kind"),
                "Send `cursor`, `selection` or `document`.",
            )),
        }
    }
}
