//! Writes the canonical fixtures from their data (spec: ifc-sdk.md §7).

use crate::Done;
use crate::process::{cargo, root, run};

/// Writes `fixtures/ifc/ID.ifc` for every fixture that can be written. The writer belongs to the model, which xtask does
/// not link: whoever only wants to start the product need not build it first.
pub fn write() -> Done {
    let folder = root().join("fixtures/ifc");
    run(cargo().args(["run", "--quiet", "--package", "holdpoint-model", "--example", "fixtures"]).arg(folder))
}
