//! What travels: requests, frames, results, errors (spec: app-builder.md §6, the table and below it).

use std::collections::BTreeMap;

use holdpoint_check::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits::{MAX_BLOB_BYTES, MAX_ENV_BYTES, MAX_FILES, MAX_TEST_PATHS};

/// A build, a run of tests or a lock that is to be made. What says whose it is is for the log alone.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BuildRequest {
    pub task: String,
    pub build_id: String,
    pub revision_id: String,
    pub tenant_id: String,
    pub app_id: String,
    pub slug: String,
    pub build_kind: String,
    pub build_seq: u64,
    pub entry_file: Option<String>,
    pub files: BTreeMap<String, String>,
    pub blobs: Vec<BlobFile>,
    /// Names that begin with `VITE_`; their values end up in public files.
    pub env: BTreeMap<String, String>,
    pub options: BuildOptions,
    /// Stages that run; absent means all.
    pub steps: Option<Vec<BuildStage>>,
    pub limits: RequestLimits,
    /// Test files to run; empty means all. Of `/v1/tests` only.
    pub test_paths: Vec<String>,
    pub timeout_s: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BlobFile {
    pub path: String,
    /// `sha256:` and 64 hex digits.
    pub hash: String,
    pub bytes: u64,
}

/// Options of the check, passed on as they are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BuildOptions {
    pub policy: Option<String>,
    /// A version, or a catalogue.
    pub catalog: Option<Value>,
    /// The origin from which packages come; absent means that of the runner.
    pub registry: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct RequestLimits {
    pub install_timeout_s: Option<u64>,
    pub build_timeout_s: Option<u64>,
    pub test_timeout_s: Option<u64>,
    pub job_timeout_s: Option<u64>,
    pub job_memory_mib: Option<u64>,
    pub job_disk_mib: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildStage {
    Prepare,
    Policy,
    Install,
    Typecheck,
    Build,
    Manifest,
    Test,
    Lock,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogStream {
    Stdout,
    Stderr,
}

/// One line of an answer. The last one is a result, and only that one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Frame {
    /// `at` is ISO 8601, UTC, with milliseconds.
    Stage {
        stage: BuildStage,
        at: String,
    },
    Log {
        stage: BuildStage,
        stream: LogStream,
        text: String,
    },
    Heartbeat,
    Result(Box<BuildResult>),
}

impl Frame {
    /// The frame as a line of NDJSON.
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildStatus {
    Succeeded,
    Failed,
    Cancelled,
}

/// Why a build failed: the part of `build_error_code` that a runner says (spec: app-builder.md §16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BuildCode {
    PolicyFailed,
    InstallFailed,
    TypecheckFailed,
    ViteBuildFailed,
    BuildEmpty,
    BuildNoEntryHtml,
    BuildOutputTooLarge,
    BuildOutputInvalid,
    BuildTimeout,
    BuildOutOfMemory,
    BuildCancelled,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildResult {
    pub status: BuildStatus,
    pub code: Option<BuildCode>,
    pub diagnostics: Vec<Diagnostic>,
    pub dist_manifest: Option<DistManifest>,
    /// The lock that was built with, where the request had none or another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_lockfile: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Vec<TestOutcome>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lockfile: Option<String>,
    /// How many milliseconds each stage took, by its name.
    pub timings: BTreeMap<String, u64>,
    pub tool_versions: BTreeMap<String, String>,
}

/// What a build made (spec: app-builder.md §7 "dist manifest").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DistManifest {
    pub entry_html: String,
    pub assets: Vec<Asset>,
    pub total_bytes: u64,
    pub generated_at: String,
    pub uploaded_assets: usize,
    pub source_entry_file: Option<String>,
    pub build_tool_versions: BTreeMap<String, String>,
    /// Source maps, which are no part of dist. They are fetched below `maps/` beside the assets.
    pub maps: Vec<Asset>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    pub path: String,
    pub size: u64,
    pub sha256: String,
    pub content_type: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestOutcome {
    pub path: String,
    /// The names of its groups and its own, joined by ` > `.
    pub name: String,
    /// One of `passed`, `failed` and `skipped`.
    pub status: String,
    pub duration_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Why a request is not taken, with its status.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct RequestError {
    pub status: u16,
    pub code: &'static str,
    pub message: String,
    pub details: Map<String, Value>,
}

impl RequestError {
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), details: Map::new() }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(422, "INVALID_INPUT", message)
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The body of the answer: `{"error": {code, message, details?}}`.
    pub fn body(&self) -> Vec<u8> {
        let mut error = Map::new();
        error.insert("code".to_owned(), self.code.into());
        error.insert("message".to_owned(), self.message.clone().into());
        if !self.details.is_empty() {
            error.insert("details".to_owned(), self.details.clone().into());
        }
        Value::from(Map::from_iter([("error".to_owned(), Value::from(error))])).to_string().into_bytes()
    }
}

impl BuildRequest {
    /// Reads a request and checks its shape; paths are the preparation's.
    pub fn read(body: &[u8]) -> Result<Self, RequestError> {
        let request: Self = serde_json::from_slice(body)
            .map_err(|error| RequestError::invalid(format!("Send a build request as JSON: {error}.")))?;
        if !is_build_id(&request.build_id) {
            return Err(RequestError::invalid("Name the build: 1 to 128 letters, digits, `_` or `-` in `build_id`."));
        }
        if request.files.is_empty() || request.files.len() + request.blobs.len() > MAX_FILES {
            return Err(RequestError::invalid(format!("Send 1 to {MAX_FILES} files.")));
        }
        for blob in &request.blobs {
            if blob_name(&blob.hash).is_none() || blob.bytes > MAX_BLOB_BYTES as u64 {
                let message = format!("Name the blob of `{}` by its hash, at most {MAX_BLOB_BYTES} bytes.", blob.path);
                return Err(RequestError::invalid(message));
            }
        }
        if let Some(name) = request.env.keys().find(|name| !is_public_name(name)) {
            return Err(RequestError::invalid(format!(
                "Only names like `VITE_TITLE` may stand in `env`, not `{name}`."
            )));
        }
        let env_bytes: usize = request.env.iter().map(|(name, value)| name.len() + value.len()).sum();
        if env_bytes > MAX_ENV_BYTES || request.env.values().any(|value| value.contains('\0')) {
            let message = format!("Send at most {MAX_ENV_BYTES} bytes in `env`, without the character 0.");
            return Err(RequestError::invalid(message));
        }
        if request.test_paths.len() > MAX_TEST_PATHS {
            return Err(RequestError::invalid(format!("Name at most {MAX_TEST_PATHS} files in `test_paths`.")));
        }
        Ok(request)
    }

    /// Whether a stage was asked for.
    pub fn has_step(&self, stage: BuildStage) -> bool {
        self.steps.as_ref().is_none_or(|steps| steps.contains(&stage))
    }
}

/// The 64 hex digits of a hash, which name the blob on disk.
pub fn blob_name(hash: &str) -> Option<&str> {
    let hex = hash.strip_prefix("sha256:")?;
    let is_hex = hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex.then_some(hex)
}

pub fn is_build_id(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=128).contains(&id.len()) && id.bytes().all(plain)
}

