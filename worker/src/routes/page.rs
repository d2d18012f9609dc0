//! The page's own files.
//!
//! On the platform they are static assets; locally a folder behind the same binding, which knows no content types and
//! no index, so both are said here. The build compresses what shrinks (`www/app/compressed.ts`): beside `core.wasm` lie
//! `core.wasm.br` and `core.wasm.gz`. Invariant: those bytes go out as they are, the runtime compresses nothing again.

use holdpoint_store::codes::{NO_PAGES, PAGE};
use worker::{EncodeBody, Env, Fetcher, Headers, Method, Request, Response, ResponseBuilder, Result};

use crate::answer::EdgeError;
use crate::headers::{finish, finish_page};
use crate::settings::Settings;

const INDEX: &str = "/index.html";
/// Where the page has addresses of its own; its document is one.
const ROOTS: &[&str] = &["/scripts", "/crew", "/builder", "/apps", "/usage"];
/// Vite names these by their content.
const HASHED: &str = "/assets/";
/// What a file may be compressed with, the smallest first: its name in a request, and how its file ends.
const CODINGS: &[(&str, &str)] = &[("br", ".br"), ("gzip", ".gz")];

pub async fn serve(request: Request, env: &Env, settings: &Settings) -> Result<Response> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return refused(&holdpoint_gateway::Code::NotFound.into());
    }
    let asked = request.path();
    let mut path = if is_page(&asked) { INDEX } else { asked.as_str() };
    let Ok(assets) = env.assets("ASSETS") else {
        return refused(&EdgeError::not_found(&NO_PAGES));
    };
    let accepted = request.headers().get("accept-encoding")?.unwrap_or_default();
    let mut found = find(&assets, path, &accepted).await?;
    let is_there = found.is_some();
    // Who opens an address that nothing has reads that in a page; a program reads the code.
    if !is_there && request.headers().get("accept")?.is_some_and(|types| types.contains("text/html")) {
        path = INDEX;
        found = find(&assets, path, &accepted).await?;
    }
    let Some((found, coding)) = found else {
        return refused(&EdgeError::not_found(&PAGE));
    };
    let headers = Headers::new();
    headers.set("content-type", content_type(path))?;
    finish_page(&headers, path, settings)?;
    headers.set("vary", "Accept-Encoding")?;
    let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.set("cache-control", cache)?;
    let mut response = ResponseBuilder::new().with_status(if is_there { 200 } else { 404 });
    if let Some(coding) = coding {
        headers.set("content-encoding", coding)?;
        response = response.with_encode_body(EncodeBody::Manual);
    }
    let raw: web_sys::Response = found.into();
    let response = response.with_headers(headers);
    Ok(match raw.body() {
        Some(body) => response.stream(body),
        None => response.empty(),
    })
}

fn refused(fault: &EdgeError) -> Result<Response> {
    let response = fault.response()?;
    finish(response.headers(), None, "")?;
    Ok(response)
}

/// A file as its reader may have it, and what it is compressed with.
async fn find(assets: &Fetcher, path: &str, accepted: &str) -> Result<Option<(Response, Option<&'static str>)>> {
    let is_good = |response: &Response| response.status_code() == 200;
    for (coding, ending) in CODINGS.iter().filter(|(coding, _)| accepts(accepted, coding)) {
        let found = assets.fetch(format!("http://assets{path}{ending}"), None).await?;
        if is_good(&found) {
            return Ok(Some((found, Some(coding))));
        }
    }
    let found = assets.fetch(format!("http://assets{path}"), None).await?;
    Ok(Some((found, None)).filter(|(found, _)| is_good(found)))
}

/// Whether `accept-encoding` names a coding and does not refuse it (`br;q=0`).
fn accepts(header: &str, coding: &str) -> bool {
    header.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(coding) && weight != Some(0.0)
    })
}

fn is_page(path: &str) -> bool {
    let below = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    path == "/" || ROOTS.iter().any(|root| below(root))
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("ifc" | "txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
