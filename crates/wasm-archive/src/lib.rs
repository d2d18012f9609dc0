//! Bundles as one file in the page, loaded when somebody hands one on or takes one.
//!
//! Owns the door to the archive methods of the facade; private keys have none here.

holdpoint_wasm_shell::module! { groups: &[&[holdpoint_kind_extension::methods::archive::METHODS]] }
