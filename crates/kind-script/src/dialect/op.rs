//! Ops as the model writes them, and as they are handed on (spec: script-tool.md §4, text-engine.md §3).
//!
//! Invariant: an [`Op`] holds a text and a target that belong to it; a patch is not empty and ends with LF.

use holdpoint_check::{Code, args};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::error::{
    EDITOPS_FILE_UNKNOWN, EditOpsError, INSERTED, LINE, NO_ANCHORS, NO_CONTENT, OBJECT, ONE_PATCH, OP, OTHER_TARGET,
    PATCH, PATCH_LINES, PATCH_ONLY, TARGET, TEXT,
};
use crate::context::Mode;
use crate::policy::VirtualFile;

/// One edit of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "EditOp"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EditOp"))]
#[serde(tag = "op", rename_all = "lowercase")]
pub enum Op {
    Patch {
        target_file: VirtualFile,
        patch: String,
    },
    Insert {
        target_file: VirtualFile,
        target: Target,
        content: String,
    },
    /// Text instead of the selection or the document.
    Replace {
        target_file: VirtualFile,
        target: Target,
        content: String,
    },
    /// The selection or the document goes.
    Delete {
        target_file: VirtualFile,
        target: Target,
    },
}

/// Where an older op points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "ts",
    derive(ts_rs::TS),
    ts(rename = "EditTarget", type = "{ kind: \"cursor\" | \"selection\" | \"document\" }")
)]
pub enum Target {
    Cursor,
    Selection,
    Document,
}

impl Target {
    /// Its name on the wire.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::Selection => "selection",
            Self::Document => "document",
        }
    }

    fn parse(kind: &str) -> Option<Self> {
        [Self::Cursor, Self::Selection, Self::Document].into_iter().find(|target| target.kind() == kind)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Target {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EditTarget".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Where an older op points.",
            "type": "object",
            "properties": {"kind": {"enum": [Self::Cursor.kind(), Self::Selection.kind(), Self::Document.kind()]}},
            "required": ["kind"],
        })
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("kind", self.kind())])
    }
}

impl Op {
    /// The file that it changes.
    pub fn target_file(&self) -> VirtualFile {
        match self {
            Self::Patch { target_file, .. }
            | Self::Insert { target_file, .. }
            | Self::Replace { target_file, .. }
            | Self::Delete { target_file, .. } => *target_file,
        }
    }

    /// The place that it names; a patch finds its own.
    pub fn target(&self) -> Option<Target> {
        match self {
            Self::Patch { .. } => None,
            Self::Insert { target, .. } | Self::Replace { target, .. } | Self::Delete { target, .. } => Some(*target),
        }
    }
}

/// The older ops and the targets that each takes.
const OLDER: &[(&str, &[Target])] = &[
    ("insert", &[Target::Cursor]),
    ("replace", &[Target::Selection, Target::Document]),
    ("delete", &[Target::Selection, Target::Document]),
];
/// A target of an earlier dialect. It is never taken.
const ANCHOR: &str = "anchor";

