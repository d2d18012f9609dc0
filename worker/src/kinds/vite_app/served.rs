//! What was built, on its own origin, and what everybody may ask of a published app (spec: app-builder.md §7).
//!
//! The Worker reads the token or asks the address, the project says which asset a path names, the artifact store gives its
//! bytes. Invariants: this origin answers assets and nothing else; no app is served on the origin of another; no answer
//! here depends on who asks.

use holdpoint_check::args;
use holdpoint_gateway::Code;
use holdpoint_kind_app::preview::{
    PREVIEW_TOKEN_EXPIRED, PREVIEW_TOKEN_INVALID, PREVIEW_TOKEN_MISMATCH, PREVIEW_TOKEN_REQUIRED, PreviewClaims,
    TokenError,
};
use holdpoint_kind_app::routes::codes::NOT_PUBLISHED;
use holdpoint_kind_app::routes::public::Id;
use holdpoint_kind_app::served::{
    self, BRIDGE, BUILD_NOT_READY, NO_BUILT_ASSET, NO_PLAIN_PATH, NamedAsset, PREVIEW_ORIGIN_MISSING,
    STORAGE_UNAVAILABLE, content_policy, is_document, range, with_head,
};
use holdpoint_kind_app::wire::{AppDist, AppRuntime, PreviewAddress};
use holdpoint_store::Workspace;
use holdpoint_store::slug::SlugRow;
use holdpoint_text::hex;
use serde::{Deserialize, Serialize};
use serde_json::json;
use worker::{Env, Headers, Method, Request, Response, Url};

use super::apps::AppTask;
use super::settings::{AppSettings, OriginPattern};
use super::{AppDesk, NAMES, fault, profile};
use crate::answer::{Answer, EdgeError, json_response};
use crate::artifacts;
use crate::js::{iso, now_ms, random};
use crate::kinds::ProjectTask;
use crate::objects::ask;
use crate::routes::{Edge, RouteRequest};
use crate::slug::SlugCommand;
use crate::sql::ObjectSql;

const API_BASE: &str = "/api/py";
const VITE_STATIC: &str = "vite_static";
const PREVIEWS: &str = "/p/";
const BRIDGE_SCRIPT: &str = include_str!("bridge.js");
const TOKEN: &str = "preview_token";
/// What names a build that is of no revision yet begins with.
const BUILD_KEY: &str = "sha256:";

/// What a path names, as the project of an app says it.
#[derive(Serialize, Deserialize)]
pub enum AssetFound {
    /// An asset, with the place of its bytes.
    Asset(StoredAsset),
    /// The document, under an address of the page itself.
    Place(StoredAsset),
    Bridge,
    Runtime {
        slug: String,
    },
    Missing,
    Invalid,
    NotReady,
}

/// An asset in the artifact store.
#[derive(Serialize, Deserialize)]
pub struct StoredAsset {
    key: String,
    content_type: String,
    sha256: String,
    connect_origins: Vec<String>,
}

/// Where an asset is asked for.
struct Place<'p> {
    /// The path of the root of all assets, with a slash at its end.
    root: String,
    tenant: &'p str,
    app: &'p str,
    revision: &'p str,
    path: String,
    /// The page that shows a preview; `None`: it is published.
    console: Option<&'p str>,
}

impl AssetFound {
    pub fn of(workspace: &Workspace<ObjectSql>, id: &str, revision: &str, path: &str) -> Result<Self, EdgeError> {
        let Ok(head) = super::present(workspace, id) else { return Ok(Self::Missing) };
        let own = profile(&head);
        let builds = workspace.builds();
        let artifact = if revision.starts_with(BUILD_KEY) {
            builds.reusable(id, revision, now_ms())?
        } else {
            builds.of(id, revision)?.and_then(|build| build.artifact)
        };
        let Some(artifact) = artifact else { return Ok(Self::NotReady) };
        let Ok(dist) = serde_json::from_str::<AppDist>(&artifact.manifest) else { return Ok(Self::NotReady) };
        let stored = |asset: &holdpoint_kind_app::wire::DistAsset| StoredAsset {
            key: format!("{}{}", artifact.dist, asset.path),
            content_type: asset.content_type.clone(),
            sha256: asset.sha256.clone(),
            connect_origins: own.settings.connect_origins.clone(),
        };
        Ok(match served::find(&dist, path) {
            NamedAsset::Asset(asset) => Self::Asset(stored(asset)),
            NamedAsset::Place(asset) => Self::Place(stored(asset)),
            NamedAsset::Bridge => Self::Bridge,
            NamedAsset::Runtime => Self::Runtime { slug: own.slug },
            NamedAsset::Missing => Self::Missing,
            NamedAsset::Invalid => Self::Invalid,
        })
    }
}

