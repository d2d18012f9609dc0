//! Proposals that no model made: a renewed lock, a service that is set up (spec: app-builder.md §3).
//!
//! Invariant: they are looked at and applied as every proposal, through the gate.

use holdpoint_bundle::Files;
use holdpoint_check::{ApiError, args};
use holdpoint_kind_app::dialect::apply::apply;
use holdpoint_kind_app::proposals::{ProposalView, StoredProposal};
use holdpoint_kind_app::renew::{LOCK, renew};
use holdpoint_kind_app::requests::{OnDraftBody, ScaffoldBody};
use holdpoint_kind_app::routes::codes::{BUILD_RUNNER_UNAVAILABLE, BUILDER_COMPILE_FAILED, LOCK_FITS};
use holdpoint_kind_app::scaffolds::fill;
use holdpoint_kind_app::stage::options;
use holdpoint_kind_app::tools::Proposal;
use holdpoint_store::change_set::{JudgedSet, NewSet};
use holdpoint_store::workspace::Head;
use holdpoint_text::hex;
use serde_json::json;

use super::jobs::JobInput;
use super::runner::RunnerResult;
use super::shown::facts;
use super::{AppDesk, profile};
use crate::answer::EdgeError;
use crate::js::random;
use crate::routes::RouteRequest;

/// What their revisions keep as their origin.
const ORIGIN: &str = "scaffold";

impl AppDesk<'_> {
    /// Proposes the lock that fits the packages of the draft.
    pub async fn renewed_lock(&self, body: &OnDraftBody, request: &RouteRequest) -> Result<ProposalView, EdgeError> {
        let head = self.present()?;
        let files = self.on(&head, body.base_revision_id.as_ref())?.files.unwrap_or_default();
        let rules = self.rules(&profile(&head));
        let text = match renew(&files, &options(Some(&facts(&head.revision)), &rules).resolve()?) {
            Ok(text) => text,
            Err(_) => self.lock_of_runner(&head, &files).await?,
        };
        if files.get(LOCK) == Some(&text) {
            return Err(ApiError::of(&LOCK_FITS, args! {}).with("pointer", "").status(422).into());
        }
        let proposal = Proposal {
            operations: vec![json!({"op": "upsert_file", "path": LOCK, "content": text})],
            summary: "Renews the lock of the packages.".to_owned(),
            ..Proposal::default()
        };
        self.offer(body.base_revision_id.as_ref(), proposal, request)
    }

    /// Proposes the files of a service that is set up.
    pub fn scaffold(&self, key: &str, body: &ScaffoldBody, request: &RouteRequest) -> Result<ProposalView, EdgeError> {
        let filled = fill(key, &body.values)?;
        let proposal = Proposal {
            operations: filled.operations,
            summary: format!("Sets up {key}."),
            assumptions: filled.notes,
            ..Proposal::default()
        };
        self.offer(body.base_revision_id.as_ref(), proposal, request)
    }

    /// Stores a proposal on the draft that was seen.
    fn offer(
        &self,
        seen: Option<&String>,
        proposal: Proposal,
        request: &RouteRequest,
    ) -> Result<ProposalView, EdgeError> {
        let head = self.present()?;
        let files = self.on(&head, seen)?.files.unwrap_or_default();
        let known = facts(&head.revision);
        let options = options(Some(&known), &self.rules(&profile(&head)));
        let done = apply(&files, Some(&known.entry_file), &proposal.operations, &options.resolve()?)?;
        let proposal = Proposal {
            entry_file: known.entry_file,
            base_hash: done.base_hash,
            patch_id: done.patch_id,
            result_hash: done.result_hash,
            origin: Some(ORIGIN.to_owned()),
            ..proposal
        };
        let stored =
            StoredProposal { request_id: hex(&random::<16>()?), base_revision_id: head.revision.id.clone(), proposal };
        let (session, content) = (self.thread(None)?, json!(stored).to_string());
        let new = NewSet { session: &session, bundle: self.id(), user: self.user(), content: &content, working: &[] };
        let sets = self.workspace.change_sets();
        let set = sets.stage(&new, self.now, &[])?;
        sets.judge(&set, &JudgedSet { valid: true, validation: "{}", again: None }, self.now, &[])?;
        let console = request.request().url()?.origin().ascii_serialization();
        self.proposal(&format!("cs_{}", set.number), None, &console)
    }

    /// The lock that the runner makes of packages of a registry.
    async fn lock_of_runner(&self, head: &Head, files: &Files) -> Result<String, EdgeError> {
        let nobody = || EdgeError::of(503, &BUILD_RUNNER_UNAVAILABLE, args! {});
        let (own, known) = (profile(head), facts(&head.revision));
        let job = JobInput {
            app: self.id(),
            own: &own,
            entry_file: &known.entry_file,
            catalog_version: &known.catalog_version,
            files,
        };
        let RunnerResult { lockfile, code, diagnostics, .. } = job.lock(self.object).await.map_err(|_| nobody())?;
        lockfile.ok_or_else(|| {
            EdgeError::of(422, &BUILDER_COMPILE_FAILED, args! {})
                .with("diagnostics", diagnostics)
                .with("build_error_code", code)
        })
    }
}
