//! One call from its order to its last byte: quote, admit, try, answer, close.
//!
//! Reads as the life of a request (spec: gateway.md §1, §7). Invariants: a call is registered before it is admitted;
//! whatever happens after an admission, what it holds is closed once; each try is held and closed by itself.

use std::rc::Rc;

use futures_channel::oneshot;
use futures_util::future::join;
use holdpoint_gateway::budget::{Amount, Payer};
use holdpoint_gateway::cipher::Secret;
use holdpoint_gateway::config::{PriceRow, Provider};
use holdpoint_gateway::profile::{AddressRules, because, said};
use holdpoint_gateway::usage::Observer;
use holdpoint_gateway::wire::translate::Telling;
use holdpoint_gateway::{Code, GatewayError};
use holdpoint_store::ledger::CallAsk;
use serde_json::json;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{Headers, Request, Response};

use super::admit::{Plan, Sending, admit};
use super::capture::{self, Captured};
use super::count;
use super::give::Give;
use super::ledger::LedgerClient;
use super::order::{ORDER_HEADER, Order};
use super::route::Patience;
use super::upstream::{Chunks, Done, Failure, Status, Upstream, heard, judge, log_failure, redacted};
use super::{Shared, stream, whole};
use crate::account::{RouteNews, RouteResult, Routed};
use crate::answer::EdgeError;
use crate::headers as finishing;
use crate::js::{First, Gone, Watch, headers, now_ms, random};
use crate::outbound::{self, Reach};
use crate::settings::{Disconnect, Settings};

const BACKOFF_MS: u64 = 250;
/// A connection that breaks later than that was no refused one.
const REFUSED_WITHIN_MS: i64 = 1_000;

/// A call that was admitted.
pub(super) struct Admitted {
    pub shared: Rc<Shared>,
    pub order: Order,
    pub ledger: LedgerClient,
    pub provider: Provider,
    pub price: PriceRow,
    pub patience: Patience,
    pub held: Amount,
    /// Bytes of the compact request, for estimates.
    pub input_bytes: u64,
    pub include_usage: bool,
    pub since: i64,
    pub admit_ms: i64,
    pub attempts: u32,
    /// What is kept of its content; `None`: nothing.
    pub captured: Option<Captured>,
    /// What was asked of the account.
    pub(super) ask: CallAsk,
    pub(super) payer: Payer,
    /// Output tokens that the account left of those that were asked for.
    pub(super) clamped: Option<u64>,
    /// What the account decided of several candidates.
    pub(super) routed: Option<Routed>,
    pub(super) budget_headers: Vec<(String, String)>,
    /// What the client asked for and the provider is not told.
    pub dropped: Vec<String>,
}

/// How a call ended, for its report.
pub(super) struct Ending {
    pub outcome: &'static str,
    pub status: u16,
    pub disconnect: Option<Disconnect>,
    pub ttfb_ms: Option<u64>,
    pub output_bytes: u64,
}

/// Runs a call. Never fails: every way ends in an answer given or a client gone.
pub(super) async fn run(shared: Rc<Shared>, mut request: Request, gone: Gone, give: oneshot::Sender<Response>) {
    let order = match read_order(&request) {
        Ok(order) => order,
        Err(fault) => return Give::unordered(give).refuse(&fault, "").await,
    };
    let (id, asked) = (order.request_id.clone(), order.clone());
    let Ok(body) = request.bytes().await else { return };
    let ledger = LedgerClient::new(shared.clone(), &order.caller.account, &id);
    let cancelled = shared.begins(&id, order.caller.credential.key_id());
    match admit(&shared, order, &ledger, &body).await {
        Ok((plan, mut call)) => {
            fault_of_tests(&call);
            let mut watch = Watch::new(gone, cancelled, call.patience.total_ms);
            let give = Give::admitted(give, &call.order, &call.provider.id);
            let answered = async {
                attempt(&mut call, plan, &mut watch, give).await;
                shared.live.borrow_mut().remove(&id);
                capture::write(&call).await;
            };
            // What was lent beside a call goes back when nobody uses it, however long that call takes.
            if ledger.is_lent() {
                join(answered, ledger.tell_slice()).await;
            } else {
                answered.await;
                ledger.tell_slice().await;
            }
            return;
        }
        Err(fault) => {
            worker::console_log!("{}", json!({"event": "llm.refused", "request_id": id, "code": fault.code}));
            Give::later(give, &asked).refuse(&fault, &id).await;
            ledger.let_go().await;
        }
    }
    shared.live.borrow_mut().remove(&id);
}

