//! Bundles as one file in the page, loaded when somebody hands one on or takes one.
//!
//! Owns the door to the archive methods of the facade; private keys have none here. Texts pass as UTF-8.

use std::borrow::Cow;

use holdpoint_facade::Shell;
use holdpoint_kind_extension::methods::archive;
use wasm_bindgen::prelude::wasm_bindgen;

static SHELL: Shell = Shell { groups: &[&[archive::METHODS]], ..Shell::EMPTY };

/// Calls an archive method: JSON text in, JSON text out.
#[wasm_bindgen]
#[must_use]
pub fn call(method: &str, input: &[u8]) -> String {
    SHELL.call_text(method, &text(input))
}

/// The host's encoder writes valid UTF-8; what is not becomes U+FFFD.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
