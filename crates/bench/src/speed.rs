//! How fast: one set of inputs, measured natively here and as Wasm by `speed.mjs` in Node and in Chromium, beside npm
//! `diff`.
//!
//! The inputs are the same everywhere: they are written to a file that the script reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use holdpoint_text::{DiffOptions, PreviewInput, diff, preview};
use serde::{Deserialize, Serialize};

use crate::clock;
use crate::fault::{Fault, output};
use crate::hostile;
use crate::random::Random;
use crate::slow::stored;
use crate::tools::npm_diff;

/// Runs of one input, natively.
const RUNS: usize = 21;
/// Time for one input, natively; slow inputs get fewer runs.
const TIME: Duration = Duration::from_secs(1);

/// Two texts to compare.
#[derive(Debug, Serialize)]
pub struct Input {
    /// What they are.
    pub name: &'static str,
    /// Before.
    pub before: String,
    /// After.
    pub after: String,
}

/// A measured input of one host.
#[derive(Debug, Deserialize)]
struct Measured {
    name: String,
    /// Median milliseconds of `diff`, the answer's JSON included.
    ours: f64,
    /// The same by `call`.
    called: f64,
    /// Median milliseconds of `structuredPatch`; none where it did not end in time.
    theirs: Option<f64>,
    /// Whether the hunks gave the text after.
    valid: bool,
}

/// Everything that is compared.
pub fn inputs() -> Vec<Input> {
    let mut random = Random::of(&["speed"]);
    let code: Vec<String> = (0..2_000).map(|number| line(number, &mut random)).collect();
    let mut edited = code.clone();
    for _ in 0..code.len() / 100 {
        let at = random.below(edited.len());
        edited[at] = format!("    let changed_{at} = compute({});\n", random.below(1_000));
    }
    let many: Vec<String> = (0..20_000).map(|number| line(number, &mut random)).collect();
    let mut many_edited = many.clone();
    for _ in 0..many.len() / 100 {
        let at = random.below(many_edited.len());
        many_edited[at] = format!("    let changed_{at} = compute({});\n", random.below(1_000));
    }
    let six = |random: &mut Random| (0..20_000).map(|_| format!("line {}\n", random.below(6))).collect::<String>();
    let reversed: String = many.iter().rev().map(String::as_str).collect();
    let (one, other) = (six(&mut random), six(&mut random));
    let fresh: String = (0..20_000).map(|number| format!("other {number}\n")).collect();
    vec![
        Input { name: "2,000 lines, 1 % edited", before: code.concat(), after: edited.concat() },
        Input { name: "20,000 lines, 1 % edited", before: many.concat(), after: many_edited.concat() },
        Input {
            name: "20,000 equal lines, a third more",
            before: "same\n".repeat(20_000),
            after: "same\n".repeat(26_000),
        },
        Input { name: "20,000 lines, all different", before: many.concat(), after: fresh },
        Input { name: "20,000 lines of six", before: one, after: other },
        Input { name: "20,000 lines reversed", before: many.concat(), after: reversed },
    ]
}

fn line(number: usize, random: &mut Random) -> String {
    match random.below(6) {
        0 => "\n".to_owned(),
        1 => "    }\n".to_owned(),
        2 => format!("fn name_{number}(value: &str) -> usize {{\n"),
        3 => format!("    if value.len() > {} {{\n", random.below(90)),
        _ => format!("    let item_{} = value.trim().len() + {number};\n", random.below(40)),
    }
}

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path) -> Result<String, Fault> {
    let inputs = inputs();
    let mut text = "# Speed of the text engine\n\nWritten by `cargo xtask bench text`: medians in milliseconds, on one \
                    machine, in Node and Chromium after 0.7 s of warming up. Ours is `text.diff` with hunks, changed words \
                    and the unified text; as Wasm it is `diff` of the page's core, which takes the texts as they are and \
                    gives JSON, and beside it `call`, which takes JSON too. npm `diff` is `structuredPatch`.\n\n## Diff, natively\n\n\
                    | input | lines | median | longest |\n|---|--:|--:|--:|\n"
        .to_owned();
    for input in &inputs {
        let (median, longest) = timed(|| {
            let _ = std::hint::black_box(diff(&input.before, &input.after, &DiffOptions::default()));
        });
        eprintln!("· {}: {} ms", input.name, shown(median));
        let lines = input.before.lines().count();
        let _ = writeln!(text, "| {} | {lines} | {} | {} |", input.name, shown(median), shown(longest));
    }
    native_previews(&mut text, root)?;
    let folder = npm_diff(cache)?;
    let place = cache.join("speed-inputs.json");
    std::fs::write(&place, serde_json::to_vec(&inputs)?)?;
    for host in ["node", "chromium"] {
        eprintln!("· {host}");
        let name = if host == "node" { "Node" } else { "Chromium" };
        let _ = writeln!(text, "\n## Diff, as Wasm in {name}\n");
        match hosted(root, &folder, &place, host) {
            Ok(rows) => table(&mut text, &rows),
            Err(fault) => {
                let _ = writeln!(text, "Not measured: {fault}");
            }
        }
    }
    Ok(text)
}