impl AppDesk<'_> {
    /// Gives an address at which a revision is looked at.
    pub fn preview(&self, revision: &str, console: &str) -> Result<PreviewAddress, EdgeError> {
        if !self.workspace.knows(self.id(), revision)? {
            return Err(fault(holdpoint_store::workspace::WriteError::NotFound));
        }
        self.address(revision, console)
    }

    /// The same of a revision, or of a build by its key.
    pub fn address(&self, revision: &str, console: &str) -> Result<PreviewAddress, EdgeError> {
        let settings = &self.object.work.settings;
        let missing = || EdgeError::of(503, &PREVIEW_ORIGIN_MISSING, args! {});
        let (origin, secret) = settings.preview_origin.as_ref().zip(settings.secret.as_ref()).ok_or_else(missing)?;
        let origin = origin.of(&label(self.id()));
        if origin == console {
            return Err(missing());
        }
        let tenant = profile(&self.present()?).tenant_id;
        let jti = hex(&random::<8>()?);
        let claims = PreviewClaims::new((&tenant, self.id(), revision), (self.user(), console), jti, self.now);
        let token = claims.seal(secret);
        Ok(PreviewAddress {
            revision_id: revision.to_owned(),
            preview_url: format!("{origin}{PREVIEWS}{token}/"),
            preview_token: token,
            expires_at: iso(claims.exp * 1_000),
        })
    }
}

/// The label of an app's previews: letters and digits of its id.
fn label(id: &str) -> String {
    id.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Answers what was asked of the origin of built apps; `None`: the address is of another origin.
pub async fn assets(edge: &Edge, request: &Request) -> Option<Answer> {
    let settings = AppSettings::of(&edge.env, &edge.settings);
    let url = request.url().ok()?;
    let [previews, published] = [&settings.preview_origin, &settings.published_origin]
        .map(|origin| origin.as_ref().filter(|origin| origin.has(&url)));
    if previews.is_none() && published.is_none() {
        return None;
    }
    Some(asset(edge, &settings, request, &url, (previews, published)).await)
}

async fn asset(
    edge: &Edge,
    settings: &AppSettings,
    request: &Request,
    url: &Url,
    (previews, published): (Option<&OriginPattern>, Option<&OriginPattern>),
) -> Answer {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return Err(Code::MethodNotAllowed.into());
    }
    let asked = url.origin().ascii_serialization();
    let path = url.path();
    if let (Some(origin), Some(rest)) = (previews, path.strip_prefix(PREVIEWS)) {
        let (token, path) = rest.split_once('/').ok_or_else(missing)?;
        let claims = opened(settings, token)?;
        if origin.of(&label(&claims.app_id)) != asked {
            return Err(EdgeError::of(403, &PREVIEW_TOKEN_MISMATCH, args! {}));
        }
        let place = Place {
            root: format!("{PREVIEWS}{token}/"),
            tenant: &claims.tenant_id,
            app: &claims.app_id,
            revision: &claims.revision_id,
            path: decoded(path)?,
            console: Some(&claims.console),
        };
        return give(edge, settings, request, &place).await;
    }
    let below = path.strip_prefix(settings.published_prefix.as_str()).and_then(|rest| rest.strip_prefix('/'));
    let (Some(origin), Some(rest)) = (published, below) else { return Err(missing()) };
    // An address that somebody types has often no slash at its end.
    let (slug, rest) = rest.split_once('/').unwrap_or((rest, ""));
    if slug.is_empty() || origin.of(slug) != asked {
        return Err(missing());
    }
    if rest.is_empty() {
        let row = standing(edge, slug).await?;
        let revision = row.revision_id.ok_or_else(missing)?;
        // A service that sends somebody back says in the query why.
        let query = url.query().map_or(String::new(), |query| format!("?{query}"));
        let to = format!("{asked}{}/{slug}/{revision}/{query}", settings.published_prefix);
        return redirect(302, &to);
    }
    let (revision, path) = rest.split_once('/').ok_or_else(missing)?;
    let served = SlugCommand::Served { revision_id: revision.to_owned() };
    let row: Option<SlugRow> = ask(&edge.objects.slug(slug)?, &served).await?;
    let row = row.ok_or_else(missing)?;
    let place = Place {
        root: format!("{}/{slug}/{revision}/", settings.published_prefix),
        tenant: &row.tenant_id,
        app: &row.app_id,
        revision,
        path: decoded(path)?,
        console: None,
    };
    give(edge, settings, request, &place).await
}

