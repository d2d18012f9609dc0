//! What is taken out of a version of an app: patch, commit, archive, source map (spec: app-builder.md §7, §11).

use std::collections::BTreeMap;

use holdpoint_bundle::{Files, bytes_hash};
use holdpoint_check::args;
use holdpoint_kind_app::export::{BlobBytes, ExportFormat, ExportedTree, commit, patch, zipped};
use holdpoint_kind_app::routes::codes::NO_REVISION;
use holdpoint_kind_app::served::{NO_BUILT_ASSET, STORAGE_UNAVAILABLE};
use holdpoint_kind_app::wire::AppDist;
use holdpoint_store::artifact::maps_beside;
use serde_json::json;
use worker::{Headers, Response};

use super::shown::author;
use super::{AppDesk, builds, fault, profile};
use crate::answer::{Answer, EdgeError, cause};
use crate::artifacts;
use crate::js::now_ms;
use crate::routes::RouteRequest;

impl AppDesk<'_> {
    /// Answers with what makes `from`, or nothing, into `to`.
    pub async fn export(&self, request: &RouteRequest) -> Answer {
        let named = |name| Ok::<_, EdgeError>(request.query(name)?.filter(|text| !text.is_empty()));
        let format = ExportFormat::parse(named("format")?.as_deref().unwrap_or("patch"))?;
        let head = self.present()?;
        let (from, to) = (named("from")?, named("to")?.unwrap_or_else(|| head.revision.id.clone()));
        let (revision, files) = self.workspace.revision(self.id(), &to).map_err(fault)?;
        let files = files.unwrap_or_default();
        let before = match &from {
            Some(from) => self.workspace.revision(self.id(), from).map_err(fault)?.1.unwrap_or_default(),
            None => Files::new(),
        };
        let blobs = self.blobs(&profile(&head).tenant_id, format, &before, &files).await?;
        let (kind, name, bytes) = match format {
            ExportFormat::Patch => {
                ("text/x-diff; charset=utf-8", "patch", patch(&before, &files, &blobs)?.into_bytes())
            }
            ExportFormat::Zip => ("application/zip", "zip", zipped(&files, &blobs)?),
            ExportFormat::Commit => {
                let base = from.as_ref().map(|from| ExportedTree { revision_id: from, files: &before });
                let made =
                    commit(self.id(), base, ExportedTree { revision_id: &to, files: &files }, author(&revision.actor));
                ("application/json", "json", json!(made).to_string().into_bytes())
            }
        };
        let headers = Headers::new();
        headers.set("content-type", kind)?;
        headers.set("cache-control", "no-store")?;
        headers.set("content-disposition", &format!("attachment; filename=\"{}-{to}.{name}\"", self.id()))?;
        Ok(Response::builder().with_status(200).with_headers(headers).fixed(bytes))
    }

    /// Answers with the source map of an asset of a version, or of the result of a proposal.
    pub async fn source_map(&self, request: &RouteRequest) -> Answer {
        let named = |name| Ok::<_, EdgeError>(request.query(name)?.unwrap_or_default());
        let (of, asset) = (named("of")?, named("asset")?);
        self.present()?;
        let builds = self.workspace.builds();
        let artifact = match of.strip_prefix("cs_") {
            Some(_) => builds.reusable(self.id(), &self.result_key(&of)?, now_ms())?,
            None if self.workspace.knows(self.id(), &of)? => {
                builds.of(self.id(), &of)?.and_then(|build| build.artifact)
            }
            None => return Err(EdgeError::of(404, &NO_REVISION, args! {})),
        };
        let missing = || EdgeError::of(404, &NO_BUILT_ASSET, args! {});
        let artifact = artifact.ok_or_else(missing)?;
        let dist: AppDist = serde_json::from_str(&artifact.manifest)?;
        let path = format!("{asset}.map");
        let map = dist.maps.iter().find(|map| map.path == path).ok_or_else(missing)?;
        let key = format!("{}{}", maps_beside(&artifact.dist), map.path);
        let bytes = artifacts::get(&self.object.env, &key).await.map_err(|error| unreadable(&error))?;
        let bytes = bytes.filter(|bytes| bytes_hash(bytes) == map.sha256).ok_or_else(missing)?;
        let headers = Headers::new();
        headers.set("content-type", "application/json")?;
        headers.set("cache-control", "no-store")?;
        Ok(Response::builder().with_status(200).with_headers(headers).fixed(bytes))
    }

    /// The bytes that an export is made of, as far as the store has them.
    async fn blobs(
        &self,
        tenant: &str,
        format: ExportFormat,
        from: &Files,
        to: &Files,
    ) -> Result<BlobBytes, EdgeError> {
        let mut blobs = BTreeMap::new();
        for hash in format.blobs(from, to) {
            let key = builds::blob_key(tenant, self.id(), hash);
            let found = artifacts::get(&self.object.env, &key).await.map_err(|error| unreadable(&error))?;
            if let Some(bytes) = found {
                blobs.insert(hash.to_owned(), bytes);
            }
        }
        Ok(blobs)
    }
}

fn unreadable(error: &worker::Error) -> EdgeError {
    worker::console_error!("{}", json!({"event": "artifact_failed", "cause": cause(error)}));
    EdgeError::of(503, &STORAGE_UNAVAILABLE, args! {})
}
