//! The checks in the page: the rules of every kind, and the driver of the authoring run.
//!
//! Owns the door to the facade's heavy methods, the two pure halves of `bundle.test`, and the driver that performs what
//! a run asks for. Lives in Web Workers, which are started anew after a trap; texts pass as UTF-8. Thin: decides nothing
//! that a native program would decide otherwise.

mod clock;
mod driver;
mod edge;
mod host;
mod model_call;
mod runs;

use std::borrow::Cow;

use holdpoint_facade::Shell;
use holdpoint_kind_extension::methods::testing;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

/// The Python grammar is a module of its own: its answer comes as an option of the check.
static SHELL: Shell = Shell { kinds: holdpoint_kinds::CHECKS, ..Shell::EMPTY };

pub use driver::RunDriver;
pub use host::Host;

/// Called once when the module starts: a panic shows its message instead of `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Calls a method of the checks: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn call(method: &str, input: &[u8]) -> String {
    SHELL.call_text(method, &text(input))
}

/// Checks a bundle and prepares its tests. Input `{kind, files, profile}`; output `{plan}`, which goes to the sandbox
/// and to [`judge_tests`], or `{answer}` when `bundle.test` ends before anything is run.
#[wasm_bindgen]
#[must_use]
pub fn prepare_tests(input: &[u8]) -> String {
    testing::prepare_text(&text(input))
}

/// Judges the outcomes of a prepared plan: the answer of `bundle.test`.
#[wasm_bindgen]
#[must_use]
pub fn judge_tests(plan: &[u8], outcomes: &[u8]) -> String {
    testing::judge_text(&text(plan), &text(outcomes))
}

/// Prepares one call of an installed bundle for the sandbox. Input `{kind, files, call, grants, selection, storage,
/// locale}`; output `{program}`, null where the bundle has nothing to call, or an error answer.
#[wasm_bindgen]
#[must_use]
pub fn prepare_call(input: &[u8]) -> String {
    testing::prepare_call_text(&text(input))
}

/// The host's encoder writes valid UTF-8; what is not becomes U+FFFD.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// A value for JavaScript, shaped as JSON would be.
fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// A value from JavaScript; a wrong shape is a `TypeError` for the caller.
fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|error| js_sys::TypeError::new(&error.to_string()).into())
}
