//! Apps as wholes: made, shown, changed, deleted; and what other objects ask of one (spec: app-builder.md §2, §3).
//!
//! Invariant: an address is claimed before an app has it, and let go of when no app has it any more.

use holdpoint_change::{Base, Change, Facts, Hand, HandCause};
use holdpoint_check::{ApiError, args};
use holdpoint_kind::Kind;
use holdpoint_kind_app::ViteApp;
use holdpoint_kind_app::packs;
use holdpoint_kind_app::requests::{
    AppChangeBody, AppSettings, NewAppBody, STATUS_NOT_SETTABLE, WorkingCopyBody, app_name, chosen_slug,
};
use holdpoint_kind_app::routes::codes::APP_PUBLISHED;
use holdpoint_kind_app::slug::{self, SLUG_TAKEN};
use holdpoint_kind_app::stage::AppProfile;
use holdpoint_kind_app::wire::{App, AppStatus, BuilderState, DeletedOfApp, KeptWork};
use holdpoint_store::working_copy::{WorkingCopy, WorkingCopyError};
use holdpoint_store::workspace::{Bundle, Head};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::served::AssetFound;
use super::shown::{self, can_undo};
use super::versions::template;
use super::{AppDesk, builds, fault, present, profile};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::iso;
use crate::objects::ask;
use crate::project::{LIST_AGAIN_MS, Object};
use crate::slug::SlugCommand;

/// Names like a title that are tried before its maker has to choose.
const MOST_TRIES: usize = 20;
/// Characters of an id behind its word: an address of that form could be taken for the origin of a preview.
const ID_CHARS: usize = 26;

/// What another object asks of an app's project.
#[derive(Serialize, Deserialize)]
pub enum AppTask {
    /// The app, for a list.
    Show { id: String },
    /// What a path of a revision's build names.
    Asset { id: String, revision: String, path: String },
}

pub fn perform(object: &Object, task: AppTask) -> Result<Value, EdgeError> {
    let workspace = object.workspace()?;
    match task {
        AppTask::Show { id } => {
            let head = present(&workspace, &id)?;
            Ok(json!(shown::app(&workspace, &head, &object.work.settings)?))
        }
        AppTask::Asset { id, revision, path } => Ok(json!(AssetFound::of(&workspace, &id, &revision, &path)?)),
    }
}

