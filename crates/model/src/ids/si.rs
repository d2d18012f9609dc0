//! Numbers of a model in units of the international system, which IDS files count in.
//!
//! A number is converted by its own unit, else by the project's for what it measures; where neither says a unit, it
//! stays. Prefixes of square and cubic units count twice and three times, as the schema says.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::model::{Instance, Model};
use crate::shapes::ExpressId;

/// Units may be made of others so often.
const MAX_DEPTH: usize = 8;

/// What a number is multiplied with, and then added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    factor: f64,
    offset: f64,
}

const AS_IT_IS: Scale = Scale { factor: 1.0, offset: 0.0 };

impl Scale {
    pub(crate) fn of(self, number: f64) -> f64 {
        // A number in the system's units keeps every digit.
        if self == AS_IT_IS { number } else { number * self.factor + self.offset }
    }
}

/// Powers of ten by prefix.
const PREFIXES: &[(&str, i32)] = &[
    ("EXA", 18),
    ("PETA", 15),
    ("TERA", 12),
    ("GIGA", 9),
    ("MEGA", 6),
    ("KILO", 3),
    ("HECTO", 2),
    ("DECA", 1),
    ("DECI", -1),
    ("CENTI", -2),
    ("MILLI", -3),
    ("MICRO", -6),
    ("NANO", -9),
    ("PICO", -12),
    ("FEMTO", -15),
    ("ATTO", -18),
];

/// Measures whose kind of unit is not called like them.
const KINDS: &[(&str, &str)] = &[
    ("IFCPOSITIVELENGTHMEASURE", "LENGTHUNIT"),
    ("IFCNONNEGATIVELENGTHMEASURE", "LENGTHUNIT"),
    ("IFCPOSITIVEPLANEANGLEMEASURE", "PLANEANGLEUNIT"),
    ("IFCTEMPERATUREGRADIENTMEASURE", "TEMPERATUREGRADIENTUNIT"),
    ("IFCWARPINGMOMENTMEASURE", "WARPINGMOMENTUNIT"),
];

/// Attributes whose values are lengths.
const LENGTHS: &[&str] = &[
    "Elevation",
    "ElevationOfRefHeight",
    "ElevationOfTerrain",
    "ElevationWithFlooring",
    "InteriorOrExteriorSpaceElevation",
    "LayerThickness",
    "LengthValue",
    "OverallDepth",
    "OverallHeight",
    "OverallWidth",
    "RefElevation",
    "RiserHeight",
    "TotalThickness",
    "TreadLength",
];

#[derive(Default)]
pub(crate) struct Scales {
    by_kind: OnceCell<HashMap<String, Scale>>,
}

impl Scales {
    /// Of a number that measures this (`IFCLENGTHMEASURE`), with the unit that stands at it.
    pub(crate) fn of(&self, model: &Model, measure: &str, own: Option<ExpressId>) -> Scale {
        if let Some(scale) = own.and_then(|unit| scale(model, unit, 0)) {
            return scale;
        }
        let special = KINDS.iter().find(|(name, _)| *name == measure).map(|(_, kind)| (*kind).to_owned());
        let kind = special.or_else(|| {
            let name = measure.strip_prefix("IFC")?.strip_suffix("MEASURE")?;
            Some(format!("{name}UNIT"))
        });
        kind.and_then(|kind| self.kinds(model).get(&kind).copied()).unwrap_or(AS_IT_IS)
    }

    pub(crate) fn of_attribute(&self, model: &Model, name: &str) -> Scale {
        if LENGTHS.contains(&name) { self.of(model, "IFCLENGTHMEASURE", None) } else { AS_IT_IS }
    }

    /// The project's units, by `UnitType`.
    fn kinds(&self, model: &Model) -> &HashMap<String, Scale> {
        self.by_kind.get_or_init(|| {
            let assignment = model.instances_of("IfcUnitAssignment").next();
            let listed = assignment.and_then(|record| model.instance(record.id));
            let units = listed.map(|assignment| assignment.get("Units").references()).unwrap_or_default();
            let mut kinds = HashMap::new();
            for id in units {
                let kind = model.instance(id).and_then(|unit| unit.get("UnitType").as_enum().map(str::to_owned));
                if let (Some(kind), Some(scale)) = (kind, scale(model, id, 0)) {
                    kinds.entry(kind).or_insert(scale);
                }
            }
            kinds
        })
    }
}

fn scale(model: &Model, id: ExpressId, depth: usize) -> Option<Scale> {
    let unit = model.instance(id).filter(|_| depth < MAX_DEPTH)?;
    if unit.class.is_a("IfcSIUnit") {
        return of_system(&unit);
    }
    if unit.class.is_a("IfcConversionBasedUnit") {
        let with = model.instance(unit.get("ConversionFactor").as_ref()?)?;
        let base = scale(model, with.get("UnitComponent").as_ref()?, depth + 1)?;
        let factor = with.get("ValueComponent").as_number()? * base.factor;
        let offset = unit.get("ConversionOffset").as_number().unwrap_or(0.0) * base.factor + base.offset;
        return Some(Scale { factor, offset });
    }
    if unit.class.is_a("IfcDerivedUnit") {
        let parts = unit.get("Elements").references();
        let factor = parts.into_iter().try_fold(1.0, |factor, part| {
            let part = model.instance(part)?;
            let base = scale(model, part.get("Unit").as_ref()?, depth + 1)?;
            let exponent = part.get("Exponent").as_number()?;
            Some(factor * base.factor.powf(exponent))
        });
        return Some(Scale { factor: factor?, offset: 0.0 });
    }
    None
}

fn of_system(unit: &Instance<'_>) -> Option<Scale> {
    let name = unit.get("Name").as_enum()?;
    let prefix = match unit.get("Prefix").as_enum() {
        None => 0,
        Some(given) => PREFIXES.iter().find(|(prefix, _)| *prefix == given)?.1,
    };
    let power = match name {
        "SQUARE_METRE" => 2,
        "CUBIC_METRE" => 3,
        _ => 1,
    };
    // The system's unit of mass is the kilogram.
    let grams = if name == "GRAM" { -3 } else { 0 };
    let offset = if name == "DEGREE_CELSIUS" { 273.15 } else { 0.0 };
    Some(Scale { factor: 10f64.powi(prefix * power + grams), offset })
}
