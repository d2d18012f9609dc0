//! Whose a project is, and how its object is asked (spec: ai-sessions.md §1 "Auth").

use holdpoint_check::args;
use holdpoint_gateway::key::request_id;
use holdpoint_kind::Kind;
use holdpoint_kind_crew::CrewPackage;
use holdpoint_kind_crew::routes::codes::PROJECT_NOT_FOUND;
use holdpoint_store::ledger::Principal;
use serde::de::DeserializeOwned;
use worker::{Response, Stub};

use super::{CrewAsk, CrewCommand, ID};
use crate::account::{AccountCommand, Caller, Entered};
use crate::answer::EdgeError;
use crate::js::{now_ms, random};
use crate::kinds::KindCommand;
use crate::objects::ask;
use crate::project::ProjectCommand;
use crate::project::once::Once;
use crate::routes::{Edge, Incoming};

/// Somebody and a project of theirs.
pub struct ProjectEntry {
    /// As far as the Worker can say.
    pub caller: Caller,
    pub principal: Principal,
    pub id: String,
    /// The revision that the account lists; `None` of a new one.
    listed: Option<String>,
    project: Stub,
}

impl ProjectEntry {
    /// The project of the path. What is absent and what is foreign answer alike.
    pub async fn of(edge: &Edge, asked: &Incoming) -> Result<Self, EdgeError> {
        Self::at(edge, asked.caller()?, asked.place("project_id")).await
    }

    /// The project of an id.
    pub async fn at(edge: &Edge, caller: Caller, id: String) -> Result<Self, EdgeError> {
        let account = edge.objects.account(&caller.account)?;
        let entered: Entered =
            ask(&account, &AccountCommand::Enter { caller: caller.clone(), bundle: Some(id.clone()) }).await?;
        let principal = entered.principal;
        let is_theirs = |bundle: &holdpoint_store::ledger::Listed| {
            bundle.kind == CrewPackage::ID && bundle.owner == principal.user_id
        };
        let listed =
            entered.bundle.filter(is_theirs).ok_or_else(|| EdgeError::of(404, &PROJECT_NOT_FOUND, args! {}))?;
        let project = edge.objects.project(&caller.account, &format!("crew/{id}"))?;
        Ok(Self { caller, principal, id, listed: Some(listed.revision_id), project })
    }

    /// A project that is about to be made. A request that is sent again leads to the same one.
    pub async fn new(edge: &Edge, caller: Caller, once: Option<&Once>) -> Result<Self, EdgeError> {
        let account = edge.objects.account(&caller.account)?;
        // A ULID behind it, so that ids rise with time.
        let id = request_id(now_ms(), &random()?).replacen("req_", ID, 1);
        let entered: Entered = ask(&account, &AccountCommand::Enter { caller: caller.clone(), bundle: None }).await?;
        let id = match once {
            None => id,
            Some(once) => {
                let key = once.key.clone();
                ask(&account, &AccountCommand::Reserve { caller: caller.clone(), key, id }).await?
            }
        };
        let project = edge.objects.project(&caller.account, &format!("crew/{id}"))?;
        Ok(Self { caller, principal: entered.principal, id, listed: None, project })
    }

    /// Whether the project that a request is about to make is there: it was sent before.
    pub async fn is_made(edge: &Edge, caller: Caller, once: Option<&Once>) -> Result<bool, EdgeError> {
        let Some(once) = once else { return Ok(false) };
        let made = Self::new(edge, caller.clone(), Some(once)).await?;
        Ok(Self::at(edge, caller, made.id).await.is_ok())
    }

    pub async fn ask<A: DeserializeOwned>(
        self,
        asked: &Incoming,
        once: Option<Once>,
        command: CrewCommand,
    ) -> Result<A, EdgeError> {
        let (project, command) = self.command(asked, once, command);
        ask(&project, &command).await
    }

    /// Asks for a response, a stream too: it goes to the client as it is.
    #[allow(dead_code)] // streams of turns
    pub async fn send(self, asked: &Incoming, once: Option<Once>, command: CrewCommand) -> Result<Response, EdgeError> {
        let (project, command) = self.command(asked, once, command);
        command.ask(&project).await
    }

    fn command(
        self,
        asked: &Incoming,
        once: Option<Once>,
        command: CrewCommand,
    ) -> (Stub, ProjectCommand<KindCommand>) {
        let command = ProjectCommand {
            caller: self.caller,
            principal: self.principal,
            correlation_id: asked.id().to_owned(),
            route: asked.route().name(),
            bundle: self.id,
            listed: self.listed,
            eval: false,
            command: KindCommand::CrewPackage(CrewAsk { once, command }),
        };
        (self.project, command)
    }
}
