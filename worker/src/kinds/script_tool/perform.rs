//! What is asked of a script in its project, and answered without a model (spec: script-tool.md §6, §7, §9); a model's
//! request is a turn.
//!
//! Invariants: a write and its word on the thread are one transaction of the store; nothing is applied but by a person's
//! request that names what the person saw.

use std::rc::Rc;

use holdpoint_change::{Confirm, Preview};
use holdpoint_check::args;
use holdpoint_kind_script::protocol::not_larger;
use holdpoint_kind_script::requests::{ApplyRequest, NewScriptRequest};
use holdpoint_kind_script::wire::{Discarded, Script, ScriptStep, Stopped, Thread, ToolRevisionWithFiles};
use holdpoint_store::Workspace;
use holdpoint_store::codes::{SCRIPT, UNLISTED};
use holdpoint_store::workspace::{Asked, By};
use serde_json::{Value, json};
use worker::State;

use super::command::{Command, ScriptCommand};
use super::shown::{AppliedHead, ApplyMembers, PreviewFacts};
use super::turns::{self, ModelRequest};
use super::{capture, log};
use crate::answer::{EdgeError, with_members};
use crate::auth::person;
use crate::js::{Gone, now_ms};
use crate::kinds::script_tool::{self, ApplyOutcome, EDIT_OPS, New, fault};
use crate::project::{LIST_AGAIN_MS, Object, ObjectReply};
use crate::sql::ObjectSql;

/// Does what a script's project is asked.
pub async fn perform(state: &State, object: &Rc<Object>, asked: Command, gone: Gone) -> Result<ObjectReply, EdgeError> {
    if let Some(request) = ModelRequest::read(&asked.command) {
        return Ok(ObjectReply::Response(turns::ask(state, object, asked, request, gone).await?));
    }
    (Scripts { object, asked: &asked }).answer().await.map(ObjectReply::Json)
}

/// A command that needs no model, where it is answered.
struct Scripts<'s> {
    object: &'s Object,
    asked: &'s Command,
}

