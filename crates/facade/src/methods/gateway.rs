//! The metered gateway: streams, usage, prices, quotes, errors, budgets, keys, secrets, addresses
//! (spec: gateway.md §11).

use holdpoint_check::args;
use holdpoint_check::error::{NO_JSON, ONE_OF};
use holdpoint_gateway::budget::simulate::{Script, simulate};
use holdpoint_gateway::config::{EFFORT, JSON_SCHEMA};
use holdpoint_gateway::price::Price;
use holdpoint_gateway::quote::ModelRow;
use holdpoint_gateway::route::simulate::{BadEventError, RouteScript, simulate as simulate_routes};
use holdpoint_gateway::splice::{Wanted, splice};
use holdpoint_gateway::usage::Observer;
use holdpoint_gateway::wire::sse::{EventTooLargeError, Parser, SseEvent};
use holdpoint_gateway::wire::translate::{self, Asking, AutoCache, Interpreter, Telling, Unsupported, stream_error};
use holdpoint_gateway::wire::{Chunk, Ended, ToldEvent, Usage};
use holdpoint_gateway::{Code, GatewayError, Limits, Protocol, json as strict, mask, quote, redact, url_check};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::codes::{NO_BASE64, NO_CODE, NO_COMMAND, SSE_EVENT_TOO_LARGE};
use crate::{ApiError, Group, input};

/// The methods of this file.
pub const METHODS: Group = &[
    ("sse.parse", sse_parse),
    ("usage.extract", usage_extract),
    ("price.cost", price_cost),
    ("gateway.quote", gateway_quote),
    ("gateway.translate_request", translate_request),
    ("gateway.translate_response", translate_response),
    ("gateway.error", gateway_error),
    ("budget.simulate", budget_simulate),
    ("route.simulate", route_simulate),
    ("url.check", url_check),
    ("key.mask", key_mask),
    ("redact.text", redact_text),
];

/// A refusal as an error answer.
fn refused(refusal: GatewayError) -> ApiError {
    let GatewayError { code, message, args, details } = refusal;
    ApiError { args, details, ..ApiError::new(code.name(), message) }
}

#[derive(Deserialize)]
struct Sse {
    chunks: Vec<Bytes>,
    #[serde(default)]
    limits: SseLimits,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Base64 { b64: String },
}

#[derive(Default, Deserialize)]
struct SseLimits {
    event_bytes: Option<u64>,
}

fn sse_parse(value: Value) -> Result<Value, ApiError> {
    use base64::Engine;
    let Sse { chunks, limits } = input(value)?;
    let mut own = Limits::default();
    own.lower("SSE_EVENT_BYTES", limits.event_bytes.unwrap_or(u64::MAX));
    let mut parser = Parser::new(own.sse_event_bytes as usize);
    let mut events = Vec::new();
    let too_large = |error: EventTooLargeError| {
        ApiError::of(&SSE_EVENT_TOO_LARGE, args! {})
            .with_details(json!({ "limit": error.limit, "events": error.events }))
    };
    for (index, chunk) in chunks.into_iter().enumerate() {
        let bytes = match chunk {
            Bytes::Text(text) => text.into_bytes(),
            Bytes::Base64 { b64 } => base64::engine::general_purpose::STANDARD
                .decode(b64)
                .map_err(|_| ApiError::at(format!("/chunks/{index}/b64"), &NO_BASE64, args! {}))?,
        };
        parser.push(&bytes, |event| events.push(event)).map_err(too_large)?;
    }
    let mut answer = json!({ "events": events, "comments": parser.comments });
    if let Some(retry) = parser.retry_ms {
        answer["retry_ms"] = retry.into();
    }
    if let Some(id) = &parser.last_event_id {
        answer["last_event_id"] = id.as_str().into();
    }
    // A comment at the very end is one also without its line end; the tail must not hide it.
    if let Some(tail) = parser.tail().map_err(too_large)? {
        answer["tail"] = json!({ "event": tail.event, "data": tail.data });
    }
    Ok(answer)
}

#[derive(Deserialize)]
struct Extracting {
    protocol: Protocol,
    body: Option<Value>,
    events: Option<Vec<WireEvent>>,
    estimate: Option<Estimate>,
}

