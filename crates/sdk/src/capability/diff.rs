//! What changes for the user between two lists of capabilities (spec: ifc-extension.md §3.3).
//!
//! Invariant: consent is needed exactly when some next capability is covered by no previous one.

use std::collections::BTreeMap;

use holdpoint_check::Sentence;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Capability, Risk, covering, overall};

/// A capability that became narrower or wider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CapabilityChange {
    pub from: String,
    pub to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    None,
    Click,
    /// Something red was added: the id is typed.
    Type,
}

/// An added capability as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Consent {
    pub capability: String,
    pub risk: Risk,
    pub sentence: String,
    /// What the sentence is said from in other languages; its code is `PERMISSION`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
}

/// The answer of `capability.diff`; every list in byte order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CapabilityDiff {
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub kept: Vec<String>,
    pub narrowed: Vec<CapabilityChange>,
    pub widened: Vec<CapabilityChange>,
    pub requires_consent: bool,
    pub confirmation: Confirmation,
    pub risk_before: Risk,
    pub risk_after: Risk,
    pub consent: Vec<Consent>,
}

/// Compares two lists; doubles and order do not matter.
pub fn diff(previous: &[Capability], next: &[Capability]) -> CapabilityDiff {
    let by_form = |list: &'_ [Capability]| -> BTreeMap<String, Capability> {
        list.iter().map(|capability| (capability.canonical().to_owned(), capability.clone())).collect()
    };
    let (before, after) = (by_form(previous), by_form(next));
    let mut narrowed = Vec::new();
    let mut added: Vec<&Capability> = Vec::new();
    for (form, capability) in after.iter().filter(|(form, _)| !before.contains_key(*form)) {
        match covering(before.values(), capability) {
            Some(from) => narrowed.push(CapabilityChange { from: from.canonical().to_owned(), to: form.clone() }),
            None => added.push(capability),
        }
    }
    let gone: Vec<&Capability> = before.values().filter(|old| !after.contains_key(old.canonical())).collect();
    let mut widened: Vec<CapabilityChange> = Vec::new();
    for to in &added {
        for from in gone.iter().filter(|from| to.covers(from)) {
            widened.push(CapabilityChange { from: from.canonical().to_owned(), to: to.canonical().to_owned() });
        }
    }
    for list in [&mut narrowed, &mut widened] {
        list.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
    }
    let removed = gone.iter().filter(|old| covering(after.values(), old).is_none());
    let confirmation = match added.iter().map(|capability| capability.risk()).max() {
        None => Confirmation::None,
        Some(Risk::Red) => Confirmation::Type,
        Some(_) => Confirmation::Click,
    };
    CapabilityDiff {
        removed: removed.map(|capability| capability.canonical().to_owned()).collect(),
        kept: before.keys().filter(|form| after.contains_key(*form)).cloned().collect(),
        narrowed,
        widened,
        requires_consent: !added.is_empty(),
        confirmation,
        risk_before: overall(before.values()),
        risk_after: overall(after.values()),
        consent: added
            .iter()
            .map(|capability| {
                let Sentence { message: sentence, args, .. } = capability.said();
                Consent { capability: capability.canonical().to_owned(), risk: capability.risk(), sentence, args }
            })
            .collect(),
        added: added.iter().map(|capability| capability.canonical().to_owned()).collect(),
    }
}
