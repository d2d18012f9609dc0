//! The checks of apps in the page, in a Web Worker that is started anew after a trap.
//!
//! Owns the door to the methods of the kind, but `lock.renew`: the lock of a catalogue is larger than the module.

holdpoint_wasm_shell::module! { kinds: &[&holdpoint_kind_app::CHECK] }
