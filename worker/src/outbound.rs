//! Requests to addresses outside: which network they go over.
//!
//! Why: a name that passed `url.check` may lead into a private network when it is called. Invariant: where the operator
//! allows no private addresses, what a user named is called over a network that takes connections to public addresses
//! only, whatever its name leads to. On workerd that is the service `PUBLIC` (`workerd.capnp.in`); Cloudflare has no other
//! network, and no such service.

use js_sys::Promise;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast as _, JsValue};
use worker::Env;

/// A network of public addresses only.
const PUBLIC: &str = "PUBLIC";

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
