//! The example extensions: each is checked and tested as everything else, and each figure that it gives of a file that
//! others wrote is held against one that is computed here from the text of that file.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test stops where its ground gives way

mod audits;
mod schedules;
mod step;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use step::Step;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
/// Files that others wrote, and two of ours.
const FILES: [&str; 8] = [
    "foreign/SimpleWall.ifc",
    "foreign/TallBuilding.ifc",
    "foreign/LargeBuilding.ifc",
    "foreign/ifc-spf/sample-building.ifc",
    "foreign/ifc-spf/imperial.ifc",
    "foreign/ifc-spf/legacy-2x3.ifc",
    "house-small.ifc",
    "office-fire.ifc",
];

/// The folders of all examples, in the order of their names.
fn folders() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(format!("{FIXTURES}/extensions"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap()
}

/// What `holdpoint run` says of a command on a file; an export has its text beside its name.
fn run(example: &str, command: &str, file: &Path, args: Option<&Value>) -> Value {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples").join(command).join(file.file_name().unwrap());
    let mut call = Command::new(env!("CARGO_BIN_EXE_holdpoint"));
    call.arg("run").arg(format!("{FIXTURES}/extensions/{example}")).arg(command).arg("--yes");
    if let Some(args) = args {
        call.arg("--args").arg(args.to_string());
    }
    let output = call.arg("--model").arg(file).arg("--out").arg(&out).output().unwrap();
    let answer = serde_json::from_slice(&output.stdout);
    let mut answer: Value = answer.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    assert!(answer["error"].is_null(), "{example} {command} {}: {}", file.display(), answer["error"]);
    for export in answer["exports"].as_array_mut().unwrap() {
        let text = fs::read_to_string(out.join(export["filename"].as_str().unwrap())).unwrap();
        export["text"] = Value::from(text);
    }
    answer
}

/// Runs a command on every file; `judge` gets the answer and what the file's text says.
fn on_every_file(example: &str, command: &str, judge: impl Fn(&Value, &Step, &str)) {
    for name in FILES {
        let file = Path::new(FIXTURES).join("ifc").join(name);
        let answer = run(example, command, &file, None);
        judge(&answer, &Step::read(&fs::read_to_string(&file).unwrap()), name);
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(1.0)
}

/// The class and the only other spelling of it that the files have.
fn with_standard_case(class: &str) -> Vec<String> {
    vec![class.to_uppercase(), format!("{}STANDARDCASE", class.to_uppercase())]
}

fn of_class(step: &Step, class: &str) -> Vec<u32> {
    step.of(&with_standard_case(class).iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn each_example_passes_its_check_without_a_word_and_its_tests() {
    let folders = folders();
    let output =
        Command::new(env!("CARGO_BIN_EXE_holdpoint")).arg("test").args(&folders).arg("--json").output().unwrap();
    let answers = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(answers.lines().count(), folders.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (line, folder) in answers.lines().zip(&folders) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let failing: Vec<&Value> =
            answer["tests"].as_array().unwrap().iter().filter(|test| test["ok"] != true).collect();
        assert!(answer["ok"] == true && failing.is_empty(), "{}: {failing:#?} {answer}", folder.display());
        assert_eq!(answer["diagnostics"], serde_json::json!([]), "{}", folder.display());
        assert!(answer["tests"].as_array().unwrap().len() >= 3, "{} has few tests", folder.display());
    }
}

#[test]
fn each_example_says_what_it_is_in_english_and_swedish() {
    for folder in folders() {
        let manifest = manifest(&folder);
        let name = manifest["name"].as_str().unwrap();
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.starts_with(&format!("# {name}\n")), "{}", folder.display());
        assert_eq!(manifest["id"], format!("examples.{}", folder.file_name().unwrap().to_str().unwrap()));
        let keys =
            |locale: &str| -> Vec<String> { manifest["l10n"][locale].as_object().unwrap().keys().cloned().collect() };
        assert_eq!(keys("en"), keys("sv"), "{name}: a text of one language has its twin");
        let english = manifest["l10n"]["en"].as_object().unwrap();
        for (key, text) in english {
            let swedish = manifest["l10n"]["sv"][key].as_str().unwrap();
            assert_eq!(places(text.as_str().unwrap()), places(swedish), "{name}: {key}");
        }
    }
}

/// The `{places}` of a text, sorted.
fn places(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
    found.sort_unstable();
    found
}
