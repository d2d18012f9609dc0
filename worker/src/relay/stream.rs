//! The pump: upstream chunks to the client, one at a time, watched for usage on the way (spec: gateway.md §2
//! "Fidelity", §7, §8).
//!
//! Back-pressure is the awaited write into an `IdentityTransformStream`, whose readable half is the response; at most
//! one chunk waits. Invariants: bytes of the client's own protocol are never re-encoded; after the first byte nothing is
//! retried.

use holdpoint_gateway::passage::Passage;
use holdpoint_gateway::wire::translate::stream_error;
use holdpoint_gateway::wire::{Ended, sse};
use holdpoint_gateway::{Code, GatewayError};
use serde_json::json;

use super::call::{Admitted, Begun, Ending, Leaving};
use super::give::Give;
use super::upstream::{Chunks, Piece};
use crate::account::RouteResult;
use crate::client_stream::ClientStream;
use crate::js::{First, Watch, now_ms};
use crate::settings::Disconnect;

enum Stop {
    End,
    Cut,
    Broken(GatewayError),
    Stalled,
    Over,
    Cancelled,
    /// The client left and the policy aborts.
    Left,
}

/// Streams an answer to its end and settles.
pub(super) async fn pump(call: &Admitted, begun: Begun, watch: &mut Watch, mut left: Leaving, give: Give) {
    let pipe = match give {
        Give::Begun(pipe) => Some(pipe),
        Give::Later(later) => match call.headers(&begun).ok().and_then(|headers| ClientStream::open(200, headers).ok())
        {
            Some((response, pipe)) => later.give.send(response).is_ok().then_some(pipe),
            None => None,
        },
    };
    if pipe.is_none() {
        left.leave(call, watch);
    }
    let mut client = Client { pipe: pipe.filter(|_| !left.is_gone()), cancelled: false };
    let limits = &call.shared.settings.limits;
    let kind = call.provider.kind;
    let mut passage = if call.is_translated() {
        Passage::translated(kind, call.telling(), limits)
    } else {
        Passage::new(kind, !call.include_usage, limits)
    };
    let mut output_bytes = 0;
    call.tells_soon(RouteResult::Worked);
    let stop = flow(call, &begun, watch, &mut left, &mut client, &mut passage, &mut output_bytes).await;

    let (held_back, ended) = passage.end();
    let (outcome, last) = verdict(&stop, ended);
    // What the upstream said in its own protocol was not passed on.
    let last = last.or_else(|| passage.untold_error().filter(|_| outcome == "upstream_error").map(stream_error));
    if !matches!(stop, Stop::End) {
        begun.upstream.abort();
    }
    if matches!(stop, Stop::End | Stop::Cut) {
        client.write(call, watch, &mut left, &held_back).await;
    }
    if let Some(refusal) = last {
        let event = refusal.event(call.order.protocol, &call.order.request_id);
        client.write(call, watch, &mut left, event.as_bytes()).await;
    }
    let ending = Ending {
        outcome: if left.is_gone() && outcome == "ok" { "client_gone" } else { outcome },
        status: 200,
        disconnect: left.policy_if_gone().or((outcome == "cancelled").then_some(Disconnect::CancelEstimate)),
        ttfb_ms: Some(begun.ttfb_ms),
        output_bytes,
    };
    let extract = passage.estimate(call.input_bytes, limits);
    let charged = call.settle(&ending, &extract).await;
    let result = RouteResult::of(outcome);
    if result != RouteResult::Worked {
        call.tells(result).await;
    }
    if call.order.usage_comment
        && let Some(charged) = charged
    {
        let comment = json!({
            "request_id": call.order.request_id, "usage": extract, "tokens": charged.tokens, "cost": charged.cost,
        });
        let comment = sse::comment(&format!("holdpoint {comment}"), "\n");
        client.write(call, watch, &mut left, comment.as_bytes()).await;
    }
    client.close();
}

