//! `ctx.ui`: the extension's own docks (spec: ifc-sdk.md §2).

use boa_engine::JsValue;
use holdpoint_check::{Sentence, args};
use serde_json::json;

use crate::{
    error::{DOCK, NOT_JSON, SdkError},
    gate::{Answer, Call, Refusal},
    json::{NotJson, to_json},
};

pub(crate) fn update(call: &mut Call<'_>) -> Answer {
    let dock = dock(call)?;
    let state = match to_json(&call.arg(1), call.context) {
        Ok(state) => state.unwrap_or_default(),
        Err(NotJson::Because(why)) => return Err(call.wrong("state", &NOT_JSON, args! { why })),
        Err(NotJson::Threw(error)) => return Err(error.into()),
    };
    call.host.effects.borrow_mut().ui.push(json!({"op": "update", "dock": dock, "state": state}));
    Ok(JsValue::undefined())
}

pub(crate) fn open(call: &mut Call<'_>) -> Answer {
    change("open", call)
}

pub(crate) fn close(call: &mut Call<'_>) -> Answer {
    change("close", call)
}

fn change(op: &str, call: &mut Call<'_>) -> Answer {
    let dock = dock(call)?;
    call.host.effects.borrow_mut().ui.push(json!({"op": op, "dock": dock}));
    Ok(JsValue::undefined())
}

fn dock(call: &Call<'_>) -> Result<String, Refusal> {
    let dock = call.text(0);
    if call.host.program.docks.contains(&dock) {
        return Ok(dock);
    }
    Err(SdkError::not_found(call.path, &Sentence::of(&DOCK, args! { id: dock })).into())
}