/// A call whose tag names it panics, or runs out of stack: how tests see what that does to the others.
fn fault_of_tests(call: &Admitted) {
    let Settings { panic_tag, production, .. } = &*call.shared.settings;
    let (Some(named), Some(tag), false) = (panic_tag, &call.order.tag, production) else { return };
    assert!(tag != named, "PANIC_TAG asks for it");
    if tag.strip_prefix(named.as_str()) == Some(".stack") {
        std::hint::black_box(endless(0));
    }
}

/// Calls itself until the stack ends.
#[allow(unconditional_recursion)]
fn endless(depth: u64) -> u64 {
    std::hint::black_box(endless(std::hint::black_box(depth + 1)) + depth)
}

fn read_order(request: &Request) -> Result<Order, EdgeError> {
    let text = request.headers().get(ORDER_HEADER)?.unwrap_or_default();
    Ok(serde_json::from_str(&text)?)
}

/// Tries one provider after another until an answer can be given. A try that failed is closed before the next one is asked
/// for; one that finds no room is not made.
async fn attempt(call: &mut Admitted, plan: Plan, watch: &mut Watch, mut give: Give) {
    let Plan { candidates, mut tries } = plan;
    let mut left = Leaving::new(call.policy());
    let failure = loop {
        call.attempts += 1;
        let place = tries.pop_front().unwrap_or_default();
        let Some(sending) = &candidates[place].sending else { return count::estimate(call, give).await };
        let failure = match once(call, sending, watch, &mut left).await {
            Tried::Streaming(begun) => {
                // What was sent is not kept for as long as the answer takes.
                drop(candidates);
                return stream::pump(call, begun, watch, left, give).await;
            }
            Tried::Whole(begun) => match whole::answer(call, begun, watch, &mut left, give).await {
                Ok(()) => return,
                Err((failure, unused)) => {
                    give = unused;
                    failure
                }
            },
            Tried::Failed(failure) => failure,
            Tried::Stopped(why) => return stopped(call, why, &left, give).await,
        };
        log_failure(&call.order.request_id, failure.refusal.code, call.attempts);
        call.failed(&failure, &left).await;
        call.tells(RouteResult::Failed { retryable: failure.retryable }).await;
        let Some(next) = tries.front().filter(|_| failure.retryable && !left.is_gone()) else { break failure };
        let Some(wait) = backoff(call, &failure, *next == place) else { break failure };
        match watch.race(std::future::pending::<()>(), wait).await {
            First::Late | First::Done(()) => {}
            First::Cancelled => {
                let refusal = GatewayError::new(Code::RequestCancelled);
                return give.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
            }
            First::Gone | First::Over => break failure,
        }
        let again = call.admit_again(&candidates[*next]).await;
        left.policy = call.policy();
        if let Err(fault) = again {
            let id = &call.order.request_id;
            worker::console_log!(
                "{}",
                json!({"event": "llm.refused", "request_id": id, "code": fault.code, "retry": true})
            );
            break failure;
        }
    };
    let mut refusal = failure.refusal;
    if refusal.code == Code::UpstreamRateLimited
        && let Some(wait) = failure.retry_after_ms
    {
        refusal = refusal.with(json!({ "retry_after_ms": wait }));
    }
    give.refuse(&EdgeError::from(refusal), &call.order.request_id).await;
}

