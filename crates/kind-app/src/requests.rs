//! Bodies of the routes of apps, as their types (spec: app-builder.md §3).
//!
//! Invariant: nothing behind this module looks at a raw body again; a wrong value is named by its JSON Pointer.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::slug;

codes! {
    INVALID_INPUT / APP_NAME: Error, "Send a name of 1 to {limit} characters." [limit];
    INVALID_INPUT / LABEL: Error, "Send a label of 1 to {limit} characters." [limit];
    INVALID_INPUT / ONE_EDIT: Error, "Send either operations or files.";
    INVALID_INPUT / ENV_NAME: Error, "Name a public value like `VITE_TITLE`: capital letters, digits and `_` behind `VITE_`.";
    INVALID_INPUT / CONNECT_ORIGIN: Error, "Send an origin like `https://api.example.com`.";
    INVALID_INPUT / SETTINGS_SIZE: Error, "Send at most {limit} of these." [limit];
    /// a public value looks like a secret
    ENV_SECRET_VALUE: Error, "Leave `{name}` out: its value looks like a secret, and everybody can read what a page is built with." [name];
    /// the address of an app has another form
    SLUG_INVALID: Error, "Send an address of {least} to {most} lower-case letters, digits and single hyphens." [least, most];
    /// no template has that key
    TEMPLATE_UNKNOWN: Error, "Choose one of the templates: {known}." [known];
    /// the write does not say what it was made on
    BASE_REVISION_REQUIRED: Error, "Name the revision that you saw.";
    /// the status follows from publishing
    STATUS_NOT_SETTABLE: Error, "Publish the app: its status follows.";
}

const MAX_NAME: usize = 120;
const MAX_LABEL: usize = 80;
/// Values that a page is built with, and origins that it may ask.
const MAX_SETTINGS: usize = 50;
const MAX_ENV_VALUE: usize = 4_096;

/// How apps choose their packages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SaveGate {
    /// A save is built before it counts.
    #[default]
    Build,
    /// A save is checked, and built behind it.
    Check,
}

/// What the owner of an app says about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppSettings {
    /// Which packages its projects may declare: `curated` or `registry-pinned`.
    #[cfg_attr(feature = "ts", ts(type = "\"curated\" | \"registry-pinned\""))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub dependency_policy: crate::options::Policy,
    pub save_gate: SaveGate,
    /// Origins that the page of the app may ask, beside its own.
    pub connect_origins: Vec<String>,
    /// Names that begin with `VITE_`, and public values.
    pub env: BTreeMap<String, String>,
    /// Whether failing tests refuse a publish.
    pub publish_requires_tests: bool,
}

/// What of the settings is to be another. What is not named stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppSettingsBody {
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub dependency_policy: Option<crate::options::Policy>,
    pub save_gate: Option<SaveGate>,
    pub connect_origins: Option<Vec<String>>,
    /// All names with their values.
    pub env: Option<BTreeMap<String, String>>,
    pub publish_requires_tests: Option<bool>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewAppBody {
    /// It has 1 to 120 characters.
    pub name: String,
    /// The word of its address; made from the name where absent.
    #[serde(default)]
    pub slug: Option<String>,
    /// The template; `chat-classic` where absent.
    #[serde(default)]
    pub template_key: Option<String>,
    #[serde(default)]
    pub settings: Option<AppSettingsBody>,
}

/// What of an app is to be another. What is not named stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AppChangeBody {
    pub name: Option<String>,
    /// Refused while the app is published.
    pub slug: Option<String>,
    pub settings: Option<AppSettingsBody>,
    /// One of `archived` and `draft`.
    pub status: Option<String>,
}

/// What a save does where the draft moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum OnConflict {
    #[default]
    Fail,
    Merge,
}

/// A save: operations on the draft, or all files in their place.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SaveAppBody {
    #[serde(default)]
    pub base_revision_id: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<serde_json::Map<String, Value>>>"))]
    pub operations: Option<Vec<Value>>,
    /// Path to text: the whole project.
    #[serde(default)]
    pub files: Option<Files>,
    #[serde(default)]
    pub entry_file: Option<String>,
    #[serde(default)]
    pub label: Option<String>,
    #[serde(default)]
    pub on_conflict: OnConflict,
    #[serde(default)]
    pub confirm_token: Option<String>,
}

