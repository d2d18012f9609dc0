//! A user's extensions below `/api/v1/extensions` (spec: authoring.md §9.1).
//!
//! The account says who asks; the user's project answers.

use holdpoint_gateway::Code;
use holdpoint_store::wire::{Install, Proposal};
use serde_json::Value;
use worker::{Method, Request};

use crate::answer::{Answer, Fault, json_response};
use crate::auth::Reader;
use crate::body;
use crate::objects::ask;
use crate::project::{Action, Ask, Question};
use crate::routes::{Edge, query, segments, slice};
use crate::settings::MAX_BUNDLE_BODY_BYTES;

const SCOPE: &str = "edit";

/// Answers below `/api/v1/extensions`.
pub async fn answer(edge: &Edge, request: Request, path: &str) -> Answer {
    if path != "/api/v1/extensions" && !path.starts_with("/api/v1/extensions/") {
        return Err(Code::NotFound.into());
    }
    let parts = segments(path, "/api/v1/extensions");
    known(&parts, &request.method())?;
    let reader = edge.reader(&request, SCOPE).await?;
    let (question, status) = read(edge, &reader, &request, &parts).await?;
    // A body takes its time, and a project believes who is said to ask.
    let principal = edge.principal(reader.caller(), SCOPE).await?;
    let project = edge.objects.project(&reader.caller().account, &principal.user_id)?;
    let answer: Value = ask(&project, &Question { principal, ask: question }).await?;
    Ok(json_response(status, &answer)?)
}

/// Whether the path and its method exist.
fn known(parts: &[&str], method: &Method) -> Result<(), Fault> {
    let methods: &[Method] = match parts {
        [] => &[Method::Get, Method::Post],
        ["review"] | [_, "undo" | "redo" | "enable" | "disable"] => &[Method::Post],
        [_] => &[Method::Get, Method::Delete],
        [_, "revisions"] | [_, "revisions", _] => &[Method::Get],
        _ => return Err(Code::NotFound.into()),
    };
    if methods.contains(method) { Ok(()) } else { Err(Code::MethodNotAllowed.into()) }
}

async fn read(edge: &Edge, reader: &Reader, request: &Request, parts: &[&str]) -> Result<(Ask, u16), Fault> {
    let own = |id: &str| id.to_owned();
    Ok(match (parts, request.method()) {
        ([], Method::Get) => {
            let (cursor, limit) = slice(request)?;
            (Ask::List { cursor, limit }, 200)
        }
        ([], Method::Post) => {
            let body = bundle_body(edge, reader, request).await?;
            shaped::<Install>(&body)?;
            (Ask::Install { body }, 201)
        }
        (["review"], Method::Post) => {
            let body = bundle_body(edge, reader, request).await?;
            shaped::<Proposal>(&body)?;
            (Ask::Review { body }, 200)
        }
        ([id], Method::Get) => (Ask::Get { id: own(id) }, 200),
        ([id], Method::Delete) => (step(edge, reader, request, id, Action::Remove).await?, 200),
        ([id, "revisions"], Method::Get) => {
            let (cursor, limit) = slice(request)?;
            (Ask::Revisions { id: own(id), cursor, limit }, 200)
        }
        ([id, "revisions", revision], Method::Get) => (Ask::Revision { id: own(id), revision: own(revision) }, 200),
        ([id, action @ ("undo" | "redo" | "enable" | "disable")], Method::Post) => {
            let action = match *action {
                "undo" => Action::Undo,
                "redo" => Action::Redo,
                "enable" => Action::Enable,
                _ => Action::Disable,
            };
            (step(edge, reader, request, id, action).await?, 200)
        }
        _ => return Err(Code::NotFound.into()),
    })
}

async fn bundle_body(edge: &Edge, reader: &Reader, request: &Request) -> Result<Value, Fault> {
    body::read_json(reader, request, MAX_BUNDLE_BODY_BYTES, edge.limits()).await
}

/// Whether a body has the members of `T`; the project reads it again.
fn shaped<T: serde::de::DeserializeOwned>(body: &Value) -> Result<(), Fault> {
    serde_json::from_value::<T>(body.clone())
        .map(drop)
        .map_err(|error| Fault::invalid("", format!("Correct the body: {error}.")))
}

/// A step names the base that its user saw: in the body, or, where clients send none with DELETE, in the query.
async fn step(edge: &Edge, reader: &Reader, request: &Request, id: &str, action: Action) -> Result<Ask, Fault> {
    let in_query = query(&request.url()?, "base_hash");
    let body = match in_query {
        Some(_) => Value::Null,
        None => bundle_body(edge, reader, request).await?,
    };
    let base_hash = match (&body["base_hash"], in_query) {
        (_, Some(hash)) => Some(hash),
        (Value::String(hash), None) => Some(hash.clone()),
        (Value::Null, None) if body.get("base_hash").is_some() => None,
        _ => return Err(Fault::invalid("/base_hash", "Name the content hash that you saw, or null for none.")),
    };
    let reason = body["reason"].as_str().map(|text| text.chars().take(MAX_REASON).collect());
    Ok(Ask::Step { id: id.to_owned(), action, base_hash, reason })
}

const MAX_REASON: usize = 200;
