//! The hunt for crew packages that take long: the seeded walk of the facade's tests, taken further and timed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::time::Duration;

use crate::clock;
use crate::fault::Fault;
use packages::Seeds;
use walk::Walk;

#[path = "../../../facade/fuzz/crew.rs"]
mod crew;
#[path = "../../../facade/fuzz/packages.rs"]
mod packages;
#[path = "../../../facade/fuzz/walk.rs"]
mod walk;

/// How a hunt goes.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Inputs to try.
    pub inputs: usize,
    /// Bytes that a text grows to.
    pub grown: usize,
    /// What takes longer is told.
    pub over: Duration,
    /// Another seed tries other inputs; never zero.
    pub seed: u64,
}

/// What a hunt found.
#[derive(Debug, Default)]
pub struct Hunted {
    /// Questions asked, by method.
    pub asked: BTreeMap<String, usize>,
    /// The longest of each method, and the input that it was in.
    pub longest: BTreeMap<String, (Duration, usize)>,
    /// Those over the threshold: input, method, time.
    pub slow: Vec<(usize, String, Duration)>,
    /// Of all answers in their order: two builds that answer alike have the same.
    pub digest: u64,
}

/// Hunts; an input that breaks a promise ends it with a panic that says which one.
pub fn hunt(root: &Path, wanted: &Wanted) -> Result<Hunted, Fault> {
    let seeds = Seeds::read(root)?;
    let mut found = Hunted::default();
    let mut digest = DefaultHasher::new();
    for input in 0..wanted.inputs {
        // Each input has a walk of its own, so that one of them can be asked again.
        let mut walk = Walk((wanted.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((input as u64 + 1) << 20)) | 1);
        walk.below(2);
        let grown = if input % 16 == 0 { wanted.grown } else { 0 };
        let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            seeds.ask(&mut walk, grown, &mut |method, run| {
                let (answer, took) = clock::timed(run);
                answer.hash(&mut digest);
                *found.asked.entry(method.to_owned()).or_default() += 1;
                let longest = found.longest.entry(method.to_owned()).or_default();
                *longest = (*longest).max((took, input));
                if took >= wanted.over {
                    found.slow.push((input, method.to_owned(), took));
                }
            });
        }));
        if held.is_err() {
            return Err(Fault::Told(format!("Input {input} of seed {} breaks a promise: see above.", wanted.seed)));
        }
    }
    found.digest = digest.finish();
    Ok(found)
}
