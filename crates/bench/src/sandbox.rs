//! What hostile programs come to, natively, in Chromium and in what others would take, and how fast honest ones run.
//!
//! The native suite keeps what it saw; the rest runs in one Chromium. The peers get the limits that they know.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use holdpoint_kind_extension::testing::{MeteredCode, metered};
use serde::Deserialize;
use serde_json::json;

use crate::fault::{Fault, output};
use crate::tools::npm_install;

/// The packages of the peer.
const PEERS: [&str; 2] = ["quickjs-emscripten-core@0.32.0", "@jitl/quickjs-singlefile-browser-release-sync@0.32.0"];
const HONEST: &str = include_str!("sandbox/honest.js");

/// What happened to a program, in the order of the table's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Happened {
    Ended,
    Late,
    Finished,
    Through,
    Dead,
}

impl Happened {
    fn word(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::Late => "killed",
            Self::Finished => "to its end",
            Self::Through => "**through**",
            Self::Dead => "**dead**",
        }
    }
}

#[derive(Debug, Deserialize)]
struct Hostile {
    class: String,
    native: Happened,
    chromium: Happened,
    quickjs: Happened,
    function: Happened,
}

/// Median milliseconds.
#[derive(Debug, Deserialize)]
struct Honest {
    name: String,
    ours: f64,
    quickjs: f64,
    function: f64,
    /// Whether all came to the same value.
    same: bool,
}

#[derive(Debug, Deserialize)]
struct Measured {
    hostile: Vec<Hostile>,
    honest: Vec<Honest>,
    first: f64,
    later: f64,
    again: f64,
    lost: usize,
}

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path) -> Result<String, Fault> {
    let native = ["test", "--quiet", "--package", "holdpoint-sandbox", "--test", "sandbox", "hostile::each"];
    output(Command::new("cargo").args(native).current_dir(root).stderr(Stdio::inherit()), 0)?;
    let folder = npm_install(cache, "sandbox", &PEERS)?;
    let honest = folder.join("honest.json");
    std::fs::write(&honest, json!(programs()).to_string())?;
    let mut node = Command::new("node");
    node.args(["--import", "tsx"]).arg(root.join("crates/bench/src/sandbox/run.ts")).arg(folder).arg(honest);
    let measured: Measured = serde_json::from_slice(&output(node.current_dir(root).stderr(Stdio::inherit()), 0)?)?;
    Ok(document(&measured))
}

/// The honest programs, as they are and as the sandbox runs them.
fn programs() -> Vec<serde_json::Value> {
    let behind_mark = format!("\n{HONEST}");
    let programs = behind_mark.split("\n//# ").skip(1).filter_map(|program| program.split_once('\n'));
    let listed = programs.map(|(name, source)| {
        let files = BTreeMap::from([("src/a.js".to_owned(), source.to_owned())]);
        let MeteredCode { modules, metering } = metered(&files, []);
        json!({"name": name, "source": source, "modules": modules, "metering": metering})
    });
    listed.collect()
}

fn document(measured: &Measured) -> String {
    let Measured { hostile, honest, first, later, again, lost } = measured;
    let mut text = format!(
        "# The sandbox and hostile programs\n\nWritten by `cargo xtask bench sandbox`: {} programs of `tests/programs/hostile`, each \
         asked natively (in a child process), in Chromium (the page's own Web Worker), in npm `quickjs-emscripten` ({}; 16 MiB, \
         1 MiB of stack, ended by its interrupt handler) and as the browser's own `Function`, both in a Web Worker of the same \
         Chromium. All have 2.5 s.\n\n\
         \"ended\": with an error or a limit's code, or held. \"killed\": by whoever started it, at the wall clock. \"to its \
         end\": a program that was to meet a limit met none. \"through\": it reached what it must not, had a text compiled, or \
         caught its limit. \"dead\": the engine, or the whole page, did not work any more for the next program.\n\n\
         | class | programs | natively | Chromium | quickjs-emscripten | `Function` |\n|---|--:|---|---|---|---|\n",
        hostile.len(),
        PEERS[0].rsplit('@').next().unwrap_or_default(),
    );
    let mut classes: Vec<&str> = hostile.iter().map(|row| row.class.as_str()).collect();
    classes.dedup();
    for class in classes {
        let own: Vec<&Hostile> = hostile.iter().filter(|row| row.class == class).collect();
        let _ = writeln!(text, "{}", row(class, &own));
    }
    let _ = writeln!(text, "{}", row("all", &hostile.iter().collect::<Vec<_>>()));
    let _ = write!(
        text,
        "\nThe first test of a session, module, Worker and model included, took {first:.0} ms in Chromium; a later one \
         {later:.1} ms and its own time. After {lost} programs that cost the Worker, the next one was answered within {again:.0} ms \
         (median).\n\n\
         ## Honest programs\n\nMedian milliseconds of seven runs, in turn, in one Chromium; ours with a fresh realm each time. The \
         ratio says how many times as long ours takes.\n\n\
         | program | ours | quickjs-emscripten | ratio | `Function` | ratio | same result |\n|---|--:|--:|--:|--:|--:|---|\n"
    );
    for Honest { name, ours, quickjs, function, same } in honest {
        let same = if *same { "yes" } else { "no" };
        let (slower, than_plain) = (ours / quickjs, ours / function);
        let _ = writeln!(
            text,
            "| {name} | {ours:.1} | {quickjs:.1} | {slower:.1} | {function:.1} | {than_plain:.0} | {same} |"
        );
    }
    text
}

fn row(class: &str, programs: &[&Hostile]) -> String {
    let cell = |of: fn(&Hostile) -> Happened| {
        let mut counts = BTreeMap::new();
        for program in programs {
            *counts.entry(of(program)).or_insert(0) += 1;
        }
        let words: Vec<String> =
            counts.iter().map(|(happened, count)| format!("{count} {}", happened.word())).collect();
        words.join(", ")
    };
    let (native, chromium) = (cell(|row| row.native), cell(|row| row.chromium));
    let (quickjs, function) = (cell(|row| row.quickjs), cell(|row| row.function));
    format!("| {class} | {} | {native} | {chromium} | {quickjs} | {function} |", programs.len())
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/sandbox.md")
}
