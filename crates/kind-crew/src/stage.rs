//! A change set on the files of a package: judged in its session, and what it would leave (spec: crew-package.md §10.1).
//!
//! Invariants: the tokens are the set hash over the files of `changed`, as they were and as they will be, and a
//! hash of the set and each object as it was found; what a write asks for staleness are the files that it writes; what must be confirmed needs a token that was
//! issued for it; an error that the package did not have before blocks, unless it had no manifest yet, or a set is taken
//! back.

use std::collections::BTreeSet;

use holdpoint_bundle::{Files, content_hash, text_hash};
use holdpoint_change::{Base, Confirm, Facts, Preview, Staged, Tokens, Unit};
use holdpoint_check::{ApiError, Diagnostic, Report};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Options;
use super::check::{check, still_bounded};
use super::dialect::check::Checked;
use super::dialect::input::{BuilderSession, Revisions};
use super::dialect::inverse::Inverse;
use super::dialect::meta::ChangedRow;
use super::dialect::package::Package;
use super::facts;
use super::hand::manifest::settled;
use super::policy::MANIFEST;
use super::proposals::{Baseline, Record, Undo, judge};

/// A change set of a session, as it is stored, and what its apply names beside it.
#[derive(Debug, Clone, Deserialize)]
pub struct SetRequest {
    /// The id of the set, which names the change.
    pub name: String,
    pub session: BuilderSession,
    pub record: Record,
    /// The counters that the sender saw, where they are compared.
    #[serde(default)]
    pub revisions: Option<Revisions>,
    /// Endings and limits of assets.
    #[serde(default)]
    pub options: Options,
}

/// What is read back of the change that a preview shows.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ShownSet {
    pub warnings: Vec<Value>,
    pub meta: ShownMeta,
    pub normalized: Option<ShownNormal>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ShownMeta {
    pub changed: Vec<Value>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ShownNormal {
    pub impact: ShownImpact,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ShownImpact {
    pub objects: Vec<String>,
}

/// Stages a set. One that does not hold is staged too: it has a verdict, and leaves no files.
pub(super) fn stage(base: Base, request: &SetRequest) -> Result<Staged, ApiError> {
    let files = base.files.clone().unwrap_or_default();
    let package = Package::open(&files)?;
    let head = Baseline::opened(&base, package.view.clone(), request.options.clone());
    let judged = judge(&head, &request.session, &request.record, request.revisions)?;
    let mut staged = staged(base, &package, &judged.checked);
    staged.tokens.patch = Some(judged.issued.patch(&request.name));
    let Some(mut after) = staged.after.take() else { return Ok(staged) };
    if let Some(undoes) = &request.record.undoes {
        give_back(&files, &mut after, undoes);
    }
    if !files.contains_key(MANIFEST) {
        // The first workflow brings the manifest, which has the project's name.
        after = settled(&after, &head.facts.name).0;
    }
    still_bounded(&files, &after)?;
    let (before, rows) = (&judged.checked.before, &judged.checked.verdict.meta.changed);
    let inverse = Inverse::of(rows, (before, &judged.checked.after), (&files, &after));
    let left = inverse.files.keys().map(|path| (path.clone(), after.get(path).map(|text| text_hash(text))));
    staged.inverse = Some(json!(Undo { left: left.collect(), inverse }));
    staged.facts = Facts(json!(facts::after(&files, &after, &head.facts)));
    staged.units = units(&files, &after);
    staged.after = Some(after);
    Ok(staged)
}

/// What a checked set would leave.
pub(super) fn staged(base: Base, package: &Package<'_>, checked: &Checked) -> Staged {
    let Checked { verdict, after, .. } = checked;
    let (base_hash, result_hash) = tokens(&verdict.meta.changed);
    Staged {
        tokens: Tokens { base: Some(base_hash), patch: None, result: Some(result_hash) },
        confirm: if verdict.meta.confirm.is_empty() { Confirm::None } else { Confirm::Issued },
        reasons: verdict.meta.confirm.iter().map(|reason| (*reason).to_owned()).collect(),
        shown: json!(verdict),
        after: verdict.valid.then(|| package.with(after)),
        base,
        ..Staged::default()
    }
}

/// The staged set with the findings of the files after it. Errors that the files before had too do not count.
pub(super) fn preview(staged: Staged, request: &SetRequest) -> Result<Preview, ApiError> {
    let Some(after) = &staged.after else {
        return Ok(Preview { report: Report { ok: false, diagnostics: Vec::new(), more: Value::Null }, staged });
    };
    let mut report = check(after, &request.options)?;
    if !report.ok {
        let had = check(&staged.base.files.clone().unwrap_or_default(), &request.options)?;
        let had: BTreeSet<_> = had.diagnostics.iter().map(identity).collect();
        for finding in &mut report.diagnostics {
            finding.new = !had.contains(&identity(finding));
        }
    }
    let has_manifest = staged.base.files.as_ref().is_some_and(|files| files.contains_key(MANIFEST));
    let is_bound = has_manifest && request.record.undoes.is_none();
    let ok = !report.diagnostics.iter().any(|finding| is_bound && finding.new && finding.is_error());
    Ok(Preview { staged, report: Report { ok, diagnostics: report.diagnostics, more: json!(report.more) } })
}

/// A finding moves when text before it changes, so its place in the text is not part of what it is.
fn identity(finding: &Diagnostic) -> (String, Option<String>, Option<String>, String) {
    (finding.code.to_string(), finding.path.clone(), finding.pointer.clone(), finding.message.clone())
}

/// The set hashes over the files of a set, as they were and as they will be; absent ones are left out.
pub(super) fn tokens(rows: &[ChangedRow]) -> (String, String) {
    let set = |text: fn(&ChangedRow) -> &Option<String>| -> Files {
        rows.iter().filter_map(|row| Some((row.file.clone(), text(row).clone()?))).collect()
    };
    (content_hash(&set(|row| &row.texts.0)), content_hash(&set(|row| &row.texts.1)))
}

/// The files that a change writes.
fn units(before: &Files, after: &Files) -> Vec<Unit> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let hash = |files: &Files, path: &str| files.get(path).map(|text| text_hash(text));
    let unit = |path: &String| Unit { key: path.clone(), before: hash(before, path), after: hash(after, path) };
    paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).map(unit).collect()
}

/// Where nothing came between a change and its undo, every byte comes back; else each file whose value is the old one
/// gets its old text.
fn give_back(stored: &Files, after: &mut Files, undoes: &Undo) {
    let untouched = undoes.left.iter().all(|(path, hash)| stored.get(path).map(|text| text_hash(text)) == *hash);
    if untouched {
        undoes.inverse.restore(after);
        return;
    }
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    for (path, old) in &undoes.inverse.files {
        let (Some(old), Some(now)) = (old, after.get_mut(path)) else { continue };
        if path.ends_with(".json") && value(old).is_some_and(|old| value(now) == Some(old)) {
            now.clone_from(old);
        }
    }
}
