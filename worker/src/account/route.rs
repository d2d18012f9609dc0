//! Which provider a call of an account goes to, where it has several (spec: gateway.md §7).
//!
//! What is known of providers lives in this object's memory: a life that begins knows of no failure, and learns again.
//! How many calls a provider has is counted among the holds.

use std::cell::RefCell;

use holdpoint_gateway::GatewayError;
use holdpoint_gateway::route::{Asks, Decision, NoRouteError, RouteProvider, RouteReason, Routes, STICKY_MS};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::{CallAsk, Principal};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// Where a call could go.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RouteAsk {
    /// The first is the primary one.
    pub candidates: Vec<RouteCandidate>,
    /// Whether a remote provider may answer for a local one.
    pub allow_remote: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RouteCandidate {
    pub provider: RouteProvider,
    pub model: String,
    pub price_version: Option<u64>,
}

/// What was decided of a call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Routed {
    /// Places among the candidates.
    pub order: Vec<usize>,
    /// The provider that is tried first.
    pub first: String,
    pub primary: String,
    /// Why that is not the primary one.
    pub fallback: Option<String>,
    /// Whose call it is.
    pub user_id: String,
}

/// How a provider did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouteResult {
    Worked,
    Failed {
        retryable: bool,
    },
    /// Nobody waited for it.
    Left,
}

impl RouteResult {
    /// What the outcome of an answer that had begun says of its provider.
    pub fn of(outcome: &str) -> Self {
        match outcome {
            "upstream_error" | "upstream_cut" | "stalled" | "timeout" => Self::Failed { retryable: true },
            _ => Self::Worked,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RouteNews {
    pub provider: String,
    pub result: RouteResult,
    pub user_id: String,
    pub alias: String,
    pub is_primary: bool,
}

/// Decides where a call goes, and names that place in what is asked for it. Errors: nobody can take it.
pub fn decide(
    ledger: &Ledger<ObjectSql>,
    routes: &RefCell<Routes>,
    principal: &Option<Principal>,
    ask: &mut CallAsk,
    route: &RouteAsk,
    now: i64,
) -> Result<Routed, EdgeError> {
    let mut routes = routes.borrow_mut();
    let candidates: Vec<&RouteProvider> = route.candidates.iter().map(|candidate| &candidate.provider).collect();
    for provider in candidates.iter().filter(|provider| provider.max_in_flight > 0) {
        routes.carries(&provider.id, ledger.calls_of(&provider.id)?);
    }
    let user = principal.as_ref().map(|principal| principal.user_id.as_str());
    let asks = Asks { at: now, user, alias: &ask.facts.alias, allow_remote: route.allow_remote };
    let Decision { order, reason, .. } = routes.decide(&candidates, asks).map_err(refusal)?;
    let first = order.first().and_then(|place| route.candidates.get(*place));
    if let Some(RouteCandidate { provider, model, price_version }) = first {
        (ask.facts.provider, ask.facts.model) = (provider.id.clone(), model.clone());
        ask.facts.price_version = *price_version;
    }
    let fallback = (reason != RouteReason::PrimaryDefault).then(|| reason.name().to_owned());
    Ok(Routed {
        order,
        first: ask.facts.provider.clone(),
        primary: candidates.first().map(|provider| provider.id.clone()).unwrap_or_default(),
        fallback,
        user_id: user.unwrap_or_default().to_owned(),
    })
}

fn refusal(nobody: NoRouteError) -> GatewayError {
    let NoRouteError { code, skipped, retry_after_ms } = nobody;
    GatewayError::new(code).with(json!({ "retry_after_ms": retry_after_ms, "skipped": skipped }))
}

/// Takes how a provider did.
pub fn tried(routes: &mut Routes, news: &RouteNews, now: i64) {
    let RouteNews { provider, result, user_id, alias, is_primary } = news;
    match result {
        RouteResult::Worked => {
            routes.works(provider);
            if !is_primary {
                routes.stick(user_id, alias, provider, now.saturating_add(STICKY_MS));
            }
        }
        RouteResult::Failed { retryable } => routes.fail(provider, now, *retryable),
        RouteResult::Left => routes.leave(provider),
    }
}