/// How long to wait before the next try; `None`: longer than anyone waits. What a provider asks to wait is nothing to
/// another one.
fn backoff(call: &Admitted, failure: &Failure, same: bool) -> Option<u64> {
    if let Some(asked) = failure.retry_after_ms.filter(|_| same) {
        return (asked <= call.shared.settings.limits.retry_after_max_ms).then_some(asked);
    }
    let base = BACKOFF_MS << (call.attempts - 1);
    let dice = random::<1>().map_or(128, |[byte]| u64::from(byte));
    // ± 25 %
    Some(base * 3 / 4 + base * dice / 512)
}

/// Whether the client is still there, and what was decided when it left.
pub(super) struct Leaving {
    policy: Disconnect,
    gone: bool,
}

impl Leaving {
    fn new(policy: Disconnect) -> Self {
        Self { policy, gone: false }
    }

    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// The policy, for the ledger row, when the client left.
    pub fn policy_if_gone(&self) -> Option<Disconnect> {
        self.gone.then_some(self.policy)
    }

    /// The client left: `true` when the upstream is read on.
    pub fn leave(&mut self, call: &Admitted, watch: &mut Watch) -> bool {
        if !self.gone {
            self.gone = true;
            worker::console_log!(
                "{}",
                json!({"event": "llm.client_gone", "request_id": call.order.request_id, "policy": self.policy.name()})
            );
            watch.end_in(call.shared.settings.limits.drain_max_ms);
            let shared = call.shared.clone();
            worker::wasm_bindgen_futures::spawn_local(async move { shared.heartbeat().await });
        }
        self.policy == Disconnect::Drain
    }
}

/// A good answer whose body begins.
pub(super) struct Begun {
    pub upstream: Upstream,
    pub response: web_sys::Response,
    pub chunks: Chunks,
    /// The read that is under way, or has its result.
    pub read: js_sys::Promise,
    pub ttfb_ms: u64,
}

enum Tried {
    Streaming(Begun),
    Whole(Begun),
    Failed(Failure),
    /// Stopped before there was anything to give.
    Stopped(Why),
}

/// What ended a call that had no answer yet.
#[derive(Clone, Copy)]
enum Why {
    /// The client left and the policy aborts.
    Gone,
    Cancelled,
    /// The time of the whole call is over.
    Over,
}

/// One try, up to the first byte of the answer.
async fn once(call: &Admitted, sending: &Sending, watch: &mut Watch, left: &mut Leaving) -> Tried {
    let stream = sending.stream;
    let patience = if stream { call.patience.first_byte_ms } else { call.patience.whole_ms };
    call.captured.iter().for_each(Captured::begins);
    let sent =
        Upstream::new().and_then(|upstream| upstream.send(&call.shared.env, sending).map(|sent| (upstream, sent)));
    let Ok((upstream, promise)) = sent else {
        return Tried::Failed(Failure { retryable: false, ..Failure::new(Code::UpstreamUnreachable, Done::Nothing) });
    };
    let since = now_ms();
    let response = match until(call, watch, left, &upstream, &promise, patience).await {
        Waited::Got(value) => match value.dyn_into::<web_sys::Response>() {
            Ok(response) => response,
            Err(_) => return Tried::Failed(Failure::new(Code::UpstreamProtocolError, Done::Unknown)),
        },
        Waited::Broken(error) => {
            // The runtime says the same of a connection that was refused and of one that broke. On Cloudflare nobody sees
            // the former: there a server that cannot be reached is an answer of the network's.
            let (env, url) = (&call.shared.env, &sending.url);
            let at_once = now_ms().saturating_sub(since) < REFUSED_WITHIN_MS;
            let is_public = sending.reach == Reach::Public;
            let looks = is_public || at_once && !call.shared.settings.production;
            let nobody = looks && outbound::refuses(env, url, sending.reach).await;
            if nobody && is_public && !outbound::was_lost(&error) {
                let why = because(&AddressRules::no_public_address());
                let refusal = GatewayError::new(Code::ByokUrlBlocked).with(why);
                return Tried::Failed(Failure { refusal, retryable: false, retry_after_ms: None, done: Done::Nothing });
            }
            let done = if nobody && at_once { Done::Nothing } else { Done::Unknown };
            return Tried::Failed(Failure::new(Code::UpstreamUnreachable, done));
        }
        Waited::Late => return Tried::Failed(Failure::new(Code::UpstreamTimeout, Done::Unknown)),
        Waited::Stopped(why) => return Tried::Stopped(why),
    };
    let status = judge(&response, call.is_own());
    if let Status::Failed(mut failure) = status {
        let counts = call.is_own() || failure.done == Done::Nothing;
        if counts || call.captured.is_some() {
            let heard = heard(&response, watch).await;
            call.hears(&heard);
            if let Some(used) = call.reported(&heard).filter(|_| counts) {
                failure.done = Done::Reported(used);
            }
            if call.is_own() {
                failure.refusal = failure.refusal.with(json!({ "upstream": call.said(&heard) }));
            }
        }
        upstream.abort();
        return Tried::Failed(failure);
    }
    let good = matches!(status, Status::Good);
    // A refusal is one, though its words never came.
    let done = || if good { Done::Unknown } else { Done::Nothing };
    let chunks = Chunks::of(&response);
    let read = chunks.next();
    match until(call, watch, left, &upstream, &read, patience).await {
        Waited::Got(_) => {}
        Waited::Broken(_) => return Tried::Failed(Failure::new(Code::UpstreamError, done())),
        Waited::Late => return Tried::Failed(Failure::new(Code::UpstreamTimeout, done())),
        Waited::Stopped(why) => return Tried::Stopped(why),
    }
    let ttfb_ms = now_ms().saturating_sub(call.since).max(0).cast_unsigned();
    let begun = Begun { upstream, response, chunks, read, ttfb_ms };
    if good && stream { Tried::Streaming(begun) } else { Tried::Whole(begun) }
}

