//! `blocks` for cargo-fuzz.
#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code)] // the other targets
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::blocks_of_two(bytes));
