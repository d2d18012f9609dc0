//! Where a call goes, on whose money, and how long it is waited for: the platform's route or the user's own model
//! (spec: gateway.md §4, §10; ai-sessions.md §8).
//!
//! Invariants: the profile is resolved anew for every call, and its address judged anew; a stored key is opened here,
//! for this call, and goes to its own origin only; a key under an older key of ours is sealed anew when it is opened.

use holdpoint_check::ApiError;
use holdpoint_gateway::budget::Payer;
use holdpoint_gateway::cipher::{Sealed, SealedFor, Secret};
use holdpoint_gateway::config::{PriceRow, Provider, Route, Timeouts};
use holdpoint_gateway::profile::{MAX_ANSWER_BYTES, Own, Resolved, SECRET_KIND, StoredKey, because, no_secrets};
use holdpoint_gateway::{Code, GatewayError, Limits};

use super::Shared;
use super::order::{Order, TestCall, Via};
use crate::account::profile::{OWN_ALIAS, ProfileAsk, profile, routed};
use crate::account::{AccountCommand, Caller, OwnAsk, OwnCandidate};
use crate::answer::EdgeError;
use crate::js::random;
use crate::objects::ask;
use crate::outbound::Reach;

/// What keys of an account's own providers are sealed as.
pub const PROVIDER_SECRET: &str = "provider";

/// Where one call can go.
pub(super) struct Chosen {
    /// At least one; the first is the primary one.
    pub candidates: Vec<Candidate>,
    /// As the ledger names it.
    pub alias: String,
    pub payer: Payer,
    /// Whether the last candidate that is tried may be tried once more.
    pub again: bool,
}

/// A provider and its model.
#[derive(Clone)]
pub(super) struct Candidate {
    pub provider: Provider,
    pub price: PriceRow,
    pub patience: Patience,
    pub reach: Reach,
}

/// How long a provider is waited for, and how much of it is read.
#[derive(Clone)]
pub(super) struct Patience {
    /// To the first byte of a stream.
    pub first_byte_ms: u64,
    /// To the first byte of a whole answer.
    pub whole_ms: u64,
    pub idle_ms: u64,
    /// For the whole call, whatever came of it.
    pub total_ms: u64,
    pub whole_bytes: u64,
    pub stream_bytes: u64,
}

impl Patience {
    fn of_the_platform(limits: &Limits, timeouts: &Timeouts) -> Self {
        let total_ms = timeouts.total_ms.unwrap_or(limits.total_ms);
        Self {
            first_byte_ms: timeouts.first_byte_ms.unwrap_or(limits.first_byte_ms),
            whole_ms: total_ms,
            idle_ms: timeouts.idle_ms.unwrap_or(limits.idle_ms),
            // A hold ends the call's right to money.
            total_ms: total_ms.min(limits.hold_ttl_ms),
            whole_bytes: limits.max_response_bytes,
            stream_bytes: u64::MAX,
        }
    }

    fn of_a_user(own: &Own, limits: &Limits) -> Self {
        let ms = u64::from(own.timeout_seconds) * 1_000;
        let bytes = limits.max_response_bytes.min(MAX_ANSWER_BYTES);
        let total_ms = limits.total_ms;
        Self { first_byte_ms: ms, whole_ms: ms, idle_ms: ms, total_ms, whole_bytes: bytes, stream_bytes: bytes }
    }
}

/// Chooses the route of a call that names `model`.
pub(super) async fn choose(shared: &Shared, order: &Order, model: &str) -> Result<Chosen, EdgeError> {
    match &order.via {
        Via::Platform => match of_the_platform(shared, model) {
            Err(fault) if fault.code == Code::ModelNotFound.name() => {
                of_the_account(shared, &order.caller, model).await
            }
            chosen => chosen,
        },
        Via::Resolved => {
            let routed = routed(&shared.objects, &order.caller).await.map_err(|fault| refusal(&fault.0))?;
            match routed.resolved {
                Resolved::System(system) => of_the_platform(shared, &system.alias),
                Resolved::Own(own) => {
                    let key = match &own.key {
                        Some(stored) => Some(open(shared, &order.caller, stored, &routed.id, &routed.user_id).await?),
                        None => None,
                    };
                    of_a_user(shared, &order.caller, &own, key, true)
                }
            }
        }
        Via::Test(TestCall { own, key, id, user_id }) => {
            let key = match (key, &own.key) {
                (Some(key), _) => Some(key.clone()),
                (None, Some(stored)) => Some(open(shared, &order.caller, stored, id, user_id).await?),
                (None, None) => None,
            };
            of_a_user(shared, &order.caller, own, key, false)
        }
    }
}

