//! The catalogue: which capabilities exist (spec: ifc-extension.md §3.2; data: `capabilities.json`).

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Risk, Segment, Target};
use crate::schemas;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    Property,
    Format,
    Host,
    Command,
}

/// One row of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    pub name: String,
    /// What the target names, where there is one.
    pub target: Option<TargetKind>,
    tier: Risk,
    wildcard_tier: Option<Risk>,
    /// Need not be declared, gives no authority.
    #[serde(default)]
    pub implicit: bool,
    /// What the user reads, with `{target}`.
    pub sentence: String,
}

impl CatalogueEntry {
    /// The tier with this target.
    pub(super) fn risk(&self, target: Option<&Target>) -> Risk {
        let Some(target) = target else { return self.tier };
        let wild = target.segments.iter().any(|segment| !matches!(segment, Segment::Literal(_)));
        if wild {
            return self.wildcard_tier.unwrap_or(self.tier);
        }
        match (self.target, target.segments.first()) {
            (Some(TargetKind::Format), Some(Segment::Literal(format))) if DATA.export_formats.red.contains(format) => {
                Risk::Red
            }
            _ => self.tier,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    export_formats: Formats,
    capabilities: Vec<CatalogueEntry>,
}

#[derive(Deserialize)]
struct Formats {
    yellow: Vec<String>,
    red: Vec<String>,
}

static DATA: LazyLock<Data> =
    LazyLock::new(|| serde_json::from_str(schemas::CAPABILITIES).expect("capabilities.json has the shape of its type"));

/// Every entry, in the order of the data.
pub fn catalogue() -> &'static [CatalogueEntry] {
    &DATA.capabilities
}

/// The entry with this head.
pub fn entry(head: &str) -> Option<&'static CatalogueEntry> {
    DATA.capabilities.iter().find(|entry| entry.name == head)
}

/// Whether files of this format can be saved.
pub fn is_format(text: &str) -> bool {
    formats().any(|format| format == text)
}

/// Every format, yellow ones first.
pub(super) fn formats() -> impl Iterator<Item = &'static str> {
    DATA.export_formats.yellow.iter().chain(&DATA.export_formats.red).map(String::as_str)
}
