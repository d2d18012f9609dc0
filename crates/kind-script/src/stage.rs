//! An edit of the five files: staged by the text engine, looked at with what the files before had (spec: script-tool.md
//! §6, text-engine.md §9).
//!
//! Invariants: the tokens are the text engine's; only files of the closed set are written; findings never block.

use std::collections::BTreeMap;

use holdpoint_bundle::{Files, text_hash};
use holdpoint_change::{
    Base, Confirm, Facts, FileEffect, Op, OpFault, Preview, Staged, Step, TextRequest, Tokens, Tree, Unit, text_error,
};
use holdpoint_check::{ApiError, Diagnostic, Report, args, codes};
use holdpoint_text::{Preview as Placed, Verdict};
use serde_json::json;

use super::{ScriptOptions, ScriptTool, VirtualFile};
use holdpoint_kind::{CheckError, Given, Input, Kind, untyped};

codes! {
    INVALID_INPUT / NO_TEXT_OPS: Error, "Send ops for the text engine.";
}

/// Stages ops on the files of `base`.
pub(super) fn stage(base: Base, request: &TextRequest) -> Result<Staged, ApiError> {
    let before = base.files.clone().unwrap_or_default();
    let mut tree = Tree { files: before.clone(), entry: None };
    let placed = match tree.take(&Step::new(Op::Text(request.clone()), "")) {
        Ok(FileEffect::Text(placed)) | Err(OpFault::Text(placed)) => placed,
        Err(OpFault::Input(error)) => return Err(text_error(&error)),
        // A call of the text engine has no other effect and no other fault.
        Ok(_) | Err(_) => return Err(ApiError::at("/ops", &NO_TEXT_OPS, args! {})),
    };
    let rejected = placed.verdict == Verdict::Reject;
    let after: Files = tree.files.into_iter().filter(|(path, _)| VirtualFile::parse(path).is_some()).collect();
    let mut shown = json!(placed);
    shown["after_virtual_files"] = json!(after);
    let meta = &placed.meta;
    Ok(Staged {
        facts: facts(&placed, request),
        units: units(request, &before, &after),
        tokens: Tokens {
            base: Some(meta.base_hash.clone()),
            patch: meta.patch_id.clone(),
            result: meta.result_hash.clone(),
        },
        confirm: meta.confirm_token.clone().map_or(Confirm::None, Confirm::Derived),
        reasons: meta.reasons.iter().map(|tag| json!(tag).as_str().unwrap_or_default().to_owned()).collect(),
        after: (!rejected).then_some(after),
        base,
        shown,
        ..Staged::default()
    })
}

/// What the revision keeps of it.
fn facts(placed: &Placed, request: &TextRequest) -> Facts {
    let meta = &placed.meta;
    Facts(json!({
        "base_hash": meta.base_hash, "patch_id": meta.patch_id, "result_hash": meta.result_hash,
        "verdict": placed.verdict, "tags": meta.normalizations_applied, "reasons": meta.reasons,
        "fuzz_level_used": meta.fuzz_level_used, "max_offset": meta.max_offset,
        "engine_version": meta.engine_version, "partial": request.accept.is_some(),
    }))
}

/// Staleness is asked of the files that the ops name.
fn units(request: &TextRequest, before: &Files, after: &Files) -> Vec<Unit> {
    let mut named: Vec<&str> = request.ops.iter().map(|op| op.target_file.as_str()).collect();
    named.sort_unstable();
    named.dedup();
    let hash = |files: &Files, path: &str| files.get(path).map(|text| text_hash(text));
    let unit = |path: &str| Unit { key: path.to_owned(), before: hash(before, path), after: hash(after, path) };
    named.into_iter().filter(|path| VirtualFile::parse(path).is_some()).map(unit).collect()
}

/// Findings of the files after; those that the files before did not have are marked.
pub(super) fn preview(staged: Staged, given: Given<'_>) -> Result<Preview, CheckError> {
    let options = ScriptOptions { names: true, ..ScriptOptions::default() };
    let check = |files: &Files| ScriptTool.check(files, Input { options: &options, given });
    let before = staged.base.files.clone().unwrap_or_default();
    let mut had: BTreeMap<_, usize> = BTreeMap::new();
    let earlier = check(&before)?;
    for finding in &earlier.diagnostics {
        *had.entry(identity(finding)).or_default() += 1;
    }
    let mut report = match &staged.after {
        Some(after) => untyped(check(after)?),
        None => untyped(Report { ok: earlier.ok, diagnostics: earlier.diagnostics, more: earlier.more }),
    };
    for finding in &mut report.diagnostics {
        match had.get_mut(&identity(finding)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => finding.new = true,
        }
    }
    Ok(Preview { staged, report })
}

/// A finding moves when text before it changes, so its place is not part of what it is.
fn identity(finding: &Diagnostic) -> (String, Option<String>, Option<String>, String) {
    (finding.code.to_string(), finding.path.clone(), finding.pointer.clone(), finding.message.clone())
}
