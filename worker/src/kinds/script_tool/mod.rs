//! A script: how it is shown, changed and taken back (spec: script-tool.md §6, DESIGN §3).
//!
//! Invariants: the base of an apply is the stored head; what is stale answers 409 with a fresh preview of the stored
//! texts and changes nothing; no route takes a result text.

mod capture;
mod command;
mod log;
mod perform;
pub mod routes;
pub mod settings;
mod shown;
mod turns;

use command::{Command, ScriptCommand};
use perform::perform;

use holdpoint_change::{Base, Change, Facts, Hand, HandCause, Person, Preview, Why};
use holdpoint_check::{ApiError, args};
use holdpoint_engine::{self as engine, Applied, ApplyError, SeenRevision};
use holdpoint_kind::Kind;
use holdpoint_kind_script::ScriptTool;
use holdpoint_kind_script::requests::{ApplyRequest, PreviewRequest, Version, WHICH_SCRIPT};
use holdpoint_kind_script::wire::{Checkpoint, Script, SignedProposal, ThreadMessage, ThreadRole, ToolRevision};
use holdpoint_store::codes::{
    CURSOR, NOTHING, OWNER, PREVIEW, PREVIEWED, SCRIPT, SCRIPT_CHANGED, UNDO_BLOCKED, VERSION,
};
use holdpoint_store::workspace::{self, Beside, Bundle, By, Cause, OnLater, Way, WriteError};
use holdpoint_store::{Files, Sql, Workspace, session};
use holdpoint_text::ConflictReason;
use serde_json::json;

use super::{MissingBundle, ProjectNames, given};
use crate::answer::{EdgeError, with_members};

/// A script is a project.
pub const NAMES: ProjectNames = ProjectNames {
    kind: ScriptTool::ID,
    word: "tool",
    prefix: "tool_",
    reserves: false,
    refuse: |named| match named {
        MissingBundle::Absent => EdgeError::of(404, &SCRIPT, args! {}),
        MissingBundle::Foreign(id) => EdgeError::of(403, &OWNER, args! {}).with("tool_id", json!(id)),
        MissingBundle::Not(member) => ApiError::at(format!("/{member}"), &WHICH_SCRIPT, args! {}).into(),
    },
};

/// The protocol of turns that propose.
pub const EDIT_OPS: &str = "edit-ops";

/// What a proposal would change in the texts as sent.
pub fn preview(request: &PreviewRequest) -> Result<Preview, EdgeError> {
    let base = Base { files: Some(request.files.clone()), ..Base::default() };
    Ok(engine::preview(&ScriptTool, base, &request.edit, &given)?)
}

/// What came of an apply that a person asked for: what was signed, and the write that stored it.
pub enum ApplyOutcome {
    Applied(Box<Applied>),
    /// It cannot be applied, and changed nothing.
    Rejected(Box<Preview>),
}

/// Applies a proposal to what is stored. What cannot be applied is shown, and changes nothing.
pub fn apply<S: Sql>(
    workspace: &Workspace<S>,
    stored: &workspace::Head,
    request: &ApplyRequest,
    person: Person,
    by: By<'_>,
) -> Result<ApplyOutcome, EdgeError> {
    let asked = engine::ApplyRequest {
        bundle: Bundle::from(stored),
        request: &request.preview.edit,
        signature: &request.signature,
        revision: SeenRevision::Known(&request.base_revision),
        texts: Some(&request.preview.files),
        given: &given,
        by,
    };
    match engine::apply(workspace, &ScriptTool, &asked, person, |_| Beside::Nothing) {
        Ok(applied) => Ok(ApplyOutcome::Applied(Box::new(applied))),
        Err(ApplyError::Invalid { fresh }) => Ok(ApplyOutcome::Rejected(fresh)),
        Err(ApplyError::NeedsConfirmation { fresh }) => {
            Err(EdgeError::of(409, &PREVIEW, args! {}).with("preview", fresh.shown()))
        }
        Err(ApplyError::Stale { why, fresh }) => Err(conflict(why, &fresh)),
        Err(ApplyError::Request(error)) => Err(error.into()),
        Err(ApplyError::Write(refused)) => Err(fault(refused)),
    }
}

