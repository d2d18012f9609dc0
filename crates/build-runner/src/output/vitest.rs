//! The report of Vitest, as its JSON reporter writes it.

use std::path::Path;

use holdpoint_check::{Diagnostic, Position, Range, args};
use serde::Deserialize;

use super::clean;
use super::diagnose::{PROJECT_TEST, shorten, without_folder};
use crate::limits::MAX_DIAGNOSTICS;
use crate::wire::TestOutcome;

/// Tests of one report that are told.
const MAX_TESTS: usize = 5_000;

#[derive(Debug, Default)]
pub struct TestReport {
    pub tests: Vec<TestOutcome>,
    /// One for each failed test, and for each file that could not be run.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    #[serde(default)]
    test_results: Vec<FileResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileResult {
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Vec<String>,
    #[serde(default)]
    location: Option<Location>,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
    column: u32,
}

/// Reads a report; one that cannot be read says nothing. `job` is the folder that paths are told from.
pub fn read(text: &[u8], job: &Path) -> Option<TestReport> {
    let report: Report = serde_json::from_slice(text).ok()?;
    let mut told = TestReport::default();
    for file in report.test_results {
        let path = without_folder(&file.name, job);
        if file.assertion_results.is_empty() && file.status == "failed" {
            let text = shorten(&clean(without_folder(&file.message, job).as_bytes()));
            told.add_failure(Diagnostic::of(&PROJECT_TEST, args! { name: path, text }).in_file(&path));
        }
        for test in file.assertion_results {
            if told.tests.len() < MAX_TESTS {
                told.add(&path, test, job);
            }
        }
    }
    Some(told)
}

impl TestReport {
    fn add_failure(&mut self, finding: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push(finding);
        }
    }

    fn add(&mut self, path: &str, test: Assertion, job: &Path) {
        let titles = test.ancestor_titles.iter().chain([&test.title]).filter(|title| !title.is_empty());
        let name = shorten(&clean(titles.cloned().collect::<Vec<_>>().join(" > ").as_bytes()));
        let status = match test.status.as_str() {
            "passed" | "failed" => test.status,
            _ => "skipped".to_owned(),
        };
        let whole = clean(without_folder(&test.failure_messages.join("\n"), job).as_bytes());
        let message = (status == "failed").then(|| shorten(&whole));
        if let Some(message) = &message {
            let first = message.lines().next().unwrap_or_default();
            let finding = Diagnostic::of(&PROJECT_TEST, args! { name, text: first }).in_file(path);
            let own = test.location.map(|at| Position { line: at.line.max(1), column: at.column.max(1) });
            let at = stack_place(&whole, path).or(own);
            self.add_failure(match at {
                Some(at) => finding.at(Range { start: at, end: at }),
                None => finding,
            });
        }
        let duration_ms = test.duration.unwrap_or(0.0).clamp(0.0, 1e12) as u64;
        self.tests.push(TestOutcome { path: path.to_owned(), name, status, duration_ms, message });
    }
}

/// The first place in the test's own file that a stack names: `at … (file://src/a.test.ts:3:9)`.
fn stack_place(stack: &str, path: &str) -> Option<Position> {
    let whole = format!("{path}:");
    let line = stack.lines().find(|line| line.contains(&whole))?;
    let rest = &line[line.find(&whole)? + whole.len()..];
    let mut numbers = rest.split(|character: char| !character.is_ascii_digit()).map(str::parse::<u32>);
    let (line, column) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(Position { line: line.max(1), column: column.max(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_becomes_outcomes_and_findings() {
        let text = r#"{"numTotalTests": 3, "testResults": [
            {"name": "/job/src/a.test.ts", "status": "failed", "message": "", "assertionResults": [
                {"ancestorTitles": ["", "sum"], "title": "adds", "status": "passed", "duration": 1.7, "failureMessages": []},
                {"ancestorTitles": [], "title": "\u001b[31mfails", "status": "failed", "duration": null,
                 "failureMessages": ["AssertionError: expected 1 to be 2\n    at /job/src/a.test.ts:4:19\n    at x.js:1:1"]},
                {"ancestorTitles": [], "title": "later", "status": "todo", "failureMessages": []}]},
            {"name": "/job/src/b.test.ts", "status": "failed", "message": "Cannot find './gone'", "assertionResults": []}]}"#;
        let report = read(text.as_bytes(), Path::new("/job")).unwrap();
        let outcomes: Vec<_> = report.tests.iter().map(|test| (test.name.as_str(), test.status.as_str())).collect();
        assert_eq!(outcomes, [("sum > adds", "passed"), ("fails", "failed"), ("later", "skipped")]);
        assert_eq!(report.tests[0].duration_ms, 1);
        assert_eq!(report.diagnostics.len(), 2);
        assert_eq!(report.diagnostics[0].range.unwrap().start, Position { line: 4, column: 19 });
        assert!(report.diagnostics[0].message.contains("expected 1 to be 2"));
        assert_eq!(report.diagnostics[1].path.as_deref(), Some("src/b.test.ts"));
    }

    #[test]
    fn what_is_no_report_says_nothing() {
        for text in ["", "{", "7", "null", r#"{"testResults": 1}"#] {
            assert!(read(text.as_bytes(), Path::new("/job")).is_none(), "{text}");
        }
        assert!(read(b"{}", Path::new("/job")).unwrap().tests.is_empty());
    }
}
