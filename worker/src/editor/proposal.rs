//! Preview and apply: what a proposal would change, and the gate before it does (spec: script-tool.md §6, DESIGN §3).
//!
//! Owns no rule of texts: `text` previews and applies, the kind checks. Invariants: the base of an apply is the stored
//! head; what is stale answers 409 with a fresh preview of the stored texts and changes nothing; no route takes a result
//! text.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_author::editor::{files, within_limits};
use holdpoint_check::Diagnostic;
use holdpoint_check::read::{Misread, read};
use holdpoint_kinds::script_tool::{self, VirtualFile};
use holdpoint_store::Files;
use holdpoint_text::{Accept, ApplyInput, Preview, PreviewInput, RawPreview, TextError, Tokens, Verdict};
use serde_json::{Value, json};

use super::reply::members;
use crate::answer::Fault;

/// The tokens that an apply must name.
const TOKENS: [&str; 4] = ["base_revision_id", "base_hash", "patch_id", "result_hash"];
/// Members of a body that are the engine's.
pub const ENGINE: [&str; 6] = ["ops", "active_file", "selection", "cursor", "options", "accept"];

/// What a proposal would change in the texts as sent.
pub fn preview(body: &Value) -> Result<Value, Fault> {
    let files = sent(body)?;
    Ok(shown(&Proposal::read(body, &files)?.preview()?, &files))
}

/// A body's ops on some texts, and the hunks of them that are accepted.
struct Proposal {
    input: PreviewInput,
    accept: Option<Accept>,
}

impl Proposal {
    fn read(body: &Value, files: &Files) -> Result<Self, Fault> {
        let mut members = json!({ "files": {} });
        for name in ENGINE {
            if !body[name].is_null() {
                members[name] = body[name].clone();
            }
        }
        let mut raw: RawPreview = read(members)?;
        raw.files.clone_from(files);
        let accept = raw.accept.take();
        Ok(Self { input: raw.resolve()?, accept })
    }

    fn preview(&self) -> Result<Preview, TextError> {
        match &self.accept {
            Some(accept) => holdpoint_text::preview_accepted(&self.input, accept),
            None => Ok(holdpoint_text::preview(&self.input)),
        }
    }
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
    let proposal = Proposal::read(body, stored)?;
    let tokens: Tokens = read(json!({
        "base_hash": body["base_hash"], "patch_id": body["patch_id"], "result_hash": body["result_hash"],
        "confirm_token": body["confirm_token"],
    }))?;
    if moved || !known(body["base_revision_id"].as_str().unwrap_or_default())? {
        let fresh = match proposal.preview() {
            // Places of another base: the fresh preview shows all of them.
            Err(TextError::UnknownHunk { .. }) if moved => holdpoint_text::preview(&proposal.input),
            fresh => fresh?,
        };
        let message = "A file changed since the preview. Look at the fresh preview, then apply again.";
        let fault = Fault::new(409, "CONFLICT", message).with("reason", "base_changed".into());
        return Err(fault.with("preview", shown(&fresh, stored)));
    }
    let Proposal { input, accept } = proposal;
    let partial = accept.is_some();
    let applied = holdpoint_text::apply(&ApplyInput { preview: input, accept, tokens }).map_err(|error| {
        let fault = Fault::from(&error);
        match &error {
            TextError::Conflict { preview, .. } | TextError::ConfirmationRequired { preview } => {
                fault.with("preview", shown(preview, stored))
            }
            _ => fault,
        }
    })?;
    let (preview, meta) = (&applied.preview, &applied.preview.meta);
    let mut answer = shown(preview, stored);
    answer["applied"] = json!(applied.applied);
    let mut proposal = json!({
        "base_hash": meta.base_hash, "patch_id": meta.patch_id, "result_hash": meta.result_hash,
        "verdict": preview.verdict, "tags": meta.normalizations_applied, "reasons": meta.reasons,
        "fuzz_level_used": meta.fuzz_level_used, "max_offset": meta.max_offset,
        "engine_version": meta.engine_version, "partial": partial,
    });
    if preview.verdict == Verdict::Confirm {
        proposal["confirmed_by"] = json!(actor);
    }
    Ok(Applied { answer, files: applied.applied.then(|| changed(preview)), proposal })
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

/// A preview as it is answered: with what the check finds in the files after.
fn shown(preview: &Preview, before: &Files) -> Value {
    let mut answer = json!(preview);
    answer["diagnostics"] = json!(findings(before, &preview.after_virtual_files));
    answer
}

/// The changed files of a preview, whole.
fn changed(preview: &Preview) -> Files {
    let paths = preview.changed_files.iter().filter(|path| VirtualFile::parse(path).is_some());
    paths.filter_map(|path| Some((path.clone(), preview.after_virtual_files.get(path)?.clone()))).collect()
}

/// Findings of the files after; those that the files before did not have are marked. They never block.
fn findings(before: &Files, after: &Files) -> Vec<Value> {
    let of = |files: &Files| {
        let report = script_tool::check(files, |text| Some(holdpoint_python::facts(text)));
        report.map(|report| report.diagnostics).unwrap_or_default()
    };
    let mut had: BTreeMap<_, usize> = BTreeMap::new();
    for finding in of(before) {
        *had.entry(identity(&finding)).or_default() += 1;
    }
    let marked = |finding: Diagnostic| {
        let mut told = json!(finding);
        match had.get_mut(&identity(&finding)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => told["new"] = json!(true),
        }
        told
    };
    of(after).into_iter().map(marked).collect()
}

/// A finding moves when text before it changes, so its place is not part of what it is.
fn identity(finding: &Diagnostic) -> (String, Option<String>, Option<String>, String) {
    (finding.code.to_string(), finding.path.clone(), finding.pointer.clone(), finding.message.clone())
}

impl From<&TextError> for Fault {
    fn from(error: &TextError) -> Self {
        let status = match error {
            TextError::Conflict { .. } | TextError::ConfirmationRequired { .. } => 409,
            TextError::TooLarge { .. } => 413,
            TextError::InvalidInput { .. } | TextError::UnknownHunk { .. } => 422,
        };
        Self { details: members(&json!(error.details())), ..Self::new(status, error.code(), error.to_string()) }
    }
}

impl From<TextError> for Fault {
    fn from(error: TextError) -> Self {
        Self::from(&error)
    }
}

impl From<Misread> for Fault {
    fn from(Misread { pointer, cause }: Misread) -> Self {
        Self::new(422, "INVALID_INPUT", format!("Correct the input: {cause}.")).with("pointer", pointer.into())
    }
}