impl Scripts<'_> {
    async fn answer(&self) -> Result<Value, EdgeError> {
        let Self { object, asked } = *self;
        let workspace = object.workspace()?;
        let now = now_ms();
        let (id, user) = (asked.bundle.as_str(), asked.principal.user_id.as_str());
        let by = By { user, now, asked: None };
        let sessions = object.sessions(&workspace);
        let session = sessions.of(id, user);
        object.expire(asked, now)?;
        let (answer, head) = match &asked.command {
            ScriptCommand::Create(NewScriptRequest { title, files }) => {
                // First the alarm: should this end halfway, it lists what was stored.
                object.set_alarm_by(now + LIST_AGAIN_MS).await?;
                let account = &asked.caller.account;
                let new = New { id, title, account, files };
                script_tool::create(&workspace, &new, person(&asked.principal), &by)?;
                let head = present(&workspace, id)?;
                if !object.list_new(account, id).await {
                    return Err(unlisted(id));
                }
                (json!(head), None)
            }
            ScriptCommand::Head => {
                let head = present(&workspace, id)?;
                (json!(head), Some(head))
            }
            ScriptCommand::Rename { .. } | ScriptCommand::BringBack => {
                self.relist(&by).await?;
                (json!(present(&workspace, id)?), None)
            }
            ScriptCommand::Delete => {
                self.relist(&by).await?;
                (Value::Null, None)
            }
            ScriptCommand::Save { base, files } => {
                not_larger(&present(&workspace, id)?.virtual_files, files)?;
                self.step(base, &script_tool::PersonStep::Save(files), &by)?
            }
            ScriptCommand::Undo { base } => self.step(base, &script_tool::PersonStep::Undo, &by)?,
            ScriptCommand::Redo { base } => self.step(base, &script_tool::PersonStep::Redo, &by)?,
            ScriptCommand::Restore { base, to } => self.step(base, &script_tool::PersonStep::Restore(to), &by)?,
            ScriptCommand::Revisions { cursor, limit } => {
                let page = workspace.revisions(id, cursor.as_deref(), *limit).map_err(fault)?;
                (json!(page.map(script_tool::revision)), None)
            }
            ScriptCommand::Revision { id: revision } => {
                let (revision, files) = workspace.revision(id, revision).map_err(fault)?;
                let revision = script_tool::revision(revision);
                (json!(ToolRevisionWithFiles { revision, virtual_files: files.unwrap_or_default() }), None)
            }
            ScriptCommand::Checkpoint { title } => {
                let made = workspace.checkpoint(id, title, &by).map_err(fault)?;
                (json!(script_tool::checkpoint(made)), None)
            }
            ScriptCommand::Checkpoints { cursor, limit } => {
                let page = workspace.checkpoints(id, cursor.as_deref(), *limit).map_err(fault)?;
                (json!(page.map(script_tool::checkpoint)), None)
            }
            ScriptCommand::Preview(request) => {
                let preview = script_tool::preview(request)?;
                let facts = PreviewFacts::from(&preview);
                log::preview(asked, now, request.edit.ops.len(), &facts);
                capture::rejected(object, asked, &request.sent, &request.files, &facts).await;
                (preview.shown(), None)
            }
            ScriptCommand::Apply(request) => {
                let stored = present(&workspace, id)?;
                let (preview, head) = self.apply(request, &by)?;
                let facts = PreviewFacts::from(&preview);
                capture::rejected(object, asked, &request.preview.sent, &stored.virtual_files, &facts).await;
                let more = ApplyMembers { applied: head.is_some(), head: head.as_ref().map(AppliedHead::from) };
                (with_members(preview.shown(), more), head)
            }
            ScriptCommand::Discard => {
                let asked_at = session.asked_at(&asked.correlation_id)?;
                let noted = session.discard(now, &asked_for(asked))?;
                if noted {
                    log::decision(asked, now, "discarded", asked_at);
                }
                (json!(Discarded { discarded: noted }), None)
            }
            ScriptCommand::History { limit } => {
                let messages = session.history(now, *limit)?.into_iter().map(script_tool::message).collect();
                let head = present(&workspace, id)?;
                (json!(Thread { messages, base_version_id: head.revision_id }), None)
            }
            ScriptCommand::Clear => {
                object.slots.stop(user).await;
                session.clear()?;
                (Value::Null, None)
            }
            ScriptCommand::Cancel => (json!(Stopped { cancelled: object.slots.stop(user).await }), None),
            ScriptCommand::Chat { .. } | ScriptCommand::EditOps { .. } => {
                return Err(EdgeError::internal("a model's request came here"));
            }
        };
        if head.is_some_and(|head| asked.listed.as_ref() != Some(&head.revision_id)) {
            object.list(&asked.caller.account, id).await;
        }
        object.set_alarm().await;
        Ok(answer)
    }

    /// Does what changes how the account lists the script, and tells it. Where nobody hears it, the alarm says it again.
    async fn relist(&self, by: &By<'_>) -> Result<(), EdgeError> {
        let Self { object, asked } = *self;
        let (workspace, id, account) = (object.workspace()?, asked.bundle.as_str(), asked.caller.account.as_str());
        object.set_alarm_by(by.now + LIST_AGAIN_MS).await?;
        match &asked.command {
            ScriptCommand::Rename { title } => script_tool::rename(&workspace, id, title, account)?,
            ScriptCommand::BringBack => script_tool::bring_back(&workspace, id, account, by)?,
            _ => {
                object.slots.stop(by.user).await;
                script_tool::delete(&workspace, id, account, person(&asked.principal), by)?;
            }
        }
        object.list_new(account, id).await;
        Ok(())
    }

    /// Does what a person asks for on the revision that they saw; an undo or redo is logged.
    fn step(
        &self,
        base: &str,
        step: &script_tool::PersonStep<'_>,
        by: &By<'_>,
    ) -> Result<(Value, Option<Script>), EdgeError> {
        let workspace = self.object.workspace()?;
        let done = script_tool::step(&workspace, &self.asked.bundle, base, step, person(&self.asked.principal), by)?;
        let word = match step {
            script_tool::PersonStep::Undo => Some("undone"),
            script_tool::PersonStep::Redo => Some("applied"),
            _ => None,
        };
        if let Some(word) = word {
            let about = done.revision.about.as_deref().unwrap_or_default();
            log::decision(self.asked, by.now, word, self.object.sessions(&workspace).asked_for(about)?);
        }
        let head = present(&workspace, &self.asked.bundle)?;
        Ok((json!(ScriptStep::from(head.clone())), Some(head)))
    }

    /// Applies what a person signed; answers what it is, and the script behind it where it was applied.
    fn apply(&self, request: &ApplyRequest, by: &By<'_>) -> Result<(Preview, Option<Script>), EdgeError> {
        let workspace = self.object.workspace()?;
        let id = self.asked.bundle.as_str();
        let asked_at = self.object.sessions(&workspace).of(id, by.user).asked_at(&self.asked.correlation_id)?;
        let stored = workspace.head(id)?.ok_or_else(missing)?;
        let signer = person(&self.asked.principal);
        let by = By { asked: Some(asked_for(self.asked)), ..*by };
        let outcome = script_tool::apply(&workspace, &stored, request, signer, by).map_err(|fault| {
            if fault.code != "CONFLICT" {
                return fault;
            }
            log::decision(self.asked, by.now, "stale", asked_at);
            fault.with("revision_id", json!(stored.revision.id))
        })?;
        let log = |preview: &Preview| {
            log::preview(self.asked, by.now, request.preview.edit.ops.len(), &PreviewFacts::from(preview));
        };
        match outcome {
            ApplyOutcome::Rejected(preview) => {
                log(&preview);
                Ok((*preview, None))
            }
            ApplyOutcome::Applied(applied) => {
                let preview = applied.preview;
                log(&preview);
                let is_confirmed = preview.staged.confirm != Confirm::None;
                log::decision(self.asked, by.now, if is_confirmed { "confirmed" } else { "applied" }, asked_at);
                Ok((preview, Some(present(&workspace, id)?)))
            }
        }
    }
}

/// The turn of a request that proposed an edit.
fn asked_for(asked: &Command) -> Asked<'_> {
    Asked { protocol: EDIT_OPS, correlation: &asked.correlation_id }
}

/// A script as it stands.
fn present(workspace: &Workspace<ObjectSql>, id: &str) -> Result<Script, EdgeError> {
    script_tool::head(workspace, id)?.ok_or_else(missing)
}

/// It is stored, and its maker does not find it yet.
fn unlisted(id: &str) -> EdgeError {
    EdgeError::of(503, &UNLISTED, args! {}).with("tool_id", id)
}

/// The account lists it and its object is empty: its creation was cut off.
fn missing() -> EdgeError {
    EdgeError::of(404, &SCRIPT, args! {})
}
