//! Symbols of the file's units. Numbers stay in the file's units; the symbol says which they are.

use crate::model::{Instance, Model};
use crate::shapes::ExpressId;

/// Symbol by unit type (`LENGTHUNIT`), from the project's unit assignment.
#[derive(Debug, Default)]
pub(crate) struct Units(Vec<(String, String)>);

/// Quantity classes and the unit type that they are measured in.
const QUANTITIES: &[(&str, &str)] = &[
    ("IfcQuantityLength", "LENGTHUNIT"),
    ("IfcQuantityArea", "AREAUNIT"),
    ("IfcQuantityVolume", "VOLUMEUNIT"),
    ("IfcQuantityWeight", "MASSUNIT"),
    ("IfcQuantityTime", "TIMEUNIT"),
];

impl Units {
    pub(crate) fn of(model: &Model) -> Self {
        let mut assignments = model.records().iter().filter(|record| model.class(**record).name == "IfcUnitAssignment");
        let listed = assignments.find_map(|record| model.instance(record.id));
        let ids = listed.map(|assignment| assignment.get("Units").references()).unwrap_or_default();
        let unit = |id: ExpressId| {
            let unit = model.instance(id)?;
            Some((unit.get("UnitType").as_enum()?.to_owned(), symbol(&unit)?))
        };
        Self(ids.into_iter().filter_map(unit).collect())
    }

    /// The quantity's own unit, else the project's.
    pub(crate) fn of_quantity(&self, model: &Model, quantity: &Instance<'_>) -> Option<String> {
        let own = quantity.get("Unit").as_ref().and_then(|id| model.instance(id)).and_then(|unit| symbol(&unit));
        own.or_else(|| {
            let (_, wanted) = QUANTITIES.iter().find(|(class, _)| *class == quantity.class.name)?;
            self.0.iter().find(|(kind, _)| kind == wanted).map(|(_, symbol)| symbol.clone())
        })
    }
}

fn symbol(unit: &Instance<'_>) -> Option<String> {
    if unit.class.name != "IfcSIUnit" {
        return unit.text("Name");
    }
    let name = match unit.get("Name").as_enum()? {
        "METRE" => "m",
        "SQUARE_METRE" => "m²",
        "CUBIC_METRE" => "m³",
        "GRAM" => "g",
        "SECOND" => "s",
        other => return Some(other.to_ascii_lowercase()),
    };
    let prefix = match unit.get("Prefix").as_enum() {
        None => "",
        Some("MILLI") => "m",
        Some("CENTI") => "c",
        Some("DECI") => "d",
        Some("KILO") => "k",
        Some("MICRO") => "µ",
        Some(other) => return Some(format!("{} {name}", other.to_ascii_lowercase())),
    };
    Some(format!("{prefix}{name}"))
}
