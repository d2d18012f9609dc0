//! Builds: who is next, what the runner says of it, what it leaves in the artifact store (spec: app-builder.md §5).
//!
//! What is due and what counts is said by `holdpoint_store::build`; here it is done. Invariants: one build of an app is
//! worked on at a time; a fault of the infrastructure is never one of the project.

use std::pin::pin;

use futures_util::future::{Either, select};
use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args};
use holdpoint_kind_app::blobs::BLOB_MISSING;
use holdpoint_kind_app::builds::BuildInput;
use holdpoint_kind_app::policy::pointer_hash;
use holdpoint_kind_app::requests::AppSettings;
use holdpoint_kind_app::routes::codes::{BUILD_ALREADY_SUCCEEDED, BUILD_PENDING, NO_REVISION};
use holdpoint_kind_app::stage::{AppProfile, AppRevision};
use holdpoint_kind_app::wire::BuildState;
use holdpoint_store::build::{Build, BuildError, BuildOutcome, BuildStatus, CANCELLED, Finish, Lease};
use serde_json::{Value, json};

use super::runner::{RunnerAnswer, RunnerFault, RunnerFrame};
use super::settings::Runner;
use super::shown::facts;
use super::stored::{Stored, Storing, delete_dropped};
use super::{AppDesk, counted, present, profile};
use crate::answer::{EdgeError, with_members};
use crate::artifacts;
use crate::js::now_ms;
use crate::project::Object;

pub const RUNNER_UNAVAILABLE: &str = "BUILD_RUNNER_UNAVAILABLE";
pub const POLICY_FAILED: &str = "POLICY_FAILED";
const INVALID: &str = "BUILD_OUTPUT_INVALID";
const TASK: &str = "build_published_app_revision_task";
/// Bytes of what the failing stage said that are looked at.
const SAID_BYTES: usize = 64 << 10;
/// Publishes that nobody heard of are said again after this.
const AGAIN_MS: i64 = 2_000;

/// The files of a build, and whose they are.
struct Work {
    tenant: String,
    app: String,
    profile: AppProfile,
    files: Files,
    entry_file: String,
    catalog_version: String,
}

impl AppDesk<'_> {
    /// Builds a revision once more.
    pub fn retry(&self, revision: &str, force: bool) -> Result<BuildState, EdgeError> {
        let head = self.present()?;
        let (of, _) = self.workspace.revision(self.id(), revision).map_err(super::fault)?;
        let key = key(&profile(&head).settings, &facts(&of));
        self.workspace.builds().retry(self.id(), revision, &key, force, self.now).map_err(refused)?;
        self.object.work.changed();
        self.build(revision)
    }

    /// Builds a revision once more whose artifact was kept for its time and is gone.
    pub fn bring_back(&self, revision: &str) -> Result<(), EdgeError> {
        let build = self.workspace.builds().of(self.id(), revision)?;
        if build.is_some_and(|build| build.status == BuildStatus::Succeeded && build.artifact.is_none()) {
            self.retry(revision, false)?;
        }
        Ok(())
    }
}

/// The key of a build of a revision.
pub fn key(settings: &AppSettings, facts: &AppRevision) -> String {
    let policy = json!(settings.dependency_policy);
    let input = BuildInput {
        files_hash: &facts.files_hash,
        entry_file: &facts.entry_file,
        catalog_version: &facts.catalog_version,
        env: &settings.env,
        policy: policy.as_str().unwrap_or_default(),
    };
    input.key()
}

/// Does what is due of an app's builds, one after the other. Returns at once where somebody does already.
pub async fn work_off(object: &Object, app: &str) -> Result<(), EdgeError> {
    let Some((_taken, _)) = object.slots.enter(&format!("builds {app}")) else { return Ok(()) };
    let workspace = object.workspace()?;
    while let Some((build, lease)) = workspace.builds().claim(app, now_ms())? {
        object.work.changed();
        object.set_alarm().await;
        if let Err(fault) = attempt(object, &build, &lease).await {
            worker::console_error!("{}", json!({"event": "build_fault", "code": fault.code}));
            workspace.builds().finish(&lease, &BuildOutcome::Lost, now_ms())?;
        }
        object.work.changed();
    }
    object.set_alarm().await;
    Ok(())
}

