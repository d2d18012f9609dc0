//! What a person asks for: bodies of the two routes that call a model, resolved (spec: script-tool.md §5, §6).
//!
//! Owns every rule on their shape. Invariant: nothing behind this module looks at a raw body again; a wrong value is
//! named by its JSON Pointer.

use holdpoint_bundle::Files;
use holdpoint_check::json::join;
use holdpoint_check::{ApiError, args, codes};
use serde_json::Value;

use crate::VirtualFile;
use crate::context::{Cursor, Location, Mode, Selection};
use crate::limits::{MAX_MESSAGE_CHARS, MAX_TOTAL_BYTES};
use crate::prompts::{Feedback, VirtualFiles};

codes! {
    INVALID_INPUT / OPEN_FILE_NAME: Error, "Name the file that is open.";
    INVALID_INPUT / SENT_FILE: Error, "Name one of the files that you send.";
    INVALID_INPUT / FULL_TEXT: Error, "Send a text that is not empty.";
    INVALID_INPUT / PATHS: Error, "Send an object: path to text.";
    INVALID_INPUT / FIVE_TEXTS: Error, "Send texts of the five files of a script, and no others.";
    INVALID_INPUT / ALL_FIVE: Error, "Send all five files.";
    INVALID_INPUT / WORDS: Error, "Say in words what should change or what you want to know.";
    INVALID_INPUT / ONE_OF_FIVE: Error, "Name one of the five files of a script.";
    INVALID_INPUT / WHOLE_NUMBER: Error, "Send a whole number, 0 or more.";
    INVALID_INPUT / SELECTION: Error, "Send a selection that ends where it begins or later.";
    INVALID_INPUT / OPTIONS: Error, "Send an object, or nothing.";
    INVALID_INPUT / MODE: Error, "Send `auto` or `patch-only`.";
    INVALID_INPUT / YES_OR_NO: Error, "Send true or false.";
    INVALID_INPUT / LIST: Error, "Send a list.";
    INVALID_INPUT / TEXT: Error, "Send a text.";
    INVALID_INPUT / FEEDBACK: Error, "Send an object with `ops` and `error_details`.";
}

/// A request for a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct EditAsk {
    pub message: String,
    /// The file in front of the user.
    pub active_file: VirtualFile,
    pub files: VirtualFiles,
    pub location: Location,
    pub forced: Option<Mode>,
    /// The attempt before, where it failed.
    pub feedback: Option<Feedback>,
    /// Whether a remote provider may answer for a local one.
    pub allows_remote: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChatAsk {
    pub message: String,
    /// The file in front of the user.
    pub active_file: Option<VirtualFile>,
    pub files: VirtualFiles,
    /// Whether a remote provider may answer for a local one.
    pub allows_remote: bool,
}

impl EditAsk {
    pub fn read(body: &Value) -> Result<Self, ApiError> {
        let (message, files) = (message(body)?, files(body, true)?);
        Ok(Self {
            message,
            active_file: active_file(body)?.ok_or_else(|| ApiError::at("/active_file", &OPEN_FILE_NAME, args! {}))?,
            files,
            location: location(body)?,
            forced: forced_mode(body)?,
            feedback: feedback(body)?,
            allows_remote: allows_remote(body)?,
        })
    }

    pub fn mode(&self) -> Mode {
        self.location.mode(self.forced)
    }
}

impl ChatAsk {
    pub fn read(body: &Value) -> Result<Self, ApiError> {
        let (message, files, active_file) = (message(body)?, files(body, false)?, active_file(body)?);
        let allows_remote = allows_remote(body)?;
        if !files.is_empty() && active_file.is_none_or(|file| !files.contains_key(&file)) {
            return Err(ApiError::at("/active_file", &SENT_FILE, args! {}));
        }
        Ok(Self { message, active_file, files, allows_remote })
    }
}

/// A text that is not empty.
pub fn text(body: &Value, name: &str) -> Result<String, ApiError> {
    match body[name].as_str() {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(ApiError::at(format!("/{name}"), &FULL_TEXT, args! {})),
    }
}

/// `virtual_files`: texts of the five files; with `all`, each of them.
pub fn files(body: &Value, all: bool) -> Result<VirtualFiles, ApiError> {
    let given = match &body["virtual_files"] {
        Value::Null if !all => return Ok(VirtualFiles::new()),
        Value::Object(given) => given,
        _ => return Err(ApiError::at("/virtual_files", &PATHS, args! {})),
    };
    let pointer = |path: &str| join("/virtual_files", path);
    let mut files = VirtualFiles::new();
    for (path, value) in given {
        let (Some(file), Some(text)) = (VirtualFile::parse(path), value.as_str()) else {
            return Err(ApiError::at(pointer(path), &FIVE_TEXTS, args! {}));
        };
        files.insert(file, text.to_owned());
    }
    match VirtualFile::ALL.into_iter().find(|file| all && !files.contains_key(file)) {
        Some(missing) => Err(ApiError::at(pointer(missing.id()), &ALL_FIVE, args! {})),
        None => Ok(files),
    }
}

