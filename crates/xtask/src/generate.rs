//! Generated files: written here, checked for drift by `ci`.
//!
//! The type declarations of the wire are written by the tests of the crates that own the types
//! (`TS_RS_EXPORT_DIR` in `.cargo/config.toml`), so `test` looks for their drift after it ran them.

use crate::Done;
use crate::process::{Fault, cargo, command, output, root, run};
use crate::test::WASM_ONLY;
use crate::{licences, sizes, wasm};

/// The type declarations of the wire, from Rust.
const TYPES: &str = "www/core/src/generated";
const NOTICES: &str = "THIRD-PARTY.md";

/// Writes every generated file.
pub fn write() -> Done {
    std::fs::write(root().join(NOTICES), licences::notices()?)?;
    run(cargo().args(["test", "--quiet", "--workspace"]).args(WASM_ONLY).arg("declarations_are_written"))?;
    wasm::page(wasm::Profile::Small)?;
    sizes::check(true)
}

/// A fault when the notices are not what the lock gives.
pub fn check() -> Done {
    let kept = std::fs::read_to_string(root().join(NOTICES)).unwrap_or_default();
    if licences::notices()? == kept { Ok(()) } else { Err(drifted(NOTICES)) }
}

/// A fault when the tests wrote other declarations than those that are committed.
pub fn check_types() -> Done {
    let changed = output(command("git").args(["status", "--porcelain", "--", TYPES]))?;
    if changed.trim().is_empty() { Ok(()) } else { Err(drifted(TYPES)) }
}

fn drifted(path: &str) -> Fault {
    Fault::told(format!("{path} is not what its source gives. Run `cargo xtask generate` and commit the result."))
}
