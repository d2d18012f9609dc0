//! What builds leave in the artifact store: put there, copied, deleted (spec: app-builder.md §5 step 3, §7 "Keys").
//!
//! What is kept and for how long is said by `holdpoint_store::artifact`; here it is done. Invariants: what is about to be
//! stored is written down before; a build has succeeded when each of its assets is stored with the hash of its manifest;
//! an attempt that has its build no more stores nothing.

use futures_util::future::join_all;
use holdpoint_bundle::bytes_hash;
use holdpoint_kind_app::builds::dist_fault;
use holdpoint_kind_app::wire::{AppDist, DistAsset};
use holdpoint_store::artifact::{NewObjects, ROUND, maps_beside};
use holdpoint_store::build::{Artifact, CANCELLED, Lease};
use serde_json::{Value, json};

use super::runner::RunnerResult;
use super::settings::Runner;
use crate::answer::{EdgeError, cause};
use crate::artifacts;
use crate::js::now_ms;
use crate::project::Object;

/// Requests to the store at a time, as many as the platform has connections for.
const AT_ONCE: usize = 6;

/// An attempt that stores what it built.
pub struct Storing<'s> {
    pub object: &'s Object,
    pub lease: &'s Lease,
    /// Of its revision or its key, with a slash at its end.
    pub folder: String,
}

/// What came of a build that ended.
pub enum Stored {
    Complete {
        /// The prefix of its assets in the store.
        dist: String,
        manifest: String,
    },
    /// A fault of the project, with its findings.
    Failed { code: String, diagnostics: Vec<Value> },
    /// A fault of the infrastructure.
    Lost,
}

impl Storing<'_> {
    /// Stores what a runner built.
    pub async fn store(&self, runner: &Runner, name: &str, result: RunnerResult) -> Result<Stored, EdgeError> {
        let RunnerResult { status, code, diagnostics, dist_manifest, .. } = result;
        let failed = |code: &str, diagnostics| Ok(Stored::Failed { code: code.to_owned(), diagnostics });
        if status != "succeeded" {
            return failed(code.as_deref().unwrap_or(CANCELLED), diagnostics);
        }
        let mut dist = dist_manifest.unwrap_or_default();
        if let Some(code) = dist_fault(&dist) {
            return failed(code, diagnostics);
        }
        let Some(prefix) = self.place(&dist)? else { return Ok(Stored::Lost) };
        for (asset, of, at) in places(&dist, &prefix) {
            let Ok(bytes) = runner.file(name, of, &asset.path).await else { return Ok(Stored::Lost) };
            if bytes_hash(&bytes) != asset.sha256 || !self.put(&format!("{at}{}", asset.path), bytes).await? {
                return Ok(Stored::Lost);
            }
        }
        dist.uploaded_assets = dist.assets.len();
        Ok(Stored::Complete { dist: prefix, manifest: json!(dist).to_string() })
    }

    /// Copies what an equal build left. `None`: some of it is gone, so it is built again.
    pub async fn copy(&self, artifact: &Artifact) -> Result<Option<Stored>, EdgeError> {
        let Ok(dist) = serde_json::from_str::<AppDist>(&artifact.manifest) else { return Ok(None) };
        let Some(prefix) = self.place(&dist)? else { return Ok(Some(Stored::Lost)) };
        for ((asset, of, from), (_, _, to)) in places(&dist, &artifact.dist).zip(places(&dist, &prefix)) {
            let bytes = match artifacts::get(&self.object.env, &format!("{from}{}", asset.path)).await {
                Ok(Some(bytes)) if bytes_hash(&bytes) == asset.sha256 => bytes,
                // Source maps are not kept as long as what is served.
                Ok(_) if of == MAPS => continue,
                Ok(_) => return Ok(None),
                Err(_) => return Ok(Some(Stored::Lost)),
            };
            if !self.put(&format!("{to}{}", asset.path), bytes).await? {
                return Ok(Some(Stored::Lost));
            }
        }
        Ok(Some(Stored::Complete { dist: prefix, manifest: artifact.manifest.clone() }))
    }

    fn place(&self, dist: &AppDist) -> Result<Option<String>, EdgeError> {
        let (assets, maps) = (paths(&dist.assets), paths(&dist.maps));
        let objects = NewObjects { folder: &self.folder, assets: &assets, maps: &maps };
        Ok(self.object.workspace()?.builds().place(self.lease, &objects, now_ms())?)
    }

    /// Stores one object, if the attempt still has its build. `false`: it has not, or the store did not take it.
    async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<bool, EdgeError> {
        if !self.object.workspace()?.builds().renew(self.lease, None, now_ms())? {
            return Ok(false);
        }
        let put = artifacts::put(&self.object.env, key, bytes).await;
        if let Err(error) = &put {
            worker::console_error!("{}", json!({"event": "artifact_failed", "cause": cause(error)}));
        }
        Ok(put.is_ok())
    }
}

/// What source maps are called by a runner.
const MAPS: &str = "maps";

fn paths(assets: &[DistAsset]) -> Vec<&str> {
    assets.iter().map(|asset| asset.path.as_str()).collect()
}

/// All objects of a build: what they are called by a runner, and where they lie.
fn places<'d>(dist: &'d AppDist, prefix: &str) -> impl Iterator<Item = (&'d DistAsset, &'static str, String)> {
    let (assets, maps) = (prefix.to_owned(), maps_beside(prefix));
    let assets = dist.assets.iter().map(move |asset| (asset, "assets", assets.clone()));
    assets.chain(dist.maps.iter().map(move |map| (map, MAPS, maps.clone())))
}

/// Deletes a round of the objects that nothing names any more; what is left the next alarm deletes.
pub async fn delete_dropped(object: &Object) -> Result<(), EdgeError> {
    let workspace = object.workspace()?;
    let dropped = workspace.artifacts();
    dropped.sweep(now_ms())?;
    let mut left = ROUND;
    while left > 0 {
        let Some(next) = dropped.dropped(left.min(AT_ONCE), now_ms())? else { break };
        let answers = join_all(next.keys.iter().map(|key| artifacts::delete(&object.env, key))).await;
        let count = answers.iter().take_while(|answer| answer.is_ok()).count();
        dropped.deleted(&next, count)?;
        if let Some(error) = answers.into_iter().find_map(Result::err) {
            worker::console_error!("{}", json!({"event": "artifact_left", "cause": cause(&error)}));
            dropped.put_off(&next, now_ms())?;
            break;
        }
        left -= next.keys.len();
    }
    Ok(())
}
