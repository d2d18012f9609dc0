//! The file's units. Numbers stay in the file's units; the symbol says which they are. What a person compares from file to
//! file is told in metres.

use crate::model::{Instance, Model};
use crate::shapes::ExpressId;
use crate::step::Arg;

/// Symbol by unit type (`LENGTHUNIT`), from the project's unit assignment.
#[derive(Debug, Clone)]
pub(crate) struct Units {
    symbols: Vec<(String, String)>,
    /// Metres in the unit of length.
    metres: f64,
}

/// Quantity classes and the unit type that they are measured in.
const QUANTITIES: &[(&str, &str)] = &[
    ("IfcQuantityLength", "LENGTHUNIT"),
    ("IfcQuantityArea", "AREAUNIT"),
    ("IfcQuantityVolume", "VOLUMEUNIT"),
    ("IfcQuantityWeight", "MASSUNIT"),
    ("IfcQuantityTime", "TIMEUNIT"),
];

/// Prefixes of the system's units, with their symbols and factors.
const PREFIXES: &[(&str, &str, f64)] =
    &[("MILLI", "m", 1e-3), ("CENTI", "c", 1e-2), ("DECI", "d", 1e-1), ("KILO", "k", 1e3), ("MICRO", "µ", 1e-6)];

impl Units {
    pub(crate) fn of(model: &Model) -> Self {
        let mut assignments = model.records().iter().filter(|record| model.class(**record).name == "IfcUnitAssignment");
        let listed = assignments.find_map(|record| model.instance(record.id));
        let ids = listed.map(|assignment| assignment.get("Units").references()).unwrap_or_default();
        let unit = |id: ExpressId| {
            let unit = model.instance(id)?;
            let kind = unit.get("UnitType").as_enum().filter(|kind| *kind != "USERDEFINED").map(str::to_owned);
            Some((kind.or_else(|| unit.text("UserDefinedType"))?, symbol(model, &unit, 0)?))
        };
        let metres = ids.iter().find_map(|id| metres(model, *id));
        Self { symbols: ids.into_iter().filter_map(unit).collect(), metres: metres.unwrap_or(1.0) }
    }

    /// A length of the file in metres; a file that names no unit is taken to mean them.
    pub(crate) fn in_metres(&self, length: f64) -> f64 {
        length * self.metres
    }

    /// The quantity's own unit, else the project's.
    pub(crate) fn of_quantity(&self, model: &Model, quantity: &Instance<'_>) -> Option<String> {
        let own = quantity.get("Unit").as_ref().and_then(|id| model.instance(id));
        own.and_then(|unit| symbol(model, &unit, 0)).or_else(|| {
            let (_, wanted) = QUANTITIES.iter().find(|(class, _)| *class == quantity.class.name)?;
            self.of_kind(wanted)
        })
    }

    /// A property's own unit, else the project's for what it measures (`IfcLengthMeasure`).
    pub(crate) fn of_property(&self, model: &Model, property: &Instance<'_>, measure: Option<&str>) -> Option<String> {
        let own = property.get("Unit").as_ref().and_then(|id| model.instance(id));
        own.and_then(|unit| symbol(model, &unit, 0)).or_else(|| {
            let measured = measure?.strip_prefix("Ifc")?.strip_suffix("Measure")?;
            let plain = measured.strip_prefix("Positive").or_else(|| measured.strip_prefix("NonNegative"));
            self.of_kind(&format!("{}UNIT", plain.unwrap_or(measured).to_ascii_uppercase()))
        })
    }

    /// The project's unit of a kind (`LENGTHUNIT`).
    fn of_kind(&self, wanted: &str) -> Option<String> {
        self.symbols.iter().find(|(kind, _)| kind == wanted).map(|(_, symbol)| symbol.clone())
    }

    /// Kinds with their symbols, in the order of the file.
    pub(crate) fn all(&self) -> &[(String, String)] {
        &self.symbols
    }
}

/// Metres in a unit of length: of the system's, or of one that is converted into it.
fn metres(model: &Model, id: ExpressId) -> Option<f64> {
    let unit = model.instance(id).filter(|unit| unit.get("UnitType").as_enum() == Some("LENGTHUNIT"))?;
    let Some(factor) = unit.get("ConversionFactor").as_ref() else { return prefix_factor(&unit) };
    let factor = model.instance(factor)?;
    let base = model.instance(factor.get("UnitComponent").as_ref()?)?;
    Some(factor.get("ValueComponent").as_number()? * prefix_factor(&base)?)
}

/// Of a unit of the system; of another one nothing.
fn prefix_factor(unit: &Instance<'_>) -> Option<f64> {
    match unit.get("Prefix").as_enum() {
        _ if unit.class.name != "IfcSIUnit" => None,
        None => Some(1.0),
        Some(prefix) => PREFIXES.iter().find(|(name, ..)| *name == prefix).map(|(.., factor)| *factor),
    }
}

/// A derived unit is made of its parts: `W/(m²·K)`.
fn symbol(model: &Model, unit: &Instance<'_>, depth: usize) -> Option<String> {
    if unit.class.is_a("IfcDerivedUnit") && depth < MAX_DEPTH {
        return derived(model, unit, depth);
    }
    if unit.class.name != "IfcSIUnit" {
        return unit.text("Name");
    }
    let name = match unit.get("Name").as_enum()? {
        "METRE" => "m",
        "SQUARE_METRE" => "m²",
        "CUBIC_METRE" => "m³",
        "GRAM" => "g",
        "SECOND" => "s",
        "WATT" => "W",
        "KELVIN" => "K",
        "DEGREE_CELSIUS" => "°C",
        "RADIAN" => "rad",
        "NEWTON" => "N",
        "PASCAL" => "Pa",
        "JOULE" => "J",
        "HERTZ" => "Hz",
        "AMPERE" => "A",
        "VOLT" => "V",
        "LUMEN" => "lm",
        "LUX" => "lx",
        "CANDELA" => "cd",
        other => return Some(other.to_ascii_lowercase()),
    };
    let prefix = match unit.get("Prefix").as_enum() {
        None => "",
        Some(given) => match PREFIXES.iter().find(|(known, ..)| *known == given) {
            Some((_, prefix, _)) => prefix,
            None => return Some(format!("{} {name}", given.to_ascii_lowercase())),
        },
    };
    Some(format!("{prefix}{name}"))
}

/// Units may be made of others so often.
const MAX_DEPTH: usize = 4;

fn derived(model: &Model, unit: &Instance<'_>, depth: usize) -> Option<String> {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for part in unit.get("Elements").references() {
        let part = model.instance(part)?;
        let base = model.instance(part.get("Unit").as_ref()?)?;
        let Arg::Integer(exponent) = part.get("Exponent") else { return None };
        let power = match exponent.unsigned_abs() {
            1 => "",
            2 => "²",
            3 => "³",
            4 => "⁴",
            _ => return None,
        };
        let side = if *exponent > 0 { &mut above } else { &mut below };
        side.push(format!("{}{power}", symbol(model, &base, depth + 1)?));
    }
    let top = if above.is_empty() { "1".to_owned() } else { above.join("·") };
    match below.as_slice() {
        [] => (!above.is_empty()).then_some(top),
        [one] => Some(format!("{top}/{one}")),
        _ => Some(format!("{top}/({})", below.join("·"))),
    }
}
