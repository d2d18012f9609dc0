//! What every written model has in common: frame, placements, bodies, sets (spec: ifc-sdk.md §3.1, §5.1).
//!
//! One code lies under the fixtures, `bim.create` and `bim.store`. Lengths come in metres and are written in the file's
//! unit. Invariant: the same calls give the same records.

mod sets;
mod shape;

pub(crate) use sets::{logical, measure, nominal, remeasured};
pub(crate) use shape::{Axes, Section};

use ifc_lite_core::SchemaVersion;

use crate::step::Arg;
use crate::writer::Writer;

/// Lengths are written to a millionth of the file's unit, so that a change of unit leaves no noise.
const STEPS: f64 = 1e6;

/// What stands in the head of a new file.
#[derive(Debug, Clone)]
pub(crate) struct Head<'h> {
    pub(crate) schema: SchemaVersion,
    /// Of the file, and of its `GlobalId`s.
    pub(crate) key: &'h str,
    pub(crate) project: &'h str,
    pub(crate) description: Option<&'h str>,
    pub(crate) author: &'h str,
    pub(crate) organization: &'h str,
    pub(crate) application: &'h str,
    /// When it is written, in seconds since 1970.
    pub(crate) created: i64,
    /// Prefix of the unit of length; none is the metre.
    pub(crate) length_prefix: Option<&'static str>,
}

/// A model that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) writer: Writer,
    /// The file's units in a metre.
    per_metre: f64,
    body: u32,
    /// Shared by everything that has no place of its own.
    axes: u32,
    up: u32,
}

impl Draft {
    /// A new file: owner, context, units, project. Answers the project's number too.
    pub(crate) fn file(head: &Head<'_>) -> (Self, u32) {
        let mut writer = Writer::new(head.schema, head.key);
        let history = owner_history(&mut writer, head);
        writer.set_owner_history(history);
        let (axes, up) = origin(&mut writer);
        let context = writer.add(
            "IfcGeometricRepresentationContext",
            &[
                ("ContextType", Arg::text("Model")),
                ("CoordinateSpaceDimension", Arg::Integer(3)),
                ("Precision", Arg::Real(1e-5)),
                ("WorldCoordinateSystem", Arg::Ref(axes)),
            ],
        );
        let body = body_context(&mut writer, context);
        let units = units(&mut writer, head.length_prefix);
        let mut attributes = vec![
            ("Name", Arg::text(head.project)),
            ("RepresentationContexts", Arg::refs([context])),
            ("UnitsInContext", Arg::Ref(units)),
        ];
        attributes.extend(head.description.map(|text| ("Description", Arg::text(text))));
        let project = writer.add("IfcProject", &attributes);
        let per_metre = match head.length_prefix {
            Some("MILLI") => 1e3,
            Some("CENTI") => 1e2,
            _ => 1.0,
        };
        (Self { writer, per_metre, body, axes, up }, project)
    }

    /// A draft that goes on with a model: `body` is its context of bodies, `None` where it has none.
    pub(crate) fn within(mut writer: Writer, body: Option<u32>, per_metre: f64) -> Self {
        let (axes, up) = origin(&mut writer);
        let body = body.unwrap_or_else(|| {
            writer.add(
                "IfcGeometricRepresentationContext",
                &[
                    ("ContextType", Arg::text("Model")),
                    ("CoordinateSpaceDimension", Arg::Integer(3)),
                    ("WorldCoordinateSystem", Arg::Ref(axes)),
                ],
            )
        });
        Self { writer, per_metre, body, axes, up }
    }

    /// A length in metres as the file has it.
    pub(crate) fn length(&self, metres: f64) -> Arg {
        Arg::Real(self.in_units(metres))
    }

    fn in_units(&self, metres: f64) -> f64 {
        if (self.per_metre - 1.0).abs() < f64::EPSILON {
            return metres;
        }
        (metres * self.per_metre * STEPS).round() / STEPS
    }

