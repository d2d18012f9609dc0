//! `bim.store`: instances of a loaded model (spec: ifc-sdk.md §3).

use boa_engine::JsValue;
use holdpoint_check::{Sentence, args};
use holdpoint_model::{EditError, EntityRef, Model, ModelEdit, codes::INDEX};
use serde_json::{Value, json};

use crate::{
    bim::mutate::{change, json_of, told},
    bim::refusals::of_edit,
    bim::working::Change,
    error::{DEFINITION, MODEL, SdkError},
    gate::{Answer, Call, Refusal},
    json,
};

pub(crate) fn add_entity(call: &mut Call<'_>) -> Answer {
    let definition = json_of(call, 1)?;
    let Some(class) = definition.get("type").and_then(Value::as_str) else {
        return Err(call.wrong("def", &DEFINITION, args! { shape: "{type, attributes}" }));
    };
    let attributes = definition.get("attributes").unwrap_or(&Value::Null);
    create(call, |model| model.add_entity(class, attributes))
}

/// `addWall`, `addSlab` and the like: the method's own name says what.
pub(crate) fn add_element(call: &mut Call<'_>) -> Answer {
    let params = json_of(call, 2)?;
    let method = call.path.rsplit('.').next().unwrap_or_default();
    let storey =
        call.arg(1).as_number().filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number));
    let storey = storey.map_or(0, |number| number as u32);
    create(call, |model| model.add_element(method, storey, &params))
}

/// Adds to the model of the first argument; answers the reference.
fn create(call: &mut Call<'_>, work: impl FnOnce(&mut Model) -> Result<(u32, Vec<ModelEdit>), EditError>) -> Answer {
    let id = call.host.id_of(call.text(0));
    if call.host.model(&id).is_none() {
        return Err(no_model(call, &id));
    }
    let extension = &call.host.program.meta.extension_id;
    let made = call.host.working.change(extension, &id, |model| {
        let (express_id, edits) = work(model)?;
        let entity = EntityRef { model_id: id.clone(), express_id };
        let class = model.entity(express_id).map(|found| found.r#type);
        let said = |op: &str| told(model, &entity, json!({"op": op, "value": class}));
        Ok((entity.clone(), Change { edits, said: said("create"), said_back: said("delete") }))
    });
    match made {
        Ok(Some(entity)) => Ok(json::from_json(&json!(entity), call.context)?),
        Ok(None) => Err(no_model(call, &id)),
        Err(error) => Err(of_edit(call, &id, error)),
    }
}

pub(crate) fn remove_entity(call: &mut Call<'_>) -> Answer {
    change(call, |model, entity| {
        let class = model.entity(entity.express_id).map(|found| found.r#type);
        let said = |op: &str| told(model, entity, json!({"op": op, "value": class}));
        let (said, said_back) = (said("delete"), said("create"));
        let edits = model.remove_entity(entity.express_id)?;
        Ok(((), Change { edits, said, said_back }))
    })?;
    Ok(true.into())
}

pub(crate) fn set_positional_attribute(call: &mut Call<'_>) -> Answer {
    let index = call.arg(1).as_number().filter(|index| index.fract() == 0.0 && (0.0..1000.0).contains(index));
    let Some(index) = index.map(|index| index as usize) else { return Err(call.wrong("index", &INDEX, &[])) };
    let value = json_of(call, 2)?;
    change(call, |model, entity| {
        let id = entity.express_id;
        let before = model.attributes(id).into_iter().nth(index);
        let name = before.as_ref().map(|before| before.name.clone());
        let said = |value: &Value| told(model, entity, json!({"op": "setAttribute", "name": name, "value": value}));
        let (said, said_back) = (said(&value), said(&before.map(|before| before.value).unwrap_or_default()));
        let edits = model.set_positional(id, index, &value)?;
        Ok(((), Change { edits, said, said_back }))
    })?;
    Ok(JsValue::undefined())
}

pub(crate) fn no_model(call: &Call<'_>, id: &str) -> Refusal {
    SdkError::not_found(call.path, &Sentence::of(&MODEL, args! { id })).into()
}