/// Something that is done on the draft that was seen.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OnDraftBody {
    #[serde(default)]
    pub base_revision_id: Option<String>,
    /// What undo and redo take back: `any` step, or the newest `ai` run.
    #[serde(default)]
    pub scope: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TemplateResetBody {
    pub template_key: String,
    #[serde(default)]
    pub base_revision_id: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RestoreAppBody {
    pub revision_id: String,
    #[serde(default)]
    pub base_revision_id: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RevertFileBody {
    pub path: String,
    pub from_revision_id: String,
    #[serde(default)]
    pub base_revision_id: Option<String>,
}

/// The values of a scaffold, by the names of its fields.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScaffoldBody {
    #[serde(default)]
    pub base_revision_id: Option<String>,
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RetryBody {
    /// Builds also what has succeeded.
    #[serde(default)]
    pub force: bool,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishBody {
    /// Refused where the draft is another one.
    #[serde(default)]
    pub base_revision_id: Option<String>,
    /// What is published; the draft where absent.
    #[serde(default)]
    pub revision_id: Option<String>,
}

/// What a user has not saved yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkingCopyBody {
    pub base_revision_id: String,
    /// Path to text: the whole project.
    pub files: Files,
    #[serde(default)]
    pub entry_file: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedCheckpointBody {
    /// It has 1 to 80 characters.
    pub label: String,
}

/// The name of an app as it is kept.
pub fn app_name(name: &str) -> Result<String, ApiError> {
    let name = name.trim();
    let fits = (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if fits { Ok(name.to_owned()) } else { Err(ApiError::at("/name", &APP_NAME, args! { limit: MAX_NAME })) }
}

/// The label of a checkpoint as it is kept.
pub fn label(label: &str) -> Result<String, ApiError> {
    let label = label.trim();
    let fits = (1..=MAX_LABEL).contains(&label.chars().count()) && !label.chars().any(char::is_control);
    if fits { Ok(label.to_owned()) } else { Err(ApiError::at("/label", &LABEL, args! { limit: MAX_LABEL })) }
}

/// A slug that somebody chose.
pub fn chosen_slug(slug: &str) -> Result<String, ApiError> {
    if slug::is_slug(slug) {
        return Ok(slug.to_owned());
    }
    let limits = args! { least: slug::MIN_CHARS, most: slug::MAX_CHARS };
    Err(ApiError::at("/slug", &SLUG_INVALID, limits).status(400))
}

/// The revision that a write was made on.
pub fn base_of(named: Option<&String>) -> Result<&str, ApiError> {
    named
        .map(String::as_str)
        .ok_or_else(|| ApiError::at("/base_revision_id", &BASE_REVISION_REQUIRED, args! {}).status(400))
}

impl AppSettings {
    /// The same with what a request names, checked.
    pub fn changed(&self, body: Option<&AppSettingsBody>) -> Result<Self, ApiError> {
        let Some(body) = body.cloned() else { return Ok(self.clone()) };
        let old = self.clone();
        let changed = Self {
            dependency_policy: body.dependency_policy.unwrap_or(old.dependency_policy),
            save_gate: body.save_gate.unwrap_or(old.save_gate),
            connect_origins: body.connect_origins.unwrap_or(old.connect_origins),
            env: body.env.unwrap_or(old.env),
            publish_requires_tests: body.publish_requires_tests.unwrap_or(old.publish_requires_tests),
        };
        changed.check()?;
        Ok(changed)
    }

    /// What is wrong with it, at its place.
    fn check(&self) -> Result<(), ApiError> {
        let too_many = |place: &str| ApiError::at(place, &SETTINGS_SIZE, args! { limit: MAX_SETTINGS });
        if self.env.len() > MAX_SETTINGS {
            return Err(too_many("/settings/env"));
        }
        if self.connect_origins.len() > MAX_SETTINGS {
            return Err(too_many("/settings/connect_origins"));
        }
        for (name, value) in &self.env {
            let place = format!("/settings/env/{name}");
            if !is_public_name(name) || value.len() > MAX_ENV_VALUE {
                return Err(ApiError::at(place, &ENV_NAME, args! {}));
            }
            if looks_secret(name, value) {
                return Err(ApiError::at(place, &ENV_SECRET_VALUE, args! { name }).status(422));
            }
        }
        let wrong = self.connect_origins.iter().position(|origin| !is_origin(origin));
        wrong.map_or(Ok(()), |at| {
            Err(ApiError::at(format!("/settings/connect_origins/{at}"), &CONNECT_ORIGIN, args! {}))
        })
    }
}

/// The operations that put these files in the place of all that is there.
pub fn whole(before: &Files, after: &Files) -> Vec<Value> {
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let gone = gone.map(|path| json!({"op": "delete_file", "path": path}));
    let written = after.iter().filter(|(path, text)| before.get(*path) != Some(text));
    gone.chain(written.map(|(path, text)| json!({"op": "upsert_file", "path": path, "content": text}))).collect()
}

fn is_public_name(name: &str) -> bool {
    let rest = name.strip_prefix("VITE_").unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Scheme and host of the web, with a port perhaps, and nothing behind it.
fn is_origin(text: &str) -> bool {
    let Some(host) = ["https://", "http://", "wss://", "ws://"].iter().find_map(|scheme| text.strip_prefix(scheme))
    else {
        return false;
    };
    let (name, port) = host.rsplit_once(':').map_or((host, None), |(name, port)| (name, Some(port)));
    let fits =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    name.split('.').all(fits) && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// What a well-known key begins with.
const KEY_STARTS: [&str; 9] =
    ["sk-", "sk_live_", "rk_live_", "ghp_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "-----BEGIN"];
/// Words of names whose long, mixed values are taken for secrets.
const SECRET_WORDS: [&str; 4] = ["SECRET", "TOKEN", "PASSWORD", "PRIVATE"];
const SECRET_CHARS: usize = 20;

/// Whether a value looks like a key that nobody else may read.
pub fn looks_secret(name: &str, value: &str) -> bool {
    if KEY_STARTS.iter().any(|start| value.trim_start().starts_with(start)) {
        return true;
    }
    let upper = name.to_ascii_uppercase();
    let is_mixed =
        value.bytes().any(|byte| byte.is_ascii_digit()) && value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_named = SECRET_WORDS.iter().any(|word| upper.contains(word)) || upper.ends_with("_KEY");
    is_named && is_mixed && value.len() >= SECRET_CHARS && !value.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(value: Value) -> Result<(), String> {
        let settings: AppSettings = serde_json::from_value(value).map_err(|error| error.to_string())?;
        settings.check().map_err(|error| error.code)
    }

    #[test]
    fn public_values_hold_no_secrets() {
        assert_eq!(settings(json!({"env": {"VITE_TITLE": "Claims"}})), Ok(()));
        assert_eq!(settings(json!({"env": {"VITE_TOKEN": "none"}})), Ok(()));
        for (name, value) in [
            ("VITE_API", "sk-abc"),
            ("VITE_MAP_KEY", "a1b2c3d4e5f6g7h8i9j0"),
            ("VITE_X", "-----BEGIN PRIVATE KEY-----"),
        ] {
            assert_eq!(settings(json!({"env": {name: value}})), Err("ENV_SECRET_VALUE".to_owned()), "{name}");
        }
        for name in ["TITLE", "VITE_", "VITE_a", "__proto__"] {
            assert_eq!(settings(json!({"env": {name: ""}})), Err("INVALID_INPUT".to_owned()), "{name}");
        }
    }

    #[test]
    fn origins_are_origins() {
        for good in ["https://api.example.com", "http://localhost:8080", "wss://x.example"] {
            assert_eq!(settings(json!({"connect_origins": [good]})), Ok(()), "{good}");
        }
        for bad in ["api.example.com", "https://a/b", "https://*", "https://a; script-src *", "https://", "ftp://a"] {
            assert_eq!(settings(json!({"connect_origins": [bad]})), Err("INVALID_INPUT".to_owned()), "{bad}");
        }
    }

    #[test]
    fn all_files_are_operations_on_what_is_there() {
        let files = |pairs: &[(&str, &str)]| -> Files {
            pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
        };
        let operations =
            whole(&files(&[("a", "1"), ("b", "2"), ("c", "3")]), &files(&[("b", "2"), ("c", "4"), ("d", "5")]));
        let want = json!([
            {"op": "delete_file", "path": "a"},
            {"op": "upsert_file", "path": "c", "content": "4"},
            {"op": "upsert_file", "path": "d", "content": "5"},
        ]);
        assert_eq!(json!(operations), want);
    }
}
