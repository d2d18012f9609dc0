//! Bodies of the routes that ask no model, resolved (spec: script-tool.md §6).
//!
//! Owns every rule on their shape. Invariant: nothing behind this module looks at a raw body again; a wrong value is
//! named by its JSON Pointer.

use holdpoint_bundle::Files;
use holdpoint_change::{Signature, TextRequest};
use holdpoint_check::read::read;
use holdpoint_check::{ApiError, args, codes};
use serde_json::{Map, Value};

use crate::VirtualFile;
use crate::prompts::VirtualFiles;
use crate::protocol::{files, text, within_limits};

codes! {
    INVALID_INPUT / TITLE: Error, "Send a title of 1 to {limit} characters." [limit];
    INVALID_INPUT / SEEN_PREVIEW: Error, "Name what you saw: revision, base, patch and result.";
    INVALID_INPUT / WHICH_SCRIPT: Error, "Name the script.";
    INVALID_INPUT / FILES: Error, "Send an object: path to text.";
    INVALID_INPUT / SAMPLE_NAME: Error, "The sample is called `{name}`." [name];
    INVALID_INPUT / SAMPLE_OR_FILES: Error, "Send either files or the name of a sample.";
    INVALID_INPUT / ONE_VERSION: Error, "Name a revision or a checkpoint, and not both.";
    INVALID_INPUT / NO_REVISION_ID: Error, "Send the id of a revision; that of a checkpoint is sent as `checkpoint_id`.";
    INVALID_INPUT / NO_CHECKPOINT_ID: Error, "Send the id of a checkpoint; that of a revision is sent as `revision_id`.";
}

const MAX_TITLE: usize = 200;
/// The tokens that an apply must name.
const TOKENS: [&str; 4] = ["base_revision_id", "base_hash", "patch_id", "result_hash"];
/// The members of a body that are an edit's.
const EDIT: [&str; 6] = ["ops", "active_file", "selection", "cursor", "options", "accept"];

const DOOR_REPORT: &str = "door-report";
const SAMPLE: [(&str, &str); 5] = [
    ("tool.py", include_str!("../../../fixtures/tools/door-report/tool.py")),
    ("entrypoint.txt", include_str!("../../../fixtures/tools/door-report/entrypoint.txt")),
    ("settings_schema.json", include_str!("../../../fixtures/tools/door-report/settings_schema.json")),
    ("input_schema.json", include_str!("../../../fixtures/tools/door-report/input_schema.json")),
    ("usage_instructions.md", include_str!("../../../fixtures/tools/door-report/usage_instructions.md")),
];

pub struct NewScriptRequest {
    pub title: String,
    /// As sent, a sample's, or empty: all five.
    pub files: Files,
}

impl NewScriptRequest {
    pub fn read(body: &Value) -> Result<Self, ApiError> {
        Ok(Self { title: title(body)?, files: new_files(body)? })
    }
}

/// The title of a script or of a checkpoint.
pub fn title(body: &Value) -> Result<String, ApiError> {
    let title = body["title"].as_str().unwrap_or_default().trim();
    let fits = !title.is_empty() && title.chars().count() <= MAX_TITLE && !title.chars().any(char::is_control);
    if fits { Ok(title.to_owned()) } else { Err(ApiError::at("/title", &TITLE, args! { limit: MAX_TITLE })) }
}

fn new_files(body: &Value) -> Result<Files, ApiError> {
    match (&body["sample"], &body["virtual_files"]) {
        (Value::Null, Value::Null) => Ok(VirtualFile::ALL.map(|file| (file.id().to_owned(), String::new())).into()),
        (Value::Null, _) => {
            let files = files(body, true)?;
            within_limits(&files)?;
            Ok(by_path(files))
        }
        (name, Value::Null) if name == DOOR_REPORT => {
            Ok(SAMPLE.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
        }
        (_, Value::Null) => Err(ApiError::at("/sample", &SAMPLE_NAME, args! { name: DOOR_REPORT })),
        _ => Err(ApiError::at("/sample", &SAMPLE_OR_FILES, args! {})),
    }
}

/// The revision that a person saw.
pub fn base_revision(body: &Value) -> Result<String, ApiError> {
    text(body, "base_revision_id")
}

/// Some of the five files, within their limits.
pub fn sent_files(body: &Value) -> Result<Files, ApiError> {
    if !body["virtual_files"].is_object() {
        return Err(ApiError::at("/virtual_files", &FILES, args! {}));
    }
    let given = files(body, false)?;
    within_limits(&given)?;
    Ok(by_path(given))
}

fn by_path(files: VirtualFiles) -> Files {
    files.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect()
}

/// Where a restore goes: one of two names, each with an id of its own kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Version {
    Revision(String),
    Checkpoint(String),
}

