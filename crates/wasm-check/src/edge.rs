//! Calls to the edge: the one way from this module to the network.
//!
//! Knows no route and no answer's meaning. Invariant: a token goes into the header of a call and nowhere else.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response};

/// A call.
pub struct Call<'c> {
    pub method: &'c str,
    /// From the page's own origin.
    pub path: &'c str,
    /// None while signed out.
    pub token: Option<&'c str>,
    /// Further headers.
    pub headers: &'c [(&'c str, &'c str)],
    /// JSON text.
    pub body: Option<&'c str>,
    pub signal: Option<&'c AbortSignal>,
}

/// Answers when the headers are there. An error: no answer came, or the call was aborted.
pub async fn send(call: &Call<'_>) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    if let Some(token) = call.token {
        headers.set("authorization", &format!("Bearer {token}"))?;
    }
    for (name, value) in call.headers {
        headers.set(name, value)?;
    }
    let init = RequestInit::new();
    init.set_method(call.method);
    init.set_signal(call.signal);
    if let Some(body) = call.body {
        headers.set("content-type", "application/json")?;
        init.set_body(&JsValue::from_str(body));
    }
    init.set_headers(&headers);
    // A page and a worker have it alike, under different types.
    let fetch: js_sys::Function = js_sys::Reflect::get(&js_sys::global(), &"fetch".into())?.dyn_into()?;
    let promise: js_sys::Promise = fetch.call2(&JsValue::UNDEFINED, &call.path.into(), &init)?.dyn_into()?;
    JsFuture::from(promise).await?.dyn_into()
}

/// The body of an answer; what breaks off is empty.
pub async fn text(response: &Response) -> String {
    match response.text() {
        Ok(promise) => JsFuture::from(promise).await.ok().and_then(|text| text.as_string()).unwrap_or_default(),
        Err(_) => String::new(),
    }
}
