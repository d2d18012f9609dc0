//! `bim.query`: reads (spec: ifc-sdk.md §3).
//!
//! Lists come in ascending express id, model after model in load order. A reference that does not exist reads as null
//! or an empty list.

use std::rc::Rc;

use boa_engine::JsValue;
use holdpoint_check::args;
use holdpoint_model::{Direction, ExpressId, Model, UnknownClassError};
use serde::Serialize;
use serde_json::{Value, to_value};

use crate::{
    entity,
    error::IFC_CLASS,
    gate::{Answer, Call, Refusal},
    json,
};

pub(crate) fn all(call: &mut Call<'_>) -> Answer {
    of_all(call, |model| Ok(model.all()))
}

pub(crate) fn by_type(call: &mut Call<'_>) -> Answer {
    let names = classes(call);
    of_all(call, |model| model.by_type(&names.iter().map(String::as_str).collect::<Vec<_>>()))
}

pub(crate) fn count(call: &mut Call<'_>) -> Answer {
    let names = classes(call);
    let mut total = 0;
    for model in &call.host.models() {
        let count = model.count(&names.iter().map(String::as_str).collect::<Vec<_>>());
        total += count.map_err(|unknown| no_class(call, &unknown))?;
    }
    Ok((total as f64).into())
}

pub(crate) fn entity(call: &mut Call<'_>) -> Answer {
    let number = call.arg(1).as_number().unwrap_or_default();
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    let id = whole.then_some(number as u32);
    match call.host.model(&call.host.id_of(call.text(0))) {
        Some(model) => Ok(entity::or_null(id, &model, call.host, call.context)),
        None => Ok(JsValue::null()),
    }
}

pub(crate) fn by_global_id(call: &mut Call<'_>) -> Answer {
    let wanted = call.text(0);
    for model in &call.host.models() {
        if let Some(id) = model.by_global_id(&wanted) {
            return Ok(entity::or_null(Some(id), model, call.host, call.context));
        }
    }
    Ok(JsValue::null())
}

pub(crate) fn attributes(call: &mut Call<'_>) -> Answer {
    read(call, Value::Array(Vec::new()), holdpoint_model::Model::attributes)
}

pub(crate) fn properties(call: &mut Call<'_>) -> Answer {
    read(call, Value::Array(Vec::new()), holdpoint_model::Model::properties)
}

pub(crate) fn type_properties(call: &mut Call<'_>) -> Answer {
    read(call, Value::Null, holdpoint_model::Model::type_properties)
}

pub(crate) fn property(call: &mut Call<'_>) -> Answer {
    let (set, name) = (call.text(1), call.text(2));
    read(call, Value::Null, |model, id| model.property(id, &set, &name))
}

pub(crate) fn quantities(call: &mut Call<'_>) -> Answer {
    read(call, Value::Array(Vec::new()), holdpoint_model::Model::quantities)
}

pub(crate) fn quantity(call: &mut Call<'_>) -> Answer {
    let (set, name) = (call.text(1), call.text(2));
    read(call, Value::Null, |model, id| model.quantity(id, &set, &name))
}

pub(crate) fn classifications(call: &mut Call<'_>) -> Answer {
    read(call, Value::Array(Vec::new()), holdpoint_model::Model::classifications)
}

pub(crate) fn materials(call: &mut Call<'_>) -> Answer {
    read(call, Value::Null, holdpoint_model::Model::material)
}

pub(crate) fn documents(call: &mut Call<'_>) -> Answer {
    read(call, Value::Array(Vec::new()), holdpoint_model::Model::documents)
}