impl Version {
    pub fn read(body: &Value) -> Result<Self, ApiError> {
        let invalid = |name: &str, code| Err(ApiError::at(format!("/{name}"), code, args! {}));
        match (&body["revision_id"], &body["checkpoint_id"]) {
            (Value::Null, Value::Null) => invalid("revision_id", &ONE_VERSION),
            (Value::String(id), Value::Null) if !id.starts_with("cp_") => Ok(Self::Revision(id.clone())),
            (Value::Null, Value::String(id)) if !id.starts_with("rev_") => Ok(Self::Checkpoint(id.clone())),
            (Value::Null, _) => invalid("checkpoint_id", &NO_CHECKPOINT_ID),
            (_, Value::Null) => invalid("revision_id", &NO_REVISION_ID),
            _ => invalid("checkpoint_id", &ONE_VERSION),
        }
    }
}

/// A proposal, and the texts that it is looked at on.
pub struct PreviewRequest {
    pub files: Files,
    pub edit: TextRequest,
    /// The same edit as it was sent, so that a failure can be replayed.
    pub sent: Map<String, Value>,
}

impl PreviewRequest {
    pub fn read(body: Value) -> Result<Self, ApiError> {
        let files = sent_files(&body)?;
        let sent = EDIT.into_iter().map(|name| (name.to_owned(), body[name].clone())).collect();
        Ok(Self { files, edit: read(body).map_err(ApiError::from)?, sent })
    }
}

/// A proposal, and what its person saw of it.
pub struct ApplyRequest {
    pub preview: PreviewRequest,
    pub base_revision: String,
    pub signature: Signature,
}

impl ApplyRequest {
    pub fn read(body: Value) -> Result<Self, ApiError> {
        // The files first, then what was seen, then the edit; a wrong body is no conflict.
        sent_files(&body)?;
        for name in TOKENS {
            if !body[name].is_string() {
                return Err(ApiError::at(format!("/{name}"), &SEEN_PREVIEW, args! {}));
            }
        }
        let base_revision = base_revision(&body)?;
        let signature = read(body.clone()).map_err(ApiError::from)?;
        Ok(Self { preview: PreviewRequest::read(body)?, base_revision, signature })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wrong_member_is_named() {
        let files = json!({"tool.py": "x\n"});
        let at = |error: ApiError| error.details["pointer"].clone();
        for (body, pointer) in [
            (json!({}), "/title"),
            (json!({"title": " \n"}), "/title"),
            (json!({"title": "x".repeat(MAX_TITLE + 1)}), "/title"),
            (json!({"title": "a", "sample": "other"}), "/sample"),
            (json!({"title": "a", "sample": DOOR_REPORT, "virtual_files": {}}), "/sample"),
            (json!({"title": "a", "virtual_files": {"tool.py": ""}}), "/virtual_files/entrypoint.txt"),
        ] {
            assert_eq!(NewScriptRequest::read(&body).map_err(at).err(), Some(json!(pointer)), "{body}");
        }
        for (body, pointer) in [
            (json!({}), "/virtual_files"),
            (json!({"virtual_files": files}), "/base_revision_id"),
            (json!({"virtual_files": files, "base_revision_id": "r", "base_hash": "b", "patch_id": 3}), "/patch_id"),
            (
                json!({"virtual_files": files, "base_revision_id": "r", "base_hash": "b", "patch_id": "p",
                    "result_hash": "s", "ops": {}}),
                "/ops",
            ),
        ] {
            assert_eq!(ApplyRequest::read(body.clone()).map_err(at).err(), Some(json!(pointer)), "{body}");
        }
    }

    #[test]
    fn a_restore_goes_to_one_place() {
        let read = |body: Value| Version::read(&body).map_err(|error| error.details["pointer"].clone());
        assert_eq!(read(json!({"revision_id": "rev_2"})), Ok(Version::Revision("rev_2".to_owned())));
        assert_eq!(read(json!({"checkpoint_id": "cp_2"})), Ok(Version::Checkpoint("cp_2".to_owned())));
        assert_eq!(read(json!({})), Err(json!("/revision_id")));
        assert_eq!(read(json!({"revision_id": "cp_2"})), Err(json!("/revision_id")));
        assert_eq!(read(json!({"checkpoint_id": "rev_2"})), Err(json!("/checkpoint_id")));
        assert_eq!(read(json!({"revision_id": "rev_2", "checkpoint_id": "cp_2"})), Err(json!("/checkpoint_id")));
    }
}
