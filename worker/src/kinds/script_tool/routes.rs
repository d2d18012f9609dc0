//! Scripts below `/api/v1/editor` (spec: script-tool.md §6).
//!
//! The account says who asks and whose the tool is; the tool's object answers. Invariants: every answer, also an error,
//! carries the request's correlation id; a tool of another account looks like none, one of another user is forbidden.

use std::collections::BTreeMap;

use holdpoint_check::error::RANGE;
use holdpoint_check::{ApiError, args};
use holdpoint_gateway::key::request_id;
use holdpoint_kind::Kind;
use holdpoint_kind_script::limits::{HISTORY_LIMIT, MAX_HISTORY_LIMIT};
use holdpoint_kind_script::protocol as rules;
use holdpoint_kind_script::routes::Id;
use holdpoint_kind_script::wire::ToolItem;
use holdpoint_kind_script::{ScriptTool, VirtualFile};
use holdpoint_store::Page;
use holdpoint_store::codes::{
    FILES, MEASURING, NO_CHECKPOINT_ID, NO_REVISION_ID, ONE_VERSION, OWNER, SAMPLE_NAME, SAMPLE_OR_FILES, SCRIPT,
    TITLE, WHICH_SCRIPT,
};
use holdpoint_store::ledger::Listed;
use holdpoint_store::workspace::{Way, WriteError};
use serde_json::{Value, json};
use worker::Request;

use crate::account::{AccountCommand, Caller, Entered};
use crate::answer::{Answer, EdgeError};
use crate::js::{now_ms, random};
use crate::kinds::KindCommand;
use crate::kinds::script_tool::{self, ScriptCommand};
use crate::objects::ask;
use crate::project::ProjectCommand;
use crate::project::reply::json_answer;
use crate::routes::{Edge, Incoming};

const MAX_TITLE: usize = 200;
/// What ids of tools begin with.
const ID: &str = "tool_";
const EVAL_HEADER: &str = "x-skriptoteket-eval";

/// Answers a route of scripts.
pub async fn answer(edge: &Edge, id: Id, mut asked: Incoming) -> Answer {
    let caller = asked.caller()?;
    let named = named(id, &asked);
    // Whose the script is, before anything is said of the body.
    let account = edge.objects.account(&caller.account)?;
    let entry: Entered =
        ask(&account, &AccountCommand::Enter { caller: caller.clone(), bundle: named.clone() }).await?;
    let listed = match (&named, entry.bundle.as_ref().filter(|bundle| bundle.kind == ScriptTool::ID)) {
        (Some(_), None) => return Err(EdgeError::of(404, &SCRIPT, args! {})),
        (Some(id), Some(bundle)) if bundle.owner != entry.principal.user_id => {
            return Err(EdgeError::of(403, &OWNER, args! {}).with("tool_id", json!(id)));
        }
        (_, bundle) => bundle.map(|bundle| bundle.revision_id.clone()),
    };
    let eval = eval(edge, asked.request(), &entry)?;
    let body = asked.json()?;
    let Some(command) = read(id, &asked, &body)? else { return list(edge, &asked, caller).await };
    let bundle = match named {
        Some(id) => id,
        // A ULID behind it, so that ids rise with time.
        None if id == Id::Create => request_id(now_ms(), &random()?).replacen("req_", ID, 1),
        None => return Err(ApiError::at("/tool_id", &WHICH_SCRIPT, args! {}).into()),
    };
    let project = edge.objects.project(&caller.account, &format!("tool/{bundle}"))?;
    let (correlation_id, route) = (asked.id().to_owned(), asked.route().name());
    let command = KindCommand::ScriptTool(command);
    ProjectCommand { caller, principal: entry.principal, correlation_id, route, bundle, listed, eval, command }
        .ask(&project)
        .await
}

/// The script that a request names: in its path, or in its body.
fn named(id: Id, asked: &Incoming) -> Option<String> {
    match id {
        Id::List | Id::Create => None,
        Id::EditOps | Id::Preview | Id::Apply | Id::Discard => {
            asked.member("tool_id").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned)
        }
        Id::Show
        | Id::Save
        | Id::Undo
        | Id::Redo
        | Id::Restore
        | Id::Revisions
        | Id::Revision
        | Id::Checkpoints
        | Id::Checkpoint
        | Id::Thread
        | Id::Chat
        | Id::Clear
        | Id::Stop => Some(asked.place("tool_id")),
    }
}

