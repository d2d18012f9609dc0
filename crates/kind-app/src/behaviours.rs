//! Behaviours: what a person approved that an app does, as cases of Vitest files that later changes keep (spec:
//! app-builder.md §10 "Behaviours").
//!
//! A behaviour is a case of a test below [`FOLDER`]: its title says it, and applying the change that holds the file
//! approves it. Nothing else is kept of it, so what was shown, signed and run is one text. Invariants: a behaviour is kept
//! where it still runs, does the same and expects at least the same; every other one is named before it counts.

use std::collections::BTreeMap;
use std::rc::Rc;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};
use serde::{Deserialize, Serialize};

use crate::cases::{Expectations, TestFile};
use crate::ground::{self, Ground};
use crate::policy::is_test;
use crate::tools::TestedCase;

codes! {
    /// an approved behaviour of an app that a change would lose
    BEHAVIOUR_LOST / NO_CASE: Warning,
        "Look at this behaviour: `{name}` was approved, and nothing tests it any more." [name];
    BEHAVIOUR_LOST / EXPECTS_LESS: Warning,
        "Look at this behaviour: `{name}` was approved, and its test expects less, or something else." [name];
    BEHAVIOUR_LOST / ACTS_OTHERWISE: Warning,
        "Look at this behaviour: `{name}` was approved, and its test expects the same of something else." [name];
    BEHAVIOUR_LOST / STANDS_ON_ANOTHER: Warning,
        "Look at this behaviour: `{name}` was approved, and `{file}`, which its test stands on, is another." [name, file];
    /// a behaviour whose test is there and did not run
    BEHAVIOUR_NOT_RUN: Error,
        "Let every case of this file run and pass: an approved behaviour is one that was seen to hold.";
}

/// The folder whose test files are behaviours.
pub const FOLDER: &str = "src/behaviours/";

/// Whether a file holds behaviours.
pub fn is_behaviour(path: &str) -> bool {
    path.starts_with(FOLDER) && is_test(path)
}

/// What becomes of a behaviour by a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum BehaviourChange {
    /// It stays from now on, where the change is applied.
    New,
    Kept,
    Lost,
}

/// A behaviour of an app, as a proposal shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedBehaviour {
    /// The file of its test.
    pub path: String,
    /// What the app does, in words.
    pub says: String,
    pub change: BehaviourChange,
}

/// One case with what its file adds to it.
struct Behaviour<'f> {
    path: &'f str,
    says: String,
    expects: Expectations,
    acts: String,
    /// The texts of what its test stands on, by which it is known wherever it lies, with their paths.
    ground: Rc<BTreeMap<String, &'f str>>,
}

impl<'f> Behaviour<'f> {
    /// How a test of the same words falls short; `None` where it keeps the behaviour.
    fn lost_in(&self, now: &Behaviour<'f>) -> Option<Lost<'f>> {
        let expects = |(text, count): (&String, &usize)| now.expects.get(text) >= Some(count);
        if !self.expects.iter().all(expects) {
            return Some(Lost::ExpectsLess);
        }
        if self.acts != now.acts {
            return Some(Lost::ActsOtherwise);
        }
        let missing = |from: &BTreeMap<String, &'f str>, to: &BTreeMap<String, &'f str>| {
            from.iter().find(|(text, _)| !to.contains_key(*text)).map(|(_, path)| *path)
        };
        let other = missing(&self.ground, &now.ground).or_else(|| missing(&now.ground, &self.ground));
        other.map(Lost::StandsOnAnother)
    }
}

/// How a behaviour is lost, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lost<'f> {
    /// The file that is another.
    StandsOnAnother(&'f str),
    ActsOtherwise,
    ExpectsLess,
    NoCase,
}

/// The behaviours of a project, in the order of their files.
fn behaviours(files: &Files) -> Vec<Behaviour<'_>> {
    let mut all = Vec::new();
    if !files.keys().any(|path| is_behaviour(path)) {
        return all;
    }
    let ground = Ground::of(files);
    for (path, text) in files.iter().filter(|(path, _)| is_behaviour(path)) {
        let file = TestFile::read(path, text).unwrap_or_default();
        let below = Rc::new(ground::texts(files, &ground.below(path)));
        for case in file.cases {
            let mut expects = file.expects.clone();
            for (expectation, count) in case.expects {
                *expects.entry(expectation).or_default() += count;
            }
            let acts = file.acts.clone() + &case.acts;
            all.push(Behaviour { path, says: case.title, expects, acts, ground: Rc::clone(&below) });
        }
    }
    all
}

/// How each behaviour of `before` is lost; `None` where it is kept.
fn judged<'f>(before: Vec<Behaviour<'f>>, after: &[Behaviour<'f>]) -> Vec<(Behaviour<'f>, Option<Lost<'f>>)> {
    let lost = |old: &Behaviour<'f>| {
        let same_words = after.iter().filter(|now| now.says == old.says);
        same_words.map(|now| old.lost_in(now)).min().unwrap_or(Some(Lost::NoCase))
    };
    before.into_iter().map(|old| (lost(&old), old)).map(|(lost, old)| (old, lost)).collect()
}

