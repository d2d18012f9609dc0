//! The code of a program: the bundle's modules as they were checked, with their metering (spec: ifc-sdk.md §6.2).

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::Files;
use holdpoint_sdk::run::{Entry, Metering};

/// Modules that are ready to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeteredCode {
    pub modules: BTreeMap<String, String>,
    pub metering: Metering,
}

/// Meters the `.js` files of a bundle; `called` are the functions that a host calls. A file that is no module is left
/// out.
pub fn metered<'e>(files: &Files, called: impl IntoIterator<Item = &'e Entry>) -> MeteredCode {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Entry { module, function } in called {
        names.entry(module.clone()).or_default().insert(function.clone());
    }
    let holdpoint_js::Metered { prefix, texts, moved } = holdpoint_js::read(files, |world| world.metered(&names));
    let triples = |places: Vec<holdpoint_js::Moved>| {
        places.into_iter().map(|place| (place.line, place.column, place.own)).collect()
    };
    let moved = moved.into_iter().map(|(path, places)| (path, triples(places))).collect();
    MeteredCode { modules: texts, metering: Metering { prefix, moved } }
}
