//! The app builder on its 25 tasks, and how long its builds take: the rig, the figures and their release gate (spec:
//! app-builder.md §13).
//!
//! The stack runs already. A rig in Node asks its routes and walks pages in Chromium; what it saw is judged here, where
//! expressions take linear time and the check is the product's own.

pub mod speed;
pub mod truth;

mod ran;
mod report;
mod task;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fault::Fault;
use ran::{Builds, Kpis, Ran};
use report::{Line, Report};
use task::Benchmark;

const RIG: &str = "crates/bench/src/apps/run.ts";
const TASKS: &str = "tests/apps/benchmark.json";
/// The figures of every whole run, oldest first.
const SERIES: &str = "docs/bench/apps.jsonl";
const TABLE: &str = "docs/bench/apps.md";

/// What of which stack is measured.
#[derive(Debug)]
pub struct Wanted {
    /// Scheme, host and port of the edge.
    pub origin: String,
    /// The file with the keys of its account.
    pub keys_file: PathBuf,
    /// The model's name, where it is not the scripted one.
    pub model: Option<String>,
    pub repeat: usize,
    /// Warm builds of each template; none: builds are not measured.
    pub builds: usize,
    /// The command that was given, for the document.
    pub command: String,
    /// Prints the figures as JSON, and keeps nothing.
    pub json: bool,
}

/// Runs all tasks, says a row each as it ends, then the figures; keeps them. A red release gate is a fault.
pub fn run(root: &Path, wanted: &Wanted, say: impl Fn(&str)) -> Result<(), Fault> {
    let benchmark = Benchmark::read(&std::fs::read_to_string(root.join(TASKS))?)?;
    let load_before = report::load();
    let (mut runs, mut builds): (Vec<Ran>, Vec<Builds>) = (Vec::new(), Vec::new());
    let mut rig = Command::new("node");
    rig.args(["--import", "tsx", RIG, &wanted.origin]).arg(&wanted.keys_file).arg(TASKS);
    rig.args([wanted.repeat.to_string(), wanted.builds.to_string()]).current_dir(root).stdout(Stdio::piped());
    let mut rig = rig.spawn()?;
    let told = rig.stdout.take().ok_or_else(|| Fault::Told("the rig has no output".to_owned()))?;
    for line in BufReader::new(told).lines() {
        let line: Value = serde_json::from_str(&line?)?;
        if line.get("template").is_some() {
            builds.push(serde_json::from_value(line)?);
            continue;
        }
        let ran: Ran = serde_json::from_value(line)?;
        if !wanted.json {
            say(&report::row(&benchmark, &ran));
        }
        runs.push(ran);
    }
    if !rig.wait()?.success() {
        return Err(Fault::Told("The rig of apps failed: see above.".to_owned()));
    }
    let judged: Vec<(&Ran, bool)> = runs.iter().map(|ran| (ran, report::misses(&benchmark, ran).is_empty())).collect();
    let model = wanted.model.clone().unwrap_or_else(|| "scripted".to_owned());
    let line = Line::now(model, Kpis::of(&judged));
    let series = report::series(&std::fs::read_to_string(root.join(SERIES)).unwrap_or_default())?;
    let mut gates = report::gates(&line, &series);
    gates.extend(report::build_gates(&builds));
    if wanted.json {
        say(&serde_json::to_string(&line)?);
    } else {
        let report = Report {
            benchmark: &benchmark,
            runs: &runs,
            builds: &builds,
            line: &line,
            gates: &gates,
            load_before: &load_before,
        };
        let document = report.document(&series, &wanted.command);
        say(&format!("\n{}", report.figures()));
        std::fs::write(root.join(TABLE), document)?;
        let all = series.iter().chain([&line]).map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        std::fs::write(root.join(SERIES), format!("{}\n", all.join("\n")))?;
    }
    let red: Vec<&str> = gates.iter().filter(|gate| !gate.holds).map(|gate| gate.name.as_str()).collect();
    if red.is_empty() { Ok(()) } else { Err(Fault::Told(format!("The release gate is red: {}.", red.join(", ")))) }
}
