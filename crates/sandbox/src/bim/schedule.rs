//! `bim.schedule`: scheduling objects of a model (spec: ifc-sdk.md §3).

use std::rc::Rc;

use holdpoint_model::Model;
use serde::Serialize;
use serde_json::{Value, json, to_value};

use crate::{
    bim::store::no_model,
    gate::{Answer, Call},
    json,
};

pub(crate) fn data(call: &mut Call<'_>) -> Answer {
    let nothing = json!({"tasks": [], "workSchedules": [], "workPlans": [], "sequences": []});
    read(call, &nothing, Model::schedule)
}

pub(crate) fn tasks(call: &mut Call<'_>) -> Answer {
    read(call, &json!([]), Model::tasks)
}

pub(crate) fn work_schedules(call: &mut Call<'_>) -> Answer {
    read(call, &json!([]), Model::work_schedules)
}

pub(crate) fn sequences(call: &mut Call<'_>) -> Answer {
    read(call, &json!([]), Model::sequences)
}

/// Of the named model, else of the active one; without a model there is nothing.
fn read<T: Serialize>(call: &mut Call<'_>, nothing: &Value, read: impl FnOnce(&Model) -> T) -> Answer {
    let model: Option<Rc<Model>> = match json::text(&call.arg(0)) {
        Some(called) => {
            let id = call.host.id_of(called);
            Some(call.host.model(&id).ok_or_else(|| no_model(call, &id))?)
        }
        None => call.host.active(),
    };
    let found = model.and_then(|model| to_value(read(&model)).ok());
    Ok(json::from_json(found.as_ref().unwrap_or(nothing), call.context)?)
}
