//! Scripts below `/api/v1/editor` (spec: script-tool.md §6).
//!
//! The account says who asks and whose the tool is; the tool's object answers. Invariants: every answer, also an error,
//! carries the request's correlation id; a tool of another account looks like none, one of another user is forbidden.

use std::collections::BTreeMap;

use holdpoint_author::editor as rules;
use holdpoint_gateway::Code;
use holdpoint_gateway::key::request_id;
use holdpoint_kinds::script_tool::VirtualFile;
use holdpoint_kinds::script_tool::limits::{HISTORY_LIMIT, MAX_HISTORY_LIMIT};
use holdpoint_store::workspace::{Refused, Way};
use holdpoint_text::hex;
use serde_json::{Value, json};
use worker::{Method, Request, RequestInit, Response};

use crate::account::{Caller, Entry, Question as AskAccount, Slice};
use crate::answer::Fault;
use crate::js::{now_ms, random};
use crate::kinds::script_tool;
use crate::kinds::script_tool::question::{Ask, EDITOR_PATH, Question};
use crate::objects::ask;
use crate::project::reply::{CORRELATION_HEADER, error_answer, json_answer};
use crate::routes::{Edge, query, slice};
use crate::{auth, body};

const ROOT: &str = "/api/v1/editor";
/// Largest body: five files and a proposal, escaped.
const MAX_BODY_BYTES: u64 = 16 << 20;
const SCOPE: &str = "edit";
const MAX_TITLE: usize = 200;
/// What ids of tools begin with.
const ID: &str = "tool_";
const EVAL_HEADER: &str = "x-skriptoteket-eval";

