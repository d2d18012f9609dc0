//! A user's own model, as the account is asked of it, and which model a call uses (spec: ai-sessions.md §8).
//!
//! Rules are `holdpoint_gateway::profile`'s, rows `holdpoint_store`'s. Invariant: no plain key comes here: the route
//! seals what it is sent, the relay opens what it uses.

use holdpoint_gateway::budget::Payer;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::indicator::Indicator;
use holdpoint_gateway::profile::{
    AddressRules, Ground, ModelProfile, NewKey, ProfileChange, ProfileView, Resolved, resolve, view,
};
use holdpoint_kind::protocol::{ModelSetting, Profile};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::Principal;
use holdpoint_text::hex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{AccountCommand, Caller};
use crate::answer::EdgeError;
use crate::js::random;
use crate::objects::{Objects, ask};
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// What ids of profiles begin with.
const ID: &str = "llm_";

/// What can be asked of the caller's own profile.
#[derive(Debug, Serialize, Deserialize)]
pub enum ProfileAsk {
    /// It, and what its user sees of it.
    Show,
    Put(ProfileChange<NewKey>),
    /// As [`ProfileAsk::Show`], counted as a test.
    Test,
    /// How a test of the saved profile ended.
    Tested {
        saved_at: i64,
        ok: bool,
    },
    /// What a call uses now.
    Resolve,
    /// Its key under the active key.
    Reseal {
        before: Sealed,
        /// What was made of it.
        after: Sealed,
    },
}

/// The answer to what shows a profile.
#[derive(Debug, Serialize, Deserialize)]
pub struct Shown {
    pub profile: ModelProfile,
    pub view: ProfileView,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Routed {
    pub resolved: Resolved,
    /// Names the profile among secrets.
    pub id: String,
    pub user_id: String,
}

impl ProfileAsk {
    /// What a key must be allowed to do for it.
    pub fn scope(&self) -> &'static str {
        match self {
            Self::Resolve | Self::Reseal { .. } => "llm",
            Self::Show | Self::Put(_) | Self::Test | Self::Tested { .. } => "edit",
        }
    }

    pub fn answer(
        self,
        ledger: &Ledger<ObjectSql>,
        settings: &Settings,
        caller: &Caller,
        principal: &Principal,
        now: i64,
    ) -> Result<Value, EdgeError> {
        let user = principal.user_id.as_str();
        let (addresses, system) = (settings.addresses(&caller.host), settings.system(principal));
        let ground = ground(settings, &addresses, system.as_ref());
        let profile = ledger.profile(now, user, &format!("{ID}{}", hex(&random::<8>()?)))?;
        let shown = |profile: ModelProfile| {
            let view = view(&profile, &ground);
            Ok(serde_json::to_value(Shown { profile, view })?)
        };
        match self {
            Self::Show => shown(profile),
            Self::Put(wanted) => {
                ground.allows(wanted.provider)?;
                shown(ledger.put_profile(now, user, &wanted)?)
            }
            Self::Test => {
                ledger.count_test(now, user)?;
                shown(profile)
            }
            Self::Tested { saved_at, ok } => {
                ledger.tested(now, user, saved_at, ok)?;
                Ok(Value::Bool(true))
            }
            Self::Resolve => {
                let resolved = resolve(&profile, &ground)?;
                Ok(serde_json::to_value(Routed { resolved, id: profile.id, user_id: profile.user_id })?)
            }
            Self::Reseal { before, after } => {
                ledger.reseal(user, &before, &after)?;
                Ok(Value::Bool(true))
            }
        }
    }
}

/// What resolutions of this deployment stand on.
pub fn ground<'g>(
    settings: &Settings,
    addresses: &'g AddressRules,
    system: Option<&'g holdpoint_gateway::profile::System>,
) -> Ground<'g> {
    Ground { policy: settings.policy, system, addresses, secrets: settings.secrets.is_some() }
}

/// An indicator that says which models answer now, and on whose money. It makes no profile where nobody has looked at one.
pub fn with_models(
    shown: Indicator,
    ledger: &Ledger<ObjectSql>,
    settings: &Settings,
    caller: &Caller,
    principal: &Principal,
) -> Result<Indicator, EdgeError> {
    let (addresses, system) = (settings.addresses(&caller.host), settings.system(principal));
    let ground = ground(settings, &addresses, system.as_ref());
    let resolved = ledger.kept_profile(&principal.user_id)?.map(|profile| resolve(&profile, &ground));
    let own_model = match resolved {
        Some(Ok(Resolved::Own(own))) => Some(own.model),
        Some(Ok(Resolved::System(_)) | Err(_)) | None => None,
    };
    let payer = if own_model.is_some() { Payer::Byok } else { Payer::Platform };
    Ok(Indicator { payer: payer.name(), model: settings.answering(principal), own_model, ..shown })
}

/// Which model a call of this caller uses now: for a gate before a turn, its window and its patience. Errors, with their
/// status: `AI_DISABLED`, `LLM_PROFILE_*`.
///
/// The call itself is ordered with [`Via::Resolved`](crate::relay::Via::Resolved): the relay resolves again, judges the
/// address again, and is the one who opens the key. The model that the body names does not matter then. What a relay
/// refuses is said in the words of a turn by [`holdpoint_gateway::profile::told`], given the code and the details.
pub async fn resolved(objects: &Objects, caller: &Caller) -> Result<Resolved, EdgeError> {
    Ok(routed(objects, caller).await?.resolved)
}

/// The same for who makes the call.
pub async fn routed(objects: &Objects, caller: &Caller) -> Result<Routed, EdgeError> {
    profile(objects, caller, ProfileAsk::Resolve).await
}

/// Asks the account of the caller's profile.
pub async fn profile<A: serde::de::DeserializeOwned>(
    objects: &Objects,
    caller: &Caller,
    asked: ProfileAsk,
) -> Result<A, EdgeError> {
    let account = objects.account(&caller.account)?;
    ask(&account, &AccountCommand::Profile { caller: caller.clone(), ask: asked }).await
}

/// What turns and rows of the ledger name a user's own model by.
pub const OWN_ALIAS: &str = "own";

/// Tokens of a model of which nothing is known.
const UNKNOWN_WINDOW: u64 = 16_000;

/// The model of a caller, with at most `max_output` tokens of an answer. Errors, with their status: `AI_DISABLED`,
/// `LLM_PROFILE_*`.
pub async fn model_of(objects: &Objects, caller: &Caller, max_output: u64) -> Result<ModelSetting, EdgeError> {
    Ok(model_setting(resolved(objects, caller).await?, max_output))
}

/// What a turn knows of its model.
pub fn model_setting(resolved: Resolved, max_output: u64) -> ModelSetting {
    let (alias, name, window) = match resolved {
        Resolved::Own(own) => (OWN_ALIAS.to_owned(), own.model, own.context_window.unwrap_or(UNKNOWN_WINDOW)),
        Resolved::System(system) => (system.alias, system.display, system.context_window),
    };
    let max_output = (window - window / 10 * 7).min(max_output);
    let profile = Profile { window, max_output, margin: 0, system_cap: window };
    ModelSetting { alias, name, profile, additions: [].into(), constrained: false }
}
