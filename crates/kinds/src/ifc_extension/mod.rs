//! The kind `ifc-extension`: commands, panels, lenses, exporters and checks for an IFC viewer.
//!
//! Owns the rules of ifc-extension.md §1–§7; reading and resolving of JavaScript stands in `js`.
//! Invariants: checking runs no code of the bundle; a [`Verified`] bundle comes from [`verify`] only; one fault is
//! reported once.
//!
//! ```
//! use holdpoint_kinds::ifc_extension::{Options, check};
//! let report = check(&Default::default(), &Options::default());
//! assert_eq!(report.diagnostics[0].code, "MANIFEST_MISSING");
//! ```

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
mod planning;
pub mod policy;
pub mod prompts;
mod report;
pub mod review;
pub mod routes;
mod rules;
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

pub use check::{Options, Origin, Verified, check, verify};
pub use code::{EntryModule, Role};
pub use manifest::Manifest;
pub use report::{BundleCheck, BundleFacts, BundleSummary, Declared};
pub use rules::capabilities::Needed;
pub use stage::{Granted, Install, claimed_id, grants_moved, undeclared};

use crate::kind::{Ask, Codes, Given, Kind, Parts, Unchecked};

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct IfcExtension;

impl Kind for IfcExtension {
    const ID: &'static str = "ifc-extension";
    type Options = Options;
    type More = BundleFacts;
    type Wire = Install;

    fn policy(&self) -> FilePolicy {
        policy::POLICY
    }

    fn codes(&self) -> Codes {
        codes::CODES
    }

    fn check(&self, files: &Files, ask: Ask<'_, Options>) -> Result<holdpoint_check::Report<BundleFacts>, Unchecked> {
        let BundleCheck { ok, diagnostics, more, .. } = check(files, ask.options);
        Ok(holdpoint_check::Report { ok, diagnostics, more })
    }

    fn stage(&self, base: Base, wire: &Install) -> Result<Staged, ApiError> {
        stage::stage(base, wire)
    }

    fn preview(&self, staged: Staged, wire: &Install, _: Given<'_>) -> Result<Preview, Unchecked> {
        Ok(stage::preview(staged, wire))
    }

    fn parts(&self) -> Parts {
        Parts {
            planning: Some(&Self),
            tests: Some(&Self),
            mark: Some(policy::MANIFEST),
            prompt: Some(methods::authoring::prompt_compose),
            ..Parts::default()
        }
    }
}

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