pub(crate) fn relationships(call: &mut Call<'_>) -> Answer {
    let (model, relationships) = of(call, |model, id| (model.clone(), model.relationships(id)))?.unzip();
    let relationships = relationships.unwrap_or_default();
    let object = boa_engine::JsObject::with_object_proto(call.context.intrinsics());
    let lists = [
        ("voids", relationships.voids),
        ("fills", relationships.fills),
        ("groups", relationships.groups),
        ("connections", relationships.connections),
    ];
    for (name, list) in lists {
        let ids = list.into_iter().map(|entity| entity.r#ref.express_id).collect();
        let list = entity::list(model.clone().map(|model| (model, ids)), call.host, call.context);
        object.create_data_property_or_throw(boa_engine::JsString::from(name), list, call.context)?;
    }
    Ok(object.into())
}

pub(crate) fn related(call: &mut Call<'_>) -> Answer {
    let relationship = call.text(1);
    let direction = if call.text(2) == "inverse" { Direction::Inverse } else { Direction::Forward };
    let found = of(call, |model, id| (model.clone(), model.related(id, &relationship, direction)))?;
    let found = found.map(|(model, ids)| ids.map(|ids| (model, ids))).transpose();
    let found = found.map_err(|unknown| no_class(call, &unknown))?;
    Ok(entities(found, call))
}

pub(crate) fn contained_in(call: &mut Call<'_>) -> Answer {
    one(call, Model::contained_in)
}

pub(crate) fn contains(call: &mut Call<'_>) -> Answer {
    many(call, Model::contains)
}

pub(crate) fn decomposed_by(call: &mut Call<'_>) -> Answer {
    one(call, Model::decomposed_by)
}

pub(crate) fn decomposes(call: &mut Call<'_>) -> Answer {
    many(call, Model::decomposes)
}

pub(crate) fn storey(call: &mut Call<'_>) -> Answer {
    one(call, Model::storey)
}

pub(crate) fn path(call: &mut Call<'_>) -> Answer {
    many(call, Model::path)
}

pub(crate) fn storeys(call: &mut Call<'_>) -> Answer {
    of_all(call, |model| Ok(model.storeys()))
}

fn classes(call: &Call<'_>) -> Vec<String> {
    call.args.iter().filter_map(json::text).collect()
}

fn no_class(call: &Call<'_>, unknown: &UnknownClassError) -> Refusal {
    call.wrong("types", &IFC_CLASS, args! { name: unknown.name, nearest: unknown.nearest })
}

/// The entities of each model.
fn of_all(call: &mut Call<'_>, ids: impl Fn(&Model) -> Result<Vec<ExpressId>, UnknownClassError>) -> Answer {
    let models = call.host.models();
    let found: Result<Vec<_>, _> = models.into_iter().map(|model| Ok((model.clone(), ids(&model)?))).collect();
    let found = found.map_err(|unknown| no_class(call, &unknown))?;
    Ok(entities(found, call))
}

fn entities(found: impl IntoIterator<Item = (Rc<Model>, Vec<ExpressId>)>, call: &mut Call<'_>) -> JsValue {
    entity::list(found, call.host, call.context)
}

/// What a model says of the first argument; `None` when it refers to nothing.
fn of<T>(call: &mut Call<'_>, read: impl FnOnce(&Rc<Model>, ExpressId) -> T) -> Result<Option<T>, Refusal> {
    let Some(reference) = entity::reference(&call.arg(0), call.context)? else { return Ok(None) };
    let Some(model) = call.host.model(&reference.model_id) else { return Ok(None) };
    let exists = model.place(reference.express_id).is_some();
    Ok(exists.then(|| read(&model, reference.express_id)))
}

fn read<T: Serialize>(call: &mut Call<'_>, absent: Value, read: impl FnOnce(&Model, ExpressId) -> T) -> Answer {
    let found = of(call, |model, id| read(model, id))?.and_then(|found| to_value(found).ok()).unwrap_or(absent);
    match found {
        Value::String(text) => Ok(call.host.texts.of(&text).into()),
        other => Ok(json::from_json(&other, call.context)?),
    }
}

fn one(call: &mut Call<'_>, read: impl FnOnce(&Model, ExpressId) -> Option<ExpressId>) -> Answer {
    let found = of(call, |model, id| (model.clone(), read(model, id)))?;
    Ok(found.map_or_else(JsValue::null, |(model, id)| entity::or_null(id, &model, call.host, call.context)))
}

fn many(call: &mut Call<'_>, read: impl FnOnce(&Model, ExpressId) -> Vec<ExpressId>) -> Answer {
    let found = of(call, |model, id| (model.clone(), read(model, id)))?;
    Ok(entities(found, call))
}