/// Reads one op of the model; the second value says whether a key was ignored.
pub(super) fn read(index: usize, value: &Value, mode: Mode) -> Result<(Op, bool), EditOpsError> {
    let reader = Reader { index };
    let members = value.as_object().ok_or_else(|| reader.wrong("", &OBJECT))?;
    let name = members.get("op").and_then(Value::as_str).unwrap_or_default();
    let older = OLDER.iter().find(|(older, _)| *older == name);
    if older.is_none() && name != "patch" {
        return Err(reader.wrong("/op", &OP));
    }
    if older.is_some() && mode == Mode::PatchOnly {
        return Err(reader.wrong("/op", &PATCH_ONLY));
    }
    let target_file = members.get("target_file").and_then(Value::as_str).and_then(VirtualFile::parse);
    let target_file = target_file.ok_or_else(|| reader.wrong("/target_file", &EDITOPS_FILE_UNKNOWN))?;
    match older {
        None => {
            let patch = reader.patch(members)?;
            Ok((Op::Patch { target_file, patch }, ignores(members, &["op", "target_file", "patch", "patch_lines"])))
        }
        Some((name, allowed)) => {
            let target = reader.target(members, allowed)?;
            let op = match *name {
                "insert" => {
                    let content = reader.content(members)?;
                    if content.is_empty() {
                        return Err(reader.wrong("/content", &INSERTED));
                    }
                    Op::Insert { target_file, target, content }
                }
                "replace" => Op::Replace { target_file, target, content: reader.content(members)? },
                _ if members.contains_key("content") => {
                    return Err(reader.wrong("/content", &NO_CONTENT));
                }
                _ => Op::Delete { target_file, target },
            };
            let inside = members.get("target").and_then(Value::as_object).is_some_and(|it| ignores(it, &["kind"]));
            Ok((op, inside || ignores(members, &["op", "target_file", "target", "content"])))
        }
    }
}

fn ignores(members: &Map<String, Value>, known: &[&str]) -> bool {
    members.keys().any(|key| !known.contains(&key.as_str()))
}

/// Reads the members of the op at an index.
struct Reader {
    index: usize,
}

impl Reader {
    fn at(&self, below: &str) -> String {
        format!("/ops/{}{below}", self.index)
    }

    fn wrong(&self, below: &str, code: &'static Code) -> EditOpsError {
        EditOpsError::at(self.at(below), code, args! {})
    }

    /// The patch as one text that ends with LF.
    fn patch(&self, members: &Map<String, Value>) -> Result<String, EditOpsError> {
        let mut patch = match (members.get("patch"), members.get("patch_lines")) {
            (Some(Value::String(patch)), None) if !patch.is_empty() => patch.clone(),
            (None, Some(lines)) => self.joined(lines)?,
            (Some(_), Some(_)) | (None, None) => {
                return Err(self.wrong("/patch", &ONE_PATCH));
            }
            (Some(_), None) => return Err(self.wrong("/patch", &PATCH)),
        };
        if !patch.ends_with('\n') {
            patch.push('\n');
        }
        Ok(patch)
    }

    /// One final LF of each element goes; what is inside stays.
    fn joined(&self, lines: &Value) -> Result<String, EditOpsError> {
        let wrong = || self.wrong("/patch_lines", &PATCH_LINES);
        let lines = lines.as_array().filter(|lines| !lines.is_empty()).ok_or_else(wrong)?;
        let texts = lines.iter().enumerate().map(|(number, line)| {
            let text = line.as_str();
            let text = text.ok_or_else(|| self.wrong(&format!("/patch_lines/{number}"), &LINE))?;
            Ok(text.strip_suffix('\n').unwrap_or(text))
        });
        let patch = texts.collect::<Result<Vec<&str>, EditOpsError>>()?.join("\n");
        if patch.is_empty() { Err(wrong()) } else { Ok(patch) }
    }

    fn target(&self, members: &Map<String, Value>, allowed: &[Target]) -> Result<Target, EditOpsError> {
        let at = "/target/kind";
        let kind = members.get("target").and_then(|target| target.get("kind")).and_then(Value::as_str);
        if kind == Some(ANCHOR) {
            return Err(self.wrong(at, &NO_ANCHORS));
        }
        let target = kind.and_then(Target::parse);
        let target = target.ok_or_else(|| self.wrong(at, &TARGET))?;
        if !allowed.contains(&target) {
            return Err(self.wrong(at, &OTHER_TARGET));
        }
        Ok(target)
    }

    fn content(&self, members: &Map<String, Value>) -> Result<String, EditOpsError> {
        let content = members.get("content").and_then(Value::as_str);
        content.map(str::to_owned).ok_or_else(|| self.wrong("/content", &TEXT))
    }
}
