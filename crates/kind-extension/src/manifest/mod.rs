//! The manifest (spec: ifc-extension.md §2).
//!
//! Raw JSON becomes a [`Manifest`] here, once, after the schema held; everything downstream holds the type.

pub(super) mod check;
pub mod event;
pub(super) mod syntax;

pub use syntax::{broken_when, capability_fault, unknown_keys};

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub id: String,
    pub name: String,
    pub description: String,
    pub version: String,
    pub engines: Engines,
    pub capabilities: Vec<String>,
    pub activation: Vec<String>,
    pub entry: EntryModules,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub contributes: Contributes,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub tests: Vec<Test>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub l10n: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestEngines"))]
#[serde(rename_all = "camelCase")]
pub struct Engines {
    pub ifc_lite_sdk: String,
}

/// Which module is called for what.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestEntry"))]
pub struct EntryModules {
    pub activate: Option<String>,
    pub deactivate: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub commands: BTreeMap<String, String>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub triggers: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestContributions"))]
#[serde(rename_all = "camelCase", default)]
pub struct Contributes {
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub commands: Vec<Command>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub toolbar: Vec<Placed>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub dock: Vec<Dock>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub context_menu: Vec<Placed>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub keybindings: Vec<Keybinding>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub lenses: Vec<Lens>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub exporters: Vec<Exporter>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub ids_validators: Vec<IdsValidator>,
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub status_bar: Vec<StatusBar>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestCommand"))]
#[serde(rename_all = "camelCase")]
pub struct Command {
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub icon: Option<String>,
    pub palette_category: Option<String>,
}

/// A command in the toolbar or a context menu.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestPlaced"))]
pub struct Placed {
    pub command: String,
    pub slot: String,
    pub when: Option<String>,
    pub order: Option<i64>,
    pub group: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestDock"))]
#[serde(rename_all = "camelCase")]
pub struct Dock {
    pub id: String,
    pub title: String,
    pub widget: String,
    pub slot: String,
    pub icon: Option<String>,
    pub when: Option<String>,
    /// The command whose result is the widget's state.
    pub data: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub refresh_on: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestKeybinding"))]
pub struct Keybinding {
    pub command: String,
    pub key: String,
    pub when: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestLens"))]
pub struct Lens {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    pub evaluator: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestExporter"))]
#[serde(rename_all = "camelCase")]
pub struct Exporter {
    pub id: String,
    pub name: String,
    pub mime_type: String,
    pub extension: String,
    pub handler: String,
}

impl Exporter {
    /// The format: the extension without its dot.
    pub fn format(&self) -> &str {
        self.extension.strip_prefix('.').unwrap_or(&self.extension)
    }
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestIdsValidator"))]
pub struct IdsValidator {
    pub id: String,
    pub name: String,
    pub handler: String,
}

/// A text in the status bar.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestStatusBar"))]
pub struct StatusBar {
    pub id: String,
    pub text: String,
    pub slot: String,
    pub command: Option<String>,
    pub when: Option<String>,
    pub order: Option<i64>,
}

/// A declarative test (ifc-sdk.md §5). Exactly one of the first five names what runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(optional_fields, rename = "ManifestTest"))]
#[serde(rename_all = "camelCase")]
pub struct Test {
    pub name: String,
    pub command: Option<String>,
    pub trigger: Option<String>,
    pub lens: Option<String>,
    pub exporter: Option<String>,
    pub ids_validator: Option<String>,
    /// A canonical id, a file of the bundle, or an inline fixture.
    pub fixture: Value,
    /// `None` is undefined, which is not null.
    #[serde(default, deserialize_with = "holdpoint_sdk::run::present")]
    pub args: Option<Value>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub selection: Vec<String>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub storage: BTreeMap<String, Value>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub files: BTreeMap<String, String>,
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<_>"))]
    pub network: Vec<Value>,
    pub expect: serde_json::Map<String, Value>,
}
