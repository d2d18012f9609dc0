//! The two pure halves of `bundle.test`, and one call of an installed extension made ready (spec: facade.md, DESIGN §2 "The Wasm modules").
//!
//! Those who have a sandbox put them together: the command line around a child process, the page around a Web Worker.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, codes};
use holdpoint_sdk::run::{Outcome, Profile, Program, Selected};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::testing::{self, HostCall, TestPlan, TestReport, judge};
use crate::{IfcExtension, Kind};

/// For a module that has a sandbox beside it; natively `bundle.test` is one method.
pub const METHODS: Group =
    &[("tests.prepare", tests_prepare), ("tests.judge", tests_judge), ("call.prepare", prepare_call)];

codes! {
    /// a command of a bundle that does not hold
    BUNDLE_INVALID / NOT_CALLED: Error, "The bundle does not hold: mend what its check says.";
    /// a command that the bundle does not have
    UNKNOWN_COMMAND: Error, "The bundle has no command `{id}`." [id];
    INVALID_INPUT / NO_TESTS: Error, "Bundles of kind `{kind}` have no tests. Name one of {known}." [kind, known];
}

#[derive(Deserialize)]
struct TestInput {
    kind: String,
    files: Files,
    #[serde(default = "dry_run")]
    profile: Profile,
    /// What the tests may do; all that is declared.
    granted: Option<Vec<String>>,
}

