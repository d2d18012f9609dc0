//! From the Worker to the project that answers a request, which reads it there (ENGINE §8).
//!
//! Whose object that is, its row says; that a named bundle is the caller's, the account says, before anything is said of
//! the body, or the project of one that was removed. Who asks and what was found travel in one header, and whatever came
//! in under its name does not.

use holdpoint_check::ApiError;
use holdpoint_check::route::{Found, Home};
use holdpoint_gateway::Code;
use holdpoint_gateway::key::request_id;
use holdpoint_store::ledger::{Listed, Principal};
use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use worker::{Headers, Request, RequestInit, Stub};

use super::voice::Voice;
use super::{Edge, RouteRequest};
use crate::account::{AccountCommand, Caller, Entered};
use crate::answer::{Answer, EdgeError};
use crate::js::{now_ms, random};
use crate::kinds::{self, MissingBundle, ProjectNames};
use crate::objects::{Objects, ask, header_text};
use crate::project::ProjectCommand;
use crate::project::once::Once;
use crate::settings::Settings;

const HEAD_HEADER: &str = "holdpoint-route";
/// What a project needs not hear of: who asks stands in [`Head`], and a body is measured anew.
const DROPPED: [&str; 5] = ["authorization", "x-api-key", "cookie", "content-length", "transfer-encoding"];

/// What the Worker knows of a request that it forwards.
#[derive(Serialize, Deserialize)]
struct Head {
    caller: Caller,
    principal: Principal,
    /// What names the request in its answers.
    id: String,
    /// The bundle; empty where none is named.
    bundle: String,
    /// The revision that the account lists, so that the list can follow.
    listed: Option<String>,
    body: HeadBody,
}

/// What stands behind the head.
#[derive(Serialize, Deserialize)]
enum HeadBody {
    Absent,
    Sent,
    /// What was wrong with it: a project may have to say something else first.
    Refused {
        status: u16,
        error: ApiError,
    },
}

/// A request at the project that answers it.
pub struct Arrived {
    pub id: kinds::Id,
    pub head: ProjectCommand<()>,
    pub request: RouteRequest,
    pub voice: Voice,
}

/// The bundle that a request is about.
struct Target {
    principal: Principal,
    object: String,
    bundle: String,
    listed: Option<String>,
}

/// Answers a route of a kind: from its object, or, where that is the account, here.
pub async fn answer(edge: &Edge, id: kinds::Id, mut request: RouteRequest) -> Answer {
    let target = match request.route().home {
        Home::Account | Home::Relay | Home::Slug(_) => return kinds::answer(edge, id, request).await,
        Home::User => {
            // A body takes its time, and a project believes who is said to ask.
            let principal = edge.principal(&request.caller()?, request.route().scope.unwrap_or_default()).await?;
            let object = format!("user/{}", principal.user_id);
            Target { principal, object, bundle: String::new(), listed: None }
        }
        Home::Path(place) => own(edge, id, &request, request.place(place)).await?,
        Home::Unlisted(place) => {
            let (bundle, names) = (request.place(place), kinds::names(id));
            // An id of another form has no project, and gets none.
            if !bundle.starts_with(names.prefix) {
                return Err((names.refuse)(MissingBundle::Absent));
            }
            let principal = edge.principal(&request.caller()?, request.route().scope.unwrap_or_default()).await?;
            Target { principal, object: format!("{}/{bundle}", names.word), bundle, listed: None }
        }
        Home::Body(member) => {
            let Some(bundle) = request.member(member) else {
                request.json()?;
                return Err((kinds::names(id).refuse)(MissingBundle::Not(member)));
            };
            own(edge, id, &request, bundle).await?
        }
        Home::New => new(edge, id, &request).await?,
    };
    let project = edge.objects.project(&request.caller()?.account, &target.object)?;
    send(&project, request, target).await
}

