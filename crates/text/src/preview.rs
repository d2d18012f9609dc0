//! The answer of preview (spec: text-engine.md §4).

use serde::Serialize;

use crate::codes::RejectCode;
use crate::input::{Files, TextMode};
use crate::place::Rung;
use crate::tags::Tag;

/// The name and version of the rules; part of every token.
pub const ENGINE_VERSION: &str = "holdpoint-text/1";

/// May this edit be put into this text, where, and how sure are we.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TextVerdict"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextVerdict"))]
pub enum Verdict {
    Clean,
    /// A person must confirm what was tolerated.
    Confirm,
    Reject,
}

/// A proposal, looked at. When `ok` is false, `after_virtual_files` equals the input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TextPreview"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TextPreview"))]
pub struct Preview {
    pub ok: bool,
    pub verdict: Verdict,
    pub after_virtual_files: Files,
    /// Paths whose text changed, in byte order; a caller writes these and no others.
    pub changed_files: Vec<String>,
    /// One message for people for each entry of `error_details`.
    pub errors: Vec<String>,
    /// All failures of all ops, by op, then hunk.
    pub error_details: Vec<ErrorDetail>,
    pub meta: Meta,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PreviewError"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PreviewError"))]
pub struct ErrorDetail {
    pub code: RejectCode,
    /// The first one is number 0.
    pub op_index: Option<usize>,
    pub target_file: Option<String>,
    /// 1-based within the patch of its op.
    pub hunk_index: Option<usize>,
    pub hunk_header: Option<String>,
    /// 1-based lines that compete, or the places found; at most 10, ascending.
    pub candidates: Vec<i64>,
    /// The first body lines of the hunk with their markers.
    pub expected_snippet: Option<String>,
    /// Base lines about the stated or the nearest line.
    pub base_snippet: Option<String>,
    pub nearest: Option<Nearest>,
    /// What the author of the patch must do.
    pub hint: String,
}

/// The place that is most like the hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PreviewNearest"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PreviewNearest"))]
pub struct Nearest {
    pub line: usize,
    /// A number from 0 to 100.
    pub similarity: usize,
}

/// How the verdict came about, and the tokens of the gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "PreviewMeta"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PreviewMeta"))]
pub struct Meta {
    pub base_hash: String,
    pub patch_id: Option<String>,
    pub result_hash: Option<String>,
    pub confirm_token: Option<String>,
    pub requires_confirmation: bool,
    /// Every `confirm` tag, in the order of the tables.
    pub reasons: Vec<Tag>,
    pub fuzz_level_used: usize,
    pub max_offset: usize,
    pub normalizations_applied: Vec<Tag>,
    pub applied_cleanly: bool,
    /// Placed hunks by file, then place.
    pub hunks: Vec<PlacedHunk>,
    pub engine_version: String,
    pub mode: TextMode,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlacedHunk {
    pub op_index: usize,
    pub hunk_index: usize,
    pub target_file: String,
    pub stated_line: Option<usize>,
    /// In the text as sent; none where a block is placed on a line that an earlier block brought.
    pub line: Option<i64>,
    pub offset: i64,
    pub rung: Rung,
    /// The level of the rung.
    pub fuzz: usize,
    /// The `confirm` tags of this hunk, in the order of the tables.
    pub doubts: Vec<Tag>,
    /// What doubts are about, where they are about lines of the text as sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub marks: Vec<MarkedLines>,
}

/// Lines that a doubt is about: a line of which a part is replaced, lines that an elision stands for and that stay, an old
/// line that a new one nearly repeats, lines that stand there already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarkedLines {
    pub tag: Tag,
    /// The first line, counted from 1.
    pub from: usize,
    pub to: usize,
    /// The part of the one line, `[start, end)` in UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub part: Option<(usize, usize)>,
}

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::Preview::export_all(&config).unwrap();
        crate::apply::Applied::export_all(&config).unwrap();
    }
}
