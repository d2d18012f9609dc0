//! `Entity` and `EntityRef` at the border (spec: ifc-sdk.md §3 "Types").

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction,
    object::{
        FunctionObjectBuilder,
        builtins::{JsArray, JsFunction},
    },
    property::PropertyDescriptor,
};
use holdpoint_model::{Entity, EntityRef, Model};

use crate::{host::Host, json};

/// IFC spelling and the member that it is another name of.
const IFC_SPELLINGS: [(&str, &str); 5] = [
    ("GlobalId", "globalId"),
    ("Name", "name"),
    ("Type", "type"),
    ("Description", "description"),
    ("ObjectType", "objectType"),
];

/// The prototype of every Entity.
pub(crate) fn prototype(context: &mut Context) -> JsObject {
    let prototype = JsObject::with_object_proto(context.intrinsics());
    for (index, (name, _)) in IFC_SPELLINGS.iter().enumerate() {
        let property = PropertyDescriptor::builder()
            .get(getter(index, name, context))
            .enumerable(false)
            .configurable(true)
            .build();
        prototype.insert_property(JsString::from(*name), property);
    }
    prototype
}

fn getter(index: usize, name: &str, context: &Context) -> JsFunction {
    let get = NativeFunction::from_copy_closure(move |this, _, context| match this.as_object() {
        Some(entity) => entity.get(JsString::from(IFC_SPELLINGS[index].1), context),
        None => Ok(JsValue::undefined()),
    });
    FunctionObjectBuilder::new(context.realm(), get).name(JsString::from(format!("get {name}"))).build()
}

/// An Entity as a JavaScript object.
pub(crate) fn object(entity: &Entity, host: &Host, context: &mut Context) -> JsResult<JsValue> {
    let prototype = host.captured.borrow().as_ref().map(|captured| captured.entity.clone());
    let object = JsObject::from_proto_and_data(prototype, boa_engine::builtins::object::OrdinaryObject);
    let text = |text: &Option<String>| -> JsValue {
        text.as_ref().map_or_else(JsValue::null, |text| JsString::from(text.as_str()).into())
    };
    let members: [(&str, JsValue); 8] = [
        ("ref", ref_object(&entity.r#ref, context)?),
        ("globalId", text(&entity.global_id)),
        ("type", JsString::from(entity.r#type.as_str()).into()),
        ("name", text(&entity.name)),
        ("description", text(&entity.description)),
        ("objectType", text(&entity.object_type)),
        ("tag", text(&entity.tag)),
        ("predefinedType", text(&entity.predefined_type)),
    ];
    for (name, value) in members {
        object.create_data_property_or_throw(JsString::from(name), value, context)?;
    }
    Ok(object.into())
}

fn ref_object(reference: &EntityRef, context: &mut Context) -> JsResult<JsValue> {
    let object = JsObject::with_object_proto(context.intrinsics());
    let model = JsString::from(reference.model_id.as_str());
    object.create_data_property_or_throw(JsString::from("modelId"), model, context)?;
    object.create_data_property_or_throw(JsString::from("expressId"), f64::from(reference.express_id), context)?;
    Ok(object.into())
}

/// The entity with this number, or null.
pub(crate) fn or_null(id: Option<u32>, model: &Model, host: &Host, context: &mut Context) -> JsResult<JsValue> {
    match id.and_then(|id| model.entity(id)) {
        Some(entity) => object(&entity, host, context),
        None => Ok(JsValue::null()),
    }
}

pub(crate) fn list(entities: &[Entity], host: &Host, context: &mut Context) -> JsResult<JsValue> {
    let objects: Vec<JsValue> = entities.iter().map(|entity| object(entity, host, context)).collect::<JsResult<_>>()?;
    Ok(JsArray::from_iter(objects, context).into())
}

/// The reference that an Entity or `EntityRef` holds; `None` for every other value.
pub(crate) fn reference(value: &JsValue, context: &mut Context) -> JsResult<Option<EntityRef>> {
    let Some(object) = value.as_object() else { return Ok(None) };
    let inner = object.get(JsString::from("ref"), context)?;
    let object = inner.as_object().unwrap_or(object);
    let model = object.get(JsString::from("modelId"), context)?;
    let express = object.get(JsString::from("expressId"), context)?;
    let (Some(model_id), Some(number)) = (json::text(&model), express.as_number()) else { return Ok(None) };
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    let model_id = Host::of(context).id_of(model_id);
    Ok(whole.then_some(EntityRef { model_id, express_id: number as u32 }))
}

/// The references of a list argument that was checked.
pub(crate) fn references(value: &JsValue, context: &mut Context) -> JsResult<Vec<EntityRef>> {
    let Some(array) = value.as_object() else { return Ok(Vec::new()) };
    let items = json::items(&array, crate::arguments::MAX_ITEMS, context)?;
    let mut references = Vec::with_capacity(items.len());
    for item in items {
        references.extend(reference(&item, context)?);
    }
    Ok(references)
}