/// What the alarm does for builds and publishes.
pub async fn on_alarm(object: &Object) -> Result<(), EdgeError> {
    let workspace = object.workspace()?;
    let now = now_ms();
    for reaped in workspace.builds().reap(now)? {
        worker::console_log!("{}", json!({"event": "build_reaped", "again": reaped.again}));
    }
    while workspace.builds().forget(now)? {}
    while workspace.working_copies().forget(now)? {}
    super::publish::say_again(object).await?;
    delete_dropped(object).await?;
    for app in workspace.builds().due(now)? {
        work_off(object, &app).await?;
    }
    Ok(())
}

/// When the alarm has something to do.
pub fn next_alarm(object: &Object) -> Result<Option<i64>, EdgeError> {
    let workspace = object.workspace()?;
    let again = workspace.publishes().intended()?.first().map(|_| now_ms() + AGAIN_MS);
    let (builds, copies) = (workspace.builds().next_due()?, workspace.working_copies().next_due()?);
    let times = [builds, copies, workspace.artifacts().next_due()?, again];
    Ok(times.into_iter().flatten().min())
}

/// One attempt of a build, to its end.
async fn attempt(object: &Object, build: &Build, lease: &Lease) -> Result<(), EdgeError> {
    let workspace = object.workspace()?;
    let builds = workspace.builds();
    let finish = |outcome: &BuildOutcome<'_>| builds.finish(lease, outcome, now_ms());
    let Some(work) = work(object, build)? else {
        finish(&BuildOutcome::Failed { code: CANCELLED, error: "", diagnostics: None })?;
        return Ok(());
    };
    let storing = Storing { object, lease, folder: folder(&work, build) };
    if let Some(artifact) = builds.reusable(&build.bundle, &build.key, now_ms())? {
        // What is no revision has no artifact of its own.
        let copied = match build.revision {
            Some(_) => storing.copy(&artifact).await?,
            None => Some(Stored::Complete { dist: artifact.dist, manifest: artifact.manifest }),
        };
        if let Some(copied) = copied {
            let done = ended(object, lease, copied, "")?;
            return told(object, &work.tenant, build, done, "reused");
        }
    }
    let settings = &object.work.settings;
    let Some(runner) = settings.runner.as_ref().filter(|_| settings.builds) else {
        let done = finish(&BuildOutcome::Failed { code: RUNNER_UNAVAILABLE, error: "", diagnostics: None })?;
        return told(object, &work.tenant, build, done, "built");
    };
    // A retry of the same build is another job: its name differs.
    let name = format!("{}-{}-{}", work.app, build.number, now_ms());
    let request = request(object, &work, build, &name);
    let begun = match runner.begin(&request).await {
        Err(RunnerFault::BlobsMissing(hashes)) => {
            give_blobs(object, runner, (&work.tenant, &work.app), &hashes).await?;
            runner.begin(&request).await
        }
        begun => begun,
    };
    let done = match begun {
        Err(RunnerFault::Busy(retry_after_ms)) => finish(&BuildOutcome::Busy { retry_after_ms })?,
        Err(RunnerFault::Refused(error)) => {
            finish(&BuildOutcome::Failed { code: INVALID, error: &error, diagnostics: None })?
        }
        Err(RunnerFault::BlobsMissing(hashes)) => {
            let diagnostics = json!(missing(&work.files, &hashes)).to_string();
            finish(&BuildOutcome::Failed { code: POLICY_FAILED, error: "", diagnostics: Some(&diagnostics) })?
        }
        Err(RunnerFault::Lost) if build.attempts <= 1 && build.revision.is_some() => {
            // Nobody answers at all: that is said at once, and can be retried.
            finish(&BuildOutcome::Failed { code: RUNNER_UNAVAILABLE, error: "", diagnostics: None })?
        }
        Err(_) => finish(&BuildOutcome::Lost)?,
        Ok(answer) => followed(&storing, runner, &name, answer).await?,
    };
    told(object, &work.tenant, build, done, "built")
}