/// A warning for each approved behaviour that a change loses.
pub fn lost(before: &Files, after: &Files) -> Vec<Diagnostic> {
    let told = |(old, lost): (Behaviour<'_>, Option<Lost<'_>>)| {
        let name = old.says.as_str();
        let warning = match lost? {
            Lost::StandsOnAnother(file) => Diagnostic::of(&STANDS_ON_ANOTHER, args! { name, file }),
            Lost::NoCase => Diagnostic::of(&NO_CASE, args! { name }),
            Lost::ExpectsLess => Diagnostic::of(&EXPECTS_LESS, args! { name }),
            Lost::ActsOtherwise => Diagnostic::of(&ACTS_OTHERWISE, args! { name }),
        };
        Some(warning.in_file(old.path))
    };
    let approved = behaviours(before);
    if approved.is_empty() {
        return Vec::new();
    }
    judged(approved, &behaviours(after)).into_iter().filter_map(told).collect()
}

/// The behaviours of a project before and after a change: those that are lost, those that are new, the others.
pub fn compared(before: &Files, after: &Files) -> Vec<ProposedBehaviour> {
    let now = behaviours(after);
    let shown = |(old, lost): (Behaviour<'_>, Option<Lost<'_>>)| ProposedBehaviour {
        path: old.path.to_owned(),
        says: old.says,
        change: if lost.is_some() { BehaviourChange::Lost } else { BehaviourChange::Kept },
    };
    let mut all: Vec<ProposedBehaviour> = judged(behaviours(before), &now).into_iter().map(shown).collect();
    let known: Vec<String> = all.iter().map(|one| one.says.clone()).collect();
    let new = now.into_iter().filter(|one| !known.contains(&one.says));
    let new =
        new.map(|one| ProposedBehaviour { path: one.path.to_owned(), says: one.says, change: BehaviourChange::New });
    all.extend(new);
    all.sort_by_key(|one| match one.change {
        BehaviourChange::Lost => 0,
        BehaviourChange::New => 1,
        BehaviourChange::Kept => 2,
    });
    all
}

/// The files of behaviours, which every change is tested with.
pub fn paths(files: &Files) -> Vec<String> {
    files.keys().filter(|path| is_behaviour(path)).cloned().collect()
}

