//! How long a new machine waits: in a fresh clone until `dev` answers and until it has built everything, and in another
//! one for `ci`, cold and warm, by step.
//!
//! Crates and npm packages come from their caches where the machine has them. Nothing else should run meanwhile: the
//! load before each run stands in the table.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::Done;
use crate::process::{Fault, command, root, run as run_to_end, step};

const TABLE: &str = "docs/bench/build.md";
/// What `dev` says when a browser may come, and when nothing is left to build.
const READY: &str = "Holdpoint is running";
const BUILT: &str = "· Every part of the page is built";

/// Seconds of a run.
struct Times {
    whole: u64,
    /// By what `ci` calls its steps, tests by suite; of `dev` what could be used when.
    steps: Vec<(String, u64)>,
    /// Processes that wanted a core in the minute before.
    load: String,
}

/// Measures, and writes the table after each run, so that one that is stopped leaves what it measured.
pub fn run() -> Done {
    let dir = std::env::temp_dir().join(format!("holdpoint-build-{}", std::process::id()));
    let measured = measure(&dir);
    let _ = std::fs::remove_dir_all(&dir);
    measured
}

fn measure(dir: &Path) -> Done {
    let caches = if cargo_home().join("registry/cache").exists() { "filled" } else { "empty" };
    let clone = cloned(dir, "dev")?;
    let dev = timed(&clone, "dev")?;
    write(caches, &dev, None, None)?;
    std::fs::remove_dir_all(&clone)?;
    let clone = cloned(dir, "ci")?;
    let cold = timed(&clone, "ci")?;
    write(caches, &dev, Some(&cold), None)?;
    let warm = timed(&clone, "ci")?;
    write(caches, &dev, Some(&cold), Some(&warm))
}

fn cargo_home() -> PathBuf {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo"));
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or(home).unwrap_or_default()
}

/// `caches`: of cargo, when the first of these runs began.
fn write(caches: &str, dev: &Times, cold: Option<&Times>, warm: Option<&Times>) -> Done {
    let cores = std::thread::available_parallelism()?;
    let load = |times: Option<&Times>| times.map_or("not measured", |times| &times.load).to_owned();
    let mut text = format!(
        "# How long building and checking takes\n\n\
         Written by `cargo xtask bench build`: seconds on {cores} cores, in fresh clones. Cargo's caches were {caches} \
         before the first. Load of the minute before: dev {}, cold {}, warm {}.\n\n\
         | `cargo xtask dev` | s |\n|---|--:|\n",
        dev.load,
        load(cold),
        load(warm),
    );
    for (name, seconds) in &dev.steps {
        let _ = writeln!(text, "| {name} | {seconds} |");
    }
    if let Some(cold) = cold {
        text.push_str("\n| step of `cargo xtask ci` | cold | warm |\n|---|--:|--:|\n");
        let again = |name: &str| warm?.steps.iter().find(|(other, _)| other == name).map(|step| step.1.to_string());
        for (name, seconds) in &cold.steps {
            let _ = writeln!(text, "| {name} | {seconds} | {} |", again(name).unwrap_or_default());
        }
        let whole = warm.map(|warm| warm.whole.to_string()).unwrap_or_default();
        let _ = writeln!(text, "| whole | {} | {whole} |", cold.whole);
    }
    std::fs::write(root().join(TABLE), text)?;
    step(&format!("Written: {TABLE}"));
    Ok(())
}

/// What is committed, in a folder of its own.
fn cloned(dir: &Path, name: &str) -> Result<PathBuf, Fault> {
    let to = dir.join(name);
    run_to_end(command("git").args(["clone", "--quiet"]).arg(root()).arg(&to))?;
    Ok(to)
}

/// Runs a task, as a newcomer would, until it ends or says that everything is built.
fn timed(clone: &Path, task: &str) -> Result<Times, Fault> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    step(&format!("cargo xtask {task} in {}", clone.display()));
    let started = Instant::now();
    let mut cargo = Command::new("cargo");
    // What is done is said on the one, what may be used on the other.
    let (said, writer) = std::io::pipe()?;
    cargo.args(["xtask", task]).current_dir(clone).stdout(writer.try_clone()?).stderr(writer);
    let ours = std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        // What our own cargo set, also by `.cargo/config.toml`, names folders of this tree.
        (name.starts_with("CARGO_") && name != "CARGO_HOME") || name.starts_with("TS_RS_")
    });
    for (name, _) in ours {
        cargo.env_remove(name);
    }
    let mut child = cargo.spawn()?;
    // The command holds ends of the pipe, which would never close.
    drop(cargo);
    let mut steps = Vec::new();
    let mut built = false;
    for line in BufReader::new(said).lines() {
        let line = line?;
        println!("{line}");
        steps.extend(step_of(&line));
        let seconds = started.elapsed().as_secs();
        if line.starts_with(READY) {
            steps.push(("a browser may come".to_owned(), seconds));
        }
        if line.starts_with(BUILT) {
            steps.push(("everything is built".to_owned(), seconds));
            built = true;
            break;
        }
    }
    let whole = started.elapsed().as_secs();
    if built {
        run_to_end(Command::new("kill").arg(child.id().to_string()))?;
        child.wait()?;
    } else if !child.wait()?.success() {
        return Err(Fault::told(format!("`cargo xtask {task}` failed: see above.")));
    }
    Ok(Times { whole, steps, load })
}

/// `  Clippy: 90 s` or `  Edge tests: 169 passed, 0 failed, 88 s`: the name of the step and its seconds.
fn step_of(line: &str) -> Option<(String, u64)> {
    let (name, rest) = line.strip_prefix("  ")?.strip_suffix(" s")?.split_once(": ")?;
    let seconds = rest.rsplit(' ').next()?.parse().ok()?;
    Some((name.to_owned(), seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_off_what_ci_prints() {
        assert_eq!(step_of("  Clippy: 90 s"), Some(("Clippy".to_owned(), 90)));
        assert_eq!(step_of("  Edge tests: 169 passed, 0 failed, 88 s"), Some(("Edge tests".to_owned(), 88)));
        assert_eq!(step_of("  core 225 KB"), None);
        assert_eq!(step_of("2335 passed, 0 failed"), None);
    }
}
