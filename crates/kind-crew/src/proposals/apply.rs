//! Applying a validated set (spec: crew-package.md §10.1 steps 2 to 6; the host loads before and writes behind it).
//!
//! Invariants: what is written is what was shown, or nothing is; a set that moved is judged again and shown again.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_bundle::{Files, text_hash};
use holdpoint_change::{Preview, Staged};
use holdpoint_check::{ApiError, Report, args};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::check::still_bounded;
use super::super::dialect::input::{BuilderSession, Revisions};
use super::super::dialect::inverse::Inverse;
use super::super::dialect::package::Package;
use super::super::facts;
use super::super::hand::manifest::settled;
use super::super::policy::MANIFEST;
use super::super::stage::staged;
use super::codes::NOT_BY_HAND;
use super::effective::Baseline;
use super::judge::{Judgement, judge};
use super::record::{Issued, Record, Undo};

/// The one source of an apply.
pub const SOURCE: &str = "ui_manual_apply";

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplyBody {
    pub change_set_id: Option<String>,
    #[serde(default)]
    pub confirm_source: Value,
    pub revision_base: Option<Revisions>,
    pub preview: Option<SeenPreview>,
    pub confirm_token: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenPreview {
    pub base_hash: String,
    pub result_hash: String,
}

/// What becomes of an apply.
#[derive(Debug)]
pub enum Applying {
    /// It can be signed and written.
    Ready(Box<Ready>),
    /// The package moved: the set holds there too, and is to be looked at again. Objects that moved.
    Stale(Box<Judgement>, Vec<String>),
    /// The set does not hold.
    Invalid(Box<Judgement>),
}

/// What is signed and written.
#[derive(Debug)]
pub struct Ready {
    /// The verdict of the second check; its warnings go into the answer.
    pub judged: Judgement,
    pub preview: Preview,
    pub undo: Undo,
    /// The facts of the revision.
    pub facts: facts::PackageFacts,
}

pub fn wants_confirmation(body: &ApplyBody) -> Option<ApiError> {
    let named = body.confirm_source.as_str() == Some(SOURCE);
    (!named).then(|| ApiError::of(&NOT_BY_HAND, args! { wanted: SOURCE }).status(400))
}

/// Steps 3, 5 and 6. `name` is the id of the set, `issued` what its validation showed.
pub fn apply(
    head: &Baseline,
    session: &BuilderSession,
    (name, record): (&str, &Record),
    issued: &Issued,
    body: &ApplyBody,
) -> Result<Applying, ApiError> {
    let judged = judge(head, session, record, body.revision_base)?;
    let moved = moved(issued, &judged);
    let seen = body.preview.as_ref();
    let other = seen.is_some_and(|seen| seen.base_hash != issued.base_hash || seen.result_hash != issued.result_hash);
    if !judged.valid() {
        return Ok(Applying::Invalid(Box::new(judged)));
    }
    if !moved.is_empty() || other || judged.issued.result_hash != issued.result_hash {
        return Ok(Applying::Stale(Box::new(judged), moved));
    }
    let package = Package::open(&head.files)?;
    let mut staged: Staged = staged(head.base(), &package, &judged.checked);
    if let (Some(after), Some(undoes)) = (&mut staged.after, &record.undoes) {
        give_back(&head.files, after, undoes);
    }
    if let Some(after) = staged.after.as_mut().filter(|_| !head.files.contains_key(MANIFEST)) {
        // The first workflow brings the manifest, which has the project's name.
        *after = settled(after, &head.facts.name).0;
    }
    let after = staged.after.clone().unwrap_or_default();
    still_bounded(&head.files, &after)?;
    let facts = facts::after(&head.files, &after, &head.facts);
    staged.units = super::super::stage::units(&head.files, &after);
    staged.facts = holdpoint_change::Facts(json!(facts));
    staged.tokens.patch = Some(name.to_owned());
    let (before, rows) = (&judged.checked.before, &judged.checked.verdict.meta.changed);
    let inverse = Inverse::of(rows, (before, &judged.checked.after), (&head.files, &after));
    let left = inverse.files.keys().map(|path| (path.clone(), after.get(path).map(|text| text_hash(text))));
    let undo = Undo { left: left.collect(), inverse };
    let preview = Preview { staged, report: Report::new(Vec::new(), Value::Null) };
    Ok(Applying::Ready(Box::new(Ready { judged, preview, undo, facts })))
}

/// Objects that are not, now, as the validation found them.
fn moved(issued: &Issued, judged: &Judgement) -> Vec<String> {
    let rows = &judged.checked.verdict.meta.changed;
    let now: BTreeMap<(&str, &str), Option<&String>> =
        rows.iter().map(|row| ((row.object.as_str(), row.file.as_str()), row.base_hash.as_ref())).collect();
    let then: BTreeMap<(&str, &str), Option<&String>> =
        issued.rows.iter().map(|(object, file, hash)| ((object.as_str(), file.as_str()), hash.as_ref())).collect();
    let keys: BTreeSet<&(&str, &str)> = now.keys().chain(then.keys()).collect();
    let differ = keys.into_iter().filter(|key| now.get(*key) != then.get(*key));
    let objects: BTreeSet<&str> = differ.map(|(object, _)| *object).collect();
    objects.into_iter().map(str::to_owned).collect()
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
