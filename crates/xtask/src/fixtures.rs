//! Writes the canonical fixtures from their data (spec: ifc-sdk.md §7), and large models out of a real one.

use std::path::PathBuf;

use crate::Done;
use crate::process::{Fault, cargo, root, run};

mod grown;

/// The real file whose storeys are repeated.
const REAL: &str = "fixtures/ifc/foreign/LargeBuilding.ifc";

/// Sizes of the large models that are measured.
const MEASURED_MEGABYTES: [usize; 2] = [20, 100];

/// Writes `fixtures/ifc/ID.ifc` for every fixture that can be written. The writer belongs to the model, which xtask does
/// not link: whoever only wants to start the product need not build it first.
fn write() -> Done {
    let folder = root().join("fixtures/ifc");
    run(cargo().args(["run", "--quiet", "--package", "holdpoint-model", "--example", "fixtures"]).arg(folder))
}

/// `cargo xtask fixtures`.
pub fn start(megabytes: Option<usize>) -> Done {
    let Some(megabytes) = megabytes else { return write() };
    println!("{}", write_grown(megabytes)?.display());
    Ok(())
}

/// Files that the rig of models opens: real ones, and larger ones made of them.
pub fn measured() -> Result<Vec<PathBuf>, Fault> {
    let mut files: Vec<PathBuf> =
        ["TallBuilding", "LargeBuilding"].map(|name| root().join(format!("fixtures/ifc/foreign/{name}.ifc"))).into();
    for megabytes in MEASURED_MEGABYTES {
        files.push(write_grown(megabytes)?);
    }
    Ok(files)
}

/// Writes `target/generated/ifc/grown-SIZE.ifc`, of so many megabytes.
fn write_grown(megabytes: usize) -> Result<PathBuf, Fault> {
    let file = std::fs::read_to_string(root().join(REAL)).map_err(|error| Fault::told(format!("{REAL}: {error}")))?;
    let folder = root().join("target/generated/ifc");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("grown-{megabytes}.ifc"));
    std::fs::write(&path, grown::grown(&file, megabytes * 1_000_000)?)?;
    Ok(path)
}
