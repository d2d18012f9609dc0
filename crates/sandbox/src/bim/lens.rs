//! `bim.lens`: the lenses that the host offers (spec: ifc-sdk.md §3).

use serde_json::json;

use crate::{
    gate::{Answer, Call},
    json,
};

pub(crate) fn presets(call: &mut Call<'_>) -> Answer {
    Ok(json::from_json(&json!(call.host.program.lenses), call.context)?)
}
