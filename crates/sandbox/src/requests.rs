//! Requests of a call that its host sends, and what a call answers while it waits for them (spec: ifc-sdk.md §2).
//!
//! Owns what is open between a call and its host. Refuses to know how a request is sent. Invariants: a request is
//! handed out once, when nothing else is left to do; a call that failed sends nothing more; what is answered twice, or
//! to a request that nobody made, does nothing.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

use boa_engine::{
    Context, JsObject, JsResult, JsValue,
    builtins::promise::ResolvingFunctions,
    object::builtins::{JsFunction, JsPromise},
};
use holdpoint_check::args;
use holdpoint_sdk::run::{NetworkRequest, NetworkResponse, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    ctx::fetch,
    error::{ANSWER_BYTES, CUT_OFF, LATE, NETWORK_HELD, REDIRECTED, REQUESTS_A_MINUTE, SdkError, UNREACHABLE},
    host::Host,
};

/// The call that the sentences of failures name.
const CALL: &str = "ctx.fetch";
/// UTF-8 bytes of an answer's body.
const MAX_ANSWER_BYTES: usize = 5 * 1024 * 1024;
/// Requests of an extension in a minute, which the host counts.
const MAX_A_MINUTE: usize = 60;

/// How a call of an activation ended, or what it waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallStep {
    Ended(Box<Outcome>),
    Waits(Waits),
}

/// What a call waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Waits {
    /// Requests that are to be sent now, side by side. Those of earlier steps that have no reply yet are open too.
    pub requests: Vec<OpenRequest>,
    /// The call has changed a model: no other call may run on the models before it has ended.
    pub alone: bool,
}

/// A request, by the number that its reply bears.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenRequest {
    pub id: u32,
    #[serde(flatten)]
    pub request: NetworkRequest,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NetworkReply {
    pub id: u32,
    #[serde(flatten)]
    pub came: Came,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Came {
    Response(NetworkResponse),
    Failure(NoAnswer),
}

/// Why a request has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NoAnswer {
    /// No network, no such host, or one that does not let the page read its answer.
    Unreachable,
    Late,
    Redirected,
    TooLarge,
    /// More requests in a minute than an extension may make.
    TooMany,
    /// It is only tried, and nobody has signed it.
    Held,
    /// The extension or what it ran on went away.
    CutOff,
}

/// The requests of one call.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    made: Cell<usize>,
    open: RefCell<BTreeMap<u32, Open>>,
}

#[derive(Debug)]
struct Open {
    settle: ResolvingFunctions,
    host: String,
    /// Until it is handed out.
    unsent: Option<NetworkRequest>,
}

impl Requests {
    /// How many there were, answered or not.
    pub(crate) fn made(&self) -> usize {
        self.made.get()
    }

    pub(crate) fn count(&self) {
        self.made.set(self.made.get() + 1);
    }

    /// The promise of an answer.
    pub(crate) fn open(&self, request: NetworkRequest, context: &mut Context) -> JsPromise {
        let (promise, settle) = JsPromise::new_pending(context);
        let host = request.url.split(['/', '?', '#']).nth(2).unwrap_or_default().to_owned();
        self.count();
        let id = self.made.get() as u32;
        self.open.borrow_mut().insert(id, Open { settle, host, unsent: Some(request) });
        promise
    }

    pub(crate) fn are_open(&self) -> bool {
        !self.open.borrow().is_empty()
    }

    /// What is to be sent now, noted among the effects of the call.
    pub(crate) fn hand_out(&self, host: &Host) -> Vec<OpenRequest> {
        let mut open = self.open.borrow_mut();
        let unsent =
            open.iter_mut().filter_map(|(id, open)| Some(OpenRequest { id: *id, request: open.unsent.take()? }));
        let unsent: Vec<OpenRequest> = unsent.collect();
        let noted = unsent.iter().map(|one| json!({"url": one.request.url, "method": one.request.method}));
        host.effects.borrow_mut().requests.extend(noted);
        unsent
    }

    /// Settles promises of the call, in the order of the replies.
    pub(crate) fn settle(&self, replies: &[NetworkReply], host: &Host, context: &mut Context) -> JsResult<()> {
        for NetworkReply { id, came } in replies {
            let Some(Open { settle, host: asked, .. }) = self.open.borrow_mut().remove(id) else { continue };
            let came = match came {
                Came::Response(response) if response.body.len() > MAX_ANSWER_BYTES => Err(NoAnswer::TooLarge),
                Came::Response(response) => Ok(response),
                Came::Failure(cause) => Err(*cause),
            };
            match came {
                Ok(response) => {
                    host.room_for(response.body.len() as u64)?;
                    let response = fetch::object(response, context)?;
                    called(&settle.resolve, response, context)?;
                }
                Err(cause) => {
                    let reason = refusal(cause, &asked).into_js(context).into_opaque(context)?;
                    called(&settle.reject, reason, context)?;
                }
            }
            host.room()?;
        }
        Ok(())
    }
}

fn called(function: &JsFunction, value: JsValue, context: &mut Context) -> JsResult<()> {
    let function: &JsObject = function;
    function.call(&JsValue::undefined(), &[value], context).map(|_| ())
}

/// What the promise of a request without an answer is rejected with.
fn refusal(cause: NoAnswer, host: &str) -> SdkError {
    let code = match cause {
        NoAnswer::TooLarge => return SdkError::limit(CALL, &ANSWER_BYTES, MAX_ANSWER_BYTES >> 20, MAX_ANSWER_BYTES),
        NoAnswer::TooMany => return SdkError::limit(CALL, &REQUESTS_A_MINUTE, MAX_A_MINUTE, MAX_A_MINUTE),
        NoAnswer::Unreachable => &UNREACHABLE,
        NoAnswer::Late => &LATE,
        NoAnswer::Redirected => &REDIRECTED,
        NoAnswer::CutOff => &CUT_OFF,
        NoAnswer::Held => &NETWORK_HELD,
    };
    let mut error = SdkError::plain(CALL, code, args! { call: CALL, host });
    error.details = json!({"call": CALL, "host": host});
    error
}
