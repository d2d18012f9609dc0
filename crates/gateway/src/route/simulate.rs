//! Routes by a script of what happens when (spec: gateway.md §11 `route.simulate`).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Asks, Breaker, RouteDecision, RouteProvider, Routes, STICKY_MS, is_retryable};
use crate::budget::Ms;

#[derive(Debug, Deserialize)]
pub struct RouteScript {
    #[serde(default)]
    now: Ms,
    providers: Vec<RouteProvider>,
    candidates: Vec<String>,
    #[serde(default)]
    breaker: Breaker,
    sticky_ms: Option<Ms>,
    events: Vec<RouteEvent>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum RouteEvent {
    Decide {
        at: Ms,
        user: Option<String>,
        #[serde(default)]
        allow_remote_fallback: bool,
    },
    Fail {
        at: Ms,
        provider: String,
        #[serde(flatten)]
        kind: FailureKind,
    },
    Ok {
        at: Ms,
        provider: String,
        user: Option<String>,
    },
    Begin {
        at: Option<Ms>,
        provider: String,
    },
    End {
        at: Option<Ms>,
        provider: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum FailureKind {
    Connect,
    Reset,
    Timeout,
    Malformed,
    Status { status: u16 },
}

/// What a script gives: one decision for each `decide`.
#[derive(Debug, Serialize)]
pub struct Simulated {
    pub decisions: Vec<Value>,
}

/// An event that cannot be played, with its place.
#[derive(Debug, PartialEq, Eq)]
pub struct BadEventError {
    pub pointer: String,
    pub message: String,
}

/// Plays a script. Errors: a provider that is not listed, an event before the last one.
pub fn simulate(script: &RouteScript) -> Result<Simulated, BadEventError> {
    let bad = |pointer: String, message: &str| BadEventError { pointer, message: message.to_owned() };
    let listed = |id: &str, pointer: String| {
        let found = script.providers.iter().find(|provider| provider.id == id);
        found.ok_or_else(|| bad(pointer, "the provider is not among `providers`"))
    };
    let candidates = script.candidates.iter().enumerate();
    let candidates: Vec<&RouteProvider> =
        candidates.map(|(index, id)| listed(id, format!("/candidates/{index}"))).collect::<Result<_, _>>()?;
    let mut routes = Routes::new(script.breaker);
    let (mut now, mut decisions) = (script.now, Vec::new());
    for (index, event) in script.events.iter().enumerate() {
        let (at, provider) = event.place();
        let at = at.unwrap_or(now);
        if at < now {
            return Err(bad(format!("/events/{index}/at"), "it lies before the last event"));
        }
        now = at;
        if let Some(provider) = provider {
            listed(provider, format!("/events/{index}/provider"))?;
        }
        match event {
            RouteEvent::Decide { user, allow_remote_fallback, .. } => {
                let asks = Asks { at, user: user.as_deref(), alias: "", allow_remote: *allow_remote_fallback };
                decisions.push(match routes.decide(&candidates, asks) {
                    Ok(RouteDecision { order, reason, probe, skipped }) => {
                        let order: Vec<&String> = order.iter().map(|place| &candidates[*place].id).collect();
                        json!({ "order": order, "reason": reason, "probe": probe, "skipped": skipped })
                    }
                    Err(nobody) => json!({
                        "code": nobody.code.name(), "status": nobody.code.status(),
                        "retry_after_ms": nobody.retry_after_ms, "skipped": nobody.skipped,
                    }),
                });
            }
            RouteEvent::Fail { provider, kind, .. } => routes.fail(provider, at, kind.is_retryable()),
            RouteEvent::Ok { provider, user, .. } => {
                routes.works(provider);
                if let Some(user) = user
                    && script.candidates.first() != Some(provider)
                {
                    routes.stick(user, "", provider, at.saturating_add(script.sticky_ms.unwrap_or(STICKY_MS)));
                }
            }
            RouteEvent::Begin { provider, .. } => routes.begin(provider),
            RouteEvent::End { provider, .. } => routes.end(provider),
        }
    }
    Ok(Simulated { decisions })
}

impl RouteEvent {
    fn place(&self) -> (Option<Ms>, Option<&str>) {
        match self {
            Self::Decide { at, .. } => (Some(*at), None),
            Self::Fail { at, provider, .. } | Self::Ok { at, provider, .. } => (Some(*at), Some(provider)),
            Self::Begin { at, provider } | Self::End { at, provider } => (*at, Some(provider)),
        }
    }
}

impl FailureKind {
    fn is_retryable(&self) -> bool {
        match self {
            Self::Connect | Self::Reset | Self::Timeout | Self::Malformed => true,
            Self::Status { status } => is_retryable(*status),
        }
    }
}
