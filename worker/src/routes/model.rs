//! The OpenAI surface: `/v1/chat/completions`, `/v1/models` (spec: gateway.md §2).

use holdpoint_gateway::key::{fnv1a32, request_id};
use holdpoint_gateway::{Code, ModelCall, Protocol};
use holdpoint_store::wire::{Model, Models};
use js_sys::Uint8Array;
use serde_json::json;
use worker::{Method, Request, RequestInit, Response, Result};

use super::Edge;
use crate::answer::{Answer, Fault, json_response};
use crate::js::{now_ms, random};
use crate::relay::{ORDER_HEADER, Order, RELAY_CALL};
use crate::{auth, body};

const EXISTING: [&str; 3] = ["POST /v1/chat/completions", "GET /v1/models", "GET /v1/models/{id}"];
const SCOPE: &str = "llm";
/// Of model rows: when the list's format began to be asked for; clients only need a number.
const CREATED: u64 = 1_767_225_600;

/// Answers below `/v1/`; every failure has the protocol's shape.
pub async fn answer(edge: &Edge, request: Request, path: &str) -> Result<Response> {
    let id = match random() {
        Ok(bytes) => request_id(now_ms(), &bytes),
        Err(fault) => return fault.response(),
    };
    let answer = match (path, request.method()) {
        ("/v1/chat/completions", Method::Post) => chat(edge, request, &id).await,
        ("/v1/models", Method::Get) => models(edge, &request).await,
        ("/v1/chat/completions" | "/v1/models", _) => Err(Code::MethodNotAllowed.into()),
        (path, Method::Get) if path.starts_with("/v1/models/") => one_model(edge, &request, &path[11..]).await,
        (path, _) if path.starts_with("/v1/models/") => Err(Code::MethodNotAllowed.into()),
        _ => Err(Fault::from(Code::NotFound).with("existing", json!(EXISTING))),
    };
    answer.or_else(|fault| fault.protocol_response(&id))
}

/// `POST /v1/chat/completions`: what is wrong by its form ends here; the rest is the relay's.
async fn chat(edge: &Edge, request: Request, id: &str) -> Answer {
    let reader = edge.reader(&request, SCOPE).await?;
    let order = Order::read(id, reader.caller().clone(), &request)?;
    let bytes = body::read(&reader, &request, edge.limits().max_body_bytes).await?;
    ModelCall::read(Protocol::OpenAi, &bytes, edge.limits())?;

    let shard = fnv1a32(id) % (edge.limits().relay_shards.max(1) as u32);
    let relay = edge.objects.relay(&order.caller.account, shard)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(Uint8Array::from(bytes.as_slice()).into()));
    init.headers.set(ORDER_HEADER, &serde_json::to_string(&order).map_err(worker::Error::from)?)?;
    Ok(relay.fetch_with_request(Request::new_with_init(RELAY_CALL, &init)?).await?)
}

/// The models that this principal may use.
async fn models(edge: &Edge, request: &Request) -> Answer {
    let rows = allowed(edge, request).await?;
    Ok(json_response(200, &json!(Models { object: "list", data: rows }))?)
}

async fn one_model(edge: &Edge, request: &Request, alias: &str) -> Answer {
    let rows = allowed(edge, request).await?;
    let row = rows.into_iter().find(|row| row.id == alias).ok_or_else(|| Fault::from(Code::ModelNotFound))?;
    Ok(json_response(200, &json!(row))?)
}

async fn allowed(edge: &Edge, request: &Request) -> std::result::Result<Vec<Model>, Fault> {
    let principal = edge.principal(&auth::caller(request, &edge.settings)?, SCOPE).await?;
    let models = edge.settings.config.models.iter().filter(|model| principal.require_model(&model.alias).is_ok());
    Ok(models
        .filter_map(|model| {
            let first = model.candidates.first()?;
            Some(Model {
                id: model.alias.clone(),
                object: "model",
                created: CREATED,
                owned_by: first.provider.clone(),
                display: model.display.clone(),
                model: first.model.clone(),
            })
        })
        .collect())
}
