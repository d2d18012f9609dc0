//! `bim.mutate`: properties and attributes, with their way back (spec: ifc-sdk.md §3).

use boa_engine::JsValue;
use holdpoint_model::{EditError, EntityRef, Model};
use serde_json::{Value, json};

use crate::{
    bim::refusals::{entity_missing, of_edit},
    bim::working::Change,
    entity,
    gate::{Answer, Call, Refusal},
    json,
};

pub(crate) fn set_property(call: &mut Call<'_>) -> Answer {
    let (set, name) = (call.text(1), call.text(2));
    let value = json_of(call, 3)?;
    change(call, |model, entity| {
        let before = own_property(model, entity.express_id, &set, &name);
        let edits = model.set_property(entity.express_id, &set, &name, &value)?;
        let said =
            |value: &Value| told(model, entity, json!({"op": "setProperty", "set": set, "name": name, "value": value}));
        let said_back = match &before {
            Some(before) => said(before),
            None => told(model, entity, json!({"op": "deleteProperty", "set": set, "name": name})),
        };
        Ok(((), Change { edits, said: said(&value), said_back }))
    })?;
    Ok(JsValue::undefined())
}

pub(crate) fn delete_property(call: &mut Call<'_>) -> Answer {
    let (set, name) = (call.text(1), call.text(2));
    let deleted = change(call, |model, entity| {
        let before = own_property(model, entity.express_id, &set, &name).unwrap_or_default();
        let (deleted, edits) = model.delete_property(entity.express_id, &set, &name)?;
        let said = told(model, entity, json!({"op": "deleteProperty", "set": set, "name": name}));
        let said_back = told(model, entity, json!({"op": "setProperty", "set": set, "name": name, "value": before}));
        Ok((deleted, Change { edits, said, said_back }))
    })?;
    Ok(deleted.into())
}

pub(crate) fn set_attribute(call: &mut Call<'_>) -> Answer {
    let attribute = call.text(1);
    let value = json::text(&call.arg(2));
    change(call, |model, entity| {
        let id = entity.express_id;
        let before = model.attributes(id).into_iter().find(|known| known.name == attribute).map(|known| known.value);
        let said = |model: &Model, value: &Value| {
            told(model, entity, json!({"op": "setAttribute", "name": attribute, "value": value}))
        };
        // What is said of the element is what it was called when it was changed.
        let said_now = said(model, &json!(value));
        let edits = model.set_attribute(id, &attribute, value.as_deref())?;
        let said_back = said(model, &before.unwrap_or_default());
        Ok(((), Change { edits, said: said_now, said_back }))
    })?;
    Ok(JsValue::undefined())
}

pub(crate) fn undo(call: &mut Call<'_>) -> Answer {
    let models = of_steps(call);
    Ok(call.host.working.undo(&call.host.program.meta.extension_id, &models).into())
}

pub(crate) fn redo(call: &mut Call<'_>) -> Answer {
    let models = of_steps(call);
    Ok(call.host.working.redo(&call.host.program.meta.extension_id, &models).into())
}

/// The model whose latest change is meant; without an argument any that the call sees.
fn of_steps(call: &Call<'_>) -> Vec<String> {
    let named = json::text(&call.arg(0)).map(|called| call.host.id_of(called));
    let seen = call.host.models().into_iter().map(|model| model.id().to_owned());
    seen.filter(|id| named.as_ref().is_none_or(|named| named == id)).collect()
}

/// An argument that was checked, as JSON.
pub(crate) fn json_of(call: &mut Call<'_>, index: usize) -> Result<Value, Refusal> {
    use crate::error::NOT_JSON;
    use holdpoint_check::args;
    match json::to_json(&call.arg(index), call.context) {
        Ok(value) => Ok(value.unwrap_or_default()),
        Err(json::NotJson::Because(why)) => Err(call.wrong("value", &NOT_JSON, args! { why })),
        Err(json::NotJson::Threw(error)) => Err(error.into()),
    }
}

/// Changes the model of the entity in the first argument.
pub(crate) fn change<T>(
    call: &mut Call<'_>,
    work: impl FnOnce(&mut Model, &EntityRef) -> Result<(T, Change), EditError>,
) -> Result<T, Refusal> {
    let entity = entity::reference(&call.arg(0), call.context)?
        .ok_or_else(|| call.wrong("entity", &crate::error::ENTITY, &[]))?;
    let extension = &call.host.program.meta.extension_id;
    let seen = call.host.model(&entity.model_id).is_some();
    let change = || call.host.working.change(extension, &entity.model_id, |model| work(model, &entity));
    match if seen { change() } else { Ok(None) } {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => Err(entity_missing(call, &entity)),
        Err(error) => Err(of_edit(call, &entity.model_id, error)),
    }
}

/// The effect with the element's name and its reference.
pub(crate) fn told(model: &Model, entity: &EntityRef, mut said: Value) -> Value {
    let name = model.entity(entity.express_id).and_then(|found| found.name);
    said["element"] = json!(name);
    said["ref"] = json!(entity);
    said
}

/// A property of the occurrence itself.
fn own_property(model: &Model, id: u32, set: &str, name: &str) -> Option<Value> {
    let sets = model.properties(id).into_iter().filter(|found| found.name == set);
    sets.flat_map(|found| found.properties).find(|found| found.name == name).map(|found| found.value)
}