/// A bundle of the caller's, by its id.
async fn own(edge: &Edge, id: kinds::Id, request: &RouteRequest, bundle: String) -> Result<Target, EdgeError> {
    let (caller, names) = (request.caller()?, kinds::names(id));
    let account = edge.objects.account(&caller.account)?;
    let entered: Entered = ask(&account, &AccountCommand::Enter { caller, bundle: Some(bundle.clone()) }).await?;
    let principal = entered.principal;
    match entered.bundle.filter(|listed| listed.kind == names.kind) {
        None => Err((names.refuse)(MissingBundle::Absent)),
        Some(Listed { owner, .. }) if owner != principal.user_id => {
            Err((names.refuse)(MissingBundle::Foreign(&bundle)))
        }
        Some(Listed { revision_id, .. }) => {
            let object = format!("{}/{bundle}", names.word);
            Ok(Target { principal, object, bundle, listed: Some(revision_id) })
        }
    }
}

/// A bundle that is about to be made.
async fn new(edge: &Edge, id: kinds::Id, request: &RouteRequest) -> Result<Target, EdgeError> {
    let (caller, names) = (request.caller()?, kinds::names(id));
    let account = edge.objects.account(&caller.account)?;
    let Entered { principal, .. } =
        ask(&account, &AccountCommand::Enter { caller: caller.clone(), bundle: None }).await?;
    let key = if names.reserves { Once::key(request)? } else { None };
    let bundle = new_id(&edge.objects, names, caller, key).await?;
    Ok(Target { principal, object: format!("{}/{bundle}", names.word), bundle, listed: None })
}

/// The id of a bundle that is about to be made. A request that is sent again under its key gets the same one.
pub async fn new_id(
    objects: &Objects,
    names: &ProjectNames,
    caller: Caller,
    key: Option<String>,
) -> Result<String, EdgeError> {
    // A ULID behind it, so that ids rise with time.
    let id = request_id(now_ms(), &random()?).replacen("req_", names.prefix, 1);
    let Some(key) = key else { return Ok(id) };
    ask(&objects.account(&caller.account)?, &AccountCommand::Reserve { caller, key, id }).await
}

async fn send(project: &Stub, mut request: RouteRequest, target: Target) -> Answer {
    let Target { principal, bundle, listed, .. } = target;
    let (body, bytes) = match request.take() {
        Ok(Some(bytes)) => (HeadBody::Sent, Some(bytes)),
        Ok(None) => (HeadBody::Absent, None),
        Err(EdgeError(error)) => (HeadBody::Refused { status: error.status, error }, None),
    };
    let head = Head { caller: request.caller()?, principal, id: request.id().to_owned(), bundle, listed, body };
    let (url, method) = (request.request().url()?, request.request().method());
    let headers =
        Headers(web_sys::Headers::new_with_headers(&request.request().headers().0).map_err(worker::Error::from)?);
    for name in DROPPED {
        headers.delete(name)?;
    }
    headers.set(HEAD_HEADER, &header_text(&head)?)?;
    let mut init = RequestInit::new();
    init.with_method(method)
        .with_headers(headers)
        .with_body(bytes.map(|bytes| Uint8Array::from(bytes.as_slice()).into()));
    let sent = Request::new_with_init(url.as_str(), &init)?;
    project.fetch_with_request(sent).await.map_err(|_| Code::LedgerUnavailable.into())
}

impl Arrived {
    /// Reads what the Worker forwarded; the row is found as the Worker found it.
    pub async fn read(mut request: Request, settings: &Settings) -> Result<Self, EdgeError> {
        let head = request.headers().get(HEAD_HEADER)?.unwrap_or_default();
        let Head { caller, principal, id: name, bundle, listed, body } = serde_json::from_str(&head)?;
        let (method, path) = (request.method(), request.path());
        let Some((errors, Found::Row(id, route, places))) = holdpoint_kinds::routes::find(method.as_ref(), &path)
        else {
            return Err(EdgeError::internal("a row of another table"));
        };
        let body = match body {
            HeadBody::Absent => Ok(None),
            HeadBody::Sent => Ok(Some(request.bytes().await?)),
            HeadBody::Refused { status, error } => Err(error.status(status).into()),
        };
        let voice = Voice::forwarded(errors, name.clone(), &request)?;
        let head = ProjectCommand {
            caller: caller.clone(),
            principal,
            correlation_id: name.clone(),
            route: route.name(),
            bundle,
            listed,
            eval: false,
            command: (),
        };
        let bounds = settings.limits.json();
        let request = RouteRequest {
            request,
            route,
            places,
            id: name,
            protocol: voice.protocol,
            caller: Some(caller),
            principal: None,
            body,
            bounds,
        };
        Ok(Self { id, head, request, voice })
    }
}
