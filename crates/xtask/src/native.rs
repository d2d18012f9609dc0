//! The native tests: every test program of the workspace, as many at once as there are processors, then the examples of
//! the documentation.
//!
//! `cargo test` runs one program after the other, and half of them wait for one long test while a processor rests.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::Value;

use crate::process::{Fault, linting_cargo};
use crate::test::{SEED, Tally, cargo_line, counted, quiet, selection};

/// A program with tests, and the folder of its package, in which it runs.
struct Program {
    path: PathBuf,
    package: PathBuf,
}

/// Builds and runs all of them.
pub fn run() -> Result<Tally, Fault> {
    let started = Instant::now();
    let programs = Mutex::new(built()?);
    println!("  Native tests built, {} s", started.elapsed().as_secs());
    let started = Instant::now();
    let processors = std::thread::available_parallelism()?.get();
    let mut tally = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(|| run_each(&programs))).collect();
        threads.into_iter().try_fold(Tally::default(), |mut sum, thread| {
            sum += thread.join().map_err(|_| Fault::told("A thread that runs native tests panicked."))??;
            Ok::<_, Fault>(sum)
        })
    })?;
    println!("  Native tests: {} passed, {} failed, {} s", tally.passed, tally.failed, started.elapsed().as_secs());
    tally += counted(
        "Documentation",
        seeded(linting_cargo().args(["test", "--doc", "--no-fail-fast"]).args(selection())),
        cargo_line,
    )?;
    Ok(tally)
}

/// The same cases each time: whoever looks for new ones names another seed.
fn seeded(command: &mut Command) -> &mut Command {
    if std::env::var_os(SEED).is_some() { command } else { command.env(SEED, "1") }
}

/// The programs, the largest last, which is taken first: those that hold most run longest, and the last ones to end
/// are short.
fn built() -> Result<Vec<Program>, Fault> {
    let mut build = linting_cargo();
    build.args(["test", "--no-run", "--message-format=json-render-diagnostics"]).args(selection());
    let mut child = build.stdout(Stdio::piped()).spawn()?;
    let mut programs = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            programs.extend(program(&line?));
        }
    }
    if !child.wait()?.success() {
        return Err(Fault::told("The native tests cannot be built; the compiler says why above."));
    }
    programs.sort_by_key(|program: &Program| program.path.metadata().map_or(0, |data| data.len()));
    Ok(programs)
}

/// The program that a line of cargo's messages tells of.
fn program(line: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(line).ok()?;
    let is_test = message["profile"]["test"].as_bool()?;
    let path = message["executable"].as_str().filter(|_| is_test)?;
    let package = Path::new(message["manifest_path"].as_str()?).parent()?;
    Some(Program { path: path.into(), package: package.into() })
}

/// Runs programs until there is none left; what one prints stands together.
fn run_each(programs: &Mutex<Vec<Program>>) -> Result<Tally, Fault> {
    let mut tally = Tally::default();
    while let Some(program) = programs.lock().ok().and_then(|mut left| left.pop()) {
        let started = Instant::now();
        let mut command = Command::new(&program.path);
        // One processor each: as many programs run as there are.
        command.current_dir(&program.package).env("CARGO_MANIFEST_DIR", &program.package).env("RUST_TEST_THREADS", "1");
        let output = seeded(&mut command).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let found = text.lines().filter_map(cargo_line).fold(Tally::default(), |mut sum, one| {
            sum += one;
            sum
        });
        let failed = u64::from(!output.status.success() && found.failed == 0);
        let mut out = std::io::stdout().lock();
        for line in text.lines().filter(|line| !quiet(line) && cargo_line(line).is_none()) {
            writeln!(out, "{line}")?;
        }
        out.write_all(&output.stderr)?;
        let name = program.path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(
            out,
            "  {name}: {} passed, {} failed, {} s",
            found.passed,
            found.failed + failed,
            started.elapsed().as_secs()
        )?;
        tally += found;
        tally.failed += failed;
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_messages() {
        let line = |test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/p/crates/a/Cargo.toml","profile":{{"test":{test}}},"executable":"/p/target/a-1"}}"#
            )
        };
        let found = program(&line(true)).unwrap();
        assert_eq!((found.path, found.package), (PathBuf::from("/p/target/a-1"), PathBuf::from("/p/crates/a")));
        assert!(program(&line(false)).is_none(), "a program of the product");
        assert!(program(r#"{"reason":"build-finished","success":true}"#).is_none());
    }
}
