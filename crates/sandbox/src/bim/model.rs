//! `bim.model` (spec: ifc-sdk.md §3).

use boa_engine::{JsString, JsValue};
use holdpoint_check::args;
use holdpoint_model::Model;
use serde_json::{Value, to_value};

use crate::{
    bim::export::valid_name,
    error::{CONTENT, MODELS},
    gate::{Answer, Call},
    json,
};

/// Models that calls may have loaded beside those of the host.
const MAX_MODELS: usize = 10;

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let infos = call.host.models().iter().map(|model| call.host.info(model)).collect::<Vec<_>>();
    Ok(json::from_json(&to_value(infos).unwrap_or_default(), call.context)?)
}

pub(crate) fn active(call: &mut Call<'_>) -> Answer {
    let info = call.host.active().map(|model| call.host.info(&model));
    Ok(json::from_json(&info.and_then(|info| to_value(info).ok()).unwrap_or(Value::Null), call.context)?)
}

pub(crate) fn active_id(call: &mut Call<'_>) -> Answer {
    Ok(call.host.active().map_or_else(JsValue::null, |model| JsString::from(model.id()).into()))
}

/// The model goes again with its call where nothing keeps the working copy.
pub(crate) fn load_ifc(call: &mut Call<'_>) -> Answer {
    let (content, filename) = (call.text(0), call.text(1));
    valid_name(call, &filename, "filename")?;
    if call.host.working.made() >= MAX_MODELS {
        return Err(call.limit(&MODELS, MAX_MODELS, MAX_MODELS));
    }
    let model = Model::open(content.as_str(), &filename)
        .map_err(|invalid| call.wrong("content", &CONTENT, args! { line: invalid.line, why: invalid.message }))?;
    let id = call.host.working.load(model, content.as_bytes(), call.host.loaded_at.clone());
    Ok(JsString::from(id.as_str()).into())
}
