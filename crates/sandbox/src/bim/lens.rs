//! `bim.lens`: the lenses that the host offers (spec: ifc-sdk.md §3).

use serde_json::json;

use crate::{
    gate::{Answer, Call},
    json,
};

/// Id, name and what each colours by.
const PRESETS: [(&str, &str, &str); 3] = [
    ("by-class", "By class", "IFC class"),
    ("by-storey", "By storey", "storey"),
    ("by-material", "By material", "material"),
];

pub(crate) fn presets(call: &mut Call<'_>) -> Answer {
    let presets: Vec<_> = PRESETS.iter().map(|(id, name, by)| json!({"id": id, "name": name, "colorBy": by})).collect();
    Ok(json::from_json(&json!(presets), call.context)?)
}
