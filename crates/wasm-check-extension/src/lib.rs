//! The checks of extensions in the page, and the driver of the authoring run.
//!
//! Owns the door to the methods of the kind, with the two pure halves of `bundle.test`, and the driver that performs what
//! a run asks for. Lives in Web Workers, which are started anew after a trap. Thin: decides nothing that a native program
//! would decide otherwise.

mod clock;
mod driver;
mod edge;
mod host;
mod model_call;
mod runs;

use holdpoint_kind_extension::methods::testing;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::prelude::*;

pub use driver::RunDriver;
pub use host::Host;

holdpoint_wasm_shell::module! { groups: &[&[testing::METHODS]], kinds: &[&holdpoint_kind_extension::CHECK] }

/// A value for JavaScript, shaped as JSON would be.
fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// A value from JavaScript; a wrong shape is a `TypeError` for the caller. It is read as JSON first: the methods read the
/// same shapes from JSON, and a second reader of each would be as large again.
fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    let wrong = |error: &dyn std::fmt::Display| -> JsValue { js_sys::TypeError::new(&error.to_string()).into() };
    let value: Value = serde_wasm_bindgen::from_value(value).map_err(|error| wrong(&error))?;
    serde_json::from_value(value).map_err(|error| wrong(&error))
}