fn is_public_name(name: &str) -> bool {
    let rest = name.strip_prefix("VITE_").unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn frames_are_lines_as_the_contract_has_them() {
        let at = "2026-03-02T09:14:05.120Z".to_owned();
        let cases = [
            (
                Frame::Stage { stage: BuildStage::Install, at },
                r#"{"type":"stage","stage":"install","at":"2026-03-02T09:14:05.120Z"}"#,
            ),
            (
                Frame::Log { stage: BuildStage::Typecheck, stream: LogStream::Stderr, text: "a\nb".to_owned() },
                r#"{"type":"log","stage":"typecheck","stream":"stderr","text":"a\nb"}"#,
            ),
            (Frame::Heartbeat, r#"{"type":"heartbeat"}"#),
        ];
        for (frame, want) in cases {
            assert_eq!(String::from_utf8(frame.to_line()).unwrap(), format!("{want}\n"));
        }
        let result = BuildResult {
            status: BuildStatus::Failed,
            code: Some(BuildCode::ViteBuildFailed),
            diagnostics: Vec::new(),
            dist_manifest: None,
            generated_lockfile: None,
            tests: None,
            lockfile: None,
            timings: BTreeMap::from([("build".to_owned(), 7)]),
            tool_versions: BTreeMap::new(),
        };
        let line: Value = serde_json::from_slice(&Frame::Result(Box::new(result)).to_line()).unwrap();
        let want = json!({
            "type": "result", "status": "failed", "code": "VITE_BUILD_FAILED", "diagnostics": [],
            "dist_manifest": null, "timings": { "build": 7 }, "tool_versions": {},
        });
        assert_eq!(line, want);
    }

    #[test]
    fn an_error_has_the_shape_of_the_house() {
        let error = RequestError::invalid("Do it.").with("path", "a");
        let want = json!({ "error": { "code": "INVALID_INPUT", "message": "Do it.", "details": { "path": "a" } } });
        assert_eq!(serde_json::from_slice::<Value>(&error.body()).unwrap(), want);
        let plain = json!({ "error": { "code": "NOT_FOUND", "message": "Gone." } });
        assert_eq!(
            serde_json::from_slice::<Value>(&RequestError::new(404, "NOT_FOUND", "Gone.").body()).unwrap(),
            plain
        );
    }

    #[test]
    fn names_of_builds_blobs_and_variables_are_plain() {
        assert!(is_build_id("gate_7-Z") && !is_build_id("") && !is_build_id("a/b") && !is_build_id(".."));
        assert!(is_build_id(&"a".repeat(128)) && !is_build_id(&"a".repeat(129)));
        let hex = "0123456789abcdef".repeat(4);
        assert_eq!(blob_name(&format!("sha256:{hex}")), Some(hex.as_str()));
        for hash in
            [hex.clone(), format!("sha256:{}", hex.to_uppercase()), format!("sha256:{hex}0"), "sha256:../x".into()]
        {
            assert_eq!(blob_name(&hash), None, "{hash}");
        }
        for (name, is_public) in
            [("VITE_A_1", true), ("VITE_", false), ("VITE_a", false), ("PATH", false), ("VITE_A=B", false)]
        {
            assert_eq!(is_public_name(name), is_public, "{name}");
        }
    }
}
