//! The kind `vite-app`: a whole React and Vite project, edited by operations and patches, checked without running it.
//!
//! Owns the rules of vite-app.md: paths and limits, the dialect, what code, CSS, pages, `package.json`, lock and
//! configuration may name, mentions, context, choice of tests, slugs. HTTP, builds and publishing are the edge's.
//! Invariants: nothing of the project is executed; every fault is told at once; a list that breaks policy changes
//! nothing.

pub mod accept;
mod alias;
pub mod behaviours;
pub mod blobs;
pub mod builds;
mod cases;
pub mod check;
pub mod claims;
mod code;
pub mod codes;
pub mod context;
pub mod dialect;
pub mod export;
pub mod figures;
mod fixes;
pub mod glob;
mod ground;
pub mod health;
pub mod limits;
pub mod mentions;
pub mod merge;
pub mod methods;
mod names;
pub mod options;
mod order;
pub mod packs;
pub mod policy;
pub mod preview;
mod project;
pub mod prompts;
pub mod proposals;
pub mod protocol;
pub mod renew;
pub mod requests;
mod resolve;
pub mod routes;
pub mod rules;
pub mod scaffolds;
pub mod select;
pub mod served;
pub mod slug;
pub mod stage;
pub mod tools;
pub mod weakened;
pub mod wire;

use holdpoint_bundle::{FilePolicy, Files, PathLimits};
use holdpoint_change::{Base, Preview, Staged};
use holdpoint_check::{ApiError, Report};
use holdpoint_kind::{CheckEntry, CheckError, Codes, Given, Input, Kind, KindEntry, Stage, untyped};

use check::{AppFacts, bounded, bytes_of};
use options::RawOptions;
use stage::AppRequest;

pub use project::Stats;

#[derive(Debug, Clone, Copy)]
pub struct ViteApp;

impl Kind for ViteApp {
    const ID: &'static str = "vite-app";
    const BLOCKS: bool = true;
    type Options = RawOptions;
    type More = AppFacts;

    /// Its paths are judged by [`policy`], which has patterns and takes every script's letters.
    fn policy(&self) -> FilePolicy {
        let limits = PathLimits { bytes: limits::MAX_PATH_BYTES, segments: limits::MAX_PATH_DEPTH };
        FilePolicy { limits, root_files: &[], places: &[] }
    }

    fn codes(&self) -> Codes {
        codes::CODES
    }

    fn check(&self, files: &Files, input: Input<'_, RawOptions>) -> Result<Report<AppFacts>, CheckError> {
        bounded(bytes_of(files))?;
        let options = input.options.resolve()?;
        let checked = check::check(files, input.options.entry_file.as_deref(), &options);
        let graph = options.graph.then_some(checked.graph);
        Ok(Report::new(checked.diagnostics, AppFacts { entry_file: checked.entry, stats: checked.stats, graph }))
    }
}

impl Stage for ViteApp {
    type Request = AppRequest;

    fn stage(&self, base: Base, request: &AppRequest) -> Result<Staged, ApiError> {
        stage::stage(base, request)
    }

    fn whole(&self, request: &AppRequest) -> Option<AppRequest> {
        request.accept.is_some().then(|| AppRequest { accept: None, ..request.clone() })
    }

    /// The check of the files after it, with the entry and the catalogue that they have then, and tests that check less.
    fn preview(&self, staged: Staged, request: &AppRequest, given: Given<'_>) -> Result<Preview, CheckError> {
        let files = staged.after.clone().unwrap_or_default();
        let next: stage::AppRevision = serde_json::from_value(staged.facts.0.clone()).unwrap_or_default();
        let options =
            RawOptions { entry_file: Some(next.entry_file.clone()), ..stage::options(Some(&next), &request.rules) };
        let mut report = untyped(Kind::check(self, &files, Input { options: &options, given })?);
        report.diagnostics.extend(weakened::weaker(&staged.base.files.clone().unwrap_or_default(), &files));
        Ok(Preview { staged, report })
    }
}

/// This kind, as a shell checks its bundles.
pub static CHECK: CheckEntry = CheckEntry {
    kind: &ViteApp,
    methods: &[methods::METHODS],
    shared: methods::SHARED,
    mark: "package.json",
    paths: None,
};

/// The same, as the edge and the command line hold it.
pub static KIND: KindEntry = KindEntry {
    check: &CHECK,
    protocols: protocol::PROTOCOLS,
    #[cfg(feature = "schema")]
    reference: &[methods::reference::ENTRIES],
};

#[cfg(all(test, feature = "ts"))]
mod wire_types {
    use ts_rs::{Config, TS};

    use super::wire;

    /// Writes the declarations that the page compiles against; `cargo xtask ci` finds drift.
    #[test]
    fn export_declarations() {
        let config = Config::from_env();
        wire::BuilderState::export_all(&config).unwrap();
        wire::BuildState::export_all(&config).unwrap();
        wire::SavedVersion::export_all(&config).unwrap();
        wire::ValidatedSave::export_all(&config).unwrap();
        wire::SteppedVersion::export_all(&config).unwrap();
        wire::RevertedFile::export_all(&config).unwrap();
        wire::PreviewAddress::export_all(&config).unwrap();
        wire::AppPublication::export_all(&config).unwrap();
        wire::KeptWork::export_all(&config).unwrap();
        wire::AppCheckpoint::export_all(&config).unwrap();
        wire::ComparedVersions::export_all(&config).unwrap();
        wire::AppHealth::export_all(&config).unwrap();
        super::merge::FileConflict::export_all(&config).unwrap();
        super::proposals::ProposalView::export_all(&config).unwrap();
        super::proposals::ConversationTurn::export_all(&config).unwrap();
        super::accept::FileChoice::export_all(&config).unwrap();
        super::scaffolds::Scaffold::export_all(&config).unwrap();
    }
}
