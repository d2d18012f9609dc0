//! Code that nests without end, made of pieces that the bytes choose.
#![no_main]

#[path = "../disguise.rs"]
mod disguise;

use std::collections::BTreeMap;

use holdpoint_check::js::analyse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let code = disguise::soup(data);
    analyse(&BTreeMap::from([("src/main.js".to_owned(), code)]), &[]);
});
