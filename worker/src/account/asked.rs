//! What an administrator may name: scopes, budgets, switches and times that mean something.

use holdpoint_check::args;
use holdpoint_gateway::budget::{Budget, Payers, Period, Unit};
use holdpoint_store::Ledger;
use holdpoint_store::codes::{BETWEEN, CHOICE, KEY, NO_PROVIDER, WHOLE};
use holdpoint_store::ledger::{Decision, EXTENSION_MOST_MS};
use serde_json::Value;

use crate::answer::EdgeError;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// Reads a budget from the body of a PUT (spec: gateway.md §6 "Budgets").
pub fn read_budget(id: &str, body: &Value) -> Result<Budget, EdgeError> {
    let word = |name: &str| body[name].as_str().map(|text| Value::String(text.to_owned())).unwrap_or_default();
    let unit = serde_json::from_value::<Unit>(word("unit"))
        .map_err(|_| EdgeError::invalid("/unit", &CHOICE, args! { allowed: "`tokens`, `cost`, `requests`" }))?;
    let period = serde_json::from_value::<Period>(word("period"))
        .map_err(|_| EdgeError::invalid("/period", &CHOICE, args! { allowed: "`minute`, `day`, `month`, `total`" }))?;
    let payer = match body.get("payer") {
        None => Payers::Platform,
        Some(_) => serde_json::from_value::<Payers>(word("payer"))
            .map_err(|_| EdgeError::invalid("/payer", &CHOICE, args! { allowed: "`platform`, `byok`, `any`" }))?,
    };
    let limit = body["limit"].as_u64().filter(|limit| *limit < 1 << 53);
    Ok(Budget {
        id: id.to_owned(),
        scope: body["scope"].as_str().unwrap_or_default().to_owned(),
        unit,
        period,
        limit: limit.ok_or_else(|| EdgeError::invalid("/limit", &WHOLE, args! {}))?,
        payer,
        generation: 0,
        grants: Vec::new(),
    })
}

/// A scope of this account.
pub(super) fn check_scope(scope: &str, account: &str) -> Result<(), EdgeError> {
    let named = |prefix: &str| scope.strip_prefix(prefix).is_some_and(|name| !name.is_empty());
    if named("key:") || named("user:") || scope == format!("account:{account}") {
        return Ok(());
    }
    Err(EdgeError::invalid("/scope", &CHOICE, args! { allowed: format!("`key:…`, `user:…`, `account:{account}`") }))
}

/// A switch of something that is there: one that is mistyped would stop nothing and say that it did.
pub(super) fn check_switch(ledger: &Ledger<ObjectSql>, settings: &Settings, scope: &str) -> Result<(), EdgeError> {
    let account = ledger.account();
    match scope.split_once(':') {
        Some(("key", id)) => ledger.key(id)?.map(drop).ok_or_else(|| EdgeError::not_found(&KEY)),
        Some(("provider", id)) if settings.config.knows(id) => Ok(()),
        Some(("provider", _)) => Err(EdgeError::not_found(&NO_PROVIDER)),
        Some(("account", name)) if name == account => Ok(()),
        _ => {
            let allowed = format!("`key:…`, `provider:…`, `account:{account}`");
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
