//! `bim.viewer`: selection, colours, visibility, camera and sections (spec: ifc-sdk.md §3, §5.3).
//!
//! Nothing is shown here: every call becomes one entry of the effects, with the references that a host needs.

use std::collections::HashSet;

use boa_engine::{JsString, JsValue};
use holdpoint_check::{Sentence, args};
use holdpoint_model::EntityRef;
use serde_json::{Map, Value, json};

use crate::{
    bim::mutate::json_of,
    call::selected,
    entity,
    error::{BATCHES, BATCHES_OF_ENTITIES, BATCHES_OF_LISTS, CAMERA, COLOUR, IN_MODEL, PLANE, SdkError},
    gate::{Answer, Call, Refusal},
    json::{self, items},
};

/// The basic colour names of CSS.
const COLOURS: [&str; 16] = [
    "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "purple", "red", "silver",
    "teal", "white", "yellow",
];

/// Where the camera is until a host or an extension says so.
const CAMERA_AT: &str = r#"{"position": [20, -20, 20], "target": [0, 0, 0], "up": [0, 0, 1]}"#;
/// Axes of a section plane.
const AXES: [&str; 3] = ["x", "y", "z"];

/// What is shown, as far as the call knows.
#[derive(Debug, Default)]
pub(crate) struct View {
    camera: Option<Value>,
    hidden: HashSet<EntityRef>,
    isolated: Option<HashSet<EntityRef>>,
}

impl View {
    /// Whether an entity is shown.
    pub(crate) fn shows(&self, entity: &EntityRef) -> bool {
        !self.hidden.contains(entity) && self.isolated.as_ref().is_none_or(|only| only.contains(entity))
    }
}

/// One of several colours, as a type is written.
const BATCH: &str = "{entities, color}";

/// The selection as it is now.
pub(crate) fn selection(call: &mut Call<'_>) -> Answer {
    Ok(selected(call.host, call.context)?)
}

pub(crate) fn select(call: &mut Call<'_>) -> Answer {
    let references = entity::references(&call.arg(0), call.context)?;
    let entry = described("select", &references, call)?;
    *call.host.selection.borrow_mut() = references;
    record(call, entry)
}

pub(crate) fn colorize(call: &mut Call<'_>) -> Answer {
    let color = colour(&call.text(1)).ok_or_else(|| no_colour(call, "color"))?;
    let references = entity::references(&call.arg(0), call.context)?;
    let mut entry = described("colorize", &references, call)?;
    entry.insert("color".to_owned(), color.into());
    record(call, entry)
}

/// One `colorize` a batch. Every batch is judged before the first one counts.
pub(crate) fn colorize_all(call: &mut Call<'_>) -> Answer {
    let mut entries = Vec::new();
    let batches = call.arg(0).as_object();
    let batches = match batches {
        Some(batches) => items(&batches, crate::arguments::MAX_ITEMS, call.context)?,
        None => Vec::new(),
    };
    for batch in batches {
        let Some(batch) = batch.as_object() else {
            return Err(call.wrong("batches", &BATCHES, args! { batch: BATCH }));
        };
        let entities = batch.get(JsString::from("entities"), call.context)?;
        let color = batch.get(JsString::from("color"), call.context)?;
        let color = json::text(&color).and_then(|color| colour(&color)).ok_or_else(|| no_colour(call, "batches"))?;
        let Some(list) = entities.as_object().filter(|list| list.is_array()) else {
            return Err(call.wrong("batches", &BATCHES_OF_LISTS, args! { batch: BATCH }));
        };
        let length = json::length(&list, call.context)?;
        let references = entity::references(&entities, call.context)?;
        if references.len() as u64 != length {
            return Err(call.wrong("batches", &BATCHES_OF_ENTITIES, args! { batch: BATCH }));
        }
        let mut entry = described("colorize", &references, call)?;
        entry.insert("color".to_owned(), color.into());
        entries.push(entry);
    }
    for entry in entries {
        record(call, entry)?;
    }
    Ok(JsValue::undefined())
}

pub(crate) fn reset_colors(call: &mut Call<'_>) -> Answer {
    record(call, entry("resetColors"))
}

pub(crate) fn hide(call: &mut Call<'_>) -> Answer {
    let references = seen("hide", call)?;
    call.host.view.borrow_mut().hidden.extend(references);
    Ok(JsValue::undefined())
}

pub(crate) fn show(call: &mut Call<'_>) -> Answer {
    let references = seen("show", call)?;
    let mut view = call.host.view.borrow_mut();
    for reference in references {
        view.hidden.remove(&reference);
        view.isolated.iter_mut().for_each(|only| {
            only.insert(reference.clone());
        });
    }
    Ok(JsValue::undefined())
}

pub(crate) fn isolate(call: &mut Call<'_>) -> Answer {
    let references = seen("isolate", call)?;
    call.host.view.borrow_mut().isolated = Some(references.into_iter().collect());
    Ok(JsValue::undefined())
}

pub(crate) fn reset_visibility(call: &mut Call<'_>) -> Answer {
    let mut view = call.host.view.borrow_mut();
    (view.hidden, view.isolated) = (HashSet::new(), None);
    drop(view);
    record(call, entry("resetVisibility"))
}