/// `INPUT_TOO_LARGE` where a file, or all together, are over their limits.
pub fn within_limits(files: &VirtualFiles) -> Result<(), ApiError> {
    for (file, text) in files {
        let max = file.limit();
        if text.len() > max {
            return Err(ApiError::over("MAX_FILE_BYTES", max, text.len()));
        }
    }
    let actual = files.values().map(String::len).sum();
    if actual > MAX_TOTAL_BYTES {
        return Err(ApiError::over("MAX_TOTAL_BYTES", MAX_TOTAL_BYTES, actual));
    }
    Ok(())
}

/// `INPUT_TOO_LARGE` where a save makes a script too large. One that is too large already may be cut down.
pub fn not_larger(present: &Files, changed: &Files) -> Result<(), ApiError> {
    let before: usize = present.values().map(String::len).sum();
    let replaced: usize = changed.keys().filter_map(|path| present.get(path)).map(String::len).sum();
    let actual = before - replaced + changed.values().map(String::len).sum::<usize>();
    if actual > MAX_TOTAL_BYTES && actual >= before {
        return Err(ApiError::over("MAX_TOTAL_BYTES", MAX_TOTAL_BYTES, actual));
    }
    Ok(())
}

fn message(body: &Value) -> Result<String, ApiError> {
    let message = body["message"].as_str().unwrap_or_default();
    if message.trim().is_empty() {
        return Err(ApiError::at("/message", &WORDS, args! {}));
    }
    let actual = message.chars().count();
    if actual > MAX_MESSAGE_CHARS {
        return Err(ApiError::over("MAX_MESSAGE_CHARS", MAX_MESSAGE_CHARS, actual));
    }
    Ok(message.to_owned())
}

fn active_file(body: &Value) -> Result<Option<VirtualFile>, ApiError> {
    match &body["active_file"] {
        Value::Null => Ok(None),
        value => match value.as_str().and_then(VirtualFile::parse) {
            Some(file) => Ok(Some(file)),
            None => Err(ApiError::at("/active_file", &ONE_OF_FIVE, args! {})),
        },
    }
}

fn location(body: &Value) -> Result<Location, ApiError> {
    let whole = |pointer: &str| {
        let number = body.pointer(pointer).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        number.ok_or_else(|| ApiError::at(pointer, &WHOLE_NUMBER, args! {}))
    };
    let selection = match &body["selection"] {
        Value::Null => None,
        _ => Some(Selection { from: whole("/selection/from")?, to: whole("/selection/to")? }),
    };
    if selection.is_some_and(|selection| selection.to < selection.from) {
        return Err(ApiError::at("/selection/to", &SELECTION, args! {}));
    }
    let cursor = match &body["cursor"] {
        Value::Null => None,
        _ => Some(Cursor { pos: whole("/cursor/pos")? }),
    };
    Ok(Location { selection, cursor })
}

fn forced_mode(body: &Value) -> Result<Option<Mode>, ApiError> {
    let mode = match &body["options"] {
        Value::Null => return Ok(None),
        Value::Object(options) => options.get("mode").unwrap_or(&Value::Null),
        _ => return Err(ApiError::at("/options", &OPTIONS, args! {})),
    };
    match (mode, mode.as_str()) {
        (Value::Null, _) => Ok(None),
        (_, Some("auto")) => Ok(Some(Mode::Auto)),
        (_, Some("patch-only")) => Ok(Some(Mode::PatchOnly)),
        _ => Err(ApiError::at("/options/mode", &MODE, args! {})),
    }
}

/// What `allow_remote_fallback` says; nothing is no.
fn allows_remote(body: &Value) -> Result<bool, ApiError> {
    match &body["allow_remote_fallback"] {
        Value::Null => Ok(false),
        Value::Bool(yes) => Ok(*yes),
        _ => Err(ApiError::at("/allow_remote_fallback", &YES_OR_NO, args! {})),
    }
}

