//! An app: a Vite project with its revisions, builds, previews and what of it is published (spec: app-builder.md).
//!
//! One app is one `Project` object that holds one bundle of the same id. Invariants: reads never write; every write of a
//! text goes through the gate of `holdpoint_change`; what is live is never blanked; what was built is served on another
//! origin than everything else.

mod apps;
mod blobs;
mod builds;
mod counted;
mod events;
mod export;
mod gate;
mod jobs;
mod offers;
mod proposals;
mod publish;
pub mod routes;
mod runner;
mod served;
mod settings;
mod shown;
mod stored;
mod turns;
mod versions;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures_channel::oneshot;
use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args};
use holdpoint_kind::Kind;
use holdpoint_kind_app::ViteApp;
use holdpoint_kind_app::routes::codes::NO_APP;
use holdpoint_kind_app::stage::{AppProfile, AppRules};
use holdpoint_store::Workspace;
use holdpoint_store::workspace::{By, Head, WriteError};
use serde_json::Value;
use worker::Env;

use super::ProjectNames;
use crate::account::Slice;
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::project::reply::as_editor;
use crate::project::{Object, ProjectCommand};
use crate::routes::RouteRequest;
use crate::settings::Settings;
use crate::sql::ObjectSql;

pub use apps::{AppTask, perform};
pub use builds::{next_alarm, on_alarm};
pub use served::assets;
pub use settings::AppSettings;

/// An app is a project. What is absent and what is foreign answer alike.
pub const NAMES: ProjectNames = ProjectNames {
    kind: ViteApp::ID,
    word: "app",
    prefix: "app_",
    reserves: true,
    refuse: |_| EdgeError::of(404, &NO_APP, args! {}),
};

/// What a project holds of apps in memory; it may be lost at any time.
pub struct AppWork {
    pub settings: Rc<AppSettings>,
    /// What gate builds are made of, by the number of the build.
    gates: RefCell<BTreeMap<i64, GateInput>>,
    /// The key of the result of each change set that was looked at last.
    results: RefCell<BTreeMap<i64, String>>,
    /// The keys of builds whose tests passed.
    tested: RefCell<BTreeSet<String>>,
    /// Who waits for something to change.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

/// A project that is built before it is a revision.
struct GateInput {
    files: Files,
    entry_file: String,
    catalog_version: String,
}

impl AppWork {
    pub fn new(env: &Env, settings: &Settings) -> Self {
        Self {
            settings: AppSettings::of(env, settings),
            gates: RefCell::default(),
            results: RefCell::default(),
            tested: RefCell::default(),
            waiting: RefCell::default(),
        }
    }

    /// Waits for the next change of builds, versions or publishes.
    fn wait(&self) -> oneshot::Receiver<()> {
        let (tell, heard) = oneshot::channel();
        self.waiting.borrow_mut().push(tell);
        heard
    }

    /// Tells whoever waits that something changed.
    fn changed(&self) {
        for waiting in self.waiting.take() {
            let _ = waiting.send(());
        }
    }
}

/// An app in its project, and who asks.
struct AppDesk<'a> {
    object: &'a Object,
    head: &'a ProjectCommand<()>,
    workspace: Rc<Workspace<ObjectSql>>,
    now: i64,
}

impl<'a> AppDesk<'a> {
    fn of(object: &'a Object, head: &'a ProjectCommand<()>) -> Result<Self, EdgeError> {
        Ok(Self { object, head, workspace: object.workspace()?, now: now_ms() })
    }

    fn id(&self) -> &str {
        &self.head.bundle
    }

    fn user(&self) -> &str {
        &self.head.principal.user_id
    }

    fn by(&self) -> By<'_> {
        By { user: self.user(), now: self.now, asked: None }
    }

    /// What the app and the deployment say of packages.
    fn rules(&self, own: &AppProfile) -> AppRules {
        let registry = self.object.work.settings.registry.clone();
        AppRules { policy: own.settings.dependency_policy, registry }
    }

    /// The app as it stands.
    fn present(&self) -> Result<Head, EdgeError> {
        present(&self.workspace, self.id())
    }
}

/// Items of a page: as many as are asked for, or a few (spec: app-builder.md §1).
fn slice(request: &RouteRequest) -> Result<Slice, EdgeError> {
    const ITEMS: u32 = 25;
    const MOST: u32 = 100;
    request.slice_by(ITEMS, MOST).map_err(|fault| as_editor(&fault))
}

/// The object in a body; what is wrong with it has the codes of this family.
fn object_of(request: &mut RouteRequest) -> Result<Value, EdgeError> {
    request.json().map_err(|fault| as_editor(&fault))
}

/// An app as it stands; one that was deleted is not there.
fn present(workspace: &Workspace<ObjectSql>, id: &str) -> Result<Head, EdgeError> {
    let head = workspace.head(id)?.filter(|head| head.fingerprints.is_some());
    head.ok_or_else(|| EdgeError::of(404, &NO_APP, args! {}))
}

/// What an app keeps beside its revisions.
fn profile(head: &Head) -> AppProfile {
    serde_json::from_value(head.facts.0.clone()).unwrap_or_default()
}

/// A refusal in the words of these routes.
fn fault(refused: WriteError) -> EdgeError {
    use holdpoint_kind_app::routes::codes::{
        MERGE_CONFLICT, NO_CURSOR, NO_REVISION, NOTHING_TO_REDO, NOTHING_TO_UNDO, REVISION_CONFLICT,
    };
    match refused {
        WriteError::NotFound => EdgeError::of(404, &NO_REVISION, args! {}),
        WriteError::Cursor => ApiError::at("/cursor", &NO_CURSOR, args! {}).status(422).into(),
        WriteError::Stale { current } => {
            EdgeError::of(409, &REVISION_CONFLICT, args! {}).with("latest_revision_id", current.revision)
        }
        WriteError::Blocked { paths } => {
            let conflict = |path: String| serde_json::json!({"path": path, "reason": "text"});
            let conflicts: Vec<_> = paths.into_iter().map(conflict).collect();
            EdgeError::of(409, &MERGE_CONFLICT, args! {}).with("conflicts", conflicts)
        }
        WriteError::NothingTo("redo") => EdgeError::of(404, &NOTHING_TO_REDO, args! {}),
        WriteError::NothingTo(_) => EdgeError::of(404, &NOTHING_TO_UNDO, args! {}),
        WriteError::Sql(error) => error.into(),
        WriteError::Token => EdgeError::internal("no token is issued for apps"),
    }
}
