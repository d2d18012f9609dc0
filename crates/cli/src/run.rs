//! `holdpoint run`: one command of a bundle on the user's own files (spec: ifc-sdk.md §7.1).

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use holdpoint_bundle::Files;
use holdpoint_check::Diagnostic;
use holdpoint_kind::{Kind as _, shown_by};
use holdpoint_kind_extension::IfcExtension;
use holdpoint_kind_extension::testing::{CommandPlan, HostCall, call, run_report};
use holdpoint_kinds::CHECKS;
use holdpoint_model::{InvalidModelError, Model};
use holdpoint_sandbox::ModelFile;
use holdpoint_sandbox::child::{Runner, RunnerError};
use holdpoint_sdk::run::Outcome;
use serde_json::{Value, json};

use crate::args::RunArgs;
use crate::exit::{CommandError, Exit};
use crate::folder;
use crate::opened;
use crate::report::FindingsReport;
use crate::terminal::visible;

/// The only locale of the command line.
const LOCALE: &str = "en";

pub fn run(options: &RunArgs) -> Result<Exit, CommandError> {
    let folder::Folder { files, findings, .. } = folder::read(&options.dir)?;
    if !findings.is_empty() {
        return Ok(told(&FindingsReport::new(&files), &findings));
    }
    let args = options.args.as_deref().map(read_args).transpose()?;
    if shown_by(CHECKS, &files).is_none_or(|entry| entry.kind.id() != IfcExtension::ID) {
        return Err(CommandError::Usage(
            "Nothing in this folder can be run: an extension has a manifest.json.".to_owned(),
        ));
    }
    let plan = match planned(&files, &options.command, args) {
        Ok(Some(plan)) => plan,
        Ok(None) => {
            let said = format!("The bundle has no command, exporter, lens or check `{}`.", options.command);
            return Err(CommandError::Usage(said));
        }
        Err(found) => return Ok(told(&FindingsReport::new(&files), &found)),
    };
    if !consented(&plan, options.yes)? {
        return Err(CommandError::Usage("Nothing was granted, nothing was run. Grant with --yes.".to_owned()));
    }
    let (mut models, mut is_cut_off) = (Vec::new(), false);
    for path in &options.models {
        match read_model(path)? {
            Ok((model, is_cut)) => {
                models.push(model);
                is_cut_off |= is_cut;
            }
            Err(error) => return Ok(unopened(&error)?),
        }
    }
    let outcome = match Runner::new()?.run(&models, &plan.program) {
        Ok(outcome) => outcome,
        Err(RunnerError::Open(error)) => return Ok(unopened(&error)?),
        Err(error) => return Err(CommandError::Internal(error.to_string())),
    };
    if let Some(folder) = &options.out {
        write_exports(folder, &outcome)?;
    }
    writeln!(io::stdout(), "{}", run_report(&outcome))?;
    match outcome.effects.exports.len() {
        count @ 1.. if options.out.is_none() => {
            Err(CommandError::Usage(format!("{count} files were made and not written: name a folder with --out.")))
        }
        _ => Ok(Exit::unless(is_cut_off || outcome.failure.is_some())),
    }
}

fn unopened(error: &dyn std::fmt::Display) -> io::Result<Exit> {
    let error = json!({ "code": InvalidModelError::CODE, "message": error.to_string() });
    writeln!(io::stdout(), "{}", json!({ "error": error }))?;
    Ok(Exit::Findings)
}