fn of_the_platform(shared: &Shared, model: &str) -> Result<Chosen, EdgeError> {
    let limits = &shared.settings.limits;
    let candidate = |route: Route<'_>| Candidate {
        provider: route.provider.clone(),
        price: route.price.clone(),
        patience: Patience::of_the_platform(limits, &route.provider.timeouts),
        reach: Reach::Anywhere,
    };
    let candidates = shared.settings.config.routes(model)?.into_iter().map(candidate).collect();
    Ok(Chosen { candidates, alias: model.to_owned(), payer: Payer::Platform, again: true })
}

/// A model of the account's own, which no platform's can be.
async fn of_the_account(shared: &Shared, caller: &Caller, model: &str) -> Result<Chosen, EdgeError> {
    let settings = &shared.settings;
    let account = shared.objects.account(&caller.account)?;
    let command = AccountCommand::Own { caller: caller.clone(), ask: OwnAsk::Routes { alias: model.to_owned() } };
    let own: Vec<OwnCandidate> = ask(&account, &command).await?;
    let mut candidates = Vec::new();
    for OwnCandidate { mut provider, price, key } in own {
        provider.base_url =
            settings.addresses(&caller.host).check(&provider.base_url).map_err(|error| refusal(&error))?;
        if let Some((id, sealed)) = key {
            provider.key = Some(open_secret(shared, caller, &id, sealed).await?);
        }
        let patience = Patience::of_the_platform(&settings.limits, &provider.timeouts);
        candidates.push(Candidate { provider, price, patience, reach: settings.reach_of_users() });
    }
    Ok(Chosen { candidates, alias: model.to_owned(), payer: Payer::Platform, again: true })
}

/// Opens a key of the account for one call.
async fn open_secret(shared: &Shared, caller: &Caller, id: &str, before: Sealed) -> Result<Secret, EdgeError> {
    let place = SealedFor { account: &caller.account, id, kind: PROVIDER_SECRET, user: "" };
    let none = || EdgeError::from(Code::SecretsUnavailable);
    let keys = shared.settings.secrets.as_ref().ok_or_else(none)?;
    let key = keys.open(&before, &place).map_err(|_| none())?;
    if keys.is_old(&before)
        && let Ok(after) = keys.seal(&key, random()?, &place)
    {
        // One that is not kept is sealed anew at the next use.
        let command =
            AccountCommand::Own { caller: caller.clone(), ask: OwnAsk::Reseal { id: id.to_owned(), before, after } };
        let _ = ask::<_, bool>(&shared.objects.account(&caller.account)?, &command).await;
    }
    Ok(key)
}

fn of_a_user(
    shared: &Shared,
    caller: &Caller,
    own: &Own,
    key: Option<Secret>,
    again: bool,
) -> Result<Chosen, EdgeError> {
    let settings = &shared.settings;
    let base_url = settings.addresses(&caller.host).check(&own.base_url).map_err(|error| refusal(&error))?;
    let (provider, price) = settings.config.own(&base_url, &own.model, own.context_window);
    let patience = Patience::of_a_user(own, &settings.limits);
    let reach = settings.reach_of_users();
    let candidate = Candidate { provider: Provider { key, ..provider }, price, patience, reach };
    Ok(Chosen { candidates: vec![candidate], alias: OWN_ALIAS.to_owned(), payer: Payer::Byok, again })
}

/// Opens a stored key for one call.
async fn open(shared: &Shared, caller: &Caller, stored: &StoredKey, id: &str, user: &str) -> Result<Secret, EdgeError> {
    let place = SealedFor { account: &caller.account, id, kind: SECRET_KIND, user };
    let none = || refusal(&no_secrets());
    let keys = shared.settings.secrets.as_ref().ok_or_else(none)?;
    let key = keys.open(&stored.sealed, &place).map_err(|_| none())?;
    if keys.is_old(&stored.sealed)
        && let Ok(after) = keys.seal(&key, random()?, &place)
    {
        // One that is not kept is sealed anew at the next use.
        let asked = ProfileAsk::Reseal { before: stored.sealed.clone(), after };
        let _ = profile::<bool>(&shared.objects, caller, asked).await;
    }
    Ok(key)
}

/// What the profile's rules refuse, as a refusal of the gateway that carries it.
fn refusal(error: &ApiError) -> EdgeError {
    let code = match error.code.as_str() {
        "LLM_PROFILE_INVALID_BASE_URL" => Code::ByokUrlBlocked,
        "LLM_PROFILE_ENCRYPTION_ERROR" => Code::SecretsUnavailable,
        code if code.starts_with("LLM_PROFILE_") || code == "AI_DISABLED" => Code::ModelNotAllowed,
        _ => return EdgeError(error.clone()),
    };
    GatewayError::new(code).with(because(error)).into()
}
