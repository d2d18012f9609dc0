//! Writes the canonical fixtures from their data (spec: ifc-sdk.md §7).

use crate::Done;
use crate::process::{Fault, root};

/// Writes `fixtures/ifc/ID.ifc` for every fixture that can be written.
pub fn write() -> Done {
    for id in holdpoint_model::fixtures::ids() {
        let text = holdpoint_model::fixtures::write(id).map_err(|_| Fault::told(format!("{id} has no data.")))?;
        let path = root().join("fixtures/ifc").join(format!("{id}.ifc"));
        std::fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}
