//! `apply_patch_dry_run` and `discard_changes` (spec: app-builder.md §10).
//!
//! Invariant: all operations of a call are staged, or none; what a person would have to confirm is staged only where the
//! model said so.

use holdpoint_check::{ApiError, Diagnostic, args, codes};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Scratch;
use crate::dialect::apply::EditedProject;
use crate::dialect::guards::{ELISION_SUSPECT, SHRINK_SUSPECT};
use crate::dialect::patch::{self, PATCH_NEEDS_CONFIRMATION};
use crate::policy;
use crate::weakened::weaker;

codes! {
    FILE_NOT_FOUND / NOT_CHANGED: Error, "Name files that are there or were there when the run began: `{path}` is none." [path];
}

/// Lines of a file that are shown about a patch that did not fit.
const LINES_ABOUT: usize = 20;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct StageArguments {
    operations: Vec<Value>,
    accept_warnings: Vec<String>,
}

/// Whether a finding is one that a person confirms.
fn is_guard(found: &Diagnostic) -> bool {
    [SHRINK_SUSPECT.name, ELISION_SUSPECT.name, PATCH_NEEDS_CONFIRMATION.name].contains(&found.code.as_ref())
}

/// Tries operations, and stages what may be.
pub(super) fn stage(scratch: &mut Scratch, asked: &StageArguments) -> Result<Value, ApiError> {
    let edited = match scratch.try_operations(&asked.operations) {
        Ok(edited) => edited,
        Err(refused) => {
            let found = refused.details.get("diagnostics").cloned().ok_or(refused)?;
            return Ok(not_staged(scratch, &asked.operations, &found));
        }
    };
    let named = |found: &&Diagnostic| asked.accept_warnings.iter().any(|code| *code == found.code);
    // What its person will have to look at is told while the model can still mend it.
    let weakened = weaker(&scratch.draft().files, &edited.files);
    let told: Vec<Value> = edited.diagnostics.iter().chain(&weakened).map(patch::told).collect();
    if edited.diagnostics.iter().filter(|found| is_guard(found)).any(|found| !named(&found)) {
        return Ok(not_staged(scratch, &asked.operations, &told.into()));
    }
    let EditedProject { ok, changed, entry_file, files, result_hash, .. } = &edited;
    let answer = json!({
        "ok": ok, "staged": true, "changed": changed, "entry_file": entry_file, "file_count": files.len(),
        "result_hash": result_hash, "diagnostics": told, "failures": [],
    });
    scratch.take(&asked.operations, edited);
    Ok(answer)
}

fn not_staged(scratch: &Scratch, operations: &[Value], found: &Value) -> Value {
    let failures: Vec<Value> =
        found.as_array().into_iter().flatten().filter_map(|one| failure(scratch, operations, one)).collect();
    json!({
        "ok": false, "staged": false, "changed": [], "entry_file": scratch.entry(), "file_count": scratch.files().len(),
        "result_hash": scratch.hash(), "diagnostics": found, "failures": failures,
    })
}

/// What is wrong with one operation, with what its file holds there.
fn failure(scratch: &Scratch, operations: &[Value], found: &Value) -> Option<Value> {
    let pointer = found.get("pointer").and_then(Value::as_str)?;
    let index: usize = pointer.strip_prefix("/operations/")?.split('/').next()?.parse().ok()?;
    let detail = found.pointer("/details/0");
    let member = |name: &str| detail.and_then(|detail| detail.get(name)).cloned().unwrap_or_default();
    let nearest = member("nearest").get("line").and_then(Value::as_u64);
    let line = nearest.or_else(|| stated_line(member("hunk_header").as_str()?));
    let path = operations.get(index).and_then(|operation| operation.get("path")).and_then(Value::as_str);
    Some(json!({
        "index": index, "code": found.get("code"), "reason": found.get("reason"), "hunk": member("hunk_index"),
        "current": path.and_then(|path| current(scratch, path, line.unwrap_or(1) as usize)),
    }))
}

/// The line of the old side that a hunk names.
fn stated_line(header: &str) -> Option<u64> {
    let (_, old) = header.split_once('-')?;
    old.split([',', ' ']).next()?.parse().ok()
}

fn current(scratch: &Scratch, path: &str, line: usize) -> Option<Value> {
    let path = policy::normalise(path).ok()?;
    let text = scratch.files().get(path.as_str())?;
    let first = line.saturating_sub(LINES_ABOUT / 2).max(1);
    let lines: Vec<&str> = text.split_inclusive('\n').skip(first - 1).take(LINES_ABOUT).collect();
    let end_line = first + lines.len().saturating_sub(1);
    Some(json!({ "path": path.as_str(), "start_line": first, "end_line": end_line, "text": lines.concat() }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DiscardArguments {
    paths: Option<Vec<String>>,
}

pub(super) fn discard(scratch: &mut Scratch, asked: &DiscardArguments) -> Result<Value, ApiError> {
    if let Some(paths) = &asked.paths {
        let is_known = |path: &&String| scratch.files().contains_key(*path) || scratch.began_with(path);
        if let Some(path) = paths.iter().find(|path| !is_known(path)) {
            return Err(ApiError::of(&NOT_CHANGED, args! { path }).status(404));
        }
    }
    scratch.put_back(asked.paths.as_deref());
    Ok(json!({ "changed": scratch.changed() }))
}
