//! Which provider a call goes to: breakers, sticky fallbacks, load, consent (spec: gateway.md §7).
//!
//! Pure: whoever keeps a [`Routes`] says when what happened. Invariants: the order of a decision has no candidate twice
//! and none that was skipped; of a provider that broke one call at a time is tried, and only once its time is over.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};

use crate::budget::Ms;
use crate::refusal::Code;

/// When a provider that fails is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Breaker {
    /// So many failures open it,
    pub failures: usize,
    /// if they lie closer together than that.
    pub window_ms: Ms,
    /// How long it stays open before one call is let through.
    pub open_ms: Ms,
    /// After which a call that was let through, and of which nothing was heard, counts as lost.
    pub probe_ms: Ms,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { failures: 2, window_ms: 30_000, open_ms: 90_000, probe_ms: Ms::MAX }
    }
}

/// How long a user stays with a fallback that worked.
pub const STICKY_MS: Ms = 600_000;
/// When to come back if no breaker says when.
const RETRY_MS: Ms = 1_000;
/// Users whose fallback is remembered; beyond that the one who leaves it first is forgotten.
const MAX_STICKY: usize = 10_000;

/// Whether a provider runs where its users are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Locality {
    Local,
    #[default]
    Remote,
}

/// What of a provider's configuration decides about routes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteProvider {
    pub id: String,
    #[serde(default)]
    pub locality: Locality,
    /// Calls at once; 0: any number.
    #[serde(default)]
    pub max_in_flight: u64,
}

/// Why a candidate is not first, or not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteReason {
    PrimaryDefault,
    StickyFallback,
    BreakerOpen,
    ProbeInProgress,
    LoadShed,
    RemoteFallbackRequired,
}

impl RouteReason {
    /// As refusals and headers name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PrimaryDefault => "primary_default",
            Self::StickyFallback => "sticky_fallback",
            Self::BreakerOpen => "breaker_open",
            Self::ProbeInProgress => "probe_in_progress",
            Self::LoadShed => "load_shed",
            Self::RemoteFallbackRequired => "remote_fallback_required",
        }
    }
}

impl Serialize for RouteReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skipped {
    pub provider: String,
    pub reason: RouteReason,
}

/// Who is tried, in which order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteDecision {
    /// Places among the candidates, the first to be tried first.
    pub order: Vec<usize>,
    /// Why the first candidate is not first.
    pub reason: RouteReason,
    /// The first one is tried half-open.
    pub probe: bool,
    pub skipped: Vec<Skipped>,
}

/// There is no provider that can be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRouteError {
    pub code: Code,
    pub skipped: Vec<Skipped>,
    /// Until the first breaker lets a call through.
    pub retry_after_ms: Ms,
}

#[derive(Debug, Clone, Default)]
struct State {
    /// Of the breaker's window, in order.
    failures: Vec<Ms>,
    open_until: Option<Ms>,
    /// Since when a call is let through.
    probing: Option<Ms>,
    in_flight: u64,
}

/// What is known of the providers of one account.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    breaker: Breaker,
    states: BTreeMap<String, State>,
    /// By user and alias: the provider, and until when.
    sticky: BTreeMap<(String, String), (String, Ms)>,
}

/// Who calls what, and when.
#[derive(Debug, Clone, Copy)]
pub struct Asks<'a> {
    pub at: Ms,
    pub user: Option<&'a str>,
    pub alias: &'a str,
    /// Whether a local model may be answered for by a remote one.
    pub allow_remote: bool,
}

impl Routes {
    pub fn new(breaker: Breaker) -> Self {
        Self { breaker, ..Self::default() }
    }

    /// Decides about a call; a probe begins with it. `candidates`: the first is the primary one.
    pub fn decide(&mut self, candidates: &[&RouteProvider], asks: Asks<'_>) -> Result<RouteDecision, NoRouteError> {
        let Some(primary) = candidates.first() else {
            let code = Code::AllProvidersUnavailable;
            return Err(NoRouteError { code, skipped: Vec::new(), retry_after_ms: RETRY_MS });
        };
        let sticky = asks.user.and_then(|user| self.sticky.get(&(user.to_owned(), asks.alias.to_owned())));
        let sticky = sticky.filter(|(_, until)| asks.at < *until).map(|(provider, _)| provider.clone());
        let probe_ms = self.breaker.probe_ms;
        let reason_of = |candidate: &RouteProvider| {
            let consent = primary.locality == Locality::Local && candidate.locality == Locality::Remote;
            if consent && !asks.allow_remote {
                return Some(RouteReason::RemoteFallbackRequired);
            }
            let state = self.states.get(&candidate.id)?;
            match state.open_until {
                Some(until) if asks.at < until => Some(RouteReason::BreakerOpen),
                Some(_) if state.probing.is_some_and(|since| asks.at.saturating_sub(since) < probe_ms) => {
                    Some(RouteReason::ProbeInProgress)
                }
                _ => (candidate.max_in_flight > 0 && state.in_flight >= candidate.max_in_flight)
                    .then_some(RouteReason::LoadShed),
            }
        };
        let reasons: Vec<Option<RouteReason>> = candidates.iter().map(|candidate| reason_of(candidate)).collect();
        let skipped = candidates.iter().zip(&reasons);
        let skipped = skipped
            .filter_map(|(candidate, reason)| Some(Skipped { provider: candidate.id.clone(), reason: (*reason)? }));
        let skipped: Vec<Skipped> = skipped.collect();
        let mut order: Vec<usize> = (0..candidates.len()).filter(|place| reasons[*place].is_none()).collect();
        order.sort_by_key(|place| sticky.as_ref() != Some(&candidates[*place].id));
        let Some(first) = order.first().map(|place| candidates[*place].id.as_str()) else {
            return Err(self.nobody(skipped, asks.at));
        };
        let reason = if first == primary.id {
            RouteReason::PrimaryDefault
        } else if sticky.as_deref() == Some(first) {
            RouteReason::StickyFallback
        } else {
            reasons[0].unwrap_or(RouteReason::PrimaryDefault)
        };
        let mut probe = false;
        if let Some(state) = self.states.get_mut(first) {
            probe = state.open_until.is_some();
            state.probing = probe.then_some(asks.at);
        }
        Ok(RouteDecision { order, reason, probe, skipped })
    }