/// What is asked of the script's project; `None`: the account lists scripts.
fn read(id: Id, asked: &Incoming, body: &Value) -> Result<Option<ScriptCommand>, EdgeError> {
    let base = || rules::text(body, "base_revision_id");
    let own = || body.clone();
    Ok(Some(match id {
        Id::List => return Ok(None),
        Id::Create => ScriptCommand::Create { title: title(body)?, files: new_files(body)? },
        Id::Show => ScriptCommand::Head,
        Id::Save => ScriptCommand::Save { base: base()?, files: texts(body)? },
        Id::Undo => ScriptCommand::Undo { base: base()? },
        Id::Redo => ScriptCommand::Redo { base: base()? },
        Id::Restore => ScriptCommand::Restore { base: base()?, to: target(body)? },
        Id::Revisions => {
            let slice = asked.slice()?;
            ScriptCommand::Revisions { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Revision => ScriptCommand::Revision { id: asked.place("revision_id") },
        Id::Checkpoints => {
            let slice = asked.slice()?;
            ScriptCommand::Checkpoints { cursor: slice.cursor, limit: slice.limit }
        }
        Id::Checkpoint => ScriptCommand::Checkpoint { title: title(body)? },
        Id::Thread => ScriptCommand::History { limit: history_limit(asked)? },
        Id::Clear => ScriptCommand::Clear,
        Id::Chat => ScriptCommand::Chat { body: own() },
        Id::Stop => ScriptCommand::Cancel,
        Id::EditOps => ScriptCommand::EditOps { body: own() },
        Id::Preview => ScriptCommand::Preview { body: own() },
        Id::Apply => ScriptCommand::Apply { body: own() },
        Id::Discard => ScriptCommand::Discard,
    }))
}

/// One's scripts, as the account lists them.
async fn list(edge: &Edge, asked: &Incoming, caller: Caller) -> Answer {
    let slice = asked.slice()?;
    if slice.cursor.as_ref().is_some_and(|cursor| !cursor.starts_with(ID)) {
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
fn eval(edge: &Edge, request: &Request, entry: &Entered) -> Result<bool, EdgeError> {
    let asked = request.headers().get(EVAL_HEADER)?.is_some_and(|value| value.trim() == "1");
    if asked && (edge.settings.production || entry.principal.require("admin").is_err()) {
        return Err(EdgeError::of(403, &MEASURING, args! {}));
    }
    Ok(asked)
}

/// Where a restore goes: one of two names, each with an id of its own kind.
fn target(body: &Value) -> Result<Way, EdgeError> {
    let invalid = |name: &str, code| Err(ApiError::at(format!("/{name}"), code, args! {}).into());
    match (&body["revision_id"], &body["checkpoint_id"]) {
        (Value::Null, Value::Null) => invalid("revision_id", &ONE_VERSION),
        (Value::String(id), Value::Null) if !id.starts_with("cp_") => Ok(Way::Revision(id.clone())),
        (Value::Null, Value::String(id)) if !id.starts_with("rev_") => Ok(Way::Checkpoint(id.clone())),
        (Value::Null, _) => invalid("checkpoint_id", &NO_CHECKPOINT_ID),
        (_, Value::Null) => invalid("revision_id", &NO_REVISION_ID),
        _ => invalid("checkpoint_id", &ONE_VERSION),
    }
}

fn title(body: &Value) -> Result<String, EdgeError> {
    let title = body["title"].as_str().unwrap_or_default().trim();
    let fits = !title.is_empty() && title.chars().count() <= MAX_TITLE && !title.chars().any(char::is_control);
    if fits {
        Ok(title.to_owned())
    } else {
        Err(ApiError::of(&TITLE, args! { limit: MAX_TITLE }).with("pointer", "/title").into())
    }
}

/// The files of a new tool: as sent, a sample's, or empty.
fn new_files(body: &Value) -> Result<BTreeMap<String, String>, EdgeError> {
    match (&body["sample"], &body["virtual_files"]) {
        (Value::Null, Value::Null) => Ok(VirtualFile::ALL.map(|file| (file.id().to_owned(), String::new())).into()),
        (Value::Null, _) => {
            let files = rules::files(body, true)?;
            rules::within_limits(&files)?;
            Ok(files.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect())
        }
        (name, Value::Null) if name == DOOR_REPORT => {
            Ok(SAMPLE.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
        }
        (_, Value::Null) => Err(ApiError::at("/sample", &SAMPLE_NAME, args! { name: DOOR_REPORT }).into()),
        _ => Err(ApiError::at("/sample", &SAMPLE_OR_FILES, args! {}).into()),
    }
}

/// The changed files of a save.
fn texts(body: &Value) -> Result<BTreeMap<String, String>, EdgeError> {
    if !body["virtual_files"].is_object() {
        return Err(ApiError::at("/virtual_files", &FILES, args! {}).into());
    }
    let files = rules::files(body, false)?;
    rules::within_limits(&files)?;
    Ok(files.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect())
}

fn history_limit(asked: &Incoming) -> Result<u32, EdgeError> {
    match asked.query("limit")? {
        None => Ok(HISTORY_LIMIT as u32),
        Some(text) => match text.parse::<u32>() {
            Ok(limit) if (1..=MAX_HISTORY_LIMIT as u32).contains(&limit) => Ok(limit),
            _ => Err(ApiError::at("/limit", &RANGE, args! { least: 1, most: MAX_HISTORY_LIMIT }).into()),
        },
    }
}

const DOOR_REPORT: &str = "door-report";
const SAMPLE: [(&str, &str); 5] = [
    ("tool.py", include_str!("../../../../fixtures/tools/door-report/tool.py")),
    ("entrypoint.txt", include_str!("../../../../fixtures/tools/door-report/entrypoint.txt")),
    ("settings_schema.json", include_str!("../../../../fixtures/tools/door-report/settings_schema.json")),
    ("input_schema.json", include_str!("../../../../fixtures/tools/door-report/input_schema.json")),
    ("usage_instructions.md", include_str!("../../../../fixtures/tools/door-report/usage_instructions.md")),
];
