//! What apps, their revisions and builds look like to whoever asks (spec: app-builder.md §2).

use holdpoint_check::args;
use holdpoint_kind_app::dialect::apply::{Changed, ChangedStatus};
use holdpoint_kind_app::packs;
use holdpoint_kind_app::routes::codes::NO_REVISION;
use holdpoint_kind_app::stage::AppRevision;
use holdpoint_kind_app::wire::{
    App, AppDist, AppPublication, AppStatus, AppTemplate, AppVersion, BuildState, SteppedVersion,
};
use holdpoint_store::build::Build;
use holdpoint_store::publish::{Publish, PublishKind};
use holdpoint_store::workspace::{Cause, Head, Revision};
use serde_json::Value;

use super::{AppDesk, AppSettings, profile};
use crate::answer::EdgeError;
use crate::js::iso;

const RUNTIME: &str = "vite_static";
/// Bytes of a log's end that stand in answers.
const LOG_TAIL_BYTES: usize = 64 << 10;
/// Checkpoints that are looked through for the names of revisions.
const LABELS: u32 = 200;

impl AppDesk<'_> {
    pub fn app(&self, head: &Head) -> Result<App, EdgeError> {
        app(&self.workspace, head, &self.object.work.settings)
    }

    /// A revision, with the name and the build that it has.
    pub fn version(&self, revision: Revision) -> Result<AppVersion, EdgeError> {
        let labels = self.labels()?;
        self.labelled(revision, &labels)
    }

    pub fn versions(&self, revisions: Vec<Revision>) -> Result<Vec<AppVersion>, EdgeError> {
        let labels = self.labels()?;
        revisions.into_iter().map(|revision| self.labelled(revision, &labels)).collect()
    }

    fn labelled(&self, revision: Revision, labels: &[(String, String)]) -> Result<AppVersion, EdgeError> {
        let build = self.workspace.builds().of(self.id(), &revision.id)?;
        let label = labels.iter().find(|(of, _)| *of == revision.id).map(|(_, label)| label.clone());
        let facts = facts(&revision);
        let origin_kind = origin_kind(&revision, &facts).to_owned();
        let time = |ms: Option<i64>| ms.map(iso);
        Ok(AppVersion {
            app_id: self.id().to_owned(),
            number: revision.id.strip_prefix("rev_").and_then(|text| text.parse().ok()).unwrap_or_default(),
            changed: changed(&revision),
            template_key: facts.template_key,
            entry_file: facts.entry_file,
            files_hash: facts.files_hash,
            file_count: facts.file_count,
            source_revision_id: revision.parent,
            restored_from_revision_id: revision.about,
            origin_kind,
            label,
            created_by: author(&revision.actor).to_owned(),
            created_at: iso(revision.at),
            build_status: build.as_ref().map(|build| build.status.as_str().to_owned()),
            build_seq: build.as_ref().map(|build| build.seq),
            build_error_code: build.as_ref().and_then(|build| build.error_code.clone()),
            build_started_at: time(build.as_ref().and_then(|build| build.started)),
            build_finished_at: time(build.as_ref().and_then(|build| build.finished)),
            template_runtime: RUNTIME.to_owned(),
            files: None,
            id: revision.id,
        })
    }

    /// The names of revisions, the newest first.
    fn labels(&self) -> Result<Vec<(String, String)>, EdgeError> {
        let page = self.workspace.checkpoints(self.id(), None, LABELS).map_err(super::fault)?;
        Ok(page.items.into_iter().filter(|one| !one.auto).map(|one| (one.revision, one.label)).collect())
    }

    /// The draft after a step along the history.
    pub fn stepped(&self, head: &Head) -> Result<SteppedVersion, EdgeError> {
        Ok(SteppedVersion {
            restored_from_revision_id: head.revision.about.clone(),
            revision: self.version(head.revision.clone())?,
            can_undo: can_undo(head),
            can_redo: head.can_go_forth,
        })
    }

    /// The build of a revision.
    pub fn build(&self, revision: &str) -> Result<BuildState, EdgeError> {
        let build = self.workspace.builds().of(self.id(), revision)?;
        let build = build.ok_or_else(|| EdgeError::of(404, &NO_REVISION, args! {}))?;
        let log_tail = self.workspace.builds().log_tail(build.number, LOG_TAIL_BYTES)?;
        Ok(build_state(revision, build, log_tail))
    }
}

/// Whether the place before is one where the app was there.
pub fn can_undo(head: &Head) -> bool {
    head.can_go_back && head.previous.as_ref().is_some_and(|previous| previous.stands)
}

