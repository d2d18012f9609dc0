//! `holdpoint check` and `holdpoint test`: the facade's answer for each folder, for people or as JSON.

use std::io::{self, Write};

use holdpoint_check::Diagnostic;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::{Bundles, CheckArgs};
use crate::exit::{CommandError, Exit};
use crate::facade::Facade;
use crate::report::FindingsReport;
use crate::terminal::visible;
use crate::{folder, paths};

/// What both answers have in common.
#[derive(Deserialize)]
struct Answer {
    ok: bool,
    #[serde(default)]
    diagnostics: Vec<Diagnostic>,
    #[serde(default)]
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    name: String,
    ok: bool,
    diagnostics: Vec<Diagnostic>,
}

pub fn check(options: &CheckArgs) -> Result<Exit, CommandError> {
    let paths = options.paths;
    each(&options.bundles, paths, |facade, kind, files| {
        facade.call("bundle.check", json!({ "kind": kind, "files": files }))
    })
}

pub fn test(bundles: &Bundles) -> Result<Exit, CommandError> {
    each(bundles, false, |facade, kind, files| {
        facade.call("bundle.test", json!({ "kind": kind, "files": files, "profile": "dry-run" }))
    })
}

fn each(
    bundles: &Bundles,
    with_paths: bool,
    answer: impl Fn(&mut Facade, &str, &std::collections::BTreeMap<String, String>) -> Value,
) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let mut facade = Facade::new()?;
    let mut found = false;
    for dir in &bundles.dirs {
        let folder::Folder { files, findings, .. } = folder::read(dir)?;
        let kind = folder::kind(&files, bundles.kind.as_deref())?;
        let mut value = answer(&mut facade, &kind, &files);
        if let Some(message) = value["error"]["message"].as_str() {
            return Err(CommandError::Usage(message.to_owned()));
        }
        add(&mut value, &findings);
        let paths = if with_paths { Some(paths::of(&kind, &files)?) } else { None };
        if bundles.json {
            value["dir"] = json!(dir);
            value["kind"] = json!(kind);
            if let Some(paths) = paths {
                value["paths"] = json!(paths);
            }
            found |= value["ok"] != true;
            writeln!(out, "{value}")?;
            continue;
        }
        let answer: Answer = serde_json::from_value(value)
            .map_err(|error| CommandError::Internal(format!("The answer was odd: {error}")))?;
        found |= !answer.ok;
        let report = FindingsReport::new(&files);
        print(&mut out, &dir.display().to_string(), &answer, &report)?;
        for workflow in paths.iter().flatten() {
            paths::print(&mut out, workflow, &report)?;
        }
    }
    Ok(Exit::unless(found))
}

/// What was found while the folder was read stands before what the check finds.
fn add(answer: &mut Value, findings: &[Diagnostic]) {
    if findings.is_empty() {
        return;
    }
    answer["ok"] = json!(false);
    let all = findings.iter().map(|finding| json!(finding));
    let found = answer["diagnostics"].as_array_mut().map(std::mem::take).unwrap_or_default();
    answer["diagnostics"] = all.chain(found).collect();
}

fn print(out: &mut impl Write, dir: &str, answer: &Answer, report: &FindingsReport<'_>) -> io::Result<()> {
    for diagnostic in &answer.diagnostics {
        writeln!(out, "{}\n", report.finding(diagnostic))?;
    }
    for test in &answer.tests {
        writeln!(out, "{} {}", if test.ok { "pass" } else { "FAIL" }, visible(&test.name))?;
        for diagnostic in test.diagnostics.iter().cloned().map(Diagnostic::where_it_ran) {
            writeln!(out, "{}\n", report.finding(&diagnostic))?;
        }
    }
    let errors = answer.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let others = answer.diagnostics.len() - errors;
    let failing = answer.tests.iter().filter(|test| !test.ok).count();
    let tests = match answer.tests.len() {
        0 => String::new(),
        all => format!(", {} of {all} tests pass", all - failing),
    };
    let dir = visible(dir);
    writeln!(out, "{dir}: {}, {}{tests}", counted(errors, "error"), counted(others, "warning"))
}

pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
