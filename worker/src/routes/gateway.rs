//! Administration and usage below `/gateway/v1` (spec: gateway.md §13).
//!
//! Each path becomes one command to the caller's account, which checks scope again and answers.

use holdpoint_check::args;
use holdpoint_gateway::Code;
use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::key::{constant_time_equal, fnv1a32, request_id};
use holdpoint_store::codes::{BETWEEN, BODY, CHOICE, LABEL, NAME, REASON, REQUEST, TEXTS, TIME, TOKENS, WHOLE};
use holdpoint_store::ledger::{Decision, LimitAsk, NewKey, SwitchAsk};
use holdpoint_store::routes::gateway::Id;
use holdpoint_store::wire::{Cancelled, ExtensionAsk, FirstKeys, GrantAsk};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use worker::{Request, Response};

use super::{Edge, Incoming};
use crate::account::{AccountCommand, Caller, QuoteAsk, read_budget};
use crate::answer::{Answer, EdgeError, json_response};
use crate::js::{headers, now_ms, random};
use crate::objects::ask;
use crate::relay::{Cancel, RelayCommand};

const SCOPES: [&str; 5] = ["llm", "usage", "edit", "admin", "metrics"];
const MAX_LABEL: usize = 128;
const MAX_NAME: usize = 64;
const MAX_REASON: usize = 500;
/// What every end of the wire and every database carries alike (spec: gateway.md, "Words").
const MAX_AMOUNT: u64 = (1 << 53) - 1;

/// Answers a route of the gateway.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let body = asked.json()?;
    let (caller, named) = (|| asked.caller(), asked.place("id"));
    let command = match id {
        Id::Bootstrap => return bootstrap(edge, asked.request()).await,
        Id::Keys => AccountCommand::Keys { caller: caller()?, slice: asked.slice()? },
        Id::CreateKey => AccountCommand::CreateKey { new: new_key(&body)?, caller: caller()? },
        Id::Key => AccountCommand::Key { caller: caller()?, id: named },
        Id::RevokeKey => AccountCommand::RevokeKey { caller: caller()?, id: named },
        Id::Budgets => AccountCommand::Budgets { caller: caller()?, slice: asked.slice()? },
        Id::Budget => AccountCommand::Budget { caller: caller()?, id: named },
        Id::PutBudget => {
            check_name("/id", &named)?;
            AccountCommand::PutBudget { caller: caller()?, budget: read_budget(&named, &body)? }
        }
        Id::DeleteBudget => AccountCommand::DeleteBudget { caller: caller()?, id: named },
        Id::AskExtension => {
            let ask: ExtensionAsk = read(body)?;
            check_amount(ask.amount)?;
            check_reason(&ask.reason)?;
            let id = request_id(now_ms(), &random()?).replacen("req_", "ext_", 1);
            AccountCommand::AskExtension { caller: caller()?, id, budget: named, ask }
        }
        Id::GrantExtension => {
            let GrantAsk { amount, until } = read(body)?;
            check_amount(amount)?;
            decide(&asked, Decision::Grant { amount, until })?
        }
        Id::DenyExtension => decide(&asked, Decision::Deny)?,
        Id::EndExtension => decide(&asked, Decision::End)?,
        Id::Extensions => AccountCommand::Extensions { caller: caller()?, slice: asked.slice()? },
        Id::Switches => AccountCommand::Switches { caller: caller()?, slice: asked.slice()? },
        Id::PutSwitch => {
            let ask: SwitchAsk = read(body)?;
            if ask.stopped || !ask.reason.is_empty() {
                check_reason(&ask.reason)?;
            }
            AccountCommand::PutSwitch { caller: caller()?, scope: asked.place("scope"), ask }
        }
        Id::Limit => AccountCommand::Limit { caller: caller()?, scope: asked.place("scope") },
        Id::PutLimit => {
            let ask = limit_ask(body)?;
            AccountCommand::PutLimit { caller: caller()?, scope: asked.place("scope"), ask }
        }
        Id::DeleteLimit => AccountCommand::DeleteLimit { caller: caller()?, scope: asked.place("scope") },
        Id::Ledger => AccountCommand::Ledger { caller: caller()?, slice: asked.slice()? },
        Id::Dump => {
            let command = AccountCommand::Dump { caller: caller()?, cursor: asked.query("cursor")? };
            let lines: String = ask(&edge.objects.account(&caller()?.account)?, &command).await?;
            let headers = headers(&[("content-type", "application/x-ndjson"), ("cache-control", "no-store")])?;
            return Ok(Response::builder().with_status(200).with_headers(headers).fixed(lines.into_bytes()));
        }
        Id::Indicator => AccountCommand::Indicator { caller: caller()? },
        Id::Quote => {
            let ask: QuoteAsk = read(body)?;
            AccountCommand::Quote { caller: caller()?, ask }
        }
        Id::OpenRun => {
            let (amount, ttl_ms) = run_ask(&body, edge.limits().hold_ttl())?;
            let id = request_id(now_ms(), &random()?).replacen("req_", "run_", 1);
            AccountCommand::OpenRun { caller: caller()?, id, amount, ttl_ms }
        }
        Id::Run => AccountCommand::Run { caller: caller()?, id: named },
        Id::CloseRun => AccountCommand::CloseRun { caller: caller()?, id: named },
        Id::Cancel => return cancel(edge, caller()?, &named).await,
    };
    let account = edge.objects.account(&caller()?.account)?;
    let answer: Value = ask(&account, &command).await?;
    Ok(json_response(asked.route().status, &answer)?)
}