pub fn app(
    workspace: &holdpoint_store::Workspace<crate::sql::ObjectSql>,
    head: &Head,
    settings: &AppSettings,
) -> Result<App, EdgeError> {
    let (own, facts) = (profile(head), facts(&head.revision));
    let published = workspace.publishes().current(&head.id)?;
    let is_published = published.as_ref().is_some_and(|publish| publish.kind != PublishKind::Unpublish);
    let status = match (is_published, own.archived) {
        (true, _) => AppStatus::Published,
        (false, true) => AppStatus::Archived,
        (false, false) => AppStatus::Draft,
    };
    let url = |publish: &Publish| published_url(settings, &own.slug, &publish.revision);
    Ok(App {
        id: head.id.clone(),
        tenant_id: own.tenant_id.clone(),
        name: own.name.clone(),
        slug: own.slug.clone(),
        status,
        template_key: facts.template_key,
        catalog_version: facts.catalog_version,
        current_draft_revision_id: head.revision.id.clone(),
        current_published_revision_id: published.as_ref().map(|publish| publish.revision.clone()),
        published_url: published.as_ref().filter(|_| is_published).and_then(url),
        created_by: head.owner.clone(),
        created_at: iso(head.created),
        updated_at: iso(head.updated),
        published_at: published.as_ref().filter(|_| is_published).and_then(|publish| publish.done).map(iso),
        settings: own.settings,
    })
}

/// Where a published revision is opened; `None`: the deployment has no origin for it.
pub fn published_url(settings: &AppSettings, slug: &str, revision: &str) -> Option<String> {
    let origin = settings.published_origin.as_ref()?.of(slug);
    Some(format!("{origin}{}/{slug}/{revision}/", settings.published_prefix))
}

/// The user behind what is noted of who made a revision.
pub fn author(actor: &str) -> &str {
    actor.strip_prefix("user:").unwrap_or(actor)
}

/// What a revision keeps that only this kind knows.
pub fn facts(revision: &Revision) -> AppRevision {
    serde_json::from_value(revision.facts.0.clone()).unwrap_or_default()
}

pub fn publication(publish: Publish) -> AppPublication {
    AppPublication {
        publish_seq: publish.seq,
        revision_id: publish.revision,
        kind: publish.kind.as_str().to_owned(),
        published_by: publish.user,
        at: iso(publish.at),
        done: publish.done.is_some(),
    }
}

pub fn templates() -> Vec<AppTemplate> {
    let template = |pack: &packs::TemplatePack| {
        let manifest = pack.manifest.clone();
        AppTemplate {
            key: manifest.key,
            name: manifest.name,
            description: manifest.description,
            thumbnail: manifest.thumbnail,
            tags: manifest.tags,
            entry_file: manifest.entry_file,
            style_tokens: manifest.style_tokens,
            template_hash: pack.hash.clone(),
        }
    };
    packs::all().iter().map(template).collect()
}

fn build_state(revision: &str, build: Build, log_tail: String) -> BuildState {
    let list = |text: String| serde_json::from_str::<Vec<Value>>(&text).unwrap_or_default();
    let manifest =
        build.artifact.as_ref().and_then(|artifact| serde_json::from_str::<AppDist>(&artifact.manifest).ok());
    BuildState {
        revision_id: revision.to_owned(),
        build_status: build.status.as_str().to_owned(),
        build_seq: build.seq,
        build_error: build.error,
        build_error_code: build.error_code,
        diagnostics: build.diagnostics.map(list).unwrap_or_default(),
        stage: build.stage,
        attempts: build.attempts,
        build_started_at: build.started.map(iso),
        build_finished_at: build.finished.map(iso),
        dist_storage_prefix: build.artifact.map(|artifact| artifact.dist),
        dist_manifest: manifest,
        template_runtime: RUNTIME.to_owned(),
        log_tail,
    }
}

/// The seed's word for where a revision comes from.
fn origin_kind<'r>(revision: &Revision, facts: &'r AppRevision) -> &'r str {
    match (revision.cause, facts.origin.as_deref()) {
        (Cause::Save | Cause::Apply, Some(origin)) => origin,
        (Cause::Create | Cause::Import, _) => "app_init",
        (Cause::Save, None) => "manual_save",
        (Cause::Apply, None) => "coding_run",
        (Cause::Reset, _) => "template_reset",
        (Cause::Merge, _) => "merge",
        (Cause::Undo, _) => "undo",
        (Cause::Redo, _) => "redo",
        (Cause::Restore, _) => "restore",
        (Cause::Remove, _) => "removed",
    }
}

fn changed(revision: &Revision) -> Vec<Changed> {
    let status = |before: bool, after: bool| match (before, after) {
        (false, _) => ChangedStatus::Added,
        (true, true) => ChangedStatus::Modified,
        (true, false) => ChangedStatus::Deleted,
    };
    let one = |(path, (before, after)): (&String, &(Option<String>, Option<String>))| Changed {
        path: path.clone(),
        status: status(before.is_some(), after.is_some()),
    };
    revision.changed.iter().map(one).collect()
}
