//! Administration and usage below `/gateway/v1` (spec: gateway.md §13).
//!
//! Each path becomes one question to the caller's account, which checks scope again and answers.

use holdpoint_gateway::Code;
use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::key::{constant_time_equal, fnv1a32, request_id};
use holdpoint_store::ledger::NewKey;
use holdpoint_store::wire::{Cancelled, FirstKeys};
use serde_json::{Value, json};
use worker::{Method, Request};

use super::{Edge, segments, slice};
use crate::account::{Caller, Question, QuoteAsk, Slice, read_budget};
use crate::answer::{Answer, Fault, json_response};
use crate::body;
use crate::js::{now_ms, random};
use crate::objects::{ask, send};
use crate::relay::Cancel;

const SCOPES: [&str; 5] = ["llm", "usage", "edit", "admin", "metrics"];
/// Largest body of an administrative request.
const MAX_ADMIN_BODY_BYTES: u64 = 64 << 10;
const MAX_LABEL: usize = 128;
const MAX_NAME: usize = 64;

/// Answers below `/gateway/v1/`.
pub async fn answer(edge: &Edge, request: Request, path: &str) -> Answer {
    let method = request.method();
    let parts = segments(path, "/gateway/v1/");
    if (parts.as_slice(), &method) == (&["bootstrap"], &Method::Post) {
        return bootstrap(edge, &request).await;
    }
    known(&parts, &method)?;
    let reader = edge.reader(&request, scope(&parts)).await?;
    let has_body = matches!(method, Method::Post | Method::Put) && !matches!(parts.as_slice(), [_, _, _]);
    let body = if has_body {
        body::read_json(&reader, &request, MAX_ADMIN_BODY_BYTES, edge.limits()).await?
    } else {
        Value::Null
    };
    let caller = reader.caller().clone();
    let account = edge.objects.account(&caller.account)?;
    let list = |caller: Caller| -> Result<(Caller, Slice), Fault> {
        let (cursor, limit) = slice(&request)?;
        Ok((caller, Slice { cursor, limit }))
    };
    let mut status = 200;
    let question = match (parts.as_slice(), method) {
        (["keys"], Method::Get) => {
            let (caller, slice) = list(caller)?;
            Question::Keys { caller, slice }
        }
        (["keys"], Method::Post) => {
            status = 201;
            Question::CreateKey { new: new_key(&body)?, caller }
        }
        (["keys", id], Method::Get) => Question::Key { caller, id: (*id).to_owned() },
        (["keys", id, "revoke"], Method::Post) => Question::RevokeKey { caller, id: (*id).to_owned() },
        (["budgets"], Method::Get) => {
            let (caller, slice) = list(caller)?;
            Question::Budgets { caller, slice }
        }
        (["budgets", id], Method::Get) => Question::Budget { caller, id: (*id).to_owned() },
        (["budgets", id], Method::Put) => {
            check_name("/id", id)?;
            Question::PutBudget { caller, budget: read_budget(id, &body)? }
        }
        (["budgets", id], Method::Delete) => Question::DeleteBudget { caller, id: (*id).to_owned() },
        (["indicator"], Method::Get) => Question::Indicator { caller },
        (["ledger"], Method::Get) => {
            let (caller, slice) = list(caller)?;
            Question::Ledger { caller, slice }
        }
        (["quote"], Method::Post) => {
            let ask: QuoteAsk = serde_json::from_value(body)
                .map_err(|error| Fault::invalid("", format!("Correct the body: {error}.")))?;
            Question::Quote { caller, ask }
        }
        (["runs"], Method::Post) => {
            status = 201;
            let (amount, ttl_ms) = run_ask(&body, edge.limits().hold_ttl())?;
            let id = request_id(now_ms(), &random()?).replacen("req_", "run_", 1);
            Question::OpenRun { caller, id, amount, ttl_ms }
        }
        (["runs", id], Method::Get) => Question::Run { caller, id: (*id).to_owned() },
        (["runs", id], Method::Delete) => Question::CloseRun { caller, id: (*id).to_owned() },
        (["requests", id, "cancel"], Method::Post) => return cancel(edge, caller, id).await,
        _ => return Err(Code::NotFound.into()),
    };
    let answer: Value = ask(&account, &question).await?;
    Ok(json_response(status, &answer)?)
}