#[derive(Deserialize)]
struct WireEvent {
    event: Option<String>,
    data: Value,
}

#[derive(Deserialize)]
struct Estimate {
    input_bytes: u64,
}

fn usage_extract(value: Value) -> Result<Value, ApiError> {
    let Extracting { protocol, body, events, estimate } = input(value)?;
    let mut observer = Observer::new();
    // What cannot be read is passed over here: the caller asks for usage, and not whether a stream is whole.
    let mut take = |chunk: Result<Chunk, GatewayError>| chunk.iter().for_each(|chunk| observer.take(chunk));
    match (body, events) {
        (Some(body), _) => take(Chunk::body_value(protocol, &body)),
        (None, Some(events)) => {
            for WireEvent { event, data } in events {
                take(read_event(protocol, event, data));
            }
        }
        (None, None) => return Err(ApiError::at("", &ONE_OF, args! { names: "`body`, `events`" })),
    }
    let extract = match estimate {
        Some(Estimate { input_bytes }) => observer.estimate(input_bytes, Limits::default().estimate_bytes_per_token),
        None => observer.extract(),
    };
    Ok(json!(extract))
}

/// An event whose data is text as it came, or an object that was read already.
fn read_event(protocol: Protocol, name: Option<String>, data: Value) -> Result<Chunk, GatewayError> {
    match data {
        Value::String(data) => Chunk::event(protocol, &SseEvent { event: name.unwrap_or_default(), data, id: None }),
        data => Chunk::event_value(protocol, name.as_deref(), &data),
    }
}

#[derive(Deserialize)]
struct Costing {
    usage: Usage,
    price: Price,
}

fn price_cost(value: Value) -> Result<Value, ApiError> {
    let Costing { usage, price } = input(value)?;
    Ok(json!({ "cost": price.cost(&usage), "tokens": usage.total() }))
}

/// A body that came as a value or as text.
struct Body {
    value: Value,
    text: Option<String>,
}

fn body(body: Option<Value>, body_text: Option<String>) -> Result<Body, ApiError> {
    let bounds = Limits::default().json();
    let depth = bounds.depth;
    match (body, body_text) {
        (_, Some(text)) => {
            let value = strict::read(&text, bounds).map_err(|fault| refused(fault.into()))?;
            Ok(Body { value, text: Some(text) })
        }
        (Some(value), None) if strict::depth(&value) > depth => Err(refused(strict::JsonError::TooDeep(depth).into())),
        (Some(value), None) => Ok(Body { value, text: None }),
        (None, None) => Err(ApiError::at("", &ONE_OF, args! { names: "`body`, `body_text`" })),
    }
}

#[derive(Deserialize)]
struct Quoting {
    protocol: Protocol,
    body: Option<Value>,
    body_text: Option<String>,
    model: ModelRow,
    max_output: Option<u64>,
}

fn gateway_quote(value: Value) -> Result<Value, ApiError> {
    let asked: Quoting = input(value)?;
    let body = body(asked.body, asked.body_text)?.value;
    let quote = quote::quote(asked.protocol, &body, &asked.model, &[], asked.max_output, &Limits::default());
    quote.map(|quote| json!(quote)).map_err(refused)
}

#[derive(Deserialize)]
struct Translating {
    from: Protocol,
    to: Protocol,
    body: Option<Value>,
    body_text: Option<String>,
    upstream_model: Option<String>,
    max_output: Option<u64>,
    limit_field: Option<String>,
    #[serde(default = "yes")]
    stream_usage: bool,
    #[serde(default)]
    capabilities: Vec<String>,
    #[serde(default)]
    auto_cache: AutoCache,
    #[serde(default)]
    unsupported: Unsupported,
}

fn yes() -> bool {
    true
}

