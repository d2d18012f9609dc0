//! What a run asks the build runner for (spec: app-builder.md §6, §10).
//!
//! The Worker answers with the runner; without one, with [`NoBuilds`], and then nothing is said to be verified.

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A tree that is built or tested.
#[derive(Debug, Clone)]
pub struct BuildRequest<'b> {
    pub files: &'b Files,
    pub entry: &'b str,
}

/// What came of a build, as a run reads it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildAnswer {
    pub succeeded: bool,
    /// The artifact of an equal tree was taken.
    pub reused: bool,
    /// Why it failed: `VITE_BUILD_FAILED` and others.
    pub code: Option<String>,
    /// What was built: assets with path, size and hash.
    pub dist_manifest: Value,
    /// Findings as the runner says them.
    pub diagnostics: Vec<Value>,
    /// The end of its log.
    pub log_tail: String,
    /// Milliseconds from request to result.
    pub elapsed_ms: u64,
    /// The text of the document at the root of what was built.
    pub entry_text: Option<String>,
}

/// One test of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestedCase {
    pub path: String,
    pub name: String,
    /// One of `passed`, `failed` and `skipped`.
    pub status: String,
    #[serde(default)]
    pub message: Option<String>,
}

/// What came of tests, as a run reads it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TestAnswer {
    pub passed: bool,
    pub tests: Vec<TestedCase>,
    pub diagnostics: Vec<Value>,
    /// The line that was run.
    pub command: String,
    /// The end of its log.
    pub log_tail: String,
    pub elapsed_ms: u64,
}

/// Who builds and tests. `None`: nobody does, or it could not be asked.
#[allow(async_fn_in_trait)] // one isolate has one thread
pub trait Builds {
    async fn build(&self, request: &BuildRequest<'_>) -> Option<BuildAnswer>;
    async fn test(&self, request: &BuildRequest<'_>, paths: &[String]) -> Option<TestAnswer>;
}

/// A deployment without a build runner.
#[derive(Debug, Clone, Copy)]
pub struct NoBuilds;

impl Builds for NoBuilds {
    async fn build(&self, _: &BuildRequest<'_>) -> Option<BuildAnswer> {
        None
    }

    async fn test(&self, _: &BuildRequest<'_>, _: &[String]) -> Option<TestAnswer> {
        None
    }
}
