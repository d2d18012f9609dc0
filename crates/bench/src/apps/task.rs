//! The tasks of the benchmark, and whether what a run left holds what they ask (spec: app-builder.md §13).

use std::collections::BTreeSet;

use holdpoint_bundle::Files;
use holdpoint_kind_app::dialect::apply::apply;
use holdpoint_kind_app::glob::Glob;
use holdpoint_kind_app::options::{RawCatalog, RawOptions};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use super::ran::Ran;
use crate::fault::Fault;

/// What nobody asks a model to change: it follows `package.json`.
const LOCK: &str = "package-lock.json";

/// The document with all tasks.
#[derive(Debug, Deserialize)]
pub struct Benchmark {
    pub tasks: Vec<Task>,
}

/// A request, and what must hold when it was met.
#[derive(Debug, Deserialize)]
pub struct Task {
    pub id: String,
    pub template: String,
    pub difficulty: String,
    pub expect: Vec<Expect>,
}

/// One thing that must hold.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    Outcome(String),
    CheckClean(bool),
    BuildSucceeds(bool),
    TestsPass(bool),
    /// A package that is declared.
    Dependency(String),
    /// Some file of the glob matches.
    FileMatches(Pattern),
    /// None does.
    FileLacks(Pattern),
    FileAbsent(String),
    Unchanged {
        globs: Vec<String>,
    },
    /// Files that differ, at most.
    ChangedMax(usize),
    AnswerMatches(String),
    /// Walked in Chromium by the rig.
    Page {},
}

/// A glob of paths and what their text is to match.
#[derive(Debug, Deserialize)]
pub struct Pattern {
    glob: String,
    regex: String,
}

impl Benchmark {
    /// Reads the document.
    pub fn read(text: &str) -> Result<Self, Fault> {
        Ok(serde_json::from_str(text)?)
    }

    /// The task of an id.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == id)
    }
}

impl Task {
    /// What does not hold of a run, in words; nothing where the task is done.
    pub fn misses(&self, ran: &Ran) -> Vec<String> {
        if let Some(code) = &ran.refused {
            return vec![format!("the proposal was not applied: {code}")];
        }
        self.expect.iter().filter_map(|one| one.miss(ran)).collect()
    }
}

impl Expect {
    /// What of it does not hold.
    pub fn miss(&self, ran: &Ran) -> Option<String> {
        let (before, after) = (&ran.before, &ran.after);
        let (holds, said) = match self {
            Self::Outcome(wanted) => {
                let code = ran.code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
                (ran.outcome == *wanted, format!("ended {}{code}", ran.outcome))
            }
            Self::CheckClean(wanted) => (is_clean(ran) == *wanted, "the check has errors".to_owned()),
            Self::BuildSucceeds(wanted) => (ran.is_built() == *wanted, "it does not build".to_owned()),
            Self::TestsPass(wanted) => (ran.tests == *wanted, "no tests passed".to_owned()),
            Self::Dependency(name) => (declares(after, name), format!("{name} is not declared")),
            Self::FileMatches(pattern) => {
                (pattern.is_in(after)?, format!("nothing in {} matches {}", pattern.glob, pattern.regex))
            }
            Self::FileLacks(pattern) => (!pattern.is_in(after)?, format!("{} has {}", pattern.glob, pattern.regex)),
            Self::FileAbsent(path) => (!after.contains_key(path), format!("{path} is there")),
            Self::Unchanged { globs } => {
                let globs: Vec<Glob> = globs.iter().map(|glob| Glob::new(glob)).collect();
                let found = changed(before, after).into_iter().find(|path| globs.iter().any(|glob| glob.matches(path)));
                (found.is_none(), format!("{} changed", found.unwrap_or_default()))
            }
            Self::ChangedMax(most) => {
                let count = changed(before, after).len();
                (count <= *most, format!("{count} files changed"))
            }
            Self::AnswerMatches(regex) => (matches(regex, &ran.answer)?, "the answer does not say it".to_owned()),
            Self::Page {} => (ran.page.is_empty(), ran.page.join("; ")),
        };
        (!holds).then_some(said)
    }
}

impl Pattern {
    fn is_in(&self, files: &Files) -> Option<bool> {
        let glob = Glob::new(&self.glob);
        let regex = Regex::new(&self.regex).ok()?;
        Some(files.iter().any(|(path, text)| glob.matches(path) && regex.is_match(text)))
    }
}

fn matches(regex: &str, text: &str) -> Option<bool> {
    Some(Regex::new(regex).ok()?.is_match(text))
}

fn declares(files: &Files, name: &str) -> bool {
    let package: Option<Value> = files.get("package.json").and_then(|text| serde_json::from_str(text).ok());
    package.is_some_and(|package| ["dependencies", "devDependencies"].iter().any(|map| package[*map][name].is_string()))
}

/// Paths whose text differs, without the lock.
fn changed<'f>(before: &'f Files, after: &'f Files) -> BTreeSet<&'f str> {
    let paths = before.keys().chain(after.keys()).map(String::as_str);
    paths.filter(|path| *path != LOCK && before.get(*path) != after.get(*path)).collect()
}

