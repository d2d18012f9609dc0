//! The core in the page: what typing, diffs, previews and selections need, on the main thread.
//!
//! Owns the door to the light methods of the facade. Loads with the page, so it links no schema, no parser of a
//! language and no kind's rules: those live in the check module of each kind, in Web Workers.

mod utf8;

use holdpoint_facade::{Shell, TEXT};
use holdpoint_kind::Kind as _;
use holdpoint_kind_extension::methods::{capability, compare};
use holdpoint_kind_script::{ScriptTool, tokens};
// The start of the module, which shows a panic's message.
use holdpoint_wasm_shell as _;
use js_sys::JsString;
use wasm_bindgen::prelude::*;

/// Light methods, also of kinds, and how their tokens are counted.
static SHELL: Shell = Shell {
    groups: &[TEXT, &[compare::METHODS, capability::METHODS]],
    counters: &[(ScriptTool::ID, tokens::method)],
    ..Shell::EMPTY
};

/// Calls a light method of the facade: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn call(method: &str, input: &JsString) -> String {
    SHELL.call_text(method, &utf8::of(input))
}

/// `text.diff` of two texts: its answer as JSON text.
#[wasm_bindgen]
#[must_use]
pub fn diff(before: &JsString, after: &JsString, context: usize) -> String {
    holdpoint_facade::diff_text(&utf8::of(before), &utf8::of(after), context)
}
