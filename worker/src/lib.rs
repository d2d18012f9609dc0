//! The edge: routes, and the `Account`, `Project`, `Relay` and `Slug` objects (DESIGN §2 "Edge topology").
//!
//! Thin: it moves bytes, names objects and speaks HTTP. Every rule is a crate's: budgets and protocols
//! `holdpoint_gateway`, rows `holdpoint_store`, bundles `holdpoint_kinds`. Invariants: nothing is forwarded that was
//! not admitted; nothing is installed that was not checked here again; logs hold metadata only; code here does not
//! panic, because one Wasm instance serves the Worker and all objects of its isolate.
//!
//! How it is built and run, without a bundler: see `worker/README.md`.

mod account;
mod answer;
mod artifacts;
mod auth;
mod body;
mod client_stream;
mod envelope;
mod headers;
mod js;
mod kinds;
mod objects;
mod outbound;
mod project;
mod relay;
mod routes;
mod settings;
mod shed;
mod slug;
mod sql;

use wasm_bindgen::prelude::wasm_bindgen;
use worker::{Context, Env, Request, Response, Result, event};

#[wasm_bindgen]
extern "C" {
    /// Of `entry.mjs`: rejects what every live call races; the next call runs on a fresh instance.
    #[wasm_bindgen(js_name = __holdpoint_panicked)]
    fn panicked();
}

/// A trap that leaves the instance, which a stack that ends is too, must not leave anybody waiting either.
fn trapped() {
    panicked();
}

/// A panic must not leave anybody waiting.
#[event(start)]
fn start() {
    wasm_bindgen::handler::set_on_abort(trapped);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        before(info);
        panicked();
    }));
}

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response> {
    routes::Edge::new(env).answer(request).await
}
