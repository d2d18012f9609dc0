//! From an order to a call that is admitted: its route, its bounds, the account's yes, and what goes upstream (spec:
//! gateway.md §1, §5).
//!
//! Invariants: what is held bounds what is sent, each try by a hold of its own; of a client's headers only the version and the betas that the provider's
//! row lists go on.

use std::rc::Rc;

use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::config::Provider;
use holdpoint_gateway::quote::compact_len;
use holdpoint_gateway::{ModelCall, Protocol};
use holdpoint_store::ledger::{CallAsk, CallFacts};

use super::Shared;
use super::call::Admitted;
use super::ledger::LedgerClient;
use super::order::{Order, VERSION_HEADER};
use super::route::{Chosen, choose};
use crate::account::AdmitAnswer;
use crate::answer::EdgeError;
use crate::js::now_ms;

/// The version of Anthropic's protocol where a client names none.
const VERSION: &str = "2023-06-01";

pub(super) struct Sending {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub text: String,
    /// Whether the answer is streamed.
    pub stream: bool,
}

/// Quotes the call and asks the account. Answers what is sent, and the call; nothing is sent of a count that no provider
/// makes.
pub(super) async fn admit(
    shared: &Rc<Shared>,
    order: Order,
    ledger: &LedgerClient,
    body: &[u8],
) -> Result<(Option<Sending>, Admitted), EdgeError> {
    let limits = &shared.settings.limits;
    let begun = now_ms();
    let call = ModelCall::read(order.protocol, body, limits)?;
    let Chosen { provider, price, alias, payer, patience, tries } = choose(shared, &order, &call.model).await?;
    let stream = call.stream && !order.counts;
    let (need, max_output) = if order.counts {
        call.check_members(&provider, &price.row)?;
        (Amount::default(), None)
    } else {
        let quote = call.quote(&provider, &price.row, limits)?;
        (Amount { tokens: quote.tokens, cost: quote.cost }, Some(quote.max_output))
    };
    let url = if order.counts { provider.count_url() } else { Some(provider.url()) };
    let mut dropped = dropped_betas(&order, &provider);
    let sending = match url {
        Some(url) => {
            let sent = call.sent(&provider, &price.model, max_output, order.unsupported, limits)?;
            dropped.extend(sent.dropped);
            Some(Sending { url, headers: headers(&order, &provider), text: sent.text, stream })
        }
        None => None,
    };
    let ask = CallAsk {
        request_id: order.request_id.clone(),
        need,
        run_id: order.run.clone(),
        payer,
        shard: shared.shard.clone(),
        boot: shared.boot()?,
        ttl_ms: limits.hold_ttl(),
        facts: CallFacts {
            protocol: order.protocol.name().to_owned(),
            alias,
            provider: provider.id.clone(),
            model: price.model.clone(),
            // A count costs nothing, whatever a call would.
            price_version: (price.has_price() || order.counts).then_some(price.version),
            stream,
            input_bytes: body.len() as u64,
            tag: order.tag.clone(),
            template: order.template.clone(),
        },
    };
    let AdmitAnswer { held, headers, .. } = ledger.admit(order.caller.clone(), ask.clone()).await?;
    let admitted = Admitted {
        shared: shared.clone(),
        ledger: ledger.clone(),
        dropped,
        provider,
        price,
        patience,
        held,
        input_bytes: compact_len(&call.body),
        include_usage: call.include_usage,
        since: now_ms(),
        admit_ms: now_ms() - begun,
        attempts: 0,
        ask,
        payer,
        tries,
        budget_headers: headers,
        order,
    };
    Ok((sending, admitted))
}

impl Admitted {
    /// Asks for the call once more, under an id of its own: the hold of the try before it is closed. Errors: the account
    /// has no room, or says no for another reason; nothing is held then.
    pub(super) async fn admit_again(&mut self) -> Result<(), EdgeError> {
        let id = format!("{}.{}", self.order.request_id, self.attempts + 1);
        let ledger = self.ledger.of(&id);
        self.shared.holds(&self.order.request_id, &id);
        let ask = CallAsk { request_id: id, ..self.ask.clone() };
        match ledger.admit(self.order.caller.clone(), ask).await {
            Ok(AdmitAnswer { held, headers, .. }) => {
                (self.held, self.budget_headers, self.ledger, self.since) = (held, headers, ledger, now_ms());
                Ok(())
            }
            Err(fault) => {
                ledger.let_go().await;
                Err(fault)
            }
        }
    }
}

/// The headers of a request to a provider.
fn headers(order: &Order, provider: &Provider) -> Vec<(&'static str, String)> {
    let mut headers = vec![("content-type", "application/json".to_owned()), ("accept-encoding", "identity".to_owned())];
    let key = provider.key.as_ref().map(Secret::expose);
    match provider.kind {
        Protocol::OpenAi => headers.extend(key.map(|key| ("authorization", format!("Bearer {key}")))),
        Protocol::Anthropic => {
            headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
            headers.push((VERSION_HEADER, order.version.as_deref().unwrap_or(VERSION).to_owned()));
            let betas: Vec<&str> =
                order.betas.iter().filter(|beta| provider.betas.contains(beta)).map(String::as_str).collect();
            if !betas.is_empty() {
                headers.push(("anthropic-beta", betas.join(",")));
            }
        }
    }
    headers
}

/// The betas that the provider's row does not list.
fn dropped_betas(order: &Order, provider: &Provider) -> Vec<String> {
    let known = |beta: &&String| provider.kind == Protocol::Anthropic && provider.betas.contains(beta);
    order.betas.iter().filter(|beta| !known(beta)).map(|beta| format!("anthropic-beta:{beta}")).collect()
}
