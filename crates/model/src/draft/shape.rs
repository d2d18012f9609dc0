//! Placements, sections and extruded bodies.

use super::Draft;
use crate::step::Arg;

type Vector = [f64; 3];

/// Below this a direction is none.
const NEAR: f64 = 1e-9;

/// Where a local system lies: its origin in metres, its z axis and its x axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axes {
    pub(crate) at: Vector,
    /// z and x; `None` is as the system around it.
    pub(crate) turned: Option<(Vector, Vector)>,
}

impl Axes {
    /// As the system around it, at a point.
    pub(crate) fn at(at: Vector) -> Self {
        Self { at, turned: None }
    }

    /// Upright, its x axis towards a point; as it is where the point lies above.
    pub(crate) fn towards(at: Vector, to: Vector) -> Self {
        let along = [to[0] - at[0], to[1] - at[1], 0.0];
        Self { at, turned: unit(along).map(|along| ([0.0, 0.0, 1.0], along)) }
    }

    /// Its z axis towards a point, its y axis as upright as can be; answers the way's length too, `None` where there is
    /// no way.
    pub(crate) fn along(at: Vector, to: Vector) -> Option<(Self, f64)> {
        let way = [to[0] - at[0], to[1] - at[1], to[2] - at[2]];
        let z = unit(way)?;
        let across = [-z[1], z[0], 0.0];
        let x = unit(across).unwrap_or([1.0, 0.0, 0.0]);
        Some((Self { at, turned: Some((z, x)) }, length(way)))
    }
}

fn length(vector: Vector) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn unit(vector: Vector) -> Option<Vector> {
    let length = length(vector);
    (length > NEAR).then(|| vector.map(|part| part / length))
}

/// A section that a body is extruded from, in metres.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Section {
    /// Width and depth; from the corner, or around the middle.
    Rectangle {
        size: [f64; 2],
        centred: bool,
    },
    /// Class of a parametrised profile and its dimensions, around the middle.
    Named {
        class: &'static str,
        dimensions: Vec<(&'static str, f64)>,
    },
    Polygon(Vec<[f64; 2]>),
    /// A profile of the file.
    Profile(u32),
}

impl Draft {
    /// A placement in another one, or in the world.
    pub(crate) fn place(&mut self, within: Option<u32>, at: Vector) -> u32 {
        self.place_axes(within, Axes::at(at))
    }

    /// A placement that may be turned.
    pub(crate) fn place_axes(&mut self, within: Option<u32>, axes: Axes) -> u32 {
        let axes = self.axes_at(axes);
        let mut attributes = vec![("RelativePlacement", Arg::Ref(axes))];
        attributes.extend(within.map(|within| ("PlacementRelTo", Arg::Ref(within))));
        self.writer.add("IfcLocalPlacement", &attributes)
    }

    fn axes_at(&mut self, Axes { at, turned }: Axes) -> u32 {
        if turned.is_none() && at.iter().all(|coordinate| coordinate.abs() < f64::EPSILON) {
            return self.axes;
        }
        let coordinates = Arg::reals(at.map(|metres| self.in_units(metres)));
        let point = self.writer.add("IfcCartesianPoint", &[("Coordinates", coordinates)]);
        let mut attributes = vec![("Location", Arg::Ref(point))];
        if let Some((z, x)) = turned {
            for (name, ratios) in [("Axis", z), ("RefDirection", x)] {
                let direction = self.writer.add("IfcDirection", &[("DirectionRatios", Arg::reals(ratios))]);
                attributes.push((name, Arg::Ref(direction)));
            }
        }
        self.writer.add("IfcAxis2Placement3D", &attributes)
    }

    /// The number of a section's profile.
    pub(crate) fn profile(&mut self, section: &Section) -> u32 {
        let area = ("ProfileType", Arg::item("AREA"));
        match section {
            Section::Profile(id) => *id,
            Section::Rectangle { size: [x, y], centred } => {
                let middle = if *centred { [0.0, 0.0] } else { [x / 2.0, y / 2.0] };
                let position = self.axes_2d(middle);
                let size = [("XDim", self.length(*x)), ("YDim", self.length(*y))];
                let [x, y] = size;
                self.writer.add("IfcRectangleProfileDef", &[area, ("Position", Arg::Ref(position)), x, y])
            }
            Section::Named { class, dimensions } => {
                let position = self.axes_2d([0.0, 0.0]);
                let mut attributes = vec![area, ("Position", Arg::Ref(position))];
                attributes.extend(dimensions.iter().map(|(name, metres)| (*name, self.length(*metres))));
                self.writer.add(class, &attributes)
            }
            Section::Polygon(points) => {
                let first = points.first().copied();
                let closed = points.iter().copied().chain(first);
                let points: Vec<u32> = closed.map(|point| self.point_2d(point)).collect();
                let line = self.writer.add("IfcPolyline", &[("Points", Arg::refs(points))]);
                self.writer.add("IfcArbitraryClosedProfileDef", &[area, ("OuterCurve", Arg::Ref(line))])
            }
        }
    }

    fn point_2d(&mut self, point: [f64; 2]) -> u32 {
        let coordinates = Arg::reals(point.map(|metres| self.in_units(metres)));
        self.writer.add("IfcCartesianPoint", &[("Coordinates", coordinates)])
    }

    fn axes_2d(&mut self, at: [f64; 2]) -> u32 {
        let point = self.point_2d(at);
        self.writer.add("IfcAxis2Placement2D", &[("Location", Arg::Ref(point))])
    }

    /// A body that is extruded from a profile along the local z axis. Answers the solid and the product's shape.
    pub(crate) fn body(&mut self, profile: u32, position: Option<Axes>, depth: f64) -> (u32, u32) {
        let position = position.map_or(self.axes, |axes| self.axes_at(axes));
        let depth = self.length(depth);
        let solid = self.writer.add(
            "IfcExtrudedAreaSolid",
            &[
                ("SweptArea", Arg::Ref(profile)),
                ("Position", Arg::Ref(position)),
                ("ExtrudedDirection", Arg::Ref(self.up)),
                ("Depth", depth),
            ],
        );
        let shape = self.writer.add(
            "IfcShapeRepresentation",
            &[
                ("ContextOfItems", Arg::Ref(self.body)),
                ("RepresentationIdentifier", Arg::text("Body")),
                ("RepresentationType", Arg::text("SweptSolid")),
                ("Items", Arg::refs([solid])),
            ],
        );
        (solid, self.writer.add("IfcProductDefinitionShape", &[("Representations", Arg::refs([shape]))]))
    }
}
