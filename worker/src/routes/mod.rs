//! The router: from a request to the handler of its row.
//!
//! The order is the same for all (ENGINE §8): the path, what is gone, who asks, whether there is room, the body, what is
//! asked. Which paths there are is data (`holdpoint_check::route`): rows of the engine in `holdpoint_store::routes`, a
//! kind's in its folder. Invariant: nothing of a body is read before its sender is known.

pub mod forward;
mod gateway;
mod models;
mod page;
mod request;
pub mod voice;

use std::rc::Rc;

use holdpoint_check::args;
use holdpoint_check::route::{Body, Errors, Found, Home, Route};
use holdpoint_gateway::{Code, Limits};
use holdpoint_store::codes::DEV_IN_PRODUCTION;
use holdpoint_store::ledger::Principal;
use holdpoint_store::routes as engine;
use serde_json::json;
use worker::{Env, Headers, Method, Request, Response, Result};

use crate::account::Caller;
use crate::answer::{Answer, EdgeError};
use crate::auth::{self, Reader};
use crate::envelope::REQUEST_HEADER;
use crate::headers::finish;
use crate::objects::Objects;
use crate::settings::Settings;
use crate::{body, kinds, shed};
pub use request::RouteRequest;
use request::query;
use voice::Voice;

/// Where the platform says from where a request comes.
const ADDRESS_HEADER: &str = "cf-connecting-ip";
/// The status of who is not known.
const UNKNOWN: u16 = 401;
/// From this status on a body may have been left where it is.
const REFUSED: u16 = 400;

/// What a request is about.
enum Id {
    Models(engine::models::Id),
    Gateway(engine::gateway::Id),
    Operator(engine::operator::Id),
    Kind(kinds::Id),
}

/// What every handler has at hand.
pub struct Edge {
    pub settings: Rc<Settings>,
    pub objects: Objects,
    pub env: Env,
}

impl Edge {
    /// The edge of a deployment.
    pub fn new(env: Env) -> Self {
        Self { settings: Settings::of(&env), objects: Objects::new(env.clone()), env }
    }

    pub async fn answer(&self, request: Request) -> Result<Response> {
        if self.settings.production && self.settings.dev_is_set {
            return alone(EdgeError::of(503, &DEV_IN_PRODUCTION, args! {}).response()?);
        }
        if let Some(asset) = kinds::assets(self, &request).await {
            return asset.or_else(|fault| alone(fault.response()?));
        }
        let path = request.path();
        if !is_api(&path) {
            return page::serve(request, &self.env, &self.settings).await;
        }
        let mut origin = request.headers().get("origin")?;
        let body = request.inner().body();
        let asked = if request.method() == Method::Options {
            request.headers().get("access-control-request-method")?.unwrap_or_default()
        } else {
            request.inner().method()
        };
        let (errors, found) = find(&asked, &path);
        let open = matches!(&found, Found::Row(_, Route { open: true, .. }, _) | Found::Gone(_, true));
        let marked = matches!(&found, Found::Row(_, route, _) if route.home == Home::Relay);
        let voice = match Voice::of(errors, &request) {
            Ok(voice) => voice,
            Err(fault) => return alone(fault.response()?),
        };
        if !open && let Err(fault) = auth::check_origin(&request, &self.settings) {
            return alone(voice.refuse_page(&fault)?);
        }
        if open {
            origin = Some("*".to_owned());
        }
        let mut principal = None;
        let (response, marked) = if request.method() == Method::Options {
            (voice.preflight(&request)?, false)
        } else {
            match self.handle(request, found, &voice, &mut principal).await {
                Ok(response) => (response, marked),
                Err(fault) => (voice.refuse(&fault)?, false),
            }
        };
        if response.status_code() >= REFUSED {
            body::linger(body).await;
        }
        // A relay marks its answers itself: they go on as they are.
        if marked {
            return Ok(response);
        }
        finished(response, origin.as_deref(), principal.as_deref(), voice.request_id())
    }

    /// Answers a request; `principal` is set as soon as it is known who asks, so that a refusal names them too.
    async fn handle(
        &self,
        request: Request,
        found: Found<Id>,
        voice: &Voice,
        principal: &mut Option<String>,
    ) -> Answer {
        let (id, route, places) = match found {
            Found::Row(id, route, places) => (id, route, places),
            Found::Gone((code, message), _) => return Err(EdgeError::new(410, code, message)),
            Found::NotAllowed => return Err(Code::MethodNotAllowed.into()),
            Found::Nowhere => return Err(nowhere(&request.path())),
        };
        let reader = match route.scope {
            Some(scope) => {
                let reader = self.reader(&request).await?;
                let name = principal.insert(reader.name());
                reader.check(&request, scope, name)?;
                Some(reader)
            }
            None => None,
        };
        let caller = reader.as_ref().map(|reader| reader.caller().clone());
        let _counted = caller.as_ref().map(|caller| shed::enter(caller, route.rate, self.limits())).transpose()?;
        let held = body::Held::default();
        let body = self.body(reader.as_ref(), route, &request, &held).await;
        let (id_of_answers, principal, bounds) = (voice.id.clone(), principal.clone(), self.limits().json());
        let asked = RouteRequest {
            request,
            route,
            places,
            id: id_of_answers,
            protocol: voice.protocol,
            caller,
            principal,
            body,
            bounds,
        };
        match id {
            Id::Models(id) => models::answer(self, id, asked).await,
            Id::Gateway(id) => gateway::answer(self, id, asked).await,
            Id::Operator(id) => gateway::watch(self, id, &asked).await,
            Id::Kind(id) => forward::answer(self, id, asked).await,
        }
    }

