//! The page's own files.
//!
//! On the platform they are static assets; locally a folder behind the same binding, which knows no content types and
//! no index, so both are said here.

use worker::{Env, Headers, Method, Request, Response, Result};

use crate::answer::Fault;

const INDEX: &str = "/index.html";
/// Where the page has addresses of its own; its document is one.
const SCRIPTS: &str = "/scripts";
/// Vite names these by their content.
const HASHED: &str = "/assets/";

/// Serves a file.
pub async fn serve(request: Request, env: &Env) -> Result<Response> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return Fault::from(holdpoint_gateway::Code::NotFound).response();
    }
    let path = request.path();
    let path = if is_page(&path) { INDEX } else { path.as_str() };
    let Ok(assets) = env.assets("ASSETS") else {
        return Fault::not_found("This deployment has no page. Call the API.").response();
    };
    let found = assets.fetch(format!("http://assets{path}"), None).await?;
    if found.status_code() != 200 {
        return Fault::not_found("There is no such page. Open `/`.").response();
    }
    let headers = Headers::new();
    headers.set("content-type", content_type(path))?;
    headers.set("x-content-type-options", "nosniff")?;
    let cache = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.set("cache-control", cache)?;
    let raw: web_sys::Response = found.into();
    let init = web_sys::ResponseInit::new();
    init.set_status(200);
    init.set_headers(headers.0.as_ref());
    Ok(web_sys::Response::new_with_opt_readable_stream_and_init(raw.body().as_ref(), &init)?.into())
}

fn is_page(path: &str) -> bool {
    path == "/" || path.strip_prefix(SCRIPTS).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