pub(crate) fn fly_to(call: &mut Call<'_>) -> Answer {
    seen("flyTo", call)?;
    Ok(JsValue::undefined())
}

/// An effect on the entities of the first argument.
fn seen(op: &str, call: &mut Call<'_>) -> Result<Vec<EntityRef>, Refusal> {
    let references = entity::references(&call.arg(0), call.context)?;
    let entry = described(op, &references, call)?;
    record(call, entry)?;
    Ok(references)
}

/// The camera of the host, or where the call has set it.
pub(crate) fn camera(call: &mut Call<'_>) -> Answer {
    let set = call.host.view.borrow().camera.clone();
    let camera = set.or_else(|| call.host.program.camera.clone());
    let camera = camera.or_else(|| serde_json::from_str(CAMERA_AT).ok()).unwrap_or_default();
    Ok(json::from_json(&camera, call.context)?)
}

pub(crate) fn set_camera(call: &mut Call<'_>) -> Answer {
    let given = json_of(call, 0)?;
    let mut camera = Map::new();
    for name in ["position", "target", "up"] {
        let point = vector(given.get(name))
            .ok_or_else(|| call.wrong("camera", &CAMERA, args! { shape: "{position, target, up}" }))?;
        camera.insert(name.to_owned(), point);
    }
    let camera = Value::Object(camera);
    call.host.view.borrow_mut().camera = Some(camera.clone());
    let mut entry = entry("setCamera");
    entry.insert("camera".to_owned(), camera);
    record(call, entry)
}

pub(crate) fn section(call: &mut Call<'_>) -> Answer {
    let given = json_of(call, 0)?;
    let refused = || call.wrong("plane", &PLANE, args! { axis: "{axis, offset}", free: "{point, normal}" });
    let plane = if let (Some(axis), Some(offset)) = (given.get("axis"), given.get("offset")) {
        let fits = axis.as_str().is_some_and(|axis| AXES.contains(&axis)) && offset.is_number();
        fits.then(|| json!({"axis": axis, "offset": offset})).ok_or_else(refused)?
    } else {
        let (point, normal) = (vector(given.get("point")), vector(given.get("normal")));
        let (point, normal) = point.zip(normal).ok_or_else(refused)?;
        let directed = normal.as_array().is_some_and(|parts| parts.iter().any(|part| part.as_f64() != Some(0.0)));
        directed.then(|| json!({"point": point, "normal": normal})).ok_or_else(refused)?
    };
    let mut entry = entry("section");
    entry.insert("plane".to_owned(), plane);
    record(call, entry)
}

pub(crate) fn clear_section(call: &mut Call<'_>) -> Answer {
    record(call, entry("clearSection"))
}

fn vector(value: Option<&Value>) -> Option<Value> {
    let parts = value?.as_array().filter(|parts| parts.len() == 3 && parts.iter().all(Value::is_number))?;
    Some(json!(parts))
}

fn entry(op: &str) -> Map<String, Value> {
    Map::from_iter([("op".to_owned(), json!(op))])
}

/// `{op, count, types, names, refs}`: types sorted and once each, names in call order. Neighbours of one model are one of
/// `refs`, so that those of a whole model fit into a call.
fn described(op: &str, references: &[EntityRef], call: &Call<'_>) -> Result<Map<String, Value>, Refusal> {
    let mut types = Vec::new();
    let mut names = Vec::with_capacity(references.len());
    for reference in references {
        let found = call.host.model(&reference.model_id).and_then(|model| model.entity(reference.express_id));
        let Some(found) = found else {
            let (id, model) = (reference.express_id, &reference.model_id);
            let what = Sentence::of(&IN_MODEL, args! { id, model });
            return Err(SdkError::not_found(call.path, &what).into());
        };
        if !types.contains(&found.r#type) {
            types.push(found.r#type);
        }
        names.push(found.name);
    }
    types.sort();
    let refs: Vec<Value> = references.chunk_by(|one, next| one.model_id == next.model_id).map(run).collect();
    let entry = json!({"op": op, "count": references.len(), "types": types, "names": names, "refs": refs});
    Ok(entry.as_object().cloned().unwrap_or_default())
}

/// `{modelId, expressIds}` of references to one model.
fn run(references: &[EntityRef]) -> Value {
    let ids: Vec<u32> = references.iter().map(|reference| reference.express_id).collect();
    json!({"modelId": references.first().map(|reference| &reference.model_id), "expressIds": ids})
}

fn record(call: &Call<'_>, entry: Map<String, Value>) -> Answer {
    call.host.effects.borrow_mut().viewer.push(Value::Object(entry));
    Ok(JsValue::undefined())
}

/// `#rrggbb` or a basic name, in lower case.
fn colour(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let hex = lower.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|b| b.is_ascii_hexdigit()));
    (hex || COLOURS.contains(&lower.as_str())).then_some(lower)
}

fn no_colour(call: &Call<'_>, argument: &str) -> Refusal {
    call.wrong(argument, &COLOUR, args! {})
}
