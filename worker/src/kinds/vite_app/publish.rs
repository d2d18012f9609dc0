//! Publishing: an address shows another revision, nothing is copied or rebuilt (spec: app-builder.md §8).
//!
//! Invariants: an older publish that ends last does not win; what crashed in between is said again by the alarm; a failure
//! leaves what was published as it was.

use std::collections::BTreeMap;

use holdpoint_bundle::bytes_hash;
use holdpoint_check::{Diagnostic, args};
use holdpoint_kind_app::health::{self, HEALTH_ARTIFACT_MISSING, HEALTH_BUILD_NOT_SUCCEEDED, HealthInput};
use holdpoint_kind_app::requests::PublishBody;
use holdpoint_kind_app::routes::codes::{
    BUILD_ARTIFACT_MISSING, BUILD_FAILED, BUILD_PENDING, NO_REVISION, NOT_PUBLISHED, PUBLISH_BLOCKED, REVISION_CONFLICT,
};
use holdpoint_kind_app::served::PREVIEW_ORIGIN_MISSING;
use holdpoint_kind_app::wire::{App, AppDist, AppHealth, AppPublication};
use holdpoint_store::Page;
use holdpoint_store::build::{Artifact, BuildStatus};
use holdpoint_store::publish::{Publish, PublishError, PublishKind};
use serde_json::{Value, json};

use super::builds::key;
use super::jobs::JobInput;
use super::shown::{facts, publication};
use super::{AppDesk, fault, present, profile};
use crate::answer::EdgeError;
use crate::artifacts;
use crate::js::now_ms;
use crate::objects::ask;
use crate::project::Object;
use crate::slug::SlugCommand;

/// Verdicts of tests that are kept.
const MAX_TESTED: usize = 64;
/// What is missing first where nothing is there.
const DOCUMENT: &str = "index.html";

impl AppDesk<'_> {
    /// Publishes a revision whose build is complete.
    pub async fn publish(&self, body: &PublishBody) -> Result<App, EdgeError> {
        let head = self.present()?;
        if body.base_revision_id.as_ref().is_some_and(|seen| *seen != head.revision.id) {
            let latest = head.revision.id.clone();
            return Err(EdgeError::of(409, &REVISION_CONFLICT, args! {}).with("latest_revision_id", latest));
        }
        let revision = body.revision_id.clone().unwrap_or_else(|| head.revision.id.clone());
        self.may_be_published(&revision).await?;
        self.flip(&revision, PublishKind::Publish).await
    }

    /// Goes back to what was published before, or to the revision that is named.
    pub async fn rollback(&self, body: &PublishBody) -> Result<App, EdgeError> {
        self.present()?;
        let previous = || -> Result<String, EdgeError> {
            let before = self.workspace.publishes().previous(self.id())?;
            Ok(before.ok_or_else(|| EdgeError::of(404, &NOT_PUBLISHED, args! {}))?.revision)
        };
        let revision = body.revision_id.clone().map_or_else(previous, Ok)?;
        self.may_be_published(&revision).await?;
        self.flip(&revision, PublishKind::Rollback).await
    }

    /// Takes the app off its address.
    pub async fn unpublish(&self) -> Result<App, EdgeError> {
        self.present()?;
        let current = self.workspace.publishes().current(self.id())?;
        let current = current.filter(|publish| publish.kind != PublishKind::Unpublish);
        let current = current.ok_or_else(|| EdgeError::of(404, &NOT_PUBLISHED, args! {}))?;
        self.flip(&current.revision, PublishKind::Unpublish).await
    }

    pub fn publications(&self, cursor: Option<&str>, limit: u32) -> Result<Page<AppPublication>, EdgeError> {
        self.present()?;
        Ok(self.workspace.publishes().history(self.id(), cursor, limit).map_err(fault)?.map(publication))
    }

    async fn may_be_published(&self, revision: &str) -> Result<(), EdgeError> {
        if self.object.work.settings.published_origin.is_none() {
            return Err(EdgeError::of(503, &PREVIEW_ORIGIN_MISSING, args! {}));
        }
        let build = self.workspace.builds().of(self.id(), revision)?;
        let build = build.ok_or_else(|| EdgeError::of(404, &NO_REVISION, args! {}))?;
        match build.status {
            BuildStatus::Queued | BuildStatus::Running => {
                return Err(EdgeError::of(409, &BUILD_PENDING, args! {})
                    .with("build_status", build.status.as_str())
                    .with("revision_id", revision));
            }
            BuildStatus::Failed => {
                let found: Value =
                    build.diagnostics.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
                return Err(EdgeError::of(422, &BUILD_FAILED, args! {})
                    .with("diagnostics", found)
                    .with("revision_id", revision));
            }
            BuildStatus::Succeeded => {}
        }
        let Some(artifact) = build.artifact else {
            return Err(EdgeError::of(409, &BUILD_ARTIFACT_MISSING, args! {}).with("revision_id", revision));
        };
        let mut found = self.found(revision, &artifact).await?;
        if found.iter().any(|one| one.code == HEALTH_ARTIFACT_MISSING.name) {
            return Err(EdgeError::of(409, &BUILD_ARTIFACT_MISSING, args! {}).with("revision_id", revision));
        }
        if profile(&self.present()?).settings.publish_requires_tests {
            found.extend(self.tested(revision).await?);
        }
        if found.iter().any(Diagnostic::is_error) {
            return Err(EdgeError::of(422, &PUBLISH_BLOCKED, args! {}).with("diagnostics", json!(found)));
        }
        Ok(())
    }

    /// What stands in the way of publishing a revision; the draft where none is named.
    pub async fn health(&self, revision: Option<String>) -> Result<AppHealth, EdgeError> {
        let head = self.present()?;
        let revision = revision.unwrap_or(head.revision.id);
        if !self.workspace.knows(self.id(), &revision)? {
            return Err(EdgeError::of(404, &NO_REVISION, args! {}));
        }
        let build = self.workspace.builds().of(self.id(), &revision)?;
        let build = build.filter(|build| build.status == BuildStatus::Succeeded);
        let mut found = match build.map(|build| build.artifact) {
            Some(Some(artifact)) => self.found(&revision, &artifact).await?,
            Some(None) => vec![missing(DOCUMENT)],
            None => vec![Diagnostic::of(&HEALTH_BUILD_NOT_SUCCEEDED, args! {})],
        };
        found.extend(self.tested(&revision).await?);
        let diagnostics = found.iter().map(|one| json!(one)).collect();
        Ok(AppHealth { ok: !found.iter().any(Diagnostic::is_error), revision_id: revision, diagnostics })
    }

    /// What a look at the stored assets finds.
    async fn found(&self, revision: &str, artifact: &Artifact) -> Result<Vec<Diagnostic>, EdgeError> {
        let Ok(dist) = serde_json::from_str::<AppDist>(&artifact.manifest) else {
            return Ok(vec![missing(DOCUMENT)]);
        };
        let (mut found, mut texts) = (Vec::new(), BTreeMap::new());
        for asset in &dist.assets {
            let stored = artifacts::get(&self.object.env, &format!("{}{}", artifact.dist, asset.path)).await;
            match stored {
                Ok(Some(bytes)) if bytes_hash(&bytes) == asset.sha256 => {
                    if let Some(text) = String::from_utf8(bytes).ok().filter(|_| is_text(&asset.path)) {
                        texts.insert(asset.path.clone(), text);
                    }
                }
                _ => found.push(missing(&asset.path)),
            }
        }
        let (_, files) = self.workspace.revision(self.id(), revision).map_err(fault)?;
        let (files, own) = (files.unwrap_or_default(), profile(&self.present()?));
        let input = HealthInput { files: &files, dist: &dist, texts: &texts, settings: &own.settings };
        found.extend(health::check(input));
        Ok(found)
    }

    /// What the tests of a revision say. Tests that passed are not run again.
    async fn tested(&self, revision: &str) -> Result<Vec<Diagnostic>, EdgeError> {
        let own = profile(&self.present()?);
        let (of, files) = self.workspace.revision(self.id(), revision).map_err(fault)?;
        let (known, files) = (facts(&of), files.unwrap_or_default());
        let (key, passed) = (key(&own.settings, &known), &self.object.work.tested);
        if !health::has_tests(&files) || passed.borrow().contains(&key) {
            return Ok(Vec::new());
        }
        let job = JobInput {
            app: self.id(),
            own: &own,
            entry_file: &known.entry_file,
            catalog_version: &known.catalog_version,
            files: &files,
        };
        let answer = job.tests(self.object, &[]).await;
        if answer.as_ref().is_some_and(|answer| answer.passed) {
            let mut passed = passed.borrow_mut();
            if passed.len() >= MAX_TESTED {
                passed.clear();
            }
            passed.insert(key);
        }
        Ok(health::tests(answer.as_ref(), own.settings.publish_requires_tests))
    }

    async fn flip(&self, revision: &str, kind: PublishKind) -> Result<App, EdgeError> {
        let intended = self.workspace.publishes().intend(self.id(), revision, kind, self.user(), now_ms());
        let intended = intended.map_err(refused)?;
        self.object.set_alarm().await;
        tell(self.object, &intended).await?;
        self.object.work.changed();
        let head = self.present()?;
        let app = self.app(&head)?;
        self.object.list(&app.tenant_id, self.id()).await;
        Ok(app)
    }
}