fn translate_request(value: Value) -> Result<Value, ApiError> {
    let asked: Translating = input(value)?;
    let Body { value, text } = body(asked.body, asked.body_text)?;
    if asked.from != asked.to {
        let can = |capability: &str| asked.capabilities.iter().any(|own| own == capability);
        let asking = Asking {
            model: asked.upstream_model.as_deref(),
            max_output: asked.max_output,
            limit_field: asked.limit_field.as_deref(),
            stream_usage: asked.stream_usage,
            json_schema: can(JSON_SCHEMA),
            effort: can(EFFORT),
            auto_cache: asked.auto_cache,
            unsupported: asked.unsupported,
        };
        let translated = translate::request(asked.from, &value, &asking, &Limits::default()).map_err(refused)?;
        let mut answer = json!({ "dropped": translated.dropped, "warnings": translated.warnings });
        match text {
            Some(_) => answer["body_text"] = translated.body.to_string().into(),
            None => answer["body"] = translated.body,
        }
        return Ok(answer);
    }
    if !value.is_object() {
        return Err(refused(GatewayError::at(Code::InvalidRequest, "")));
    }
    if asked.from == Protocol::Anthropic && value["max_tokens"].is_null() {
        return Err(refused(GatewayError::at(Code::InvalidRequest, "/max_tokens")));
    }
    let wanted = Wanted {
        model: asked.upstream_model.as_deref(),
        max_output: asked.max_output,
        limit_field: asked.limit_field.as_deref(),
        stream_usage: asked.stream_usage,
    };
    let as_text = text.is_some();
    let spliced = splice(asked.from, &text.unwrap_or_else(|| value.to_string()), &wanted);
    let mut answer = json!({ "dropped": [], "warnings": [], "edits": spliced.edits });
    if as_text {
        answer["body_text"] = spliced.text.into();
    } else {
        answer["body"] = serde_json::from_str(&spliced.text)
            .map_err(|error| ApiError::of(&NO_JSON, args! { error: error.to_string() }))?;
    }
    Ok(answer)
}

#[derive(Deserialize)]
struct Answering {
    from: Protocol,
    to: Protocol,
    body: Option<Value>,
    events: Option<Vec<Map<String, Value>>>,
    #[serde(default)]
    include_usage: bool,
    model: Option<String>,
    id: Option<String>,
    #[serde(default)]
    created: u64,
}

fn translate_response(value: Value) -> Result<Value, ApiError> {
    let asked: Answering = input(value)?;
    if asked.from != asked.to {
        return answered_across(asked);
    }
    match (asked.body, asked.events) {
        (Some(body), _) if body.is_object() => Ok(json!({ "body": body })),
        (Some(_), _) => Err(refused(GatewayError::new(Code::UpstreamProtocolError))),
        (None, Some(mut events)) => {
            if asked.from == Protocol::OpenAi && !asked.include_usage {
                events.retain(|event| !unasked(event.get("data")));
            }
            Ok(json!({ "events": events }))
        }
        (None, None) => Err(ApiError::at("", &ONE_OF, args! { names: "`body`, `events`" })),
    }
}

fn answered_across(asked: Answering) -> Result<Value, ApiError> {
    let Answering { from, to, body, events, include_usage, model, id, created } = asked;
    let telling = Telling { id, model, created, include_usage };
    match (body, events) {
        (Some(body), _) => {
            let text = body.to_string();
            let answer = translate::answer(from, text.as_bytes(), &telling, &Limits::default()).map_err(refused)?;
            Ok(json!({ "body": answer }))
        }
        (None, Some(events)) => Ok(told(from, to, telling, events)),
        (None, None) => Err(ApiError::at("", &ONE_OF, args! { names: "`body`, `events`" })),
    }
}

/// A stream's events in the words of the other protocol, with how it ended.
fn told(from: Protocol, to: Protocol, telling: Telling, events: Vec<Map<String, Value>>) -> Value {
    let mut interpreter = Interpreter::new(from, telling);
    let mut told = Vec::new();
    let (mut broken, mut error) = (None, None);
    for mut event in events {
        let name = event.get("event").and_then(Value::as_str).map(str::to_owned);
        let data = match event.remove("data") {
            Some(Value::String(text)) => text,
            data => data.unwrap_or_default().to_string(),
        };
        let event = SseEvent { event: name.unwrap_or_default(), data, id: None };
        let taken = Chunk::event(from, &event).and_then(|chunk| {
            error = error.take().or_else(|| chunk.error.clone());
            interpreter.take(&event, &chunk, |event| told.push(event))
        });
        if let Err(refusal) = taken {
            broken = Some(refusal);
            break;
        }
    }
    let (ended, last) = match broken {
        Some(refusal) => ("protocol_error", Some(refusal)),
        None => match interpreter.end(|event| told.push(event)) {
            Ended::Complete => ("done", None),
            Ended::Cut => ("cut", Some(GatewayError::new(Code::UpstreamStreamCut))),
            Ended::Error => ("error", Some(stream_error(&error.unwrap_or_default()))),
        },
    };
    let mut events: Vec<Value> = told.iter().map(event_object).collect();
    if let Some(refusal) = last {
        let event = (to == Protocol::Anthropic).then_some("error");
        events.push(event_object(&ToldEvent { event, data: Some(refusal.body(to, "")) }));
    }
    json!({ "events": events, "ended": ended })
}

