//! The paths of the edge. One file a family; each handler reads as what it does.
//!
//! The order is the same for all (ENGINE §9): the path, who asks, the body, what is asked. Invariant: nothing of a body
//! is read before its sender is known.

mod gateway;
mod model;
mod page;

use std::rc::Rc;

use holdpoint_gateway::Limits;
use holdpoint_store::ledger::Principal;
use worker::{Env, Headers, Method, Request, Response, Result, Url};

use crate::account::Caller;
use crate::answer::{Answer, Fault};
use crate::auth::{self, Reader};
use crate::body;
use crate::kinds::ifc_extension::routes as ifc_extension;
use crate::kinds::script_tool::routes as script_tool;
use crate::objects::Objects;
use crate::settings::Settings;

/// From this status on a body may have been left where it is.
const REFUSED: u16 = 400;

/// What every handler has at hand.
pub struct Edge {
    pub settings: Rc<Settings>,
    pub objects: Objects,
    env: Env,
}

impl Edge {
    /// The edge of a deployment.
    pub fn new(env: Env) -> Self {
        Self { settings: Settings::of(&env), objects: Objects::new(env.clone()), env }
    }

    /// Answers one request.
    pub async fn answer(&self, request: Request) -> Result<Response> {
        if self.settings.production && self.settings.dev_is_set {
            return Fault::new(503, "DEV_IN_PRODUCTION", "HOLDPOINT_DEV is set in production. Remove it.").response();
        }
        let path = request.path();
        let is_api = ["/v1/", "/gateway/", "/api/"].iter().any(|prefix| path.starts_with(prefix));
        if !is_api {
            return page::serve(request, &self.env).await;
        }
        let origin = request.headers().get("origin")?;
        let body = request.inner().body();
        let response = match auth::check_origin(&request, &self.settings) {
            Err(fault) if script_tool::has(&path) => return script_tool::refuse(&request, &fault),
            Err(fault) => return fault.response(),
            Ok(()) if script_tool::has(&path) => script_tool::answer(self, request, &path).await,
            Ok(()) if request.method() == Method::Options => auth::preflight(&request),
            Ok(()) if path.starts_with("/v1/") => model::answer(self, request, &path).await,
            Ok(()) if path.starts_with("/gateway/") => settle(gateway::answer(self, request, &path).await),
            Ok(()) => settle(ifc_extension::answer(self, request, &path).await),
        }?;
        if response.status_code() >= REFUSED {
            body::linger(body).await;
        }
        with_cors(response, origin.as_deref())
    }

    /// Who asks, before anything of the body is read.
    pub async fn reader(&self, request: &Request, scope: &'static str) -> std::result::Result<Reader, Fault> {
        Reader::known(&self.objects, auth::caller(request, &self.settings)?, scope).await
    }

    /// Who asks, as of now.
    pub async fn principal(&self, caller: &Caller, scope: &str) -> std::result::Result<Principal, Fault> {
        auth::principal(&self.objects, caller, scope).await
    }

    pub fn limits(&self) -> &Limits {
        &self.settings.limits
    }
}

fn settle(answer: Answer) -> Result<Response> {
    answer.or_else(|fault| fault.response())
}

/// A response of an object has headers that cannot change, so it is rebuilt around the same body.
fn with_cors(response: Response, origin: Option<&str>) -> Result<Response> {
    let headers = Headers::new();
    for (name, value) in response.headers().entries() {
        headers.append(&name, &value)?;
    }
    auth::cors(&headers, origin)?;
    let status = response.status_code();
    let raw: web_sys::Response = response.into();
    let init = web_sys::ResponseInit::new();
    init.set_status(status);
    init.set_headers(headers.0.as_ref());
    Ok(web_sys::Response::new_with_opt_readable_stream_and_init(raw.body().as_ref(), &init)?.into())
}

/// The segments of a path behind its prefix, as they came.
pub fn segments<'p>(path: &'p str, prefix: &str) -> Vec<&'p str> {
    path.strip_prefix(prefix).unwrap_or_default().split('/').filter(|segment| !segment.is_empty()).collect()
}

pub fn query(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// `cursor` and `limit` of a list (spec: authoring.md §9.1, gateway.md §13).
pub fn slice(request: &Request) -> std::result::Result<(Option<String>, u32), Fault> {
    const DEFAULT: u32 = 50;
    const MOST: u32 = 500;
    let url = request.url()?;
    let limit = match query(&url, "limit") {
        None => DEFAULT,
        Some(text) => match text.parse::<u32>() {
            Ok(limit) if (1..=MOST).contains(&limit) => limit,
            _ => return Err(Fault::invalid("/limit", format!("Write a number from 1 to {MOST}."))),
        },
    };
    Ok((query(&url, "cursor"), limit))
}
