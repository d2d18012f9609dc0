//! `holdpoint corpus`: cases of the facade, from files (spec: facade.md).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use holdpoint_check::subset;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::Corpus;
use crate::exit::{CommandError, Exit};
use crate::facade::Facade;
use crate::folder::unreadable;

/// Characters of a value that a failing case shows.
const SHOWN_CHARS: usize = 300;

#[derive(Deserialize)]
struct Case {
    id: String,
    method: String,
    input: Value,
    expect: Value,
}

pub fn run(corpus: &Corpus) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let mut facade = Facade::new()?;
    let mut answers = corpus.answers.as_deref().map(create).transpose()?;
    let (mut passed, mut failed) = (0, 0);
    for file in files(&corpus.paths)? {
        for case in cases(&file)? {
            let answer = facade.call(&case.method, case.input.clone());
            if let Some(answers) = &mut answers {
                let row = json!({ "id": case.id, "method": case.method, "input": case.input, "answer": answer });
                writeln!(answers, "{row}")?;
            }
            match subset::matches(&case.expect, Some(&answer)) {
                Ok(()) => passed += 1,
                Err(miss) => {
                    failed += 1;
                    writeln!(out, "FAIL {} {}", case.id, case.method)?;
                    if !corpus.quiet {
                        let actual = miss.actual.map_or_else(|| "nothing".to_owned(), |value| shown(&value));
                        writeln!(out, "  at {:?} expected {}", miss.pointer, shown(&miss.expected))?;
                        writeln!(out, "  but was {actual}")?;
                    }
                }
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(Exit::unless(failed > 0))
}

fn create(file: &Path) -> Result<BufWriter<File>, CommandError> {
    let file = File::create(file).map_err(|error| {
        CommandError::Usage(format!("{} cannot be written: {error}. Name another file with --answers.", file.display()))
    })?;
    Ok(BufWriter::new(file))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Case files below the paths, in byte order.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            collect(path, &mut found)?;
        } else if path.is_file() {
            found.push(path.clone());
        } else {
            return Err(CommandError::Usage(format!(
                "{} does not exist. Name case files or folders of them.",
                path.display()
            )));
        }
    }
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    for entry in dir.read_dir().map_err(|error| unreadable(dir, &error))? {
        let path = entry.map_err(|error| unreadable(dir, &error))?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "json" || ending == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}

fn cases(file: &Path) -> Result<Vec<Case>, CommandError> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
    let wrong = |line: usize, error: serde_json::Error| {
        CommandError::Usage(format!(
            "{}:{line} is no case: {error}. A case is {{id, method, input, expect}}.",
            file.display()
        ))
    };
    if file.extension().is_some_and(|ending| ending == "jsonl") {
        return text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| serde_json::from_str(line).map_err(|error| wrong(index + 1, error)))
            .collect();
    }
    if text.trim_start().starts_with('[') {
        serde_json::from_str(&text).map_err(|error| wrong(error.line(), error))
    } else {
        serde_json::from_str(&text).map(|case| vec![case]).map_err(|error| wrong(error.line(), error))
    }
}