enum Waited {
    Got(JsValue),
    Broken(JsValue),
    Late,
    Stopped(Why),
}

/// Awaits a promise before the first byte; a client that leaves meanwhile is handled by policy.
async fn until(
    call: &Admitted,
    watch: &mut Watch,
    left: &mut Leaving,
    upstream: &Upstream,
    promise: &js_sys::Promise,
    patience_ms: u64,
) -> Waited {
    loop {
        match watch.first(promise, patience_ms).await {
            First::Done(Ok(value)) => return Waited::Got(value),
            First::Done(Err(error)) => return Waited::Broken(error),
            First::Gone if left.leave(call, watch) => {}
            First::Late => {
                upstream.abort();
                return Waited::Late;
            }
            ended => {
                upstream.abort();
                return Waited::Stopped(match ended {
                    First::Cancelled => Why::Cancelled,
                    First::Over if !left.is_gone() => Why::Over,
                    _ => Why::Gone,
                });
            }
        }
    }
}

/// Stopped before the first byte: the upstream had the request, so its input is charged as an estimate. A client that
/// asked for the stop is told so, and not to try again; whoever left hears nothing.
async fn stopped(call: &Admitted, why: Why, left: &Leaving, give: Give) {
    let (outcome, code) = match why {
        Why::Gone => ("client_gone", Code::RequestCancelled),
        Why::Cancelled => ("cancelled", Code::RequestCancelled),
        Why::Over => ("timeout", Code::UpstreamTimeout),
    };
    let asked = matches!(why, Why::Cancelled).then_some(Disconnect::CancelEstimate);
    let ending = Ending {
        outcome,
        status: code.status(),
        disconnect: left.policy_if_gone().or(asked),
        ttfb_ms: None,
        output_bytes: 0,
    };
    let limits = &call.shared.settings.limits;
    let nothing = Observer::new().estimate(call.input_bytes, limits.estimate_bytes_per_token);
    call.settle(&ending, &nothing).await;
    let late = matches!(why, Why::Over);
    call.tells(if late { RouteResult::Failed { retryable: true } } else { RouteResult::Left }).await;
    give.refuse(&EdgeError::from(GatewayError::new(code)), &call.order.request_id).await;
}

