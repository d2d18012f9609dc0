//! The paths of the edge. One file a family; each handler reads as what it does.

mod editor;
mod extensions;
mod gateway;
mod model;
mod page;

use std::rc::Rc;

use holdpoint_gateway::{Code, Limits};
use serde_json::Value;
use worker::{Env, Headers, Method, Request, Response, Result, Url};

use crate::account::Caller;
use crate::answer::{Answer, Fault};
use crate::auth;
use crate::objects::Objects;
use crate::settings::Settings;

/// What every handler has at hand.
pub struct Edge {
    settings: Rc<Settings>,
    objects: Objects,
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
        let response = match auth::check_origin(&request, &self.settings) {
            Err(fault) if editor::has(&path) => return editor::refuse(&request, &fault),
            Err(fault) => return fault.response(),
            Ok(()) if editor::has(&path) => editor::answer(self, request, &path).await,
            Ok(()) if request.method() == Method::Options => auth::preflight(&request),
            Ok(()) if path.starts_with("/v1/") => model::answer(self, request, &path).await,
            Ok(()) if path.starts_with("/gateway/") => settle(gateway::answer(self, request, &path).await),
            Ok(()) => settle(extensions::answer(self, request, &path).await),
        }?;
        with_cors(response, origin.as_deref())
    }

    fn caller(&self, request: &Request) -> std::result::Result<Caller, Fault> {
        auth::caller(request, &self.settings)
    }

    fn limits(&self) -> &Limits {
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
fn segments<'p>(path: &'p str, prefix: &str) -> Vec<&'p str> {
    path.strip_prefix(prefix).unwrap_or_default().split('/').filter(|segment| !segment.is_empty()).collect()
}

/// The bytes of a body, up to a limit.
async fn read_bytes(request: &mut Request, limit: u64) -> std::result::Result<Vec<u8>, Fault> {
    let too_large = |size: u64| {
        Fault { message: format!("The body is larger than {limit} bytes. Send less."), ..Code::RequestTooLarge.into() }
            .with("limit", limit.into())
            .with("size", size.into())
    };
    let told = request.headers().get("content-length")?.and_then(|text| text.parse::<u64>().ok());
    if let Some(size) = told.filter(|size| *size > limit) {
        return Err(too_large(size));
    }
    let bytes = request.bytes().await?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// A JSON object as body; duplicate keys are refused.
async fn read_json(request: &mut Request, limit: u64, limits: &Limits) -> std::result::Result<Value, Fault> {
    require_json(request)?;
    let bytes = read_bytes(request, limit).await?;
    let text = String::from_utf8(bytes).map_err(|_| Fault::from(Code::InvalidJson))?;
    let value = holdpoint_gateway::json::read(&text, limits.max_json_depth as usize)
        .map_err(|fault| Fault::from(holdpoint_gateway::Refusal::from(fault)))?;
    if value.is_object() { Ok(value) } else { Err(Fault::invalid("", "Send one JSON object.")) }
}

fn require_json(request: &Request) -> std::result::Result<(), Fault> {
    let kind = request.headers().get("content-type")?.unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if kind == "application/json" { Ok(()) } else { Err(Code::UnsupportedMediaType.into()) }
}

fn query(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// `cursor` and `limit` of a list (spec: authoring.md §9.1, gateway.md §13).
fn slice(request: &Request) -> std::result::Result<(Option<String>, u32), Fault> {
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
