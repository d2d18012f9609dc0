//! A model call of a turn, through a relay like any client's, read as events of the turn (spec: script-tool.md §9,
//! gateway.md §7).
//!
//! Invariants: nothing is sent to a model that the account did not admit; a call that is ended is ended with
//! `cancel_estimate`, and its bytes are not read any more.

use std::collections::VecDeque;

use holdpoint_engine::turn::{Call, Event, cut, failed, refusal};
use holdpoint_gateway::key::{fnv1a32, request_id};
use holdpoint_gateway::wire::{Chunk, Reply, Stream, Usage};
use holdpoint_gateway::{Code, Protocol};
use holdpoint_kind::protocol::Failed;
use serde_json::Value;
use worker::{Request, Response};

use super::host::TurnHost;
use crate::answer::EdgeError;
use crate::js::{First, Watch, now_ms, random};
use crate::objects::header_text;
use crate::relay::upstream::{Chunks, Piece};
use crate::relay::{ORDER_HEADER, Order, RELAY_CALL};

/// What the comment begins with that says what was charged.
const CHARGED: &str = ": holdpoint ";
/// The most bytes of that comment.
const MAX_COMMENT_BYTES: usize = 4 << 10;
/// How long it may take behind the model's last word, in ms.
const CHARGE_MS: u64 = 2_000;

/// A call that was admitted.
pub struct Upstream {
    controller: web_sys::AbortController,
    chunks: Chunks,
    read: js_sys::Promise,
    stream: Stream,
    heard: VecDeque<Chunk>,
    /// When the model said something last, in ms since 1970, and for how long it may say nothing.
    said_at: i64,
    stall_ms: u64,
    /// Why the stream cannot be read on; told behind what was heard.
    broken: Option<Failed>,
    /// Why the model ended, and the tools that it calls; its words are told as they come.
    reply: Reply,
    /// The model is done; behind that, the stream says what was charged.
    finished: bool,
    /// The last bytes of the stream.
    tail: Vec<u8>,
    over: bool,
}

/// What became of a call that was ordered.
pub enum Ordered {
    /// The account set its price aside.
    Admitted(Box<Upstream>),
    Not(Event),
}

pub async fn order(host: &impl TurnHost, call: &Call, watch: &mut Watch) -> Ordered {
    match try_order(host, call, watch).await {
        Ok(ordered) => ordered,
        Err(fault) => Ordered::Not(Event::Refused(fault.0)),
    }
}

async fn try_order(host: &impl TurnHost, call: &Call, watch: &mut Watch) -> Result<Ordered, EdgeError> {
    let (job, limits) = (host.job(), &host.object().settings.limits);
    let id = request_id(now_ms(), &random()?);
    let relay = host.object().objects.relay(&job.caller.account, fnv1a32(&id) % (limits.relay_shards.max(1) as u32))?;
    let order = Order {
        run: host.run().map(str::to_owned),
        tag: Some(job.tag.to_owned()),
        consent: job.consent,
        template: call.template().map(str::to_owned),
        usage_comment: true,
        early: true,
        via: host.via(),
        ..Order::ours(id.clone(), job.caller.clone())
    };
    let controller = web_sys::AbortController::new().map_err(|_| EdgeError::internal("no abort controller"))?;
    let request = relay_request(&order, &call.body, &controller)?;
    let ordered = watch.race(relay.fetch_with_request(request), limits.total_ms).await;
    let mut response: Response = match ordered {
        First::Done(response) => response.map_err(|_| EdgeError::from(Code::LedgerUnavailable))?,
        First::Over | First::Late => {
            controller.abort();
            return Ok(Ordered::Not(Event::TimedOut));
        }
        First::Gone | First::Cancelled => {
            controller.abort();
            return Ok(Ordered::Not(Event::Cancelled));
        }
    };
    if response.status_code() != 200 {
        let body = response.bytes().await.unwrap_or_default();
        return Ok(Ordered::Not(Event::Refused(refusal(response.status_code(), &body))));
    }
    let raw: web_sys::Response = response.into();
    let chunks = Chunks::of(&raw);
    Ok(Ordered::Admitted(Box::new(Upstream {
        read: chunks.next(),
        chunks,
        controller,
        stream: Stream::new(Protocol::OpenAi, limits),
        heard: VecDeque::new(),
        said_at: now_ms(),
        stall_ms: host.stall_ms(),
        broken: None,
        reply: Reply::default(),
        finished: false,
        tail: Vec::new(),
        over: false,
    })))
}

