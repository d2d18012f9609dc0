//! The kind `ifc-extension`: commands, panels, lenses, exporters and checks for an IFC viewer.
//!
//! Owns the rules of ifc-extension.md §1–§7; reading and resolving of JavaScript stands in `js`.
//! Invariants: checking runs no code of the bundle; a [`Verified`] bundle comes from [`verify`] only; one fault is
//! reported once.
//!
//! ```
//! use holdpoint_kind_extension::{Options, check};
//! let report = check(&Default::default(), &Options::default());
//! assert_eq!(report.diagnostics[0].code, "MANIFEST_MISSING");
//! ```

mod answers;
pub mod archive;
pub mod autofix;
pub mod binding;
mod check;
mod code;
pub mod codes;
pub mod conversation;
pub mod dialect;
pub mod drift;
pub mod engines;
mod entries;
mod fixtures;
pub mod intent;
mod judged;
pub mod kept;
pub mod keybinding;
pub mod limits;
pub mod manifest;
pub mod methods;
pub mod plan;
pub mod planning;
pub mod policy;
pub mod prompts;
mod report;
pub mod review;
pub mod routes;
mod rules;
pub mod run;
pub mod schemas;
pub mod script;
mod stage;
pub mod testing;
pub mod weakened;
pub mod when;
mod widgets;
pub mod wire;

use holdpoint_bundle::{FilePolicy, Files};
use holdpoint_change::{Base, Preview, Staged};
use holdpoint_check::ApiError;
use holdpoint_kind::{CheckEntry, CheckError, Codes, Given, Input, Kind, KindEntry, Stage};

pub use check::{Options, Origin, Verified, check, verify};
pub use code::{EntryModule, Role};
pub use manifest::Manifest;
pub use report::{BundleCheck, BundleFacts, BundleSummary, Declared};
pub use rules::capabilities::Needed;
pub use stage::{Granted, Install, claimed_id, grants_moved, undeclared};

#[derive(Debug, Clone, Copy)]
pub struct IfcExtension;

impl Kind for IfcExtension {
    const ID: &'static str = "ifc-extension";
    const BLOCKS: bool = true;
    type Options = Options;
    type More = BundleFacts;

    fn policy(&self) -> FilePolicy {
        policy::POLICY
    }

    fn codes(&self) -> Codes {
        codes::CODES
    }

    fn check(
        &self,
        files: &Files,
        input: Input<'_, Options>,
    ) -> Result<holdpoint_check::Report<BundleFacts>, CheckError> {
        let BundleCheck { ok, diagnostics, more, .. } = check(files, input.options);
        Ok(holdpoint_check::Report { ok, diagnostics, more })
    }
}

impl Stage for IfcExtension {
    type Request = Install;

    fn stage(&self, base: Base, request: &Install) -> Result<Staged, ApiError> {
        stage::stage(base, request)
    }

    fn preview(&self, staged: Staged, request: &Install, _: Given<'_>) -> Result<Preview, CheckError> {
        Ok(stage::preview(staged, request))
    }
}

/// This kind, as a shell checks its bundles.
pub static CHECK: CheckEntry = CheckEntry {
    kind: &IfcExtension,
    methods: &[
        methods::compare::METHODS,
        methods::capability::METHODS,
        methods::authoring::METHODS,
        methods::script::METHODS,
        methods::drift::METHODS,
    ],
    shared: &[("prompt.compose", methods::authoring::prompt_compose), ("run.replay", methods::replay::run_replay)],
    mark: policy::MANIFEST,
    paths: None,
};

/// The same, as the edge and the command line hold it.
pub static KIND: KindEntry = KindEntry {
    check: &CHECK,
    protocols: &[],
    #[cfg(feature = "schema")]
    reference: &[
        methods::compare::reference::ENTRIES,
        methods::capability::reference::ENTRIES,
        methods::authoring::reference::ENTRIES,
        methods::script::reference::ENTRIES,
        methods::drift::reference::ENTRIES,
        methods::archive::reference::ENTRIES,
        methods::replay::reference::ENTRIES,
    ],
};

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        super::BundleCheck::export_all(&config).unwrap();
        super::wire::ExtensionRecord::export_all(&config).unwrap();
        super::wire::ExtensionRevision::export_all(&config).unwrap();
        super::wire::ToldChange::export_all(&config).unwrap();
        super::wire::HistoryEntry::export_all(&config).unwrap();
        super::plan::PlanDiff::export_all(&config).unwrap();
        super::script::Inferred::export_all(&config).unwrap();
        super::script::Promoted::export_all(&config).unwrap();
        super::testing::TestReport::export_all(&config).unwrap();
        holdpoint_sdk::run::Failure::export_all(&config).unwrap();
    }
}
