//! How fast crew packages are looked at: natively and as the page's Wasm in Node, the same questions in both.
//!
//! Owns the figures that the issue names, and inputs of 1 MiB that make somebody work; each of those was slow once or
//! could be. The questions are written to a file that the script reads.

mod hostile;
mod package;

pub mod hunt;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use holdpoint_kind_crew::archive;

use crate::clock;
use crate::fault::Fault;
use crate::questions::{FEW_RUNS, RUNS, in_node, natively};

/// The kind.
const KIND: &str = "crew-package";

/// Runs everything; answers the document.
pub fn run(root: &Path, cache: &Path) -> Result<String, Fault> {
    let promised = package::promised()?;
    let hostile = hostile::inputs()?;
    eprintln!("· natively");
    let native: Vec<f64> = promised.iter().map(|it| natively(it, RUNS)).collect();
    let native_hostile: Vec<f64> = hostile.iter().map(|it| natively(it, FEW_RUNS)).collect();
    eprintln!("· in Node");
    let [hosted, hosted_hostile] = in_node(root, cache, "check-crew", [&promised, &hostile])?;
    let mut text = "# Speed of crew packages\n\nWritten by `cargo xtask bench crew`: median milliseconds of time on the \
                    processor, on one machine. Natively a method takes and gives JSON values; as Wasm, in Node after 0.7 s \
                    of warming up, it is `call` of `wasm-check-crew`, JSON text in and out.\n\n## A package of 200 nodes\n\n\
                    | what | natively | at most | as Wasm | at most |\n|---|--:|--:|--:|--:|\n"
        .to_owned();
    for ((input, native), hosted) in promised.iter().zip(&native).zip(&hosted) {
        assert_eq!(input.name, hosted.name, "both sides measure the same, in one order");
        let due = |most: Option<u32>| most.map(|most| most.to_string()).unwrap_or_default();
        let (of_native, of_wasm) = (due(input.due.0), due(input.due.1));
        let _ = writeln!(text, "| {} | {native:.2} | {of_native} | {:.2} | {of_wasm} |", input.name, hosted.median);
    }
    archives(&mut text)?;
    text.push_str(
        "\n## Inputs that make somebody work\n\nAt most 1 MiB each (several files of a package together), and at most \
         250 ms natively.\n\n| input | natively | as Wasm | KB of answer |\n|---|--:|--:|--:|\n",
    );
    for ((input, native), hosted) in hostile.iter().zip(&native_hostile).zip(&hosted_hostile) {
        assert_eq!(input.name, hosted.name, "both sides measure the same, in one order");
        let size = hosted.bytes / 1_000;
        let _ = writeln!(text, "| {} | {native:.0} | {:.0} | {size} |", input.name, hosted.median);
    }
    Ok(text)
}

/// The edge alone reads and writes archives.
fn archives(text: &mut String) -> Result<(), Fault> {
    let files = package::package(200);
    let told = |error: holdpoint_check::ApiError| Fault::Told(error.message);
    let bytes = archive::export(&files).map_err(told)?;
    let mut row = |name: &str, work: &mut dyn FnMut()| {
        let mut times: Vec<Duration> = (0..FEW_RUNS * 3).map(|_| clock::timed(&mut *work).1).collect();
        times.sort_unstable();
        let _ = writeln!(text, "| {name} | {:.2} | | | |", times[times.len() / 2].as_secs_f64() * 1e3);
    };
    row("export", &mut || drop(std::hint::black_box(archive::export(&files))));
    row("import", &mut || drop(std::hint::black_box(archive::import(&bytes, &archive::ImportOptions::default()))));
    Ok(())
}

/// Where the document stands.
pub fn place(root: &Path) -> PathBuf {
    root.join("docs/bench/crew.md")
}
