//! The tools that the benchmark asks, ours among them, each as its documents say it is used.

mod crates;
mod npm;
mod ours;
mod programs;

use std::path::Path;
use std::time::Duration;

use crate::case::Case;
use crate::clock;
use crate::fault::Fault;

pub use npm::{install as npm_install, install_diff as npm_diff};
pub use ours::Ours;
pub use programs::GitApply;

/// A tool's answer: the text after, or none where it refused.
pub type Answer = Option<String>;

/// Runs of a tool in our own process; the quickest counts, for the machine does other things besides.
const RUNS: usize = 3;
/// What takes longer is not repeated.
const LONG: Duration = Duration::from_millis(10);

/// Asks a tool of our own process.
fn timed(ask: impl Fn() -> Answer) -> (Answer, Duration) {
    let once = || clock::timed(|| std::hint::black_box(ask()));
    let (answer, mut took) = once();
    for _ in 1..RUNS {
        if took < LONG {
            took = took.min(once().1);
        }
    }
    (answer, took)
}

/// Something that applies patches.
pub trait Tool {
    /// Its name in the table.
    fn name(&self) -> &'static str;
    /// How it is called, for the table.
    fn usage(&self) -> &'static str;
    /// Asks it. The time is its own: starting a program counts, writing its files does not. Programs are timed on the wall,
    /// the others on the processor.
    fn apply(&mut self, case: &Case) -> Result<(Answer, Duration), Fault>;
    /// What it says to the author of a reply that it refused. None for those that name at most the number of a hunk or of
    /// a line: nobody can write another old line from that.
    fn message(&mut self, _case: &Case) -> Option<String> {
        None
    }
}

/// The others. `work` is a folder for their files, `cache` for what must be installed.
pub fn peers(work: &Path, cache: &Path) -> Result<Vec<Box<dyn Tool>>, Fault> {
    Ok(vec![
        Box::new(programs::GnuPatch::new(work)?),
        Box::new(programs::GitApply::new(work, false)?),
        Box::new(programs::GitApply::new(work, true)?),
        Box::new(crates::Diffy),
        Box::new(crates::Flickzeug),
        Box::new(crates::Mpatch),
        Box::new(npm::Diff::start(cache)?),
    ])
}
