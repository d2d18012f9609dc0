//! No input of a method panics or goes unanswered: the sample cases, mutated by a seeded walk.
//!
//! The same road as the coverage-guided target in `fuzz/`, on a stable compiler and always on.

use std::path::Path;

use serde_json::Value;

use crate::SHELL;
use crate::walk::{Walk, mutate};

/// Mutated inputs a run.
const MUTATIONS: usize = 6_000;

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let lines = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    });
    let due: Vec<&str> = SHELL.names();
    lines
        .map(|mut case| (case["method"].as_str().unwrap().to_owned(), case["input"].take()))
        .filter(|(method, _)| due.contains(&method.as_str()))
        .collect()
}

#[test]
fn every_mutated_input_is_answered() {
    let cases = cases();
    let mut walk = Walk(0x9e37_79b9_7f4a_7c15);
    for step in 0..MUTATIONS {
        let (method, input) = &cases[walk.below(cases.len())];
        let mut input = input.clone();
        for _ in 0..=walk.below(3) {
            mutate(&mut input, &mut walk);
        }
        let told = input.to_string();
        let answer = std::panic::catch_unwind(|| SHELL.call(method, input));
        let answer = answer.unwrap_or_else(|_| panic!("step {step}: {method} panicked on {told}"));
        assert!(!answer.is_null(), "step {step}: {method} has no answer to {told}");
        // What `python.facts` says of a text is no refusal: it has a place.
        if let Some(error) = answer.get("error").filter(|error| error.get("range").is_none()) {
            assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()), "{method}: {error}");
        }
    }
}
