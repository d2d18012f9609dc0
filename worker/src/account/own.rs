//! An account's own providers: their configuration, their keys, and where a call of one of their models goes (spec:
//! gateway.md §10, §13 `/config`, `/secrets`).
//!
//! Invariants: an address is judged when it is stored and again before each call; a key leaves this object sealed.

use std::rc::Rc;

use holdpoint_check::args;
use holdpoint_gateway::cipher::Sealed;
use holdpoint_gateway::config::{Config, OwnConfig, PriceRow, Provider};
use holdpoint_gateway::{Code, GatewayError};
use holdpoint_store::Ledger;
use holdpoint_store::codes::{ADDRESS_BLOCKED, CONFIGURED, NO_SECRET};
use holdpoint_store::ledger::Principal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::command::{Answered, to_value};
use super::memory::InMemory;
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// Where a call of an account's own model may go.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OwnCandidate {
    pub provider: Provider,
    pub price: PriceRow,
    /// The name of its key, and the key as it is kept.
    pub key: Option<(String, Sealed)>,
}

/// What the Worker and relays ask of it for a call.
#[derive(Debug, Serialize, Deserialize)]
pub enum OwnAsk {
    /// Which of its models the caller may use; answers [`OwnModels`].
    Models { scope: String },
    /// Where a call of that alias may go; answers a list of [`OwnCandidate`].
    Routes { alias: String },
    /// A key was sealed anew when it was opened.
    Reseal { id: String, before: Sealed, after: Sealed },
}

impl OwnAsk {
    /// What the caller must be allowed.
    pub(super) fn scope(&self) -> &str {
        match self {
            Self::Models { scope } => scope,
            Self::Routes { .. } | Self::Reseal { .. } => "llm",
        }
    }

    pub(super) fn answer(&self, ledger: &Ledger<ObjectSql>, memory: &InMemory, principal: &Principal) -> Answered {
        match self {
            Self::Models { .. } => {
                let mut models = memory.own(ledger)?.config.models.clone();
                models.retain(|model| principal.require_model(&model.alias).is_ok());
                to_value(&OwnModels { principal: principal.clone(), models })
            }
            Self::Routes { alias } => to_value(&candidates(ledger, &*memory.own(ledger)?, alias)?),
            Self::Reseal { id, before, after } => {
                ledger.reseal_secret(id, before, after)?;
                Ok(Value::Bool(true))
            }
        }
    }
}

/// Who may list models, and those of their account's own that they may use.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OwnModels {
    pub principal: Principal,
    pub models: Vec<holdpoint_gateway::config::Model>,
}

/// The configuration as it is kept; one that this version cannot read has no models.
pub(super) fn read(ledger: &Ledger<ObjectSql>) -> Result<Rc<OwnConfig>, EdgeError> {
    let text = ledger.config()?;
    let own = text.as_deref().map_or_else(|| Ok(OwnConfig::default()), OwnConfig::kept);
    Ok(Rc::new(own.unwrap_or_else(|fault| {
        worker::console_error!("{}", json!({"event": "account.config", "message": fault.to_string()}));
        OwnConfig::default()
    })))
}

/// The configuration as it was written.
pub(super) fn shown(ledger: &Ledger<ObjectSql>) -> Result<Value, EdgeError> {
    let text = ledger.config()?;
    Ok(text
        .map_or_else(|| Ok(json!({"providers": [], "models": [], "prices": []})), |text| serde_json::from_str(&text))?)
}

/// Takes a configuration in place of the one before.
pub(super) fn put(
    ledger: &Ledger<ObjectSql>,
    settings: &Settings,
    host: &str,
    actor: &str,
    written: &Value,
) -> Result<(), EdgeError> {
    let text = written.to_string();
    let own = OwnConfig::read(&text, &settings.config)
        .map_err(|fault| EdgeError::invalid("", &CONFIGURED, args! { fault: fault.to_string() }))?;
    for (at, provider) in own.config.providers.iter().enumerate() {
        settings.addresses(host).check(&provider.base_url).map_err(|blocked| {
            let code = blocked.details.get("code").cloned().unwrap_or_default();
            EdgeError::invalid(format!("/providers/{at}/base_url"), &ADDRESS_BLOCKED, args! {}).with("code", code)
        })?;
    }
    let there: Vec<String> = ledger.secrets()?.into_iter().map(|secret| secret.id).collect();
    if let Some(name) = own.lacking(&there) {
        return Err(EdgeError::invalid("/providers", &NO_SECRET, args! { name }));
    }
    let models: Vec<&str> = own.config.models.iter().map(|model| model.alias.as_str()).collect();
    Ok(ledger.put_config(now_ms(), actor, &text, &models)?)
}

/// Where a call of that alias goes. Errors: `MODEL_NOT_FOUND`, `MODEL_NOT_PRICED`.
fn candidates(ledger: &Ledger<ObjectSql>, own: &OwnConfig, alias: &str) -> Result<Vec<OwnCandidate>, EdgeError> {
    let mut candidates = Vec::new();
    for route in own.routes(alias)? {
        let key = match route.secret {
            None => None,
            Some(name) => {
                let sealed = ledger.sealed_secret(&name)?;
                // A provider whose key was deleted is none.
                let Some(sealed) = sealed else { continue };
                Some((name, sealed))
            }
        };
        candidates.push(OwnCandidate { provider: route.provider, price: route.price, key });
    }
    if candidates.is_empty() { Err(GatewayError::new(Code::SecretsUnavailable).into()) } else { Ok(candidates) }
}

/// The platform's configuration and the account's own as one.
pub(super) fn joined(platform: &Config, own: &OwnConfig) -> Config {
    let mut joined = platform.clone();
    joined.providers.extend(own.config.providers.iter().cloned());
    joined.models.extend(own.config.models.iter().cloned());
    joined.prices.extend(own.config.prices.iter().cloned());
    joined
}
