//! Questions to the facade, measured natively and in a check module of the page in Node: the same ones in both.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use holdpoint_facade::Shell;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock;
use crate::fault::{Fault, output};

/// All that native programs can call.
pub static SHELL: Shell = holdpoint_facade::native_shell!(holdpoint_kinds);
/// Runs of one question, natively: a quick one gets as many as the time allows.
pub const RUNS: usize = 101;
/// Of one that is slow.
pub const FEW_RUNS: usize = 3;
const TIME: Duration = Duration::from_secs(2);

/// A method and its input.
#[derive(Debug, Serialize)]
pub struct Question {
    /// Of the facade.
    pub method: &'static str,
    /// As it is sent.
    pub input: Value,
}

/// Questions that are measured together.
#[derive(Debug, Serialize)]
pub struct Input {
    /// What it is.
    pub name: String,
    /// Milliseconds that it may take, natively and as Wasm.
    #[serde(skip)]
    pub due: (Option<u32>, Option<u32>),
    /// One after the other.
    pub questions: Vec<Question>,
}

/// Median milliseconds of an input in Node, and the size of its answers.
#[derive(Debug, Deserialize)]
pub struct Hosted {
    pub name: String,
    pub median: f64,
    pub bytes: usize,
}

/// Median milliseconds of an input.
pub fn natively(input: &Input, most: usize) -> f64 {
    let mut times = Vec::new();
    let begun = Instant::now();
    while times.len() < most && (times.len() < 3 || begun.elapsed() < TIME) {
        let asked: Vec<(&str, Value)> = input.questions.iter().map(|it| (it.method, it.input.clone())).collect();
        let ask = || asked.into_iter().map(|(method, input)| SHELL.call(method, input)).collect::<Vec<_>>();
        times.push(clock::timed(|| std::hint::black_box(ask())).1);
    }
    times.sort_unstable();
    let median = times[times.len() / 2].as_secs_f64() * 1e3;
    eprintln!("  {median:8.2} ms  {}", input.name);
    median
}

/// What the module of the page makes of two lists of inputs: the first is measured often, the second a few times.
pub fn in_node(root: &Path, cache: &Path, module: &str, lists: [&[Input]; 2]) -> Result<[Vec<Hosted>; 2], Fault> {
    let place = cache.join(format!("{module}-inputs.json"));
    std::fs::write(&place, serde_json::to_vec(&lists)?)?;
    let mut node = Command::new("node");
    node.arg(root.join("crates/bench/src/questions.mjs")).arg(module).arg(&place).current_dir(root);
    Ok(serde_json::from_slice(&output(node.stderr(Stdio::inherit()), 0)?)?)
}
