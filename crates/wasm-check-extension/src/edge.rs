//! Calls to the edge: the one way from this module to the network.
//!
//! Knows no route and no answer's meaning. Invariant: a token goes into the header of a call and nowhere else.

use gloo::net::Error;
use gloo::net::http::{Method, RequestBuilder, Response};
use web_sys::AbortSignal;

pub struct Call<'c> {
    pub method: Method,
    /// From the page's own origin.
    pub path: &'c str,
    /// `None` while nobody is signed in.
    pub token: Option<&'c str>,
    pub headers: &'c [(&'c str, &'c str)],
    /// JSON as it is written as text.
    pub body: Option<&'c str>,
    pub signal: Option<&'c AbortSignal>,
}

/// Answers when the headers are there. An error: no answer came, or the call was aborted.
pub async fn send(call: &Call<'_>) -> Result<Response, Error> {
    let mut builder = RequestBuilder::new(call.path).method(call.method.clone()).abort_signal(call.signal);
    if let Some(token) = call.token {
        builder = builder.header("authorization", &format!("Bearer {token}"));
    }
    for (name, value) in call.headers {
        builder = builder.header(name, value);
    }
    match call.body {
        Some(body) => builder.header("content-type", "application/json").body(body)?.send().await,
        None => builder.send().await,
    }
}
