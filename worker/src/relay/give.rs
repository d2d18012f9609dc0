//! Where the answer of a call goes: to a client that still waits for its head, or into a stream that has begun.
//!
//! A caller of ours may ask for the stream as soon as the call is admitted, before the provider is asked: it writes
//! down what it began, and hears of every later failure as an event. Invariant: a refusal before the admission is
//! always an ordinary error.

use futures_channel::oneshot;
use holdpoint_gateway::Protocol;
use js_sys::futures::JsFuture;
use worker::Response;

use super::order::Order;
use crate::answer::EdgeError;
use crate::client_stream::ClientStream;
use crate::headers::finish;
use crate::js::headers;

pub(super) enum Give {
    /// Nobody has heard anything yet.
    Later(Later),
    Begun(ClientStream),
}

/// Who waits for the head of an answer.
pub(super) struct Later {
    pub give: oneshot::Sender<Response>,
    protocol: Protocol,
    origin: Option<String>,
    /// What pages call who asks; empty where that is not known.
    principal: String,
}

impl Give {
    /// Nobody has heard anything yet.
    pub fn later(give: oneshot::Sender<Response>, order: &Order) -> Self {
        let (origin, principal) = (order.caller.origin.clone(), order.principal.clone());
        Self::Later(Later { give, protocol: order.protocol, origin, principal })
    }

    /// The same of a call whose order cannot be read.
    pub fn unordered(give: oneshot::Sender<Response>) -> Self {
        Self::Later(Later { give, protocol: Protocol::OpenAi, origin: None, principal: String::new() })
    }

    /// Sends the head of an admitted call, where its caller asked for that.
    pub fn admitted(give: oneshot::Sender<Response>, order: &Order, provider: &str) -> Self {
        if !order.early {
            return Self::later(give, order);
        }
        let named = [
            ("content-type", "text/event-stream"),
            ("x-request-id", order.request_id.as_str()),
            ("holdpoint-provider", provider),
        ];
        let Ok(headers) = headers(&named) else { return Self::later(give, order) };
        match ClientStream::open(200, headers) {
            Ok((response, pipe)) => {
                // Nobody there: the first write will say so.
                let _ = give.send(response);
                Self::Begun(pipe)
            }
            Err(_) => Self::later(give, order),
        }
    }

    /// Gives a refusal, if anybody still waits.
    pub async fn refuse(self, fault: &EdgeError, request_id: &str) {
        match self {
            Self::Later(Later { give, protocol, origin, principal }) => {
                if let Ok(response) = fault.protocol_response(protocol, request_id)
                    && finish(response.headers(), origin.as_deref(), &principal).is_ok()
                {
                    let _ = give.send(response);
                }
            }
            Self::Begun(pipe) => {
                let event = fault.refusal().event(Protocol::OpenAi, request_id);
                let _ = JsFuture::from(pipe.write(event.as_bytes())).await;
                pipe.close();
            }
        }
    }
}
