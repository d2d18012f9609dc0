//! The corpus natively: every case that is due passes, and what passes once never fails again.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

use crate::process::{Fault, command, root, step};
use crate::test::Tally;

/// Ids of cases whose subject does not exist yet, one a line.
const NOT_DUE: &str = "tests/corpus/not-due.txt";

/// Runs the corpus and counts the cases that are due.
pub fn check(holdpoint: &Path) -> Result<Tally, Fault> {
    step("Running the corpus");
    let output = command(holdpoint)
        .args(["corpus", "tests/corpus", "--quiet", "--answers", "target/corpus-native.jsonl"])
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let not_due = not_due()?;
    let failing: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("FAIL ")?.split_whitespace().next()).collect();
    let unexpected: Vec<&str> = failing.iter().copied().filter(|id| !not_due.contains(*id)).collect();
    for id in &unexpected {
        println!("  FAIL {id}");
    }
    let early: Vec<&String> = not_due.iter().filter(|id| !failing.contains(id.as_str())).collect();
    if !early.is_empty() {
        println!("  {} cases in {NOT_DUE} pass: take them out, so that they can't fail again.", early.len());
    }
    let closing = text.lines().last().unwrap_or_default();
    let passed: u64 = closing
        .split_once(" passed")
        .and_then(|(count, _)| count.parse().ok())
        .ok_or_else(|| Fault::told(format!("`holdpoint corpus` ended with `{closing}`.")))?;
    println!("  {passed} pass, {} fail, {} of them not due", failing.len(), failing.len() - unexpected.len());
    Ok(Tally { passed, failed: (unexpected.len() + early.len()) as u64, ..Tally::default() })
}

fn not_due() -> Result<BTreeSet<String>, Fault> {
    let text = std::fs::read_to_string(root().join(NOT_DUE))?;
    Ok(text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect())
}
