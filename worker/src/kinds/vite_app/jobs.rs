//! Jobs of the build runner whose end alone counts: tests, a lock (spec: app-builder.md §6).

use std::time::Duration;

use holdpoint_bundle::Files;
use holdpoint_kind_app::stage::AppProfile;
use holdpoint_kind_app::tools::{TestAnswer, TestedCase};
use holdpoint_text::hex;
use serde_json::{Value, json};
use worker::Delay;

use super::builds::{give_blobs, project_members};
use super::runner::{RunnerFault, RunnerResult};
use crate::answer::with_members;
use crate::js::{now_ms, random};
use crate::project::Object;

/// How long a runner that has no room is waited for, each time.
const WAIT: Duration = Duration::from_secs(3);
const MAX_WAITS: u32 = 10;
/// The line that a runner runs tests with.
const COMMAND: &str = "vitest run";

/// The project of a job, and whose it is.
pub struct JobInput<'j> {
    pub app: &'j str,
    pub own: &'j AppProfile,
    pub entry_file: &'j str,
    pub catalog_version: &'j str,
    pub files: &'j Files,
}

impl JobInput<'_> {
    /// Runs test files, or all of them where none is named. `None`: nobody runs tests now.
    pub async fn tests(&self, object: &Object, paths: &[String]) -> Option<TestAnswer> {
        let since = now_ms();
        let asked = json!({ "task": "run_targeted_tests", "test_paths": paths });
        let (result, log_tail) = self.done(object, "/v1/tests", asked).await.ok()?;
        let tests: Vec<TestedCase> =
            result.tests.into_iter().filter_map(|test| serde_json::from_value(test).ok()).collect();
        Some(TestAnswer {
            passed: result.status == "succeeded",
            tests,
            diagnostics: result.diagnostics,
            command: format!("{COMMAND} {}", paths.join(" ")).trim_end().to_owned(),
            log_tail,
            elapsed_ms: (now_ms() - since).max(0).unsigned_abs(),
        })
    }

    /// Makes the lock that fits the project's packages.
    pub async fn lock(&self, object: &Object) -> Result<RunnerResult, RunnerFault> {
        let (result, _) = self.done(object, "/v1/lock", json!({ "task": "renew_lock" })).await?;
        Ok(result)
    }

    /// Asks a runner, and waits for the end.
    async fn done(&self, object: &Object, at: &str, asked: Value) -> Result<(RunnerResult, String), RunnerFault> {
        let settings = &object.work.settings;
        let runner = settings.runner.as_ref().ok_or(RunnerFault::Lost)?;
        let name = format!("{}-job-{}", self.app, hex(&random::<16>().map_err(|_| RunnerFault::Lost)?));
        let job = json!({
            "build_id": name, "revision_id": "", "tenant_id": self.own.tenant_id, "app_id": self.app,
            "slug": self.own.slug, "build_kind": "draft", "build_seq": 0, "entry_file": self.entry_file,
            "env": self.own.settings.env,
            "options": {
                "policy": self.own.settings.dependency_policy, "catalog": self.catalog_version,
                "registry": settings.registry,
            },
        });
        let job = with_members(with_members(job, asked), project_members(self.files));
        let (mut waits, mut gave) = (0, false);
        let answer = loop {
            match runner.begin_at(at, &job).await {
                Ok(answer) => break answer,
                Err(RunnerFault::BlobsMissing(hashes)) if !gave => {
                    gave = true;
                    let whose = (self.own.tenant_id.as_str(), self.app);
                    give_blobs(object, runner, whose, &hashes).await.map_err(|_| RunnerFault::Lost)?;
                }
                Err(RunnerFault::Busy(_)) if waits < MAX_WAITS => {
                    waits += 1;
                    Delay::from(WAIT).await;
                }
                Err(fault) => return Err(fault),
            }
        };
        let ended = answer.ended().await;
        runner.forget(&name).await;
        ended
    }
}