/// A script as it stands; `None`: nobody made it, or it was deleted.
pub fn head<S: Sql>(workspace: &Workspace<S>, id: &str) -> Result<Option<Script>, EdgeError> {
    let Some(head) = workspace.head(id)?.filter(|head| head.fingerprints.is_some()) else { return Ok(None) };
    let blocked = |of: Option<String>| -> Result<Option<Vec<String>>, EdgeError> {
        match of.map(|of| workspace.inverse(id, &of, OnLater::Refuse)) {
            None => Ok(None),
            Some(Ok(_)) => Ok(Some(Vec::new())),
            Some(Err(WriteError::Blocked { paths })) => Ok(Some(paths)),
            Some(Err(refused)) => Err(fault(refused)),
        }
    };
    let (back, forth) = (blocked(workspace.standing(id)?)?, blocked(workspace.taken_back(id)?)?);
    Ok(Some(Script {
        virtual_files: workspace.files(id)?.unwrap_or_default(),
        tool_id: head.id,
        title: head.title,
        revision_id: head.revision.id,
        updated_at: head.updated,
        base_fingerprints: head.fingerprints.unwrap_or_default(),
        can_undo: back.as_ref().is_some_and(Vec::is_empty),
        can_redo: forth.as_ref().is_some_and(Vec::is_empty),
        undo_blocked: back.unwrap_or_default(),
    }))
}

pub struct New<'n> {
    pub id: &'n str,
    pub title: &'n str,
    /// Whose list it belongs in.
    pub account: &'n str,
    pub files: &'n Files,
}

pub fn create<S: Sql>(workspace: &Workspace<S>, new: &New<'_>, by: Person, at: &By<'_>) -> Result<(), EdgeError> {
    let New { id, title, account, files } = *new;
    let bundle = Bundle { id, kind: ScriptTool::ID, title, owner: at.user, account: Some(account) };
    let change = hand(HandCause::Create, files.clone(), by);
    workspace.write(&bundle, &Base::default(), change, at).map(drop).map_err(fault)
}

/// Gives a script another title.
pub fn rename<S: Sql>(workspace: &Workspace<S>, id: &str, title: &str, account: &str) -> Result<(), EdgeError> {
    let head = workspace.head(id)?.ok_or_else(|| fault(WriteError::NotFound))?;
    let bundle = Bundle { title, account: Some(account), ..Bundle::from(&head) };
    workspace.rename(&bundle).map_err(fault)
}

/// Deletes a script; its revisions stay.
pub fn delete<S: Sql>(
    workspace: &Workspace<S>,
    id: &str,
    account: &str,
    by: Person,
    at: &By<'_>,
) -> Result<(), EdgeError> {
    let head = workspace.head(id)?.ok_or_else(|| fault(WriteError::NotFound))?;
    let bundle = Bundle { account: Some(account), ..Bundle::from(&head) };
    workspace.write(&bundle, &on(&head), Change::Removed(by), at).map(drop).map_err(fault)
}

/// Brings a deleted script back to its owner; one that is there stays as it is.
pub fn bring_back<S: Sql>(workspace: &Workspace<S>, id: &str, account: &str, at: &By<'_>) -> Result<(), EdgeError> {
    let head = workspace.head(id)?.ok_or_else(|| EdgeError::of(404, &SCRIPT, args! {}))?;
    if head.owner != at.user {
        return Err((NAMES.refuse)(MissingBundle::Foreign(id)));
    }
    let Some(before) = head.previous.as_ref().filter(|_| head.fingerprints.is_none()) else { return Ok(()) };
    let restored = workspace.step(id, &Way::Revision(before.id.clone())).map_err(fault)?;
    let bundle = Bundle { account: Some(account), ..Bundle::from(&head) };
    workspace.write(&bundle, &on(&head), Change::Restored(restored), at).map(drop).map_err(fault)
}

/// The revision that stands, as what a change is made on.
fn on(head: &workspace::Head) -> Base {
    Base { revision: Some(head.revision.id.clone()), ..Base::default() }
}

