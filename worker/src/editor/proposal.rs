//! Preview and apply: what a proposal would change, and the gate before it does (spec: script-tool.md §6, DESIGN §3).
//!
//! Owns no rule of texts: `text.preview`, `text.apply` and `bundle.check` are the very methods that the page calls.
//! Invariants: the base of an apply is the stored head; what is stale answers 409 with a fresh preview of the stored
//! texts and changes nothing; no route takes a result text.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_author::editor::{files, within_limits};
use holdpoint_kinds::script_tool::{KIND, VirtualFile};
use holdpoint_store::Files;
use serde_json::{Value, json};

use super::reply::{members, of_method};
use crate::answer::Fault;

/// The tokens that an apply must name.
const TOKENS: [&str; 4] = ["base_revision_id", "base_hash", "patch_id", "result_hash"];
/// Members of a body that are the engine's.
pub const ENGINE: [&str; 6] = ["ops", "active_file", "selection", "cursor", "options", "accept"];

/// What a proposal would change in the texts as sent.
pub fn preview(body: &Value) -> Result<Value, Fault> {
    let files = sent(body)?;
    looked_at(body, &files)
}

/// What an apply would store.
pub struct Applied {
    /// The answer, without the revision.
    pub answer: Value,
    /// The files to write; `None`: the proposal cannot be applied.
    pub files: Option<Files>,
    /// What the revision keeps of it.
    pub proposal: Value,
}

/// Judges an apply on the stored texts. `known` says whether a revision is one of this tool.
pub fn apply(
    body: &Value,
    stored: &Files,
    actor: &str,
    known: impl Fn(&str) -> Result<bool, Fault>,
) -> Result<Applied, Fault> {
    let sent = sent(body)?;
    for name in TOKENS {
        if !body[name].is_string() {
            let message = "Name what you saw: revision, base, patch and result.";
            return Err(Fault::new(422, "INVALID_INPUT", message).with("pointer", format!("/{name}").into()));
        }
    }
    let ops = body["ops"].as_array().into_iter().flatten();
    let targets: BTreeSet<&str> = ops.filter_map(|op| op["target_file"].as_str()).collect();
    let moved = targets.iter().any(|path| stored.contains_key(*path) && sent.get(*path) != stored.get(*path));
    // The shape first: a wrong body is no conflict.
    let fresh = match looked_at(body, stored) {
        // Places of another base: the fresh preview shows all of them.
        Err(fault) if moved && fault.code == "UNKNOWN_HUNK" => {
            let mut whole = body.clone();
            whole["accept"].take();
            looked_at(&whole, stored)?
        }
        fresh => fresh?,
    };
    if moved || !known(body["base_revision_id"].as_str().unwrap_or_default())? {
        let message = "A file changed since the preview. Look at the fresh preview, then apply again.";
        return Err(Fault::new(409, "CONFLICT", message).with("reason", "base_changed".into()).with("preview", fresh));
    }
    let mut input = input(body, stored);
    for name in ["base_hash", "patch_id", "result_hash", "confirm_token"] {
        if !body[name].is_null() {
            input[name] = body[name].clone();
        }
    }
    let mut answer = holdpoint_facade::call("text.apply", input);
    if let Some(error) = answer.get("error") {
        let mut fault = of_method(error);
        if let Some(preview) = fault.details.get_mut("preview") {
            add_diagnostics(preview, stored);
        }
        return Err(fault);
    }
    add_diagnostics(&mut answer, stored);
    let files = (answer["applied"] == json!(true)).then(|| changed(&answer));
    let meta = &answer["meta"];
    let mut proposal = json!({
        "base_hash": meta["base_hash"], "patch_id": meta["patch_id"], "result_hash": meta["result_hash"],
        "verdict": answer["verdict"], "tags": meta["normalizations_applied"], "reasons": meta["reasons"],
        "fuzz_level_used": meta["fuzz_level_used"], "max_offset": meta["max_offset"],
        "engine_version": meta["engine_version"], "partial": !body["accept"].is_null(),
    });
    if answer["verdict"] == json!("confirm") {
        proposal["confirmed_by"] = json!(actor);
    }
    Ok(Applied { answer, files, proposal })
}

/// The texts of a body, within their limits.
fn sent(body: &Value) -> Result<Files, Fault> {
    if !body["virtual_files"].is_object() {
        let message = "Send an object: path to text.";
        return Err(Fault::new(422, "INVALID_INPUT", message).with("pointer", "/virtual_files".into()));
    }
    let given = files(body, false)?;
    within_limits(&given)?;
    Ok(given.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect())
}

/// The input of the engine.
fn input(body: &Value, files: &Files) -> Value {
    let mut input = json!({ "files": files });
    for name in ENGINE {
        if !body[name].is_null() {
            input[name] = body[name].clone();
        }
    }
    input
}

/// `text.preview` with what `bundle.check` finds in the files after.
fn looked_at(body: &Value, files: &Files) -> Result<Value, Fault> {
    let mut answer = holdpoint_facade::call("text.preview", input(body, files));
    if let Some(error) = answer.get("error") {
        return Err(of_method(error));
    }
    add_diagnostics(&mut answer, files);
    Ok(answer)
}

/// The changed files of an answer, whole.
fn changed(answer: &Value) -> Files {
    let paths = answer["changed_files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let text = |path: &str| answer["after_virtual_files"][path].as_str().map(str::to_owned);
    paths
        .filter(|path| VirtualFile::parse(path).is_some())
        .filter_map(|path| Some((path.to_owned(), text(path)?)))
        .collect()
}

/// Findings of the files after; those that the files before did not have are marked. They never block.
fn add_diagnostics(answer: &mut Value, before: &Files) {
    let of = |files: Value| {
        let mut report = holdpoint_facade::call("bundle.check", json!({"kind": KIND, "files": files}));
        report["diagnostics"].as_array_mut().map(std::mem::take).unwrap_or_default()
    };
    let mut had: BTreeMap<String, usize> = BTreeMap::new();
    for finding in of(json!(before)) {
        *had.entry(identity(&finding)).or_default() += 1;
    }
    let mut found = of(answer["after_virtual_files"].clone());
    for finding in &mut found {
        match had.get_mut(&identity(finding)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => finding["new"] = json!(true),
        }
    }
    answer["diagnostics"] = json!(found);
}

/// A finding moves when text before it changes, so its place is not part of what it is.
fn identity(finding: &Value) -> String {
    let mut parts = members(finding);
    parts.retain(|name, _| ["code", "path", "pointer", "message"].contains(&name.as_str()));
    Value::Object(parts).to_string()
}