/// Whether the check of the project that was made, which an edit without operations is, finds no error.
fn is_clean(ran: &Ran) -> bool {
    let options = options(&ran.catalog);
    let Ok(options) = options.resolve() else { return false };
    apply(&ran.after, Some(&ran.entry_file), &[], &options).is_ok_and(|checked| checked.ok)
}

fn options(catalog: &str) -> RawOptions {
    RawOptions { catalog: Some(RawCatalog::Version(catalog.to_owned())), ..RawOptions::default() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // what does not hold ends the test
mod tests {
    use std::path::PathBuf;

    use holdpoint_kind_app::packs;
    use serde_json::json;

    use super::*;

    const CATALOG: &str = "2026-11";

    fn read(path: &str) -> String {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/apps");
        std::fs::read_to_string(folder.join(path)).unwrap()
    }

    /// The files of the template with the fault that the task begins with: a working copy may hold anything.
    fn begun(task: &Value) -> Files {
        let mut files = packs::find(task["template"].as_str().unwrap()).unwrap().files.clone();
        for seed in task["seed_operations"].as_array().unwrap() {
            let text = |name: &str| seed[name].as_str().unwrap().to_owned();
            match text("op").as_str() {
                "upsert_file" => files.insert(text("path"), text("content")),
                "delete_file" => files.remove(&text("path")),
                other => panic!("{other} is no seed"),
            };
        }
        files
    }

    /// A run that wrote the files, and did rightly what files do not show.
    fn ran(before: Files, after: Files, entry_file: &str) -> Ran {
        let build = Some("succeeded".to_owned());
        let outcome = "succeeded".to_owned();
        let answer = "src/App.tsx, and src/data.ts".to_owned();
        let (entry_file, catalog) = (entry_file.to_owned(), CATALOG.to_owned());
        Ran { before, after, entry_file, catalog, build, outcome, tests: true, answer, ..Ran::default() }
    }

    #[test]
    fn every_answer_is_taken_and_has_what_is_asked_of_files() {
        let options = options(CATALOG);
        let options = options.resolve().unwrap();
        let document = read("benchmark.json");
        let (benchmark, whole): (_, Value) =
            (Benchmark::read(&document).unwrap(), serde_json::from_str(&document).unwrap());
        assert_eq!(benchmark.tasks.len(), 25);
        let all = benchmark.tasks.iter().zip(whole["tasks"].as_array().unwrap());
        for (task, written) in all.filter(|(task, _)| !is_question(task)) {
            let before = begun(written);
            let answer: Vec<Value> = serde_json::from_str(&read(&format!("answers/{}.json", task.id))).unwrap();
            let done = apply(&before, None, &answer, &options).unwrap_or_else(|error| panic!("{}: {error:?}", task.id));
            assert!(done.ok && done.confirm_token.is_none(), "{}: {:#?}", task.id, done.diagnostics);
            let misses = task.misses(&ran(before, done.files, &done.entry_file));
            assert!(misses.is_empty(), "{}: {misses:#?}", task.id);
        }
    }

    fn is_question(task: &Task) -> bool {
        task.expect.iter().any(|one| matches!(one, Expect::Outcome(outcome) if outcome == "answered"))
    }

    #[test]
    fn what_a_run_left_undone_is_named() {
        let pack = packs::find("blank-react").unwrap();
        let before = pack.files.clone();
        let mut after = before.clone();
        after.insert("src/App.tsx".to_owned(), "import './nowhere';\nexport function App() {}\n".to_owned());
        let bad = Ran {
            outcome: "failed".to_owned(),
            code: Some("RUN_LIMIT_REACHED".to_owned()),
            build: Some("failed".to_owned()),
            tests: false,
            answer: String::new(),
            page: vec!["goto \"#/\": no".to_owned()],
            ..ran(before, after, &pack.manifest.entry_file)
        };
        let asked = json!([
            {"outcome": "succeeded"}, {"check_clean": true}, {"build_succeeds": true}, {"tests_pass": true},
            {"dependency": "zustand"}, {"file_matches": {"glob": "src/*.tsx", "regex": "Lunch"}},
            {"file_lacks": {"glob": "src/**", "regex": "nowhere"}}, {"file_absent": "src/App.tsx"},
            {"unchanged": {"globs": ["index.html", "src/*.tsx"]}}, {"changed_max": 0}, {"answer_matches": "src/"},
            {"page": {"steps": []}},
        ]);
        let asked: Vec<Expect> = serde_json::from_value(asked).unwrap();
        let said: Vec<Option<String>> = asked.iter().map(|one| one.miss(&bad)).collect();
        assert!(said.iter().all(Option::is_some), "{said:#?}");
        assert_eq!(said[0].as_deref(), Some("ended failed (RUN_LIMIT_REACHED)"));
        assert_eq!(said[8].as_deref(), Some("src/App.tsx changed"));
    }

    #[test]
    fn a_lock_that_follows_is_no_change() {
        let before = Files::from([("a".to_owned(), "1".to_owned())]);
        let mut after = before.clone();
        after.insert(LOCK.to_owned(), "{}".to_owned());
        assert!(changed(&before, &after).is_empty());
        after.insert("b".to_owned(), String::new());
        assert_eq!(changed(&before, &after).into_iter().collect::<Vec<_>>(), ["b"]);
    }
}
