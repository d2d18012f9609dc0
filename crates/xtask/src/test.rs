//! `cargo xtask test`: sets up what tests need, runs all of them, ends with `N passed, N failed`; or runs
//! some files of those in TypeScript.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Done;
use crate::process::{self, Fault, cargo, command, step};
use crate::{corpus, generate, native, tools, wasm, web};

/// How many tests held.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    /// Failed first and held on a further run of their file.
    pub unsteady: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.unsteady += other.unsteady;
    }
}

pub fn run() -> Done {
    set_up()?;
    let chromium = tools::chromium()?;
    let mut tally = Tally::default();

    step("Native tests");
    generate::forget_exports()?;
    tally += native::run()?;
    generate::check_exports()?;
    // Built for the tests of the command line, as the build runner is for its own; another selection of packages would build everything once more.
    let holdpoint = tools::target_dir().join("debug/holdpoint");
    tally += corpus::check(&holdpoint)?;

    wasm::build_linted()?;
    // Each of them keeps one core busy.
    let sites = std::thread::scope(|scope| {
        let checked = scope.spawn(web::check);
        web::build(true)?;
        let sites = web::sites()?;
        web::pack()?;
        checked.join().map_err(|_| Fault::told("The type check of the web workspaces panicked."))??;
        Ok::<_, Fault>(sites)
    })?;
    let headless = tools::headless(&chromium);
    let surroundings = Surroundings { holdpoint, sites };
    let (apps, edge): (Vec<_>, Vec<_>) = suites("tests/edge")?.into_iter().partition(|file| is_of_apps(file));
    // An edge and a page over one in memory keep one core busy. A page over a real edge needs both; so do builds, whose
    // runner keeps others from its cache.
    for (name, files, at_a_time, chromium) in [
        ("Wasm", suites("tests/wasm")?, 1, &chromium),
        ("Edge", edge, 2, &chromium),
        ("App", apps, 1, &chromium),
        ("Web", suites("tests/web")?, 2, &headless),
        ("Browser", suites("tests/browser")?, 1, &chromium),
        ("Package", suites("tests/packages")?, 1, &chromium),
    ] {
        tally += surroundings.test(name, &files, at_a_time, chromium)?;
    }
    ended(tally)
}

/// Some files of `tests/`, over what an earlier run built and a build of what changed since.
pub fn some(files: &[String]) -> Done {
    set_up()?;
    let programs = ["--bin", "holdpoint", "--bin", "build-runner"];
    process::run(cargo().args(["build", "--quiet"]).args(programs).args(selection()))?;
    wasm::build(wasm::Profile::Dev)?;
    web::build(true)?;
    let surroundings = Surroundings { holdpoint: tools::target_dir().join("debug/holdpoint"), sites: web::sites()? };
    let files: Vec<_> = files.iter().map(PathBuf::from).collect();
    ended(surroundings.test("Named", &files, 1, &tools::chromium()?)?)
}

fn set_up() -> Done {
    tools::wasm_target()?;
    tools::npm_packages()?;
    tools::chinese_font();
    Ok(())
}

fn ended(tally: Tally) -> Done {
    if tally.unsteady > 0 {
        println!("{} failed first and held on a further run of their file; their names stand above", tally.unsteady);
    }
    println!("{} passed, {} failed", tally.passed, tally.failed);
    if tally.failed == 0 { Ok(()) } else { Err(Fault::told("Some tests failed; their names stand above.")) }
}

/// What the tests in TypeScript stand on.
struct Surroundings {
    holdpoint: PathBuf,
    /// Pages that were built once for all of them.
    sites: PathBuf,
}

impl Surroundings {
    /// Files with a failing test run again, alone: a page, a port or a clock that was late once is no fault of the
    /// product, and what is broken fails every time. More than a few such files are no chance, and stay failed.
    fn test(&self, name: &str, files: &[PathBuf], at_a_time: u8, chromium: &Path) -> Result<Tally, Fault> {
        step(&format!("{name} tests"));
        let (first, mut failing) = self.run(name, files, at_a_time, chromium)?;
        // What several files share has no tests of its own to run again, nor has a file that ended by itself.
        let again = failing.len() as u64 >= first.failed && failing.iter().all(|(file, _)| is_suite(file));
        let files_of =
            |failing: &BTreeSet<Named>| failing.iter().map(|(file, _)| file.clone()).collect::<BTreeSet<_>>();
        if failing.is_empty() || files_of(&failing).len() > MAX_UNSTEADY_FILES || !again {
            return Ok(first);
        }
        for _ in 0..MORE_RUNS {
            step(&format!("{name} tests, the files that failed once more"));
            let (_, failed_too) = self.run(name, &files_of(&failing).into_iter().collect::<Vec<_>>(), 1, chromium)?;
            failing = failing.intersection(&failed_too).cloned().collect();
            if failing.is_empty() {
                break;
            }
        }
        let failed = first.failed.min(failing.len() as u64);
        Ok(Tally { passed: first.passed + first.failed - failed, failed, unsteady: first.failed - failed })
    }

