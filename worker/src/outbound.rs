//! Requests to addresses outside: which network they go over.
//!
//! Why: a name that passed `url.check` may lead into a private network when it is called. Invariant: where the operator
//! allows no private addresses, what a user named is called over a network that takes connections to public addresses
//! only, whatever its name leads to. On workerd that is the service `PUBLIC` (`workerd.capnp.in`); Cloudflare has no other
//! network, and no such service.

use std::time::Duration;

use futures_util::future::{Either, select};
use js_sys::Promise;
use js_sys::futures::JsFuture;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::{Delay, Env, SecureTransport, Socket, Url};

/// A network of public addresses only.
const PUBLIC: &str = "PUBLIC";
/// How long it may take to be heard at an address.
const KNOCK: Duration = Duration::from_secs(2);

/// How far a request may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The operator named the address, or allows private ones to users.
    Anywhere,
    Public,
}

#[wasm_bindgen]
extern "C" {
    type Network;

    #[wasm_bindgen(method, catch)]
    fn fetch(this: &Network, request: &web_sys::Request, init: &web_sys::RequestInit) -> Result<Promise, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn connect(this: &Network, address: &str) -> Result<Knock, JsValue>;

    type Knock;

    #[wasm_bindgen(method, getter)]
    fn opened(this: &Knock) -> Promise;

    #[wasm_bindgen(method)]
    fn close(this: &Knock) -> Promise;
}

/// Sends a request, until the signal ends it; the promise gives the response once its headers are there.
pub fn send(
    env: &Env,
    request: &web_sys::Request,
    signal: &web_sys::AbortSignal,
    reach: Reach,
) -> Result<Promise, JsValue> {
    let init = web_sys::RequestInit::new();
    init.set_signal(Some(signal));
    if reach == Reach::Public
        && let Ok(network) = env.service(PUBLIC)
    {
        return network.into_rpc::<Network>().fetch(request, &init);
    }
    let global: web_sys::WorkerGlobalScope = js_sys::global().unchecked_into();
    Ok(global.fetch_with_request_and_init(request, &init))
}

/// Whether nobody takes connections at an address, over the network of its reach; a name that leads nowhere there is one
/// too. Answers `false` where that cannot be known.
pub async fn refuses(env: &Env, url: &str, reach: Reach) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else { return false };
    match reach {
        Reach::Anywhere => {
            let transport = if url.scheme() == "https" { SecureTransport::On } else { SecureTransport::Off };
            let connecting = Socket::builder().secure_transport(transport).connect(host, port);
            let Ok(mut socket) = connecting else { return false };
            let opened = select(Box::pin(socket.opened()), Delay::from(KNOCK)).await;
            let refused = matches!(opened, Either::Left((Err(_), _)));
            drop(opened);
            if !refused {
                let _ = socket.close().await;
            }
            refused
        }
        Reach::Public => {
            let Ok(network) = env.service(PUBLIC) else { return false };
            let Ok(knock) = network.into_rpc::<Network>().connect(&format!("{host}:{port}")) else { return false };
            let opened = select(JsFuture::from(knock.opened()), Delay::from(KNOCK)).await;
            let refused = matches!(opened, Either::Left((Err(_), _)));
            if !refused {
                let _ = JsFuture::from(knock.close()).await;
            }
            refused
        }
    }
}

/// Whether a request failed because a connection was refused or broke: of nothing else the platform says that another
/// try may help.
pub fn was_lost(error: &JsValue) -> bool {
    js_sys::Reflect::get(error, &JsValue::from_str("retryable")).is_ok_and(|value| value.is_truthy())
}
