//! One attempt: a bundle, what is wrong with it, and how it compares (spec: authoring.md §6.2 "Best so far").
//!
//! Invariant: an attempt's findings follow from its files and its tests alone, so equal bundles compare equal.

use std::collections::BTreeSet;

use crate::planning::{Autofix, Manifest, Purpose};
use holdpoint_bundle::content_hash;
use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_kind::protocol::{Key, key};

use super::effect::AttemptId;
use super::event::TestResult;
use super::view::{Best, Stage};
use holdpoint_bundle::Files;
use holdpoint_engine::attempt::Attempted;

codes! {
    /// a test that failed without saying why
    TEST_FAILED: Error, "`{name}` failed without saying why: run it alone." [name];
    /// a test without a result
    TEST_NOT_RUN: Error, "`{name}` did not run." [name];
}

/// One attempt of a model or a person.
#[derive(Debug, Clone)]
pub struct Attempt {
    pub id: AttemptId,
    /// `generate` or `repair`; none for a hand edit.
    pub purpose: Option<Purpose>,
    /// Index of the attempt that it builds on.
    pub builds_on: Option<usize>,
    pub started_at: u64,
    pub ended_at: Option<u64>,
    pub deadline_at: u64,
    pub before: Files,
    pub files: Files,
    /// Output tokens of its calls.
    pub output: u32,
    /// A continuation was asked for.
    pub continued: bool,
    /// What stands in the way of the reply.
    pub reply: Vec<Diagnostic>,
    pub check: Vec<Diagnostic>,
    pub plan: Vec<Diagnostic>,
    pub manifest: Option<Manifest>,
    pub checked: bool,
    /// `None` until the tests ran.
    pub tests: Option<Vec<TestResult>>,
    pub autofixes: Vec<Autofix>,
    pub end: Option<AttemptEnd>,
}

/// How an attempt ended other than by its own findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    TimedOut,
    Stopped,
}

impl Attempt {
    pub fn new(id: AttemptId, purpose: Option<Purpose>, before: Files, at: u64, deadline_at: u64) -> Self {
        Self {
            id,
            purpose,
            builds_on: None,
            started_at: at,
            ended_at: None,
            deadline_at,
            files: before.clone(),
            before,
            output: 0,
            continued: false,
            reply: Vec::new(),
            check: Vec::new(),
            plan: Vec::new(),
            manifest: None,
            checked: false,
            tests: None,
            autofixes: Vec::new(),
            end: None,
        }
    }

    /// Whether there is a bundle at all.
    pub fn has_bundle(&self) -> bool {
        self.checked && !self.files.is_empty()
    }

    /// Whether the check with the plan found no error.
    pub fn check_ok(&self) -> bool {
        self.checked && !self.check.iter().chain(&self.plan).any(Diagnostic::is_error)
    }

    /// Whether the tests ran and every test of the manifest passed.
    pub fn tests_pass(&self) -> bool {
        self.tests.is_some() && self.failing_tests() == 0
    }

    /// Tests that failed, or that should have run and did not.
    pub fn failing_tests(&self) -> u32 {
        let Some(tests) = &self.tests else { return 0 };
        let failed = tests.iter().filter(|test| !test.ok).count();
        (failed + self.tests_not_run().len()) as u32
    }

    /// Names of the manifest's tests that have no result, once the tests ran.
    fn tests_not_run(&self) -> Vec<&str> {
        let (Some(tests), Some(manifest)) = (&self.tests, &self.manifest) else { return Vec::new() };
        let named = |name: &&str| !tests.iter().any(|test| test.name == *name);
        manifest.test_names().into_iter().filter(named).collect()
    }

    /// Errors of reply, check, plan and tests with the stage that found them.
    pub fn errors(&self) -> u32 {
        let found = self.reply.iter().chain(&self.check).chain(&self.plan).filter(|finding| finding.is_error());
        (found.count() + self.test_errors().len()) as u32
    }

    fn warnings(&self) -> usize {
        self.reply.iter().chain(&self.check).chain(&self.plan).filter(|finding| !finding.is_error()).count()
    }

    /// Findings of the failed tests, as diagnostics with the test's name.
    pub fn test_errors(&self) -> Vec<(String, Diagnostic)> {
        let manifest = self.manifest.as_ref().map(|manifest| manifest.path).unwrap_or_default();
        let mut errors = Vec::new();
        for test in self.tests.iter().flatten().filter(|test| !test.ok) {
            let found =
                test.diagnostics.iter().map(|finding| finding.diagnostic().where_it_ran()).filter(Diagnostic::is_error);
            let before = errors.len();
            errors.extend(found.map(|finding| (test.name.clone(), finding)));
            if errors.len() == before {
                let finding = Diagnostic::of(&TEST_FAILED, args! { name: test.name });
                errors.push((test.name.clone(), finding.in_file(manifest)));
            }
        }
        for name in self.tests_not_run() {
            let finding = Diagnostic::of(&TEST_NOT_RUN, args! { name });
            errors.push((name.to_owned(), finding.in_file(manifest)));
        }
        errors
    }

    /// The stage of its first errors.
    pub fn stage(&self) -> Stage {
        let any = |list: &[Diagnostic]| list.iter().any(Diagnostic::is_error);
        if any(&self.reply) {
            Stage::Reply
        } else if any(&self.check) {
            Stage::Check
        } else if any(&self.plan) {
            Stage::Plan
        } else {
            Stage::Tests
        }
    }

    pub fn summary(&self) -> Best {
        Best { attempt: self.id, check_ok: self.check_ok(), errors: self.errors(), failing_tests: self.failing_tests() }
    }
}

impl Attempted for Attempt {
    fn stands(&self) -> bool {
        self.has_bundle()
    }

    fn rank(&self) -> impl Ord {
        let fewer = |count: u32| std::cmp::Reverse(count);
        // Tests that did not run count as failing, as many as there could be.
        let failing = if self.tests.is_some() { self.failing_tests() } else { u32::MAX };
        (
            self.tests_pass(),
            self.check_ok(),
            fewer(failing),
            self.manifest.is_some(),
            fewer(self.errors()),
            std::cmp::Reverse(self.warnings()),
        )
    }

    fn keys(&self) -> BTreeSet<Key> {
        let own = self.reply.iter().chain(&self.check).chain(&self.plan).filter(|finding| finding.is_error()).map(key);
        own.chain(self.test_errors().iter().map(|(_, finding)| key(finding))).collect()
    }

    fn hash(&self) -> String {
        content_hash(&self.files)
    }
}
