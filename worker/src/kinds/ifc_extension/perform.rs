//! What is asked of a user's extensions in their project.

use holdpoint_check::route::WithFiles;
use holdpoint_store::Workspace;
use holdpoint_store::workspace::{By, WriteError};
use serde_json::{Value, json};

use super::{Action, act, conversation_of, fault, history, installed, record, review, revision, revisions};
use crate::answer::EdgeError;
use crate::auth::person;
use crate::js::now_ms;
use crate::project::once::Once;
use crate::project::{Object, ProjectCommand};
use crate::sql::ObjectSql;

/// What a user's extensions can be asked.
pub enum ExtensionCommand {
    List { cursor: Option<String>, limit: u32 },
    Get,
    Revisions { cursor: Option<String>, limit: u32 },
    Revision { revision: String },
    History { cursor: Option<String>, limit: u32 },
    Conversation { cursor: Option<String>, limit: u32 },
    Review { body: Value },
    Install { once: Option<Once>, body: Value },
    Step { once: Option<Once>, action: Action, base_hash: Option<String>, reason: Option<String> },
}

pub fn perform(object: &Object, asked: &ProjectCommand<()>, command: ExtensionCommand) -> Result<Value, EdgeError> {
    let workspace = object.workspace()?;
    let (id, principal) = (asked.bundle.as_str(), &asked.principal);
    let by = By { user: &principal.user_id, now: now_ms(), asked: None };
    Ok(match command {
        ExtensionCommand::List { cursor, limit } => {
            let page = workspace.list(cursor.as_deref().unwrap_or_default(), limit)?;
            json!(page.map(|head| record(&head)))
        }
        ExtensionCommand::Get => {
            let kept = workspace.head(id)?.as_ref().and_then(record).ok_or_else(|| fault(WriteError::NotFound))?;
            json!(WithFiles { kept, files: workspace.files(id)? })
        }
        ExtensionCommand::Revisions { cursor, limit } => json!(revisions(&workspace, id, cursor.as_deref(), limit)?),
        ExtensionCommand::Revision { revision: number } => {
            let (change, files) = workspace.revision(id, &number).map_err(fault)?;
            json!(WithFiles { kept: revision(change), files })
        }
        ExtensionCommand::History { cursor, limit } => json!(history(&workspace, cursor.as_deref(), limit)?),
        ExtensionCommand::Conversation { cursor, limit } => {
            json!(conversation_of(&workspace, (id, &principal.user_id), cursor.as_deref(), limit)?)
        }
        ExtensionCommand::Review { body } => review(&workspace, &body)?,
        ExtensionCommand::Install { once, body } => written(&workspace, once.as_ref(), &by, || {
            Ok(json!(installed(&workspace, &body, person(principal), &by)?))
        })?,
        ExtensionCommand::Step { once, action, base_hash, reason } => written(&workspace, once.as_ref(), &by, || {
            Ok(json!(act(&workspace, id, action, base_hash.as_deref(), reason, person(principal), &by)?))
        })?,
    })
}

/// Writes once for each key: who asks again is told what was answered. Nothing is awaited between the look and the
/// write, so two requests with one key cannot both write.
fn written(
    workspace: &Workspace<ObjectSql>,
    once: Option<&Once>,
    by: &By<'_>,
    write: impl FnOnce() -> Result<Value, EdgeError>,
) -> Result<Value, EdgeError> {
    match Once::answered(once, workspace, by.user, by.now)? {
        Some(answer) => Ok(answer),
        None => Once::keep(once, workspace, by.user, by.now, write()?),
    }
}
