//! `docs/bench/apps.md`: a row a task, the figures with their release gates, and the series of earlier runs.

use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use holdpoint_gateway::instant::iso;
use serde::{Deserialize, Serialize};

use super::ran::{Builds, Kpis, Ran, percent, quantile};
use super::task::Benchmark;
use crate::fault::Fault;

/// Percent of tasks that must be done at the first prompt; the scripted model has an answer to each.
const MIN_SUCCESS: f64 = 70.0;
const SCRIPTED: &str = "scripted";
/// Points that success may fall below the last run of the same model.
const MAX_FALL: f64 = 4.0;
const MIN_COMPILE: f64 = 95.0;
const MIN_HEALED: f64 = 60.0;
const MAX_FIRST_MS: f64 = 2_500.0;
const MAX_EDIT_MS: f64 = 120_000.0;
const MAX_SCRIPTED_EDIT_MS: f64 = 20_000.0;
/// How many times the p95 of the last run of the same model an edit may take.
const MAX_SLOWER: f64 = 1.2;
/// Of the median of warm builds; the smallest template is quicker.
const MAX_WARM_MS: f64 = 3_000.0;
const SMALLEST: (&str, f64) = ("blank-react", 1_500.0);
/// Of the first build after a new package.
const MAX_FIRST_BUILD_MS: f64 = 15_000.0;

/// One run of the whole benchmark in the series.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Line {
    /// When it was, in ISO 8601.
    at: String,
    version: String,
    model: String,
    kpis: Kpis,
}

impl Line {
    pub fn now(model: String, kpis: Kpis) -> Self {
        let past = SystemTime::now().duration_since(UNIX_EPOCH).map(|past| past.as_millis()).unwrap_or_default();
        Self {
            at: iso(i64::try_from(past).unwrap_or_default()),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model,
            kpis,
        }
    }
}

/// The lines that are kept.
pub fn series(text: &str) -> Result<Vec<Line>, Fault> {
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// A figure that a release must have.
#[derive(Debug)]
pub struct Gate {
    pub name: String,
    said: String,
    wanted: String,
    pub holds: bool,
}

/// The release gates of a run, beside the last one of the same model.
pub fn gates(line: &Line, series: &[Line]) -> Vec<Gate> {
    let (kpis, last) = (&line.kpis, series.iter().rfind(|one| one.model == line.model).map(|one| &one.kpis));
    let is_scripted = line.model == SCRIPTED;
    let gate = |name: &str, said, wanted, holds| Gate { name: name.to_owned(), said, wanted, holds };
    let least = if is_scripted { 100.0 } else { MIN_SUCCESS };
    let floor = last.map_or(0.0, |last| last.success() - MAX_FALL);
    let most = if is_scripted { MAX_SCRIPTED_EDIT_MS } else { MAX_EDIT_MS };
    let most = last.filter(|_| !is_scripted).map_or(most, |last| most.min(last.p95_edit_ms * MAX_SLOWER));
    let share = |some, all| format!("{some} of {all}, {:.0} %", percent(some, all));
    vec![
        gate(
            "task success",
            share(kpis.done, kpis.runs),
            if is_scripted { "all".to_owned() } else { format!("> {least} %, and ≥ {floor:.0} %") },
            (if is_scripted { kpis.done == kpis.runs } else { kpis.success() > least }) && kpis.success() >= floor,
        ),
        gate(
            "compile pass",
            share(kpis.compile, kpis.staged),
            format!("≥ {MIN_COMPILE} %"),
            percent(kpis.compile, kpis.staged) >= MIN_COMPILE,
        ),
        gate(
            "self-heal",
            share(kpis.healed, kpis.hurt),
            format!("≥ {MIN_HEALED} %"),
            percent(kpis.healed, kpis.hurt) >= MIN_HEALED,
        ),
        gate(
            "median to the first word or tool",
            seconds(kpis.median_first_ms),
            format!("≤ {}", seconds(MAX_FIRST_MS)),
            kpis.median_first_ms <= MAX_FIRST_MS,
        ),
        gate(
            "p95 to the proposal",
            seconds(kpis.p95_edit_ms),
            format!("≤ {}", seconds(most)),
            kpis.p95_edit_ms <= most,
        ),
    ]
}

/// The gates of builds, where they were measured.
pub fn build_gates(builds: &[Builds]) -> Vec<Gate> {
    let of = |build: &Builds| {
        let warm = if build.template == SMALLEST.0 { SMALLEST.1 } else { MAX_WARM_MS };
        let gate = |what: &str, ms: f64, most: f64| Gate {
            name: format!("{what} of {}", build.template),
            said: seconds(ms),
            wanted: format!("< {}", seconds(most)),
            holds: ms < most,
        };
        [
            gate("median of warm builds", quantile(&build.warm, 0.5), warm),
            gate("first build with a new package", build.first_ms, MAX_FIRST_BUILD_MS),
        ]
    };
    builds.iter().flat_map(of).collect()
}

fn seconds(ms: f64) -> String {
    format!("{:.2} s", ms / 1_000.0)
}

/// What a run did not do of its task.
pub fn misses(benchmark: &Benchmark, ran: &Ran) -> Vec<String> {
    benchmark.task(&ran.task).map_or_else(|| vec!["there is no such task".to_owned()], |task| task.misses(ran))
}

/// A row of the table.
pub fn row(benchmark: &Benchmark, ran: &Ran) -> String {
    let task = benchmark.task(&ran.task);
    let (template, difficulty) = task.map_or(("", ""), |task| (task.template.as_str(), task.difficulty.as_str()));
    let missed = misses(benchmark, ran);
    let told = if missed.is_empty() { "done".to_owned() } else { missed.join("; ").replace('|', "/") };
    let time = |ms: Option<f64>| ms.map(seconds).unwrap_or_default();
    let (first, edit, tokens) = (time(ran.first_ms), time(ran.edit_ms), ran.tokens);
    format!("| {} | {template} | {difficulty} | {told} | {first} | {edit} | {tokens} |", ran.task)
}

/// All that one run of the benchmark saw.
/// Processes that ran or waited in the last minute, on average; empty where the machine does not say.
pub fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().unwrap_or_default().to_owned()
}