fn feedback(body: &Value) -> Result<Option<Feedback>, ApiError> {
    let given = &body["feedback"];
    if given.is_null() {
        return Ok(None);
    }
    let list = |name: &str| match &given[name] {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => Ok(items.clone()),
        _ => Err(ApiError::at(format!("/feedback/{name}"), &LIST, args! {})),
    };
    // The ops are what the failures speak of; the model is told the failures.
    list("ops")?;
    let discarded_reason = match &given["discarded_reason"] {
        Value::Null => None,
        Value::String(reason) => Some(reason.clone()),
        _ => return Err(ApiError::at("/feedback/discarded_reason", &TEXT, args! {})),
    };
    if !given.is_object() {
        return Err(ApiError::at("/feedback", &FEEDBACK, args! {}));
    }
    Ok(Some(Feedback { error_details: list("error_details")?, discarded_reason }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body() -> Value {
        let files: serde_json::Map<String, Value> =
            VirtualFile::ALL.map(|file| (file.id().to_owned(), json!("x\n"))).into_iter().collect();
        json!({"message": "do", "active_file": "tool.py", "virtual_files": files})
    }

    #[test]
    fn the_place_decides_the_mode() {
        assert_eq!(EditAsk::read(&body()).unwrap().mode(), Mode::PatchOnly);
        let mut placed = body();
        placed["cursor"] = json!({"pos": 1});
        assert_eq!(EditAsk::read(&placed).unwrap().mode(), Mode::Auto);
        placed["options"] = json!({"mode": "patch-only"});
        assert_eq!(EditAsk::read(&placed).unwrap().mode(), Mode::PatchOnly);
    }

    #[test]
    fn wrong_values_are_named() {
        let cases: [(&str, Value, &str); 16] = [
            ("/message", json!("  \n"), "/message"),
            ("/message", json!(3), "/message"),
            ("/active_file", json!("main.py"), "/active_file"),
            ("/active_file", json!(null), "/active_file"),
            ("/virtual_files", json!([]), "/virtual_files"),
            ("/virtual_files/tool.py", json!(1), "/virtual_files/tool.py"),
            ("/selection", json!({"from": 3, "to": 1}), "/selection/to"),
            ("/selection", json!({"from": -3, "to": 1}), "/selection/from"),
            ("/cursor", json!({}), "/cursor/pos"),
            ("/options", json!({"mode": "anchors"}), "/options/mode"),
            ("/options", json!([]), "/options"),
            ("/options", json!("auto"), "/options"),
            ("/allow_remote_fallback", json!("yes"), "/allow_remote_fallback"),
            ("/allow_remote_fallback", json!(1), "/allow_remote_fallback"),
            ("/feedback", json!([]), "/feedback"),
            ("/feedback", json!({"ops": 1}), "/feedback/ops"),
        ];
        for (at, value, pointer) in cases {
            let mut body = body();
            match body.pointer_mut(at) {
                Some(place) => *place = value.clone(),
                None => body[&at[1..]] = value.clone(),
            }
            match EditAsk::read(&body) {
                Err(error) => assert_eq!(error.details["pointer"], pointer, "{at} {value}"),
                other => panic!("{at} {value}: {other:?}"),
            }
        }
        let mut unknown = body();
        unknown["virtual_files"]["a/b.py"] = json!("");
        assert_eq!(EditAsk::read(&unknown).unwrap_err().details["pointer"], "/virtual_files/a~1b.py");
        let mut missing = body();
        missing["virtual_files"].as_object_mut().unwrap().remove("entrypoint.txt");
        assert_eq!(EditAsk::read(&missing).unwrap_err().details["pointer"], "/virtual_files/entrypoint.txt");
    }

    #[test]
    fn files_have_their_limits() {
        let sizes: [usize; 5] = [524_288, 256, 131_072, 131_072, 262_144];
        let full: VirtualFiles =
            VirtualFile::ALL.into_iter().zip(sizes).map(|(file, size)| (file, "x".repeat(size))).collect();
        for (file, size) in VirtualFile::ALL.into_iter().zip(sizes) {
            let one = |size: usize| VirtualFiles::from([(file, "x".repeat(size))]);
            assert_eq!(within_limits(&one(size)), Ok(()), "{file}");
            let over = ApiError::over("MAX_FILE_BYTES", size, size + 1);
            assert_eq!(within_limits(&one(size + 1)), Err(over), "{file}");
        }
        let over = ApiError::over("MAX_TOTAL_BYTES", 1_048_576, 1_048_832);
        assert_eq!(within_limits(&full), Err(over.clone()));

        let stored: Files = full.iter().map(|(file, text)| (file.id().to_owned(), text.clone())).collect();
        let change = |size: usize| Files::from([("entrypoint.txt".to_owned(), "x".repeat(size))]);
        assert_eq!(not_larger(&stored, &change(256)), Err(over), "not larger is not smaller");
        assert_eq!(not_larger(&stored, &change(255)), Ok(()), "what is too large may be cut down");
        assert_eq!(not_larger(&Files::new(), &change(256)), Ok(()));
    }

    #[test]
    fn a_message_has_its_limit() {
        let mut long = body();
        long["message"] = json!("å".repeat(MAX_MESSAGE_CHARS));
        assert!(EditAsk::read(&long).is_ok());
        long["message"] = json!("å".repeat(MAX_MESSAGE_CHARS + 1));
        let error = EditAsk::read(&long).unwrap_err();
        let details = json!({"limit": "MAX_MESSAGE_CHARS", "max": 20_000, "actual": 20_001});
        assert_eq!((error.code.as_str(), json!(error.details)), ("INPUT_TOO_LARGE", details));
    }
}
