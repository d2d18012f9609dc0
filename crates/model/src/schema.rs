//! Classes of the IFC schemas, asked by name.
//!
//! The tables are `ifc-lite-core`'s; this module only answers from the schema that the file names, and for a class
//! which that schema lacks (exporters write such) from the first other schema that has it. Invariant: a class is
//! looked up once a file, never once an instance.

use ifc_lite_core::{IFC_TYPES, IfcType, SchemaVersion};

use crate::shapes::UnknownClassError;

/// All schemas that are looked through for a class, newest first.
const SCHEMAS: [SchemaVersion; 5] =
    [SchemaVersion::Ifc4x3, SchemaVersion::Ifc4, SchemaVersion::Ifc2x3, SchemaVersion::Ifc4x2, SchemaVersion::Ifc4x1];

/// `IFC4`, whatever addendum the file names.
pub(crate) fn schema_name(schema: SchemaVersion) -> &'static str {
    match schema {
        SchemaVersion::Ifc2x3 => "IFC2X3",
        SchemaVersion::Ifc4x1 => "IFC4X1",
        SchemaVersion::Ifc4x2 => "IFC4X2",
        SchemaVersion::Ifc4x3 => "IFC4X3",
        _ => "IFC4",
    }
}

/// The schema as the head of a file names it: other programs know the published edition alone (IFC101 of the
/// validation rules).
pub(crate) fn schema_identifier(schema: SchemaVersion) -> &'static str {
    match schema {
        SchemaVersion::Ifc4x3 => "IFC4X3_ADD2",
        other => schema_name(other),
    }
}

/// The schema that a head names. Early exporters wrote `IFC2X3_FINAL`.
pub(crate) fn schema_of(label: &str) -> Option<SchemaVersion> {
    let label = label.trim().to_ascii_uppercase();
    SchemaVersion::from_file_schema(label.strip_suffix("_FINAL").unwrap_or(&label))
}

/// What a file's instances of one keyword are.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    /// As the schema spells it; as the file does for a class of no schema.
    pub(crate) name: String,
    /// Attribute names in the order of the record.
    pub(crate) attributes: &'static [&'static str],
    /// In upper case, the type itself first.
    ancestors: Vec<&'static str>,
}

impl Class {
    /// The class of an upper-case keyword in `schema`.
    pub(crate) fn of(schema: SchemaVersion, keyword: &str) -> Self {
        let home = std::iter::once(schema).chain(SCHEMAS).find(|home| home.entity_info(keyword).is_some());
        let Some(home) = home else {
            return Self { name: keyword.to_owned(), attributes: &[], ancestors: Vec::new() };
        };
        let mut ancestors = Vec::new();
        let mut next = home.entity_info(keyword);
        while let Some(info) = next {
            ancestors.push(info.name);
            next = info.parent.and_then(|parent| home.entity_info(parent));
        }
        Self {
            name: IfcType::from_str(keyword).name().to_owned(),
            attributes: home.attribute_names(keyword).unwrap_or_default(),
            ancestors,
        }
    }

    /// Whether any schema has it.
    pub(crate) fn is_known(&self) -> bool {
        !self.ancestors.is_empty()
    }

    /// Whether it is `class` or a subtype of it; upper or mixed case.
    pub(crate) fn is_a(&self, class: &str) -> bool {
        self.ancestors.iter().any(|ancestor| ancestor.eq_ignore_ascii_case(class))
    }

    pub(crate) fn position(&self, attribute: &str) -> Option<usize> {
        self.attributes.iter().position(|name| *name == attribute)
    }
}

/// Whether instances of the class can stand in a file of the schema as products; case ignored.
pub(crate) fn is_product(schema: SchemaVersion, class: &str) -> bool {
    schema.entity_info(class).is_some_and(|info| !info.is_abstract) && Class::of(schema, class).is_a("IfcProduct")
}