/// An error for each file of behaviours of which fewer cases passed than stand in it, whatever kept them from running.
pub fn not_run(files: &Files, tested: &[TestedCase]) -> Vec<Diagnostic> {
    let told = |path: &String| {
        let cases = files.get(path).and_then(|text| TestFile::read(path, text)).unwrap_or_default().cases.len();
        let passed = tested.iter().filter(|one| one.path == *path && one.status == "passed").count();
        (passed < cases).then(|| Diagnostic::of(&BEHAVIOUR_NOT_RUN, args! {}).in_file(path))
    };
    paths(files).iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: &str = "src/behaviours/late.test.tsx";
    const TEXT: &str = "import { expect, test } from 'vitest';\nimport { rows } from '../rows';\n\n\
        test('A late item is red.', () => {\n  const all = rows(3);\n  expect(all[0].colour).toBe('red');\n});\n";

    fn files(all: &[(&str, &str)]) -> Files {
        all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    /// The sentences about what is lost of [`TEXT`], by their case.
    fn lost_by(after: &[(&str, &str)]) -> Vec<String> {
        let found = lost(&files(&[(LATE, TEXT)]), &files(after));
        let told = |one: &Diagnostic| {
            assert_eq!((&*one.code, one.path.as_deref(), one.is_error()), ("BEHAVIOUR_LOST", Some(LATE), false));
            assert_eq!(one.args["name"], "A late item is red.");
            one.args["case"].as_str().unwrap().to_owned()
        };
        found.iter().map(told).collect()
    }

    #[test]
    fn an_approved_behaviour_may_ask_for_more_and_never_for_less_or_for_something_else() {
        let edited = |find: &str, put: &str| {
            assert!(TEXT.contains(find), "{find}");
            lost_by(&[(LATE, &TEXT.replace(find, put))])
        };
        let kept: [&[(&str, &str)]; 4] = [
            &[(LATE, TEXT)],
            &[("src/behaviours/other/all.spec.tsx", TEXT)],
            &[(LATE, &TEXT.replace("\n});", "\n  expect(all).toHaveLength(3);\n});"))],
            &[(LATE, &format!("{TEXT}test('More.', () => {{}});\n").replace("'../rows'", "'../table/rows'"))],
        ];
        for after in kept {
            assert_eq!(lost_by(after), Vec::<String>::new(), "{after:?}");
        }
        assert_eq!(lost_by(&[]), ["NO_CASE"]);
        assert_eq!(lost_by(&[("src/late.test.tsx", TEXT)]), ["NO_CASE"], "elsewhere it is a test like others");
        assert_eq!(edited("A late item is red.", "A late item is seen."), ["NO_CASE"]);
        assert_eq!(edited("test(", "test.skip("), ["NO_CASE"]);
        assert_eq!(edited("toBe('red')", "toBeDefined()"), ["EXPECTS_LESS"]);
        assert_eq!(edited("rows(3)", "rows(0)"), ["ACTS_OTHERWISE"]);
        assert_eq!(edited("\ntest(", "\nvi.mock('../rows');\ntest("), ["ACTS_OTHERWISE"]);
        assert_eq!(edited("});\n", "};\n"), ["NO_CASE"], "what cannot be read tests nothing");
    }

    #[test]
    fn a_behaviour_stands_on_what_its_test_uses_and_the_page_does_not() {
        const HELPER: &str = "src/behaviours/given.ts";
        let test = TEXT.replace("import { rows } from '../rows';", "import { rows } from './given';");
        let project = [
            ("index.html", "<script type=\"module\" src=\"/src/main.tsx\"></script>"),
            ("src/main.tsx", "import './table';\n"),
            ("src/table.ts", "export const table = 1;\n"),
            (HELPER, "import { table } from '../table';\nimport { late } from './late';\nexport const rows = late;\n"),
            ("src/behaviours/late.ts", "export const late = () => [{ colour: 'red' }];\n"),
            ("src/before.ts", "import './locale';\n"),
            ("src/locale.ts", "export {};\n"),
            ("src/__mocks__/clock.ts", "export const now = 1;\n"),
            ("src/unused.ts", "export {};\n"),
            ("vite.config.ts", "export default { base: './', test: { setupFiles: ['./src/before.ts'] } };\n"),
            (LATE, &test),
        ];
        let found = |edit: &dyn Fn(&mut Files)| {
            let mut after = files(&project);
            edit(&mut after);
            let found = lost(&files(&project), &after);
            found.first().map(|one| (one.args["case"].to_string(), one.args["file"].to_string()))
        };
        let edited = |path: &str| found(&|files| files.get_mut(path).unwrap().push_str("export const other = 2;\n"));
        let another = |path: &str| Some(("\"STANDS_ON_ANOTHER\"".to_owned(), format!("{path:?}")));
        for path in ["src/table.ts", "src/main.tsx", "src/unused.ts"] {
            assert_eq!(edited(path), None, "{path} is tested, or nothing to it");
        }
        let serving = [HELPER, "src/behaviours/late.ts", "src/before.ts", "src/locale.ts", "src/__mocks__/clock.ts"];
        for path in serving.into_iter().chain(["vite.config.ts"]) {
            assert_eq!(edited(path), another(path));
        }
        let put = |path: &'static str, text: &'static str| {
            move |files: &mut Files| drop(files.insert(path.to_owned(), text.to_owned()))
        };
        assert_eq!(found(&put("vitest.config.ts", "export default {};\n")), another("vitest.config.ts"));
        assert_eq!(found(&put("src/other.ts", "export {};\n")), None);
        let moved = |files: &mut Files| {
            let text = files.remove("src/behaviours/late.ts").unwrap();
            files.insert("src/behaviours/rows/late.ts".to_owned(), text);
            *files.get_mut(HELPER).unwrap() = project[3].1.replace("./late", "./rows/late");
        };
        assert_eq!(found(&moved), another(HELPER), "what was moved is the same, what names it is not");
    }

    #[test]
    fn a_change_shows_what_it_loses_adds_and_keeps() {
        let one = |words: &str| TEXT.replace("A late item is red.", words);
        let (kept, old, new) = (one("It stays."), one("It goes."), one("It comes."));
        let before = files(&[("src/behaviours/a.test.ts", &kept), ("src/behaviours/b.test.ts", &old)]);
        let after = files(&[("src/behaviours/a.test.ts", &kept), ("src/behaviours/b.test.ts", &new)]);
        let shown = compared(&before, &after);
        let shown: Vec<_> = shown.iter().map(|one| (one.says.as_str(), one.change)).collect();
        let want = [
            ("It goes.", BehaviourChange::Lost),
            ("It comes.", BehaviourChange::New),
            ("It stays.", BehaviourChange::Kept),
        ];
        assert_eq!(shown, want);
        assert!(compared(&files(&[("src/a.test.ts", TEXT)]), &files(&[])).is_empty(), "a test is no behaviour");
    }

    #[test]
    fn a_behaviour_that_did_not_pass_did_not_run() {
        let two = format!("{TEXT}test('It is told.', () => {{}});\n");
        let project = files(&[(LATE, &two), ("src/a.test.ts", TEXT)]);
        let case = |path: &str, status: &str| TestedCase {
            path: path.to_owned(),
            name: String::new(),
            status: status.to_owned(),
            message: None,
        };
        let both = [case(LATE, "passed"), case(LATE, "passed")];
        assert!(not_run(&project, &both).is_empty());
        for tested in [&both[..1], &[], &[case(LATE, "passed"), case(LATE, "skipped"), case("src/a.test.ts", "passed")]]
        {
            let found = not_run(&project, tested);
            assert_eq!(found.len(), 1);
            assert_eq!((&*found[0].code, found[0].path.as_deref()), ("BEHAVIOUR_NOT_RUN", Some(LATE)));
        }
    }
}
