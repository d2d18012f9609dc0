//! Property sets, quantity sets, materials and colours of what was made.

use serde_json::{Map, Value, json};

use super::{CreateRefused, Creation, Params, Sort};
use crate::codes::{CHANNELS, NAMED_NUMBERS, NAMED_VALUES, SIZE, STRING};
use crate::draft::{logical, measure, nominal};
use crate::schema::measure_name;
use crate::step::Arg;

/// A name, its value, and the object that they stand in.
type Pair<'p> = (&'p str, &'p Value, Option<&'p Map<String, Value>>);

/// Name → value, from an object or from a list of objects with these members.
fn pairs<'p>(given: &'p Value, value: &str) -> Option<Vec<Pair<'p>>> {
    match given {
        Value::Object(members) => Some(members.iter().map(|(name, value)| (name.as_str(), value, None)).collect()),
        Value::Array(items) => {
            let item = |item: &'p Value| {
                let item = item.as_object()?;
                Some((item.get("Name")?.as_str()?, item.get(value).unwrap_or(&Value::Null), Some(item)))
            };
            items.iter().map(item).collect()
        }
        _ => None,
    }
}

/// A value under its measure (`IfcLabel`, `IfcThermalTransmittanceMeasure`); `None` where they do not go together.
fn typed(value: &Value, measure: &str) -> Option<Arg> {
    let inner = match (measure_name(&measure.to_ascii_uppercase()).as_str(), value) {
        ("IfcBoolean", Value::Bool(_)) | ("IfcLogical", _) => logical(value)?,
        ("IfcInteger" | "IfcCountMeasure" | "IfcPositiveInteger", Value::Number(number)) => {
            Arg::Integer(number.as_i64()?)
        }
        (
            "IfcLabel"
            | "IfcText"
            | "IfcIdentifier"
            | "IfcDate"
            | "IfcDateTime"
            | "IfcDuration"
            | "IfcTime"
            | "IfcURIReference"
            | "IfcDescriptiveMeasure",
            Value::String(text),
        ) => Arg::text(text),
        (known, Value::Number(number)) if known.ends_with("Measure") || known == "IfcReal" => {
            Arg::Real(number.as_f64()?)
        }
        _ => return None,
    };
    Some(Arg::typed(&measure.to_ascii_uppercase(), inner))
}

