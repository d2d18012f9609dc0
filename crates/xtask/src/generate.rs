//! Generated files: written here, checked for drift by `ci`.
//!
//! The type declarations of the wire are written by the tests of the crates that own the types
//! (`TS_RS_EXPORT_DIR` in `.cargo/config.toml`), the reference by tests of the facade
//! (`crates/facade/src/test`), so `test` looks for their drift after it ran them.

use crate::Done;
use crate::process::{Fault, cargo, command, output, root, run};
use crate::test::WASM_ONLY;
use crate::{licences, sizes, wasm};

/// What tests write: the type declarations of the wire, and the reference.
const WRITTEN: [&str; 2] = ["www/core/src/generated", "docs/reference"];
/// What the names of those tests hold.
const WRITERS: [&str; 2] = ["_written", "export_bindings"];
const NOTICES: &str = "THIRD-PARTY.md";

/// Writes every generated file.
pub fn write() -> Done {
    std::fs::write(root().join(NOTICES), licences::notices()?)?;
    run(cargo().args(["test", "--quiet", "--workspace"]).args(WASM_ONLY).arg("--").args(WRITERS))?;
    wasm::build(wasm::Profile::Small)?;
    sizes::check(true)
}

/// A fault when the notices are not what the lock gives.
pub fn check() -> Done {
    let kept = std::fs::read_to_string(root().join(NOTICES)).unwrap_or_default();
    if licences::notices()? == kept { Ok(()) } else { Err(drifted(NOTICES)) }
}

/// A fault when the tests wrote something else than what is committed.
pub fn check_written() -> Done {
    for path in WRITTEN {
        let changed = output(command("git").args(["status", "--porcelain", "--", path]))?;
        if !changed.trim().is_empty() {
            return Err(drifted(path));
        }
    }
    Ok(())
}

fn drifted(path: &str) -> Fault {
    Fault::told(format!("{path} is not what its source gives. Run `cargo xtask generate` and commit the result."))
}