    /// How many held, and those that did not.
    fn run(
        &self,
        name: &str,
        files: &[PathBuf],
        at_a_time: u8,
        chromium: &Path,
    ) -> Result<(Tally, BTreeSet<Named>), Fault> {
        let mut node = command("node");
        // Node 20 reads no TypeScript by itself.
        node.args(["--import", "tsx", "--test", "--test-reporter=tap", STUCK])
            .arg(format!("--test-concurrency={at_a_time}"))
            .args(files);
        node.env(tools::COMMAND_LINE, &self.holdpoint)
            .env(tools::BUILD_RUNNER, tools::built_runner())
            .env(tools::CHROMIUM, chromium)
            .env("HOLDPOINT_XTASK", std::env::current_exe()?)
            .env(tools::BUILT, "1")
            .env("HOLDPOINT_SITES", &self.sites);
        let mut failing = Failing::default();
        let tally = counted(name, &mut node, |line| {
            failing.read(line);
            node_line(line)
        })?;
        Ok((tally, failing.tests))
    }
}

/// How many files may fail at first in one part of the tests.
const MAX_UNSTEADY_FILES: usize = 3;

/// How often those files run again, as long as a test has failed every time.
const MORE_RUNS: usize = 2;

/// A test, by its file and its name.
type Named = (PathBuf, String);

/// Failing tests, from TAP: `not ok 3 - NAME` and, behind it, `location: 'FILE:LINE:COLUMN'`.
#[derive(Default)]
struct Failing {
    /// The lines now belong to a test that failed, of this name.
    inside: Option<String>,
    tests: BTreeSet<Named>,
}

impl Failing {
    fn read(&mut self, line: &str) {
        let line = line.trim_start();
        if line.starts_with("not ok ") || line.starts_with("ok ") {
            let name = line.strip_prefix("not ok ").and_then(|rest| rest.split_once(" - "));
            self.inside = name.map(|(_, name)| name.to_owned());
        }
        let file = line.strip_prefix("location: '").and_then(|place| place.rsplitn(3, ':').nth(2));
        if let (Some(file), Some(name)) = (file, &self.inside) {
            self.tests.insert((PathBuf::from(file), name.clone()));
        }
    }
}

/// Where proptest begins to draw its cases.
pub const SEED: &str = "PROPTEST_RNG_SEED";

/// Ends a file of tests that waits for something that never comes, such as a server that nobody stopped.
const STUCK: &str = "--test-timeout=900000";

/// What selects the packages of a native build: all but those that only exist as Wasm. Every native build selects the
/// same ones, so that dependencies are built once.
pub fn selection() -> impl Iterator<Item = &'static str> {
    ["--workspace"].into_iter().chain(wasm::packages().flat_map(|package| ["--exclude", package]))
}

/// The files of a folder, the longest first: so the last ones to end are short.
fn suites(dir: &str) -> Result<Vec<PathBuf>, Fault> {
    let mut files: Vec<_> = std::fs::read_dir(crate::process::root().join(dir))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_suite(path))
        .collect();
    files.sort_by_key(|file| Reverse(file.metadata().map_or(0, |data| data.len())));
    Ok(files)
}

fn is_suite(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".test.ts")
}

fn is_of_apps(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("apps"))
}

/// Runs a test program, shows what it prints, and adds up its closing lines. A program that ends badly without a
/// failing test counts as one.
pub fn counted(part: &str, command: &mut Command, mut line: impl FnMut(&str) -> Option<Tally>) -> Result<Tally, Fault> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut tally = Tally::default();
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).lines() {
            let text = text?;
            match line(&text) {
                Some(found) => tally += found,
                None if quiet(&text) => {}
                None => println!("{text}"),
            }
        }
    }
    if !child.wait()?.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    let seconds = started.elapsed().as_secs();
    println!("  {part} tests: {} passed, {} failed, {seconds} s", tally.passed, tally.failed);
    Ok(tally)
}

/// Lines that say nothing when all is well.
pub fn quiet(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || (text.starts_with("test ") && text.ends_with("... ok"))
        || text.starts_with("running ")
        || text.starts_with("all doctests ran")
}

/// `test result: ok. 8 passed; 0 failed; …`
pub fn cargo_line(text: &str) -> Option<Tally> {
    let counts = text.strip_prefix("test result: ")?;
    let count =
        |word: &str| -> Option<u64> { counts.split(word).next()?.trim().rsplit([' ', ';']).next()?.parse().ok() };
    Some(Tally { passed: count(" passed")?, failed: count(" failed")?, ..Tally::default() })
}

/// `# pass 3` or `# fail 0` of TAP.
fn node_line(text: &str) -> Option<Tally> {
    let count = |word: &str| text.strip_prefix(word)?.trim().parse().ok();
    match (count("# pass "), count("# fail ").or_else(|| count("# cancelled "))) {
        (Some(passed), _) => Some(Tally { passed, ..Tally::default() }),
        (_, Some(failed)) => Some(Tally { failed, ..Tally::default() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines() {
        let line = "test result: FAILED. 8 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.0s";
        let tally = cargo_line(line).unwrap();
        assert_eq!((tally.passed, tally.failed), (8, 2));
        assert_eq!(node_line("# pass 12").unwrap().passed, 12);
        assert_eq!(node_line("# fail 1").unwrap().failed, 1);
        assert!(node_line("ok 1 - pass 3").is_none());
    }

    #[test]
    fn failing_tests_with_their_files() {
        let mut failing = Failing::default();
        let tap = "ok 1 - one\n  ---\n  location: '/p/tests/web/a.test.ts:1:2'\n  ...\n\
            not ok 2 - two\n  ---\n  location: '/p/tests/web/b.test.ts:1:3'\n  ...";
        tap.lines().for_each(|line| failing.read(line));
        assert_eq!(failing.tests, BTreeSet::from([(PathBuf::from("/p/tests/web/b.test.ts"), "two".to_owned())]));
    }
}
