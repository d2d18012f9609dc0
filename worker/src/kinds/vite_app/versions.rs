//! Versions of an app: saves, merges and the ways back (spec: app-builder.md §4).
//!
//! Invariants: a save that fails leaves everything as it was; what was awaited between look and write is looked at again
//! behind it; a row of the queue stands in the transaction of its revision.

use std::collections::BTreeSet;

use holdpoint_bundle::{Files, content_hash};
use holdpoint_change::{Base, Change, Facts, Hand, HandCause, text_error};
use holdpoint_check::{ApiError, Diagnostic, args};
use holdpoint_kind_app::dialect::apply::{Changed, ChangedStatus};
use holdpoint_kind_app::dialect::apply::{EditedProject, apply};
use holdpoint_kind_app::dialect::patch::{PATCH_NEEDS_CONFIRMATION, told};
use holdpoint_kind_app::merge::{FileConflict, ProjectSide, merge};
use holdpoint_kind_app::packs;
use holdpoint_kind_app::requests::{
    ONE_EDIT, OnConflict, OnDraftBody, RestoreAppBody, RevertFileBody, SaveAppBody, SaveGate, TEMPLATE_UNKNOWN,
    TemplateResetBody, base_of, label, whole,
};
use holdpoint_kind_app::routes::codes::{
    BUILDER_COMPILE_FAILED, DOUBTFUL_EDIT, MERGE_CONFLICT, NO_CHECKPOINT, NO_FILE, REVERT_REMOVES_ENTRY,
    REVISION_CONFLICT,
};
use holdpoint_kind_app::stage::{AppProfile, AppRevision, options};
use holdpoint_kind_app::weakened::weaker;
use holdpoint_kind_app::wire::{
    AppCheckpoint, ComparedFile, ComparedVersions, DeletedOfApp, RevertedFile, SavedVersion, SteppedVersion,
    ValidatedSave,
};
use holdpoint_store::Page;
use holdpoint_store::workspace::{Bundle, Checkpoint, Head, OnLater, Restored, Way, WriteError};
use holdpoint_text::DiffOptions;
use serde_json::{Value, json};

use super::builds;
use super::gate::Gated;
use super::shown::{can_undo, facts};
use super::{AppDesk, fault, profile};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::iso;

/// A save that may be written.
struct Checked {
    base: Base,
    outcome: EditedProject,
    merged: bool,
}

