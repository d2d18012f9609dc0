//! What an apply says, and which objects moved since its set was validated (spec: crew-package.md §10.1 steps 2 and 3).

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::{ApiError, args};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::dialect::input::Revisions;
use super::codes::NOT_BY_HAND;
use super::judge::Judgement;
use super::record::Issued;

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

/// The hashes of a preview that somebody saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenPreview {
    pub base_hash: String,
    pub result_hash: String,
}

pub fn wants_confirmation(body: &ApplyBody) -> Option<ApiError> {
    let named = body.confirm_source.as_str() == Some(SOURCE);
    (!named).then(|| ApiError::of(&NOT_BY_HAND, args! { wanted: SOURCE }).status(400))
}

/// Objects that are not, now, as the validation found them.
pub fn moved(issued: &Issued, judged: &Judgement) -> Vec<String> {
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
