//! What the Worker asks a project.

use holdpoint_gateway::Code;
use holdpoint_store::ledger::Principal;
use serde::{Deserialize, Serialize};
use worker::{Method, Request, RequestInit, Response, Stub};

use crate::account::Caller;
use crate::answer::EdgeError;

/// What is asked, and for whom; the account has said who asks, and that the bundle is theirs.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProjectCommand<C> {
    /// For calls of a model.
    pub caller: Caller,
    pub principal: Principal,
    /// Of the request; empty where its family names none.
    pub correlation_id: String,
    /// The request's route, as logs name it.
    pub route: String,
    /// The bundle; empty where none is named.
    pub bundle: String,
    /// The revision that the account lists, so that the list can follow.
    pub listed: Option<String>,
    /// An administrator measures (spec: script-tool.md §10 "Eval").
    pub eval: bool,
    /// What; only its kind knows.
    pub command: C,
}

impl<C> ProjectCommand<C> {
    /// What is asked, apart from for whom.
    pub fn split(self) -> (ProjectCommand<()>, C) {
        let Self { caller, principal, correlation_id, route, bundle, listed, eval, command } = self;
        (ProjectCommand { caller, principal, correlation_id, route, bundle, listed, eval, command: () }, command)
    }
}

impl ProjectCommand<()> {
    pub fn with<C>(self, command: C) -> ProjectCommand<C> {
        let Self { caller, principal, correlation_id, route, bundle, listed, eval, command: () } = self;
        ProjectCommand { caller, principal, correlation_id, route, bundle, listed, eval, command }
    }
}

impl<C: Serialize> ProjectCommand<C> {
    /// Asks a project. Its answer goes to the client as it is, a stream too.
    pub async fn ask(&self, project: &Stub) -> Result<Response, EdgeError> {
        let text = serde_json::to_string(self)?;
        let mut init = RequestInit::new();
        init.with_method(Method::Post).with_body(Some(text.into()));
        let request = Request::new_with_init("http://object", &init)?;
        project.fetch_with_request(request).await.map_err(|_| Code::LedgerUnavailable.into())
    }
}
