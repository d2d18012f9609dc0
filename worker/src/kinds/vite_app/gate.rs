//! Builds of what is no revision: a save, a run, a result that is looked at before it is applied (spec: app-builder.md §4,
//! §10).
//!
//! Invariants: equal input is built once, whoever asks; of one change set only the result that is looked at last is built.

use std::time::Duration;

use holdpoint_bundle::Files;
use holdpoint_kind_app::proposals::ResultBuild;
use holdpoint_kind_app::stage::{AppProfile, AppRevision};
use holdpoint_store::build::{Build, BuildError, BuildStatus, CANCELLED, RUNNER_LOST, SUPERSEDED};
use serde_json::Value;
use worker::Delay;

use super::builds::{POLICY_FAILED, RUNNER_UNAVAILABLE, key, refused, work_off};
use super::{AppDesk, GateInput};
use crate::answer::EdgeError;
use crate::js::now_ms;

/// Between two looks at a gate build that waits for another one.
const LOOK: Duration = Duration::from_millis(200);
/// How long a failure answers for the same result; after that it is built again, in case the machine was at fault.
const FAILURE_MS: i64 = 60_000;
/// Codes of failures that are the project's own.
const OF_THE_PROJECT: [&str; 7] = [
    POLICY_FAILED,
    "TYPECHECK_FAILED",
    "VITE_BUILD_FAILED",
    "BUILD_EMPTY",
    "BUILD_NO_ENTRY_HTML",
    "BUILD_OUTPUT_TOO_LARGE",
    "BUILD_OUTPUT_INVALID",
];

/// How a gate build ended.
pub enum Gated {
    /// Nobody can build now: the check alone gates.
    Unverified,
    Passed,
    /// The code of the failure, and what was found.
    Failed {
        code: String,
        error: Option<String>,
        diagnostics: Vec<Value>,
    },
}

impl AppDesk<'_> {
    /// Builds files before they are a revision, and waits for the end. What somebody builds already is not built twice.
    pub async fn gate(&self, own: &AppProfile, facts: &AppRevision, files: &Files) -> Result<Gated, EdgeError> {
        loop {
            // Whoever ended it looked at something else: this one still waits for its own.
            if let Some(gated) = self.gate_once(own, facts, files).await? {
                return Ok(gated);
            }
        }
    }

    /// The same, once. `None`: a newer result of its change set ended it.
    pub async fn gate_once(
        &self,
        own: &AppProfile,
        facts: &AppRevision,
        files: &Files,
    ) -> Result<Option<Gated>, EdgeError> {
        if !self.can_build() {
            return Ok(Some(Gated::Unverified));
        }
        let key = key(&own.settings, facts);
        let builds = self.workspace.builds();
        if builds.reusable(self.id(), &key, now_ms())?.is_some() {
            return Ok(Some(Gated::Passed));
        }
        let build = match builds.gate(self.id(), &key)?.filter(Build::is_open) {
            Some(open) => open,
            None => match builds.enqueue_gate(self.id(), &key, now_ms()) {
                Err(BuildError::Full) => return Ok(Some(Gated::Unverified)),
                built => built.map_err(refused)?,
            },
        };
        let input = GateInput {
            files: files.clone(),
            entry_file: facts.entry_file.clone(),
            catalog_version: facts.catalog_version.clone(),
        };
        self.object.work.gates.borrow_mut().insert(build.number, input);
        let ended = self.ended(build.number).await;
        self.object.work.gates.borrow_mut().remove(&build.number);
        let Some(build) = ended? else { return Ok(Some(Gated::Unverified)) };
        Ok(match build.error_code.as_deref() {
            _ if build.status == BuildStatus::Succeeded => Some(Gated::Passed),
            Some(SUPERSEDED) => None,
            // Who waited for the same build may have given it up.
            Some(RUNNER_UNAVAILABLE | RUNNER_LOST | CANCELLED) => Some(Gated::Unverified),
            _ => {
                let diagnostics = findings(&build);
                Some(Gated::Failed { code: build.error_code.unwrap_or_default(), error: build.error, diagnostics })
            }
        })
    }

    /// Whether somebody builds what is no revision.
    pub fn can_build(&self) -> bool {
        let settings = &self.object.work.settings;
        settings.gates && settings.runner.is_some()
    }

    /// How the build of a result stands that is not there yet: it goes on, or failed a moment ago. `None`: nobody builds it.
    pub fn result_build(&self, key: &str) -> Result<Option<ResultBuild>, EdgeError> {
        let is_own = |build: &Build| build.error_code.as_deref().is_some_and(|code| OF_THE_PROJECT.contains(&code));
        let is_fresh = |build: &Build| build.finished.is_some_and(|at| at > now_ms() - FAILURE_MS);
        let found = self.workspace.builds().gate(self.id(), key)?;
        let told = found.filter(|build| build.is_open() || (is_own(build) && is_fresh(build)));
        Ok(told.map(|build| ResultBuild {
            status: build.status.as_str().to_owned(),
            stage: build.stage.clone(),
            code: build.error_code.clone(),
            error: build.error.clone(),
            diagnostics: findings(&build),
        }))
    }

    /// Notes what is looked at of a change set; the build of what was looked at before ends.
    pub fn look_at(&self, set: i64, key: &str) -> Result<(), EdgeError> {
        let before = self.object.work.results.borrow_mut().insert(set, key.to_owned());
        let Some(before) = before.filter(|before| before != key) else { return Ok(()) };
        let builds = self.workspace.builds();
        if let Some(open) = builds.gate(self.id(), &before)?.filter(Build::is_open) {
            builds.end((open.number, open.seq), SUPERSEDED, now_ms())?;
            self.object.work.changed();
        }
        Ok(())
    }

    /// Works until a build is over. `None`: it has to wait for a runner that has no room or is gone.
    async fn ended(&self, number: i64) -> Result<Option<Build>, EdgeError> {
        loop {
            work_off(self.object, self.id()).await?;
            let Some(build) = self.workspace.builds().get(number)? else { return Ok(None) };
            match build.status {
                BuildStatus::Succeeded | BuildStatus::Failed => return Ok(Some(build)),
                BuildStatus::Queued if build.attempts > 0 => {
                    self.workspace.builds().end((number, build.seq), CANCELLED, now_ms())?;
                    return Ok(None);
                }
                BuildStatus::Queued | BuildStatus::Running => Delay::from(LOOK).await,
            }
        }
    }
}

fn findings(build: &Build) -> Vec<Value> {
    build.diagnostics.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