fn dry_run() -> Profile {
    Profile::DryRun
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallInput {
    kind: String,
    files: Files,
    call: HostCall,
    /// What the user granted; never more than what is declared.
    grants: Vec<String>,
    /// Ids of the models that it sees, in the order in which they were opened.
    models: Option<Vec<String>>,
    active_model: Option<String>,
    #[serde(default)]
    selection: Vec<Selected>,
    /// What the extension kept on this device.
    #[serde(default)]
    storage: BTreeMap<String, Value>,
    #[serde(default = "english")]
    locale: String,
}

fn english() -> String {
    "en".to_owned()
}

/// Checks a bundle and prepares its tests: the plan, or the answer of `bundle.test` when nothing is run.
pub fn prepare(value: Value) -> Result<Result<TestPlan, TestReport>, ApiError> {
    let TestInput { kind, files, profile, granted } = input(value)?;
    runs(&kind)?;
    let mut prepared = testing::prepare(&files, profile).map_err(TestReport::from);
    if let (Ok(plan), Some(granted)) = (&mut prepared, granted) {
        plan.runs.iter_mut().for_each(|run| narrow(&mut run.program, &granted));
    }
    Ok(prepared)
}

/// Leaves a program what was granted of what is declared.
fn narrow(program: &mut Program, granted: &[String]) {
    program.grants.retain(|own| granted.contains(own));
}

/// `tests.prepare`: `{plan}`, which goes to the sandbox and to `tests.judge`, or `{answer}` when `bundle.test` ends before
/// anything is run.
fn tests_prepare(value: Value) -> Result<Value, ApiError> {
    Ok(match prepare(value)? {
        Ok(plan) => json!({ "plan": plan }),
        Err(report) => json!({ "answer": report }),
    })
}

#[derive(Deserialize)]
struct JudgeInput {
    plan: TestPlan,
    outcomes: Vec<Outcome>,
}

/// `tests.judge`: the answer of `bundle.test` for a plan and its outcomes.
fn tests_judge(value: Value) -> Result<Value, ApiError> {
    let JudgeInput { plan, outcomes } = input(value)?;
    Ok(json!(judge(&plan, &outcomes)))
}

/// `call.prepare`: `{program}`, null where the bundle has nothing to call.
fn prepare_call(value: Value) -> Result<Value, ApiError> {
    let CallInput { kind, files, call, grants, models, active_model, selection, storage, locale } = input(value)?;
    runs(&kind)?;
    let plan = testing::call(&files, &call, &locale).map_err(|report| {
        ApiError::of(&NOT_CALLED, args! {}).with_details(json!({ "diagnostics": report.diagnostics }))
    })?;
    let Some(plan) = plan else {
        return match call {
            HostCall::Command { id, .. }
            | HostCall::ContextMenu { id }
            | HostCall::Lens { id }
            | HostCall::Exporter { id, .. }
            | HostCall::IdsValidator { id } => Err(ApiError::of(&UNKNOWN_COMMAND, args! { id })),
            HostCall::Trigger { .. } | HostCall::Activate | HostCall::Deactivate => Ok(json!({ "program": null })),
        };
    };
    let mut program = plan.program;
    narrow(&mut program, &grants);
    (program.models, program.active_model, program.selection) = (models, active_model, selection);
    program.storage = storage;
    Ok(json!({ "program": program }))
}

/// A fault where a bundle of another kind is to be run.
fn runs(kind: &str) -> Result<(), ApiError> {
    if kind == IfcExtension::ID {
        return Ok(());
    }
    Err(ApiError::at("/kind", &NO_TESTS, args! { kind, known: format!("`{}`", IfcExtension::ID) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_kind_and_odd_input_are_told() {
        for value in [json!({"kind": "vite-app", "files": {}}), json!({"files": {}})] {
            assert_eq!(json!(tests_prepare(value).unwrap_err())["code"], "INVALID_INPUT");
        }
    }

    #[test]
    fn a_bundle_that_does_not_hold_is_not_run() {
        let answer = tests_prepare(json!({"kind": "ifc-extension", "files": {}})).unwrap();
        assert_eq!(answer["answer"]["checked"], false);
    }

    #[test]
    fn tests_run_with_exactly_what_is_granted() {
        let manifest = json!({
            "manifestVersion": 1, "id": "a.b", "name": "A", "description": "B.", "version": "1.0.0",
            "engines": {"ifcLiteSdk": "^1.0.0"}, "capabilities": ["model.read", "viewer.select"], "activation": [],
            "entry": {"commands": {"a.go": "src/a.js"}},
            "contributes": {"commands": [{"id": "a.go", "title": "Go"}]},
            "tests": [{"name": "t", "command": "a.go", "fixture": "empty-model", "expect": {"type": "array"}}],
        });
        let code = "export default (ctx) => ctx.bim.query.all();\n";
        let grants = |granted: Value| -> Value {
            let files = json!({"manifest.json": manifest.to_string(), "src/a.js": code});
            let mut input = json!({"kind": "ifc-extension", "files": files});
            if granted.is_array() {
                input["granted"] = granted;
            }
            tests_prepare(input).unwrap()["plan"]["runs"][0]["program"]["grants"].clone()
        };
        assert_eq!(grants(Value::Null), json!(["model.read", "viewer.select"]));
        assert_eq!(grants(json!(["model.read", "model.delete"])), json!(["model.read"]));
        assert_eq!(grants(json!([])), json!([]));
    }

    #[test]
    fn a_call_has_what_was_granted_and_kept() {
        let manifest = json!({
            "manifestVersion": 1, "id": "a.b", "name": "A", "description": "B.", "version": "1.0.0",
            "engines": {"ifcLiteSdk": "^1.0.0"}, "capabilities": ["model.read", "viewer.read"], "activation": ["onModelLoad"],
            "entry": {"triggers": {"onModelLoad": "src/a.js"}},
        });
        let code = "export default (ctx) => [ctx.bim.query.all(), ctx.bim.viewer.selection()];\n";
        let prepared = |call: Value| -> Value {
            let input = json!({
                "kind": "ifc-extension", "files": {"manifest.json": manifest.to_string(), "src/a.js": code}, "call": call,
                "grants": ["viewer.read", "model.delete"], "models": ["a", "b"], "activeModel": "b",
                "selection": [{"modelId": "b", "expressId": 7}], "storage": {"k": [1]},
            });
            prepare_call(input).unwrap_or_else(|error| json!({ "error": error }))
        };
        let program = &prepared(json!({"trigger": {"event": "onModelLoad"}}))["program"];
        assert_eq!(program["grants"], json!(["viewer.read"]), "{program}");
        assert_eq!((&program["models"], &program["activeModel"]), (&json!(["a", "b"]), &json!("b")));
        assert_eq!(program["selection"], json!([{"modelId": "b", "expressId": 7}]));
        assert_eq!(program["storage"], json!({"k": [1]}));
        let told = &prepared(json!({"trigger": {"event": "onModelLoad", "modelId": "b"}}))["program"]["args"];
        assert_eq!(told, &json!({"event": "onModelLoad", "modelId": "b"}));
        for call in [json!("activate"), json!({"trigger": {"event": "onStartup"}})] {
            assert_eq!(prepared(call), json!({"program": null}));
        }
        assert_eq!(prepared(json!("deactivate"))["program"]["entry"]["module"], "");
        assert_eq!(prepared(json!({"command": {"id": "x"}}))["error"]["code"], "UNKNOWN_COMMAND");
        assert_eq!(prepared(json!({"lens": {"id": "x"}}))["error"]["code"], "UNKNOWN_COMMAND");
        assert_eq!(prepared(json!({"panel": {"id": "x"}}))["error"]["code"], "INVALID_INPUT");
    }
}
