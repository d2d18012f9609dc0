//! Profiles of `bim.create`: an object with the dimensions of one, or its number.

use serde_json::Value;

use super::params::Params;
use super::{CreateRefused, Sort};
use crate::codes::PROFILE;
use crate::draft::Section;

/// A parametrised profile: its name in `Type`, its class, its dimensions as parameters and as attributes.
struct Shape {
    name: &'static str,
    class: &'static str,
    dimensions: &'static [(&'static str, &'static str)],
}

/// In the order in which they are guessed from the dimensions that are given: the first that has all of its own.
const SHAPES: &[Shape] = &[
    Shape {
        name: "RectangleHollow",
        class: "IfcRectangleHollowProfileDef",
        dimensions: &[("XDim", "XDim"), ("YDim", "YDim"), ("WallThickness", "WallThickness")],
    },
    Shape { name: "Rectangle", class: "IfcRectangleProfileDef", dimensions: &[("XDim", "XDim"), ("YDim", "YDim")] },
    Shape {
        name: "CircleHollow",
        class: "IfcCircleHollowProfileDef",
        dimensions: &[("Radius", "Radius"), ("WallThickness", "WallThickness")],
    },
    Shape { name: "Circle", class: "IfcCircleProfileDef", dimensions: &[("Radius", "Radius")] },
    Shape {
        name: "I",
        class: "IfcIShapeProfileDef",
        dimensions: &[
            ("OverallWidth", "OverallWidth"),
            ("OverallDepth", "OverallDepth"),
            ("WebThickness", "WebThickness"),
            ("FlangeThickness", "FlangeThickness"),
        ],
    },
    Shape {
        name: "U",
        class: "IfcUShapeProfileDef",
        dimensions: &[
            ("Depth", "Depth"),
            ("FlangeWidth", "FlangeWidth"),
            ("WebThickness", "WebThickness"),
            ("FlangeThickness", "FlangeThickness"),
        ],
    },
    Shape {
        name: "T",
        class: "IfcTShapeProfileDef",
        dimensions: &[
            ("Depth", "Depth"),
            ("FlangeWidth", "FlangeWidth"),
            ("WebThickness", "WebThickness"),
            ("FlangeThickness", "FlangeThickness"),
        ],
    },
    Shape {
        name: "L",
        class: "IfcLShapeProfileDef",
        dimensions: &[("Depth", "Depth"), ("Width", "Width"), ("Thickness", "Thickness")],
    },
];

/// The section of a name in [`SHAPES`] from the parameters of a call.
pub(crate) fn named(name: &str, params: Params<'_>) -> Result<Section, CreateRefused> {
    let shape = SHAPES.iter().find(|shape| shape.name.eq_ignore_ascii_case(name));
    dimensions(shape.ok_or_else(|| CreateRefused::member("Profile", &PROFILE))?, params)
}

fn dimensions(shape: &Shape, params: Params<'_>) -> Result<Section, CreateRefused> {
    let mut dimensions = Vec::with_capacity(shape.dimensions.len());
    for (parameter, attribute) in shape.dimensions {
        dimensions.push((*attribute, params.size(parameter)?));
    }
    Ok(Section::Named { class: shape.class, dimensions })
}

/// A profile: a number that `createProfile` answered (`known`), or an object. `Type` says which it is; without it, the
/// dimensions do, and a closed line in `OuterCurve`.
pub(crate) fn read(value: &Value, known: impl Fn(u32) -> bool) -> Result<Section, CreateRefused> {
    let refused = || CreateRefused::member("Profile", &PROFILE);
    if let Some(number) = value.as_f64() {
        let id = number as u32;
        return if known(id) { Ok(Section::Profile(id)) } else { Err(CreateRefused::NotFound(Sort::Profile, number)) };
    }
    let params = Params::read(value, None).map_err(|_| refused())?;
    if params.has("OuterCurve") {
        return params.outline("OuterCurve");
    }
    if let Some(name) = params.text("Type")?.or(params.text("ProfileShape")?) {
        return named(name, params);
    }
    let fits = |shape: &&Shape| shape.dimensions.iter().all(|(parameter, _)| params.has(parameter));
    dimensions(SHAPES.iter().find(fits).ok_or_else(refused)?, params)
}