impl AppDesk<'_> {
    /// Makes an app with its first revision.
    pub async fn create(&self, body: &NewAppBody) -> Result<App, EdgeError> {
        // A request that was cut off behind its write, and is sent again under its key.
        if let Ok(head) = self.present() {
            return self.app(&head);
        }
        let name = app_name(&body.name)?;
        let settings = AppSettings::default().changed(body.settings.as_ref())?;
        let (files, next) = template(body.template_key.as_deref().unwrap_or(packs::DEFAULT))?;
        // First the alarm: should this end halfway, it lists what was stored.
        self.object.set_alarm_by(self.now + LIST_AGAIN_MS).await?;
        let slug = match &body.slug {
            Some(chosen) => {
                let chosen = chosen_slug(chosen)?;
                if self.claim(&chosen).await? { Ok(chosen) } else { Err(taken(&chosen)) }
            }
            None => self.free_slug(&name).await,
        }?;
        let tenant = &self.head.caller.account;
        let own = AppProfile { tenant_id: tenant.clone(), name, slug, archived: false, settings };
        let bundle =
            Bundle { id: self.id(), kind: ViteApp::ID, title: &own.name, owner: self.user(), account: Some(tenant) };
        let hand =
            Hand { files, facts: Facts(json!(next)), cause: HandCause::Create, by: person(&self.head.principal) };
        let key = builds::key(&own.settings, &next);
        let change = Change::Hand(hand);
        let made = self.workspace.write_built(&bundle, &Base::default(), change, &self.by(), &key).map_err(fault)?;
        // Nothing is awaited in between: the platform writes both or none.
        let head = self.set_profile(&made, &own)?;
        if let Err(fault) = self
            .ask_slug(&own.slug, &SlugCommand::Confirm { tenant_id: tenant.clone(), app_id: self.id().to_owned() })
            .await
        {
            worker::console_error!("{}", json!({"event": "slug_unconfirmed", "code": fault.code}));
        }
        self.object.list_new(tenant, self.id()).await;
        self.app(&head)
    }

    /// Changes what the request names and leaves the rest.
    pub async fn change(&self, body: &AppChangeBody) -> Result<App, EdgeError> {
        let head = self.present()?;
        let mut own = profile(&head);
        let app = self.app(&head)?;
        match body.status.as_deref() {
            None => {}
            Some("archived") if app.status == AppStatus::Published => {
                return Err(EdgeError::of(409, &APP_PUBLISHED, args! {}));
            }
            Some("archived") => own.archived = true,
            Some("draft") => own.archived = false,
            Some(_) => return Err(ApiError::at("/status", &STATUS_NOT_SETTABLE, args! {}).status(400).into()),
        }
        if let Some(name) = &body.name {
            own.name = app_name(name)?;
        }
        own.settings = own.settings.changed(body.settings.as_ref())?;
        let before = own.slug.clone();
        if let Some(chosen) = body.slug.as_ref().filter(|chosen| **chosen != before) {
            let chosen = chosen_slug(chosen)?;
            if app.status == AppStatus::Published {
                return Err(EdgeError::of(409, &APP_PUBLISHED, args! {}));
            }
            if !self.claim(&chosen).await? {
                return Err(taken(&chosen));
            }
            own.slug = chosen;
        }
        let rebuilt =
            own.settings.env != app.settings.env || own.settings.dependency_policy != app.settings.dependency_policy;
        let head = self.set_profile(&head, &own)?;
        if rebuilt {
            let key = builds::key(&own.settings, &shown::facts(&head.revision));
            drop(self.workspace.builds().requeue(self.id(), &head.revision.id, &key, self.now));
        }
        if before != own.slug {
            let (tenant_id, app_id) = (own.tenant_id.clone(), self.id().to_owned());
            self.ask_slug(&own.slug, &SlugCommand::Confirm { tenant_id, app_id: app_id.clone() }).await?;
            self.ask_slug(&before, &SlugCommand::Release { app_id }).await?;
        }
        self.object.work.changed();
        self.object.list(&own.tenant_id, self.id()).await;
        self.app(&head)
    }

    /// Deletes an app: its address is free from then on, and the alarm deletes what was built of it.
    pub async fn delete(&self) -> Result<DeletedOfApp, EdgeError> {
        let head = self.present()?;
        let own = profile(&head);
        self.ask_slug(&own.slug, &SlugCommand::Release { app_id: self.id().to_owned() }).await?;
        let tenant = &self.head.caller.account;
        let base = self.workspace.base(self.id())?;
        let bundle = Bundle { account: Some(tenant), ..Bundle::from(&head) };
        let removed = Change::Removed(person(&self.head.principal));
        self.workspace.write_forgetting(&bundle, &base, removed, &self.by()).map_err(fault)?;
        self.workspace.uploads().drop_all(self.id(), &builds::blob_key(tenant, self.id(), ""), self.now)?;
        self.object.work.changed();
        self.object.set_alarm().await;
        self.object.list_new(tenant, self.id()).await;
        Ok(DeletedOfApp { status: "deleted".to_owned(), id: self.id().to_owned() })
    }

    /// What a page of the builder begins with.
    pub fn state(&self, origin: &str) -> Result<BuilderState, EdgeError> {
        let head = self.present()?;
        let app = self.app(&head)?;
        let published = match &app.current_published_revision_id {
            Some(id) => Some(self.version(self.workspace.revision(self.id(), id).map_err(fault)?.0)?),
            None => None,
        };
        let preview = self.preview(&head.revision.id, origin).ok();
        let mut draft = self.version(head.revision.clone())?;
        draft.files = self.workspace.files(self.id())?;
        Ok(BuilderState {
            app,
            templates: shown::templates(),
            current_draft_revision: draft,
            current_published_revision: published,
            preview_token: preview.as_ref().map(|address| address.preview_token.clone()),
            preview_url: preview.map(|address| address.preview_url),
            active_run: self.active_run()?,
            can_undo: can_undo(&head),
            can_redo: head.can_go_forth,
        })
    }

    /// What one has not saved yet, where there is something.
    pub fn working_copy(&self) -> Result<Option<KeptWork>, EdgeError> {
        self.present()?;
        let copy = self.workspace.working_copies().get(self.id(), self.user())?;
        Ok(copy.map(|copy| KeptWork {
            base_revision_id: copy.base,
            files: copy.files,
            entry_file: copy.entry,
            updated_at: iso(copy.updated),
        }))
    }

    pub fn keep_working_copy(&self, body: WorkingCopyBody) -> Result<KeptWork, EdgeError> {
        self.present()?;
        let WorkingCopyBody { base_revision_id, files, entry_file } = body;
        let copy = WorkingCopy { base: base_revision_id, files, entry: entry_file, updated: self.now };
        self.workspace.working_copies().put(self.id(), self.user(), &copy).map_err(|error| match error {
            WorkingCopyError::NotFound => fault(holdpoint_store::workspace::WriteError::NotFound),
            WorkingCopyError::TooLarge { limit, max, actual } => EdgeError::new(
                400,
                "BUILDER_PATCH_POLICY_VIOLATION",
                WorkingCopyError::TooLarge { limit, max, actual }.to_string(),
            ),
            WorkingCopyError::Sql(error) => error.into(),
        })?;
        let kept = self.working_copy()?;
        kept.ok_or_else(|| EdgeError::internal("a working copy that was kept is not there"))
    }

    pub async fn ask_slug(&self, slug: &str, command: &SlugCommand) -> Result<Value, EdgeError> {
        ask(&self.object.objects.slug(slug)?, command).await
    }

    fn set_profile(&self, head: &Head, own: &AppProfile) -> Result<Head, EdgeError> {
        let base = Base { revision: Some(head.revision.id.clone()), ..Base::default() };
        let change = Change::Facts(Facts(json!(own)), person(&self.head.principal));
        let bundle = Bundle { title: &own.name, ..Bundle::from(head) };
        self.workspace.write(&bundle, &base, change, &self.by()).map_err(fault)
    }

    /// Claims an address. `false`: another app has it.
    async fn claim(&self, slug: &str) -> Result<bool, EdgeError> {
        let is_id = slug.strip_prefix("app").is_some_and(|rest| rest.len() == ID_CHARS);
        if is_id {
            return Ok(false);
        }
        let (tenant_id, app_id) = (self.head.caller.account.clone(), self.id().to_owned());
        let answer = self.ask_slug(slug, &SlugCommand::Claim { tenant_id, app_id, now: self.now }).await?;
        Ok(answer["mine"] == true)
    }

    /// Claims a free address like a name.
    async fn free_slug(&self, name: &str) -> Result<String, EdgeError> {
        let mut tried = Vec::new();
        for _ in 0..MOST_TRIES {
            let slug = slug::suggest(name, |slug| tried.iter().any(|other| other == slug))?;
            if self.claim(&slug).await? {
                return Ok(slug);
            }
            tried.push(slug);
        }
        Err(taken(tried.first().map_or("", String::as_str)))
    }
}

fn taken(slug: &str) -> EdgeError {
    EdgeError::of(409, &SLUG_TAKEN, args! { slug })
}

/// Whether a build of the app's draft is worked on behind an answer.
pub async fn behind(object: &Object, id: &str) {
    if let Err(fault) = builds::work_off(object, id).await {
        worker::console_error!("{}", json!({"event": "build_fault", "code": fault.code}));
    }
}
