//! Making a key of an account (spec: gateway.md §3).
//!
//! Invariant: where the deployment marks ids of keys, none is made without the mark.

use holdpoint_gateway::Code;
use holdpoint_gateway::key::{ProxyKey, SECRET_BYTES};
use holdpoint_store::Ledger;
use holdpoint_store::ledger::NewKey;
use holdpoint_store::wire::CreatedKey;

use super::command::{Answered, to_value};
use crate::answer::EdgeError;
use crate::js::random;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// Makes a key; its answer is the only one that holds it.
pub(super) fn create_key(
    ledger: &Ledger<ObjectSql>,
    settings: &Settings,
    account: &str,
    actor: &str,
    new: &NewKey,
    now: i64,
) -> Answered {
    if !settings.makes_keys() {
        return Err(Code::SecretsUnavailable.into());
    }
    let id = new_id(ledger, settings, account)?;
    let key = ProxyKey::again(settings.key_env(), account, &id, &random()?);
    let row = ledger.create_key(now, actor, &key, new, settings.limits.max_keys)?;
    to_value(&CreatedKey { row, key: key.text() })
}

/// An id that no key of the account has.
fn new_id(ledger: &Ledger<ObjectSql>, settings: &Settings, account: &str) -> Result<String, EdgeError> {
    loop {
        let random = random()?;
        let id = match &settings.key_secrets {
            Some(secrets) => secrets.id(account, &random),
            None => ProxyKey::make(settings.key_env(), account, &random, &[0; SECRET_BYTES]).id,
        };
        if ledger.key(&id)?.is_none() {
            return Ok(id);
        }
    }
}
