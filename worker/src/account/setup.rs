//! What an administrator sets up beside keys and budgets: providers of the account's own with their keys, and servers that
//! are told (spec: gateway.md §13).
//!
//! Invariant: whoever comes here was found to be an administrator.

use holdpoint_gateway::cipher::Sealed;
use holdpoint_store::Ledger;
use holdpoint_store::codes::SECRET;
use holdpoint_store::wire::{Secrets, WebhookAsk};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::command::{Answered, Caller, found, to_value};
use super::memory::InMemory;
use super::{own, webhooks};
use crate::js::now_ms;
use crate::settings::Settings;
use crate::sql::ObjectSql;

#[derive(Debug, Serialize, Deserialize)]
pub enum SetupAsk {
    Config,
    PutConfig { written: Value },
    Secrets,
    PutSecret { id: String, masked: String, sealed: Sealed },
    DeleteSecret { id: String },
    Webhooks,
    PutWebhooks { asked: Vec<WebhookAsk> },
}

impl SetupAsk {
    pub(super) fn answer(
        self,
        ledger: &Ledger<ObjectSql>,
        settings: &Settings,
        memory: &InMemory,
        caller: &Caller,
        actor: &str,
    ) -> Answered {
        match self {
            Self::Config => own::shown(ledger),
            Self::PutConfig { written } => {
                own::put(ledger, settings, &caller.host, actor, &written)?;
                memory.forget_own();
                own::shown(ledger)
            }
            Self::Secrets => to_value(&Secrets { items: ledger.secrets()? }),
            Self::PutSecret { id, masked, sealed } => {
                to_value(&ledger.put_secret(now_ms(), actor, &id, &masked, &sealed)?)
            }
            Self::DeleteSecret { id } => found(ledger.delete_secret(now_ms(), actor, &id)?, &SECRET),
            Self::Webhooks => to_value(&webhooks::shown(ledger)?),
            Self::PutWebhooks { asked } => to_value(&webhooks::put(ledger, settings, caller, actor, &asked)?),
        }
    }
}
