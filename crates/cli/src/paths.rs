//! `holdpoint check --paths`: the path report of a bundle, for people or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use holdpoint_check::Diagnostic;
use serde_json::{Value, json};

use crate::bundles::counted;
use crate::exit::CommandError;
use crate::report::FindingsReport;
use crate::terminal::visible;

/// The report of each workflow.
pub fn of(kind: &str, files: &BTreeMap<String, String>) -> Result<Vec<Value>, CommandError> {
    let Some(report) = holdpoint_kinds::find(kind).and_then(|entry| entry.check.paths) else {
        return Err(CommandError::Usage(format!("Leave --paths out: bundles of kind {kind} have no workflows.")));
    };
    let mut answer = report(json!({ "files": files })).map_err(|error| CommandError::Usage(error.message))?;
    let workflows = answer["workflows"].as_array_mut().map(std::mem::take);
    workflows.ok_or_else(|| CommandError::Internal("The path report has no workflows.".to_owned()))
}

/// One workflow: figures, then findings.
pub fn print(out: &mut impl Write, workflow: &Value, report: &FindingsReport<'_>) -> io::Result<()> {
    let findings: Vec<Diagnostic> = workflow["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|finding| serde_json::from_value(finding.clone()).ok())
        .collect();
    let number = |member: &str| workflow[member].as_u64().unwrap_or_default() as usize;
    let length = |member: &str| counted(workflow[member].as_array().map_or(0, Vec::len), "node");
    let name = ["name", "id", "graph"].into_iter().find_map(|member| workflow[member].as_str()).unwrap_or_default();
    let name = visible(name);
    let least = if workflow["complete"] == true { "" } else { "at least " };
    writeln!(
        out,
        "\n{name}: {least}{}, {} to an end, shortest {}, longest {least}{}, {}",
        counted(number("count"), "path"),
        number("ends"),
        length("shortest"),
        length("longest"),
        counted(findings.len(), "warning")
    )?;
    for finding in &findings {
        writeln!(out, "\n{}", report.finding(finding))?;
    }
    Ok(())
}
