//! The element methods: which class each writes, what body its parameters give, where it stands.

use std::f64::consts::FRAC_PI_2;

use serde_json::{Value, json};

use super::{CreateRefused, Creation, Object, Params, Sort, section};
use crate::codes::{CLASS, PLACEMENT, SLOPE, WAY};
use crate::draft::{Axes, Draft, Section};
use crate::schema::{class_name, is_product};
use crate::step::Arg;

const MAX_RISERS: u64 = 1_000;
/// Thickness of leaves, curtain walls and railings where none is given, in metres.
const LEAF: f64 = 0.1;
const RAIL: f64 = 0.05;

/// How parameters become a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// `Start, End, Thickness, Height`, upright; the thickness where none is given.
    Upright(Option<f64>),
    /// `Start, End` and a section around the line between them.
    Along(Around),
    /// `Position, Width, Depth` and a height of this name, from the corner or around the middle.
    Block {
        height: &'static str,
        centred: bool,
    },
    Leaf,
    Stair,
    Ramp,
    Gable,
    /// `Position` and a round section of this name; the length's name, and whether it goes down.
    Round {
        section: &'static str,
        length: &'static str,
        down: bool,
    },
    Free,
}

/// The section around an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Around {
    Rectangle,
    /// Of a name in `section`.
    Named(&'static str),
    Given,
}

/// In what system positions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    Storey,
    World,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Kind {
    pub(crate) method: &'static str,
    /// Empty where `IfcType` says it.
    pub(crate) class: &'static str,
    pub(crate) form: Form,
    pub(crate) home: Home,
}

const fn kind(method: &'static str, class: &'static str, form: Form, home: Home) -> Kind {
    Kind { method, class, form, home }
}

const fn block(height: &'static str, centred: bool) -> Form {
    Form::Block { height, centred }
}

const fn round(section: &'static str, length: &'static str, down: bool) -> Form {
    Form::Round { section, length, down }
}

use Around::{Given, Named, Rectangle};
use Form::{Along, Free, Gable, Leaf, Ramp, Stair, Upright};
use Home::{Storey as S, World as W};

const KINDS: &[Kind] = &[
    kind("addIfcWall", "IfcWall", Upright(None), S),
    kind("addIfcBeam", "IfcBeam", Along(Rectangle), S),
    kind("addIfcMember", "IfcMember", Along(Rectangle), W),
    kind("addIfcSlab", "IfcSlab", block("Thickness", false), S),
    kind("addIfcRoof", "IfcRoof", block("Thickness", false), S),
    kind("addIfcPlate", "IfcPlate", block("Thickness", false), W),
    kind("addIfcGableRoof", "IfcRoof", Gable, S),
    kind("addIfcColumn", "IfcColumn", block("Height", true), S),
    kind("addIfcFooting", "IfcFooting", block("Height", true), S),
    kind("addIfcSpace", "IfcSpace", block("Height", false), S),
    kind("addIfcFurnishingElement", "IfcFurnishingElement", block("Height", false), S),
    kind("addIfcBuildingElementProxy", "IfcBuildingElementProxy", block("Height", false), S),
    kind("addIfcDoor", "IfcDoor", Leaf, W),
    kind("addIfcWindow", "IfcWindow", Leaf, W),
    kind("addIfcStair", "IfcStair", Stair, S),
    kind("addIfcRamp", "IfcRamp", Ramp, S),
    kind("addIfcCurtainWall", "IfcCurtainWall", Upright(Some(LEAF)), W),
    kind("addIfcRailing", "IfcRailing", Upright(Some(RAIL)), W),
    kind("addIfcPile", "IfcPile", round("Diameter", "Length", true), S),
    kind("addIfcCircularColumn", "IfcColumn", round("Circle", "Height", false), S),
    kind("addIfcHollowCircularColumn", "IfcColumn", round("CircleHollow", "Height", false), S),
    kind("addIfcIShapeBeam", "IfcBeam", Along(Named("I")), S),
    kind("addIfcRectangleHollowBeam", "IfcBeam", Along(Named("RectangleHollow")), S),
    kind("addIfcLShapeMember", "IfcMember", Along(Named("L")), S),
    kind("addIfcTShapeMember", "IfcMember", Along(Named("T")), S),
    kind("addIfcUShapeMember", "IfcMember", Along(Named("U")), S),
    kind("addElement", "", Free, S),
    kind("addAxisElement", "", Along(Given), W),
];

