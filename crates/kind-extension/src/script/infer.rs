//! `capability.infer`: the smallest list of capabilities that a script needs, and what could not be seen.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::{Diagnostic, Range};
use holdpoint_sdk::capability::{Capability, Risk};
use serde::Serialize;
use serde_json::{Map, Value};

use super::frame;
use crate::code::{Analysis, SdkUse};
use crate::rules::capabilities::is_complete;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Inferred {
    pub ok: bool,
    /// Canonical, in byte order, none that another one covers.
    pub capabilities: Vec<InferredCapability>,
    /// In source order, a row for each needed capability.
    pub calls: Vec<InferredCall>,
    /// Members that the SDK does not have.
    pub unknown: Vec<String>,
    /// Whether nothing else can be needed: no error, and the SDK was followed everywhere.
    pub complete: bool,
    /// Positions are those of the script.
    pub diagnostics: Vec<Diagnostic>,
}

/// A capability as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InferredCapability {
    pub capability: String,
    pub risk: Risk,
    pub sentence: String,
    /// What the sentence is said from in other languages; its code is `PERMISSION`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
}

/// One use of the SDK.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct InferredCall {
    /// It is one of `bim.query.all`, `ctx.storage.get`.
    pub call: String,
    /// Null where the call needs none.
    pub capability: Option<String>,
    /// Whether a part of `capability` stands for a value that is known only when the script runs.
    pub dynamic: bool,
    pub range: Range,
}

pub fn infer(source: &str) -> Inferred {
    let analysis = frame::analyse(source);
    let ok = !analysis.diagnostics.iter().any(Diagnostic::is_error);
    let complete = ok && is_complete(&analysis);
    let mut seen = BTreeSet::new();
    let Analysis { diagnostics, mut unknown, needs, .. } = analysis;
    unknown.retain(|name| seen.insert(name.clone()));
    Inferred {
        ok,
        capabilities: smallest(&needs).into_iter().map(InferredCapability::of).collect(),
        calls: needs.into_iter().map(InferredCall::of).collect(),
        unknown,
        complete,
        diagnostics,
    }
}

/// The capabilities that no other one covers, by canonical form.
fn smallest(needs: &[SdkUse]) -> Vec<&Capability> {
    let needed = needs.iter().filter_map(|need| need.capability.as_ref());
    let each: BTreeMap<&str, &Capability> = needed.map(|it| (it.canonical(), it)).collect();
    let covered =
        |wanted: &Capability| each.values().any(|it| it.canonical() != wanted.canonical() && it.covers(wanted));
    each.values().copied().filter(|wanted| !covered(wanted)).collect()
}

impl InferredCapability {
    fn of(capability: &Capability) -> Self {
        let said = capability.said();
        Self {
            capability: capability.canonical().to_owned(),
            risk: capability.risk(),
            sentence: said.message,
            args: said.args,
        }
    }
}

impl InferredCall {
    fn of(need: SdkUse) -> Self {
        let SdkUse { range, call, capability, dynamic, .. } = need;
        Self { call, capability: capability.map(|it| it.canonical().to_owned()), dynamic, range }
    }
}
