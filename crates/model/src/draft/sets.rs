//! Property sets, quantity sets and what relates them to an object.

use serde_json::Value;

use super::Draft;
use crate::step::Arg;

/// Texts longer than this are `IfcText`, not `IfcLabel`.
const MAX_LABEL_CHARS: usize = 255;

/// Quantities by the end of their name; every other one is a length.
const QUANTITIES: &[(&str, &str, &str)] = &[
    ("Area", "IfcQuantityArea", "AreaValue"),
    ("Volume", "IfcQuantityVolume", "VolumeValue"),
    ("Weight", "IfcQuantityWeight", "WeightValue"),
    ("Count", "IfcQuantityCount", "CountValue"),
    ("Time", "IfcQuantityTime", "TimeValue"),
];
const LENGTH: (&str, &str) = ("IfcQuantityLength", "LengthValue");

/// Class and attribute of a quantity: by its class where that is said, else by its name.
pub(crate) fn measure(class: Option<&str>, name: &str) -> Option<(&'static str, &'static str)> {
    let known = |(_, class, attribute): &(&str, &'static str, &'static str)| (*class, *attribute);
    match class {
        Some(class) if class.eq_ignore_ascii_case(LENGTH.0) => Some(LENGTH),
        Some(class) => QUANTITIES.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(class)).map(known),
        None => Some(QUANTITIES.iter().find(|(end, ..)| name.ends_with(end)).map_or(LENGTH, known)),
    }
}

/// A JSON value as the value of a property; null is none.
pub(crate) fn nominal(value: &Value) -> Arg {
    match value {
        Value::Bool(flag) => Arg::typed("IFCBOOLEAN", Arg::item(if *flag { "T" } else { "F" })),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Arg::typed("IFCINTEGER", Arg::Integer(whole)),
            None => Arg::typed("IFCREAL", Arg::Real(number.as_f64().unwrap_or_default())),
        },
        Value::String(text) if text.chars().count() > MAX_LABEL_CHARS => Arg::typed("IFCTEXT", Arg::text(text)),
        Value::String(text) => Arg::typed("IFCLABEL", Arg::text(text)),
        _ => Arg::Null,
    }
}

/// A value of three states: a boolean, or `UNKNOWN`.
pub(crate) fn logical(value: &Value) -> Option<Arg> {
    match value {
        Value::Bool(flag) => Some(Arg::item(if *flag { "T" } else { "F" })),
        Value::String(text) if text == "UNKNOWN" => Some(Arg::item("U")),
        _ => None,
    }
}

/// Another value under the measure of one that is there; `None` where they do not go together.
pub(crate) fn remeasured(before: &Arg, value: &Value) -> Option<Arg> {
    let Arg::Typed(measure, inner) = before else { return None };
    let inner = match (&**inner, value) {
        (Arg::Text(_), Value::String(text)) => Arg::text(text),
        (Arg::Real(_) | Arg::Integer(_), Value::Number(number)) if measures(measure) => Arg::Real(number.as_f64()?),
        (Arg::Real(_), Value::Number(number)) => Arg::Real(number.as_f64()?),
        (Arg::Integer(_), Value::Number(number)) => Arg::Integer(number.as_i64()?),
        (Arg::Enum(_), Value::Bool(_)) => logical(value)?,
        (Arg::Enum(_), Value::String(_)) if measure.eq_ignore_ascii_case("IFCLOGICAL") => logical(value)?,
        _ => return None,
    };
    Some(Arg::typed(measure, inner))
}

/// Whether values of a measure are reals, also where a file leaves their dot out.
fn measures(measure: &str) -> bool {
    let measure = measure.to_ascii_uppercase();
    measure.ends_with("MEASURE") && !measure.contains("COUNT")
}

impl Draft {
    /// A property of one value.
    pub(crate) fn property(&mut self, name: &str, value: Arg) -> u32 {
        self.writer.add("IfcPropertySingleValue", &[("Name", Arg::text(name)), ("NominalValue", value)])
    }

    /// A property set; `members` are name and value.
    pub(crate) fn property_set(&mut self, name: &str, members: &[(String, Arg)]) -> u32 {
        let mut properties = Vec::with_capacity(members.len());
        for (name, value) in members {
            properties.push(self.property(name, value.clone()));
        }
        self.writer.add("IfcPropertySet", &[("Name", Arg::text(name)), ("HasProperties", Arg::refs(properties))])
    }

    /// A quantity set; `members` are name, class and attribute ([`measure`]), and value in the file's unit.
    pub(crate) fn quantity_set(&mut self, name: &str, members: &[(String, (&'static str, &'static str), f64)]) -> u32 {
        let mut quantities = Vec::with_capacity(members.len());
        for (name, (class, attribute), value) in members {
            quantities.push(self.writer.add(class, &[("Name", Arg::text(name)), (attribute, Arg::Real(*value))]));
        }
        let attributes = [("Name", Arg::text(name)), ("Quantities", Arg::refs(quantities))];
        self.writer.add("IfcElementQuantity", &attributes)
    }

    /// A set belongs to an object.
    pub(crate) fn define(&mut self, object: u32, set: u32) {
        let sides = [("RelatedObjects", Arg::refs([object])), ("RelatingPropertyDefinition", Arg::Ref(set))];
        self.writer.add("IfcRelDefinesByProperties", &sides);
    }
}
