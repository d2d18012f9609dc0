//! The kind `crew-package`: workflows, their steps, the agents that work in them and the assets that they read.
//!
//! Owns the rules of crew-package.md: the five documents, the graph, the check, change sets and prompts.
//! Invariants: reading changes no byte; a document that is not usable is not looked into; one fault is reported once.
//!
//! ```
//! use holdpoint_kind_crew::{Options, check};
//! let report = check(&Default::default(), &Options::default()).unwrap();
//! assert_eq!(report.diagnostics[0].code, "PKG_REQUIRED_FILE_MISSING");
//! ```

pub mod apply;
pub mod archive;
mod check;
pub mod claims;
pub mod codes;
pub mod compare;
pub mod dialect;
pub mod documents;
pub mod facts;
pub mod hand;
pub mod hints;
pub mod ids;
pub mod limits;
pub mod methods;
pub mod page;
pub mod paths;
pub mod places;
pub mod policy;
pub mod prompts;
pub mod proposals;
pub mod protocol;
mod report;
pub mod routes;
pub mod rules;
pub mod schemas;
pub mod search;
pub mod sessions;
mod stage;
#[cfg(test)]
mod test;
pub mod tools;
pub mod wire;

use holdpoint_bundle::{FilePolicy, Files};
use holdpoint_change::{Base, Preview, Staged};
use holdpoint_check::{ApiError, Report};
use holdpoint_kind::{CheckEntry, CheckError, Codes, Given, Input, Kind, KindEntry, Stage};

pub use check::{Examined, Lowered, Options, check, examine, placed};
pub use report::{Assets, Layout, More, Summary, Workflow};
pub use stage::{SetRequest, ShownSet};

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct CrewPackage;

impl Kind for CrewPackage {
    const ID: &'static str = "crew-package";
    const BLOCKS: bool = true;
    type Options = Options;
    type More = More;

    fn policy(&self) -> FilePolicy {
        policy::POLICY
    }

    fn codes(&self) -> Codes {
        codes::CODES
    }

    fn check(&self, files: &Files, input: Input<'_, Options>) -> Result<Report<More>, CheckError> {
        Ok(check(files, input.options)?)
    }
}

impl Stage for CrewPackage {
    type Request = SetRequest;

    fn stage(&self, base: Base, request: &SetRequest) -> Result<Staged, ApiError> {
        stage::stage(base, request)
    }

    fn preview(&self, staged: Staged, request: &SetRequest, _: Given<'_>) -> Result<Preview, CheckError> {
        Ok(stage::preview(staged, request)?)
    }
}

/// This kind, as a shell checks its bundles.
pub static CHECK: CheckEntry = CheckEntry {
    kind: &CrewPackage,
    methods: &[methods::METHODS],
    shared: &[
        ("prompt.compose", prompts::methods::prompt_compose),
        ("history.window", prompts::methods::history_window),
        ("context.pack", prompts::methods::context_pack),
        ("files.apply", apply::files_apply),
    ],
    mark: policy::MANIFEST,
    paths: Some(paths::crew_paths),
};

/// The same, as the edge and the command line hold it.
pub static KIND: KindEntry = KindEntry {
    check: &CHECK,
    protocols: protocol::PROTOCOLS,
    #[cfg(feature = "schema")]
    reference: &[page::reference::ENTRIES, methods::reference::ENTRIES, prompts::methods::reference::ENTRIES],
};

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::page::ShownPackage::export_all(&config).unwrap();
        super::page::StepText::export_all(&config).unwrap();
        super::wire::Listed::<super::wire::projects::ProjectItem>::export_all(&config).unwrap();
        super::wire::projects::WorkflowBody::export_all(&config).unwrap();
        super::wire::projects::Bundle::export_all(&config).unwrap();
        super::wire::projects::Revision::export_all(&config).unwrap();
        super::wire::projects::Stepped::export_all(&config).unwrap();
        super::wire::projects::Hit::export_all(&config).unwrap();
        super::wire::projects::Imported::export_all(&config).unwrap();
    }
}
