//! What the rig saw of runs and builds, and the figures that come of it (spec: app-builder.md §13).

use holdpoint_bundle::Files;
use serde::{Deserialize, Serialize};

/// One run of a task.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Ran {
    pub task: String,
    pub round: usize,
    pub outcome: String,
    /// Why it ended, where it failed.
    pub code: Option<String>,
    /// The code with which its proposal was not applied.
    pub refused: Option<String>,
    pub answer: String,
    /// The project with its seeded fault, and the revision that was applied.
    pub before: Files,
    pub after: Files,
    pub entry_file: String,
    /// The version of the catalogue by which its packages are judged.
    pub catalog: String,
    /// How the build of that revision ended.
    pub build: Option<String>,
    /// Whether the run had tests, and all passed.
    pub tests: bool,
    /// What did not hold of the page.
    pub page: Vec<String>,
    /// Whether the last tree that was tried has no error in the check; `None`: no change was tried.
    pub clean: Option<bool>,
    /// Whether some gate said no on the way.
    pub gate_failed: bool,
    /// Milliseconds from the request: to the first word or tool, to the proposal, to the end.
    pub first_ms: Option<f64>,
    pub edit_ms: Option<f64>,
    pub whole_ms: f64,
    pub tokens: u64,
}

impl Ran {
    pub fn is_built(&self) -> bool {
        self.build.as_deref() == Some("succeeded")
    }
}

/// Milliseconds of the builds of a template, from the request of a save to the end of its build.
#[derive(Debug, Clone, Deserialize)]
pub struct Builds {
    pub template: String,
    /// With packages that are there.
    pub warm: Vec<f64>,
    /// With a package that no build had before.
    pub first_ms: f64,
}

/// The figures of one round of the benchmark, or of several.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kpis {
    pub runs: usize,
    pub done: usize,
    /// Of the runs that tried a change: those whose last tree has no error in the check.
    pub staged: usize,
    pub compile: usize,
    /// Of the runs in which a gate said no: those that succeeded.
    pub hurt: usize,
    pub healed: usize,
    pub median_first_ms: f64,
    pub p95_edit_ms: f64,
}

impl Kpis {
    /// Of runs, each with whether its task was done.
    pub fn of(runs: &[(&Ran, bool)]) -> Self {
        let count = |is: &dyn Fn(&Ran, bool) -> bool| runs.iter().filter(|(ran, done)| is(ran, *done)).count();
        let times = |of: fn(&Ran) -> Option<f64>| runs.iter().filter_map(|(ran, _)| of(ran)).collect::<Vec<_>>();
        Self {
            runs: runs.len(),
            done: count(&|_, done| done),
            staged: count(&|ran, _| ran.clean.is_some()),
            compile: count(&|ran, _| ran.clean == Some(true)),
            hurt: count(&|ran, _| ran.gate_failed),
            healed: count(&|ran, _| ran.gate_failed && ran.outcome == "succeeded"),
            median_first_ms: quantile(&times(|ran| ran.first_ms), 0.5),
            p95_edit_ms: quantile(&times(|ran| ran.edit_ms), 0.95),
        }
    }

    /// Percent of tasks that were done.
    pub fn success(&self) -> f64 {
        percent(self.done, self.runs)
    }
}

/// How many of a hundred; all of none.
pub fn percent(some: usize, all: usize) -> f64 {
    if all == 0 { 100.0 } else { some as f64 * 100.0 / all as f64 }
}

/// The value below which that share of the values lies; 0 of none.
pub fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_count_the_runs_that_they_are_about() {
        let done = Ran { clean: Some(true), first_ms: Some(100.0), edit_ms: Some(2_000.0), ..Ran::default() };
        let healed = Ran { gate_failed: true, outcome: "succeeded".to_owned(), first_ms: Some(300.0), ..done.clone() };
        let lost = Ran { gate_failed: true, clean: Some(false), first_ms: Some(200.0), ..Ran::default() };
        let answered = Ran { first_ms: Some(100.0), ..Ran::default() };
        let kpis = Kpis::of(&[(&done, true), (&healed, true), (&lost, false), (&answered, true)]);
        assert_eq!((kpis.runs, kpis.done, kpis.staged, kpis.compile), (4, 3, 3, 2));
        assert_eq!((kpis.hurt, kpis.healed), (2, 1));
        assert!((kpis.success() - 75.0).abs() < f64::EPSILON);
        assert!((kpis.p95_edit_ms - 2_000.0).abs() < f64::EPSILON);
        assert!(kpis.median_first_ms >= 100.0 && kpis.median_first_ms <= 200.0);
    }

    #[test]
    fn nothing_that_could_fail_did_not_fail() {
        let kpis = Kpis::of(&[]);
        assert!((kpis.success() - 100.0).abs() < f64::EPSILON && kpis.p95_edit_ms == 0.0);
    }
}
