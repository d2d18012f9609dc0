//! Writes the canonical fixtures from their data (spec: ifc-sdk.md §7): `cargo xtask fixtures` gives the folder.

use std::error::Error;
use std::path::PathBuf;

use holdpoint_model::fixtures;

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = std::env::args_os().nth(1).ok_or("Name the folder to write to.")?.into();
    for id in fixtures::stored() {
        let path = folder.join(format!("{id}.ifc"));
        std::fs::write(&path, fixtures::write(id).map_err(|_| format!("{id} has no data."))?)?;
        eprintln!("{}", path.display());
    }
    Ok(())
}
