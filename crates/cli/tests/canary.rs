//! The canary as a process: what it says of stored extensions under another SDK, for people, programs and build servers.
//! Its run over the examples is what a release of the SDK has to pass.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/extensions");

fn canary(arguments: &[&str], dirs: &[PathBuf]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_holdpoint")).arg("canary").args(arguments).args(dirs).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// An extension that counts doors and expects `doors` of the seven.
fn extension(name: &str, range: &str, doors: Option<u32>) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canary").join(name);
    // Nothing of an earlier run is part of it.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let test = |doors| json!([{"name": "counts", "command": "a.count", "fixture": "house-small", "expect": {"equals": doors}}]);
    let manifest = json!({
        "manifestVersion": 1, "id": format!("canary.{name}"), "name": "Doors <&>", "description": "Counts doors.",
        "version": "0.1.0", "engines": {"ifcLiteSdk": range}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"a.count": "src/count.js"}},
        "contributes": {"commands": [{"id": "a.count", "title": "Count"}]},
        "tests": doors.map_or(json!([]), test),
    });
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    let code = "export default function (ctx) {\n  return ctx.bim.query.byType('IfcDoor').length;\n}\n";
    std::fs::write(dir.join("src/count.js"), code).unwrap();
    dir
}

#[test]
fn no_example_breaks_under_the_sdk_of_this_build_or_the_next_minor_one() {
    let dirs: Vec<PathBuf> = std::fs::read_dir(EXAMPLES).unwrap().map(|entry| entry.unwrap().path()).collect();
    for sdk in [holdpoint_sdk::members::sdk().version.as_str(), "1.1.0"] {
        let output = canary(&["--sdk", sdk, "--json"], &dirs);
        let report = report(&output);
        let extensions = report["extensions"].as_array().unwrap();
        let others: Vec<&Value> = extensions.iter().filter(|one| one["outcome"] != "ok").collect();
        assert!(others.is_empty(), "{others:#?}");
        assert_eq!((output.status.code(), extensions.len()), (Some(0), dirs.len()));
    }
}

#[test]
fn each_outcome_is_told_and_a_broken_one_ends_with_1() {
    let cases = [
        ("fine", "^1.0.0", Some(7), "ok", 0),
        ("narrow", "^0.9.0", Some(7), "range_only", 0),
        ("untested", ">=1.0.0", None, "unknown", 0),
        ("untested-narrow", "^0.9.0", None, "broken", 1),
        ("wrong", "^1.0.0", Some(8), "broken", 1),
        ("wrong-narrow", "^0.9.0", Some(8), "broken", 1),
    ];
    for (name, range, doors, outcome, code) in cases {
        let output = canary(&["--sdk", "1.0.0", "--json"], &[extension(name, range, doors)]);
        let report = report(&output);
        let one = &report["extensions"][0];
        assert_eq!((&one["outcome"], output.status.code()), (&json!(outcome), Some(code)), "{name}: {one}");
        assert_eq!(one["id"], format!("canary.{name}"));
        if name.starts_with("wrong") {
            assert_eq!(one["diagnostics"][0]["code"], "EXPECT_FAILED", "{one}");
        }
    }
}

#[test]
fn entries_of_a_changelog_that_touch_a_broken_one_are_named_where_it_uses_them() {
    let dir = extension("touched", "^1.0.0", Some(8));
    let changes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canary-changes.json");
    let entry = |version: &str, member: &str| {
        json!({"version": version, "kind": "behaviour", "members": [member], "summary": format!("{member} changed."),
               "migration": "Count again."})
    };
    let all = json!([entry("1.0.0", "bim"), entry("1.1.0", "bim.query.byType"), entry("1.1.0", "ctx.fetch")]);
    std::fs::write(&changes, all.to_string()).unwrap();
    let changes = changes.to_str().unwrap();
    let output = canary(&["--sdk", "1.1.0", "--changes", changes, "--json"], std::slice::from_ref(&dir));
    let report = report(&output);
    assert_eq!(report["from"], "1.0.0", "a canary begins at the version before");
    let relevant = report["extensions"][0]["relevant"].as_array().unwrap();
    assert_eq!(relevant.len(), 1);
    assert_eq!(relevant[0]["sites"][0]["range"]["start"], json!({"line": 2, "column": 10}));

    let people = canary(&["--sdk", "1.1.0", "--changes", changes], &[dir]);
    let said = text(&people.stdout);
    for want in [
        "canary.touched: broken",
        "EXPECT_FAILED",
        "bim.query.byType changed. Count again.",
        "1 of 1 extensions broken",
    ] {
        assert!(said.contains(want), "{want} is not in {said}");
    }
}

#[test]
fn build_servers_get_a_case_an_extension_and_nothing_leaves_its_place() {
    let dirs = [extension("junit-fine", "^1.0.0", Some(7)), extension("junit-wrong", "^1.0.0", Some(8))];
    let output = canary(&["--sdk", "1.0.0", "--junit"], &dirs);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("<testsuites tests=\"2\" failures=\"1\">"), "{said}");
    assert!(said.contains("<testcase classname=\"canary\" name=\"canary.junit-fine\">"), "{said}");
    assert!(
        said.contains("<failure type=\"broken\" message=\"EXPECT_FAILED manifest.json /tests/0/expect/equals:"),
        "{said}"
    );
}

#[test]
fn what_is_no_version_or_no_changelog_is_wrong_usage() {
    let dir = extension("usage", "^1.0.0", Some(7));
    let here = dir.join("manifest.json");
    for arguments in [vec!["--sdk", "next"], vec!["--sdk", "1.1.0", "--changes", here.to_str().unwrap()]] {
        let output = canary(&arguments, std::slice::from_ref(&dir));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
    }
}
