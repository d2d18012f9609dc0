//! Meshes as a Wasm module for a Web Worker of its own, loaded when somebody opens the 3D view.
//!
//! Owns the border to JavaScript and nothing else: typed arrays out, one element a call, so that the worker can stop
//! between two of them. A trap ends the module; the page starts a fresh worker and leaves the element out.

use holdpoint_geometry::{Drawn, Mesher};
use js_sys::{Array, Float32Array, Float64Array, Object, Reflect, Uint32Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// The geometry of one file.
#[wasm_bindgen]
pub struct GeometryHandle {
    mesher: Mesher<'static>,
}

#[wasm_bindgen]
impl GeometryHandle {
    /// Finds units, origin and openings of a file.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> GeometryHandle {
        // A worker reads one file and ends with it.
        Self { mesher: Mesher::new(Vec::leak(bytes)) }
    }

    /// Metres from the file's zero to the local origin: x, y, z.
    #[must_use]
    pub fn origin(&self) -> Vec<f64> {
        self.mesher.origin().to_vec()
    }

    /// Metres in the file's unit of length.
    #[must_use]
    pub fn unit(&self) -> f64 {
        self.mesher.unit()
    }

    /// `MeshedElement`: its parts, and the shapes that none before it had. Throws where a body gives no triangles.
    pub fn element(&mut self, id: u32) -> Result<JsValue, JsError> {
        let drawn = self.mesher.element(id)?;
        said(&drawn).map_err(|_| JsError::new("an object takes no member"))
    }
}

/// Parts as arrays side by side; a colour that the file does not give has the opacity -1.
fn said(drawn: &Drawn) -> Result<JsValue, JsValue> {
    let shapes = Array::new();
    for (number, shape) in &drawn.shapes {
        shapes.push(&object(&[
            ("shape", (*number).into()),
            ("positions", Float32Array::from(&shape.positions[..]).into()),
            ("indices", Uint32Array::from(&shape.indices[..]).into()),
        ])?);
    }
    let numbers: Vec<u32> = drawn.parts.iter().map(|part| part.shape).collect();
    let places: Vec<f64> = drawn.parts.iter().flat_map(|part| part.at).collect();
    let colours: Vec<f32> = drawn.parts.iter().flat_map(|part| part.colour.unwrap_or([0.0, 0.0, 0.0, -1.0])).collect();
    object(&[
        ("shapes", shapes.into()),
        ("parts", Uint32Array::from(&numbers[..]).into()),
        ("places", Float64Array::from(&places[..]).into()),
        ("colours", Float32Array::from(&colours[..]).into()),
        ("uncut", drawn.uncut.into()),
    ])
}

fn object(members: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let made = Object::new();
    for (name, value) in members {
        Reflect::set(&made, &JsValue::from_str(name), value)?;
    }
    Ok(made.into())
}
