//! Tests that a proposal makes check less: gone, skipped, or with expectations that are gone or others. Its person looks at
//! each before it counts, as with extensions (spec: app-builder.md §14).
//!
//! A test that was only moved, or is laid out otherwise, checks as much. What was approved as behaviour is held stricter,
//! case by case ([`behaviours`]).

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};

use crate::behaviours::{self, is_behaviour};
use crate::cases::{Expectations, TestFile};
use crate::policy::is_test;

codes! {
    /// a test of an app that checks less than before
    TEST_WEAKENED / CHECKS_LESS: Warning,
        "Look at this test: of {before} cases and expectations {lost} are gone, skipped or others." [before, lost];
}

/// What a case counts as, beside the texts of expectations.
const CASE: &str = "";

/// A warning for each test that checks less, in the order of their paths, then for each behaviour that is lost.
pub fn weaker(before: &Files, after: &Files) -> Vec<Diagnostic> {
    let mut found = weakened(before, after);
    found.extend(behaviours::lost(before, after));
    found
}

fn weakened(before: &Files, after: &Files) -> Vec<Diagnostic> {
    let is_changed = |path: &str, text: &String| is_test(path) && !is_behaviour(path) && after.get(path) != Some(text);
    let changed: Vec<_> = before.iter().filter(|(path, text)| is_changed(path.as_str(), text)).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let mut added = Expectations::new();
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

/// How many cases of a test run, and how often each expectation stands in it; `None` where it cannot be read.
fn checks(path: &str, text: &str) -> Option<Expectations> {
    let file = TestFile::read(path, text)?;
    let mut all = file.all();
    all.insert(CASE.to_owned(), file.cases.len());
    Some(all)
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
        assert_eq!(edited("test('adds'", "test.only('adds'"), Some(2), "the other one does not run");
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
