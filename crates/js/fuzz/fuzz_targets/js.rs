//! Code that nests without end, made of pieces that the bytes choose.
#![no_main]

#[path = "../disguise.rs"]
mod disguise;

use holdpoint_kind_extension::{Options, check};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let code = disguise::soup(data);
    check(&[("src/main.js".to_owned(), code)].into(), &Options::default());
});