/// Stops a running request of the same key, as the stop button does.
async fn cancel(edge: &Edge, caller: Caller, id: &str) -> Answer {
    let principal = edge.principal(&caller, "llm").await?;
    let shard = fnv1a32(id) % (edge.limits().relay_shards.max(1) as u32);
    let relay = edge.objects.relay_called(&caller.account, &shard.to_string())?;
    let cancel = RelayCommand::Cancel(Cancel { request_id: id.to_owned(), key_id: principal.key_id });
    if !ask(&relay, &cancel).await? {
        return Err(EdgeError::not_found(&REQUEST));
    }
    Ok(json_response(200, &json!(Cancelled { request_id: id.to_owned(), cancelled: true }))?)
}

/// Makes the keys of a fresh state. Only a launcher that gave the secret to this very process can ask.
async fn bootstrap(edge: &Edge, request: &Request) -> Answer {
    let given = request.headers().get("authorization")?.unwrap_or_default();
    let secret = edge.settings.bootstrap_secret.as_deref().filter(|_| !edge.settings.production);
    let allowed =
        secret.is_some_and(|secret| constant_time_equal(given.as_bytes(), format!("Bearer {secret}").as_bytes()));
    if !allowed {
        return Err(Code::NotFound.into());
    }
    let key = |label: &str, scopes: &[&str]| NewKey {
        label: label.to_owned(),
        user_id: holdpoint_gateway::config::DEV_ACCOUNT.to_owned(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        models: Vec::new(),
        origins: Vec::new(),
        expires_at: None,
    };
    let keys = vec![key("user", &["llm", "usage", "edit"]), key("admin", &["admin", "usage", "metrics"])];
    let account = edge.objects.account(&edge.settings.dev_account())?;
    let made: Value = ask(&account, &AccountCommand::Bootstrap { keys }).await?;
    let token = |index: usize| made["keys"][index]["key"].as_str().unwrap_or_default().to_owned();
    Ok(json_response(201, &json!(FirstKeys { user_token: token(0), admin_token: token(1) }))?)
}

fn new_key(body: &Value) -> Result<NewKey, EdgeError> {
    let texts = |name: &str| -> Result<Vec<String>, EdgeError> {
        let pointer = format!("/{name}");
        match &body[name] {
            Value::Null => Ok(Vec::new()),
            Value::Array(items) => items
                .iter()
                .map(|item| match item.as_str() {
                    Some(text) if !text.is_empty() && !text.contains(char::is_whitespace) => Ok(text.to_owned()),
                    _ => Err(EdgeError::invalid(&pointer, &TEXTS, args! {})),
                })
                .collect(),
            _ => Err(EdgeError::invalid(&pointer, &TEXTS, args! {})),
        }
    };
    let label = body["label"].as_str().unwrap_or_default();
    if label.is_empty() || label.chars().count() > MAX_LABEL || label.chars().any(char::is_control) {
        return Err(EdgeError::invalid("/label", &LABEL, args! { most: MAX_LABEL }));
    }
    let user_id = body["user_id"].as_str().unwrap_or_default();
    check_name("/user_id", user_id)?;
    let scopes = match texts("scopes")? {
        none if none.is_empty() => vec!["llm".to_owned(), "usage".to_owned()],
        scopes => scopes,
    };
    if let Some(index) = scopes.iter().position(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(EdgeError::invalid(format!("/scopes/{index}"), &CHOICE, args! { allowed: SCOPES.join(", ") }));
    }
    let expires_at = match &body["expires_at"] {
        Value::Null => None,
        value => Some(value.as_i64().ok_or_else(|| EdgeError::invalid("/expires_at", &TIME, args! {}))?),
    };
    Ok(NewKey {
        label: label.to_owned(),
        user_id: user_id.to_owned(),
        scopes,
        models: texts("models")?,
        origins: texts("origins")?,
        expires_at,
    })
}

fn run_ask(body: &Value, longest: i64) -> Result<(Amount, i64), EdgeError> {
    let whole = |name: &str| match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_u64().filter(|n| *n < 1 << 53) {
            Some(number) => Ok(Some(number)),
            None => Err(EdgeError::invalid(format!("/{name}"), &WHOLE, args! {})),
        },
    };
    let tokens = whole("tokens")?.ok_or_else(|| EdgeError::invalid("/tokens", &TOKENS, args! {}))?;
    let ttl_ms = whole("ttl_ms")?.map_or(longest, |ttl| ttl.cast_signed().clamp(1, longest));
    Ok((Amount { tokens, cost: whole("cost")?.unwrap_or(0) }, ttl_ms))
}

