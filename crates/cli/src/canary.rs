//! `holdpoint canary`: what another SDK does to stored extensions (spec: authoring.md §8 "Canary").
//!
//! Owns the order of asking and the three ways to tell it; what an outcome is, the facade says, as it does in the page.

mod junit;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use holdpoint_check::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::args::CanaryArgs;
use crate::exit::{CommandError, Exit};
use crate::facade::Facade;
use crate::folder::{self, unreadable};
use crate::report::FindingsReport;
use crate::terminal::visible;

/// What became of one extension.
#[derive(Debug, Serialize, Deserialize)]
pub struct CanaryVerdict {
    #[serde(default)]
    dir: String,
    id: Option<String>,
    name: Option<String>,
    version: Option<String>,
    /// It is one of `ok`, `range_only`, `unknown`, `broken`.
    outcome: Option<String>,
    satisfied: bool,
    /// Of the check, then of its tests.
    diagnostics: Vec<Diagnostic>,
    /// Entries of the changelog that touch it: `{entry, sites[]}`.
    relevant: Vec<Value>,
}

impl CanaryVerdict {
    fn is_broken(&self) -> bool {
        self.outcome.as_deref() == Some("broken")
    }
}

/// One line for people: the outcome as words.
fn said(outcome: &str) -> &str {
    match outcome {
        "ok" => "works as before",
        "range_only" => "works, its range does not say so",
        "unknown" => "has no tests",
        _ => "broken",
    }
}

/// Version and changelog that all extensions are held against.
struct Sdk {
    from: String,
    to: String,
    changes: Option<Value>,
}

pub fn run(options: &CanaryArgs) -> Result<Exit, CommandError> {
    let changes = options.changes.as_deref().map(read_changes).transpose()?;
    let from = options.from.clone().unwrap_or_else(|| before(&options.sdk, changes.as_ref()));
    let sdk = Sdk { from, to: options.sdk.clone(), changes };
    let mut facade = Facade::new()?;
    let mut verdicts = Vec::new();
    let mut read = Vec::new();
    for dir in &options.dirs {
        let folder::Folder { files, findings, .. } = folder::read(dir)?;
        let mut verdict = judge(&mut facade, &files, &sdk)?;
        verdict.dir = dir.display().to_string();
        if !findings.is_empty() {
            verdict.outcome = Some("broken".to_owned());
            verdict.diagnostics.extend(findings);
        }
        verdicts.push(verdict);
        read.push(files);
    }
    let broken = verdicts.iter().any(CanaryVerdict::is_broken);
    let mut out = io::stdout().lock();
    if options.json {
        writeln!(out, "{}", json!({ "sdk": sdk.to, "from": sdk.from, "extensions": verdicts }))?;
    } else if options.junit {
        write!(out, "{}", junit::report(&sdk.to, &verdicts))?;
    } else {
        print(&mut out, &sdk, &verdicts, &read)?;
    }
    Ok(Exit::unless(broken))
}

/// The newest version of the changelog below `to`, so that a canary of a release shows what the release brings.
fn before(to: &str, changes: Option<&Value>) -> String {
    let number = |text: &str| -> Vec<u64> {
        let released = text.split(['-', '+']).next().unwrap_or_default();
        released.split('.').map(|part| part.parse().unwrap_or_default()).collect()
    };
    let versions =
        changes.and_then(Value::as_array).into_iter().flatten().filter_map(|change| change["version"].as_str());
    let below = versions.filter(|version| number(version) < number(to)).max_by_key(|version| number(version));
    below.unwrap_or("0.0.0").to_owned()
}

fn read_changes(path: &Path) -> Result<Value, CommandError> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    serde_json::from_str(&text)
        .map_err(|error| CommandError::Usage(format!("{} is no changelog: {error}.", path.display())))
}

/// Checks, then tests where tests decide.
fn judge(facade: &mut Facade, files: &BTreeMap<String, String>, sdk: &Sdk) -> Result<CanaryVerdict, CommandError> {
    let mut input = json!({ "files": files, "from": sdk.from, "to": sdk.to });
    if let Some(changes) = &sdk.changes {
        input["changes"] = changes.clone();
    }
    let mut answer = answered(facade, "drift.judge", input.clone())?;
    let mut failing = Vec::new();
    if answer["outcome"].is_null() {
        let kind = folder::kind(files, None)?;
        let tested = json!({ "kind": kind, "files": answer["trial"], "profile": "dry-run" });
        let tested = answered(facade, "bundle.test", tested)?;
        input["passed"] = tested["ok"].clone();
        answer = answered(facade, "drift.judge", input)?;
        let tests = tested["tests"].as_array().into_iter().flatten().filter(|test| test["ok"] != true);
        failing.extend(tests.flat_map(|test| test["diagnostics"].as_array().cloned().unwrap_or_default()));
    }
    if let Some(diagnostics) = answer["diagnostics"].as_array_mut() {
        diagnostics.extend(failing);
    }
    serde_json::from_value(answer).map_err(|error| CommandError::Internal(format!("The answer was odd: {error}")))
}

fn answered(facade: &mut Facade, method: &str, input: Value) -> Result<Value, CommandError> {
    let answer = facade.call(method, input);
    match answer["error"]["message"].as_str() {
        Some(message) => Err(CommandError::Usage(message.to_owned())),
        None => Ok(answer),
    }
}

fn print(
    out: &mut impl Write,
    sdk: &Sdk,
    verdicts: &[CanaryVerdict],
    read: &[BTreeMap<String, String>],
) -> Result<(), CommandError> {
    for (verdict, files) in verdicts.iter().zip(read) {
        let name = verdict.id.as_deref().unwrap_or(&verdict.dir);
        writeln!(out, "{}: {}", visible(name), said(verdict.outcome.as_deref().unwrap_or_default()))?;
        if !verdict.is_broken() {
            continue;
        }
        let report = FindingsReport::new(files);
        for diagnostic in verdict.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            writeln!(out, "{}\n", report.finding(diagnostic))?;
        }
        for relevant in &verdict.relevant {
            let entry = &relevant["entry"];
            let text = |member: &str| visible(entry[member].as_str().unwrap_or_default()).into_owned();
            writeln!(out, "  {} {}: {} {}", text("version"), text("kind"), text("summary"), text("migration"))?;
        }
    }
    let broken = verdicts.iter().filter(|verdict| verdict.is_broken()).count();
    writeln!(out, "SDK {}: {} of {} extensions broken", visible(&sdk.to), broken, verdicts.len())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::before;

    #[test]
    fn a_canary_begins_at_the_version_before() {
        let changes = json!([{"version": "1.0.0"}, {"version": "1.9.0"}, {"version": "1.10.0"}, {"version": "2.0.0"}]);
        for (to, want) in [("2.0.0", "1.10.0"), ("1.10.0", "1.9.0"), ("1.0.0", "0.0.0"), ("3.1.4", "2.0.0")] {
            assert_eq!(before(to, Some(&changes)), want, "{to}");
        }
        assert_eq!(before("1.0.0", None), "0.0.0");
    }
}