/// Answers a route that everybody may ask.
pub async fn answer(edge: &Edge, id: Id, request: RouteRequest) -> Answer {
    let settings = AppSettings::of(&edge.env, &edge.settings);
    match id {
        Id::Runtime => {
            let slug = request.place("slug");
            let row = standing(edge, &slug).await?;
            let revision = row.revision_id.ok_or_else(|| EdgeError::of(404, &NOT_PUBLISHED, args! {}))?;
            let origin = settings.published_origin.as_ref().map(|origin| origin.of(&slug)).unwrap_or_default();
            let base = format!("{origin}{}/{slug}/{revision}/", settings.published_prefix);
            Ok(json_response(200, &json!(runtime(row.app_id, slug, revision, base)))?)
        }
        Id::PreviewRuntime | Id::PreviewAsset => preview_answer(edge, &settings, id, &request).await,
        Id::Ui | Id::PreviewUi => Err(EdgeError::internal("a route that is gone")),
    }
}

async fn preview_answer(edge: &Edge, settings: &AppSettings, id: Id, request: &RouteRequest) -> Answer {
    let bearer = request.request().headers().get("authorization")?;
    let bearer =
        bearer.as_deref().and_then(|text| text.trim().split_once(' ')).map(|(_, token)| token.trim().to_owned());
    let in_query = request.query(TOKEN)?;
    let token = bearer.clone().or(in_query).ok_or_else(|| EdgeError::of(401, &PREVIEW_TOKEN_REQUIRED, args! {}))?;
    let claims = opened(settings, &token)?;
    let revision = request.place("revision_id");
    if claims.revision_id != revision {
        return Err(EdgeError::of(403, &PREVIEW_TOKEN_MISMATCH, args! {}));
    }
    let origin = settings.preview_origin.as_ref().map(|origin| origin.of(&label(&claims.app_id)));
    let base = format!("{}{PREVIEWS}{token}/", origin.unwrap_or_default());
    let path = if id == Id::PreviewAsset { request.place("asset_path") } else { served::RUNTIME.to_owned() };
    let place = Place {
        root: base.clone(),
        tenant: &claims.tenant_id,
        app: &claims.app_id,
        revision: &revision,
        path,
        console: Some(&claims.console),
    };
    if id == Id::PreviewAsset {
        let is_page = place.path.ends_with(".html") || !place.path.rsplit('/').next().unwrap_or_default().contains('.');
        if bearer.is_none() && is_page {
            return redirect(307, &format!("{base}{}", place.path));
        }
        return give(edge, settings, request.request(), &place).await;
    }
    match found(edge, &place).await? {
        AssetFound::Runtime { slug } => {
            let mut members = json!(runtime(claims.app_id.clone(), slug, revision.clone(), base.clone()));
            members["preview_url"] = base.into();
            members["expires_at"] = iso(claims.exp * 1_000).into();
            Ok(json_response(200, &members)?)
        }
        _ => Err(EdgeError::of(404, &BUILD_NOT_READY, args! {})),
    }
}

fn runtime(app_id: String, slug: String, revision_id: String, base: String) -> AppRuntime {
    AppRuntime {
        app_id,
        slug,
        revision_id,
        runtime_mode: VITE_STATIC.to_owned(),
        published_url: base.clone(),
        asset_base_url: base,
        api_base_path: API_BASE.to_owned(),
    }
}

/// What is published at an address.
async fn standing(edge: &Edge, slug: &str) -> Result<SlugRow, EdgeError> {
    let row: Option<SlugRow> = ask(&edge.objects.slug(slug)?, &SlugCommand::Look).await?;
    row.filter(|row| row.revision_id.is_some()).ok_or_else(|| EdgeError::of(404, &NOT_PUBLISHED, args! {}))
}

fn opened(settings: &AppSettings, token: &str) -> Result<PreviewClaims, EdgeError> {
    let secret = settings.secret.as_ref().ok_or_else(|| EdgeError::of(503, &PREVIEW_ORIGIN_MISSING, args! {}))?;
    PreviewClaims::open(token, secret, now_ms()).map_err(|error| match error {
        TokenError::Invalid => EdgeError::of(401, &PREVIEW_TOKEN_INVALID, args! {}),
        TokenError::Expired => EdgeError::of(401, &PREVIEW_TOKEN_EXPIRED, args! {}),
    })
}

async fn found(edge: &Edge, place: &Place<'_>) -> Result<AssetFound, EdgeError> {
    let project = edge.objects.project_called(place.tenant, &format!("{}/{}", NAMES.word, place.app))?;
    let task =
        AppTask::Asset { id: place.app.to_owned(), revision: place.revision.to_owned(), path: place.path.clone() };
    ask(&project, &ProjectTask::ViteApp(task)).await
}