/// Whether the path and its method exist.
fn known(parts: &[&str], method: &Method) -> Result<(), Fault> {
    let methods: &[Method] = match parts {
        ["keys"] => &[Method::Get, Method::Post],
        ["keys", _] | ["budgets" | "indicator" | "ledger"] => &[Method::Get],
        ["budgets", _] => &[Method::Get, Method::Put, Method::Delete],
        ["bootstrap" | "quote" | "runs"] | ["keys", _, "revoke"] | ["requests", _, "cancel"] => &[Method::Post],
        ["runs", _] => &[Method::Get, Method::Delete],
        _ => return Err(Code::NotFound.into()),
    };
    if methods.contains(method) { Ok(()) } else { Err(Code::MethodNotAllowed.into()) }
}

/// What a key must be allowed to do on a path.
fn scope(parts: &[&str]) -> &'static str {
    match parts {
        ["quote" | "runs" | "requests", ..] => "llm",
        ["indicator"] => "usage",
        _ => "admin",
    }
}

/// Stops a running request of the same key, as the stop button does.
async fn cancel(edge: &Edge, caller: Caller, id: &str) -> Answer {
    let principal = edge.principal(&caller, "llm").await?;
    let shard = fnv1a32(id) % (edge.limits().relay_shards.max(1) as u32);
    let relay = edge.objects.relay(&caller.account, shard)?;
    let cancel = Cancel { request_id: id.to_owned(), key_id: principal.key_id };
    let found = send(&relay, &cancel).await?.status_code() == 200;
    if !found {
        return Err(Fault::not_found("This key has no running request of that id."));
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
    let made: Value = ask(&account, &Question::Bootstrap { keys }).await?;
    let token = |index: usize| made["keys"][index]["key"].as_str().unwrap_or_default().to_owned();
    Ok(json_response(201, &json!(FirstKeys { user_token: token(0), admin_token: token(1) }))?)
}

fn new_key(body: &Value) -> Result<NewKey, Fault> {
    let texts = |name: &str| -> Result<Vec<String>, Fault> {
        let pointer = format!("/{name}");
        match &body[name] {
            Value::Null => Ok(Vec::new()),
            Value::Array(items) => items
                .iter()
                .map(|item| match item.as_str() {
                    Some(text) if !text.is_empty() && !text.contains(char::is_whitespace) => Ok(text.to_owned()),
                    _ => Err(Fault::invalid(&pointer, "Write texts without spaces.")),
                })
                .collect(),
            _ => Err(Fault::invalid(&pointer, "Write a list of texts.")),
        }
    };
    let label = body["label"].as_str().unwrap_or_default();
    if label.is_empty() || label.chars().count() > MAX_LABEL || label.chars().any(char::is_control) {
        return Err(Fault::invalid("/label", format!("Name the key in 1 to {MAX_LABEL} characters.")));
    }
    let user_id = body["user_id"].as_str().unwrap_or_default();
    check_name("/user_id", user_id)?;
    let scopes = match texts("scopes")? {
        none if none.is_empty() => vec!["llm".to_owned(), "usage".to_owned()],
        scopes => scopes,
    };
    if let Some(index) = scopes.iter().position(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(Fault::invalid(&format!("/scopes/{index}"), format!("Write one of {}.", SCOPES.join(", "))));
    }
    let expires_at = match &body["expires_at"] {
        Value::Null => None,
        value => Some(value.as_i64().ok_or_else(|| Fault::invalid("/expires_at", "Write milliseconds since 1970."))?),
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

fn run_ask(body: &Value, longest: i64) -> Result<(Amount, i64), Fault> {
    let whole = |name: &str| match &body[name] {
        Value::Null => Ok(None),
        value => match value.as_u64().filter(|n| *n < 1 << 53) {
            Some(number) => Ok(Some(number)),
            None => Err(Fault::invalid(&format!("/{name}"), "Write a whole number, 0 or more.")),
        },
    };
    let tokens = whole("tokens")?.ok_or_else(|| Fault::invalid("/tokens", "Say how many tokens the run may use."))?;
    let ttl_ms = whole("ttl_ms")?.map_or(longest, |ttl| ttl.cast_signed().clamp(1, longest));
    Ok((Amount { tokens, cost: whole("cost")?.unwrap_or(0) }, ttl_ms))
}

fn check_name(pointer: &str, name: &str) -> Result<(), Fault> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:@-".contains(c);
    if !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(plain) {
        return Ok(());
    }
    Err(Fault::invalid(pointer, format!("Write 1 to {MAX_NAME} letters, digits, `.`, `_`, `:`, `@` or `-`.")))
}
