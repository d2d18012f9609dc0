//! One job from its start to its result: watched, timed, stopped, and cleared away whatever happened.

use std::sync::{Arc, PoisonError};

use tokio::sync::{mpsc, watch};

use crate::jobs::Builds;
use crate::limits::HEARTBEAT;
use crate::stages::{Job, Product, StageError};
use crate::tree;
use crate::watch::{Excess, excess};
use crate::wire::{BuildCode, BuildResult, BuildStatus, Frame};

/// Runs a job. The last frame is its result; where the machine failed there is none.
pub async fn work(job: Job, builds: Arc<Builds>, mut stop: watch::Receiver<bool>) {
    let folder = job.folder();
    let outcome = tokio::select! {
        outcome = job.run() => outcome,
        excess = excess(&folder, &job.groups, job.limits, &job.peak) => Err(ended_by(excess)),
        () = tokio::time::sleep(job.limits.job) => Err(StageError::ran_out(BuildCode::BuildTimeout, "the job took longer than its time")),
        _ = stop.wait_for(|stop| *stop) => Err(cancelled()),
        () = job.frames.closed() => Err(cancelled()),
        () = heartbeat(&job.frames) => Err(cancelled()),
    };
    let is_cleared = clear(&job).await;
    let result = match outcome {
        Ok(product) => Some(result(&job, BuildStatus::Succeeded, None, product)),
        Err(StageError::Project { code, diagnostics, product }) => {
            let is_cancelled = code == Some(BuildCode::BuildCancelled);
            let status = if is_cancelled { BuildStatus::Cancelled } else { BuildStatus::Failed };
            Some(result(&job, status, code, Product { diagnostics, ..*product }))
        }
        Err(StageError::Machine(error)) => {
            eprintln!("build-runner: {} has no result: {error}", job.request.build_id);
            None
        }
    };
    let id = &job.request.build_id;
    // A build that was stopped while its last file was hashed is gone as well.
    let kept = result.as_ref().and_then(|result| result.dist_manifest.as_ref()).filter(|_| !*stop.borrow());
    if kept.is_none() {
        let artifact = job.artifact();
        let _ = tokio::task::spawn_blocking(move || tree::remove(&artifact)).await;
    }
    builds.finish(id, kept);
    if is_cleared {
        builds.free(job.slot);
    } else {
        eprintln!("build-runner: slot {} stays closed: its last job could not be cleared away", job.slot);
    }
    if let Some(result) = result {
        let _ = job.frames.send(Frame::Result(Box::new(result))).await;
    }
}

async fn heartbeat(frames: &mpsc::Sender<Frame>) {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        if frames.send(Frame::Heartbeat).await.is_err() {
            return;
        }
    }
}

fn cancelled() -> StageError {
    StageError::Project { code: Some(BuildCode::BuildCancelled), diagnostics: Vec::new(), product: Box::default() }
}

fn ended_by(excess: Excess) -> StageError {
    let (code, text) = match excess {
        Excess::Memory => (BuildCode::BuildOutOfMemory, "the job used more memory than it may"),
        Excess::Processes => (BuildCode::BuildOutOfMemory, "the job started more processes than it may"),
        Excess::Disk => (BuildCode::BuildOutputTooLarge, "the job wrote more bytes or files than it may"),
    };
    StageError::ran_out(code, text)
}

/// Waits until all processes are gone, then removes the folder.
async fn clear(job: &Job) -> bool {
    let are_gone = job.groups.gone().await;
    let folder = job.folder();
    let removed = tokio::task::spawn_blocking(move || tree::remove(&folder)).await;
    are_gone && matches!(removed, Ok(Ok(())))
}

fn result(job: &Job, status: BuildStatus, code: Option<BuildCode>, product: Product) -> BuildResult {
    BuildResult {
        status,
        code,
        diagnostics: product.diagnostics,
        dist_manifest: product.manifest,
        generated_lockfile: product.generated_lock,
        tests: product.tests,
        lockfile: product.lock,
        timings: job.timings.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        tool_versions: job.tool_versions(),
    }
}
