//! What a run has of the build runner: gate builds of its scratch tree, and its tests (spec: app-builder.md §6, §10).

use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_bundle::{Files, content_hash};
use holdpoint_kind_app::stage::{AppProfile, AppRevision};
use holdpoint_kind_app::tools::{BuildAnswer, BuildRequest, Builds, TestAnswer};
use holdpoint_kind_app::wire::AppDist;
use holdpoint_store::build::{Build, CANCELLED};
use serde_json::json;
use worker::wasm_bindgen_futures::spawn_local;

use crate::artifacts;
use crate::js::now_ms;
use crate::kinds::vite_app::AppDesk;
use crate::kinds::vite_app::builds;
use crate::kinds::vite_app::gate::Gated;
use crate::kinds::vite_app::jobs::JobInput;
use crate::project::{Object, ProjectCommand};

/// The longest document that is looked at.
const MAX_ENTRY_BYTES: usize = 1 << 20;

/// Ends the build that a run waits for, when the run does not wait any more.
struct GivenUp {
    object: Rc<Object>,
    app: String,
    /// By what the build is known.
    key: String,
    is_over: bool,
}

impl Drop for GivenUp {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let ended = self.object.workspace().and_then(|workspace| {
            let builds = workspace.builds();
            match builds.gate(&self.app, &self.key)?.filter(Build::is_open) {
                Some(open) => Ok(builds.end((open.number, open.seq), CANCELLED, now_ms()).map(drop)?),
                None => Ok(()),
            }
        });
        if let Err(fault) = ended {
            worker::console_error!("{}", json!({"event": "build_fault", "code": fault.code}));
        }
        self.object.work.changed();
    }
}

/// The runner as one run asks it.
pub struct RunBuilds<'r> {
    pub object: Rc<Object>,
    pub head: ProjectCommand<()>,
    pub own: &'r AppProfile,
    pub known: &'r AppRevision,
}

impl RunBuilds<'_> {
    /// What a revision of this tree would keep.
    fn facts(&self, request: &BuildRequest<'_>) -> AppRevision {
        AppRevision {
            entry_file: request.entry.to_owned(),
            files_hash: content_hash(request.files),
            file_count: request.files.len(),
            ..self.known.clone()
        }
    }
}

impl RunBuilds<'_> {
    /// The gate of a tree. It works on by itself, because other builds of the app may come before it; a run that is
    /// stopped meanwhile ends its own.
    async fn gated(&self, facts: &AppRevision, files: &Files) -> Option<Gated> {
        let mut waits = GivenUp {
            object: self.object.clone(),
            app: self.head.bundle.clone(),
            key: builds::key(&self.own.settings, facts),
            is_over: false,
        };
        let (tell, heard) = oneshot::channel();
        let (object, head) = (self.object.clone(), self.head.clone());
        let (own, facts, files) = (self.own.clone(), facts.clone(), files.clone());
        spawn_local(async move {
            let gated = match AppDesk::of(&object, &head) {
                Ok(desk) => desk.gate(&own, &facts, &files).await.ok(),
                Err(_) => None,
            };
            let _ = tell.send(gated);
        });
        let gated = heard.await.ok().flatten();
        waits.is_over = true;
        gated
    }
}

impl Builds for RunBuilds<'_> {
    async fn build(&self, request: &BuildRequest<'_>) -> Option<BuildAnswer> {
        let since = now_ms();
        let facts = self.facts(request);
        let gated = self.gated(&facts, request.files).await?;
        let desk = AppDesk::of(&self.object, &self.head).ok()?;
        let elapsed_ms = (now_ms() - since).max(0).unsigned_abs();
        match gated {
            Gated::Unverified => None,
            Gated::Failed { code, error, diagnostics } => Some(BuildAnswer {
                code: Some(code),
                diagnostics,
                log_tail: error.unwrap_or_default(),
                elapsed_ms,
                ..BuildAnswer::default()
            }),
            Gated::Passed => {
                let key = builds::key(&self.own.settings, &facts);
                let artifact = desk.workspace.builds().reusable(desk.id(), &key, now_ms()).ok()??;
                let dist: AppDist = serde_json::from_str(&artifact.manifest).ok()?;
                let entry = format!("{}{}", artifact.dist, dist.entry_html);
                let page = artifacts::get(&self.object.env, &entry).await.ok().flatten();
                let page = page.filter(|bytes| bytes.len() <= MAX_ENTRY_BYTES);
                Some(BuildAnswer {
                    succeeded: true,
                    dist_manifest: json!(dist),
                    elapsed_ms,
                    entry_text: page.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
                    ..BuildAnswer::default()
                })
            }
        }
    }

    async fn test(&self, request: &BuildRequest<'_>, paths: &[String]) -> Option<TestAnswer> {
        let settings = &self.object.work.settings;
        if !settings.gates || !settings.tests {
            return None;
        }
        let job = JobInput {
            app: &self.head.bundle,
            own: self.own,
            entry_file: request.entry,
            catalog_version: &self.known.catalog_version,
            files: request.files,
        };
        job.tests(&self.object, paths).await
    }
}