    fn nobody(&self, skipped: Vec<Skipped>, at: Ms) -> NoRouteError {
        let consent = skipped.iter().any(|skipped| skipped.reason == RouteReason::RemoteFallbackRequired);
        let code = if consent { Code::RemoteFallbackRequired } else { Code::AllProvidersUnavailable };
        let opens = |skipped: &Skipped| {
            let until = self.states.get(&skipped.provider)?.open_until?;
            (skipped.reason == RouteReason::BreakerOpen).then_some(until.saturating_sub(at))
        };
        let retry_after_ms = skipped.iter().filter_map(opens).min().unwrap_or(RETRY_MS);
        NoRouteError { code, skipped, retry_after_ms }
    }

    /// A probe that was decided about is not made.
    pub fn leave(&mut self, provider: &str) {
        if let Some(state) = self.states.get_mut(provider) {
            state.probing = None;
        }
    }

    /// A provider has so many calls now.
    pub fn carries(&mut self, provider: &str, calls: u64) {
        self.states.entry(provider.to_owned()).or_default().in_flight = calls;
    }

    /// What is known of a provider, to be kept: when it failed, and until when it is left alone.
    pub fn kept(&self, provider: &str) -> Option<(&[Ms], Option<Ms>)> {
        let state = self.states.get(provider)?;
        (!state.failures.is_empty() || state.open_until.is_some()).then_some((&state.failures, state.open_until))
    }

    /// What was known of a provider, as [`Routes::kept`] gave it.
    pub fn know(&mut self, provider: &str, failures: Vec<Ms>, open_until: Option<Ms>) {
        let state = self.states.entry(provider.to_owned()).or_default();
        (state.failures, state.open_until) = (failures, open_until);
    }

    /// A provider failed. `retryable`: by its own fault, so that another one may do better; else it answered.
    pub fn fail(&mut self, provider: &str, at: Ms, retryable: bool) {
        let Breaker { failures, window_ms, open_ms, .. } = self.breaker;
        let state = self.states.entry(provider.to_owned()).or_default();
        if !retryable {
            if state.probing.is_some() {
                self.works(provider);
            }
            return;
        }
        if let Some(until) = state.open_until {
            if state.probing.is_some() || until <= at {
                (state.open_until, state.probing) = (Some(at.saturating_add(open_ms)), None);
            }
            return;
        }
        state.failures.retain(|failed| at.saturating_sub(*failed) < window_ms);
        state.failures.push(at);
        if state.failures.len() >= failures {
            state.failures.clear();
            state.open_until = Some(at.saturating_add(open_ms));
        }
    }

    /// A provider answered a call.
    pub fn works(&mut self, provider: &str) {
        if let Some(state) = self.states.get_mut(provider) {
            let in_flight = state.in_flight;
            *state = State { in_flight, ..State::default() };
        }
    }

    /// A fallback answered a user's call of an alias: it is asked first until then.
    pub fn stick(&mut self, user: &str, alias: &str, provider: &str, until: Ms) {
        self.sticky.insert((user.to_owned(), alias.to_owned()), (provider.to_owned(), until));
        if self.sticky.len() > MAX_STICKY
            && let Some(first) = self.sticky.iter().min_by_key(|(_, (_, until))| *until).map(|(key, _)| key.clone())
        {
            self.sticky.remove(&first);
        }
    }

    /// A call of a provider begins.
    pub fn begin(&mut self, provider: &str) {
        self.states.entry(provider.to_owned()).or_default().in_flight += 1;
    }

    /// A call of a provider ends.
    pub fn end(&mut self, provider: &str) {
        if let Some(state) = self.states.get_mut(provider) {
            state.in_flight = state.in_flight.saturating_sub(1);
        }
    }
}

/// Whether another try may help where a provider answers with that status.
pub fn is_retryable(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

pub mod simulate;
