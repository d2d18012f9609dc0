//! The Python grammar in the page, loaded with the script editor.
//!
//! Owns the door to one method of the facade; the core takes its answer as `options.python_facts` of `bundle.check`
//! (spec: script-tool.md §2).

use wasm_bindgen::prelude::wasm_bindgen;

/// `python.facts`: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn facts(input: &str) -> String {
    holdpoint_facade::python_facts_text(input)
}
