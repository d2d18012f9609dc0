//! What a person saw and says is wrong: a test shows it first, then the code is mended (spec: authoring.md §7).
//!
//! Owns what counts as such a test. Invariant: the code is touched only once a test fails that did not stand before.

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde_json::Value;

use super::effect::{AttemptId, Effect, FailureReason};
use super::event::TestFirst;
use super::{Repaired, Run};

codes! {
    /// what a person says is wrong is not shown by a test yet
    TEST_FIRST: Error,
        "Send one new test that fails as the code stands, and nothing else: it shows what the person saw.";
}

/// Where files of tests stand.
const FIXTURES: &str = "fixtures/";

impl Run {
    /// What becomes of the test that is still to be written.
    pub(super) fn test_first(&self) -> Option<TestFirst> {
        self.repaired.as_ref()?.test
    }

    /// Of an attempt that was to bring the test: finds it, or says what is missing.
    pub(super) fn expect_test(&mut self, index: usize) -> Option<TestFirst> {
        let test = self.test_first().filter(|_| matches!(self.attempts[index].id, AttemptId::Number(_)))?;
        if self.shows(index) {
            return Some(test);
        }
        let attempt = &mut self.attempts[index];
        if attempt.check_ok() && attempt.tests.is_some() && attempt.end.is_none() {
            let finding = Diagnostic::of(&TEST_FIRST, args! {});
            // That its tests pass says nothing for it.
            attempt.tests = None;
            attempt.check.push(finding.in_file(self.kind.manifest_path()).at_pointer("/tests"));
        }
        None
    }

    /// Whether its new tests fail, all others pass, and nothing but tests was changed.
    fn shows(&self, index: usize) -> bool {
        let (Some(Repaired { files: before, .. }), attempt) = (&self.repaired, &self.attempts[index]) else {
            return false;
        };
        let manifest = self.kind.manifest_path();
        let (Some((known, rest)), Some((_, rest_now))) = (tests(before, manifest), tests(&attempt.files, manifest))
        else {
            return false;
        };
        let paths = before.keys().chain(attempt.files.keys());
        let mut changed = paths.filter(|path| before.get(*path) != attempt.files.get(*path));
        let failing = attempt.test_errors();
        attempt.check_ok()
            && attempt.end.is_none()
            && rest == rest_now
            && changed.all(|path| path == manifest || path.starts_with(FIXTURES))
            && !failing.is_empty()
            && failing.iter().all(|(name, _)| !known.contains(name))
    }

    /// The test stands, and is part of what is planned; what fails it is mended now, or by its person.
    pub(super) fn test_shown(&mut self, index: usize, test: TestFirst) -> Vec<Effect> {
        let files = self.attempts[index].files.clone();
        if let Some(plan) = self.kind.present_plan(&files, &self.request) {
            self.take_plan(plan);
            self.planning.approved = true;
        }
        self.best = Some(index);
        self.repaired = Some(Repaired { files, changelog: None, test: None });
        self.renew_set();
        let next = match (test, self.attempts[index].id) {
            (TestFirst::Then, AttemptId::Number(number)) => self.next(index, number).map(|whole| (number + 1, whole)),
            _ => Err(FailureReason::Test),
        };
        match next {
            Ok((number, whole_files)) => self.write(number, Some(whole_files)),
            Err(reason) => self.fail(reason),
        }
    }
}

/// The names of the tests of a manifest, and everything else that it says.
fn tests(files: &Files, manifest: &str) -> Option<(BTreeSet<String>, Value)> {
    let mut value: Value = serde_json::from_str(files.get(manifest)?).ok()?;
    let tests = value.as_object_mut()?.remove("tests").unwrap_or_default();
    let names = tests.as_array().into_iter().flatten().filter_map(|test| test["name"].as_str().map(str::to_owned));
    Some((names.collect(), value))
}
