//! The perf-fuzzer: looks for inputs that take long, and keeps them.
//!
//! It starts from real windows with noise, repeats and mixes their lines, and goes on from what took longest. What passes
//! the threshold is written as a case; `cargo xtask bench text` measures every case that was ever found.

use std::path::Path;
use std::time::{Duration, Instant};

use holdpoint_text::{PreviewInput, preview};
use serde_json::{Value, json};

use crate::case::Case;
use crate::clock;
use crate::fault::Fault;
use crate::random::Random;

/// Inputs that the hunt goes on from.
const POOL: usize = 24;
/// Bytes of base and patch, at most: what the issue bounds in time.
const MAX_BYTES: usize = 60 * 1024;

/// A base and a patch.
pub type Proposal = (String, String);

/// What a hunt found.
#[derive(Debug)]
pub struct Found {
    /// Inputs tried.
    pub tried: usize,
    /// The slowest, slowest first.
    pub slowest: Vec<(Duration, Proposal)>,
}

/// Hunts for so long from these cases.
pub fn hunt(cases: &[Case], time: Duration, seed: &str) -> Found {
    let begun = Instant::now();
    let mut random = Random::of(&["slow", seed]);
    let mut found = Found { tried: 0, slowest: Vec::new() };
    while begun.elapsed() < time {
        let from = if found.slowest.is_empty() || random.once_in(3) {
            let Some(case) = random.pick(cases) else { break };
            (case.base.clone(), case.patch.clone())
        } else {
            found.slowest[random.below(found.slowest.len())].1.clone()
        };
        let Some(next) = changed(from, cases, &mut random) else { continue };
        let took = measured(&next);
        found.tried += 1;
        let at = found.slowest.partition_point(|(other, _)| *other > took);
        found.slowest.insert(at, (took, next));
        found.slowest.truncate(POOL);
    }
    found
}

/// What a preview says: its verdict, or the code of its first failure or of its limit.
pub fn outcome((base, patch): &Proposal) -> String {
    match PreviewInput::patch("file", base, patch).map(|input| preview(&input)) {
        Ok(seen) => match seen.error_details.first() {
            Some(detail) => format!("{:?}", detail.code),
            None => format!("{:?}", seen.verdict),
        },
        Err(error) => error.to_string(),
    }
}

/// How long a preview takes.
pub fn measured((base, patch): &Proposal) -> Duration {
    let look = || PreviewInput::patch("file", base, patch).map(|input| std::hint::black_box(preview(&input)));
    clock::timed(look).1
}

fn changed((base, patch): Proposal, cases: &[Case], random: &mut Random) -> Option<Proposal> {
    let mut base: Vec<String> = base.split_inclusive('\n').map(str::to_owned).collect();
    let mut patch: Vec<String> = patch
        .split_inclusive('\n')
        .filter(|line| !["diff --git", "--- ", "+++ "].iter().any(|head| line.starts_with(head)))
        .map(str::to_owned)
        .collect();
    for _ in 0..=random.below(3) {
        match random.below(8) {
            // Repetition is what makes placement costly.
            0 => repeated(&mut base, random),
            1 => repeated(&mut patch, random),
            2 => {
                let line = base.get(random.below(base.len()))?.clone();
                base.iter_mut()
                    .filter(|other| other.len() % 3 == line.len() % 3)
                    .for_each(|other| other.clone_from(&line));
            }
            3 => {
                let at = random.below(patch.len());
                let line = base.get(random.below(base.len()))?;
                patch.insert(at, format!(" {line}"));
            }
            4 => {
                let other = random.pick(cases)?;
                base.extend(other.base.split_inclusive('\n').map(str::to_owned));
            }
            5 => {
                let at = random.below(patch.len());
                let line = patch.get_mut(at)?;
                *line = line.chars().skip(usize::from(random.once_in(2))).collect();
            }
            6 => {
                for line in patch.iter_mut().filter(|line| line.starts_with("@@")) {
                    "@@\n".clone_into(line);
                }
            }
            _ => {
                let at = random.below(patch.len());
                let line = patch.get_mut(at)?;
                let cut = (0..line.len()).find(|cut| *cut > 1 && line.is_char_boundary(*cut))?;
                line.insert(cut, 'x');
            }
        }
    }
    let (base, patch) = (base.concat(), patch.concat());
    (base.len() <= MAX_BYTES && patch.len() <= MAX_BYTES).then_some((base, patch))
}

fn repeated(lines: &mut Vec<String>, random: &mut Random) {
    let start = random.below(lines.len());
    let end = (start + random.between(1, 12)).min(lines.len());
    let piece: Vec<String> = lines[start..end].to_vec();
    for _ in 0..random.between(1, 40) {
        lines.splice(end..end, piece.iter().cloned());
    }
}

/// Keeps an input as a case of `text.preview`.
pub fn keep(folder: &Path, took: Duration, (base, patch): &Proposal) -> Result<(), Fault> {
    std::fs::create_dir_all(folder)?;
    let number = std::fs::read_dir(folder)?.count() + 1;
    let case = json!({
        "id": format!("SLOW-{number:03}"),
        "method": "text.preview",
        "input": { "files": { "file": base }, "ops": [{ "op": "patch", "target_file": "file", "patch": patch }] },
        "expect": {},
        "why": format!("took {} ms when it was found", took.as_millis()),
    });
    Ok(std::fs::write(folder.join(format!("{number:03}.json")), format!("{case:#}\n"))?)
}

/// All inputs that were kept, with their names.
pub fn stored(folder: &Path) -> Result<Vec<(String, Proposal)>, Fault> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut paths: Vec<_> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let case: Value = serde_json::from_slice(&std::fs::read(&path)?)?;
        let text = |pointer: &str| case.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let name = case["id"].as_str().unwrap_or_default().to_owned();
        found.push((name, (text("/input/files/file"), text("/input/ops/0/patch"))));
    }
    Ok(found)
}