/// What a run of the benchmark came to.
pub struct Report<'r> {
    pub benchmark: &'r Benchmark,
    pub runs: &'r [Ran],
    pub builds: &'r [Builds],
    pub line: &'r Line,
    pub gates: &'r [Gate],
    /// Of the machine in the minute before.
    pub load_before: &'r str,
}

impl Report<'_> {
    /// The figures and their gates, and the builds where they were measured.
    pub fn figures(&self) -> String {
        let mut text = "| figure | measured | release gate | |\n|---|--:|--:|---|\n".to_owned();
        for Gate { name, said, wanted, holds } in self.gates {
            let _ = writeln!(text, "| {name} | {said} | {wanted} | {} |", if *holds { "green" } else { "**red**" });
        }
        if self.builds.is_empty() {
            return text;
        }
        text.push_str(
            "\nBuilds, from the request of a save to the end of its build; before the first one with a new package no \
             packages were installed, and npm had what it keeps of its downloads:\n\n\
             | template | warm builds | median | p95 | with a new package |\n|---|--:|--:|--:|--:|\n",
        );
        for Builds { template, warm, first_ms } in self.builds {
            let [median, p95] = [0.5, 0.95].map(|share| seconds(quantile(warm, share)));
            let _ = writeln!(text, "| {template} | {} | {median} | {p95} | {} |", warm.len(), seconds(*first_ms));
        }
        text
    }

    /// The whole document.
    pub fn document(&self, series: &[Line], command: &str) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (before, after) = (self.load_before, load());
        let mut text = format!(
            "# Apps made by asking\n\nWritten by `{command}` on {cores} cores (load of the minute before {before}, at the end \
             {after}): edge, build runner, model `{}` and Chromium in one run, each task on a new app, its first prompt alone. A task is done when its run \
             ended as it should and everything that `tests/apps/benchmark.json` asks of files, build, tests and page \
             holds.\n\n{}\n## Tasks\n\n| task | template | size | | first word or tool | proposal | tokens |\n\
             |---|---|---|---|--:|--:|--:|\n",
            self.line.model,
            self.figures()
        );
        for ran in self.runs {
            let _ = writeln!(text, "{}", row(self.benchmark, ran));
        }
        text.push_str("\n## Series\n\nNewest first; all of it stands in `apps.jsonl`.\n\n");
        text.push_str("| day | version | model | done | p95 to the proposal | |\n|---|---|---|--:|--:|---|\n");
        for Line { at, version, model, kpis } in series.iter().chain([self.line]).rev() {
            let bar = "█".repeat((kpis.success() / 10.0).round() as usize);
            let _ = writeln!(
                text,
                "| {} | {version} | {model} | {} of {} | {} | {bar} |",
                at.split('T').next().unwrap_or_default(),
                kpis.done,
                kpis.runs,
                seconds(kpis.p95_edit_ms)
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(model: &str, done: usize, p95_edit_ms: f64) -> Line {
        let kpis =
            Kpis { runs: 25, done, staged: 20, compile: 20, hurt: 5, healed: 4, median_first_ms: 900.0, p95_edit_ms };
        Line::now(model.to_owned(), kpis)
    }

    fn red(line: &Line, series: &[Line]) -> Vec<String> {
        gates(line, series).into_iter().filter(|gate| !gate.holds).map(|gate| gate.name).collect()
    }

    #[test]
    fn builds_are_held_to_their_figures() {
        let builds = |template: &str, warm: f64, first_ms: f64| Builds {
            template: template.to_owned(),
            warm: vec![warm; 3],
            first_ms,
        };
        let red = |one: Builds| {
            let gates = build_gates(&[one]);
            gates.into_iter().filter(|gate| !gate.holds).map(|gate| gate.name).collect::<Vec<_>>()
        };
        assert!(red(builds("dashboard", 2_900.0, 14_000.0)).is_empty());
        assert_eq!(red(builds("blank-react", 1_600.0, 1.0)), ["median of warm builds of blank-react"]);
        assert_eq!(red(builds("dashboard", 1.0, 16_000.0)), ["first build with a new package of dashboard"]);
    }

    #[test]
    fn the_scripted_model_must_do_all() {
        assert!(red(&line("scripted", 25, 19_000.0), &[]).is_empty());
        assert_eq!(red(&line("scripted", 24, 21_000.0), &[]), ["task success", "p95 to the proposal"]);
    }

    #[test]
    fn a_model_may_not_fall_far_behind_its_last_run() {
        assert!(red(&line("m", 18, 60_000.0), &[]).is_empty());
        let series = [line("m", 22, 40_000.0), line("other", 5, 1.0)];
        assert_eq!(red(&line("m", 18, 60_000.0), &series), ["task success", "p95 to the proposal"]);
        assert!(red(&line("m", 21, 47_000.0), &series).is_empty());
    }
}