/// The call of what has this id: a command, else an exporter (`--args` are its options), a lens, a check.
fn planned(files: &Files, id: &str, args: Option<Value>) -> Result<Option<CommandPlan>, Vec<Diagnostic>> {
    let id = || id.to_owned();
    let all = [
        HostCall::Command { id: id(), args: args.clone() },
        HostCall::Exporter { id: id(), options: args },
        HostCall::Lens { id: id() },
        HostCall::IdsValidator { id: id() },
    ];
    for asked in all {
        if let Some(plan) = call(files, &asked, LOCALE).map_err(|report| report.diagnostics)? {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

fn told(report: &FindingsReport<'_>, findings: &[Diagnostic]) -> Exit {
    for finding in findings.iter().filter(|finding| finding.is_error()) {
        eprintln!("{}\n", report.finding(finding));
    }
    Exit::Findings
}

fn read_args(text: &str) -> Result<Value, CommandError> {
    serde_json::from_str(text).map_err(|error| CommandError::Usage(format!("--args is no JSON: {error}.")))
}

/// Lists what the bundle may do; asks on a terminal.
fn consented(plan: &CommandPlan, yes: bool) -> Result<bool, CommandError> {
    let mut err = io::stderr().lock();
    writeln!(err, "It may:")?;
    for declared in &plan.capabilities {
        writeln!(err, "  {} ({})", visible(&declared.sentence), visible(&declared.capability))?;
    }
    if plan.capabilities.is_empty() {
        writeln!(err, "  nothing but compute.")?;
    }
    if yes {
        return Ok(true);
    }
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    write!(err, "Grant this and run? [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// A model for the sandbox, and whether it is cut off; what of it cannot be read is said here, as the sandbox only tells
/// what the command does.
fn read_model(path: &Path) -> Result<Result<(ModelFile, bool), InvalidModelError>, CommandError> {
    let name = opened::name_of(path);
    Ok(opened::read(path)?.and_then(|bytes| {
        let model = Model::open(bytes.clone(), &name)?;
        opened::warn(&name, &model);
        Ok((ModelFile { name, bytes }, model.is_cut_off()))
    }))
}

/// Bytes that a name may have in the file systems that people use.
const MAX_NAME_BYTES: usize = 255;

/// Writes every export: a name that is taken by another of this run, or too long for a file system, is changed.
///
/// Names were checked by the sandbox: one segment, no path.
fn write_exports(folder: &Path, outcome: &Outcome) -> Result<(), CommandError> {
    let refused = |path: &Path, error: &io::Error| {
        CommandError::Usage(format!("{} cannot be written: {error}. Name another folder with --out.", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| refused(folder, &error))?;
    let mut names = BTreeSet::new();
    for export in &outcome.effects.exports {
        let (Some(asked), Some(text)) = (export["filename"].as_str(), export["text"].as_str()) else { continue };
        let name = (1..=outcome.effects.exports.len())
            .map(|copy| file_name(asked, copy))
            .find(|name| !names.contains(&name.to_lowercase()))
            .unwrap_or_default();
        let path = folder.join(&name);
        std::fs::write(&path, text).map_err(|error| refused(&path, &error))?;
        eprintln!("Wrote {}", visible(&path.display().to_string()));
        if name != asked {
            eprintln!("  asked for as {}", visible(asked));
        }
        names.insert(name.to_lowercase());
    }
    Ok(())
}

/// `asked`, behind its stem the number of a second copy, the stem cut so that a file system takes the name.
fn file_name(asked: &str, copy: usize) -> String {
    let (stem, ending) = asked.rfind('.').filter(|at| *at > 0).map_or((asked, ""), |at| asked.split_at(at));
    let number = if copy > 1 { format!("-{copy}") } else { String::new() };
    let (stem, ending) = if ending.len() + number.len() < MAX_NAME_BYTES { (stem, ending) } else { (asked, "") };
    let room = MAX_NAME_BYTES - ending.len() - number.len();
    format!("{}{number}{ending}", &stem[..stem.floor_char_boundary(room)])
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn every_name_fits_a_file_system_and_keeps_its_ending() {
        assert_eq!(file_name("doors.csv", 1), "doors.csv");
        assert_eq!(file_name("doors.csv", 2), "doors-2.csv");
        assert_eq!(file_name(".hidden", 2), ".hidden-2");
        let long = format!("{}.csv", "梁".repeat(100));
        let name = file_name(&long, 1);
        assert!(name.ends_with("梁.csv") && name.len() <= 255, "{} bytes", name.len());
        let copy = file_name(&long, 12);
        assert!(copy.ends_with("梁-12.csv") && copy.len() <= 255, "{} bytes", copy.len());
        let ending = format!("a.{}", "é".repeat(190));
        assert!(file_name(&ending, 3).len() <= 255);
    }
}
