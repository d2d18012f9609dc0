//! The core in the page.
//!
//! Owns the door to the facade, the two pure halves of `bundle.test`, and the driver that performs what an authoring
//! run asks for. Thin: decides nothing that a native program would decide otherwise.

mod clock;
mod driver;
mod host;
mod model_call;
mod runs;
mod utf8;

use js_sys::JsString;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

pub use driver::RunDriver;
pub use host::Host;

/// Called once when the module starts: a panic shows its message instead of `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Calls a facade method: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn call(method: &str, input: &JsString) -> String {
    holdpoint_facade::call_text(method, &utf8::of(input))
}

/// `text.diff` of two texts: its answer as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn diff(before: &JsString, after: &JsString, context: usize) -> String {
    holdpoint_facade::diff_text(&utf8::of(before), &utf8::of(after), context)
}

/// Checks a bundle and prepares its tests. Input `{kind, files, profile}`; output `{plan}`, which goes to the sandbox
/// and to [`judge_tests`], or `{answer}` when `bundle.test` ends before anything is run.
#[wasm_bindgen]
#[must_use]
pub fn prepare_tests(input: &JsString) -> String {
    holdpoint_facade::testing::prepare_text(&utf8::of(input))
}

/// Judges the outcomes of a prepared plan: the answer of `bundle.test`.
#[wasm_bindgen]
#[must_use]
pub fn judge_tests(plan: &JsString, outcomes: &JsString) -> String {
    holdpoint_facade::testing::judge_text(&utf8::of(plan), &utf8::of(outcomes))
}

/// Prepares one call of an installed bundle for the sandbox. Input `{kind, files, call, grants, selection, storage,
/// locale}`; output `{program}`, null where the bundle has nothing to call, or an error answer.
#[wasm_bindgen]
#[must_use]
pub fn prepare_call(input: &JsString) -> String {
    holdpoint_facade::testing::prepare_call_text(&utf8::of(input))
}

/// A value for JavaScript, shaped as JSON would be.
fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// A value from JavaScript; a wrong shape is a `TypeError` for the caller.
fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|error| js_sys::TypeError::new(&error.to_string()).into())
}
