//! What the model is told of an attempt (spec: authoring.md §6.4).
//!
//! Invariant: at most [`MAX_FINDINGS`] findings, errors first, one root cause once; everything in it is data.

use std::collections::BTreeSet;

use crate::planning::Planning;
use holdpoint_check::{Diagnostic, LineIndex};
use serde_json::{Map, Value, json};

use super::attempt::Attempt;
use super::effect::AttemptId;
use crate::script::SCRIPT;
use holdpoint_bundle::Files;
use holdpoint_engine::attempt::{MAX_FINDINGS, Told};

const SNIPPET_LINES: usize = 2;
/// Characters of a line in a snippet.
const SNIPPET_CHARS: usize = 200;

/// How often there is another try, and how much it may say.
#[derive(Debug, Clone, Copy)]
pub struct Repairs {
    pub of: u32,
    /// Tokens that its reply may have.
    pub output: u32,
}

/// The object for a repair of `attempt`, which is one `of` so many and may have `output` tokens.
pub fn of_attempt(
    kind: &dyn Planning,
    attempt: &Attempt,
    last: &Attempt,
    plan: Option<&Value>,
    Repairs { of, output }: Repairs,
) -> Value {
    let all: Vec<&Diagnostic> = last.reply.iter().chain(&attempt.check).chain(&attempt.plan).collect();
    let tests = attempt.test_errors();
    let mut told = Told::default();
    let errors = all.iter().filter(|finding| finding.is_error());
    for finding in errors.chain(all.iter().filter(|finding| !finding.is_error())) {
        push(&mut told, row(kind, finding, &attempt.files, plan));
    }
    for (name, finding) in &tests {
        let mut shown = row(kind, finding, &attempt.files, plan);
        if name == SCRIPT {
            withhold(&mut shown, finding);
            push(&mut told, shown);
            continue;
        }
        let result = attempt.tests.iter().flatten().find(|test| test.name == *name);
        if let (Some(shown), Some(result)) = (shown.as_object_mut(), result) {
            shown.insert("test".into(), name.as_str().into());
            if let Some(expected) = expected(finding, attempt) {
                shown.insert("expected".into(), expected);
            }
            for member in ["actual", "logs"] {
                if let Some(value) = result.more.get(member) {
                    shown.insert(member.into(), value.clone());
                }
            }
        }
        push(&mut told, shown);
    }
    let faulty: BTreeSet<&str> =
        all.iter().filter(|finding| finding.is_error()).filter_map(|finding| finding.path.as_deref()).collect();
    let changed = |path: &&String| last.before.get(*path) != last.files.get(*path);
    let number = match last.id {
        AttemptId::Number(number) => json!(number),
        AttemptId::Hand(_) => json!("hand"),
    };
    json!({
        "attempt": number,
        "of": of,
        "stage": attempt.stage(),
        "diagnostics": told.rows(),
        "files_changed_last": last.files.keys().filter(changed).collect::<Vec<_>>(),
        "ok_files": attempt.files.keys().filter(|path| !faulty.contains(path.as_str())).collect::<Vec<_>>(),
        "budget": {"output_tokens": output},
    })
}

/// A script ran on the person's own model: what it wrote and threw is theirs, and no model hears of it (authoring.md §10).
/// Its code, its place and the kind of error are enough to mend it.
fn withhold(shown: &mut Value, finding: &Diagnostic) {
    let Some(name) = finding.args.get("name").and_then(Value::as_str) else { return };
    let kind = name.trim_end_matches(": ");
    let known = ["TypeError", "ReferenceError", "RangeError", "SyntaxError", "SdkError"].contains(&kind);
    let kind = if known { kind } else { "an error" };
    shown["message"] = format!("It threw {kind} here. What it said is the person's.").into();
}

/// The object for another plan.
pub fn of_plan(kind: &dyn Planning, findings: &[Diagnostic]) -> Value {
    let rows: Vec<Value> =
        findings.iter().take(MAX_FINDINGS).map(|finding| row(kind, finding, &Files::new(), None)).collect();
    json!({"stage": "plan", "diagnostics": rows})
}

fn push(told: &mut Told, row: Value) {
    let cause = |name: &str| row.get(name).map(Value::to_string).unwrap_or_default();
    told.push(format!("{} {} {}{}", cause("code"), cause("path"), cause("pointer"), cause("at")), row);
}

fn row(kind: &dyn Planning, finding: &Diagnostic, files: &Files, plan: Option<&Value>) -> Value {
    let mut row = Map::new();
    if let Some(path) = &finding.path {
        row.insert("path".into(), path.as_str().into());
    }
    if let Some(pointer) = &finding.pointer {
        row.insert("pointer".into(), pointer.as_str().into());
    } else if let Some(range) = finding.range {
        row.insert("at".into(), json!(range.start));
    }
    row.insert("code".into(), finding.code.as_ref().into());
    row.insert("message".into(), finding.message.as_str().into());
    if let Some(hint) = &finding.hint {
        row.insert("hint".into(), hint.as_str().into());
    }
    let (allowed, shape) = kind.help(finding, plan);
    if let Some(suggested) = finding.fix.as_ref().map(|fix| json!(fix)).or(shape) {
        row.insert("suggested".into(), suggested);
    }
    if !allowed.is_empty() {
        row.insert("allowed".into(), json!(allowed));
    }
    if let Some(snippet) = finding.path.as_deref().and_then(|path| snippet(finding, files.get(path)?)) {
        row.insert("snippet".into(), snippet.into());
    }
    Value::Object(row)
}

/// The operand that a failed expectation points at.
fn expected(finding: &Diagnostic, attempt: &Attempt) -> Option<Value> {
    let pointer = finding.pointer.as_deref().filter(|_| finding.code == "EXPECT_FAILED")?;
    attempt.manifest.as_ref()?.value.pointer(pointer).cloned()
}

/// The lines around a finding, numbered; of a failed edit, the head of the file.
pub fn snippet(finding: &Diagnostic, text: &str) -> Option<String> {
    let line = match finding.range {
        Some(range) => range.start.line as usize,
        None if finding.code.starts_with("EDIT_") => 1,
        None => return None,
    };
    let last = LineIndex::new(text).position(text.len()).line as usize;
    let reach = if finding.range.is_some() { SNIPPET_LINES } else { last };
    let (from, to) = (line.saturating_sub(reach).max(1), (line + reach).min(last));
    let rows = text.lines().enumerate().skip(from - 1).take(to + 1 - from);
    let rows: Vec<String> = rows
        .map(|(index, row)| format!("{}| {}", index + 1, row.chars().take(SNIPPET_CHARS).collect::<String>()))
        .collect();
    Some(rows.join("\n"))
}
