//! The two pure halves of `bundle.test`, and one command made ready (spec: facade.md, DESIGN §2 "The Wasm modules").
//!
//! Those who have a sandbox put them together: the command line around a child process, the page around a Web Worker.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_kinds::ifc_extension::testing::{self, TestPlan, TestReport};
use holdpoint_sdk::run::{Outcome, Profile, Selected};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{ErrorAnswer, input};

/// The kind whose bundles have tests.
const KIND: &str = "ifc-extension";

#[derive(Deserialize)]
struct TestInput {
    kind: String,
    files: Files,
    #[serde(default = "dry_run")]
    profile: Profile,
}

fn dry_run() -> Profile {
    Profile::DryRun
}

#[derive(Deserialize)]
struct CommandInput {
    kind: String,
    files: Files,
    command: String,
    #[serde(default)]
    args: Option<Value>,
    /// What the user granted; never more than what is declared.
    grants: Vec<String>,
    #[serde(default)]
    selection: Vec<u32>,
    #[serde(default = "english")]
    locale: String,
}

fn english() -> String {
    "en".to_owned()
}

/// Checks a bundle and prepares its tests: the plan, or the answer of `bundle.test` when nothing is run.
pub fn prepare(value: Value) -> Result<Result<TestPlan, TestReport>, ErrorAnswer> {
    let TestInput { kind, files, profile } = input(value)?;
    known(&kind)?;
    Ok(testing::prepare(&files, profile).map_err(TestReport::from))
}

/// [`prepare`] over text: `{plan}`, `{answer}` or an error answer.
pub fn prepare_text(text: &str) -> String {
    let answer = read(text).and_then(prepare).map(|prepared| match prepared {
        Ok(plan) => json!({ "plan": plan }),
        Err(report) => json!({ "answer": report }),
    });
    written(answer)
}

/// The answer of `bundle.test` for a plan and its outcomes, all as text.
pub fn judge_text(plan: &str, outcomes: &str) -> String {
    let judged = read(plan).and_then(input::<TestPlan>).and_then(|plan| {
        let outcomes: Vec<Outcome> = read(outcomes).and_then(input)?;
        Ok(json!(testing::judge(&plan, &outcomes)))
    });
    written(judged)
}

/// One command of an installed bundle over text: `{program}` or an error answer.
pub fn prepare_command_text(text: &str) -> String {
    written(read(text).and_then(prepare_command))
}

fn prepare_command(value: Value) -> Result<Value, ErrorAnswer> {
    let CommandInput { kind, files, command, args, grants, selection, locale } = input(value)?;
    known(&kind)?;
    let plan = testing::command(&files, &command, args, &locale).map_err(|report| {
        ErrorAnswer::new("BUNDLE_INVALID", "The bundle does not hold: mend what its check says.")
            .with(json!({ "diagnostics": report.diagnostics }))
    })?;
    let mut program = plan
        .ok_or_else(|| ErrorAnswer::new("UNKNOWN_COMMAND", format!("The bundle has no command `{command}`.")))?
        .program;
    let declared: BTreeSet<String> = program.grants.into_iter().collect();
    program.grants = grants.into_iter().filter(|capability| declared.contains(capability)).collect();
    program.selection = selection.into_iter().map(Selected::Id).collect();
    Ok(json!({ "program": program }))
}

fn known(kind: &str) -> Result<(), ErrorAnswer> {
    if kind == KIND {
        return Ok(());
    }
    Err(ErrorAnswer::invalid_input("/kind", format!("Bundles of kind `{kind}` have no tests. Name `{KIND}`.")))
}

fn read(text: &str) -> Result<Value, ErrorAnswer> {
    serde_json::from_str(text)
        .map_err(|error| ErrorAnswer::new("INVALID_JSON", format!("Send one JSON value: {error}.")))
}

fn written(answer: Result<Value, ErrorAnswer>) -> String {
    answer.unwrap_or_else(|error| json!({ "error": error })).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_kind_and_odd_text_are_told() {
        let cases = [
            (r#"{"kind":"vite-app","files":{}}"#, "INVALID_INPUT"),
            (r#"{"files":{}}"#, "INVALID_INPUT"),
            ("{", "INVALID_JSON"),
        ];
        for (text, code) in cases {
            let answer: Value = serde_json::from_str(&prepare_text(text)).unwrap();
            assert_eq!(answer["error"]["code"], code, "{text}");
        }
    }

    #[test]
    fn a_bundle_that_does_not_hold_is_not_run() {
        let answer: Value = serde_json::from_str(&prepare_text(r#"{"kind":"ifc-extension","files":{}}"#)).unwrap();
        assert_eq!(answer["answer"]["checked"], false);
    }
}
