//! `holdpoint ids`: IFC files checked against what an IDS file asks for.

use std::io::{self, Write};

use holdpoint_model::ids::{CheckedSpecification, FailedElement, Ids, IdsStatus, InvalidIdsError, Report, check};
use holdpoint_model::{InvalidModelError, Model};
use serde_json::json;

use crate::args::IdsArgs;
use crate::exit::{CommandError, Exit};
use crate::folder::unreadable;
use crate::opened;
use crate::terminal::visible;

/// Elements that the readable form lists for each requirement.
const SHOWN: usize = 10;

pub fn run(options: &IdsArgs) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let text = std::fs::read(&options.ids).map_err(|error| unreadable(&options.ids, &error))?;
    let ids = Ids::read(&text).map_err(|error| {
        CommandError::Usage(format!("{}: {} {error}", options.ids.display(), InvalidIdsError::CODE))
    })?;
    let mut found = false;
    for path in &options.models {
        let name = opened::name_of(path);
        let model = match opened::read(path)?.and_then(|bytes| Model::open(bytes, &name)) {
            Ok(model) => model,
            Err(error) => {
                found = true;
                if options.json {
                    writeln!(out, "{}", opened::refused(&name, &error))?;
                } else {
                    eprintln!("{}: {} {error}", visible(&path.display().to_string()), InvalidModelError::CODE);
                }
                continue;
            }
        };
        opened::warn(&name, &model);
        let report = check(&model, &ids);
        found |= model.is_cut_off();
        found |= report.specifications.iter().any(|one| one.status == IdsStatus::Failed);
        if options.json {
            let answer = json!({ "file": name, "report": report });
            writeln!(out, "{answer}")?;
        } else {
            print(&mut out, &name, &report)?;
        }
    }
    Ok(Exit::unless(found))
}

fn print(out: &mut impl Write, name: &str, report: &Report) -> io::Result<()> {
    writeln!(out, "{}: {}", visible(name), visible(&report.title))?;
    for one in &report.specifications {
        let status = match one.status {
            IdsStatus::Passed => "passed",
            IdsStatus::Failed => "FAILED",
        };
        let good = one.applicable - one.failed.len();
        writeln!(out, "  {status} {} ({good} of {})", visible(&one.name), one.applicable)?;
        specification(out, one)?;
    }
    Ok(())
}

fn specification(out: &mut impl Write, one: &CheckedSpecification) -> io::Result<()> {
    for sentence in one.note.iter().chain(&one.reason) {
        writeln!(out, "    {}", visible(&sentence.message))?;
    }
    for asked in one.requirements.iter().filter(|asked| !asked.failed.is_empty()) {
        for failure in asked.failures.iter().take(SHOWN) {
            writeln!(out, "    {}", said(failure))?;
        }
        let more = asked.failed.len().saturating_sub(SHOWN);
        if more > 0 {
            writeln!(out, "    … and {more} more")?;
        }
    }
    Ok(())
}

fn said(failure: &FailedElement) -> String {
    let name = failure.name.as_deref().unwrap_or("–");
    let line = format!("#{} {} {name}: {}", failure.id, failure.r#type, failure.reason.message);
    visible(&line).into_owned()
}
