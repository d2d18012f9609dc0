//! What is asked of a project.

use holdpoint_store::ledger::Principal;

use crate::account::Caller;

/// What is asked, and for whom; the account has said who asks, and that the bundle is theirs.
#[derive(Debug, Clone)]
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

impl ProjectCommand<()> {
    pub fn with<C>(self, command: C) -> ProjectCommand<C> {
        let Self { caller, principal, correlation_id, route, bundle, listed, eval, command: () } = self;
        ProjectCommand { caller, principal, correlation_id, route, bundle, listed, eval, command }
    }
}
