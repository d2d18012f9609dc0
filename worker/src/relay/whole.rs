//! An answer that is not streamed: read whole within a limit, settled, then given: unchanged to a client of the same
//! protocol.
//!
//! Invariant: a provider that answered well has worked: what cannot be read of its answer is charged as an estimate of its
//! bytes and of the request's (spec: gateway.md §7 "Usage missing or partial").

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use holdpoint_gateway::usage::Observer;
use holdpoint_gateway::wire::translate;
use holdpoint_gateway::wire::{Chunk, Error, is_answer};
use holdpoint_gateway::{Code, GatewayError};
use serde_json::json;
use worker::{Delay, ResponseBuilder};

use super::call::{Admitted, Begun, Ending, Leaving};
use super::give::Give;
use super::ledger::CloseOrder;
use super::upstream::{Chunks, Done, Failure, Piece};
use crate::account::RouteResult;
use crate::answer::EdgeError;
use crate::js::{First, Watch};
use crate::settings::Disconnect;

/// Reads an answer, settles, gives it. Of one that cannot be read the try is charged, and another one may follow.
pub(super) async fn answer(
    call: &Admitted,
    begun: Begun,
    watch: &mut Watch,
    left: &mut Leaving,
    give: Give,
) -> Result<(), (Failure, Give)> {
    let limits = &call.shared.settings.limits;
    let mut bytes = Vec::new();
    let told = tell_progress(call);
    let read = read(call, &begun, watch, left, &mut bytes).await;
    told.set(true);
    call.hears(&bytes);
    let good = (200..300).contains(&begun.response.status());
    let ending = |outcome: &'static str, status: u16, left: &Leaving| Ending {
        outcome,
        status,
        disconnect: left.policy_if_gone().or((outcome == "cancelled").then_some(Disconnect::CancelEstimate)),
        ttfb_ms: Some(begun.ttfb_ms),
        output_bytes: bytes.len() as u64,
    };
    if !good && read.is_ok() {
        call.tells(RouteResult::Failed { retryable: false }).await;
        // The caller's own mistake: the provider's words, without secrets.
        let used = call.reported(&bytes);
        let outcome = if used.is_some() { "upstream_error" } else { "released" };
        let end = ending(outcome, begun.response.status(), left);
        match used {
            Some(used) => {
                call.settle(&end, &used).await;
            }
            None => {
                call.ledger.close(&CloseOrder::Release, &call.report(&end, None)).await;
            }
        }
        if call.is_translated() && !call.is_own() {
            let words = Error::body(&bytes).map(|error| call.redacted(error.message.as_bytes()));
            let words = words.map(|words| String::from_utf8_lossy(&words).into_owned());
            let mut refusal = GatewayError::new(Code::UpstreamBadRequest).with(json!({"upstream_status": end.status}));
            if let Some(words) = words.filter(|words| !words.is_empty()) {
                refusal = refusal.saying(words);
            }
            give.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
            return Ok(());
        }
        if call.is_own() {
            let details = json!({"upstream_status": end.status, "upstream": call.said(&bytes)});
            let refusal = GatewayError::new(Code::UpstreamBadRequest).with(details);
            give.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
            return Ok(());
        }
        match give {
            Give::Later(later) => {
                let Ok(headers) = call.headers(&begun) else { return Ok(()) };
                let _ = call.measure_end(&headers, &end);
                let builder = ResponseBuilder::new().with_status(begun.response.status()).with_headers(headers);
                let _ = later.give.send(builder.fixed(call.redacted(&bytes)));
            }
            begun_stream @ Give::Begun(_) => {
                let words = String::from_utf8_lossy(&call.redacted(&bytes)).into_owned();
                let details = json!({"upstream_status": end.status, "upstream": words});
                let refusal = GatewayError::new(Code::UpstreamBadRequest).with(details);
                begun_stream.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
            }
        }
        return Ok(());
    }
    let mut observer = Observer::new();
    let (said, given) = match read.and_then(|()| parsed(call, &bytes)) {
        Ok(parsed) => parsed,
        Err((outcome, refusal)) => {
            begun.upstream.abort();
            let end = ending(outcome, refusal.code.status(), left);
            if good {
                // A provider that answered well has taken the request, whatever came of it.
                let used = call.reported(&bytes).unwrap_or_else(|| {
                    observer.unreadable(bytes.len() as u64);
                    observer.estimate(call.input_bytes, limits.estimate_bytes_per_token)
                });
                call.settle(&end, &used).await;
            } else {
                call.ledger.close(&CloseOrder::Release, &call.report(&end, None)).await;
            }
            if good && matches!(refusal.code, Code::UpstreamProtocolError | Code::UpstreamError) {
                return Err((Failure { refusal, ..Failure::new(Code::UpstreamError, Done::Charged) }, give));
            }
            call.tells(RouteResult::of(outcome)).await;
            give.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
            return Ok(());
        }
    };
    observer.take(&said);
    let extract = observer.estimate(call.input_bytes, limits.estimate_bytes_per_token);
    let outcome = if left.is_gone() { "client_gone" } else { "ok" };
    let end = ending(outcome, 200, left);
    let charged = call.settle(&end, &extract).await;
    call.tells(RouteResult::Worked).await;
    let Ok(headers) = call.headers(&begun) else { return Ok(()) };
    let _ = call.measure_end(&headers, &end);
    if let Some(charged) = charged {
        let _ = headers.set("holdpoint-tokens", &charged.tokens.to_string());
        let _ = headers.set("holdpoint-cost", &charged.cost.to_string());
    }
    if let Give::Later(later) = give {
        let given = given.unwrap_or(bytes);
        let _ = later.give.send(ResponseBuilder::new().with_status(200).with_headers(headers).fixed(given));
    }
    Ok(())
}

