//! `Entity` and `EntityRef` at the border (spec: ifc-sdk.md §3 "Types").
//!
//! Owns what an Entity costs: a list of a whole model must fit into a call. So an Entity holds the place of its record,
//! and its members are read when code asks for them. Invariant: they say what they said when the Entity was answered,
//! whatever changes since, as long as its model is open.

use std::rc::Rc;

use boa_engine::{
    Context, JsObject, JsResult, JsString, JsValue, NativeFunction,
    builtins::object::OrdinaryObject,
    js_string,
    object::{
        FunctionObjectBuilder,
        builtins::{JsArray, JsFunction},
    },
    property::{PropertyDescriptor, PropertyKey},
};
use holdpoint_model::{EntityRef, ExpressId, Model, RecordPlace};

use crate::{host::Host, json};

/// Members of an Entity in their order, the attribute that each is read from, and the getter of its IFC spelling.
const MEMBERS: [(&str, &str, bool); 8] = [
    ("ref", "", false),
    ("globalId", "GlobalId", true),
    ("type", "Type", true),
    ("name", "Name", true),
    ("description", "Description", true),
    ("objectType", "ObjectType", true),
    ("tag", "Tag", false),
    ("predefinedType", "PredefinedType", false),
];

/// What an Entity holds: its place, its model's id, and its `ref` once code has asked for it.
type Held = (RecordPlace, JsString, Option<JsObject>);

/// How Entities of a realm are made.
#[derive(Debug)]
pub(crate) struct Entities {
    /// The IFC spellings, as getters.
    prototype: JsObject,
    members: Vec<(PropertyKey, PropertyDescriptor)>,
}

impl Entities {
    pub(crate) fn new(context: &Context) -> Self {
        let prototype = JsObject::with_object_proto(context.intrinsics());
        let mut members = Vec::new();
        for (index, (member, attribute, has_spelling)) in MEMBERS.iter().enumerate() {
            let key = PropertyKey::from(JsString::from(*member));
            if *has_spelling {
                let get = NativeFunction::from_copy_closure(move |this, _, context| {
                    this.as_object().map_or(Ok(JsValue::undefined()), |entity| entity.get(key_of(index), context))
                });
                let get = function(&format!("get {attribute}"), get, context);
                let property = PropertyDescriptor::builder().get(get).enumerable(false).configurable(true).build();
                prototype.insert_property(JsString::from(*attribute), property);
            }
            let get = NativeFunction::from_copy_closure(move |this, _, context| read(index, this, context));
            let set = NativeFunction::from_copy_closure(move |this, args, context| {
                let value = args.first().cloned().unwrap_or_default();
                let entity = this.as_object();
                entity.map(|entity| entity.create_data_property_or_throw(key_of(index), value, context)).transpose()?;
                Ok(JsValue::undefined())
            });
            let property = PropertyDescriptor::builder()
                .get(function(&format!("get {member}"), get, context))
                .set(function(&format!("set {member}"), set, context))
                .enumerable(true)
                .configurable(true)
                .build();
            members.push((key, property));
        }
        Self { prototype, members }
    }

    fn make(&self, place: RecordPlace, model: JsString, context: &Context) -> JsValue {
        let held: Held = (place, model, None);
        // Entities share one table of members.
        let entity = JsObject::new(context.root_shape(), self.prototype.clone(), held);
        for (key, member) in &self.members {
            entity.insert_property(key.clone(), member.clone());
        }
        entity.upcast().into()
    }

    /// An Entity that nobody has touched: its `ref` is what it holds.
    fn untouched(&self, object: &JsObject) -> Option<EntityRef> {
        let (key, own) = self.members.first()?;
        if object.borrow().properties().get(key)?.get() != own.get() {
            return None;
        }
        let held = object.downcast_ref::<Held>().filter(|held| held.2.is_none())?;
        Some(EntityRef { model_id: held.1.to_std_string_lossy(), express_id: held.0[0] })
    }
}

