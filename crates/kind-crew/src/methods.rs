//! What this kind answers as methods: the check of a change set (spec: crew-package.md §9).
//!
//! Reads inputs and writes outputs; what they mean is said in the other modules.

use holdpoint_check::method::{Group, input};
use holdpoint_check::{ApiError, args, read};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Options;
use super::dialect::check::{CheckInput, check};
use super::dialect::input::{BuilderSession, NO_CHANGE_SET, Revisions, bounded, snapshot};
use super::dialect::view::View;
use super::{compare, paths, search};

/// The methods of this file.
pub const METHODS: Group = &[
    ("changeset.check", changeset_check),
    ("crew.compare", compare::crew_compare),
    ("crew.paths", paths::crew_paths),
    ("crew.search", search::crew_search),
];

/// Members as they come; which of them is wrong first is told in an order of its own.
#[derive(Deserialize)]
struct Sent {
    #[serde(default)]
    snapshot: Option<Value>,
    #[serde(default)]
    session: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    change_set: Option<Value>,
    #[serde(default)]
    revision_base: Option<Value>,
    #[serde(default)]
    options: Option<Value>,
}

/// A member that is null is there.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

fn changeset_check(value: Value) -> Result<Value, ApiError> {
    let sent: Sent = input(value)?;
    for value in [&sent.snapshot, &sent.change_set].into_iter().flatten() {
        bounded(value)?;
    }
    let snapshot = snapshot(sent.snapshot)?;
    let session = BuilderSession::read(sent.session.as_ref())?;
    let change_set = sent.change_set.ok_or_else(|| ApiError::at("/change_set", &NO_CHANGE_SET, args! {}))?;
    let base: Option<Revisions> = member("/revision_base", sent.revision_base)?;
    let options: Options = member("/options", sent.options)?.unwrap_or_default();
    let checked = check(CheckInput {
        before: View::of(&snapshot),
        revisions: snapshot.revisions,
        session: &session,
        change_set: &change_set,
        base,
        endings: options.endings(),
        limits: options.limits(),
        is_inverse: false,
    })?;
    Ok(json!(checked.verdict))
}

fn member<T: serde::de::DeserializeOwned>(pointer: &str, value: Option<Value>) -> Result<Option<T>, ApiError> {
    let found = value.filter(|value| !value.is_null()).map(read::read).transpose();
    found.map_err(|found| read::Misread { pointer: format!("{pointer}{}", found.pointer), ..found }.into())
}

#[cfg(feature = "schema")]
pub mod reference;
