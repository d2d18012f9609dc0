//! The checks of scripts in the page, in a Web Worker that is started anew after a trap.
//!
//! Owns the door to the methods of the kind. The Python grammar is a module of its own: its answer comes as an option of
//! the check.

holdpoint_wasm_shell::module! { kinds: &[&holdpoint_kind_script::CHECK] }
