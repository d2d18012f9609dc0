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
use wasm_bindgen::prelude::*;

pub use driver::RunDriver;
pub use host::Host;

holdpoint_wasm_shell::module! { groups: &[&[testing::METHODS]], kinds: &[&holdpoint_kind_extension::CHECK] }

/// A value for JavaScript, shaped as JSON would be.
fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// A value from JavaScript; a wrong shape is a `TypeError` for the caller.
fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|error| js_sys::TypeError::new(&error.to_string()).into())
}