/// Moves chunks until something ends it.
async fn flow(
    call: &Admitted,
    begun: &Begun,
    watch: &mut Watch,
    left: &mut Leaving,
    client: &mut Client,
    passage: &mut Passage,
    output_bytes: &mut u64,
) -> Stop {
    let limits = &call.shared.settings.limits;
    let mut read = begun.read.clone();
    let mut reported_at = call.since;
    loop {
        let chunk = match watch.first(&read, call.patience.idle_ms).await {
            First::Done(Ok(result)) => Chunks::read(&result),
            First::Done(Err(_)) => return Stop::Cut,
            // Nothing follows the end but the end of the connection.
            First::Late if passage.ended() == Ended::Complete => return Stop::End,
            First::Late => return Stop::Stalled,
            First::Over if left.is_gone() => return Stop::Left,
            First::Over => return Stop::Over,
            First::Cancelled => return Stop::Cancelled,
            First::Gone => {
                client.pipe = None;
                if left.leave(call, watch) {
                    continue;
                }
                return Stop::Left;
            }
        };
        let Piece::Bytes(view) = chunk else { return Stop::End };
        let bytes = view.to_vec();
        *output_bytes += bytes.len() as u64;
        call.hears(&bytes);
        let passed = passage.push(&bytes);
        client.write(call, watch, left, &passed.bytes).await;
        if *output_bytes > call.patience.stream_bytes {
            return Stop::Broken(GatewayError::new(Code::UpstreamTooLarge));
        }
        if let Some(refusal) = passed.broken {
            return Stop::Broken(refusal);
        }
        if client.cancelled {
            return Stop::Cancelled;
        }
        if left.is_gone() && left.policy_if_gone() != Some(Disconnect::Drain) {
            return Stop::Left;
        }
        let now = now_ms();
        if reported_at == call.since || now - reported_at >= limits.progress_ms.cast_signed() {
            reported_at = now;
            let used = call.amount(&passage.estimate(call.input_bytes, limits));
            let ledger = call.ledger.clone();
            worker::wasm_bindgen_futures::spawn_local(async move { ledger.progress(used).await });
        }
        read = begun.chunks.next();
    }
}

/// The outcome of a stream, and the event that ends it where it did not end by itself.
fn verdict(stop: &Stop, ended: Ended) -> (&'static str, Option<GatewayError>) {
    match (stop, ended) {
        (Stop::End | Stop::Cut, Ended::Complete) => ("ok", None),
        (Stop::End | Stop::Cut, Ended::Error) => ("upstream_error", None),
        (Stop::End | Stop::Cut, Ended::Cut) => ("upstream_cut", Some(GatewayError::new(Code::UpstreamStreamCut))),
        (Stop::Broken(refusal), _) => ("upstream_error", Some(refusal.clone())),
        (Stop::Stalled, _) => ("stalled", Some(GatewayError::new(Code::UpstreamStalled))),
        (Stop::Over, _) => ("timeout", Some(GatewayError::new(Code::UpstreamTimeout))),
        (Stop::Cancelled, _) => ("cancelled", None),
        (Stop::Left, _) => ("client_gone", None),
    }
}

/// The client's end of the pipe; `None` when it left.
struct Client {
    pipe: Option<ClientStream>,
    cancelled: bool,
}

impl Client {
    /// Writes and waits until the client has taken it; a client that does not take it has left.
    async fn write(&mut self, call: &Admitted, watch: &mut Watch, left: &mut Leaving, bytes: &[u8]) {
        let Some(pipe) = &self.pipe else { return };
        if bytes.is_empty() {
            return;
        }
        match watch.first(&pipe.write(bytes), call.shared.settings.limits.client_stall_ms).await {
            First::Done(Ok(_)) => return,
            First::Cancelled => {
                self.cancelled = true;
                return;
            }
            First::Done(Err(_)) | First::Gone | First::Late | First::Over => {}
        }
        self.pipe = None;
        left.leave(call, watch);
    }

    fn close(&self) {
        if let Some(pipe) = &self.pipe {
            pipe.close();
        }
    }
}
