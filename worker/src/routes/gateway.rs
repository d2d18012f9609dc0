//! Administration and usage below `/gateway/v1` (spec: gateway.md §13).
//!
//! Each path becomes one command to the caller's account, which checks scope again and answers.

use futures_util::future::try_join_all;
use holdpoint_gateway::Code;
use holdpoint_gateway::cipher::{SealedFor, Secret};
use holdpoint_gateway::config::DEV_ACCOUNT;
use holdpoint_gateway::key::{SCOPES, account_id, constant_time_equal, fnv1a32, request_id};
use holdpoint_gateway::mask::mask;
use holdpoint_store::codes::REQUEST;
use holdpoint_store::ledger::{Clamp, Decision, HeldCalls, NewKey, RunningCall, RunningCalls, SwitchAsk};
use holdpoint_store::requests;
use holdpoint_store::routes::gateway::Id;
use holdpoint_store::routes::operator;
use holdpoint_store::wire::{Cancelled, DeploymentHealth, ExtensionAsk, FirstKeys, GrantAsk, SecretAsk, WebhooksAsk};
use serde::Deserialize;
use serde_json::{Value, json};
use worker::{Request, Response};

use super::request::query;
use super::{Edge, RouteRequest};
use crate::account::{AccountCommand, Caller, QuoteAsk, SetupAsk};
use crate::answer::{Answer, EdgeError, json_response};
use crate::js::{headers, now_ms, random};
use crate::objects::ask;
use crate::relay::{Cancel, PROVIDER_SECRET, RelayCommand};

