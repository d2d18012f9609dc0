//! A change set on the files of a package: checked in its session, and what it would leave (spec: crew-package.md §10.1).
//!
//! Invariants: the tokens are the set hash over the files of `changed`, as they were and as they will be; staleness is
//! asked of those files only; what must be confirmed needs a token that was issued for it.

use holdpoint_bundle::{Files, content_hash};
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
    /// `{target_type, target_id, mode, workflow_id}`.
    pub session: Value,
    /// Whatever was sent.
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
    let Checked { verdict, before, after } = check(CheckInput {
        before: package.view.clone(),
        revisions: wire.revisions,
        session: &session,
        change_set: &wire.change_set,
        base: wire.revision_base,
        endings: wire.options.endings(),
        limits: wire.options.limits(),
        is_inverse: wire.is_inverse,
    })?;
    let rows = &verdict.meta.changed;
    let set = |text: fn(&ChangedRow) -> &Option<String>| -> Files {
        rows.iter().filter_map(|row| Some((row.file.clone(), text(row).clone()?))).collect()
    };
    let unit = |row: &ChangedRow| Unit {
        key: row.file.clone(),
        before: row.base_hash.clone(),
        after: row.result_hash.clone(),
    };
    let left = verdict.valid.then(|| package.with(&after));
    let inverse = left.as_ref().map(|left| json!(Inverse::of(rows, (&before, &after), (&files, left))));
    Ok(Staged {
        units: rows.iter().map(unit).collect(),
        tokens: Tokens {
            base: Some(content_hash(&set(|row| &row.texts.0))),
            patch: None,
            result: Some(content_hash(&set(|row| &row.texts.1))),
        },
        confirm: if verdict.meta.confirm.is_empty() { Confirm::None } else { Confirm::Issued },
        reasons: verdict.meta.confirm.iter().map(|reason| (*reason).to_owned()).collect(),
        facts: Facts(json!({ "bumps": verdict.meta.bumps })),
        shown: json!(verdict),
        after: left,
        inverse,
        typed: None,
        base,
    })
}
