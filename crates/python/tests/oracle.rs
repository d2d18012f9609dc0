//! What is refused is what Python refuses (spec: script-tool.md §2): programs with the recorded verdict of its releases
//! (`oracle/record.py`), and the standard library of the Python that is installed.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use holdpoint_check::python::PythonFacts;
use holdpoint_python::{MAX_BYTES, facts};
use serde_json::Value;

/// The line and the words of the first error.
fn error(text: &str) -> Option<(u64, String)> {
    match facts(text) {
        PythonFacts::Broken { error } => Some((u64::from(error.range.start.line), error.message)),
        PythonFacts::Module { .. } => None,
    }
}

#[test]
fn recorded_programs() {
    let mut wrong = Vec::new();
    for line in include_str!("oracle/programs.jsonl").lines() {
        let program: Value = serde_json::from_str(line).unwrap();
        let text = program["text"].as_str().unwrap();
        let lines: Vec<u64> = program["lines"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
        let shown = text.chars().take(200).collect::<String>();
        match (error(text), lines.is_empty()) {
            (None, true) => {}
            // Releases differ by more than this among themselves.
            (Some((at, _)), false) if lines.iter().any(|line| line.abs_diff(at) <= 2) => {}
            (Some((at, message)), true) => wrong.push(format!("refused at {at} ({message}): {shown:?}")),
            (Some((at, message)), false) => wrong.push(format!("{at} for {lines:?} ({message}): {shown:?}")),
            (None, false) => wrong.push(format!("let pass, {lines:?}: {shown:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), wrong.join("\n"));
}

/// Prints every fifth file of the standard library that this Python compiles.
const COMPILES: &str = r#"
import pathlib, sys, sysconfig, warnings
warnings.simplefilter("ignore")
paths = pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py")
paths = sorted(path for path in paths if "site-packages" not in path.parts)
for path in paths if "--all" in sys.argv else paths[::5]:
    try:
        source = path.read_bytes()
        source.decode("utf-8")
        compile(source, "x", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        continue
    print(path)
"#;

#[test]
fn no_file_of_the_standard_library_is_refused() {
    // All of them take minutes in a build without optimisation.
    let all = std::env::var("HOLDPOINT_PYTHON_ALL").is_ok();

    let interpreter = std::env::var("HOLDPOINT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let Ok(answer) = Command::new(interpreter).args(["-c", COMPILES, if all { "--all" } else { "" }]).output() else {
        return;
    };
    let mut refused = Vec::new();
    for path in String::from_utf8_lossy(&answer.stdout).lines() {
        let text = std::fs::read_to_string(path).unwrap();
        if text.len() <= MAX_BYTES
            && let Some((line, message)) = error(&text)
        {
            refused.push(format!("{path}:{line}: {message}"));
        }
    }
    assert!(refused.is_empty(), "{} files\n{}", refused.len(), refused.join("\n"));
}