/// The method of `bim.store` that adds such an element to a loaded model.
pub(crate) fn store(method: &str) -> Option<Kind> {
    let method = format!("addIfc{}", method.strip_prefix("add")?);
    KINDS.iter().find(|kind| kind.method == method).copied()
}

/// What every rooted object may have, and its name.
pub(crate) struct Rooted {
    pub(crate) attributes: Vec<(&'static str, Arg)>,
    pub(crate) name: Option<String>,
}

/// `Name`, `Description`, `ObjectType`, `Tag`, `PredefinedType`; `usual` is the name where none is given.
pub(crate) fn rooted(params: Params<'_>, usual: &str) -> Result<Rooted, CreateRefused> {
    let name = Some(params.text("Name")?.unwrap_or(usual).to_owned()).filter(|name| !name.is_empty());
    let mut attributes: Vec<(&str, Arg)> = name.iter().map(|name| ("Name", Arg::text(name))).collect();
    for member in ["Description", "ObjectType", "Tag"] {
        attributes.extend(params.text(member)?.map(|text| (member, Arg::text(text))));
    }
    if let Some(item) = params.item("PredefinedType")? {
        // IFC2X3 has a `ShapeType` where later schemas have a `PredefinedType`.
        attributes.push(("ShapeType", Arg::item(&item)));
        attributes.push(("PredefinedType", Arg::item(&item)));
    }
    Ok(Rooted { attributes, name })
}

/// A body and where it stands, before anything is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Body {
    pub(crate) axes: Axes,
    section: Section,
    /// Of the extrusion inside the element's own system.
    position: Option<Axes>,
    depth: f64,
}

impl Body {
    /// What the parameters of a method describe; `known` are profiles of the file.
    pub(crate) fn read(form: Form, params: Params<'_>, known: impl Fn(u32) -> bool) -> Result<Self, CreateRefused> {
        let plain = |axes: Axes, section: Section, depth: f64| Self { axes, section, position: None, depth };
        let position = || params.position("Position").map(Axes::at);
        Ok(match form {
            Form::Upright(usual) => upright(params, usual)?,
            Form::Along(around) => {
                let (start, end) = (params.position("Start")?, params.position("End")?);
                let (axes, length) = Axes::along(start, end).ok_or_else(|| CreateRefused::member("End", &WAY))?;
                let section = match around {
                    Around::Rectangle => rectangle(params.size("Width")?, params.size("Height")?, true),
                    Around::Named(name) => section::named(name, params)?,
                    Around::Given => section::read(params.get("Profile").unwrap_or(&Value::Null), known)?,
                };
                plain(axes, section, length)
            }
            Form::Block { height, centred } => {
                let section = match params.get("Profile") {
                    Some(profile) if !params.has("Width") && !params.has("OuterCurve") => {
                        section::read(profile, known)?
                    }
                    _ if params.has("OuterCurve") => params.outline("OuterCurve")?,
                    _ => rectangle(params.size("Width")?, params.size("Depth")?, centred),
                };
                plain(Axes::at(params.position_or_origin("Position")?), section, params.size(height)?)
            }
            Form::Leaf => {
                let thickness = params.size_or("Thickness", LEAF)?;
                plain(position()?, rectangle(params.size("Width")?, thickness, false), params.size("Height")?)
            }
            Form::Stair => stair(params, position()?)?,
            Form::Ramp => {
                let (width, length) = (params.size("Width")?, params.size("Length")?);
                plain(position()?, rectangle(length, width, false), params.size("Thickness")?)
            }
            Form::Gable => gable(params, position()?)?,
            Form::Round { section, length, down } => {
                let depth = params.size(length)?;
                let at = params.position("Position")?;
                let section = if section == "Diameter" {
                    let radius = params.size("Diameter")? / 2.0;
                    Section::Named { class: "IfcCircleProfileDef", dimensions: vec![("Radius", radius)] }
                } else {
                    section::named(section, params)?
                };
                plain(Axes::at([at[0], at[1], if down { at[2] - depth } else { at[2] }]), section, depth)
            }
            Form::Free => {
                let axes = placement(params)?;
                let section = section::read(params.get("Profile").unwrap_or(&Value::Null), known)?;
                plain(axes, section, params.size("Depth")?)
            }
        })
    }

    /// Writes placement and shape: the placement, the solid, the shape.
    pub(crate) fn write(&self, within: Option<u32>, draft: &mut Draft) -> (u32, u32, u32) {
        let place = draft.place_axes(within, self.axes);
        let profile = draft.profile(&self.section);
        let (solid, shape) = draft.body(profile, self.position, self.depth);
        (place, solid, shape)
    }
}

