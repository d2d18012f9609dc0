//! Crew packages: archives, packages and change sets, whatever the bytes are.
//!
//! `tests/crew_mutations.rs` of the facade walks the same road on a stable compiler, from the sample cases and packages.
#![no_main]

#[path = "../bytes.rs"]
mod bytes;
#[path = "../crew.rs"]
mod crew;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| bytes::any(data));
