//! Telling an operator's servers: what they are, and deliveries by alarm (spec: gateway.md §13 "webhooks").
//!
//! Invariants: a secret is sealed before it is kept and shown once; an address is judged again before each delivery; no
//! redirect is followed, and nothing of an answer is read.

use std::time::Duration;

use futures_util::future::{Either, join_all, select};
use holdpoint_check::args;
use holdpoint_gateway::budget::{Amount, Close};
use holdpoint_gateway::cipher::{Keys, SealedFor, Secret};
use holdpoint_gateway::webhook::{WebhookEvent, signature};
use holdpoint_gateway::{Code, GatewayError};
use holdpoint_store::codes::{ADDRESS_BLOCKED, WEBHOOKS_FULL};
use holdpoint_store::ledger::{DueDelivery, KeptWebhook, MOST_WEBHOOKS};
use holdpoint_store::wire::{ShownWebhook, WebhookAsk, Webhooks};
use holdpoint_store::{Ledger, SqlError};
use holdpoint_text::hex;
use js_sys::futures::JsFuture;
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{AbortController, Delay, Env, Headers, Method, Request, RequestInit, RequestRedirect};

use super::Caller;
use crate::answer::EdgeError;
use crate::js::{now_ms, random};
use crate::outbound;
use crate::settings::Settings;
use crate::sql::ObjectSql;

/// How long a server may take to answer.
const ANSWER: Duration = Duration::from_secs(10);
const SIGNATURE_HEADER: &str = "holdpoint-signature";
/// What secrets of webhooks are sealed as.
const KIND: &str = "webhook";

/// The servers as they are shown.
pub(super) fn shown(ledger: &Ledger<ObjectSql>) -> Result<Webhooks, EdgeError> {
    let show = |kept: &KeptWebhook| ShownWebhook { url: kept.url.clone(), events: kept.events.clone(), secret: None };
    Ok(Webhooks { webhooks: ledger.webhooks()?.iter().map(show).collect() })
}

/// Takes these servers. One that is new gets a secret, which this answer alone tells.
pub(super) fn put(
    ledger: &Ledger<ObjectSql>,
    settings: &Settings,
    caller: &Caller,
    actor: &str,
    asked: &[WebhookAsk],
) -> Result<Webhooks, EdgeError> {
    if asked.len() > MOST_WEBHOOKS {
        return Err(EdgeError::invalid("/webhooks", &WEBHOOKS_FULL, args! { most: MOST_WEBHOOKS }));
    }
    let before = ledger.webhooks()?;
    let (mut kept, mut told) = (Vec::<KeptWebhook>::new(), Vec::new());
    for (at, WebhookAsk { url, events }) in asked.iter().enumerate() {
        let url = settings.addresses(&caller.host).check(url).map_err(|blocked| {
            let code = blocked.details.get("code").cloned().unwrap_or_default();
            EdgeError::invalid(format!("/webhooks/{at}/url"), &ADDRESS_BLOCKED, args! {}).with("code", code)
        })?;
        if kept.iter().any(|other| other.url == url) {
            continue;
        }
        let known = before.iter().find(|other| other.url == url);
        let (id, secret, sealed) = if let Some(known) = known {
            (known.id.clone(), None, known.secret.clone())
        } else {
            let (id, secret) = (hex(&random::<8>()?), format!("whs_{}", hex(&random::<32>()?)));
            let sealed = keys(settings)?.seal(&Secret::new(&secret), random()?, &place(&caller.account, &id));
            (id, Some(secret), sealed.map_err(|_| EdgeError::from(Code::SecretsUnavailable))?)
        };
        told.push(ShownWebhook { url: url.clone(), events: events.clone(), secret });
        kept.push(KeptWebhook { id, url, events: events.clone(), secret: sealed });
    }
    ledger.put_webhooks(now_ms(), actor, &kept)?;
    Ok(Webhooks { webhooks: told })
}

/// Tells what a settlement came to.
pub(super) fn tell_close(ledger: &Ledger<ObjectSql>, request_id: &str, close: &Close) {
    let Close::Closed(closed) = close else { return };
    tell_budgets(ledger, request_id);
    if closed.excess != Amount::default() {
        let what = json!({"request_id": request_id, "excess": closed.excess});
        untold(ledger.tell(now_ms(), WebhookEvent::Overrun, &what));
    }
}

/// Tells what the budgets of a call came to.
pub(super) fn tell_budgets(ledger: &Ledger<ObjectSql>, request_id: &str) {
    untold(ledger.tell_budgets(now_ms(), request_id));
}

/// What cannot be told changes nothing of what happened.
fn untold(told: Result<(), SqlError>) {
    if let Err(fault) = told {
        worker::console_error!("{}", json!({"event": "webhook.untold", "code": fault.code()}));
    }
}

/// Sends what is due, to all servers at once. `account` is the name of the object.
pub(super) async fn deliver(
    ledger: &Ledger<ObjectSql>,
    env: &Env,
    settings: &Settings,
    account: &str,
) -> Result<(), EdgeError> {
    let due = ledger.due_deliveries(now_ms())?;
    let sent = join_all(due.iter().map(|delivery| send(ledger, env, account, settings, delivery))).await;
    for (delivery, taken) in due.iter().zip(sent) {
        if ledger.delivered(now_ms(), delivery, taken.unwrap_or(false), settings.limits.settle_retries)? {
            worker::console_error!("{}", json!({"event": "webhook.given_up", "webhook": delivery.webhook.id}));
        }
    }
    Ok(())
}

/// Whether a server took a delivery.
async fn send(
    ledger: &Ledger<ObjectSql>,
    env: &Env,
    account: &str,
    settings: &Settings,
    delivery: &DueDelivery,
) -> Result<bool, EdgeError> {
    let KeptWebhook { id, url, secret: sealed, .. } = &delivery.webhook;
    let Ok(url) = settings.addresses("").check(url) else { return Ok(false) };
    let (keys, place) = (keys(settings)?, place(account, id));
    let secret = keys.open(sealed, &place).map_err(|_| EdgeError::from(Code::SecretsUnavailable))?;
    if keys.is_old(sealed)
        && let Ok(after) = keys.seal(&secret, random()?, &place)
    {
        ledger.reseal_webhook(id, sealed, &after)?;
    }
    let headers = Headers::new();
    headers.set("content-type", "application/json")?;
    headers.set("user-agent", "holdpoint")?;
    headers.set(SIGNATURE_HEADER, &signature(&secret, now_ms() / 1_000, &delivery.body))?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_headers(headers).with_body(Some(delivery.body.as_str().into()));
    init.with_redirect(RequestRedirect::Manual);
    let request = Request::new_with_init(&url, &init)?;
    let stop = AbortController::default();
    let sent = outbound::send(env, request.inner(), &stop.signal(), settings.reach_of_users());
    let sent = JsFuture::from(sent.map_err(worker::Error::from)?);
    let answered = select(sent, Delay::from(ANSWER)).await;
    let status = |response: &JsValue| response.dyn_ref::<web_sys::Response>().map_or(0, web_sys::Response::status);
    let taken = matches!(&answered, Either::Left((Ok(response), _)) if (200..300).contains(&status(response)));
    // Whatever else it would say is not read.
    stop.abort();
    Ok(taken)
}

fn keys(settings: &Settings) -> Result<&Keys, EdgeError> {
    settings.secrets.as_ref().ok_or_else(|| GatewayError::new(Code::SecretsUnavailable).into())
}

fn place<'p>(account: &'p str, id: &'p str) -> SealedFor<'p> {
    SealedFor { account, id, kind: KIND, user: "" }
}