fn table(text: &mut String, rows: &[Measured]) {
    text.push_str("| input | holdpoint | by `call` | npm diff | times faster | valid |\n|---|--:|--:|--:|--:|---|\n");
    for Measured { name, ours, called, theirs, valid } in rows {
        let (theirs, faster) = match theirs {
            Some(theirs) => (format!("{theirs:.2}"), format!("{:.1}", theirs / ours)),
            None => ("over 5 s".to_owned(), "–".to_owned()),
        };
        let _ = writeln!(
            text,
            "| {name} | {ours:.2} | {called:.2} | {theirs} | {faster} | {} |",
            if *valid { "yes" } else { "no" }
        );
    }
}

fn hosted(root: &Path, npm: &Path, inputs: &Path, host: &str) -> Result<Vec<Measured>, Fault> {
    let script = root.join("crates/bench/src/speed.mjs");
    let mut node = Command::new("node");
    node.arg(script).arg(host).arg(inputs).arg(npm).current_dir(root).stderr(Stdio::inherit());
    Ok(serde_json::from_slice(&output(&mut node, 0)?)?)
}

/// Patches: the largest that is taken, and the slow ones that were found.
fn native_previews(text: &mut String, root: &Path) -> Result<(), Fault> {
    text.push_str("\n## Preview, natively\n\n| input | base | patch | median | longest |\n|---|--:|--:|--:|--:|\n");
    let mut rows = vec![("1 MiB patch on a 1 MiB file".to_owned(), megabyte())];
    rows.extend(stored(&root.join(SLOW))?);
    rows.extend(hostile::inputs().into_iter().map(|(name, input)| (format!("blocks: {name}"), input)));
    for (name, (base, patch)) in rows {
        let (median, longest) = timed(|| {
            if let Ok(input) = PreviewInput::patch("file", &base, &patch) {
                let _ = std::hint::black_box(preview(&input));
            }
        });
        eprintln!("· {name}: {} ms", shown(median));
        let (base, patch) = (base.len(), patch.len());
        let _ = writeln!(text, "| {name} | {base} | {patch} | {} | {} |", shown(median), shown(longest));
    }
    Ok(())
}

/// Where inputs that were slow once are kept.
pub const SLOW: &str = "crates/bench/slow";

/// A file of nearly 1 MiB, and a patch of nearly 1 MiB in hunks, all of whose numbers are wrong.
fn megabyte() -> (String, String) {
    const SIZE: usize = 1_048_576;
    const HUNKS: usize = 400;
    let mut random = Random::of(&["megabyte"]);
    let mut lines = Vec::new();
    let mut size = 0;
    for number in 0.. {
        let next = line(number, &mut random);
        if size + next.len() > SIZE || lines.len() > 90_000 {
            break;
        }
        size += next.len();
        lines.push(next);
    }
    let step = lines.len() / HUNKS;
    let mut patch = "--- a/file\n+++ b/file\n".to_owned();
    for number in 0..HUNKS {
        let at = number * step;
        let body = &lines[at..at + step.saturating_sub(4)];
        let more: String = body.iter().map(|line| format!(" {line}")).collect();
        let head = format!("@@ -{},{} +{},{} @@\n", at + 8, body.len(), at + 8 + number, body.len() + 1);
        if patch.len() + head.len() + more.len() + 16 > SIZE {
            break;
        }
        patch.push_str(&head);
        patch.push_str(&more);
        patch.push_str("+    // added\n");
    }
    (lines.concat(), patch)
}

fn timed(mut work: impl FnMut()) -> (Duration, Duration) {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < RUNS && (times.len() < 3 || begun.elapsed() < TIME) {
        times.push(clock::timed(&mut work).1);
    }
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() - 1])
}

fn shown(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/text.md")
}
