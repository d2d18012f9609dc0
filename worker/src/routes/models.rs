//! The models' surface: `/v1/chat/completions`, `/v1/messages`, `/v1/models` (spec: gateway.md §2).

use holdpoint_gateway::instant::iso;
use holdpoint_gateway::key::fnv1a32;
use holdpoint_gateway::{Code, ModelCall, Protocol};
use holdpoint_store::routes::models::Id;
use holdpoint_store::wire::{ListedModel, Models};
use js_sys::Uint8Array;
use serde_json::{Value, json};
use worker::{Method, Request, RequestInit};

use super::{Edge, RouteRequest};
use crate::account::{AccountCommand, OwnAsk, OwnModels};
use crate::answer::{Answer, EdgeError, json_response};
use crate::objects::{ask, header_text};
use crate::relay::{Measuring, ORDER_HEADER, Order, RELAY_CALL};

/// With it an administrator asks for a measurement.
const EVAL_HEADER: &str = "holdpoint-eval";
/// Of model rows: when the list's format began to be asked for; clients only need a number.
const CREATED: u64 = 1_767_225_600;

/// Answers a route of models; every failure has the protocol's shape.
pub async fn answer(edge: &Edge, id: Id, asked: RouteRequest) -> Answer {
    match id {
        Id::Chat | Id::Messages => call(edge, asked, false).await,
        Id::CountTokens => call(edge, asked, true).await,
        Id::Models => {
            let data = allowed(edge, &asked).await?;
            let list = match asked.protocol() {
                Protocol::OpenAi => json!(Models { object: "list", data }),
                Protocol::Anthropic => page(&data),
            };
            Ok(json_response(200, &list)?)
        }
        Id::Model => {
            let alias = asked.place("id");
            let row = allowed(edge, &asked).await?.into_iter().find(|row| row.id == alias);
            let row = row.ok_or_else(|| EdgeError::from(Code::ModelNotFound))?;
            let shown = match asked.protocol() {
                Protocol::OpenAi => json!(row),
                Protocol::Anthropic => described(&row),
            };
            Ok(json_response(200, &shown)?)
        }
    }
}

/// A call of a model, or a count of what one would read: what is wrong by its form ends here; the rest is the relay's.
async fn call(edge: &Edge, mut asked: RouteRequest, counts: bool) -> Answer {
    let read = Order::read(asked.id(), asked.caller()?, asked.protocol(), asked.request())?;
    let measuring = measuring(edge, &asked).await?;
    let order = Order { counts, measuring, principal: asked.principal_name().to_owned(), ..read };
    let bytes = asked.bytes()?;
    ModelCall::read(order.protocol, &bytes, edge.limits())?;

    let shard = fnv1a32(asked.id()) % (edge.limits().relay_shards.max(1) as u32);
    let relay = edge.objects.relay(&order.caller.account, shard)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(Uint8Array::from(bytes.as_slice()).into()));
    init.headers.set(ORDER_HEADER, &header_text(&order)?)?;
    Ok(relay.fetch_with_request(Request::new_with_init(RELAY_CALL, &init)?).await?)
}

/// Measurements are an administrator's, and never made in production.
async fn measuring(edge: &Edge, asked: &RouteRequest) -> Result<Measuring, EdgeError> {
    if asked.request().headers().get(EVAL_HEADER)?.is_none_or(|value| value.trim() != "1") {
        return Ok(Measuring::Off);
    }
    if edge.settings.production {
        return Err(Code::ScopeDenied.into());
    }
    edge.principal(&asked.caller()?, "admin").await?;
    Ok(Measuring::On)
}

/// The list in Anthropic's shape: it has one page.
fn page(rows: &[ListedModel]) -> Value {
    let data: Vec<Value> = rows.iter().map(described).collect();
    let id = |row: Option<&ListedModel>| row.map(|row| row.id.clone());
    json!({ "data": data, "has_more": false, "first_id": id(rows.first()), "last_id": id(rows.last()) })
}

fn described(row: &ListedModel) -> Value {
    let created = iso((row.created * 1_000).cast_signed());
    json!({ "type": "model", "id": row.id, "display_name": row.display, "created_at": created })
}

/// The models that this principal may use: the platform's, then the account's own.
async fn allowed(edge: &Edge, asked: &RouteRequest) -> Result<Vec<ListedModel>, EdgeError> {
    let caller = asked.caller()?;
    let account = edge.objects.account(&caller.account)?;
    let scope = asked.route().scope.unwrap_or_default().to_owned();
    let OwnModels { principal, models } =
        ask(&account, &AccountCommand::Own { caller, ask: OwnAsk::Models { scope } }).await?;
    let platform = &edge.settings.config.models;
    let own = models.iter().filter(|model| platform.iter().all(|its| its.alias != model.alias));
    let allowed = platform.iter().filter(|model| principal.require_model(&model.alias).is_ok()).chain(own);
    Ok(allowed
        .filter_map(|model| {
            let first = model.candidates.first()?;
            Some(ListedModel {
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
