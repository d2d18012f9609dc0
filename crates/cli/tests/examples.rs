//! The example extensions: each is checked and tested as everything else. What they answer on files that others wrote
//! is held against the text of those files in `tests/wasm/foreign.test.ts`.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

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