impl Admitted {
    /// The headers of an answer (spec: gateway.md §2).
    pub fn headers(&self, begun: &Begun) -> Result<Headers, EdgeError> {
        let kind = begun.response.headers().get("content-type").ok().flatten();
        self.headers_of(kind.as_deref(), begun.ttfb_ms)
    }

    /// The same of an answer of that type, whose first byte came so late.
    pub fn headers_of(&self, kind: Option<&str>, ttfb_ms: u64) -> Result<Headers, EdgeError> {
        let (attempts, tokens, cost) =
            (self.attempts.to_string(), self.held.tokens.to_string(), self.held.cost.to_string());
        let timing = format!("admit;dur={}, upstream;dur={}", self.admit_ms, ttfb_ms);
        let dropped = self.dropped.join(", ");
        let clamped = self.clamped.map(|most| most.to_string());
        let mut members = vec![
            ("content-type", kind.unwrap_or("application/json")),
            ("cache-control", "no-store"),
            ("x-request-id", &self.order.request_id),
            ("request-id", &self.order.request_id),
            ("holdpoint-provider", &self.provider.id),
            ("holdpoint-attempts", &attempts),
            ("holdpoint-hold-tokens", &tokens),
            ("holdpoint-hold-cost", &cost),
            ("server-timing", &timing),
        ];
        if let Some(reason) = self.routed.as_ref().and_then(|routed| routed.fallback.as_deref()) {
            members.push(("holdpoint-fallback", reason));
        }
        if let Some(clamped) = &clamped {
            members.push(("holdpoint-clamped", clamped));
        }
        if !dropped.is_empty() {
            members.push(("holdpoint-dropped", &dropped));
        }
        let measures = self.measures();
        members.extend(measures.iter().map(|(name, value)| (*name, value.as_str())));
        members.extend(self.budget_headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        members.extend(finishing::members(self.order.caller.origin.as_deref(), &self.order.principal));
        headers(&members)
    }

    /// What happens upstream when the client leaves.
    fn policy(&self) -> Disconnect {
        let ours = self.order.early.then_some(Disconnect::CancelEstimate);
        ours.or(self.provider.disconnect).unwrap_or(self.shared.settings.disconnect)
    }

    /// Tells the account how the provider did, where there are others.
    pub(super) async fn tells(&self, result: RouteResult) {
        if let Some(news) = self.news(result) {
            self.ledger.tried(news).await;
        }
    }

    /// The same, while the answer goes on.
    pub(super) fn tells_soon(&self, result: RouteResult) {
        if let Some(news) = self.news(result) {
            let ledger = self.ledger.clone();
            worker::wasm_bindgen_futures::spawn_local(async move { ledger.tried(news).await });
        }
    }

    fn news(&self, result: RouteResult) -> Option<RouteNews> {
        let routed = self.routed.as_ref().filter(|routed| routed.others)?;
        Some(RouteNews {
            request_id: self.order.request_id.clone(),
            provider: self.provider.id.clone(),
            result,
            user_id: routed.user_id.clone(),
            alias: self.ask.facts.alias.clone(),
            is_primary: self.provider.id == routed.primary,
        })
    }

    /// Whether the provider speaks another protocol than the client.
    pub fn is_translated(&self) -> bool {
        self.provider.kind != self.order.protocol
    }

    /// What a client of the other protocol is told beside the answer's words.
    pub fn telling(&self) -> Telling {
        let created = self.since.cast_unsigned() / 1_000;
        Telling { created, include_usage: self.include_usage, ..Telling::default() }
    }

    /// A refusal's body without secrets.
    pub fn redacted(&self, bytes: &[u8]) -> Vec<u8> {
        redacted(bytes, self.provider.key.as_ref().map(Secret::expose))
    }

    /// Whether the user pays, with the user's own key.
    pub fn is_own(&self) -> bool {
        self.payer == Payer::Byok
    }

    /// What a user may see of what their own provider said.
    pub fn said(&self, bytes: &[u8]) -> String {
        said(&String::from_utf8_lossy(bytes), self.provider.key.as_ref().map(Secret::expose))
    }
}
