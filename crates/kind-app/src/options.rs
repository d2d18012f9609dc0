//! How a project is checked: policy of packages, catalogue, layout, lower limits (spec: vite-app.md §1 "Options").

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use holdpoint_check::{ApiError, args, codes};
use serde::{Deserialize, Serialize};

use crate::limits;

codes! {
    INVALID_INPUT / CATALOG: Error, "Send a catalogue as an object, or name one of {known}." [known];
}

/// The file that starts a project that names none.
pub const DEFAULT_ENTRY: &str = "src/main.tsx";

/// Which packages a project may declare.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Those of a catalogue, with its pins.
    #[default]
    Curated,
    /// Any of a registry, by exact version and lock.
    RegistryPinned,
}

/// Which places files may lie in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    #[default]
    Managed,
    Open,
}

/// The options of a request, as sent.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RawOptions {
    #[serde(default)]
    pub policy: Policy,
    #[serde(default)]
    pub catalog: Option<RawCatalog>,
    /// The origin from which locked packages may come.
    #[serde(default)]
    pub registry: Option<String>,
    #[serde(default)]
    pub layout: Layout,
    #[serde(default)]
    pub limits: ProjectLimits,
    /// Whether the report has the graph of imports.
    #[serde(default)]
    pub graph: bool,
    /// The file that starts the project, in calls that have no member for it beside the files.
    #[serde(default)]
    pub entry_file: Option<String>,
}

/// A catalogue, or the version of one that is shipped.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum RawCatalog {
    Version(String),
    Own(Catalog),
}

/// Pins of packages, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Catalog {
    pub version: String,
    pub packages: BTreeMap<String, String>,
}

/// ProjectLimits that a request lowers; a higher value means the built-in one.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct ProjectLimits {
    #[serde(rename = "max_operations")]
    operations: Option<usize>,
    #[serde(rename = "max_files")]
    files: Option<usize>,
    #[serde(rename = "max_file_bytes")]
    file_bytes: Option<usize>,
    #[serde(rename = "max_lockfile_bytes")]
    lockfile_bytes: Option<usize>,
    #[serde(rename = "max_project_bytes")]
    project_bytes: Option<usize>,
    #[serde(rename = "max_blob_bytes")]
    blob_bytes: Option<u64>,
    #[serde(rename = "max_project_blob_bytes")]
    project_blob_bytes: Option<u64>,
}

macro_rules! lowered {
    ($($name:ident: $type:ty = $most:ident;)*) => {
        impl ProjectLimits {
            $(pub fn $name(&self) -> $type {
                self.$name.map_or(limits::$most, |own| own.min(limits::$most))
            })*
        }
    };
}

lowered! {
    operations: usize = MAX_OPERATIONS;
    files: usize = MAX_FILES;
    file_bytes: usize = MAX_FILE_BYTES;
    lockfile_bytes: usize = MAX_LOCKFILE_BYTES;
    project_bytes: usize = MAX_PROJECT_BYTES;
    blob_bytes: u64 = MAX_BLOB_BYTES;
    project_blob_bytes: u64 = MAX_PROJECT_BLOB_BYTES;
}

/// What a call without a catalogue means.
const FIRST: &str = "2026-01";

/// The catalogues that are shipped: each is resolved together and never changed.
static SHIPPED: LazyLock<Vec<Catalog>> = LazyLock::new(|| {
    let texts = [include_str!("../data/catalog.json"), include_str!("../data/catalog-2026-11.json")];
    texts.iter().map(|text| serde_json::from_str(text).expect("a shipped catalogue is one")).collect()
});

/// A shipped catalogue by its version.
pub fn shipped(version: &str) -> Option<&'static Catalog> {
    SHIPPED.iter().find(|catalog| catalog.version == version)
}

/// Options that were looked at.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    pub policy: Policy,
    pub catalog: Cow<'a, Catalog>,
    pub registry: Option<&'a str>,
    pub layout: Layout,
    pub limits: ProjectLimits,
    pub graph: bool,
}

impl RawOptions {
    /// What they mean; `INVALID_INPUT` at a catalogue that nobody knows.
    pub fn resolve(&self) -> Result<Options<'_>, ApiError> {
        let by_version = |version: &str| {
            let known = || SHIPPED.iter().map(|own| format!("`{}`", own.version)).collect::<Vec<_>>().join(", ");
            shipped(version).ok_or_else(|| ApiError::at("/options/catalog", &CATALOG, args! { known: known() }))
        };
        let catalog = match &self.catalog {
            None => Cow::Borrowed(by_version(FIRST)?),
            Some(RawCatalog::Version(version)) => Cow::Borrowed(by_version(version)?),
            Some(RawCatalog::Own(own)) => Cow::Borrowed(own),
        };
        Ok(Options {
            policy: self.policy,
            catalog,
            registry: self.registry.as_deref(),
            layout: self.layout,
            limits: self.limits,
            graph: self.graph,
        })
    }
}