fn key_of(index: usize) -> JsString {
    JsString::from(MEMBERS[index].0)
}

fn function(name: &str, native: NativeFunction, context: &Context) -> JsFunction {
    FunctionObjectBuilder::new(context.realm(), native).name(JsString::from(name)).build()
}

/// A member of an Entity, or of what has one as its prototype.
fn read(index: usize, this: &JsValue, context: &mut Context) -> JsResult<JsValue> {
    let mut holders = std::iter::successors(this.as_object(), JsObject::prototype);
    let Some(object) = holders.find(JsObject::is::<Held>) else { return Ok(JsValue::undefined()) };
    if index == 0 {
        return reference_of(&object, context);
    }
    let host = Host::of(context);
    let held = object.downcast_ref::<Held>();
    let Some((place, model, _)) = held.as_deref() else { return Ok(JsValue::undefined()) };
    // What is kept from a model that is not shown now says what it said.
    let Some(model) = host.working.model(&model.to_std_string_lossy(), None) else { return Ok(JsValue::null()) };
    let text = match MEMBERS[index].1 {
        "Type" => model.class_name_at(*place).map(|class| host.texts.of(class)),
        attribute => model.member_at(*place, attribute).map(|text| host.texts.of(&text)),
    };
    Ok(text.map_or_else(JsValue::null, JsValue::from))
}

/// The `ref` of an Entity, the same object each time.
fn reference_of(entity: &JsObject, context: &mut Context) -> JsResult<JsValue> {
    let held = entity.downcast_ref::<Held>().map(|held| held.clone());
    let Some((place, model, known)) = held else { return Ok(JsValue::undefined()) };
    if let Some(known) = known {
        return Ok(known.into());
    }
    let prototype = context.intrinsics().constructors().object().prototype();
    let made = JsObject::new(context.root_shape(), prototype, OrdinaryObject).upcast();
    made.create_data_property_or_throw(js_string!("modelId"), model, context)?;
    made.create_data_property_or_throw(js_string!("expressId"), f64::from(place[0]), context)?;
    if let Some(mut held) = entity.downcast_mut::<Held>() {
        held.2 = Some(made.clone());
    }
    Ok(made.into())
}

/// The entity with this number, or null.
pub(crate) fn or_null(id: Option<ExpressId>, model: &Model, host: &Host, context: &Context) -> JsValue {
    let made = id.and_then(|id| model.place(id)).zip(host.entities());
    made.map_or_else(JsValue::null, |(place, entities)| entities.make(place, host.texts.of(model.id()), context))
}

/// The entities of these numbers, model after model; numbers that do not exist are left out.
pub(crate) fn list(
    found: impl IntoIterator<Item = (Rc<Model>, Vec<ExpressId>)>,
    host: &Host,
    context: &mut Context,
) -> JsValue {
    let mut objects = Vec::new();
    if let Some(entities) = host.entities() {
        for (model, ids) in found {
            let id = host.texts.of(model.id());
            let places = ids.into_iter().filter_map(|one| model.place(one));
            objects.extend(places.map(|place| entities.make(place, id.clone(), context)));
        }
    }
    JsArray::from_iter(objects, context).into()
}

/// The reference that an Entity or `EntityRef` holds; `None` for every other value.
pub(crate) fn reference(value: &JsValue, context: &mut Context) -> JsResult<Option<EntityRef>> {
    let Some(object) = value.as_object() else { return Ok(None) };
    let host = Host::of(context);
    if let Some(untouched) = host.entities().and_then(|entities| entities.untouched(&object)) {
        return Ok(Some(untouched));
    }
    let inner = object.get(js_string!("ref"), context)?;
    let object = inner.as_object().unwrap_or(object);
    let model = object.get(js_string!("modelId"), context)?;
    let express = object.get(js_string!("expressId"), context)?;
    let (Some(model_id), Some(number)) = (json::text(&model), express.as_number()) else { return Ok(None) };
    let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    let model_id = host.id_of(model_id);
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