impl AppDesk<'_> {
    /// Saves what its person wrote, if it holds and, where the app wants that, builds.
    pub async fn save(&self, body: &SaveAppBody) -> Result<SavedVersion, EdgeError> {
        let head = self.present()?;
        let own = profile(&head);
        let Checked { base, outcome, merged } = self.checked(&head, &own, body)?;
        let known = facts(&head.revision);
        if outcome.result_hash == outcome.base_hash && outcome.entry_file == known.entry_file {
            return self.saved(&head, &outcome.diagnostics, (true, false, true));
        }
        if needs_confirmation(&outcome) && body.confirm_token != outcome.confirm_token {
            let reasons: Vec<_> = outcome.diagnostics.iter().map(|one| one.code.clone()).collect();
            return Err(EdgeError::of(409, &DOUBTFUL_EDIT, args! {})
                .with("confirm_token", outcome.confirm_token.clone())
                .with("reasons", json!(reasons)));
        }
        let next = after(&known, &outcome);
        let verified = self.built(&own, &next, &outcome.files).await?;
        let cause = if merged { HandCause::Merge } else { HandCause::Save };
        let head = self.write(&head, &base, (outcome.files.clone(), next), cause)?;
        if let Some(text) = &body.label {
            self.workspace.checkpoint(self.id(), &label(text)?, &self.by()).map_err(fault)?;
        }
        self.saved(&head, &outcome.diagnostics, (false, merged, verified))
    }

    /// Says whether a save would be taken.
    pub fn validate(&self, body: &SaveAppBody) -> Result<ValidatedSave, EdgeError> {
        let head = self.present()?;
        let Checked { outcome, .. } = self.checked(&head, &profile(&head), body)?;
        Ok(ValidatedSave {
            ok: true,
            entry_file: outcome.entry_file,
            file_count: outcome.files.len(),
            diagnostics: outcome.diagnostics.iter().map(told).collect(),
        })
    }

    /// Puts the files of a template in the place of all files.
    pub fn reset(&self, body: &TemplateResetBody) -> Result<SavedVersion, EdgeError> {
        let head = self.present()?;
        let base = self.on(&head, body.base_revision_id.as_ref())?;
        let (files, next) = template(&body.template_key)?;
        let head = self.write(&head, &base, (files, next), HandCause::Reset)?;
        self.saved(&head, &[], (false, false, false))
    }

    /// Goes one step back, or takes the newest run back.
    pub fn undo(&self, body: &OnDraftBody) -> Result<SteppedVersion, EdgeError> {
        let head = self.present()?;
        self.on(&head, body.base_revision_id.as_ref())?;
        if body.scope.as_deref() == Some("ai") {
            let newest = self.workspace.standing(self.id())?;
            let newest = newest.ok_or_else(|| fault(WriteError::NothingTo("undo")))?;
            let restored = self.workspace.inverse(self.id(), &newest, OnLater::Merge).map_err(fault)?;
            return self.restored(&head, restored);
        }
        if !can_undo(&head) {
            return Err(fault(WriteError::NothingTo("undo")));
        }
        self.step(&head, &Way::Back)
    }

    pub fn redo(&self, body: &OnDraftBody) -> Result<SteppedVersion, EdgeError> {
        let head = self.present()?;
        self.on(&head, body.base_revision_id.as_ref())?;
        self.step(&head, &Way::Forth)
    }

    /// Makes an earlier version the draft.
    pub fn restore(&self, body: &RestoreAppBody) -> Result<SteppedVersion, EdgeError> {
        let head = self.present()?;
        self.on(&head, body.base_revision_id.as_ref())?;
        self.step(&head, &Way::Revision(body.revision_id.clone()))
    }

    /// Takes one file from another version.
    pub async fn revert_file(&self, body: &RevertFileBody) -> Result<RevertedFile, EdgeError> {
        let head = self.present()?;
        let base = self.on(&head, body.base_revision_id.as_ref())?;
        let (own, known) = (profile(&head), facts(&head.revision));
        let (_, then) = self.workspace.revision(self.id(), &body.from_revision_id).map_err(fault)?;
        let text = then.as_ref().and_then(|files| files.get(&body.path));
        let files = base.files.clone().unwrap_or_default();
        if text.is_none() && !files.contains_key(&body.path) {
            return Err(EdgeError::of(404, &NO_FILE, args! { path: body.path.as_str() }));
        }
        if text.is_none() && body.path == known.entry_file {
            return Err(EdgeError::of(409, &REVERT_REMOVES_ENTRY, args! { path: body.path.as_str() }));
        }
        let operation = match text {
            Some(text) => json!({"op": "upsert_file", "path": body.path, "content": text}),
            None => json!({"op": "delete_file", "path": body.path}),
        };
        let outcome = self.edited(&own, &known, &files, None, &[operation])?;
        let next = AppRevision { origin: Some("file_revert".to_owned()), ..after(&known, &outcome) };
        self.built(&own, &next, &outcome.files).await?;
        let now = self.write(&head, &base, (outcome.files, next), HandCause::Save)?;
        self.tell_taken_back(&head.revision, "revert_file");
        Ok(RevertedFile {
            revision: self.version(now.revision)?,
            reverted_path: body.path.clone(),
            from_revision_id: body.from_revision_id.clone(),
        })
    }

    /// Gives the draft a name.
    pub fn checkpoint(&self, name: &str) -> Result<AppCheckpoint, EdgeError> {
        self.present()?;
        let made = self.workspace.checkpoint(self.id(), &label(name)?, &self.by()).map_err(fault)?;
        self.object.work.changed();
        Ok(checkpoint(made))
    }

    pub fn checkpoints(&self, cursor: Option<&str>, limit: u32) -> Result<Page<AppCheckpoint>, EdgeError> {
        self.present()?;
        Ok(self.workspace.checkpoints(self.id(), cursor, limit).map_err(fault)?.map(checkpoint))
    }

    pub fn rename_checkpoint(&self, id: &str, name: &str) -> Result<AppCheckpoint, EdgeError> {
        self.present()?;
        let renamed = self.workspace.rename_checkpoint(self.id(), id, &label(name)?)?;
        self.object.work.changed();
        renamed.map(checkpoint).ok_or_else(no_checkpoint)
    }

    pub fn remove_checkpoint(&self, id: &str) -> Result<DeletedOfApp, EdgeError> {
        self.present()?;
        if !self.workspace.remove_checkpoint(self.id(), id)? {
            return Err(no_checkpoint());
        }
        self.object.work.changed();
        Ok(DeletedOfApp { status: "deleted".to_owned(), id: id.to_owned() })
    }

    /// Makes the files of a checkpoint the draft.
    pub fn restore_checkpoint(&self, id: &str, body: &OnDraftBody) -> Result<SteppedVersion, EdgeError> {
        let head = self.present()?;
        self.on(&head, body.base_revision_id.as_ref())?;
        let restored = self.workspace.step(self.id(), &Way::Checkpoint(id.to_owned()));
        match restored {
            Err(WriteError::NotFound) => Err(no_checkpoint()),
            restored => self.restored(&head, restored.map_err(fault)?),
        }
    }

    /// What differs between two versions.
    pub fn compared(&self, from: &str, to: &str) -> Result<ComparedVersions, EdgeError> {
        self.present()?;
        let files = |id| -> Result<Files, EdgeError> {
            Ok(self.workspace.revision(self.id(), id).map_err(fault)?.1.unwrap_or_default())
        };
        let (before, after) = (files(from)?, files(to)?);
        let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let mut compared = Vec::new();
        for path in paths {
            let (old, new) = (before.get(path), after.get(path));
            let status = match (old, new) {
                (None, _) => ChangedStatus::Added,
                (_, None) => ChangedStatus::Deleted,
                (old, new) if old != new => ChangedStatus::Modified,
                _ => continue,
            };
            let text = |side: Option<&String>| side.map_or("", String::as_str).to_owned();
            let diff = holdpoint_text::diff(&text(old), &text(new), &DiffOptions { path, ..DiffOptions::default() })
                .map_err(|error| text_error(&error))?;
            compared.push(ComparedFile { changed: Changed { path: path.clone(), status }, diff: json!(diff) });
        }
        Ok(ComparedVersions { from: from.to_owned(), to: to.to_owned(), files: compared })
    }

    /// The base of a write, if the draft is what its person saw.
    pub fn on(&self, head: &Head, seen: Option<&String>) -> Result<Base, EdgeError> {
        let seen = base_of(seen)?;
        let base = self.workspace.base(self.id())?;
        if base.revision.as_deref() == Some(seen) { Ok(base) } else { Err(self.moved(head, seen, None)) }
    }

    /// Writes a new draft by hand, with the build that is due.
    pub fn write(
        &self,
        head: &Head,
        base: &Base,
        (files, next): (Files, AppRevision),
        cause: HandCause,
    ) -> Result<Head, EdgeError> {
        let own = profile(head);
        let hand = Hand { files, facts: Facts(json!(next)), cause, by: person(&self.head.principal) };
        let key = builds::key(&own.settings, &next);
        let written = self.workspace.write_built(&Bundle::from(head), base, Change::Hand(hand), &self.by(), &key);
        self.object.work.changed();
        written.map_err(fault)
    }

    /// Whether a save was built before it counts; a save that does not build is refused.
    async fn built(&self, own: &AppProfile, next: &AppRevision, files: &Files) -> Result<bool, EdgeError> {
        if own.settings.save_gate == SaveGate::Check {
            return Ok(false);
        }
        match self.gate(own, next, files).await? {
            Gated::Unverified => Ok(false),
            Gated::Passed => Ok(true),
            Gated::Failed { code, error, diagnostics } => {
                Err(compile_failed(diagnostics).with("build_error_code", code).with("build_error", error))
            }
        }
    }

    fn checked(&self, head: &Head, own: &AppProfile, body: &SaveAppBody) -> Result<Checked, EdgeError> {
        let seen = base_of(body.base_revision_id.as_ref())?;
        if body.operations.is_some() == body.files.is_some() {
            return Err(ApiError::at("/operations", &ONE_EDIT, args! {}).status(422).into());
        }
        let base = self.workspace.base(self.id())?;
        let known = facts(&head.revision);
        let entry = body.entry_file.as_deref();
        let draft = base.files.clone().unwrap_or_default();
        if base.revision.as_deref() == Some(seen) {
            let operations = operations(body, &draft);
            let outcome = self.edited(own, &known, &draft, entry, &operations)?;
            return Ok(Checked { base, outcome: holds(outcome)?, merged: false });
        }
        let (older, before) = self.workspace.revision(self.id(), seen).map_err(fault)?;
        let (older, before) = (facts(&older), before.unwrap_or_default());
        let theirs = self.edited(own, &older, &before, entry, &operations(body, &before))?;
        let joined = merge(
            ProjectSide { files: &before, entry_file: &older.entry_file },
            ProjectSide { files: &draft, entry_file: &known.entry_file },
            ProjectSide { files: &theirs.files, entry_file: &theirs.entry_file },
        );
        if body.on_conflict == OnConflict::Fail {
            return Err(self.moved(head, seen, Some(joined.err().unwrap_or_default())));
        }
        let (files, entry) = joined.map_err(|conflicts| {
            EdgeError::of(409, &MERGE_CONFLICT, args! {})
                .with("latest_revision_id", head.revision.id.clone())
                .with("conflicts", json!(conflicts))
        })?;
        let outcome = self.edited(own, &known, &draft, Some(&entry), &whole(&draft, &files))?;
        Ok(Checked { base, outcome: holds(outcome)?, merged: true })
    }

    /// Takes operations with the rules of the app, and tells which tests check less then.
    fn edited(
        &self,
        own: &AppProfile,
        known: &AppRevision,
        before: &Files,
        entry: Option<&str>,
        operations: &[Value],
    ) -> Result<EditedProject, EdgeError> {
        let options = options(Some(known), &self.rules(own));
        let entry = entry.unwrap_or(&known.entry_file);
        let mut outcome = apply(before, Some(entry), operations, &options.resolve()?)?;
        outcome.diagnostics.extend(weaker(before, &outcome.files));
        Ok(outcome)
    }

    /// That the draft moved, and what a merge would meet.
    fn moved(&self, head: &Head, seen: &str, conflicts: Option<Vec<FileConflict>>) -> EdgeError {
        let then = self.workspace.revision(self.id(), seen).ok().and_then(|(_, files)| files);
        let now = self.workspace.files(self.id()).ok().flatten().unwrap_or_default();
        let changed = then.map(|then| {
            let differs = |path: &&String| then.get(*path) != now.get(*path);
            let paths: BTreeSet<&String> = then.keys().chain(now.keys()).filter(differs).collect();
            json!(paths)
        });
        let fault = EdgeError::of(409, &REVISION_CONFLICT, args! {})
            .with("latest_revision_id", head.revision.id.clone())
            .with("latest_updated_at", iso(head.updated))
            .with("changed_paths", changed.unwrap_or_else(|| json!([])));
        match conflicts {
            Some(conflicts) => fault.with("merge", json!({"clean": conflicts.is_empty(), "conflicts": conflicts})),
            None => fault,
        }
    }

    fn step(&self, head: &Head, way: &Way) -> Result<SteppedVersion, EdgeError> {
        let restored = self.workspace.step(self.id(), way).map_err(fault)?;
        self.restored(head, restored)
    }

    fn restored(&self, head: &Head, restored: Restored) -> Result<SteppedVersion, EdgeError> {
        let own = profile(head);
        let mut next: AppRevision = serde_json::from_value(restored.facts().0.clone()).unwrap_or_default();
        let files = self.workspace.restored_files(&restored)?.unwrap_or_default();
        next.files_hash = content_hash(&files);
        next.file_count = files.len();
        let key = builds::key(&own.settings, &next);
        let base = Base { revision: Some(head.revision.id.clone()), ..Base::default() };
        let change = Change::Restored(restored.with_facts(Facts(json!(next))));
        let now = self.workspace.write_built(&Bundle::from(head), &base, change, &self.by(), &key).map_err(fault)?;
        self.object.work.changed();
        self.tell_taken_back(&head.revision, now.revision.cause.as_str());
        self.stepped(&now)
    }

    fn saved(
        &self,
        head: &Head,
        found: &[Diagnostic],
        (noop, merged, verified): (bool, bool, bool),
    ) -> Result<SavedVersion, EdgeError> {
        let mut revision = self.version(head.revision.clone())?;
        revision.files = self.workspace.files(self.id())?;
        Ok(SavedVersion { revision, noop, merged, verified, diagnostics: found.iter().map(told).collect() })
    }
}