/// What a person does to a script on the revision that they saw.
pub enum PersonStep<'s> {
    /// Saves the files that changed.
    Save(&'s Files),
    /// Takes the newest standing apply back.
    Undo,
    /// Takes the newest undo back.
    Redo,
    /// Goes to other files of the history.
    Restore(&'s Version),
}

/// Does it; answers the script behind it, as one revision or, where a save changes nothing, none.
pub fn step<S: Sql>(
    workspace: &Workspace<S>,
    id: &str,
    base: &str,
    step: &PersonStep<'_>,
    by: Person,
    at: &By<'_>,
) -> Result<workspace::Head, EdgeError> {
    let seen = Base { revision: Some(base.to_owned()), ..Base::default() };
    let head = workspace.head(id)?.ok_or_else(|| fault(WriteError::NotFound))?;
    workspace.stands(id, &seen).map_err(fault)?;
    let inverse = |of: Option<String>, word: &'static str| {
        let of = of.ok_or(WriteError::NothingTo(word))?;
        workspace.inverse(id, &of, OnLater::Refuse)
    };
    let change = match step {
        PersonStep::Save(changed) => {
            let mut files = workspace.files(id)?.unwrap_or_default();
            files.extend((*changed).clone());
            hand(HandCause::Save, files, by)
        }
        PersonStep::Undo => Change::Restored(inverse(workspace.standing(id)?, "undo").map_err(fault)?),
        PersonStep::Redo => Change::Restored(inverse(workspace.taken_back(id)?, "redo").map_err(fault)?),
        PersonStep::Restore(to) => {
            let way = match (*to).clone() {
                Version::Revision(id) => Way::Revision(id),
                Version::Checkpoint(id) => Way::Checkpoint(id),
            };
            Change::Restored(workspace.step(id, &way).map_err(fault)?)
        }
    };
    workspace.write(&Bundle::from(&head), &seen, change, at).map_err(fault)
}

fn hand<R>(cause: HandCause, files: Files, by: Person) -> Change<R> {
    Change::Hand(Hand { files, facts: Facts::default(), cause, by })
}

/// One change, as its user sees it: what a person signed stands in the revision that applied it.
pub fn revision(revision: workspace::Revision) -> ToolRevision {
    let cause = match revision.cause {
        Cause::Create | Cause::Save => "hand",
        cause => cause.as_str(),
    };
    let proposal = revision.signed.map(|signed| {
        let confirmed_by = signed.confirmed.then(|| revision.actor.clone());
        with_members(revision.facts.0, SignedProposal { confirmed_by, correlation_id: signed.correlation })
    });
    ToolRevision {
        revision_id: revision.id,
        at: revision.at,
        actor: revision.actor,
        cause: cause.to_owned(),
        changed_files: revision.changed.into_keys().collect(),
        about: revision.about,
        proposal,
    }
}

/// A checkpoint, as its user sees it.
pub fn checkpoint(checkpoint: workspace::Checkpoint) -> Checkpoint {
    let workspace::Checkpoint { id, label, auto, revision, at } = checkpoint;
    Checkpoint { checkpoint_id: id, title: label, auto, revision_id: revision, at }
}

/// A message, as its user sees it.
pub fn message(message: session::Message) -> ThreadMessage {
    ThreadMessage {
        message_id: message.id,
        turn_id: message.turn,
        role: match message.role {
            session::Role::User => ThreadRole::User,
            session::Role::Assistant => ThreadRole::Assistant,
        },
        content: message.content,
        created_at: message.at,
        status: message.status,
        kind: message.protocol.replace('-', "_"),
        correlation_id: message.correlation,
        failure_outcome: message.outcome,
        decision: message.decision,
        decided_at: message.decided,
    }
}

/// A refusal in the words of these routes.
pub fn fault(refused: WriteError) -> EdgeError {
    match refused {
        WriteError::NotFound => EdgeError::of(404, &VERSION, args! {}),
        WriteError::Cursor => ApiError::at("/cursor", &CURSOR, args! {}).into(),
        WriteError::Stale { current } => EdgeError::of(409, &SCRIPT_CHANGED, args! {})
            .with("reason", "base_changed")
            .with("revision_id", json!(current.revision)),
        WriteError::Blocked { paths } => EdgeError::of(409, &UNDO_BLOCKED, args! {}).with("paths", json!(paths)),
        WriteError::NothingTo(word) => {
            EdgeError::of(409, &NOTHING, args! { action: word }).with("reason", format!("nothing_to_{word}"))
        }
        WriteError::Sql(error) => error.into(),
        // No issued token is asked for here.
        WriteError::Token => EdgeError::internal("a refusal of another kind"),
    }
}

/// 409 with what the proposal would do now.
fn conflict(why: Why, fresh: &Preview) -> EdgeError {
    let reason = why.conflict().map(ConflictReason::name);
    EdgeError::of(409, &PREVIEWED, args! {}).with("reason", json!(reason)).with("preview", fresh.shown())
}
