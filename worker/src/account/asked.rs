//! What an administrator may name: scopes, budgets, switches and times that mean something.

use holdpoint_check::args;
use holdpoint_gateway::config::Config;
use holdpoint_store::Ledger;
use holdpoint_store::codes::{BETWEEN, CHOICE, KEY, NO_PROVIDER};
use holdpoint_store::ledger::{Decision, EXTENSION_MOST_MS};

use crate::answer::EdgeError;
use crate::sql::ObjectSql;

/// A scope of this account.
pub(super) fn check_scope(scope: &str, account: &str) -> Result<(), EdgeError> {
    let named = |prefix: &str| scope.strip_prefix(prefix).is_some_and(|name| !name.is_empty());
    if named("key:") || named("user:") || scope == format!("account:{account}") {
        return Ok(());
    }
    Err(EdgeError::invalid("/scope", &CHOICE, args! { allowed: format!("`key:…`, `user:…`, `account:{account}`") }))
}

/// A switch of something that is there: one that is mistyped would stop nothing and say that it did.
pub(super) fn check_switch(ledger: &Ledger<ObjectSql>, config: &Config, scope: &str) -> Result<(), EdgeError> {
    let account = ledger.account();
    match scope.split_once(':') {
        Some(("key", id)) => ledger.key(id)?.map(drop).ok_or_else(|| EdgeError::not_found(&KEY)),
        Some(("user", name)) if !name.is_empty() => Ok(()),
        Some(("provider", id)) if config.knows(id) => Ok(()),
        Some(("provider", _)) => Err(EdgeError::not_found(&NO_PROVIDER)),
        Some(("account", name)) if name == account => Ok(()),
        _ => {
            let allowed = format!("`key:…`, `user:…`, `provider:…`, `account:{account}`");
            Err(EdgeError::invalid("/scope", &CHOICE, args! { allowed }))
        }
    }
}

/// A grant ends later than now and not too late.
pub(super) fn within(decision: Decision, now: i64) -> Result<(), EdgeError> {
    let (least, most) = (now.saturating_add(1), now.saturating_add(EXTENSION_MOST_MS));
    match decision {
        Decision::Grant { until, .. } if !(least..=most).contains(&until) => Err(EdgeError::invalid(
            "/until",
            &BETWEEN,
            args! { least: least.cast_unsigned(), most: most.cast_unsigned() },
        )),
        _ => Ok(()),
    }
}