/// The name of a class of any supported schema as the schema spells it, case ignored.
pub(crate) fn class_name(name: &str) -> Result<&'static str, UnknownClassError> {
    if let Some(class) = IFC_TYPES.iter().find(|class| class.name().eq_ignore_ascii_case(name)) {
        return Ok(class.name());
    }
    let wanted = name.to_ascii_lowercase();
    let nearest = IFC_TYPES
        .iter()
        .map(IfcType::name)
        .min_by_key(|class| distance(&wanted, &class.to_ascii_lowercase()))
        .unwrap_or("IfcElement");
    Err(UnknownClassError { name: name.to_owned(), nearest: nearest.to_owned() })
}

/// Names longer than this are compared by their beginning only, so that a hostile name costs little.
const MAX_COMPARED: usize = 64;

fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(MAX_COMPARED).collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, from) in left.chars().take(MAX_COMPARED).enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

/// Defined types of `IfcValue` as the schemas spell them; a record names them in capitals.
const MEASURES: &[&str] = &[
    "IfcAbsorbedDoseMeasure",
    "IfcAccelerationMeasure",
    "IfcAmountOfSubstanceMeasure",
    "IfcAngularVelocityMeasure",
    "IfcAreaDensityMeasure",
    "IfcAreaMeasure",
    "IfcBinary",
    "IfcBoolean",
    "IfcComplexNumber",
    "IfcCompoundPlaneAngleMeasure",
    "IfcContextDependentMeasure",
    "IfcCountMeasure",
    "IfcCurvatureMeasure",
    "IfcDate",
    "IfcDateTime",
    "IfcDescriptiveMeasure",
    "IfcDoseEquivalentMeasure",
    "IfcDuration",
    "IfcDynamicViscosityMeasure",
    "IfcElectricCapacitanceMeasure",
    "IfcElectricChargeMeasure",
    "IfcElectricConductanceMeasure",
    "IfcElectricCurrentMeasure",
    "IfcElectricResistanceMeasure",
    "IfcElectricVoltageMeasure",
    "IfcEnergyMeasure",
    "IfcForceMeasure",
    "IfcFrequencyMeasure",
    "IfcHeatFluxDensityMeasure",
    "IfcHeatingValueMeasure",
    "IfcIdentifier",
    "IfcIlluminanceMeasure",
    "IfcInductanceMeasure",
    "IfcInteger",
    "IfcIntegerCountRateMeasure",
    "IfcIonConcentrationMeasure",
    "IfcIsothermalMoistureCapacityMeasure",
    "IfcKinematicViscosityMeasure",
    "IfcLabel",
    "IfcLengthMeasure",
    "IfcLinearForceMeasure",
    "IfcLinearMomentMeasure",
    "IfcLinearStiffnessMeasure",
    "IfcLinearVelocityMeasure",
    "IfcLogical",
    "IfcLuminousFluxMeasure",
    "IfcLuminousIntensityDistributionMeasure",
    "IfcLuminousIntensityMeasure",
    "IfcMagneticFluxDensityMeasure",
    "IfcMagneticFluxMeasure",
    "IfcMassDensityMeasure",
    "IfcMassFlowRateMeasure",
    "IfcMassMeasure",
    "IfcMassPerLengthMeasure",
    "IfcModulusOfElasticityMeasure",
    "IfcModulusOfLinearSubgradeReactionMeasure",
    "IfcModulusOfRotationalSubgradeReactionMeasure",
    "IfcModulusOfSubgradeReactionMeasure",
    "IfcMoistureDiffusivityMeasure",
    "IfcMolecularWeightMeasure",
    "IfcMomentOfInertiaMeasure",
    "IfcMonetaryMeasure",
    "IfcNonNegativeLengthMeasure",
    "IfcNormalisedRatioMeasure",
    "IfcNumericMeasure",
    "IfcPHMeasure",
    "IfcParameterValue",
    "IfcPlanarForceMeasure",
    "IfcPlaneAngleMeasure",
    "IfcPositiveInteger",
    "IfcPositiveLengthMeasure",
    "IfcPositivePlaneAngleMeasure",
    "IfcPositiveRatioMeasure",
    "IfcPowerMeasure",
    "IfcPressureMeasure",
    "IfcRadioActivityMeasure",
    "IfcRatioMeasure",
    "IfcReal",
    "IfcRotationalFrequencyMeasure",
    "IfcRotationalMassMeasure",
    "IfcRotationalStiffnessMeasure",
    "IfcSectionModulusMeasure",
    "IfcSectionalAreaIntegralMeasure",
    "IfcShearModulusMeasure",
    "IfcSolidAngleMeasure",
    "IfcSoundPowerLevelMeasure",
    "IfcSoundPowerMeasure",
    "IfcSoundPressureLevelMeasure",
    "IfcSoundPressureMeasure",
    "IfcSpecificHeatCapacityMeasure",
    "IfcTemperatureGradientMeasure",
    "IfcTemperatureRateOfChangeMeasure",
    "IfcText",
    "IfcThermalAdmittanceMeasure",
    "IfcThermalConductivityMeasure",
    "IfcThermalExpansionCoefficientMeasure",
    "IfcThermalResistanceMeasure",
    "IfcThermalTransmittanceMeasure",
    "IfcThermodynamicTemperatureMeasure",
    "IfcTime",
    "IfcTimeMeasure",
    "IfcTimeStamp",
    "IfcTorqueMeasure",
    "IfcURIReference",
    "IfcVaporPermeabilityMeasure",
    "IfcVolumeMeasure",
    "IfcVolumetricFlowRateMeasure",
    "IfcWarpingConstantMeasure",
    "IfcWarpingMomentMeasure",
];

