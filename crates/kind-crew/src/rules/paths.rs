//! `STEP_OUTPUT_PATH`: products of a run lie under `artifacts/` (spec: crew-package.md §6).

use holdpoint_check::{Diagnostic, args, codes};

use super::mounts;
use crate::documents::step::StepHead;
use crate::limits::MAX_DIAGNOSTICS;
use crate::policy::ARTIFACTS;

codes! {
    /// an output lies in another folder
    STEP_OUTPUT_PATH: Warning, "Begin the output with `artifacts/`: products of a run lie there.";
}

/// Inputs and outputs of a step, mounts too.
pub fn check(step: &StepHead<'_>) -> Vec<Diagnostic> {
    let inputs = step
        .inputs
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some(mounts::prefix(item)?.at_pointer(format!("/inputs/{at}"))));
    let outputs = step.outputs.iter().enumerate().filter_map(|(at, item)| {
        let elsewhere = || (!item.starts_with(ARTIFACTS)).then(|| Diagnostic::of(&STEP_OUTPUT_PATH, args! {}));
        Some(mounts::prefix(item).or_else(elsewhere)?.at_pointer(format!("/outputs/{at}")))
    });
    inputs.chain(outputs).take(MAX_DIAGNOSTICS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test::found;

    #[test]
    fn a_mount_is_said_once() {
        let value = json!({
            "inputs": ["assets/a.md", "@pkg/assets/a.md", "any text"],
            "outputs": ["artifacts/a.md", "a.md", "@project/artifacts/a.md", "artifacts", ""],
        });
        let want = "STEP_MOUNT_PREFIX /inputs/1, STEP_OUTPUT_PATH /outputs/1, STEP_MOUNT_PREFIX /outputs/2, \
                    STEP_OUTPUT_PATH /outputs/3, STEP_OUTPUT_PATH /outputs/4";
        assert_eq!(found(&check(&StepHead::of(&value))), want);
    }
}