fn missing(name: &str) -> Diagnostic {
    Diagnostic::of(&HEALTH_ARTIFACT_MISSING, args! { name })
}

/// Whether health looks into an asset.
fn is_text(path: &str) -> bool {
    [".html", ".css", ".js", ".mjs"].iter().any(|ending| path.ends_with(ending))
}

/// Says to addresses what they have not heard yet.
pub async fn say_again(object: &Object) -> Result<(), EdgeError> {
    for intended in object.workspace()?.publishes().intended()? {
        if let Err(fault) = tell(object, &intended).await {
            worker::console_error!("{}", json!({"event": "publish_unheard", "code": fault.code}));
        }
    }
    Ok(())
}

/// Tells an address what it shows, and notes that it knows.
async fn tell(object: &Object, intended: &Publish) -> Result<(), EdgeError> {
    let workspace = object.workspace()?;
    let Ok(head) = present(&workspace, &intended.bundle) else {
        workspace.publishes().withdraw(&intended.bundle, intended.seq)?;
        return Ok(());
    };
    let own = profile(&head);
    let command = SlugCommand::Flip {
        tenant_id: own.tenant_id,
        app_id: intended.bundle.clone(),
        revision_id: (intended.kind != PublishKind::Unpublish).then(|| intended.revision.clone()),
        publish_seq: intended.seq,
        connect_origins: own.settings.connect_origins,
    };
    // Refused is what came behind a later one: that is done too, and does not win.
    let _: Value = ask(&object.objects.slug(&own.slug)?, &command).await?;
    workspace.publishes().done(&intended.bundle, intended.seq, now_ms())?;
    Ok(())
}

fn refused(error: PublishError) -> EdgeError {
    match error {
        PublishError::NotFound => EdgeError::of(404, &NO_REVISION, args! {}),
        PublishError::NotBuilt => EdgeError::of(409, &BUILD_ARTIFACT_MISSING, args! {}),
        PublishError::NotPublished => EdgeError::of(404, &NOT_PUBLISHED, args! {}),
        PublishError::Sql(error) => error.into(),
    }
}
