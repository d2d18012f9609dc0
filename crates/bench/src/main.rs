//! The rigs as a program; `cargo xtask bench` starts it.
#![allow(clippy::print_stdout)] // it talks to the person who started it

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use holdpoint_bench::case::{Case, cases, select};
use holdpoint_bench::fault::Fault;
use holdpoint_bench::{apps, check, crew, hostile, patch, replay, sandbox, slow, speed};

/// Rigs of the text engine, of the check, of crew packages and of apps.
#[derive(Debug, Parser)]
#[command(name = "holdpoint-bench", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    rig: Rig,
}

#[derive(Debug, Subcommand)]
enum Rig {
    /// The public patch benchmark; writes `docs/bench/patch.md`.
    Patch {
        /// Share of the windows in percent; only 100 writes the document.
        #[arg(long, default_value_t = 100)]
        percent: usize,
        /// Ask this tool alone, by its name in the table; may be given several times.
        #[arg(long)]
        only: Vec<String>,
        /// Ask other tools again what they were asked before.
        #[arg(long)]
        fresh: bool,
    },
    /// Every real change, diffed by us and applied by git, and the other way round.
    Replay,
    /// Speed natively, in Node and in Chromium; writes `docs/bench/text.md`.
    Text,
    /// Speed of `bundle.check` in Node; writes `docs/bench/check.md`.
    Check,
    /// Hostile and honest programs in our sandbox and in others; writes `docs/bench/sandbox.md`.
    Sandbox,
    /// Speed of crew packages natively and in Node; writes `docs/bench/crew.md`.
    Crew,
    /// The 25 tasks of the app builder on a stack that runs; writes `docs/bench/apps.md`.
    Apps {
        /// Scheme, host and port of its edge.
        #[arg(long)]
        origin: String,
        /// The file with the keys of its account.
        #[arg(long)]
        keys_file: PathBuf,
        /// The name of the model that it asks, where that is not the scripted one.
        #[arg(long)]
        model: Option<String>,
        /// How many times each task is asked.
        #[arg(long, default_value_t = 1)]
        repeat: usize,
        /// Warm builds that are measured of each template.
        #[arg(long, default_value_t = 0)]
        builds: usize,
        /// The command that is named in the document.
        #[arg(long)]
        command: String,
        /// Print the figures as JSON, and write nothing.
        #[arg(long)]
        json: bool,
    },
    /// Speed of the check of apps natively and in Node; writes `docs/bench/apps-speed.md`.
    AppsSpeed,
    /// The check of apps beside the real build on a runner that runs; writes `docs/bench/apps-truth.md`.
    AppsTruth {
        /// Scheme, host and port of the runner.
        #[arg(long)]
        runner: String,
        /// The file with its token.
        #[arg(long)]
        token_file: PathBuf,
        /// The origin from which locked packages come.
        #[arg(long)]
        registry: String,
        /// The version of the catalogue by which projects are checked.
        #[arg(long, default_value = "2026-11")]
        catalog: String,
        /// Only projects whose id has this text.
        #[arg(long)]
        only: Option<String>,
        /// Folders of projects, and files of lines; none: the own sample.
        projects: Vec<PathBuf>,
    },
    /// Tries changed crew packages, change sets and archives; tells what takes long or breaks a promise.
    CrewSlow {
        /// How many.
        #[arg(long, default_value_t = 50_000)]
        inputs: usize,
        /// Bytes that a text grows to, in one input of sixteen.
        #[arg(long, default_value_t = 400_000)]
        grown: usize,
        /// Milliseconds from which an input is told.
        #[arg(long, default_value_t = 250)]
        over: u64,
        /// Another seed tries other inputs.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Times hostile blocks, then looks for slow inputs; those over the threshold are kept in `crates/bench/slow`.
    Slow {
        /// How long to look.
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Milliseconds from which an input is kept.
        #[arg(long, default_value_t = 100)]
        over: u64,
        /// Another seed tries other inputs.
        #[arg(long, default_value = "1")]
        seed: String,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().rig {
        Rig::Patch { percent, only, fresh } => run_patch(percent, only, fresh),
        Rig::Replay => run_replay(),
        Rig::Text => written(&speed::place(&root()), speed::run),
        Rig::Check => written(&check::place(&root()), check::run),
        Rig::Sandbox => written(&sandbox::place(&root()), sandbox::run),
        Rig::Crew => written(&crew::place(&root()), crew::run),
        Rig::Apps { origin, keys_file, model, repeat, builds, command, json } => {
            let wanted = apps::Wanted { origin, keys_file, model, repeat, builds, command, json };
            apps::run(&root(), &wanted, |line| println!("{line}"))
        }
        Rig::AppsSpeed => written(&apps::speed::place(&root()), apps::speed::run),
        Rig::AppsTruth { runner, token_file, registry, catalog, only, projects } => {
            let command = "cargo xtask bench apps-truth".to_owned();
            let wanted = apps::truth::Wanted { runner, token_file, registry, catalog, projects, only, command };
            apps::truth::run(&root(), &wanted, |line| println!("{line}"))
        }
        Rig::CrewSlow { inputs, grown, over, seed } => {
            let over = Duration::from_millis(over);
            run_crew_slow(&crew::hunt::Wanted { inputs, grown, over, seed })
        }
        Rig::Slow { seconds, over, seed } => run_slow(Duration::from_secs(seconds), Duration::from_millis(over), &seed),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("\nbench: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.ancestors().nth(2).unwrap_or(crate_dir).to_path_buf()
}

/// What is fetched once and kept.
fn cache() -> Result<PathBuf, Fault> {
    let cache = root().join("target/bench");
    std::fs::create_dir_all(&cache)?;
    Ok(cache)
}

fn run_patch(percent: usize, only: Vec<String>, fresh: bool) -> Result<(), Fault> {
    let cache = cache()?;
    let options = patch::Options {
        failures: cache.join("failures.jsonl"),
        cache,
        percent,
        only,
        fresh,
        command: "cargo xtask bench patch".to_owned(),
    };
    let document = patch::run(&options)?;
    println!("{document}");
    if percent == 100 && options.only.is_empty() {
        let place = root().join("docs/bench/patch.md");
        std::fs::create_dir_all(root().join("docs/bench"))?;
        std::fs::write(place, document)?;
    }
    eprintln!("What the first tool does not answer rightly: {}", options.failures.display());
    Ok(())
}

fn run_replay() -> Result<(), Fault> {
    let changes = patch::all_changes(&cache()?)?;
    let work = std::env::temp_dir().join(format!("holdpoint-replay-{}", std::process::id()));
    let replay = replay::run(&changes, &work)?;
    let _ = std::fs::remove_dir_all(&work);
    println!("{} changed files, {} lost", replay.files, replay.lost.len());
    for road in &replay.lost {
        println!("  {road}");
    }
    if replay.lost.is_empty() { Ok(()) } else { Err(Fault::Told("Some changes did not arrive.".to_owned())) }
}

/// Prints a rig's document, and keeps it.
fn written(place: &Path, run: impl Fn(&Path, &Path) -> Result<String, Fault>) -> Result<(), Fault> {
    let document = run(&root(), &cache()?)?;
    println!("{document}");
    std::fs::create_dir_all(root().join("docs/bench"))?;
    Ok(std::fs::write(place, document)?)
}

fn run_slow(time: Duration, over: Duration, seed: &str) -> Result<(), Fault> {
    let changes = patch::all_changes(&cache()?)?;
    for (name, input) in hostile::inputs() {
        println!("{} ms: blocks, {name}: {}", slow::measured(&input).as_millis(), slow::outcome(&input));
    }
    let all: Vec<Case> = select(&changes, 25).iter().flat_map(|window| cases(window, &[])).collect();
    let found = slow::hunt(&all, time, seed);
    println!("{} inputs tried", found.tried);
    for (took, proposal) in &found.slowest {
        println!("  {} ms: base {} bytes, patch {} bytes", took.as_millis(), proposal.0.len(), proposal.1.len());
    }
    // One is enough: its neighbours are slow for the same reason.
    if let Some((took, proposal)) = found.slowest.first().filter(|(took, _)| *took >= over) {
        slow::keep(&root().join(speed::SLOW), *took, proposal)?;
    }
    Ok(())
}

fn run_crew_slow(wanted: &crew::hunt::Wanted) -> Result<(), Fault> {
    let found = crew::hunt::hunt(&root(), wanted)?;
    println!("{} inputs, answers {:016x}", wanted.inputs, found.digest);
    for (method, (took, input)) in &found.longest {
        println!("  {method}: {} asked, longest {} ms in input {input}", found.asked[method], took.as_millis());
    }
    for (input, method, took) in &found.slow {
        println!("  over: {method} took {} ms in input {input}", took.as_millis());
    }
    if found.slow.is_empty() { Ok(()) } else { Err(Fault::Told("Some inputs take too long.".to_owned())) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_rigs_say_which_version_they_are() {
        assert_eq!(Cli::command().get_version(), Some(env!("CARGO_PKG_VERSION")));
    }
}
