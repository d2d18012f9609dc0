//! How fast a model opens in Chromium, beside npm `web-ifc`.
//!
//! "Open" means for both that tree and rows can be shown; the second pair of columns is the same with every property set
//! read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::fault::{Fault, output};
use crate::tools::npm_install;

/// The package beside which it is measured.
const PEER: &str = "web-ifc@0.0.78";

/// Median milliseconds.
#[derive(Debug, Deserialize)]
struct Times {
    open: f64,
    /// Opened, and all property sets read.
    sets: f64,
}

/// A measured file.
#[derive(Debug, Deserialize)]
struct Measured {
    name: String,
    bytes: usize,
    /// Rows of ours and of the package, which counts openings and spatial structure too.
    rows: [usize; 2],
    /// Most of our module's memory, as a multiple of the file.
    memory: f64,
    ours: Times,
    theirs: Times,
}

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path, files: &[PathBuf]) -> Result<String, Fault> {
    let folder = npm_install(cache, "model", &[PEER])?;
    let mut node = Command::new("node");
    node.arg(root.join("crates/bench/src/model.mjs")).arg(folder).args(files).current_dir(root);
    let measured: Vec<Measured> = serde_json::from_slice(&output(node.stderr(Stdio::inherit()), 0)?)?;
    let mut text = format!(
        "# Opening models\n\nWritten by `cargo xtask bench model`: medians of seven runs in milliseconds, in one Chromium, the \
         two in turn on the same bytes. Ours is the viewer's module, the copy of the bytes into it included: overview, tree and \
         rows as plain values. npm `{PEER}` opens and gives the lines of the relations and of all products. \"Sets\" is opening \
         and then every property set.\n\n\
         | file | MB | rows | open | web-ifc | ratio | sets | web-ifc | ratio | memory, times the file |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for Measured { name, bytes, rows: [rows, their_rows], memory, ours, theirs } in &measured {
        let _ = writeln!(
            text,
            "| {name} | {:.1} | {rows} ({their_rows}) | {:.0} | {:.0} | {:.2} | {:.0} | {:.0} | {:.2} | {memory:.1} |",
            *bytes as f64 / 1e6,
            ours.open,
            theirs.open,
            ours.open / theirs.open,
            ours.sets,
            theirs.sets,
            ours.sets / theirs.sets,
        );
    }
    Ok(text)
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/model.md")
}
