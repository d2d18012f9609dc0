//! `bim.viewer`: selection and colours (spec: ifc-sdk.md §3, §5.3).
//!
//! Nothing is shown here: every call becomes one entry of the effects, with the references that a host needs.

use boa_engine::{JsString, JsValue};
use holdpoint_check::{Sentence, args};
use holdpoint_model::EntityRef;
use serde_json::{Map, Value, json};

use crate::{
    call::selected,
    entity,
    error::{BATCHES, BATCHES_OF_ENTITIES, BATCHES_OF_LISTS, COLOUR, IN_MODEL, SdkError},
    gate::{Answer, Call, Refusal},
    json::{self, items},
};

/// The basic colour names of CSS.
const COLOURS: [&str; 16] = [
    "aqua", "black", "blue", "fuchsia", "gray", "green", "lime", "maroon", "navy", "olive", "purple", "red", "silver",
    "teal", "white", "yellow",
];

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
    record(call, Map::from_iter([("op".to_owned(), json!("resetColors"))]))
}

/// `{op, count, types, names, refs}`: types sorted and once each, names in call order.
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
        types.push(found.r#type);
        names.push(found.name);
    }
    types.sort();
    types.dedup();
    let entry = json!({"op": op, "count": references.len(), "types": types, "names": names, "refs": references});
    Ok(entry.as_object().cloned().unwrap_or_default())
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
