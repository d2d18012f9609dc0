//! Crew packages in the page: what pages see of them, how they are edited, and their archive.
//!
//! Owns the door to the methods that draw and edit packages, on the main thread, and to the archive that the edge writes
//! too. Loaded with the crew pages; links no schema and no rule: those live in `wasm-check`. Texts pass as UTF-8.

use std::borrow::Cow;

use holdpoint_facade::Shell;
use holdpoint_kind_crew::archive::packed_text;
use holdpoint_kind_crew::page;
use wasm_bindgen::prelude::*;

static SHELL: Shell = Shell { groups: &[&[page::METHODS]], ..Shell::EMPTY };

/// Called once when the module starts: a panic shows its message instead of `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Calls a method of crew pages: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn call(method: &str, input: &[u8]) -> String {
    SHELL.call_text(method, &text(input))
}

/// The archive of files: JSON text `{path: text}` in, the bytes of a ZIP file out. Throws an error answer as JSON text.
#[wasm_bindgen]
pub fn archive(files: &[u8]) -> Result<Vec<u8>, String> {
    packed_text(&text(files))
}

/// The host's encoder writes valid UTF-8; what is not becomes U+FFFD.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