/// A defined type as the schema spells it; unknown ones stay as written.
pub(crate) fn measure_name(keyword: &str) -> String {
    let known = MEASURES.iter().find(|name| name.eq_ignore_ascii_case(keyword));
    known.map_or_else(|| keyword.to_owned(), |name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_found_in_the_schema_of_the_file_first() {
        let wall = Class::of(SchemaVersion::Ifc2x3, "IFCWALLSTANDARDCASE");
        assert_eq!(wall.name, "IfcWallStandardCase");
        assert!(wall.is_a("ifcwall") && wall.is_a("IfcProduct") && !wall.is_a("IfcDoor"));
        let style = Class::of(SchemaVersion::Ifc4x3, "IFCDOORSTYLE");
        assert!(style.is_a("IfcTypeObject"), "a class of an older schema keeps its meaning");
        assert!(!Class::of(SchemaVersion::Ifc4, "IFCNOTHING").is_known());
    }

    #[test]
    fn a_schema_is_known_by_every_name_that_files_give_it() {
        for (label, name, written) in [
            ("IFC2X3", "IFC2X3", "IFC2X3"),
            ("IFC2X3_FINAL", "IFC2X3", "IFC2X3"),
            (" ifc2x3_final ", "IFC2X3", "IFC2X3"),
            ("IFC2X3_TC1", "IFC2X3", "IFC2X3"),
            ("IFC4_ADD2_TC1", "IFC4", "IFC4"),
            ("IFC4X3", "IFC4X3", "IFC4X3_ADD2"),
            ("IFC4X3_ADD2", "IFC4X3", "IFC4X3_ADD2"),
        ] {
            let schema = schema_of(label).expect(label);
            assert_eq!((schema_name(schema), schema_identifier(schema)), (name, written), "{label}");
        }
        for label in ["IFC2X2_FINAL", "IFC5", "FINAL", "", "IFC2X3FINAL"] {
            assert!(schema_of(label).is_none(), "{label}");
        }
    }

    #[test]
    fn a_wrong_class_name_answers_the_nearest() {
        assert_eq!(class_name("ifcWALL").as_deref(), Ok("IfcWall"));
        assert_eq!(class_name("IfcWal").map_err(|wrong| wrong.nearest), Err("IfcWall".to_owned()));
        assert_eq!(class_name("IfcWindows").map_err(|wrong| wrong.nearest), Err("IfcWindow".to_owned()));
    }
}
