//! The checks of crew packages in the page, in a Web Worker that is started anew after a trap.
//!
//! Owns the door to the methods that need schemas and rules. What pages show and edit has none: it lives in `wasm-crew`.

holdpoint_wasm_shell::module! { kinds: &[&holdpoint_kind_crew::CHECK] }