/// Whether a path is one of these.
pub fn has(path: &str) -> bool {
    path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Refuses a request before anything of it is read.
pub fn refuse(request: &Request, fault: &Fault) -> worker::Result<Response> {
    match correlation(request) {
        Ok(id) => error_answer(fault, &id),
        Err(fault) => fault.response(),
    }
}

/// Answers below `/api/v1/editor`.
pub async fn answer(edge: &Edge, request: Request, path: &str) -> worker::Result<Response> {
    let correlation_id = match correlation(&request) {
        Ok(id) => id,
        Err(fault) => return fault.response(),
    };
    if request.method() == Method::Options {
        let response = auth::preflight(&request)?;
        response.headers().set(CORRELATION_HEADER, &correlation_id)?;
        return Ok(response);
    }
    match handle(edge, request, path, &correlation_id).await {
        Ok(response) => Ok(response),
        Err(fault) => error_answer(&fault, &correlation_id),
    }
}

/// The request's UUID, or a fresh one.
fn correlation(request: &Request) -> Result<String, Fault> {
    let given = request.headers().get(CORRELATION_HEADER)?.unwrap_or_default();
    if is_uuid(&given) {
        return Ok(given);
    }
    let mut bytes: [u8; 16] = random()?;
    // Version 4, variant 1 (RFC 9562).
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hex(&bytes);
    Ok([&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-"))
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

async fn handle(edge: &Edge, request: Request, path: &str, correlation_id: &str) -> Result<Response, Fault> {
    let decoded = segments(path);
    let parts: Vec<&str> = decoded.iter().map(String::as_str).collect();
    let method = request.method();
    known(&parts, &method)?;
    let reader = edge.reader(&request, SCOPE).await?;
    let body = match method {
        Method::Post | Method::Put => Some(body::read_json(&reader, &request, MAX_BODY_BYTES, edge.limits()).await),
        _ => None,
    };
    let caller = reader.caller().clone();
    // Whose the tool is, before anything is said of the body.
    let named = match (parts.as_slice(), &body) {
        (["tools", id, ..], _) => Some((*id).to_owned()),
        (["edit-ops", ..], Some(Ok(body))) => body["tool_id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned),
        _ => None,
    };
    let account = edge.objects.account(&caller.account)?;
    let entry: Entry = ask(&account, &AskAccount::Enter { caller: caller.clone(), tool_id: named.clone() }).await?;
    let listed = match (&named, &entry.tool) {
        (Some(_), None) => return Err(Fault::not_found("There is no such script. List what there is.")),
        (Some(id), Some(tool)) if tool.owner != entry.principal.user_id => {
            return Err(
                Fault::new(403, "FORBIDDEN", "This script belongs to somebody else.").with("tool_id", json!(id))
            );
        }
        (_, tool) => tool.as_ref().map(|tool| tool.revision_id.clone()),
    };
    let eval = eval(edge, &request, &entry)?;
    let body = body.transpose()?.unwrap_or_default();
    if (parts.as_slice(), &method) == (&["tools"], &Method::Get) {
        return tools(edge, &request, caller, correlation_id).await;
    }
    let ask = read(&request, &parts, &method, &body)?;
    let tool_id = match named {
        Some(id) => id,
        // A ULID behind it, so that ids rise with time.
        None if matches!(ask, Ask::Create { .. }) => request_id(now_ms(), &random()?).replacen("req_", ID, 1),
        None => return Err(rules::AskError::invalid("/tool_id", "Name the script.").into()),
    };
    let project = edge.objects.tool(&caller.account, &tool_id)?;
    let correlation_id = correlation_id.to_owned();
    let question = Question { caller, principal: entry.principal, correlation_id, tool_id, listed, eval, ask };
    let text = serde_json::to_string(&question).map_err(worker::Error::from)?;
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_body(Some(text.into()));
    Ok(project.fetch_with_request(Request::new_with_init(&format!("http://object{EDITOR_PATH}"), &init)?).await?)
}

/// The segments of a path, decoded; what cannot be decoded stays as it came, and names nothing.
fn segments(path: &str) -> Vec<String> {
    let decoded =
        |segment: &str| js_sys::decode_uri_component(segment).map_or_else(|_| segment.to_owned(), String::from);
    let rest = path.strip_prefix(ROOT).and_then(|rest| rest.strip_prefix('/'));
    rest.map(|rest| rest.split('/').map(decoded).collect()).unwrap_or_default()
}

/// Whether the path and its method exist. An id that is empty names nothing: a slash too many is another path.
fn known(parts: &[&str], method: &Method) -> Result<(), Fault> {
    if parts.contains(&"") {
        return Err(Code::NotFound.into());
    }
    let methods: &[Method] = match parts {
        ["edit-ops"]
        | ["edit-ops", "preview" | "apply" | "discard"]
        | ["tools", _, "chat", "cancel"]
        | ["tools", _, "undo" | "redo" | "restore"] => &[Method::Post],
        ["tools"] | ["tools", _, "checkpoints"] => &[Method::Get, Method::Post],
        ["tools", _] => &[Method::Get, Method::Put],
        ["tools", _, "chat"] => &[Method::Get, Method::Post, Method::Delete],
        ["tools", _, "revisions"] | ["tools", _, "revisions", _] => &[Method::Get],
        _ => return Err(Code::NotFound.into()),
    };
    if methods.contains(method) { Ok(()) } else { Err(Code::MethodNotAllowed.into()) }
}

fn read(request: &Request, parts: &[&str], method: &Method, body: &Value) -> Result<Ask, Fault> {
    let base = || rules::text(body, "base_revision_id");
    let own = || body.clone();
    Ok(match (parts, method) {
        (["tools"], _) => Ask::Create { title: title(body)?, files: new_files(body)? },
        (["tools", _], Method::Get) => Ask::Head,
        (["tools", _], _) => Ask::Save { base: base()?, files: texts(body)? },
        (["tools", _, "undo"], _) => Ask::Undo { base: base()? },
        (["tools", _, "redo"], _) => Ask::Redo { base: base()? },
        (["tools", _, "restore"], _) => Ask::Restore { base: base()?, to: target(body)? },
        (["tools", _, "revisions"], _) => {
            let (cursor, limit) = slice(request)?;
            Ask::Revisions { cursor, limit }
        }
        (["tools", _, "revisions", id], _) => Ask::Revision { id: (*id).to_owned() },
        (["tools", _, "checkpoints"], Method::Get) => {
            let (cursor, limit) = slice(request)?;
            Ask::Checkpoints { cursor, limit }
        }
        (["tools", _, "checkpoints"], _) => Ask::Checkpoint { title: title(body)? },
        (["tools", _, "chat"], Method::Get) => Ask::History { limit: history_limit(request)? },
        (["tools", _, "chat"], Method::Delete) => Ask::Clear,
        (["tools", _, "chat"], _) => Ask::Chat { body: own() },
        (["tools", _, "chat", _], _) => Ask::Cancel,
        (["edit-ops"], _) => Ask::EditOps { body: own() },
        (["edit-ops", "preview"], _) => Ask::Preview { body: own() },
        (["edit-ops", "apply"], _) => Ask::Apply { body: own() },
        (["edit-ops", _], _) => Ask::Discard,
        _ => return Err(Code::NotFound.into()),
    })
}

async fn tools(edge: &Edge, request: &Request, caller: Caller, correlation_id: &str) -> Result<Response, Fault> {
    let (cursor, limit) = slice(request)?;
    if cursor.as_ref().is_some_and(|cursor| !cursor.starts_with(ID)) {
        return Err(script_tool::fault(Refused::Cursor));
    }
    let account = edge.objects.account(&caller.account)?;
    let page: Value = ask(&account, &AskAccount::Tools { caller, slice: Slice { cursor, limit } }).await?;
    Ok(json_answer(200, &page, correlation_id)?)
}

/// Measurements are an administrator's, and never made in production.
fn eval(edge: &Edge, request: &Request, entry: &Entry) -> Result<bool, Fault> {
    let asked = request.headers().get(EVAL_HEADER)?.is_some_and(|value| value.trim() == "1");
    if asked && (edge.settings.production || entry.principal.require("admin").is_err()) {
        return Err(Fault::new(403, "FORBIDDEN", "Measurements are for administrators, outside production."));
    }
    Ok(asked)
}

/// Where a restore goes: one of two names, each with an id of its own kind.
fn target(body: &Value) -> Result<Way, Fault> {
    let invalid = |name: &str, message: &str| Err(rules::AskError::invalid(format!("/{name}"), message).into());
    match (&body["revision_id"], &body["checkpoint_id"]) {
        (Value::Null, Value::Null) => invalid("revision_id", "Name a revision or a checkpoint."),
        (Value::String(id), Value::Null) if id.starts_with("cp_") => {
            invalid("revision_id", "This is the id of a checkpoint. Send it as `checkpoint_id`.")
        }
        (Value::Null, Value::String(id)) if id.starts_with("rev_") => {
            invalid("checkpoint_id", "This is the id of a revision. Send it as `revision_id`.")
        }
        (Value::String(id), Value::Null) => Ok(Way::Revision(id.clone())),
        (Value::Null, Value::String(id)) => Ok(Way::Checkpoint(id.clone())),
        (Value::Null, _) => invalid("checkpoint_id", "Send the id of a checkpoint."),
        (_, Value::Null) => invalid("revision_id", "Send the id of a revision."),
        _ => invalid("checkpoint_id", "Name a revision or a checkpoint, not both."),
    }
}

fn title(body: &Value) -> Result<String, Fault> {
    let title = body["title"].as_str().unwrap_or_default().trim();
    let fits = !title.is_empty() && title.chars().count() <= MAX_TITLE && !title.chars().any(char::is_control);
    if fits {
        Ok(title.to_owned())
    } else {
        Err(rules::AskError::invalid("/title", format!("Send a title of 1 to {MAX_TITLE} characters.")).into())
    }
}

/// The files of a new tool: as sent, a sample's, or empty.
fn new_files(body: &Value) -> Result<BTreeMap<String, String>, Fault> {
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
        (_, Value::Null) => {
            Err(rules::AskError::invalid("/sample", format!("The sample is called `{DOOR_REPORT}`.")).into())
        }
        _ => Err(rules::AskError::invalid("/sample", "Send either files or the name of a sample.").into()),
    }
}

/// The changed files of a save.
fn texts(body: &Value) -> Result<BTreeMap<String, String>, Fault> {
    if !body["virtual_files"].is_object() {
        return Err(rules::AskError::invalid("/virtual_files", "Send an object: path to text.").into());
    }
    let files = rules::files(body, false)?;
    rules::within_limits(&files)?;
    Ok(files.into_iter().map(|(file, text)| (file.id().to_owned(), text)).collect())
}

fn history_limit(request: &Request) -> Result<u32, Fault> {
    match query(&request.url()?, "limit") {
        None => Ok(HISTORY_LIMIT as u32),
        Some(text) => match text.parse::<u32>() {
            Ok(limit) if (1..=MAX_HISTORY_LIMIT as u32).contains(&limit) => Ok(limit),
            _ => {
                Err(rules::AskError::invalid("/limit", format!("Write a number from 1 to {MAX_HISTORY_LIMIT}.")).into())
            }
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
