//! A user's extensions below `/api/v1/extensions` (spec: authoring.md §9.1).
//!
//! The account says who asks; the user's project answers.

use holdpoint_gateway::Code;
use holdpoint_store::ledger::Principal;
use serde_json::Value;
use worker::{Method, Request};

use super::{Edge, query, read_json, segments, slice};
use crate::account::Question as AskAccount;
use crate::answer::{Answer, Fault, json_response};
use crate::objects::ask;
use crate::project::{Action, Ask, Proposal, Question, Signature};
use crate::settings::MAX_BUNDLE_BODY_BYTES;

/// Answers below `/api/v1/extensions`.
pub async fn answer(edge: &Edge, mut request: Request, path: &str) -> Answer {
    if path != "/api/v1/extensions" && !path.starts_with("/api/v1/extensions/") {
        return Err(Code::NotFound.into());
    }
    let caller = edge.caller(&request)?;
    let account = caller.account.clone();
    let verify = AskAccount::Verify { caller, scope: "edit".to_owned() };
    let principal: Principal = ask(&edge.objects.account(&account)?, &verify).await?;

    let parts = segments(path, "/api/v1/extensions");
    let (question, status) = read(edge, &mut request, &parts).await?;
    let project = edge.objects.project(&account, &principal.user_id)?;
    let answer: Value = ask(&project, &Question { actor: principal.actor(), ask: question }).await?;
    Ok(json_response(status, &answer)?)
}

async fn read(edge: &Edge, request: &mut Request, parts: &[&str]) -> Result<(Ask, u16), Fault> {
    let own = |id: &str| id.to_owned();
    Ok(match (parts, request.method()) {
        ([], Method::Get) => {
            let (cursor, limit) = slice(request)?;
            (Ask::List { cursor, limit }, 200)
        }
        ([], Method::Post) => {
            let body = bundle_body(edge, request).await?;
            let proposal = shaped::<Proposal>(&body)?;
            (Ask::Install { proposal, signature: shaped::<Signature>(&body)? }, 201)
        }
        (["review"], Method::Post) => {
            let body = bundle_body(edge, request).await?;
            (Ask::Review { proposal: shaped(&body)? }, 200)
        }
        ([id], Method::Get) => (Ask::Get { id: own(id) }, 200),
        ([id], Method::Delete) => (step(edge, request, id, Action::Remove).await?, 200),
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
            (step(edge, request, id, action).await?, 200)
        }
        ([] | [_] | [_, "revisions" | "undo" | "redo" | "enable" | "disable"] | [_, "revisions", _], _) => {
            return Err(Code::MethodNotAllowed.into());
        }
        _ => return Err(Code::NotFound.into()),
    })
}

async fn bundle_body(edge: &Edge, request: &mut Request) -> Result<Value, Fault> {
    read_json(request, MAX_BUNDLE_BODY_BYTES, edge.limits()).await
}

fn shaped<T: serde::de::DeserializeOwned>(body: &Value) -> Result<T, Fault> {
    serde_json::from_value(body.clone()).map_err(|error| Fault::invalid("", format!("Correct the body: {error}.")))
}

/// A step names the base that its user saw: in the body, or, where clients send none with DELETE, in the query.
async fn step(edge: &Edge, request: &mut Request, id: &str, action: Action) -> Result<Ask, Fault> {
    let in_query = query(&request.url()?, "base_hash");
    let body = match in_query {
        Some(_) => Value::Null,
        None => read_json(request, MAX_BUNDLE_BODY_BYTES, edge.limits()).await?,
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