/// Notes that the provider has begun, unless its answer is here soon: a call that dies behind its headers is charged what
/// was sent, not all that was held. Who sets the cell needs no note any more.
fn tell_progress(call: &Admitted) -> Rc<Cell<bool>> {
    const SOON: Duration = Duration::from_millis(250);
    let limits = &call.shared.settings.limits;
    let used = call.amount(&Observer::new().estimate(call.input_bytes, limits.estimate_bytes_per_token));
    let (ended, ledger) = (Rc::new(Cell::new(false)), call.ledger.clone());
    let watched = ended.clone();
    worker::wasm_bindgen_futures::spawn_local(async move {
        Delay::from(SOON).await;
        if !watched.get() {
            ledger.progress(used).await;
        }
    });
    ended
}

/// Why an answer is not given: the outcome, and what to say.
type Failed = (&'static str, GatewayError);

/// What an answer says, and its body for a client of the other protocol.
fn parsed(call: &Admitted, bytes: &[u8]) -> Result<(Chunk, Option<Vec<u8>>), Failed> {
    let (kind, limits) = (call.provider.kind, &call.shared.settings.limits);
    if !(call.order.counts || is_answer(kind, bytes)) {
        return Err(("upstream_error", GatewayError::new(Code::UpstreamProtocolError)));
    }
    let translated = |said| {
        if !call.is_translated() {
            return Ok((said, None));
        }
        let answer = translate::answer(kind, bytes, &call.telling(), limits)?;
        Ok((said, Some(answer.to_string().into_bytes())))
    };
    Chunk::body(kind, bytes).and_then(translated).map_err(|refusal| ("upstream_error", refusal))
}

/// Reads the whole body; of one that fails, `body` keeps what came.
async fn read(
    call: &Admitted,
    begun: &Begun,
    watch: &mut Watch,
    left: &mut Leaving,
    body: &mut Vec<u8>,
) -> Result<(), Failed> {
    let mut read = begun.read.clone();
    loop {
        match watch.first(&read, call.patience.idle_ms).await {
            First::Done(Ok(result)) => match Chunks::read(&result) {
                Piece::End => return Ok(()),
                Piece::Bytes(view) => body.extend(view.to_vec()),
            },
            First::Done(Err(_)) => return Err(("upstream_error", GatewayError::new(Code::UpstreamError))),
            First::Late => return Err(("stalled", GatewayError::new(Code::UpstreamStalled))),
            First::Cancelled => return Err(("cancelled", GatewayError::new(Code::RequestCancelled))),
            First::Over if left.is_gone() => return Err(("client_gone", GatewayError::new(Code::RequestCancelled))),
            First::Over => return Err(("timeout", GatewayError::new(Code::UpstreamTimeout))),
            First::Gone if left.leave(call, watch) => continue,
            First::Gone => return Err(("client_gone", GatewayError::new(Code::RequestCancelled))),
        }
        if body.len() as u64 > call.patience.whole_bytes {
            return Err(("upstream_error", GatewayError::new(Code::UpstreamTooLarge)));
        }
        read = begun.chunks.next();
    }
}