fn rectangle(width: f64, depth: f64, centred: bool) -> Section {
    Section::Rectangle { size: [width, depth], centred }
}

fn upright(params: Params<'_>, usual: Option<f64>) -> Result<Body, CreateRefused> {
    let (start, end) = (params.position("Start")?, params.position("End")?);
    let floor = |point: [f64; 3]| [point[0], point[1], start[2]];
    let (_, length) = Axes::along(start, floor(end)).ok_or_else(|| CreateRefused::member("End", &WAY))?;
    let thickness = match usual {
        None => params.size("Thickness")?,
        Some(usual) => params.size_or("Thickness", usual)?,
    };
    let (half, height) = (thickness / 2.0, params.size("Height")?);
    let section = Section::Polygon(vec![[0.0, -half], [length, -half], [length, half], [0.0, half]]);
    Ok(Body { axes: Axes::towards(start, end), section, position: None, depth: height })
}

/// The side of the steps, extruded over the width.
fn stair(params: Params<'_>, axes: Axes) -> Result<Body, CreateRefused> {
    let risers = params.count("NumberOfRisers", MAX_RISERS)?;
    let (riser, tread) = (params.size("RiserHeight")?, params.size("TreadLength")?);
    let width = params.size("Width")?;
    let mut side = vec![[0.0, 0.0]];
    for step in 0..risers {
        let (along, up) = (step as f64 * tread, (step + 1) as f64 * riser);
        side.push([along, up]);
        side.push([along + tread, up]);
    }
    side.push([risers as f64 * tread, 0.0]);
    Ok(Body { axes, section: Section::Polygon(side), position: Some(sideways(width)), depth: width })
}

/// Two slopes over the width with their ridge along the depth.
fn gable(params: Params<'_>, axes: Axes) -> Result<Body, CreateRefused> {
    let (width, depth, thickness) = (params.size("Width")?, params.size("Depth")?, params.size("Thickness")?);
    let slope = params.size("Slope")?;
    if slope >= FRAC_PI_2 {
        return Err(CreateRefused::member("Slope", &SLOPE));
    }
    let (half, rise) = (width / 2.0, width / 2.0 * slope.tan());
    let gable =
        vec![[0.0, 0.0], [half, rise], [width, 0.0], [width, thickness], [half, rise + thickness], [0.0, thickness]];
    Ok(Body { axes, section: Section::Polygon(gable), position: Some(sideways(depth)), depth })
}

/// A section that stands: its x axis stays, its y axis looks up, it is extruded back to the element's own x axis.
fn sideways(depth: f64) -> Axes {
    Axes { at: [0.0, depth, 0.0], turned: Some(([0.0, -1.0, 0.0], [1.0, 0.0, 0.0])) }
}

/// `{Location, Axis?, RefDirection?}`, or a location alone.
fn placement(params: Params<'_>) -> Result<Axes, CreateRefused> {
    let refused = || CreateRefused::member("Placement", &PLACEMENT);
    if params.get("Placement").is_some_and(Value::is_array) {
        return params.position("Placement").map(Axes::at);
    }
    let placement = Params::read(params.get("Placement").unwrap_or(&Value::Null), None).map_err(|_| refused())?;
    let at = placement.position_or_origin("Location").map_err(|_| refused())?;
    let direction = |name: &str, usual: [f64; 3]| -> Result<[f64; 3], CreateRefused> {
        if !placement.has(name) {
            return Ok(usual);
        }
        let given = placement.position(name).map_err(|_| refused())?;
        let length = given.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.0 { Ok(given.map(|part| part / length)) } else { Err(refused()) }
    };
    if !placement.has("Axis") && !placement.has("RefDirection") {
        return Ok(Axes::at(at));
    }
    let (z, x) = (direction("Axis", [0.0, 0.0, 1.0])?, direction("RefDirection", [1.0, 0.0, 0.0])?);
    let cosine: f64 = z.iter().zip(x).map(|(z, x)| z * x).sum();
    if cosine.abs() > 1.0 - 1e-9 { Err(refused()) } else { Ok(Axes { at, turned: Some((z, x)) }) }
}

