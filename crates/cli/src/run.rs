//! `holdpoint run`: one command of a bundle on the user's own files (spec: ifc-sdk.md §7.1).

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use holdpoint_kinds::shown_by;
use holdpoint_kinds::testing::{CommandPlan, HostCall, run_report};
use holdpoint_sandbox::ModelFile;
use holdpoint_sandbox::child::{Runner, RunnerError};
use holdpoint_sdk::run::Outcome;
use serde_json::{Value, json};

use crate::args::RunArgs;
use crate::exit::{CommandError, Exit};
use crate::folder;
use crate::report::FindingsReport;

/// The only locale of the command line.
const LOCALE: &str = "en";

pub fn run(options: &RunArgs) -> Result<Exit, CommandError> {
    let files = folder::read(&options.dir)?;
    let args = options.args.as_deref().map(read_args).transpose()?;
    let Some(tests) = shown_by(&files).and_then(|kind| kind.parts().tests) else {
        return Err(CommandError::Usage(
            "Nothing in this folder can be run: an extension has a manifest.json.".to_owned(),
        ));
    };
    let asked = HostCall::Command { id: options.command.clone(), args };
    let plan = match tests.call(&files, &asked, LOCALE) {
        Ok(Some(plan)) => plan,
        Ok(None) => return Err(CommandError::Usage(format!("The bundle has no command `{}`.", options.command))),
        Err(found) => {
            let shown = FindingsReport::new(&files);
            for diagnostic in found.iter().filter(|diagnostic| diagnostic.is_error()) {
                eprintln!("{}\n", shown.finding(diagnostic));
            }
            return Ok(Exit::Findings);
        }
    };
    if !consented(&plan, options.yes)? {
        return Err(CommandError::Usage("Nothing was granted, nothing was run. Grant with --yes.".to_owned()));
    }
    let models = options.models.iter().map(|path| read_model(path)).collect::<Result<Vec<_>, _>>()?;
    let outcome = match Runner::new()?.run(&models, &plan.program) {
        Ok(outcome) => outcome,
        Err(RunnerError::Open(error)) => {
            writeln!(
                io::stdout(),
                "{}",
                json!({ "error": { "code": "MODEL_INVALID", "message": error.to_string() } })
            )?;
            return Ok(Exit::Findings);
        }
        Err(error) => return Err(CommandError::Internal(error.to_string())),
    };
    if let Some(folder) = &options.out {
        write_exports(folder, &outcome)?;
    }
    writeln!(io::stdout(), "{}", run_report(&outcome))?;
    Ok(Exit::unless(outcome.failure.is_some()))
}

fn read_args(text: &str) -> Result<Value, CommandError> {
    serde_json::from_str(text).map_err(|error| CommandError::Usage(format!("--args is no JSON: {error}.")))
}

/// Lists what the bundle may do; asks on a terminal.
fn consented(plan: &CommandPlan, yes: bool) -> Result<bool, CommandError> {
    let mut err = io::stderr().lock();
    writeln!(err, "It may:")?;
    for declared in &plan.capabilities {
        writeln!(err, "  {} ({})", declared.sentence, declared.capability)?;
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

fn read_model(path: &Path) -> Result<ModelFile, CommandError> {
    let bytes = std::fs::read(path).map_err(|error| {
        CommandError::Usage(format!("{} cannot be read: {error}. Name an IFC file.", path.display()))
    })?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(ModelFile { name, bytes })
}

/// File names were checked by the sandbox: one segment, no path.
fn write_exports(folder: &Path, outcome: &Outcome) -> Result<(), CommandError> {
    std::fs::create_dir_all(folder)?;
    for export in &outcome.effects.exports {
        let (Some(name), Some(text)) = (export["filename"].as_str(), export["text"].as_str()) else { continue };
        std::fs::write(folder.join(name), text)?;
        eprintln!("Wrote {}", folder.join(name).display());
    }
    Ok(())
}