    /// The bytes that the row says, no further than it says; `None` where it reads nothing.
    async fn body(
        &self,
        reader: Option<&Reader>,
        route: &Route,
        request: &Request,
        held: &body::Held,
    ) -> std::result::Result<Option<Vec<u8>>, EdgeError> {
        let most = match route.body {
            Body::None => return Ok(None),
            Body::Unless(name, _) if query(&request.url()?, name).is_some() => return Ok(None),
            Body::Maybe(_) if is_bare(request)? => return Ok(None),
            Body::Json(most) | Body::Unless(_, most) | Body::Maybe(most) | Body::Form(most) => most,
            Body::Call => self.limits().max_body_bytes,
        };
        let Some(reader) = reader else { return Err(EdgeError::internal("a body of nobody")) };
        match route.body {
            Body::Form(_) => body::read_form(reader, request, most, held).await.map(Some),
            _ => body::read(reader, request, most, held).await.map(Some),
        }
    }

    /// Who asks, before anything of the body is read.
    async fn reader(&self, request: &Request) -> std::result::Result<Reader, EdgeError> {
        let address = request.headers().get(ADDRESS_HEADER)?.map(|address| shed::network(&address));
        let caller = auth::caller(request, &self.settings);
        if !caller.as_ref().is_ok_and(auth::is_recent) {
            shed::stranger(address.as_deref())?;
        }
        let known = match caller {
            Ok(caller) => Reader::known(&self.objects, caller).await,
            Err(fault) => Err(fault),
        };
        if known.as_ref().is_err_and(|fault| fault.status == UNKNOWN) {
            shed::refused(address);
        }
        known
    }

    /// Who asks, as of now.
    pub async fn principal(&self, caller: &Caller, scope: &str) -> std::result::Result<Principal, EdgeError> {
        auth::principal(&self.objects, caller, scope).await
    }

    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }
}

/// Whether nothing is behind the head: a stream without a byte is nothing too.
fn is_bare(request: &Request) -> std::result::Result<bool, EdgeError> {
    let none = request.headers().get("content-length")?.is_some_and(|length| length.trim() == "0");
    Ok(none || request.inner().body().is_none())
}

/// Whether a path is none of the page's.
fn is_api(path: &str) -> bool {
    ["/v1/", "/gateway/", "/api/"].iter().any(|prefix| path.starts_with(prefix))
        || holdpoint_kinds::routes::find("GET", path).is_some()
        || !matches!(engine::operator::TABLE.find("GET", path), Found::Nowhere)
}

/// The row of a request, and how its family says what went wrong.
fn find(method: &str, path: &str) -> (Errors, Found<Id>) {
    let (models, gateway) = (engine::models::TABLE, engine::gateway::TABLE);
    if models.owns(path) {
        return (models.errors, models.find(method, path).map(Id::Models));
    }
    if gateway.owns(path) {
        return (gateway.errors, gateway.find(method, path).map(Id::Gateway));
    }
    let operator = engine::operator::TABLE;
    let found = operator.find(method, path);
    if !matches!(found, Found::Nowhere) {
        return (operator.errors, found.map(Id::Operator));
    }
    let of_a_kind = holdpoint_kinds::routes::find(method, path);
    of_a_kind.map_or((Errors::House, Found::Nowhere), |(errors, found)| (errors, found.map(Id::Kind)))
}

/// Clients of a model protocol are told what there is.
fn nowhere(path: &str) -> EdgeError {
    let fault = EdgeError::from(Code::NotFound);
    let models = engine::models::TABLE;
    if !models.owns(path) {
        return fault;
    }
    let existing =
        models.all().map(|(root, _, route)| format!("{} {root}{}", route.method.name(), route.path.replace("*}", "}")));
    fault.with("existing", json!(existing.collect::<Vec<_>>()))
}

/// An answer of ours that no page may read.
fn alone(response: Response) -> Result<Response> {
    finish(response.headers(), None, "")?;
    Ok(response)
}

/// A response of an object has headers that cannot change, so it is rebuilt around the same body.
fn finished(
    response: Response,
    origin: Option<&str>,
    principal: Option<&str>,
    request_id: Option<&str>,
) -> Result<Response> {
    let headers = Headers::new();
    for (name, value) in response.headers().entries() {
        headers.append(&name, &value)?;
    }
    finish(&headers, origin, principal.unwrap_or_default())?;
    if let Some(id) = request_id {
        headers.set(REQUEST_HEADER, id)?;
    }
    let status = response.status_code();
    let raw: web_sys::Response = response.into();
    let init = web_sys::ResponseInit::new();
    init.set_status(status);
    init.set_headers(headers.0.as_ref());
    Ok(web_sys::Response::new_with_opt_readable_stream_and_init(raw.body().as_ref(), &init)?.into())
}