/// Hears a runner to its end, and stores what it built.
async fn followed(
    storing: &Storing<'_>,
    runner: &Runner,
    name: &str,
    mut answer: RunnerAnswer,
) -> Result<Finish, EdgeError> {
    let Storing { object, lease, .. } = *storing;
    let workspace = object.workspace()?;
    let builds = workspace.builds();
    let mut said = String::new();
    let mut changed = object.work.wait();
    let result = loop {
        let heard = match select(pin!(answer.next()), &mut changed).await {
            Either::Left((frame, _)) => Some(frame),
            Either::Right(_) => None,
        };
        let (stage, is_ours) = match &heard {
            // Somebody may have ended it.
            None => {
                changed = object.work.wait();
                (None, builds.renew(lease, None, now_ms())?)
            }
            Some(Ok(RunnerFrame::Stage { stage })) => {
                said.clear();
                (Some(stage.as_str()), builds.renew(lease, Some(stage), now_ms())?)
            }
            Some(Ok(RunnerFrame::Log { text })) => {
                said.push_str(text);
                cut_front(&mut said);
                (None, builds.log(lease, text)? && builds.renew(lease, None, now_ms())?)
            }
            Some(Ok(RunnerFrame::Heartbeat)) => (None, builds.renew(lease, None, now_ms())?),
            Some(Ok(RunnerFrame::Result(_)) | Err(_)) => (None, true),
        };
        if stage.is_some() {
            object.work.changed();
        }
        if !is_ours {
            drop(answer);
            runner.forget(name).await;
            return Ok(builds.finish(lease, &BuildOutcome::Lost, now_ms())?);
        }
        match heard {
            Some(Ok(RunnerFrame::Result(result))) => break Ok(result),
            Some(Err(fault)) => break Err(fault),
            Some(Ok(_)) | None => {}
        }
    };
    let outcome = match result {
        Err(_) => Ok(Stored::Lost),
        Ok(result) => storing.store(runner, name, *result).await,
    };
    runner.forget(name).await;
    ended(object, lease, outcome?, &said)
}

/// Notes what came of an attempt; of a failure also the end of what was said.
fn ended(object: &Object, lease: &Lease, stored: Stored, said: &str) -> Result<Finish, EdgeError> {
    let workspace = object.workspace()?;
    let builds = workspace.builds();
    let finish = |outcome: &BuildOutcome<'_>| builds.finish(lease, outcome, now_ms());
    Ok(match stored {
        Stored::Lost => finish(&BuildOutcome::Lost)?,
        Stored::Complete { dist, manifest } => finish(&BuildOutcome::Succeeded { dist: &dist, manifest: &manifest })?,
        Stored::Failed { code, diagnostics } => {
            let diagnostics = json!(diagnostics).to_string();
            finish(&BuildOutcome::Failed { code: &code, error: said, diagnostics: Some(&diagnostics) })?
        }
    })
}

/// What a build is made of; `None`: nobody waits for it any more.
fn work(object: &Object, build: &Build) -> Result<Option<Work>, EdgeError> {
    let workspace = object.workspace()?;
    let Ok(head) = present(&workspace, &build.bundle) else { return Ok(None) };
    let own = profile(&head);
    let (files, entry_file, catalog_version) = if let Some(revision) = &build.revision {
        let (revision, files) = workspace.revision(&build.bundle, revision).map_err(super::fault)?;
        let facts = facts(&revision);
        (files.unwrap_or_default(), facts.entry_file, facts.catalog_version)
    } else {
        let gates = object.work.gates.borrow();
        let Some(input) = gates.get(&build.number) else { return Ok(None) };
        (input.files.clone(), input.entry_file.clone(), input.catalog_version.clone())
    };
    let tenant = own.tenant_id.clone();
    Ok(Some(Work { tenant, app: build.bundle.clone(), profile: own, files, entry_file, catalog_version }))
}

/// The folder in which what a build leaves lies.
fn folder(work: &Work, build: &Build) -> String {
    let Work { tenant, app, .. } = work;
    match &build.revision {
        None => {
            let key = build.key.strip_prefix("sha256:").unwrap_or(&build.key);
            format!("apps/{tenant}/{app}/builds/{key}/")
        }
        Some(revision) => format!("apps/{tenant}/{app}/revisions/{revision}/"),
    }
}

