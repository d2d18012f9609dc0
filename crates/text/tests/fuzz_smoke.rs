//! Every fuzz target on its stored seeds and on 20,000 mutations of them, on any compiler.
//!
//! A seed that broke something once stays in its folder for good.
#![allow(clippy::unwrap_used)] // what does not hold ends the test

#[path = "../fuzz/mutate.rs"]
mod mutate;
#[path = "../fuzz/targets.rs"]
mod targets;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use mutate::{Random, mutated};
use targets::{ALL, Target};

/// Mutations over all targets.
const MUTATIONS: usize = 20_000;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Says what broke the target, so that it can become a seed.
fn holds(name: &str, target: Target, bytes: &[u8]) {
    let broken = catch_unwind(|| target(bytes)).is_err();
    assert!(!broken, "{name} is broken by {:?}", String::from_utf8_lossy(bytes));
}

fn run(name: &str) {
    let (_, target) = *ALL.iter().find(|(known, _)| *known == name).unwrap();
    let seeds = seeds(name);
    for seed in &seeds {
        holds(name, target, seed);
    }
    let mut random = Random(name.bytes().map(u64::from).sum());
    for _ in 0..MUTATIONS / ALL.len() {
        let seed = &seeds[random.below(seeds.len())];
        let other = &seeds[random.below(seeds.len())];
        let bytes = mutated(seed, other, &mut random);
        holds(name, target, &bytes);
    }
}

#[test]
fn parse() {
    run("parse");
}

#[test]
fn preview() {
    run("preview");
}

#[test]
fn diff() {
    run("diff");
}

#[test]
fn blocks() {
    run("blocks");
}
