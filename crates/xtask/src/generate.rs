//! Generated files: written here, checked for drift by `ci`.

use std::path::PathBuf;

use crate::Done;
use crate::process::{Fault, cargo, command, output, root, run};
use crate::{licences, sizes, wasm};

/// The type declarations of the wire, from Rust.
const TYPES: &str = "www/core/src/generated";

/// Writes every generated file.
pub fn write() -> Done {
    std::fs::write(root().join("THIRD-PARTY.md"), licences::notices()?)?;
    types(&root().join(TYPES))?;
    wasm::page(wasm::Profile::Small)?;
    sizes::check(true)
}

fn types(dir: &PathBuf) -> Done {
    let mut export = cargo();
    export.args(["test", "--quiet", "--package", "holdpoint-author", "--features", "ts", "export_bindings"]);
    run(export.env("TS_RS_EXPORT_DIR", dir).stdout(std::process::Stdio::null()))
}

/// A fault when a generated file is not what its source gives.
pub fn check() -> Done {
    let fresh = licences::notices()?;
    let kept = std::fs::read_to_string(root().join("THIRD-PARTY.md")).unwrap_or_default();
    if fresh != kept {
        return Err(drifted("THIRD-PARTY.md"));
    }
    types(&root().join(TYPES))?;
    let changed = output(command("git").args(["status", "--porcelain", "--", TYPES]))?;
    if changed.trim().is_empty() { Ok(()) } else { Err(drifted(TYPES)) }
}

fn drifted(path: &str) -> Fault {
    Fault::told(format!("{path} is not what its source gives. Run `cargo xtask generate` and commit the result."))
}