/// Texts and bytes of a project, as the runner reads them.
pub fn project_members(project: &Files) -> Value {
    let (mut files, mut blobs) = (serde_json::Map::new(), Vec::new());
    for (path, text) in project {
        match pointer_hash(text) {
            Some((hash, bytes)) => blobs.push(json!({"path": path, "hash": hash, "bytes": bytes})),
            None => drop(files.insert(path.clone(), text.as_str().into())),
        }
    }
    json!({"files": files, "blobs": blobs})
}

/// The request of a build, as the runner reads it.
fn request(object: &Object, work: &Work, build: &Build, name: &str) -> Value {
    let request = json!({
        "task": TASK,
        "build_id": name,
        "revision_id": build.revision.as_deref().unwrap_or_default(),
        "tenant_id": work.tenant,
        "app_id": work.app,
        "slug": work.profile.slug,
        "build_kind": build.kind.as_str(),
        "build_seq": build.seq,
        "entry_file": work.entry_file,
        "env": work.profile.settings.env,
        "options": {
            "policy": work.profile.settings.dependency_policy,
            "catalog": work.catalog_version,
            "registry": object.work.settings.registry,
        },
    });
    with_members(request, project_members(&work.files))
}

/// Where the bytes of a binary file lie, as long as its app is there.
pub fn blob_key(tenant: &str, app: &str, hash: &str) -> String {
    format!("apps/{tenant}/{app}/blobs/{hash}")
}

/// Gives a runner the bytes of a tenant's app that it does not know.
pub async fn give_blobs(
    object: &Object,
    runner: &Runner,
    (tenant, app): (&str, &str),
    hashes: &[String],
) -> Result<(), EdgeError> {
    for hash in hashes {
        if let Some(bytes) = artifacts::get(&object.env, &blob_key(tenant, app, hash)).await? {
            // What it does not take it asks for again, and the build fails there.
            drop(runner.put_blob(hash, &bytes).await);
        }
    }
    Ok(())
}

/// What is wrong with files whose bytes nobody has.
fn missing(files: &Files, hashes: &[String]) -> Vec<Diagnostic> {
    let named = files
        .iter()
        .filter(|(_, text)| pointer_hash(text).is_some_and(|(hash, _)| hashes.iter().any(|missing| missing == hash)));
    named.map(|(path, _)| Diagnostic::of(&BLOB_MISSING, args! { name: path.as_str() }).in_file(path.as_str())).collect()
}

/// Keeps the last of what was said.
fn cut_front(said: &mut String) {
    if said.len() > 2 * SAID_BYTES {
        let from = (said.len() - SAID_BYTES..=said.len()).find(|at| said.is_char_boundary(*at)).unwrap_or(said.len());
        said.drain(..from);
    }
}

/// Logs and counts what came of an attempt.
fn told(object: &Object, account: &str, build: &Build, done: Finish, how: &str) -> Result<(), EdgeError> {
    let result = match done {
        Finish::Missing => "missing",
        Finish::Stale => "stale",
        Finish::Superseded => "superseded",
        Finish::Succeeded if how == "reused" => "reused",
        Finish::Succeeded => "succeeded",
        Finish::Failed => "failed",
        Finish::Again { .. } => "again",
    };
    worker::console_log!(
        "{}",
        json!({
            "event": "build", "result": result, "app_id": build.bundle, "build_seq": build.seq, "attempts": build.attempts,
        })
    );
    if let Some(now) = object.workspace()?.builds().get(build.number)? {
        counted::tell(&object.objects, account, counted::build(&now, result));
    }
    Ok(())
}

/// A refusal of a build in the words of these routes.
pub fn refused(error: BuildError) -> EdgeError {
    match error {
        BuildError::NotFound => EdgeError::of(404, &NO_REVISION, args! {}),
        BuildError::Pending => EdgeError::of(409, &BUILD_PENDING, args! {}),
        BuildError::AlreadySucceeded => EdgeError::of(409, &BUILD_ALREADY_SUCCEEDED, args! {}),
        BuildError::Full => EdgeError::internal("too many gate builds"),
        BuildError::Sql(error) => error.into(),
    }
}