fn no_checkpoint() -> EdgeError {
    EdgeError::of(404, &NO_CHECKPOINT, args! {})
}

/// The files of a template, and what their revision keeps.
pub fn template(key: &str) -> Result<(Files, AppRevision), EdgeError> {
    let Some(pack) = packs::find(key) else {
        let known: Vec<_> = packs::all().iter().map(|pack| format!("`{}`", pack.manifest.key)).collect();
        let error = ApiError::at("/template_key", &TEMPLATE_UNKNOWN, args! { known: known.join(", ") });
        return Err(error.status(400).into());
    };
    let next = AppRevision {
        entry_file: pack.manifest.entry_file.clone(),
        catalog_version: pack.manifest.catalog_version.clone(),
        template_key: key.to_owned(),
        files_hash: pack.hash.clone(),
        file_count: pack.files.len(),
        origin: None,
    };
    Ok((pack.files.clone(), next))
}

fn operations(body: &SaveAppBody, before: &Files) -> Vec<Value> {
    match (&body.operations, &body.files) {
        (Some(operations), _) => operations.clone(),
        (None, Some(files)) => whole(before, files),
        (None, None) => Vec::new(),
    }
}

/// A result without errors; else what is wrong with it.
fn holds(outcome: EditedProject) -> Result<EditedProject, EdgeError> {
    if outcome.ok { Ok(outcome) } else { Err(compile_failed(outcome.diagnostics.iter().map(told).collect())) }
}

fn compile_failed(diagnostics: Vec<Value>) -> EdgeError {
    EdgeError::of(422, &BUILDER_COMPILE_FAILED, args! {}).with("diagnostics", diagnostics)
}

/// Whether a part was placed with doubts: of one's own text the other guards only warn.
fn needs_confirmation(outcome: &EditedProject) -> bool {
    outcome.diagnostics.iter().any(|one| one.code == PATCH_NEEDS_CONFIRMATION.name)
}

fn after(known: &AppRevision, outcome: &EditedProject) -> AppRevision {
    AppRevision {
        entry_file: outcome.entry_file.clone(),
        files_hash: outcome.result_hash.clone(),
        file_count: outcome.files.len(),
        origin: None,
        ..known.clone()
    }
}

fn checkpoint(made: Checkpoint) -> AppCheckpoint {
    AppCheckpoint {
        id: made.id,
        revision_id: made.revision,
        label: made.label,
        checkpoint_type: if made.auto { "auto_run" } else { "named" }.to_owned(),
        created_at: iso(made.at),
    }
}
