//! From an order to a call that is admitted: its route, its bounds, the account's yes, and what goes upstream (spec:
//! gateway.md §1, §5).
//!
//! Invariants: what is held bounds what is sent, each try by a hold of its own; of a client's headers only the version
//! and the betas that the provider's row lists go on.

use std::collections::VecDeque;
use std::rc::Rc;

use holdpoint_gateway::budget::Amount;
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::config::{PriceRow, Provider};
use holdpoint_gateway::quote::{Quote, compact_len};
use holdpoint_gateway::route::RouteProvider;
use holdpoint_gateway::{Code, GatewayError, Limits, ModelCall, Protocol};
use holdpoint_store::ledger::{CallAsk, CallFacts, ClampAsk};

use super::Shared;
use super::call::Admitted;
use super::capture::Captured;
use super::ledger::LedgerClient;
use super::order::{Consent, Order, VERSION_HEADER};
use super::route::{Candidate, Chosen, choose};
use crate::account::{AdmitAnswer, RouteAsk, RouteCandidate};
use crate::answer::EdgeError;
use crate::js::now_ms;
use crate::outbound::Reach;

/// The version of Anthropic's protocol where a client names none.
const VERSION: &str = "2023-06-01";

pub(super) struct Sending {
    pub url: String,
    pub headers: Vec<(&'static str, String)>,
    pub text: String,
    /// Whether the answer is streamed.
    pub stream: bool,
    pub reach: Reach,
}

/// A candidate of a call, with what it would be sent.
pub(super) struct Prepared {
    pub candidate: Candidate,
    /// `None`: no provider makes this count.
    pub sending: Option<Sending>,
    /// What the client asked for and the provider is not told.
    dropped: Vec<String>,
    need: Amount,
    /// `None` where tokens are only counted.
    quote: Option<Quote>,
}

/// Which candidates are tried, in this order.
pub(super) struct Plan {
    pub candidates: Vec<Prepared>,
    /// Places among them, one a try.
    pub tries: VecDeque<usize>,
}

/// Quotes the call and asks the account. Answers where it may go, and the call.
pub(super) async fn admit(
    shared: &Rc<Shared>,
    order: Order,
    ledger: &LedgerClient,
    body: &[u8],
) -> Result<(Plan, Admitted), EdgeError> {
    let limits = &shared.settings.limits;
    let begun = now_ms();
    let call = ModelCall::read(order.protocol, body, limits)?;
    let Chosen { candidates, alias, payer, again } = choose(shared, &order, &call.model).await?;
    let mut rest = candidates.into_iter().map(|candidate| prepare(candidate, &call, &order, limits, None));
    let primary = rest.next().unwrap_or_else(|| Err(GatewayError::new(Code::ModelNotPriced)))?;
    // A fallback that cannot take the request is none.
    let mut candidates: Vec<Prepared> = std::iter::once(primary).chain(rest.flatten()).collect();
    let most = |part: fn(&Amount) -> u64| candidates.iter().map(|prepared| part(&prepared.need)).max().unwrap_or(0);
    let need = Amount { tokens: most(|need| need.tokens), cost: most(|need| need.cost) };
    let Candidate { provider, price, .. } = &candidates[0].candidate;
    let mut ask = CallAsk {
        request_id: order.request_id.clone(),
        need,
        clamp: clamp(&candidates, &call, &order),
        run_id: order.run.clone(),
        idempotency_key: order.idempotency_key.clone().filter(|_| !order.counts),
        payer,
        shard: shared.shard.clone(),
        boot: shared.boot()?,
        ttl_ms: limits.hold_ttl(),
        facts: CallFacts {
            protocol: order.protocol.name().to_owned(),
            alias,
            provider: provider.id.clone(),
            model: price.model.clone(),
            price_version: price_version(price, &order),
            stream: call.stream && !order.counts,
            input_bytes: body.len() as u64,
            tag: order.tag.clone(),
            template: order.template.clone(),
            fallback: None,
            asked: None,
        },
        mean: None,
    };
    let is_decided = candidates.len() > 1 || provider.max_in_flight > 0;
    let route = (is_decided && !order.counts).then(|| RouteAsk {
        candidates: candidates.iter().map(|prepared| prepared.named(&order)).collect(),
        allow_remote: order.consent == Consent::Remote,
    });
    let answer = ledger.admit(order.caller.clone(), ask.clone(), route).await?;
    let AdmitAnswer { held, headers, routed, clamped, .. } = answer;
    if clamped.is_some() {
        let again = |one: Prepared| prepare(one.candidate, &call, &order, limits, clamped);
        candidates = candidates.into_iter().map(again).collect::<Result<_, _>>()?;
        (ask.need, ask.clamp) = (held, None);
    }
    ask.facts.fallback = routed.as_ref().and_then(|routed| routed.fallback.clone());
    let mut tries: VecDeque<usize> = routed.as_ref().map_or_else(|| [0].into(), |routed| routed.order.clone().into());
    tries.extend(tries.back().copied().filter(|_| again));
    tries.truncate(limits.max_attempts as usize);
    let first = tries.front().and_then(|place| candidates.get(*place)).unwrap_or(&candidates[0]);
    let Candidate { provider, price, patience, .. } = first.candidate.clone();
    let admitted = Admitted {
        shared: shared.clone(),
        ledger: ledger.clone(),
        dropped: first.dropped.clone(),
        provider,
        price,
        patience,
        held,
        input_bytes: compact_len(&call.body),
        include_usage: call.include_usage,
        since: now_ms(),
        admit_ms: now_ms() - begun,
        attempts: 0,
        captured: Captured::of(body, shared.settings.capture),
        ask,
        payer,
        routed,
        clamped,
        budget_headers: headers,
        order,
    };
    Ok((Plan { candidates, tries }, admitted))
}

/// What a candidate would hold and be sent, with at most `clamped` tokens of output. Errors: it cannot take the request.
fn prepare(
    candidate: Candidate,
    call: &ModelCall,
    order: &Order,
    limits: &Limits,
    clamped: Option<u64>,
) -> Result<Prepared, GatewayError> {
    let Candidate { provider, price, .. } = &candidate;
    let quote = if order.counts {
        call.check_members(provider, &price.row)?;
        None
    } else {
        Some(call.quote(provider, &price.row, limits)?)
    };
    let most = clamped.unwrap_or(u64::MAX);
    let max_output = quote.as_ref().map(|quote| quote.max_output.min(most));
    let need = quote.as_ref().map_or_else(Amount::default, |quote| Amount { tokens: quote.tokens, cost: quote.cost });
    let url = if order.counts { provider.count_url() } else { Some(provider.url()) };
    let mut dropped = dropped_betas(order, provider);
    let sending = match url {
        Some(url) => {
            let sent = call.sent(provider, &price.model, max_output, order.unsupported, limits)?;
            dropped.extend(sent.dropped);
            let stream = call.stream && !order.counts;
            Some(Sending { url, headers: headers(order, provider), text: sent.text, stream, reach: candidate.reach })
        }
        None => None,
    };
    Ok(Prepared { candidate, sending, dropped, need, quote })
}

/// How the call shrinks to what its budgets have. Of several answers or a prediction nobody knows what fewer tokens cost.
fn clamp(candidates: &[Prepared], call: &ModelCall, order: &Order) -> Option<ClampAsk> {
    let priced = |prepared: &'_ Prepared| {
        let request = prepared.candidate.price.row.price.as_ref().map_or(0, |price| price.request);
        prepared.quote.map(|quote| (quote, request))
    };
    let quotes: Vec<(Quote, u64)> = candidates.iter().map(priced).collect::<Option<_>>()?;
    if quotes.iter().any(|(quote, _)| quote.output_bound != quote.max_output) {
        return None;
    }
    let most = |part: fn(&Quote) -> u64| quotes.iter().map(|(quote, _)| part(quote)).max().unwrap_or(0);
    Some(ClampAsk {
        input_tokens: most(|quote| quote.input_bound),
        max_output: most(|quote| quote.max_output),
        price_in: most(|quote| quote.price_in),
        price_out: most(|quote| quote.price_out),
        request: quotes.iter().map(|(_, request)| *request).max().unwrap_or(0),
        least: order.least_output,
        // What is thought is part of the output.
        floor: call.least_output(),
    })
}

