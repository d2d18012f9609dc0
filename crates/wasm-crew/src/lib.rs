//! Crew packages in the page: what pages see of them, how they are edited, and their archive.
//!
//! Owns the door to the methods that draw and edit packages, on the main thread, and to the archive that the edge writes
//! too. Loaded with the crew pages; links no schema and no rule: those live in `wasm-check-crew`.

use holdpoint_kind_crew::archive::packed_text;
use holdpoint_kind_crew::page;
use holdpoint_wasm_shell::text;
use wasm_bindgen::prelude::wasm_bindgen;

holdpoint_wasm_shell::module! { groups: &[&[page::METHODS]] }

/// The archive of files: JSON text `{path: text}` in, the bytes of a ZIP file out. Throws an error answer as JSON text.
#[wasm_bindgen]
pub fn archive(files: &[u8]) -> Result<Vec<u8>, String> {
    packed_text(&text(files))
}