impl Creation {
    pub(super) fn element(&mut self, method: &str, storey: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let kind = KINDS.iter().find(|kind| kind.method == method).ok_or(CreateRefused::NotFound(Sort::Method, 0.0))?;
        let found = self.storeys.get(&(storey as u32)).filter(|_| storey.fract() == 0.0 && storey > 0.0);
        let placement = found.ok_or(CreateRefused::NotFound(Sort::Storey, storey))?.placement;
        let class = if kind.class.is_empty() { self.class_of(params)? } else { kind.class };
        let body = Body::read(kind.form, params, |id| self.profiles.contains(&id))?;
        let within = if kind.home == Home::Storey { placement } else { self.world };
        let usual = class.strip_prefix("Ifc").unwrap_or(class);
        let given = rooted(params, usual)?;
        let (id, place) = self.write(class, given, &body, within);
        if kind.form == Form::Upright(None) {
            let length = (params.position("Start")?, params.position("End")?);
            let length = ((length.1[0] - length.0[0]).powi(2) + (length.1[1] - length.0[1]).powi(2)).sqrt();
            let thickness = params.size("Thickness")?;
            self.objects.entry(id).and_modify(|object| object.wall = Some((length, thickness, place)));
        }
        let storey = self.storeys.entry(storey as u32).or_default();
        if class == "IfcSpace" {
            storey.parts.push(id);
        } else {
            storey.contents.push(id);
        }
        Ok(json!(id))
    }

    /// `IfcType`: a class of the schema whose instances are elements.
    fn class_of(&self, params: Params<'_>) -> Result<&'static str, CreateRefused> {
        let refused = || CreateRefused::member("IfcType", &CLASS);
        let class = class_name(params.required_text("IfcType")?).map_err(|_| refused())?;
        let schema = self.draft.writer.schema();
        let is = |base: &str| crate::schema::Class::of(schema, class).is_a(base);
        let fits = is_product(schema, class) && (is("IfcElement") || is("IfcSpace")) && !is("IfcFeatureElement");
        if fits { Ok(class) } else { Err(refused()) }
    }

    /// Writes an element; answers its number and that of its placement.
    fn write(&mut self, class: &str, given: Rooted, body: &Body, within: u32) -> (u32, u32) {
        let (place, solid, shape) = body.write(Some(within), &mut self.draft);
        let mut attributes = given.attributes;
        attributes.push(("ObjectPlacement", Arg::Ref(place)));
        attributes.push(("Representation", Arg::Ref(shape)));
        let id = self.draft.writer.add(class, &attributes);
        let object = Object { class: class.to_owned(), name: given.name, body: Some(solid), wall: None, element: true };
        self.objects.insert(id, object);
        (id, place)
    }

    /// A door or window in a wall: the opening that voids the wall, and what fills it. The position is the wall's: along
    /// it, across it, above its foot.
    pub(super) fn opening(&mut self, method: &str, wall: f64, params: Params<'_>) -> Result<Value, CreateRefused> {
        let wall = self.find(wall, Sort::Wall, |object| object.wall.is_some())?;
        let Some((_, thickness, place)) = self.objects[&wall].wall else {
            return Err(CreateRefused::NotFound(Sort::Wall, f64::from(wall)));
        };
        let (class, name) = if method == "addIfcWallDoor" { ("IfcDoor", "Door") } else { ("IfcWindow", "Window") };
        let at = params.position("Position")?;
        let (width, height) = (params.size("Width")?, params.size("Height")?);
        let given = rooted(params, name)?;
        let body = |at: [f64; 3], thickness: f64| {
            let section = rectangle(width, thickness, false);
            Body { axes: Axes::at(at), section, position: None, depth: height }
        };
        let hole = Rooted { attributes: vec![("Name", Arg::text("Opening"))], name: Some("Opening".to_owned()) };
        let opening = body([at[0], at[1] - thickness / 2.0, at[2]], thickness);
        let (opening, place) = self.write("IfcOpeningElement", hole, &opening, place);
        let leaf = params.size_or("Thickness", LEAF.min(thickness))?;
        let (filling, _) = self.write(class, given, &body([0.0, (thickness - leaf) / 2.0, 0.0], leaf), place);
        let sides = [("RelatingBuildingElement", Arg::Ref(wall)), ("RelatedOpeningElement", Arg::Ref(opening))];
        self.draft.writer.add("IfcRelVoidsElement", &sides);
        let sides = [("RelatingOpeningElement", Arg::Ref(opening)), ("RelatedBuildingElement", Arg::Ref(filling))];
        self.draft.writer.add("IfcRelFillsElement", &sides);
        if let Some(storey) = self.storeys.values_mut().find(|storey| storey.contents.contains(&wall)) {
            storey.contents.push(filling);
        }
        Ok(json!(filling))
    }
}
