//! Tests that a proposal makes check less: gone, skipped, or with expectations that are gone or others. Its person looks at
//! each before it counts, as with extensions (spec: app-builder.md §14).
//!
//! Reads the tree of each test and runs nothing. A test that was only moved, or is laid out otherwise, checks as much.

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_js::read_source;
use holdpoint_js::tree::ast::{CallExpression, Expression};
use holdpoint_js::tree::{GetSpan, Visit, walk};

use crate::code::dialect;
use crate::policy::is_test;

codes! {
    /// a test of an app that checks less than before
    TEST_WEAKENED / CHECKS_LESS: Warning,
        "Look at this test: of {before} cases and expectations {lost} are gone, skipped or others." [before, lost];
}

const CASES: [&str; 2] = ["it", "test"];
const GROUPS: [&str; 2] = ["describe", "suite"];
const EXPECTATIONS: [&str; 2] = ["expect", "assert"];
const SKIPS: [&str; 2] = ["skip", "todo"];
const FOCUS: &str = "only";
/// What a case counts as, beside the texts of expectations.
const CASE: &str = "";

/// What a test checks: how often each expectation stands in it, without its blanks, and how many cases run.
type Checks = BTreeMap<String, usize>;

/// A warning for each test that checks less, in the order of their paths.
pub fn weakened(before: &Files, after: &Files) -> Vec<Diagnostic> {
    let is_changed = |path: &str, text: &String| is_test(path) && after.get(path) != Some(text);
    let changed: Vec<_> = before.iter().filter(|(path, text)| is_changed(path.as_str(), text)).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let mut added = Checks::new();
    for (path, text) in after.iter().filter(|(path, _)| is_test(path) && !before.contains_key(*path)) {
        for (check, count) in checks(path, text).unwrap_or_default() {
            *added.entry(check).or_default() += count;
        }
    }
    let mut found = Vec::new();
    for (path, text) in changed {
        let Some(old) = checks(path, text) else { continue };
        let mut left = after.get(path).and_then(|text| checks(path, text)).unwrap_or_default();
        let (mut all, mut lost) = (0, 0);
        for (check, count) in old {
            all += count;
            let own = left.remove(&check).unwrap_or_default().min(count);
            let moved = added.get_mut(&check).map_or(0, |there| {
                let taken = (*there).min(count - own);
                *there -= taken;
                taken
            });
            lost += count - own - moved;
        }
        if lost > 0 {
            let warning = Diagnostic::of(&CHECKS_LESS, args! { before: all, lost: lost });
            found.push(warning.in_file(path.as_str()));
        }
    }
    found
}

/// What a test file checks; `None` where it cannot be read.
fn checks(path: &str, text: &str) -> Option<Checks> {
    let read = read_source(text, dialect(path), |source| {
        let mut counter = Counter { text, found: Checks::new(), cases: 0, focused: 0 };
        counter.visit_program(source.program);
        counter
    });
    let Counter { mut found, cases, focused, .. } = read.ok()?;
    // Where one case is singled out, no other one runs.
    let run = if focused > 0 { focused } else { cases };
    found.insert(CASE.to_owned(), run);
    Some(found)
}

struct Counter<'t> {
    text: &'t str,
    found: Checks,
    cases: usize,
    focused: usize,
}

impl<'a> Visit<'a> for Counter<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let mut members = Vec::new();
        let root = root(&call.callee, &mut members);
        let is = |names: &[&str]| root.is_some_and(|root| names.contains(&root));
        let has = |names: &[&str]| members.iter().any(|member| names.contains(member));
        if is(&EXPECTATIONS) {
            let span = call.span();
            let text = &self.text[span.start as usize..span.end as usize];
            let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            *self.found.entry(plain).or_default() += 1;
            return;
        }
        if (is(&CASES) || is(&GROUPS)) && has(&SKIPS) {
            return;
        }
        if is(&CASES) {
            self.cases += 1;
            self.focused += usize::from(has(&[FOCUS]));
            call.arguments.iter().for_each(|argument| self.visit_argument(argument));
            return;
        }
        let before = self.cases;
        walk::walk_call_expression(self, call);
        if is(&GROUPS) && has(&[FOCUS]) {
            self.focused += self.cases - before;
        }
    }
}

/// The name that a chain of members and calls begins with; its members are collected.
fn root<'a>(mut chain: &'a Expression<'_>, members: &mut Vec<&'a str>) -> Option<&'a str> {
    loop {
        chain = match chain {
            Expression::Identifier(name) => return Some(name.name.as_str()),
            Expression::StaticMemberExpression(member) => {
                members.push(member.property.name.as_str());
                &member.object
            }
            Expression::CallExpression(call) => &call.callee,
            Expression::TaggedTemplateExpression(tagged) => &tagged.tag,
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "import { expect, test } from 'vitest';\n\
        test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(0, 0)).toBe(0);\n});\n\
        test.each([1, 2])('is %i', (n) => {\n  expect(same(n)).toBe(n);\n});\n";

    fn files(all: &[(&str, &str)]) -> Files {
        all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    /// How much of what `TEST` checks is lost where it becomes this.
    fn lost(after: &[(&str, &str)]) -> Option<u64> {
        let found = weakened(&files(&[("src/add.test.ts", TEST), ("src/add.ts", "export {};\n")]), &files(after));
        assert!(found.len() < 2);
        found.first().map(|one| {
            assert_eq!((&*one.code, one.path.as_deref()), ("TEST_WEAKENED", Some("src/add.test.ts")));
            let told = serde_json::to_value(one).unwrap();
            assert_eq!(told["args"]["before"], 5, "two cases, three expectations");
            told["args"]["lost"].as_u64().unwrap()
        })
    }

    #[test]
    fn what_is_gone_skipped_or_expected_otherwise_is_told() {
        let edited = |find: &str, put: &str| {
            assert!(TEST.contains(find), "{find}");
            lost(&[("src/add.test.ts", &TEST.replace(find, put))])
        };
        assert_eq!(edited("  expect(add(0, 0)).toBe(0);\n", ""), Some(1));
        assert_eq!(edited("toBe(3)", "toBeDefined()"), Some(1));
        assert_eq!(edited("expect(add(1, 2))", "// expect(add(1, 2))"), Some(1));
        assert_eq!(edited("test('adds'", "test.skip('adds'"), Some(3));
        assert_eq!(edited("test('adds'", "test.only('adds'"), Some(1));
        assert_eq!(lost(&[("src/add.ts", "export {};\n")]), Some(5));
    }

    #[test]
    fn a_test_that_checks_as_much_is_not_told() {
        let more = format!("{TEST}test('more', () => {{\n  expect(1).toBe(1);\n}});\n");
        for after in [TEST, more.as_str(), &TEST.replace("  expect", "    expect"), &TEST.replace("'adds'", "'sums'")] {
            assert_eq!(lost(&[("src/add.test.ts", after)]), None, "{after}");
        }
        assert_eq!(lost(&[("src/sum.test.ts", TEST)]), None, "it was moved");
        assert!(weakened(&files(&[("src/a.ts", "expect(1);\n")]), &files(&[])).is_empty(), "no test");
    }
}