fn event_object(told: &ToldEvent) -> Value {
    let data = told.data.clone().unwrap_or_else(|| "[DONE]".into());
    match told.event {
        Some(event) => json!({ "event": event, "data": data }),
        None => json!({ "data": data }),
    }
}

fn unasked(data: Option<&Value>) -> bool {
    let chunk = data.map(|data| read_event(Protocol::OpenAi, None, data.clone()));
    chunk.is_some_and(|chunk| chunk.is_ok_and(|chunk| chunk.is_only_usage()))
}

#[derive(Deserialize)]
struct Failing {
    protocol: Protocol,
    code: String,
    request_id: String,
    message: Option<String>,
    #[serde(default)]
    details: Map<String, Value>,
}

fn gateway_error(value: Value) -> Result<Value, ApiError> {
    let failing: Failing = input(value)?;
    let code =
        Code::parse(&failing.code).ok_or_else(|| ApiError::at("/code", &NO_CODE, args! { code: failing.code }))?;
    let mut refusal = GatewayError::new(code).with(Value::Object(failing.details));
    if let Some(message) = failing.message {
        refusal = refusal.saying(message);
    }
    let answer = refusal.answer(failing.protocol, &failing.request_id);
    let headers: Map<String, Value> =
        answer.headers.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    Ok(json!({ "status": answer.status, "headers": headers, "body": answer.body }))
}

fn route_simulate(value: Value) -> Result<Value, ApiError> {
    let script: RouteScript = input(value)?;
    let simulated = simulate_routes(&script);
    let bad = |bad: BadEventError| ApiError::at(bad.pointer, &NO_COMMAND, args! { cause: bad.message });
    simulated.map(|simulated| json!(simulated)).map_err(bad)
}

fn budget_simulate(value: Value) -> Result<Value, ApiError> {
    let script: Script = input(value)?;
    simulate(script).map_err(|bad| ApiError::at(bad.pointer, &NO_COMMAND, args! { cause: bad.message }))
}

fn url_check(value: Value) -> Result<Value, ApiError> {
    let address: url_check::Address = input(value)?;
    let (ok, answer) = match url_check::check(&address) {
        Ok(allowed) => (true, json!(allowed)),
        Err(blocked) => (false, json!(blocked)),
    };
    let mut whole = Map::from_iter([("ok".to_owned(), ok.into())]);
    if let Value::Object(members) = answer {
        whole.extend(members);
    }
    Ok(Value::Object(whole))
}

#[derive(Deserialize)]
struct Masking {
    key: Option<String>,
}

fn key_mask(value: Value) -> Result<Value, ApiError> {
    let Masking { key } = input(value)?;
    Ok(json!(mask::mask(key.as_deref())))
}

#[derive(Deserialize)]
struct Redacting {
    text: Option<String>,
    value: Option<Value>,
}

fn redact_text(value: Value) -> Result<Value, ApiError> {
    let whole = value.get("value").cloned();
    let Redacting { text, value } = input(value)?;
    match (text, value.or(whole)) {
        (Some(text), _) => {
            let (text, count) = redact::text(&text);
            Ok(json!({ "text": text, "count": count }))
        }
        (None, Some(value)) => {
            let (value, count) = redact::value(&value);
            Ok(json!({ "value": value, "count": count }))
        }
        (None, None) => Err(ApiError::at("", &ONE_OF, args! { names: "`text`, `value`" })),
    }
}

#[cfg(test)]
pub mod reference;
