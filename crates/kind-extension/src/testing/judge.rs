//! From outcomes to a report (spec: ifc-sdk.md §5.4, §7.1).

use holdpoint_check::{Diagnostic, Position, Range, Sentence, args};
use holdpoint_sdk::{
    codes as run_codes,
    cut::cut,
    run::{Failure, LogEntry, Outcome, Profile, SandboxUsage},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    effects,
    plan::{PlannedTest, TestPlan},
    values,
};
use crate::{BundleCheck, policy::MANIFEST};

holdpoint_check::codes! {
    /// an operator of `expect` does not hold
    EXPECT_FAILED: Error, "`{operator}` does not hold. Mend the code, or the test if it is wrong.",
        hint "expected {expected}, actual {actual}" [operator, expected, actual];
    THREW / THROWN: Error, "{name}{message}{place}" [name, message, place];
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BundleTest"))]
pub struct TestReport {
    /// Checked, and every test holds.
    pub ok: bool,
    /// Whether the check held, so that tests ran.
    pub checked: bool,
    /// In the order of the manifest.
    pub tests: Vec<TestResult>,
    pub diagnostics: Vec<Diagnostic>,
    /// Fuel of all tests, and the highest peak.
    pub usage: SandboxUsage,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TestOutcome"))]
pub struct TestResult {
    pub name: String,
    pub ok: bool,
    /// One for each failing operator, or one for the failure of the run.
    pub diagnostics: Vec<Diagnostic>,
    pub logs: Vec<LogEntry>,
    /// The value, cut for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub actual: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub truncated: bool,
    pub usage: SandboxUsage,
}

impl From<BundleCheck> for TestReport {
    /// A bundle whose check did not hold: nothing was run.
    fn from(report: BundleCheck) -> Self {
        Self {
            ok: false,
            checked: false,
            tests: Vec::new(),
            diagnostics: report.diagnostics,
            usage: SandboxUsage::default(),
        }
    }
}

/// Judges the outcomes of a plan's runs, in the same order. A run without an outcome is a failed fixture.
pub fn judge(plan: &TestPlan, outcomes: &[Outcome]) -> TestReport {
    let missing = Outcome { failure: Some(Sentence::of(&run_codes::NOT_RUN, args! {}).into()), ..Outcome::default() };
    let one = |(index, test): (usize, &PlannedTest)| {
        result(index, test, outcomes.get(index).unwrap_or(&missing), plan.profile)
    };
    let tests: Vec<TestResult> = plan.tests.iter().enumerate().map(one).collect();
    TestReport {
        ok: tests.iter().all(|test| test.ok),
        checked: true,
        diagnostics: plan.diagnostics.clone(),
        usage: SandboxUsage {
            fuel: tests.iter().map(|test| test.usage.fuel).sum(),
            peak_bytes: tests.iter().map(|test| test.usage.peak_bytes).max().unwrap_or_default(),
        },
        tests,
    }
}

fn result(index: usize, test: &PlannedTest, outcome: &Outcome, profile: Profile) -> TestResult {
    let diagnostics = findings(index, test, outcome, profile);
    let shown = outcome.value.as_ref().map(cut);
    TestResult {
        name: test.name.clone(),
        ok: diagnostics.is_empty(),
        diagnostics,
        logs: outcome.logs.clone(),
        truncated: shown.as_ref().is_some_and(|shown| shown.truncated),
        actual: shown.map(|shown| shown.value),
        usage: outcome.usage,
    }
}

fn findings(index: usize, test: &PlannedTest, outcome: &Outcome, profile: Profile) -> Vec<Diagnostic> {
    let expect = &test.expect;
    let mut misses = Vec::new();
    match (expect.get("error"), &outcome.failure) {
        (Some(operand), Some(failure)) if effects::can_be_expected(failure) => {
            if !effects::failed_so(operand, failure) {
                let actual = json!({"code": failure.sdk_code, "name": failure.name, "message": failure.message});
                let pointer = "/error".to_owned();
                misses.push(values::Miss { pointer, expected: operand.clone(), actual });
            }
        }
        (_, Some(failure)) => return vec![failed(index, failure, profile)],
        (Some(operand), None) if *operand != Value::Bool(false) => {
            let actual = outcome.value.clone().unwrap_or_default();
            misses.push(values::Miss { pointer: "/error".to_owned(), expected: operand.clone(), actual });
        }
        (_, None) => misses.extend(values::judge(expect, outcome.value.as_ref().unwrap_or(&Value::Null))),
    }
    misses.extend(effects::judge(expect, outcome));
    misses
        .into_iter()
        .map(|miss| {
            let operator = miss.pointer.rsplit('/').next().unwrap_or_default();
            let shown = |value: &Value| cut(value).value.to_string();
            let values = args! { operator, expected: shown(&miss.expected), actual: shown(&miss.actual) };
            Diagnostic::of(&EXPECT_FAILED, values)
                .in_file(MANIFEST)
                .at_pointer(format!("/tests/{index}/expect{}", miss.pointer))
        })
        .collect()
}

/// The failure of a test. Its `range` is the place in the bundle's file that the message names.
fn failed(index: usize, failure: &Failure, profile: Profile) -> Diagnostic {
    let mut finding = thrown(failure, profile).in_file(MANIFEST).at_pointer(format!("/tests/{index}"));
    if let Some(at) = &failure.at {
        // The finding stands at its test; the range, in this file.
        finding.args.insert(Diagnostic::RAN_IN.to_owned(), at.path.as_str().into());
    }
    finding
}

/// The failure of a call, in the file where it was thrown.
pub fn thrown(failure: &Failure, profile: Profile) -> Diagnostic {
    let name = failure.name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let place = failure.at.as_ref().map(|at| format!(" ({}:{}:{})", at.path, at.line, at.column)).unwrap_or_default();
    let mut finding =
        Diagnostic::of(&THROWN, args! { name, message: failure.told(), place }).called(code(&failure.code, profile));
    if let Some(at) = &failure.at {
        let position = Position { line: at.line, column: at.column };
        finding.range = Some(Range { start: position, end: position });
        finding.path = Some(at.path.clone());
    }
    finding
}

fn code(plain: &str, profile: Profile) -> String {
    if profile == Profile::DryRun && run_codes::PREFIXED.contains(&plain) {
        format!("TEST_{plain}")
    } else {
        plain.to_owned()
    }
}

/// The answer of `holdpoint run`: `{result, exports[], mutations[], viewer[], notifications[], logs[], error?}`. The
/// texts of the exports and the references of the viewer's entries stay in the outcome.
pub fn run_report(outcome: &Outcome) -> Value {
    let without = |list: &[Value], member: &str| -> Vec<Value> {
        let mut list = list.to_vec();
        for entry in list.iter_mut().filter_map(Value::as_object_mut) {
            entry.shift_remove(member);
        }
        list
    };
    let effects = &outcome.effects;
    let mut report = json!({
        "result": outcome.value,
        "exports": without(&effects.exports, "text"),
        "mutations": without(&effects.mutations, "ref"),
        "viewer": without(&effects.viewer, "refs"),
        "notifications": effects.notifications,
        "logs": outcome.logs,
    });
    if let Some(failure) = &outcome.failure {
        report["error"] = json!({
            "code": code(&failure.code, Profile::Production),
            "name": failure.name,
            "message": failure.message,
            "details": failure.details,
            "at": failure.at,
        });
    }
    report
}