const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers a route of the gateway.
pub async fn answer(edge: &Edge, id: Id, mut asked: RouteRequest) -> Answer {
    let body = asked.json()?;
    let (caller, named) = (|| asked.caller(), asked.place("id"));
    let setup = |ask: SetupAsk| Ok::<_, EdgeError>(AccountCommand::Setup { caller: caller()?, ask });
    let command = match id {
        Id::FirstAccount => return first_account(edge, &asked).await,
        Id::Bootstrap => return bootstrap(edge, asked.request()).await,
        Id::Keys => AccountCommand::Keys { caller: caller()?, slice: asked.slice()? },
        Id::CreateKey => AccountCommand::CreateKey { new: requests::new_key(&body)?, caller: caller()? },
        Id::Key => AccountCommand::Key { caller: caller()?, id: named },
        Id::ChangeKey => AccountCommand::ChangeKey { caller: caller()?, id: named, edit: requests::key_edit(&body)? },
        Id::RotateKey => {
            let grace_ms = requests::grace_ms(&body)?;
            AccountCommand::RotateKey { caller: caller()?, id: named, grace_ms }
        }
        Id::Config => setup(SetupAsk::Config)?,
        Id::PutConfig => setup(SetupAsk::PutConfig { written: body })?,
        Id::Secrets => setup(SetupAsk::Secrets)?,
        Id::PutSecret => {
            requests::check_name("/id", &named)?;
            let SecretAsk { key } = requests::typed(body)?;
            requests::check_key(&key)?;
            let (caller, masked) = (caller()?, mask(Some(&key)).masked.unwrap_or_default());
            let place = SealedFor { account: &caller.account, id: &named, kind: PROVIDER_SECRET, user: "" };
            let keys = edge.settings.secrets.as_ref().ok_or_else(|| EdgeError::from(Code::SecretsUnavailable))?;
            let sealed = keys.seal(&Secret::new(key), random()?, &place);
            let sealed = sealed.map_err(|_| EdgeError::from(Code::SecretsUnavailable))?;
            AccountCommand::Setup { caller, ask: SetupAsk::PutSecret { id: named, masked, sealed } }
        }
        Id::DeleteSecret => setup(SetupAsk::DeleteSecret { id: named })?,
        Id::Webhooks => setup(SetupAsk::Webhooks)?,
        Id::PutWebhooks => {
            let WebhooksAsk { webhooks } = requests::typed(body)?;
            setup(SetupAsk::PutWebhooks { asked: webhooks })?
        }
        Id::Audit => AccountCommand::Audit { caller: caller()?, slice: asked.slice()? },
        Id::RevokeKey => AccountCommand::RevokeKey { caller: caller()?, id: named },
        Id::Budgets => AccountCommand::Budgets { caller: caller()?, slice: asked.slice()? },
        Id::Budget => AccountCommand::Budget { caller: caller()?, id: named },
        Id::PutBudget => {
            requests::check_name("/id", &named)?;
            AccountCommand::PutBudget { caller: caller()?, budget: requests::budget(&named, &body)? }
        }
        Id::DeleteBudget => AccountCommand::DeleteBudget { caller: caller()?, id: named },
        Id::AskExtension => {
            let ask: ExtensionAsk = requests::typed(body)?;
            requests::check_amount(ask.amount)?;
            requests::check_reason(&ask.reason)?;
            let id = request_id(now_ms(), &random()?).replacen("req_", "ext_", 1);
            AccountCommand::AskExtension { caller: caller()?, id, budget: named, ask }
        }
        Id::GrantExtension => {
            let GrantAsk { amount, until } = requests::typed(body)?;
            requests::check_amount(amount)?;
            decide(&asked, Decision::Grant { amount, until })?
        }
        Id::DenyExtension => decide(&asked, Decision::Deny)?,
        Id::EndExtension => decide(&asked, Decision::End)?,
        Id::Extensions => AccountCommand::Extensions { caller: caller()?, slice: asked.slice()? },
        Id::Switches => AccountCommand::Switches { caller: caller()?, slice: asked.slice()? },
        Id::PutSwitch => {
            let ask: SwitchAsk = requests::typed(body)?;
            if ask.stopped || !ask.reason.is_empty() {
                requests::check_reason(&ask.reason)?;
            }
            AccountCommand::PutSwitch { caller: caller()?, scope: asked.place("scope"), ask }
        }
        Id::Limit => AccountCommand::Limit { caller: caller()?, scope: asked.place("scope") },
        Id::PutLimit => {
            let ask = requests::limits(body)?;
            AccountCommand::PutLimit { caller: caller()?, scope: asked.place("scope"), ask }
        }
        Id::DeleteLimit => AccountCommand::DeleteLimit { caller: caller()?, scope: asked.place("scope") },
        Id::Ledger => AccountCommand::Ledger { caller: caller()?, slice: asked.slice()? },
        Id::Usage => {
            let url = asked.request().url()?;
            AccountCommand::Usage { caller: caller()?, ask: requests::usage(|name| query(&url, name), now_ms())? }
        }
        Id::Calls => {
            let url = asked.request().url()?;
            let days = requests::days(|name| query(&url, name))?;
            AccountCommand::Calls { caller: caller()?, days, slice: asked.slice()? }
        }
        Id::Running => return running(edge, caller()?).await,
        Id::Dump => {
            let command = AccountCommand::Dump { caller: caller()?, cursor: asked.query("cursor")? };
            let lines: String = ask(&edge.objects.account(&caller()?.account)?, &command).await?;
            let headers = headers(&[("content-type", "application/x-ndjson"), ("cache-control", "no-store")])?;
            return Ok(Response::builder().with_status(200).with_headers(headers).fixed(lines.into_bytes()));
        }
        Id::Indicator => AccountCommand::Indicator { caller: caller()? },
        Id::Quote => {
            let ask: QuoteAsk = requests::typed(body)?;
            AccountCommand::Quote { caller: caller()?, ask }
        }
        Id::OpenRun => {
            let (amount, ttl_ms) = requests::run(&body, edge.limits().hold_ttl())?;
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

/// What is open: what the account holds, and what its relays admitted within slices.
async fn running(edge: &Edge, caller: Caller) -> Answer {
    let account = edge.objects.account(&caller.account)?;
    let command = AccountCommand::Running { caller: caller.clone() };
    let HeldCalls { mut items, user_id, borrowers } = ask(&account, &command).await?;
    items.extend(within_slices(edge, &caller.account, &borrowers, user_id).await?);
    Ok(json_response(200, &json!(RunningCalls::latest(items)))?)
}

/// The calls of a user, or of all, that run within what an account lent to the relays of these shards.
async fn within_slices(
    edge: &Edge,
    account: &str,
    borrowers: &[String],
    user_id: Option<String>,
) -> Result<Vec<RunningCall>, EdgeError> {
    let command = RelayCommand::Running { user_id };
    let calls = borrowers.iter().map(async |shard| {
        let relay = edge.objects.relay_called(account, shard)?;
        ask::<_, Vec<RunningCall>>(&relay, &command).await
    });
    Ok(try_join_all(calls).await?.into_iter().flatten().collect())
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

/// Answers what watches a deployment.
pub async fn watch(edge: &Edge, id: operator::Id, asked: &RouteRequest) -> Answer {
    match id {
        operator::Id::Health => {
            let problems = edge.settings.problems.clone();
            let (status, word) = if problems.is_empty() { (200, "ok") } else { (503, "misconfigured") };
            Ok(json_response(status, &json!(DeploymentHealth { status: word, problems }))?)
        }
        operator::Id::Metrics => {
            let caller = asked.caller()?;
            let account = edge.objects.account(&caller.account)?;
            let scope = asked.route().scope.unwrap_or_default().to_owned();
            let borrowers: Vec<String> =
                ask(&account, &AccountCommand::Borrowers { caller: caller.clone(), scope }).await?;
            let within = within_slices(edge, &caller.account, &borrowers, None).await?.len() as u64;
            let text: String = ask(&account, &AccountCommand::Metrics { caller, within }).await?;
            let headers = headers(&[("content-type", METRICS_TYPE), ("cache-control", "no-store")])?;
            Ok(Response::builder().with_status(200).with_headers(headers).fixed(text.into_bytes()))
        }
    }
}

/// Makes the first key of the account that the settings name, for whoever shows their secret.
async fn first_account(edge: &Edge, asked: &RouteRequest) -> Answer {
    let Some((first, secret)) = &edge.settings.first_account else { return Err(Code::NotFound.into()) };
    if !shows(asked.request(), secret.expose())? {
        return Err(Code::NotFound.into());
    }
    let user_id = asked.query("user_id")?.unwrap_or_else(|| "admin".to_owned());
    requests::check_name("/user_id", &user_id)?;
    let new = new_key("first", &user_id, &SCOPES);
    let account = account_id(&edge.settings.issuer, &first.text);
    let object = edge.objects.account(&account)?;
    let key: Value = ask(&object, &AccountCommand::OpenFirst { name: first.name.clone(), account, new }).await?;
    Ok(json_response(asked.route().status, &json!({"account": first.text, "key": key}))?)
}

/// Whether a request shows a secret as its bearer.
fn shows(request: &Request, secret: &str) -> Result<bool, EdgeError> {
    let given = request.headers().get("authorization")?.unwrap_or_default();
    Ok(constant_time_equal(given.as_bytes(), format!("Bearer {secret}").as_bytes()))
}

fn new_key(label: &str, user_id: &str, scopes: &[&str]) -> NewKey {
    NewKey {
        label: label.to_owned(),
        user_id: user_id.to_owned(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        models: Vec::new(),
        origins: Vec::new(),
        clamp: Clamp::Allowed,
        expires_at: None,
    }
}

/// What is read of a key that was made.
#[derive(Deserialize)]
struct MadeKey {
    key: String,
}

/// Makes the keys of a fresh state. Only a launcher that gave the secret to this very process can ask.
async fn bootstrap(edge: &Edge, request: &Request) -> Answer {
    let secret = edge.settings.bootstrap_secret.as_deref().filter(|_| !edge.settings.production);
    let Some(true) = secret.map(|secret| shows(request, secret)).transpose()? else {
        return Err(Code::NotFound.into());
    };
    let key = |label: &str, scopes: &[&str]| new_key(label, DEV_ACCOUNT, scopes);
    let keys = vec![key("user", &["llm", "usage", "edit"]), key("admin", &["admin", "usage", "metrics"])];
    let account = edge.objects.account(&edge.settings.dev_account())?;
    let made: Vec<MadeKey> = ask(&account, &AccountCommand::Bootstrap { keys }).await?;
    let mut tokens = made.into_iter().map(|made| made.key);
    let (user_token, admin_token) = (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
    Ok(json_response(201, &json!(FirstKeys { user_token, admin_token }))?)
}

fn decide(asked: &RouteRequest, decision: Decision) -> Result<AccountCommand, EdgeError> {
    let (id, budget) = (asked.place("extension"), asked.place("id"));
    Ok(AccountCommand::DecideExtension { caller: asked.caller()?, id, budget, decision })
}
