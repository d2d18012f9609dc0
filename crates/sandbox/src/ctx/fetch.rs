//! `ctx.fetch`: HTTPS requests, within their rules (spec: ifc-sdk.md §2).
//!
//! Owns what a request may be. The URL is a constant in checked code; here it must be one all the same: https, a public
//! host that was granted, no port, no credentials. In a test a stub answers; else the call waits for its host
//! (`requests`), which alone knows how to send.

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction,
    object::{FunctionObjectBuilder, builtins::JsPromise},
};
use holdpoint_check::args;
use holdpoint_sdk::{
    capability::parse,
    run::{NetworkRequest, NetworkResponse},
};
use serde_json::{Map, Value, json};

use crate::{
    error::{
        FORBIDDEN_HEADER, HEADERS, HTTP_METHOD, NETWORK_NOT_STUBBED, REQUEST_BODY, REQUEST_BYTES, REQUESTS, SdkError,
        TIMEOUT_MS, URL,
    },
    gate::{Answer, Call, Refusal, require},
    json::{self, NotJson, to_json},
};

/// Bytes of a request's body.
const MAX_BODY_BYTES: usize = 1024 * 1024;
/// Requests of one call. The host counts those of a minute.
const MAX_REQUESTS: usize = 60;
/// Milliseconds that an answer may take.
const MAX_TIMEOUT_MS: f64 = 30_000.0;
/// Headers that nobody but the host sets; in lower case.
const HOST_HEADERS: [&str; 4] = ["authorization", "cookie", "host", "origin"];
const HOST_PREFIXES: [&str; 2] = ["proxy-", "sec-"];

pub(crate) fn fetch(call: &mut Call<'_>) -> Answer {
    let request = request(call)?;
    if call.host.requests.made() >= MAX_REQUESTS {
        return Err(call.limit(&REQUESTS, MAX_REQUESTS, MAX_REQUESTS));
    }
    let Some(stubs) = &call.host.program.network else {
        if !call.host.sends.get() {
            return Err(SdkError::unavailable(call.path).into());
        }
        return Ok(call.host.requests.open(request, call.context).into());
    };
    let stub = stubs.iter().find(|stub| stub.url == request.url && stub.method == request.method);
    let Some(stub) = stub else {
        let (url, method) = (&request.url, &request.method);
        return Err(SdkError::plain(call.path, &NETWORK_NOT_STUBBED, args! { call: call.path, method, url }).into());
    };
    let response = stub.response.clone();
    call.host.requests.count();
    call.host.effects.borrow_mut().requests.push(json!({"url": request.url, "method": request.method}));
    let response = object(&response, call.context)?;
    Ok(JsPromise::resolve(response, call.context)?.into())
}

/// The request that the arguments describe.
fn request(call: &mut Call<'_>) -> Result<NetworkRequest, Refusal> {
    let url = call.text(0);
    let rest = url.strip_prefix("https://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let plain = !url.chars().any(|character| character.is_control() || character.is_whitespace() || character == '\\');
    if authority.is_empty() || authority.contains('@') || !plain {
        return Err(call.wrong("url", &URL, args! {}));
    }
    // What is sent goes to a host that was granted, whatever the gate made of the URL.
    let needed = parse(&format!("network.fetch:{authority}")).map_err(|_| call.wrong("url", &URL, args! {}))?;
    require(call.path, &needed, call.host)?;
    let init = match to_json(&call.arg(1), call.context) {
        Ok(init) => init.unwrap_or_default(),
        Err(NotJson::Because(why)) => return Err(call.wrong("init", &crate::error::NOT_JSON, args! { why })),
        Err(NotJson::Threw(error)) => return Err(error.into()),
    };
    let member = |name: &str| init.get(name).filter(|value| !value.is_null());
    let method = member("method").map_or(Some("GET"), Value::as_str).map(str::to_ascii_uppercase);
    let method = method.filter(|method| ["GET", "POST"].contains(&method.as_str()));
    let method = method.ok_or_else(|| call.wrong("init", &HTTP_METHOD, args! { member: "{method}" }))?;
    let headers = headers(member("headers"), call)?;
    let body = match member("body") {
        None => None,
        Some(Value::String(text)) if method == "POST" => Some(text.clone()),
        Some(_) => return Err(call.wrong("init", &REQUEST_BODY, args! { member: "{body}" })),
    };
    if body.as_ref().is_some_and(|body| body.len() > MAX_BODY_BYTES) {
        return Err(call.limit(&REQUEST_BYTES, MAX_BODY_BYTES >> 20, MAX_BODY_BYTES));
    }
    let timeout = member("timeoutMs").map_or(Some(MAX_TIMEOUT_MS), Value::as_f64);
    let timeout = timeout.filter(|timeout| (1.0..=MAX_TIMEOUT_MS).contains(timeout));
    let timeout = timeout.ok_or_else(|| call.wrong("init", &TIMEOUT_MS, args! { member: "{timeoutMs}", limit: 30 }))?;
    Ok(NetworkRequest { url, method, headers, body, timeout_ms: timeout as u32 })
}

fn headers(given: Option<&Value>, call: &Call<'_>) -> Result<Map<String, Value>, Refusal> {
    let Some(given) = given else { return Ok(Map::new()) };
    let refused = || call.wrong("init", &HEADERS, args! { member: "{headers}" });
    let mut headers = Map::new();
    for (name, value) in given.as_object().ok_or_else(refused)? {
        let name = name.to_ascii_lowercase();
        let value = value.as_str().filter(|value| !value.chars().any(char::is_control)).ok_or_else(refused)?;
        let is_token = !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
        if !is_token {
            return Err(refused());
        }
        if HOST_HEADERS.contains(&name.as_str()) || HOST_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
            return Err(call.wrong("init", &FORBIDDEN_HEADER, args! { name }));
        }
        headers.insert(name, json!(value));
    }
    Ok(headers)
}

/// `{status, headers, text(), json()}`; the two functions answer promises.
pub(crate) fn object(response: &NetworkResponse, context: &mut Context) -> JsResult<JsValue> {
    let object = JsObject::with_object_proto(context.intrinsics());
    let headers = json::from_json(&Value::Object(response.headers.clone()), context)?;
    object.create_data_property_or_throw(JsString::from("status"), f64::from(response.status), context)?;
    object.create_data_property_or_throw(JsString::from("headers"), headers, context)?;
    let body = JsString::from(response.body.as_str());
    let text = NativeFunction::from_copy_closure_with_captures(
        |_, _, body, context| Ok(JsPromise::resolve(body.clone(), context)?.into()),
        body.clone(),
    );
    let parsed = NativeFunction::from_copy_closure_with_captures(
        |_, _, body: &JsString, context| {
            let parsed = serde_json::from_str::<Value>(&body.to_std_string_lossy());
            let value = match parsed {
                Ok(value) => json::from_json(&value, context)?,
                Err(error) => {
                    let error =
                        boa_engine::JsNativeError::syntax().with_message(format!("the answer is no JSON: {error}"));
                    return Ok(JsPromise::reject(error, context)?.into());
                }
            };
            Ok(JsPromise::resolve(value, context)?.into())
        },
        body,
    );
    for (name, function) in [("text", text), ("json", parsed)] {
        let function = FunctionObjectBuilder::new(context.realm(), function).name(JsString::from(name)).build();
        object.create_data_property_or_throw(JsString::from(name), function, context)?;
    }
    Ok(object.into())
}
