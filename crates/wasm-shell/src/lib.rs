//! What the Wasm modules of the page share that answer methods of the facade: their start, their door, their randomness.
//!
//! Owns the door [`module!`] and the start that shows a panic's message. Knows no kind: a module hands its shell in, so that
//! it links nothing of another one's. `wasm-archive` has a door of its own, because it has no room for the start's words.
//! Texts pass as UTF-8; what traps is lost with its instance, and the page starts anew.

use std::borrow::Cow;

#[doc(hidden)]
pub use holdpoint_facade::Shell;
#[doc(hidden)]
pub use wasm_bindgen as bindgen;

use wasm_bindgen::prelude::wasm_bindgen;

/// Called once when the module starts: a panic shows its message instead of `unreachable`.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The host's encoder writes valid UTF-8; what is not becomes U+FFFD.
#[must_use]
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The door of a module over the members of its [`Shell`]: `call`, JSON text in and out.
#[macro_export]
macro_rules! module {
    ($($member:ident: $value:expr),+ $(,)?) => {
        static SHELL: $crate::Shell = $crate::Shell { $($member: $value,)+ ..$crate::Shell::EMPTY };

        /// Calls a method of this module: JSON text in, JSON text out. One that it does not have answers `UNKNOWN_METHOD`.
        #[$crate::bindgen::prelude::wasm_bindgen(wasm_bindgen = $crate::bindgen)]
        #[must_use]
        pub fn call(method: &str, input: &[u8]) -> String {
            SHELL.call_text(method, &$crate::text(input))
        }
    };
}
