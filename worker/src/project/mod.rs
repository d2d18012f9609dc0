//! The `Project` object: a user's extensions, or one script tool (`crate::kinds::script_tool`); the single writer and the authority
//! over what is installed (DESIGN §3, spec: authoring.md §9, §9.1).
//!
//! Owns the gate: it checks and reviews again what the page has shown. Invariants: nothing is stored that does not
//! check; nothing is stored that differs from what its user named; what is stale answers 409 with a fresh review and
//! changes nothing.

pub mod lanes;
mod out;
pub mod reply;
pub mod run;
pub mod site;
mod upstream;

use std::rc::Rc;

use holdpoint_check::route::WithFiles;
use holdpoint_store::ledger::Principal;
use holdpoint_store::workspace::{By, Refused};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::answer::Fault;
use crate::auth::person;
use crate::js::now_ms;
pub use crate::kinds::ifc_extension::Action;
use crate::kinds::ifc_extension::{self, fault};
use crate::kinds::script_tool::desk::Desk;
use crate::kinds::script_tool::object;
use crate::kinds::script_tool::question::EDITOR_PATH;
use crate::objects::{read, reply};

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

/// See the module.
#[durable_object(alarm)]
pub struct Project {
    state: State,
    desk: Rc<Desk>,
}

impl DurableObject for Project {
    fn new(state: State, env: Env) -> Self {
        let desk = Rc::new(Desk::new(&state, env));
        Self { state, desk }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        if request.path() == EDITOR_PATH {
            return object::answer(&self.state, &self.desk, request).await;
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
    fn answer(&self, Question { principal, ask }: Question) -> Answered {
        let workspace = self.desk.workspace()?;
        let by = By { user: &principal.user_id, now: now_ms(), asked: None };
        Ok(match ask {
            Ask::List { cursor, limit } => {
                let page = workspace.list(cursor.as_deref().unwrap_or_default(), limit)?;
                json!(page.map(|head| ifc_extension::record(&head)))
            }
            Ask::Get { id } => {
                let record = workspace.head(&id)?.as_ref().and_then(ifc_extension::record);
                let kept = record.ok_or_else(|| fault(Refused::NotFound))?;
                json!(WithFiles { kept, files: workspace.files(&id)? })
            }
            Ask::Revisions { id, cursor, limit } => {
                json!(ifc_extension::revisions(&workspace, &id, cursor.as_deref(), limit)?)
            }
            Ask::Revision { id, revision } => {
                let (revision, files) = workspace.revision(&id, &revision).map_err(fault)?;
                json!(WithFiles { kept: ifc_extension::revision(revision), files })
            }
            Ask::Review { body } => ifc_extension::review(&workspace, &body)?,
            Ask::Install { body } => {
                json!(ifc_extension::installed(&workspace, &body, person(&principal), &by)?)
            }
            Ask::Step { id, action, base_hash, reason } => {
                let seen = base_hash.as_deref();
                json!(ifc_extension::act(&workspace, &id, action, seen, reason, person(&principal), &by)?)
            }
        })
    }
}
