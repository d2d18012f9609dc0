//! `bim.model` (spec: ifc-sdk.md §3).

use boa_engine::{JsString, JsValue};
use serde_json::{Value, to_value};

use crate::{
    gate::{Answer, Call},
    json,
};

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let infos = call.host.models.iter().map(|model| model.info(&call.host.loaded_at)).collect::<Vec<_>>();
    Ok(json::from_json(&to_value(infos).unwrap_or_default(), call.context)?)
}

pub(crate) fn active(call: &mut Call<'_>) -> Answer {
    let info = call.host.models.first().map(|model| model.info(&call.host.loaded_at));
    Ok(json::from_json(&info.and_then(|info| to_value(info).ok()).unwrap_or(Value::Null), call.context)?)
}

pub(crate) fn active_id(call: &mut Call<'_>) -> Answer {
    Ok(call.host.models.first().map_or_else(JsValue::null, |model| JsString::from(model.id()).into()))
}
