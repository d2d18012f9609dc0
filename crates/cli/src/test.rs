//! `bundle.test` around the sandbox in a child process.

use holdpoint_kind_extension::methods::testing;
use holdpoint_kind_extension::testing::judge;
use holdpoint_sandbox::ModelFile;
use holdpoint_sandbox::child::Runner;
use serde_json::{Value, json};

/// The answer of `bundle.test`, an error answer where the input or the machine is wrong.
pub fn answer(runner: &mut Runner, input: Value) -> Value {
    let plan = match testing::prepare(input) {
        Ok(Ok(plan)) => plan,
        Ok(Err(report)) => return json!(report),
        Err(error) => return json!({ "error": error }),
    };
    match runner.run_all(&plan.runs, fixture) {
        Ok(outcomes) => json!(judge(&plan, &outcomes)),
        Err(error) => json!({ "error": { "code": "SANDBOX_FAILED", "message": error.to_string() } }),
    }
}

/// The file of a canonical fixture.
fn fixture(id: &str) -> Option<ModelFile> {
    let text = holdpoint_model::fixtures::write(id).ok()?;
    Some(ModelFile { name: format!("{id}.ifc"), bytes: text.into_bytes() })
}