    /// A spatial element; answers its number and that of its placement.
    pub(crate) fn spatial(
        &mut self,
        class: &str,
        given: &[(&str, Arg)],
        within: Option<u32>,
        elevation: Option<f64>,
    ) -> (u32, u32) {
        let place = self.place(within, [0.0, 0.0, elevation.unwrap_or_default()]);
        let mut attributes = given.to_vec();
        attributes.push(("ObjectPlacement", Arg::Ref(place)));
        attributes.extend(elevation.map(|elevation| ("Elevation", self.length(elevation))));
        (self.writer.add(class, &attributes), place)
    }

    /// `parts` are parts of `whole`; nothing where there are none.
    pub(crate) fn aggregate(&mut self, whole: u32, parts: &[u32]) {
        if !parts.is_empty() {
            let sides = [("RelatingObject", Arg::Ref(whole)), ("RelatedObjects", Arg::refs(parts.iter().copied()))];
            self.writer.add("IfcRelAggregates", &sides);
        }
    }

    /// `elements` lie in a spatial element; nothing where there are none.
    pub(crate) fn contain(&mut self, within: u32, elements: &[u32]) {
        if !elements.is_empty() {
            let contents = Arg::refs(elements.iter().copied());
            let sides = [("RelatedElements", contents), ("RelatingStructure", Arg::Ref(within))];
            self.writer.add("IfcRelContainedInSpatialStructure", &sides);
        }
    }
}

fn origin(writer: &mut Writer) -> (u32, u32) {
    let origin = writer.add("IfcCartesianPoint", &[("Coordinates", Arg::reals([0.0, 0.0, 0.0]))]);
    let up = writer.add("IfcDirection", &[("DirectionRatios", Arg::reals([0.0, 0.0, 1.0]))]);
    (writer.add("IfcAxis2Placement3D", &[("Location", Arg::Ref(origin))]), up)
}

fn body_context(writer: &mut Writer, context: u32) -> u32 {
    writer.add(
        "IfcGeometricRepresentationSubContext",
        &[
            ("ContextIdentifier", Arg::text("Body")),
            ("ContextType", Arg::text("Model")),
            ("CoordinateSpaceDimension", Arg::Derived),
            ("Precision", Arg::Derived),
            ("WorldCoordinateSystem", Arg::Derived),
            ("TrueNorth", Arg::Derived),
            ("ParentContext", Arg::Ref(context)),
            ("TargetView", Arg::item("MODEL_VIEW")),
        ],
    )
}

fn owner_history(writer: &mut Writer, head: &Head<'_>) -> u32 {
    let person = writer.add("IfcPerson", &[("FamilyName", Arg::text(head.author))]);
    let organization = writer.add("IfcOrganization", &[("Name", Arg::text(head.organization))]);
    let both = [("ThePerson", Arg::Ref(person)), ("TheOrganization", Arg::Ref(organization))];
    let user = writer.add("IfcPersonAndOrganization", &both);
    let application = writer.add(
        "IfcApplication",
        &[
            ("ApplicationDeveloper", Arg::Ref(organization)),
            ("Version", Arg::text("1")),
            ("ApplicationFullName", Arg::text(head.application)),
            ("ApplicationIdentifier", Arg::text("holdpoint-model")),
        ],
    );
    writer.add(
        "IfcOwnerHistory",
        &[
            ("OwningUser", Arg::Ref(user)),
            ("OwningApplication", Arg::Ref(application)),
            ("ChangeAction", Arg::item("NOCHANGE")),
            ("CreationDate", Arg::Integer(head.created)),
        ],
    )
}

fn units(writer: &mut Writer, length_prefix: Option<&str>) -> u32 {
    let kinds = [
        ("LENGTHUNIT", "METRE"),
        ("AREAUNIT", "SQUARE_METRE"),
        ("VOLUMEUNIT", "CUBIC_METRE"),
        ("PLANEANGLEUNIT", "RADIAN"),
    ];
    let mut units = Vec::new();
    for (kind, name) in kinds {
        let mut attributes =
            vec![("Dimensions", Arg::Derived), ("UnitType", Arg::item(kind)), ("Name", Arg::item(name))];
        if kind == "LENGTHUNIT" {
            attributes.extend(length_prefix.map(|prefix| ("Prefix", Arg::item(prefix))));
        }
        units.push(writer.add("IfcSIUnit", &attributes));
    }
    writer.add("IfcUnitAssignment", &[("Units", Arg::refs(units))])
}