/// A body of the shape that its route names.
fn read<T: DeserializeOwned>(body: Value) -> Result<T, EdgeError> {
    serde_json::from_value(body).map_err(|error| EdgeError::invalid("", &BODY, args! { error: error.to_string() }))
}

fn decide(asked: &Incoming, decision: Decision) -> Result<AccountCommand, EdgeError> {
    let (id, budget) = (asked.place("extension"), asked.place("id"));
    Ok(AccountCommand::DecideExtension { caller: asked.caller()?, id, budget, decision })
}

fn check_amount(amount: u64) -> Result<(), EdgeError> {
    if (1..=MAX_AMOUNT).contains(&amount) {
        return Ok(());
    }
    Err(EdgeError::invalid("/amount", &BETWEEN, args! { least: 1, most: MAX_AMOUNT }))
}

fn check_reason(reason: &str) -> Result<(), EdgeError> {
    let written = !reason.trim().is_empty() && reason.chars().count() <= MAX_REASON;
    if written && !reason.chars().any(|c| c.is_control() && c != '\n') {
        return Ok(());
    }
    Err(EdgeError::invalid("/reason", &REASON, args! { most: MAX_REASON }))
}

/// Limits that can be kept: of a rate, each number is at least 1.
fn limit_ask(body: Value) -> Result<LimitAsk, EdgeError> {
    let ask: LimitAsk = read(body)?;
    let none = ask.rate.and_then(|rate| {
        let members = [("count", Some(rate.count)), ("per_ms", Some(rate.per_ms)), ("burst", rate.burst)];
        members.into_iter().find(|(_, value)| *value == Some(0))
    });
    match none {
        Some((name, _)) => {
            Err(EdgeError::invalid(format!("/rate/{name}"), &BETWEEN, args! { least: 1, most: u32::MAX }))
        }
        None => Ok(ask),
    }
}

fn check_name(pointer: &str, name: &str) -> Result<(), EdgeError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:@-".contains(c);
    if !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(plain) {
        return Ok(());
    }
    Err(EdgeError::invalid(pointer, &NAME, args! { most: MAX_NAME }))
}
