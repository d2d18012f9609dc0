//! The `Project` object: a user's extensions, or one script tool (`crate::editor`); the single writer and the authority
//! over what is installed (DESIGN §3, spec: authoring.md §9, §9.1).
//!
//! Owns the gate: it checks and reviews again what the page has shown. Invariants: nothing is stored that does not
//! check; nothing is stored that differs from what its user named; what is stale answers 409 with a fresh review and
//! changes nothing.

use std::cell::RefCell;
use std::rc::Rc;

use holdpoint_store::Project as Store;
use holdpoint_store::ledger::Principal;
use holdpoint_store::project::{By, ProjectError};
use holdpoint_store::wire::WithFiles;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::answer::Fault;
use crate::auth::person;
use crate::editor::{self, Desk, EDITOR_PATH};
use crate::js::now_ms;
use crate::kinds::ifc_extension;
use crate::objects::{read, reply};
use crate::sql::ObjectSql;

/// What a project can be asked.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    /// Who asks; the account has checked it.
    pub principal: Principal,
    /// What.
    pub ask: Ask,
}

/// See [`Question`].
#[derive(Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Ask {
    List { cursor: Option<String>, limit: u32 },
    Get { id: String },
    Revisions { id: String, cursor: Option<String>, limit: u32 },
    Revision { id: String, revision: String },
    Review { body: Value },
    Install { body: Value },
    Step { id: String, action: Action, base_hash: Option<String>, reason: Option<String> },
}

/// What else can be done to an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Action {
    Undo,
    Redo,
    Enable,
    Disable,
    Remove,
}

/// See the module.
#[durable_object(alarm)]
pub struct Project {
    state: State,
    store: RefCell<Option<Rc<Store<ObjectSql>>>>,
    /// Where this object is a script tool.
    desk: Rc<Desk>,
}

impl DurableObject for Project {
    fn new(state: State, env: Env) -> Self {
        let desk = Rc::new(Desk::new(&state, env));
        Self { state, store: RefCell::default(), desk }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        if request.path() == EDITOR_PATH {
            return editor::answer(&self.state, &self.desk, request).await;
        }
        let question: Question = read(&mut request).await?;
        reply(self.answer(question))
    }

    /// Only tools set alarms.
    async fn alarm(&self) -> Result<Response> {
        if let Err(fault) = self.desk.ring().await {
            return Err(worker::Error::RustError(fault.message));
        }
        Response::empty()
    }
}

type Answered = std::result::Result<Value, Fault>;

impl Project {
    fn store(&self) -> std::result::Result<Rc<Store<ObjectSql>>, Fault> {
        if let Some(store) = &*self.store.borrow() {
            return Ok(store.clone());
        }
        let store = Rc::new(Store::open(ObjectSql::new(&self.state))?);
        *self.store.borrow_mut() = Some(store.clone());
        Ok(store)
    }

    fn answer(&self, Question { principal, ask }: Question) -> Answered {
        let actor = principal.actor();
        let store = self.store()?;
        let by = By { actor: &actor, now: now_ms() };
        match ask {
            Ask::List { cursor, limit } => Ok(json!(store.list(cursor.as_deref().unwrap_or_default(), limit)?)),
            Ask::Get { id } => {
                let record = store.record(&id)?.ok_or_else(|| Fault::from(ProjectError::NotFound))?;
                Ok(json!(WithFiles { kept: record, files: store.files(&id)? }))
            }
            Ask::Revisions { id, cursor, limit } => Ok(json!(store.revisions(&id, cursor.as_deref(), limit)?)),
            Ask::Revision { id, revision } => {
                let (kept, files) = store.revision(&id, &revision)?;
                Ok(json!(WithFiles { kept, files }))
            }
            Ask::Review { body } => ifc_extension::review(&store, &body),
            Ask::Install { body } => {
                let install = ifc_extension::verify(&store, &body, person(&principal))?;
                match store.install(&install, by) {
                    Ok(record) => Ok(json!(record)),
                    Err(ProjectError::Stale { .. }) => Err(ifc_extension::conflict_now(&store, &body)),
                    Err(error) => Err(error.into()),
                }
            }
            Ask::Step { id, action, base_hash, reason } => {
                let base_hash = base_hash.as_deref();
                match action {
                    Action::Undo => Ok(json!(store.undo(&id, base_hash, by)?)),
                    Action::Redo => Ok(json!(store.redo(&id, base_hash, by)?)),
                    Action::Enable => Ok(json!(store.set_enabled(&id, base_hash, true, None, by)?)),
                    Action::Disable => Ok(json!(store.set_enabled(&id, base_hash, false, reason.as_deref(), by)?)),
                    Action::Remove => {
                        store.remove(&id, base_hash, by)?;
                        Ok(Value::Null)
                    }
                }
            }
        }
    }
}

impl From<ProjectError> for Fault {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::NotFound => {
                Self::not_found("There is no such extension or revision. List what is installed.")
            }
            ProjectError::Stale { current } => {
                Self::new(409, "CONFLICT", "The extension changed since you looked. Look again, then repeat.")
                    .with("reason", "base_changed".into())
                    .with("base_hash", json!(current))
            }
            ProjectError::NothingTo(action) => Self::new(409, "CONFLICT", format!("There is nothing to {action}."))
                .with("reason", format!("nothing_to_{action}").into()),
            ProjectError::Sql(error) => error.into(),
        }
    }
}