/// A count costs nothing, whatever a call would.
fn price_version(price: &PriceRow, order: &Order) -> Option<u64> {
    (price.has_price() || order.counts).then_some(price.version)
}

impl Prepared {
    /// As the account decides about it.
    fn named(&self, order: &Order) -> RouteCandidate {
        let Candidate { provider, price, .. } = &self.candidate;
        RouteCandidate {
            provider: RouteProvider {
                id: provider.id.clone(),
                locality: provider.locality,
                max_in_flight: provider.max_in_flight,
            },
            model: price.model.clone(),
            price_version: price_version(price, order),
        }
    }
}

impl Admitted {
    /// Asks for the call once more, now of that candidate and under an id of its own: the hold of the try before it is
    /// closed. Errors: the account has no room, or says no for another reason; nothing is held then.
    pub(super) async fn admit_again(&mut self, prepared: &Prepared) -> Result<(), EdgeError> {
        let Candidate { provider, price, patience, .. } = prepared.candidate.clone();
        let facts = &mut self.ask.facts;
        facts.price_version = price_version(&price, &self.order);
        (facts.provider, facts.model) = (provider.id.clone(), price.model.clone());
        (self.provider, self.price, self.patience) = (provider, price, patience);
        self.dropped.clone_from(&prepared.dropped);
        let id = format!("{}.{}", self.order.request_id, self.attempts + 1);
        let ledger = self.ledger.of(&id);
        self.shared.holds(&self.order.request_id, &id);
        let ask = CallAsk { request_id: id, ..self.ask.clone() };
        match ledger.admit(self.order.caller.clone(), ask, None).await {
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