impl Upstream {
    /// What happens next, at the latest at `due`; a model that says nothing for too long has failed.
    pub async fn next(&mut self, watch: &mut Watch, due: Option<i64>) -> Event {
        loop {
            if let Some(chunk) = self.heard.pop_front() {
                match self.event(chunk) {
                    Some(event) => return event,
                    None => continue,
                }
            }
            if let Some(failed) = self.broken.take() {
                return Event::Failed(failed);
            }
            if self.over {
                return self.ended();
            }
            let until = |at: i64| (at - now_ms()).max(0).cast_unsigned();
            let stalls_at = self.said_at.saturating_add_unsigned(self.stall_ms);
            let patience = if self.finished { CHARGE_MS } else { until(due.unwrap_or(stalls_at).min(stalls_at)) };
            match watch.first(&self.read, patience).await {
                First::Done(Ok(read)) => match Chunks::read(&read) {
                    Piece::Bytes(view) => {
                        let before = self.heard.len();
                        let (heard, bytes) = (&mut self.heard, view.to_vec());
                        let pushed = self.stream.push(&bytes, |chunk| heard.push_back(chunk));
                        if self.heard.iter().skip(before).any(Chunk::says_something) {
                            self.said_at = now_ms();
                        }
                        self.tail.extend(bytes);
                        self.tail.drain(..self.tail.len().saturating_sub(MAX_COMMENT_BYTES));
                        self.broken = pushed.err().as_ref().map(cut);
                        self.read = self.chunks.next();
                    }
                    Piece::End => self.over = true,
                },
                First::Done(Err(_)) => self.over = true,
                First::Late if self.finished => self.over = true,
                First::Late if now_ms() >= stalls_at => {
                    self.abort();
                    return Event::Failed(Failed::new(Code::UpstreamStalled.name(), ""));
                }
                First::Late => {
                    if let Some(due) = due {
                        return Event::Tick { now: now_ms().max(due) };
                    }
                }
                First::Gone | First::Cancelled => return Event::Cancelled,
                First::Over => return Event::TimedOut,
            }
        }
    }

    /// What a chunk is for the turn; nothing where it says nothing.
    fn event(&mut self, mut chunk: Chunk) -> Option<Event> {
        if let Some(error) = chunk.error.take() {
            return Some(Event::Failed(failed(&error)));
        }
        if chunk.done {
            self.finished = true;
            return None;
        }
        self.reply.take(chunk);
        let text = std::mem::take(&mut self.reply.text);
        (!text.is_empty()).then(|| Event::Text { text, now: now_ms() })
    }

    /// A stream without a finish reason was cut.
    fn ended(&mut self) -> Event {
        match self.reply.finish.take() {
            Some(reason) => Event::Finished { reason: Some(reason), calls: std::mem::take(&mut self.reply.tools) },
            None => Event::Failed(Failed::new("UPSTREAM_STREAM_CUT", "")),
        }
    }

    /// What the provider reported of the call, if it did.
    pub fn usage(&self) -> Option<Usage> {
        self.reply.usage()
    }

    /// What the call was charged, in millionths of the currency; 0 where the stream did not say it.
    pub fn cost(&self) -> u64 {
        let told = String::from_utf8_lossy(&self.tail);
        let comment = told.lines().rev().find_map(|line| line.strip_prefix(CHARGED));
        let told: Option<Value> = comment.and_then(|text| serde_json::from_str(text).ok());
        told.and_then(|told| told["cost"].as_u64()).unwrap_or_default()
    }

    /// Ends the call: its provider sees the connection close.
    pub fn abort(&self) {
        self.controller.abort();
    }
}

fn relay_request(order: &Order, body: &Value, controller: &web_sys::AbortController) -> Result<Request, EdgeError> {
    let fault = |_| EdgeError::internal("a request could not be made");
    let headers = web_sys::Headers::new().map_err(fault)?;
    headers.set(ORDER_HEADER, &header_text(order)?).map_err(fault)?;
    let init = web_sys::RequestInit::new();
    init.set_method("POST");
    init.set_headers(&headers);
    init.set_body(&wasm_bindgen::JsValue::from_str(&body.to_string()));
    init.set_signal(Some(&controller.signal()));
    Ok(web_sys::Request::new_with_str_and_init(RELAY_CALL, &init).map_err(fault)?.into())
}
