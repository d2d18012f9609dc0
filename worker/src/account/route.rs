//! Which provider a call of an account goes to, where it has several (spec: gateway.md §7).
//!
//! What is known of providers is written down when it changes; how many calls a provider has is counted among the holds.
//! Of one candidate alone only its load is asked: there is nobody to go to in its place.

use std::collections::BTreeMap;

use holdpoint_gateway::GatewayError;
use holdpoint_gateway::route::{
    Asks, Breaker, NoRouteError, RouteDecision, RouteProvider, RouteReason, Routes, STICKY_MS,
};
use holdpoint_gateway::webhook::WebhookEvent;
use holdpoint_store::Ledger;
use holdpoint_store::ledger::CallAsk;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// A probe of which nothing was heard for so long is lost.
const PROBE_MS: i64 = 90_000;
/// Decisions that are remembered; beyond that the oldest are forgotten.
const MAX_DECIDED: usize = 10_000;

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
    /// Places among the candidates, the first to be tried first.
    pub order: Vec<usize>,
    /// The provider that is tried half-open.
    pub probe: Option<String>,
    /// Whether there are several candidates.
    pub others: bool,
    pub primary: String,
    /// Why that is not the primary one.
    pub fallback: Option<String>,
    /// The user whose call it is.
    pub user_id: String,
}

/// How a provider did with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouteResult {
    Worked,
    Failed {
        retryable: bool,
    },
    /// Nobody waited for it any more.
    Left,
}

impl RouteResult {
    /// What the outcome of an answer that had begun says of its provider.
    pub fn of(outcome: &str) -> Self {
        match outcome {
            "upstream_error" | "upstream_cut" | "stalled" | "timeout" => Self::Failed { retryable: true },
            "cancelled" | "client_gone" => Self::Left,
            _ => Self::Worked,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RouteNews {
    pub request_id: String,
    pub provider: String,
    pub result: RouteResult,
    pub user_id: String,
    pub alias: String,
    pub is_primary: bool,
}

/// What decides where calls go.
pub struct Routing {
    routes: Routes,
    /// By the ids of running calls: an admission that got no answer is asked for again, and answered alike.
    decided: BTreeMap<String, Routed>,
}

impl Routing {
    /// Routes as an account learned them.
    pub fn of(ledger: &Ledger<ObjectSql>, now: i64) -> Result<Self, EdgeError> {
        let breaker = Breaker { probe_ms: PROBE_MS, ..Breaker::default() };
        Ok(Self { routes: ledger.routes(now, breaker)?, decided: BTreeMap::new() })
    }

    /// Decides where a call goes, and names that place in what is asked for it. Errors: nobody can take it.
    pub fn decide(
        &mut self,
        ledger: &Ledger<ObjectSql>,
        user_id: &str,
        ask: &mut CallAsk,
        route: &RouteAsk,
        now: i64,
    ) -> Result<Routed, EdgeError> {
        let routed = match self.decided.get(&ask.request_id) {
            Some(routed) => routed.clone(),
            None => self.decided_now(ledger, user_id, ask, route, now)?,
        };
        let first = routed.order.first().and_then(|place| route.candidates.get(*place));
        if let Some(RouteCandidate { provider, model, price_version }) = first {
            (ask.facts.provider, ask.facts.model) = (provider.id.clone(), model.clone());
            ask.facts.price_version = *price_version;
        }
        ask.facts.fallback.clone_from(&routed.fallback);
        if routed.others {
            self.decided.insert(ask.request_id.clone(), routed.clone());
        }
        if self.decided.len() > MAX_DECIDED {
            self.decided.pop_first();
        }
        Ok(routed)
    }

    fn decided_now(
        &mut self,
        ledger: &Ledger<ObjectSql>,
        user_id: &str,
        ask: &CallAsk,
        route: &RouteAsk,
        now: i64,
    ) -> Result<Routed, EdgeError> {
        let candidates: Vec<&RouteProvider> = route.candidates.iter().map(|candidate| &candidate.provider).collect();
        let mut alone = Routes::default();
        let routes = if candidates.len() > 1 { &mut self.routes } else { &mut alone };
        for provider in candidates.iter().filter(|provider| provider.max_in_flight > 0) {
            routes.carries(&provider.id, ledger.calls_of(&provider.id)?);
        }
        let asks = Asks { at: now, user: Some(user_id), alias: &ask.facts.alias, allow_remote: route.allow_remote };
        let RouteDecision { order, reason, probe, .. } = routes.decide(&candidates, asks).map_err(refusal)?;
        let name = |place: Option<&usize>| place.and_then(|place| candidates.get(*place)).map(|one| one.id.clone());
        Ok(Routed {
            probe: name(order.first()).filter(|_| probe),
            primary: name(Some(&0)).unwrap_or_default(),
            others: candidates.len() > 1,
            fallback: (reason != RouteReason::PrimaryDefault).then(|| reason.name().to_owned()),
            user_id: user_id.to_owned(),
            order,
        })
    }

    /// Whether a provider is left alone.
    pub fn is_open(&self, provider: &str) -> bool {
        self.routes.kept(provider).is_some_and(|(_, open_until)| open_until.is_some())
    }

    /// The call was not admitted.
    pub fn refused(&mut self, request_id: &str) {
        if let Some(Routed { probe: Some(provider), .. }) = self.decided.remove(request_id) {
            self.routes.leave(&provider);
        }
    }

    /// Takes how a provider did.
    pub fn tried(&mut self, ledger: &Ledger<ObjectSql>, news: &RouteNews, now: i64) -> Result<(), EdgeError> {
        let RouteNews { request_id, provider, result, user_id, alias, is_primary } = news;
        let decided = self.decided.remove(request_id);
        let (knew, was_open) = (self.routes.kept(provider).is_some(), self.is_open(provider));
        match result {
            RouteResult::Worked => {
                self.routes.works(provider);
                if !is_primary {
                    let until = now.saturating_add(STICKY_MS);
                    self.routes.stick(user_id, alias, provider, until);
                    ledger.keep_sticky(now, user_id, alias, provider, until)?;
                }
            }
            RouteResult::Failed { retryable } => self.routes.fail(provider, now, *retryable),
            // Only whose probe it was can end it without a word.
            RouteResult::Left if decided.is_some_and(|routed| routed.probe.as_ref() == Some(provider)) => {
                self.routes.leave(provider);
            }
            RouteResult::Left => {}
        }
        if !was_open && self.is_open(provider) {
            ledger.tell(now, WebhookEvent::Breaker, &json!({ "provider": provider }))?;
        }
        if knew || self.routes.kept(provider).is_some() {
            ledger.keep_provider(&self.routes, provider)?;
        }
        Ok(())
    }
}

fn refusal(nobody: NoRouteError) -> GatewayError {
    let NoRouteError { code, skipped, retry_after_ms } = nobody;
    GatewayError::new(code).with(json!({ "retry_after_ms": retry_after_ms, "skipped": skipped }))
}
