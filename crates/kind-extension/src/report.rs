//! The answer of a check (spec: ifc-extension.md §7).

use std::collections::BTreeMap;

use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, order};
use holdpoint_js::EntryFunction;
use holdpoint_sdk::capability::{Capability, Risk, Segment, TargetKind, overall};
use serde::Serialize;
use serde_json::{Map, Value};

use super::code::EntryModule;
use super::limits::MAX_DIAGNOSTICS;
use super::manifest::check::declared;
use super::rules::capabilities::Needed;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BundleCheck {
    pub ok: bool,
    /// Sorted by path, position, code.
    pub diagnostics: Vec<Diagnostic>,
    /// What the check answers beside its findings.
    #[serde(flatten)]
    pub more: BundleFacts,
    /// Whether the manifest itself has no error, so that later stages may look at it.
    #[serde(skip)]
    pub manifest_holds: bool,
    /// Who needs what of `capabilities`, once the manifest holds.
    #[serde(skip)]
    pub needs: Vec<Needed>,
    /// The entry functions that were found; `None` where a module has none.
    #[serde(skip)]
    pub entries: BTreeMap<EntryModule, Option<EntryFunction>>,
}

/// What the check answers beside its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BundleFacts {
    /// The manifest as it stands; null when there is none or it is no JSON.
    #[cfg_attr(feature = "ts", ts(as = "Option<super::Manifest>"))]
    pub manifest: Option<Value>,
    /// Declared capabilities that parse, in declared order.
    pub capabilities: Vec<Declared>,
    /// The highest tier of the declared capabilities.
    pub overall_risk: Risk,
    /// Counts and lists for people.
    pub summary: BundleSummary,
}

/// A declared capability as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "DeclaredCapability"))]
pub struct Declared {
    pub capability: String,
    pub risk: Risk,
    pub sentence: String,
    /// What the sentence is said from in other languages; its code is `PERMISSION`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>", optional))]
    pub args: Map<String, Value>,
    pub pointer: String,
}

/// Counts and lists for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BundleSummary {
    pub contributions: BTreeMap<String, usize>,
    pub tests: usize,
    pub files: usize,
    /// It counts the bytes of all files.
    pub bytes: usize,
    /// Hosts that the extension may talk to.
    pub hosts: Vec<String>,
    /// Formats that it may save; `*` is any.
    pub formats: Vec<String>,
}

impl BundleCheck {
    pub(super) fn new(
        files: &Files,
        mut diagnostics: Vec<Diagnostic>,
        manifest: Option<Value>,
        manifest_holds: bool,
        entries: BTreeMap<EntryModule, Option<EntryFunction>>,
    ) -> Self {
        let parsed = manifest.as_ref().map(declared).unwrap_or_default();
        let ok = !diagnostics.iter().any(Diagnostic::is_error);
        order::arrange(&mut diagnostics, MAX_DIAGNOSTICS);
        let of = |(index, capability): (usize, Capability)| {
            let (pointer, said) = (format!("/capabilities/{index}"), capability.said());
            let (capability, risk) = (capability.canonical().to_owned(), capability.risk());
            Declared { capability, risk, sentence: said.message, args: said.args, pointer }
        };
        let more = BundleFacts {
            overall_risk: overall(parsed.iter().map(|(_, capability)| capability)),
            summary: BundleSummary::of(files, manifest.as_ref(), &parsed),
            capabilities: parsed.into_iter().map(of).collect(),
            manifest,
        };
        Self { ok, diagnostics, more, manifest_holds, needs: Vec::new(), entries }
    }
}

impl BundleSummary {
    fn of(files: &Files, manifest: Option<&Value>, capabilities: &[(usize, Capability)]) -> Self {
        let contributes = manifest.and_then(|manifest| manifest.get("contributes")).and_then(Value::as_object);
        let list = |kind: TargetKind| -> Vec<String> {
            let targets = capabilities.iter().filter_map(|(_, capability)| capability.target());
            let mut texts: Vec<String> = targets
                .filter(|target| target.kind == kind)
                .map(|target| match target.segments.first() {
                    Some(Segment::Literal(text)) => text.clone(),
                    _ => "*".to_owned(),
                })
                .collect();
            texts.sort();
            texts.dedup();
            texts
        };
        Self {
            contributions: contributes
                .into_iter()
                .flatten()
                .filter_map(|(kind, items)| Some((kind.clone(), items.as_array()?.len())))
                .collect(),
            tests: manifest.and_then(|manifest| manifest.get("tests")).and_then(Value::as_array).map_or(0, Vec::len),
            files: files.len(),
            bytes: files.values().map(String::len).sum(),
            hosts: list(TargetKind::Host),
            formats: list(TargetKind::Format),
        }
    }
}
