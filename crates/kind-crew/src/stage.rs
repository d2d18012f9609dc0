//! A change set on the files of a package: checked in its session, and what it would leave (spec: crew-package.md §10.1).
//!
//! Invariants: the tokens are the set hash over the files of `changed`, as they were and as they will be; what a
//! write asks for staleness are the files that it writes; what must be confirmed needs a token that was issued for it.

use std::collections::BTreeSet;

use holdpoint_bundle::{Files, content_hash, text_hash};
use holdpoint_change::{Base, Confirm, Facts, Staged, Tokens, Unit};
use holdpoint_check::ApiError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Options;
use super::dialect::check::{CheckInput, Checked, check};
use super::dialect::input::{BuilderSession, Revisions, bounded};
use super::dialect::inverse::Inverse;
use super::dialect::meta::ChangedRow;
use super::dialect::package::Package;

/// A change set and the session that it comes from.
#[derive(Debug, Clone, Deserialize)]
pub struct Proposal {
    pub session: Value,
    pub change_set: Value,
    /// The counters of the package.
    #[serde(default)]
    pub revisions: Revisions,
    /// The counters that the sender saw.
    #[serde(default)]
    pub revision_base: Option<Revisions>,
    /// Endings and limits of assets.
    #[serde(default)]
    pub options: Options,
    /// It takes another set back.
    #[serde(default)]
    pub is_inverse: bool,
}

/// Stages a change set. One that is not valid is staged too: it has a verdict, and leaves no files.
pub(super) fn stage(base: Base, wire: &Proposal) -> Result<Staged, ApiError> {
    bounded(&wire.change_set)?;
    let session = BuilderSession::read(Some(&wire.session))?;
    let files = base.files.clone().unwrap_or_default();
    let package = Package::open(&files)?;
    let checked = check(CheckInput {
        before: package.view.clone(),
        revisions: wire.revisions,
        session: &session,
        change_set: &wire.change_set,
        base: wire.revision_base,
        endings: wire.options.endings(),
        limits: wire.options.limits(),
        is_inverse: wire.is_inverse,
    })?;
    Ok(staged(base, &package, &checked))
}

/// What a checked set would leave.
pub(super) fn staged(base: Base, package: &Package<'_>, checked: &Checked) -> Staged {
    let Checked { verdict, before, after, .. } = checked;
    let rows = &verdict.meta.changed;
    let files = base.files.clone().unwrap_or_default();
    let left = verdict.valid.then(|| package.with(after));
    let inverse = left.as_ref().map(|left| json!(Inverse::of(rows, (before, after), (&files, left))));
    let (base_hash, result_hash) = tokens(rows);
    Staged {
        units: left.as_ref().map_or_else(Vec::new, |left| units(&files, left)),
        tokens: Tokens { base: Some(base_hash), patch: None, result: Some(result_hash) },
        confirm: if verdict.meta.confirm.is_empty() { Confirm::None } else { Confirm::Issued },
        reasons: verdict.meta.confirm.iter().map(|reason| (*reason).to_owned()).collect(),
        facts: Facts(json!({ "bumps": verdict.meta.bumps })),
        shown: json!(verdict),
        after: left,
        inverse,
        typed: None,
        base,
    }
}

/// The set hashes over the files of a set, as they were and as they will be; absent ones are left out.
pub(super) fn tokens(rows: &[ChangedRow]) -> (String, String) {
    let set = |text: fn(&ChangedRow) -> &Option<String>| -> Files {
        rows.iter().filter_map(|row| Some((row.file.clone(), text(row).clone()?))).collect()
    };
    (content_hash(&set(|row| &row.texts.0)), content_hash(&set(|row| &row.texts.1)))
}

/// The files that a change writes.
pub(super) fn units(before: &Files, after: &Files) -> Vec<Unit> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let hash = |files: &Files, path: &str| files.get(path).map(|text| text_hash(text));
    let unit = |path: &String| Unit { key: path.clone(), before: hash(before, path), after: hash(after, path) };
    paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).map(unit).collect()
}