impl Creation {
    /// `{Name, Properties}`: an object, or a list of `{Name, NominalValue, Type?}`.
    pub(super) fn add_properties(&mut self, object: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let object = self.known(object)?;
        let name = params.required_text("Name")?;
        let refused = || CreateRefused::member("Properties", &NAMED_VALUES);
        let given = pairs(params.get("Properties").unwrap_or(&Value::Null), "NominalValue").ok_or_else(refused)?;
        let mut members = Vec::with_capacity(given.len());
        for (name, value, item) in given {
            let measure = item.and_then(|item| item.get("Type")).and_then(Value::as_str);
            let plain = matches!(value, Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_));
            let value = match measure {
                _ if !plain => return Err(refused()),
                Some(measure) if !value.is_null() => typed(value, measure).ok_or_else(refused)?,
                _ => nominal(value),
            };
            members.push((name.to_owned(), value));
        }
        let set = self.draft.property_set(name, &members);
        self.draft.define(object, set);
        Ok(json!(set))
    }

    /// `{Name, Quantities}`: an object, or a list of `{Name, Value, Kind?}`; the kind is a class such as
    /// `IfcQuantityArea`, without it the end of the name says it.
    pub(super) fn add_quantities(&mut self, object: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let object = self.known(object)?;
        let name = params.required_text("Name")?;
        let refused = || CreateRefused::member("Quantities", &NAMED_NUMBERS);
        let given = pairs(params.get("Quantities").unwrap_or(&Value::Null), "Value").ok_or_else(refused)?;
        let mut members = Vec::with_capacity(given.len());
        for (name, value, item) in given {
            let kind = item.and_then(|item| item.get("Kind")).and_then(Value::as_str);
            let measured = measure(kind, name).zip(value.as_f64()).ok_or_else(refused)?;
            members.push((name.to_owned(), measured.0, measured.1));
        }
        let set = self.draft.quantity_set(name, &members);
        self.draft.define(object, set);
        Ok(json!(set))
    }

    /// `{Name}`, or with `MaterialLayers` of `{Name, Thickness}`.
    pub(super) fn add_material(&mut self, object: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let object = self.known(object)?;
        let name = params.required_text("Name")?;
        let layers = params.get("MaterialLayers").map(layers).transpose()?;
        let material = match layers {
            None => self.draft.writer.add("IfcMaterial", &[("Name", Arg::text(name))]),
            Some(layers) => {
                let mut ids = Vec::with_capacity(layers.len());
                for (name, thickness) in layers {
                    let material = self.draft.writer.add("IfcMaterial", &[("Name", Arg::text(name))]);
                    let given = [("Material", Arg::Ref(material)), ("LayerThickness", self.draft.length(thickness))];
                    ids.push(self.draft.writer.add("IfcMaterialLayer", &given));
                }
                let given = [("MaterialLayers", Arg::refs(ids)), ("LayerSetName", Arg::text(name))];
                self.draft.writer.add("IfcMaterialLayerSet", &given)
            }
        };
        let sides = [("RelatedObjects", Arg::refs([object])), ("RelatingMaterial", Arg::Ref(material))];
        self.draft.writer.add("IfcRelAssociatesMaterial", &sides);
        Ok(Value::Null)
    }

    /// A colour for the body of an element.
    pub(super) fn colour(&mut self, element: f64, name: &Value, channels: &Value) -> Result<Value, CreateRefused> {
        let element = self.find(element, Sort::Element, |object| object.body.is_some())?;
        let body = self.objects[&element].body.unwrap_or_default();
        let channels: Option<Vec<f64>> =
            channels.as_array().map(|list| list.iter().filter_map(Value::as_f64).collect());
        let channels =
            channels.filter(|list| list.len() == 3 && list.iter().all(|channel| (0.0..=1.0).contains(channel)));
        let [red, green, blue] = channels
            .as_deref()
            .and_then(|list| <[f64; 3]>::try_from(list).ok())
            .ok_or_else(|| CreateRefused::argument("rgb", &CHANNELS, &[]))?;
        let name = name.as_str().unwrap_or_default();
        let writer = &mut self.draft.writer;
        let given = [("Red", Arg::Real(red)), ("Green", Arg::Real(green)), ("Blue", Arg::Real(blue))];
        let colour = writer.add("IfcColourRgb", &given);
        let given = [("SurfaceColour", Arg::Ref(colour)), ("ReflectanceMethod", Arg::item("NOTDEFINED"))];
        let rendering = writer.add("IfcSurfaceStyleRendering", &given);
        let given = [("Name", Arg::text(name)), ("Side", Arg::item("BOTH")), ("Styles", Arg::refs([rendering]))];
        let mut style = writer.add("IfcSurfaceStyle", &given);
        // IFC2X3 has an assignment in between.
        if writer.schema() == ifc_lite_core::SchemaVersion::Ifc2x3 {
            style = writer.add("IfcPresentationStyleAssignment", &[("Styles", Arg::refs([style]))]);
        }
        writer.add("IfcStyledItem", &[("Item", Arg::Ref(body)), ("Styles", Arg::refs([style]))]);
        Ok(Value::Null)
    }
}

fn layers(given: &Value) -> Result<Vec<(&str, f64)>, CreateRefused> {
    let refused = |code| CreateRefused::member("MaterialLayers", code);
    let layer =
        |layer: &'_ Value| -> Option<f64> { layer.get("Thickness")?.as_f64().filter(|thickness| *thickness > 0.0) };
    let list = given.as_array().filter(|list| !list.is_empty()).ok_or_else(|| refused(&STRING))?;
    let mut layers = Vec::with_capacity(list.len());
    for item in list {
        let name = item.get("Name").and_then(Value::as_str).ok_or_else(|| refused(&STRING))?;
        layers.push((name, layer(item).ok_or_else(|| refused(&SIZE))?));
    }
    Ok(layers)
}