async fn give(edge: &Edge, settings: &AppSettings, request: &Request, place: &Place<'_>) -> Answer {
    let (asset, is_place) = match found(edge, place).await? {
        AssetFound::Asset(asset) => (asset, false),
        AssetFound::Place(asset) => (asset, true),
        AssetFound::Bridge if place.console.is_some() => {
            let headers = asset_headers(settings, place, "text/javascript; charset=utf-8", &[])?;
            return Ok(Response::builder().with_headers(headers).fixed(BRIDGE_SCRIPT.as_bytes().to_vec()));
        }
        AssetFound::Runtime { slug } => {
            let base = format!("{}{}", request.url()?.origin().ascii_serialization(), place.root);
            let body = json!(runtime(place.app.to_owned(), slug, place.revision.to_owned(), base));
            let headers = asset_headers(settings, place, "application/json", &[])?;
            headers.set("cache-control", "no-store")?;
            return Ok(Response::builder().with_headers(headers).fixed(body.to_string().into_bytes()));
        }
        AssetFound::Invalid => return Err(EdgeError::of(400, &NO_PLAIN_PATH, args! {})),
        AssetFound::NotReady => return Err(EdgeError::of(404, &BUILD_NOT_READY, args! {})),
        AssetFound::Missing | AssetFound::Bridge => return Err(missing()),
    };
    let headers = asset_headers(settings, place, &asset.content_type, &asset.connect_origins)?;
    let tag = format!("\"{}\"", asset.sha256);
    headers.set("etag", &tag)?;
    headers.set("accept-ranges", "bytes")?;
    let known = request.headers().get("if-none-match")?;
    if known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)) {
        return Ok(Response::builder().with_status(304).with_headers(headers).empty());
    }
    let mut bytes = read(&edge.env, &asset.key).await?;
    if asset.content_type.starts_with("text/html") {
        bytes = document(bytes, place, is_place);
    }
    let size = bytes.len() as u64;
    let wanted = request.headers().get("range")?.unwrap_or_default();
    match range(&wanted, size) {
        Ok(Some((from, to))) => {
            headers.set("content-range", &format!("bytes {from}-{to}/{size}"))?;
            let part = bytes.get(from as usize..=to as usize).unwrap_or_default().to_vec();
            Ok(Response::builder().with_status(206).with_headers(headers).fixed(part))
        }
        Ok(None) => Ok(Response::builder().with_headers(headers).fixed(bytes)),
        Err(_) => {
            headers.set("content-range", &format!("bytes */{size}"))?;
            Ok(Response::builder().with_status(416).with_headers(headers).empty())
        }
    }
}

/// A document as it is served: a place of the page finds its assets, a preview tells the console what happens in it.
fn document(bytes: Vec<u8>, place: &Place<'_>, is_place: bool) -> Vec<u8> {
    let Ok(html) = String::from_utf8(bytes.clone()) else { return bytes };
    let mut tags = String::new();
    if is_place {
        tags.push_str(&format!("<base href=\"{}\">", place.root));
    }
    if place.console.is_some() {
        tags.push_str(&format!("<script src=\"{}{BRIDGE}\"></script>", place.root));
    }
    if tags.is_empty() { bytes } else { with_head(&html, &tags).into_bytes() }
}

async fn read(env: &Env, key: &str) -> Result<Vec<u8>, EdgeError> {
    match artifacts::get(env, key).await {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) | Err(_) => Err(EdgeError::of(503, &STORAGE_UNAVAILABLE, args! {})),
    }
}

fn asset_headers(
    settings: &AppSettings,
    place: &Place<'_>,
    content_type: &str,
    connect: &[String],
) -> Result<Headers, EdgeError> {
    let headers = Headers::new();
    let is_html = content_type.starts_with("text/html");
    let cache = if place.console.is_some() || is_html { "no-store" } else { "public, max-age=31536000, immutable" };
    let members = [
        ("content-type", content_type),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", cache),
        ("access-control-allow-origin", "*"),
    ];
    for (name, value) in members {
        headers.set(name, value)?;
    }
    if is_document(content_type) {
        let everybody = ["*".to_owned()];
        let consoles: Vec<String> = settings.consoles.iter().cloned().chain(place.console.map(str::to_owned)).collect();
        let frames = if place.console.is_some() { consoles.as_slice() } else { &everybody };
        headers.set("content-security-policy", &content_policy(&consoles.join(" "), connect, frames))?;
    }
    Ok(headers)
}

fn redirect(status: u16, to: &str) -> Answer {
    let headers = Headers::new();
    headers.set("location", to)?;
    headers.set("cache-control", "no-store")?;
    headers.set("referrer-policy", "no-referrer")?;
    headers.set("access-control-allow-origin", "*")?;
    Ok(Response::builder().with_status(status).with_headers(headers).empty())
}

fn missing() -> EdgeError {
    EdgeError::of(404, &NO_BUILT_ASSET, args! {})
}

/// A path of an address with its codes read.
fn decoded(path: &str) -> Result<String, EdgeError> {
    let invalid = || EdgeError::of(400, &NO_PLAIN_PATH, args! {});
    let text = js_sys::decode_uri_component(path).map_err(|_| invalid())?;
    text.as_string().ok_or_else(invalid)
}
