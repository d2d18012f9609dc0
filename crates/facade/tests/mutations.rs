//! No input of a method panics or goes unanswered: the sample cases, mutated by a seeded walk.
//!
//! The same road as the coverage-guided target in `fuzz/`, on a stable compiler and always on.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::path::Path;

use holdpoint_facade::call;
use serde_json::{Map, Value, json};

/// Mutated inputs a run.
const MUTATIONS: usize = 6_000;
/// Texts that readers of JSON, paths, versions, numbers, markup or code stumble over.
const NASTY: &[&str] = &[
    "",
    "\0",
    "\u{feff}",
    "../x",
    "a//b",
    "\u{202e}",
    "\u{1f600}",
    "e\u{301}",
    "\r",
    "[[[[[[[[",
    "{\"a\":{\"a\":",
    "1e999",
    "-0",
    "0x",
    "99999999999999999999",
    "=>",
    "`${",
    "/*",
    "\\u",
    "&lt;",
    "@@",
    "~1",
    "$ref",
    "__proto__",
    "*",
    "**:*",
    "&a *a",
    "!!str ",
    "<<: {}",
    "---\n",
    "\n## Goal\n",
    "```py\n@pkg/",
    "assets/",
    "? [",
    "%YAML 1.2\n",
];

/// xorshift64*: small, and the same walk on every machine.
struct Walk(u64);

impl Walk {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

fn cases() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let lines = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")).flat_map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    });
    let due: Vec<&str> = holdpoint_facade::table().map(|(name, _)| name).collect();
    lines
        .map(|mut case| (case["method"].as_str().unwrap().to_owned(), case["input"].take()))
        .filter(|(method, _)| due.contains(&method.as_str()))
        .collect()
}

/// Changes one place of a value: the deeper the value, the more often below its root.
fn mutate(value: &mut Value, walk: &mut Walk) {
    match value {
        Value::Object(members) if !members.is_empty() && walk.below(8) > 0 => member(members, walk),
        Value::Array(items) if !items.is_empty() && walk.below(8) > 0 => match walk.below(6) {
            0 => drop(items.remove(walk.below(items.len()))),
            1 => items.push(items[walk.below(items.len())].clone()),
            _ => {
                let at = walk.below(items.len());
                mutate(&mut items[at], walk);
            }
        },
        Value::String(text) if walk.below(8) > 0 => *text = mutate_text(text, walk),
        Value::Number(_) => {
            *value = [json!(-1), json!(0), json!(1.5), json!(u64::MAX), json!(1e300)][walk.below(5)].clone();
        }
        _ => *value = [json!(null), json!([]), json!({}), json!(true), json!("x"), json!([[]])][walk.below(6)].clone(),
    }
}

fn member(members: &mut Map<String, Value>, walk: &mut Walk) {
    let at = walk.below(members.len());
    let name = members.keys().nth(at).unwrap().clone();
    match walk.below(12) {
        0 => drop(members.remove(&name)),
        1 => {
            let value = members.remove(&name).unwrap();
            members.insert(mutate_text(&name, walk), value);
        }
        _ => mutate(members.get_mut(&name).unwrap(), walk),
    }
}

/// Cuts, doubles, swaps, or puts a nasty piece in. A text that is JSON (a manifest, a widget) is often changed as one.
fn mutate_text(text: &str, walk: &mut Walk) -> String {
    if let (Ok(mut inner @ (Value::Object(_) | Value::Array(_))), true) =
        (serde_json::from_str(text), walk.below(3) > 0)
    {
        mutate(&mut inner, walk);
        return inner.to_string();
    }
    let mut chars: Vec<char> = text.chars().collect();
    let (a, b) = (walk.below(chars.len() + 1), walk.below(chars.len() + 1));
    let (from, to) = (a.min(b), a.max(b));
    match walk.below(5) {
        0 => drop(chars.drain(from..to)),
        1 => chars.truncate(from),
        2 => chars.splice(from..from, chars[from..to.min(from + 200)].to_vec()).for_each(drop),
        3 if from < to => chars.swap(from, to - 1),
        _ => chars.splice(from..from, walk.one(NASTY).chars()).for_each(drop),
    }
    chars.into_iter().collect()
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
        let answer = std::panic::catch_unwind(|| call(method, input));
        let answer = answer.unwrap_or_else(|_| panic!("step {step}: {method} panicked on {told}"));
        assert!(!answer.is_null(), "step {step}: {method} has no answer to {told}");
        if let Some(error) = answer.get("error") {
            assert!(error["code"].as_str().is_some_and(|code| !code.is_empty()), "{method}: {error}");
        }
    }
}
