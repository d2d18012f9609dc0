//! What is asked of a script in its project, and answered without a model (spec: script-tool.md §6, §7, §9); a model's
//! request is a turn.
//!
//! Invariants: a write and its word on the thread are one transaction of the store; nothing is applied but by a person's
//! request that names what the person saw.

use std::rc::Rc;

use holdpoint_change::Confirm;
use holdpoint_check::args;
use holdpoint_kind_script::protocol::not_larger;
use holdpoint_kind_script::wire::{Discarded, Script, ScriptStep, Stopped, Thread, ToolRevisionWithFiles};
use holdpoint_store::Workspace;
use holdpoint_store::codes::{SCRIPT, UNLISTED};
use holdpoint_store::workspace::{Asked, By};
use serde_json::{Value, json};
use worker::{Response, State};

use super::command::{Command, ScriptCommand};
use super::turns::{self, ModelRequest};
use super::{capture, log};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::{Gone, now_ms};
use crate::kinds::script_tool::{self, EDIT_OPS, New, fault};
use crate::project::reply::{error_answer, json_answer};
use crate::project::{LIST_AGAIN_MS, Object};
use crate::sql::ObjectSql;

type Answered = Result<(u16, Value), EdgeError>;

/// Does what a script's project is asked.
pub async fn perform(state: &State, object: &Rc<Object>, asked: Command, gone: Gone) -> worker::Result<Response> {
    if let Some(request) = ModelRequest::read(&asked.command) {
        return turns::ask(state, object, asked, request, gone).await;
    }
    match (Scripts { object, asked: &asked }).answer().await {
        Ok((status, value)) => json_answer(status, &value, &asked.correlation_id),
        Err(fault) => error_answer(&fault, &asked.correlation_id),
    }
}

/// A command that needs no model, where it is answered.
struct Scripts<'s> {
    object: &'s Object,
    asked: &'s Command,
}

impl Scripts<'_> {
    async fn answer(&self) -> Answered {
        let Self { object, asked } = *self;
        let workspace = object.workspace()?;
        let now = now_ms();
        let (id, user) = (asked.bundle.as_str(), asked.principal.user_id.as_str());
        let by = By { user, now, asked: None };
        let sessions = object.sessions(&workspace);
        let session = sessions.of(id, user);
        object.expire(asked, now)?;
        let (status, answer, head) = match &asked.command {
            ScriptCommand::Create { title, files } => {
                // First the alarm: should this end halfway, it lists what was stored.
                object.set_alarm_by(now + LIST_AGAIN_MS).await?;
                let account = &asked.caller.account;
                let new = New { id, title, account, files };
                script_tool::create(&workspace, &new, person(&asked.principal), &by)?;
                let head = present(&workspace, id)?;
                if !object.list_new(account, id).await {
                    return Err(unlisted(id));
                }
                (201, json!(head), None)
            }
            ScriptCommand::Head => {
                let head = present(&workspace, id)?;
                (200, json!(head), Some(head))
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
                (200, json!(page.map(script_tool::revision)), None)
            }
            ScriptCommand::Revision { id: revision } => {
                let (revision, files) = workspace.revision(id, revision).map_err(fault)?;
                let revision = script_tool::revision(revision);
                (200, json!(ToolRevisionWithFiles { revision, virtual_files: files.unwrap_or_default() }), None)
            }
            ScriptCommand::Checkpoint { title } => {
                let made = workspace.checkpoint(id, title, &by).map_err(fault)?;
                (201, json!(script_tool::checkpoint(made)), None)
            }
            ScriptCommand::Checkpoints { cursor, limit } => {
                let page = workspace.checkpoints(id, cursor.as_deref(), *limit).map_err(fault)?;
                (200, json!(page.map(script_tool::checkpoint)), None)
            }
            ScriptCommand::Preview { body } => {
                let answer = script_tool::preview(body)?;
                log::preview(asked, now, body, &answer);
                capture::rejected(object, asked, body, body["virtual_files"].clone(), &answer).await;
                (200, answer, None)
            }
            ScriptCommand::Apply { body } => {
                let stored = present(&workspace, id)?;
                let (answer, head) = self.apply(body, &by)?;
                capture::rejected(object, asked, body, json!(stored.virtual_files), &answer).await;
                (200, answer, head)
            }
            ScriptCommand::Discard => {
                let asked_at = session.asked_at(&asked.correlation_id)?;
                let noted = session.discard(now, &asked_for(asked))?;
                if noted {
                    log::decision(asked, now, "discarded", asked_at);
                }
                (200, json!(Discarded { discarded: noted }), None)
            }
            ScriptCommand::History { limit } => {
                let messages = session.history(now, *limit)?.into_iter().map(script_tool::message).collect();
                let head = present(&workspace, id)?;
                (200, json!(Thread { messages, base_version_id: head.revision_id }), None)
            }
            ScriptCommand::Clear => {
                object.slots.stop(user).await;
                session.clear()?;
                (204, Value::Null, None)
            }
            ScriptCommand::Cancel => (200, json!(Stopped { cancelled: object.slots.stop(user).await }), None),
            ScriptCommand::Chat { .. } | ScriptCommand::EditOps { .. } => {
                return Err(EdgeError::internal("a model's request came here"));
            }
        };
        if head.is_some_and(|head| asked.listed.as_ref() != Some(&head.revision_id)) {
            object.list(&asked.caller.account, id).await;
        }
        object.set_alarm().await;
        Ok((status, answer))
    }

    /// Does what a person asks for on the revision that they saw; an undo or redo is logged.
    fn step(
        &self,
        base: &str,
        step: &script_tool::PersonStep<'_>,
        by: &By<'_>,
    ) -> Result<(u16, Value, Option<Script>), EdgeError> {
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
        Ok((200, json!(ScriptStep::from(head.clone())), Some(head)))
    }

    fn apply(&self, body: &Value, by: &By<'_>) -> Result<(Value, Option<Script>), EdgeError> {
        let workspace = self.object.workspace()?;
        let id = self.asked.bundle.as_str();
        let asked_at = self.object.sessions(&workspace).of(id, by.user).asked_at(&self.asked.correlation_id)?;
        let stored = workspace.head(id)?.ok_or_else(missing)?;
        let signer = person(&self.asked.principal);
        let by = By { asked: Some(asked_for(self.asked)), ..*by };
        let (mut answer, applied) = script_tool::apply(&workspace, &stored, body, signer, by).map_err(|fault| {
            if fault.code != "CONFLICT" {
                return fault;
            }
            log::decision(self.asked, by.now, "stale", asked_at);
            fault.with("revision_id", json!(stored.revision.id))
        })?;
        log::preview(self.asked, by.now, body, &answer);
        let Some(applied) = applied else { return Ok((answer, None)) };
        let is_confirmed = applied.preview.staged.confirm != Confirm::None;
        log::decision(self.asked, by.now, if is_confirmed { "confirmed" } else { "applied" }, asked_at);
        let head = present(&workspace, id)?;
        answer["revision_id"] = json!(head.revision_id);
        answer["can_undo"] = json!(head.can_undo);
        answer["can_redo"] = json!(head.can_redo);
        answer["base_fingerprints"] = json!(head.base_fingerprints);
        Ok((answer, Some(head)))
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
