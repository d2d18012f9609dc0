//! JSON as the values of attributes, by what the schema says of each.

use ifc_lite_core::{AttrKind, AttrSlot};
use serde_json::Value;

use crate::schema::measure_name;
use crate::step::Arg;

/// Attributes of whole numbers that the tables call lists: their names end so.
const WHOLE_LISTS: [&str; 4] = ["Index", "Indices", "Latitude", "Longitude"];

/// The value of an attribute; `None` where it does not fit. Numbers of instances stand as `{expressId}`, as an entity, as
/// `"#12"`, and plainly where only an instance can stand; `{type, value}` is a value under its measure.
pub(super) fn attribute(name: &str, slot: AttrSlot, value: &Value) -> Option<Arg> {
    if let Value::Array(items) = value {
        let fits = slot.aggregate || matches!(slot.kind, AttrKind::RefList | AttrKind::List);
        let items = items.iter().map(|item| attribute(name, slot, item)).collect::<Option<_>>()?;
        return fits.then_some(Arg::List(items));
    }
    if let Value::Object(members) = value {
        return reference(value).map(Arg::Ref).or_else(|| {
            let measure = members.get("type")?.as_str()?;
            let known = measure_name(&measure.to_ascii_uppercase());
            let inner = scalar(members.get("value")?, known.ends_with("Measure") || known == "IfcReal")?;
            let is_name = measure.starts_with("Ifc") && measure.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_name.then(|| Arg::typed(&measure.to_ascii_uppercase(), inner))
        });
    }
    let referred = || reference(value).map(Arg::Ref);
    Some(match (slot.kind, value) {
        (_, Value::Null) => Arg::Null,
        (AttrKind::Ref | AttrKind::RefList, Value::Number(number)) => {
            Arg::Ref(u32::try_from(number.as_u64()?).ok().filter(|id| *id > 0)?)
        }
        (AttrKind::Ref | AttrKind::RefList, _) => referred()?,
        (AttrKind::Real, Value::Number(number)) => Arg::Real(number.as_f64()?),
        (AttrKind::Int, Value::Number(number)) => Arg::Integer(whole(number.as_f64()?)?),
        (AttrKind::Text, Value::String(text)) => Arg::text(text),
        (AttrKind::Enum, Value::String(text)) => item(text)?,
        (AttrKind::Logical, Value::Bool(flag)) => Arg::item(if *flag { "T" } else { "F" }),
        (AttrKind::Logical, Value::String(text)) if text == "UNKNOWN" => Arg::item("U"),
        (AttrKind::List, Value::Number(number)) if WHOLE_LISTS.iter().any(|end| name.ends_with(end)) => {
            Arg::Integer(whole(number.as_f64()?)?)
        }
        (AttrKind::List, _) => scalar(value, true)?,
        (AttrKind::Select, Value::String(text)) => match referred() {
            Some(referred) => referred,
            None => Arg::typed("IFCLABEL", Arg::text(text)),
        },
        (AttrKind::Select, Value::Bool(_)) => Arg::typed("IFCBOOLEAN", scalar(value, true)?),
        (AttrKind::Select, Value::Number(_)) => Arg::typed("IFCREAL", scalar(value, true)?),
        _ => return None,
    })
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

fn scalar(value: &Value, real: bool) -> Option<Arg> {
    Some(match value {
        Value::Bool(flag) => Arg::item(if *flag { "T" } else { "F" }),
        Value::Number(number) if real => Arg::Real(number.as_f64()?),
        Value::Number(number) => whole(number.as_f64()?).map_or(Arg::Real(number.as_f64()?), Arg::Integer),
        Value::String(text) => Arg::text(text),
        _ => return None,
    })
}

fn item(text: &str) -> Option<Arg> {
    let item = text.trim_matches('.').to_ascii_uppercase();
    let fits = item.starts_with(|first: char| first.is_ascii_uppercase())
        && item.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    fits.then(|| Arg::item(&item))
}

/// `"#12"`, `{expressId: 12}`, or an entity.
pub(super) fn reference(value: &Value) -> Option<u32> {
    let number = match value {
        Value::String(text) => text.strip_prefix('#')?.parse().ok()?,
        Value::Object(members) => {
            let members = members.get("ref").and_then(Value::as_object).unwrap_or(members);
            members.get("expressId")?.as_u64()?
        }
        _ => return None,
    };
    u32::try_from(number).ok().filter(|id| *id > 0)
}
