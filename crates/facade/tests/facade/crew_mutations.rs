//! Crew packages, change sets and archives that a seeded walk changed: nothing panics, and what is promised holds.
//!
//! `cargo xtask bench crew-slow` takes the same walk further, and times it.
#[path = "../../fuzz/bytes.rs"]
mod bytes;
#[path = "../../fuzz/crew.rs"]
mod crew;
#[path = "../../fuzz/packages.rs"]
mod packages;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::walk::{self, Walk};
use packages::Seeds;

/// Inputs a run.
const INPUTS: usize = 3_000;
/// Bytes that a text grows to.
const GROWN: usize = 20_000;

#[test]
fn what_is_promised_of_crew_packages_holds_for_changed_ones() {
    let seeds = Seeds::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let mut walk = Walk(0x2545_f491_4f6c_dd1d);
    for step in 0..INPUTS {
        let begun = walk.clone();
        let held = catch_unwind(AssertUnwindSafe(|| seeds.ask(&mut walk, GROWN, &mut |_, run| drop(run()))));
        assert!(held.is_ok(), "step {step} of the walk, from {begun:?}");
    }
}

#[test]
fn any_bytes_are_answered() {
    let mut walk = Walk(0x9e37_79b9_7f4a_7c15);
    for _ in 0..INPUTS {
        let length = walk.below(400);
        let bytes: Vec<u8> = (0..length).map(|_| walk.below(256) as u8).collect();
        bytes::any(&bytes);
    }
}
