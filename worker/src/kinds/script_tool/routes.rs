//! Scripts below `/api/v1/editor` (spec: script-tool.md §6).
//!
//! The tool's object answers; the account lists. Invariants: every answer, also an error,
//! carries the request's correlation id; a tool of another account looks like none, one of another user is forbidden.

use std::rc::Rc;

use holdpoint_check::error::RANGE;
use holdpoint_check::{ApiError, args};
use holdpoint_kind::Kind;
use holdpoint_kind_script::ScriptTool;
use holdpoint_kind_script::limits::{HISTORY_LIMIT, MAX_HISTORY_LIMIT};
use holdpoint_kind_script::requests::{
    ApplyRequest, NewScriptRequest, PreviewRequest, Version, base_revision, sent_files, title,
};
use holdpoint_kind_script::routes::Id;
use holdpoint_kind_script::wire::ToolItem;
use holdpoint_store::Page;
use holdpoint_store::codes::MEASURING;
use holdpoint_store::ledger::Listed;
use holdpoint_store::workspace::WriteError;
use serde_json::{Value, json};
use worker::{Request, State};

use super::{NAMES, perform};
use crate::account::AccountCommand;
use crate::answer::{Answer, EdgeError};
use crate::js::Gone;
use crate::kinds::script_tool::{self, ScriptCommand};
use crate::objects::ask;
use crate::project::reply::json_answer;
use crate::project::{Object, ObjectReply, ProjectCommand};
use crate::routes::{Edge, RouteRequest};

const EVAL_HEADER: &str = "x-skriptoteket-eval";

/// Answers a route of a script, in its project.
pub async fn handle(
    state: &State,
    object: &Rc<Object>,
    id: Id,
    mut head: ProjectCommand<()>,
    mut request: RouteRequest,
    gone: Gone,
) -> Result<ObjectReply, EdgeError> {
    head.eval = is_measured(object, &head, request.request())?;
    let body = request.json()?;
    let command = read(id, &request, body)?;
    perform(state, object, head.with(command), gone).await
}

/// What is asked of the script's project.
fn read(id: Id, asked: &RouteRequest, body: Value) -> Result<ScriptCommand, EdgeError> {
    let base = || base_revision(&body);
    Ok(match id {
        Id::List => return Err(EdgeError::internal("the account lists scripts")),
        Id::Create => ScriptCommand::Create(NewScriptRequest::read(&body)?),
        Id::Show => ScriptCommand::Head,
        Id::Rename => ScriptCommand::Rename { title: title(&body)? },
        Id::Delete => ScriptCommand::Delete,
        Id::BringBack => ScriptCommand::BringBack,
        Id::Save => ScriptCommand::Save { base: base()?, files: sent_files(&body)? },
        Id::Undo => ScriptCommand::Undo { base: base()? },
        Id::Redo => ScriptCommand::Redo { base: base()? },
        Id::Restore => ScriptCommand::Restore { base: base()?, to: Version::read(&body)? },
        Id::Revisions => {
            let slice = asked.slice()?;
            ScriptCommand::Revisions { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Revision => ScriptCommand::Revision { id: asked.place("revision_id") },
        Id::Checkpoints => {
            let slice = asked.slice()?;
            ScriptCommand::Checkpoints { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Checkpoint => ScriptCommand::Checkpoint { title: title(&body)? },
        Id::Thread => ScriptCommand::History { limit: history_limit(asked)? },
        Id::Clear => ScriptCommand::Clear,
        Id::Chat => ScriptCommand::Chat { body },
        Id::Stop => ScriptCommand::Cancel,
        Id::EditOps => ScriptCommand::EditOps { body },
        Id::Preview => ScriptCommand::Preview(PreviewRequest::read(body)?),
        Id::Apply => ScriptCommand::Apply(Box::new(ApplyRequest::read(body)?)),
        Id::Discard => ScriptCommand::Discard,
    })
}

/// One's scripts, as the account lists them.
pub async fn list(edge: &Edge, asked: &RouteRequest) -> Answer {
    let (caller, slice) = (asked.caller()?, asked.slice()?);
    if slice.cursor.as_ref().is_some_and(|cursor| !cursor.starts_with(NAMES.prefix)) {
        return Err(script_tool::fault(WriteError::Cursor));
    }
    let account = edge.objects.account(&caller.account)?;
    let listed = AccountCommand::Bundles { caller, kind: ScriptTool::ID.to_owned(), slice };
    let page: Page<Listed> = ask(&account, &listed).await?;
    let item = |Listed { id: tool_id, title, revision_id, updated_at, .. }| ToolItem {
        tool_id,
        title,
        revision_id,
        updated_at,
    };
    Ok(json_answer(200, &json!(page.map(item)), asked.id())?)
}

/// Measurements are an administrator's, and never made in production.
fn is_measured(object: &Object, head: &ProjectCommand<()>, request: &Request) -> Result<bool, EdgeError> {
    let asked = request.headers().get(EVAL_HEADER)?.is_some_and(|value| value.trim() == "1");
    if asked && (object.settings.production || head.principal.require("admin").is_err()) {
        return Err(EdgeError::of(403, &MEASURING, args! {}));
    }
    Ok(asked)
}

fn history_limit(asked: &RouteRequest) -> Result<u32, EdgeError> {
    match asked.query("limit")? {
        None => Ok(HISTORY_LIMIT as u32),
        Some(text) => match text.parse::<u32>() {
            Ok(limit) if (1..=MAX_HISTORY_LIMIT as u32).contains(&limit) => Ok(limit),
            _ => Err(ApiError::at("/limit", &RANGE, args! { least: 1, most: MAX_HISTORY_LIMIT }).into()),
        },
    }
}
