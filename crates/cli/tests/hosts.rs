//! Exporters, lenses and checks on the command line: by their id, as commands are (spec: ifc-sdk.md §1, §7.1).
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn run(extension: &str, id: &str, more: &[&str]) -> (Output, Value) {
    let dir = format!("{ROOT}/fixtures/extensions/{extension}");
    let model = format!("{ROOT}/fixtures/ifc/house-small.ifc");
    let output = Command::new(env!("CARGO_BIN_EXE_holdpoint"))
        .args(["run", &dir, id, "--model", &model, "--yes"])
        .args(more)
        .output()
        .unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output, answer)
}

#[test]
fn a_lens_tells_its_colours_with_what_they_mean() {
    let (output, answer) = run("storey-colours", "storeys.lens", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let colours = answer["viewer"].as_array().unwrap();
    let labels: Vec<&Value> = colours.iter().map(|one| &one["label"]).collect();
    assert!(labels.contains(&&json!("Ground floor")) && labels.contains(&&json!("First floor")), "{labels:?}");
    assert!(colours.iter().all(|one| one["op"] == "colorize" && one["count"].as_u64() > Some(0)));
}

#[test]
fn an_exporter_writes_its_file() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exporter");
    let _ = std::fs::remove_dir_all(&out);
    let (output, answer) = run("cobie-sheets", "cobie.csv", &["--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let files: Vec<String> =
        out.read_dir().unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!((files.len(), answer["exports"][0]["filename"].as_str()), (1, Some(files[0].as_str())));
    assert!(files[0].ends_with(".csv"));
}

#[test]
fn a_check_answers_a_verdict_each() {
    let (output, answer) = run("naming-rules", "naming.names", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let verdicts = answer["result"].as_array().unwrap();
    assert!(!verdicts.is_empty() && verdicts.iter().all(|one| one["ok"].is_boolean()));
}

#[test]
fn what_the_bundle_does_not_have_is_said() {
    let (output, _) = run("naming-rules", "naming.other", &[]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("naming.other"), "{said}");
}
