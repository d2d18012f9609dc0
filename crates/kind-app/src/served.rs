//! How what was built is served: which asset a path names, what a page of it may do (spec: app-builder.md §7).
//!
//! Pure: knows manifests, paths and origins, no HTTP.

use holdpoint_check::codes;

use crate::policy;
use crate::wire::{AppDist, DistAsset};

codes! {
    /// no asset of what was built has that path
    ASSET_NOT_FOUND / NO_BUILT_ASSET: Error, "Nothing that was built has this address.";
    /// the path is not written in its plain form
    ASSET_PATH_INVALID / NO_PLAIN_PATH: Error, "Write the path of the asset in its plain form.";
    /// the revision has no build that succeeded
    BUILD_NOT_READY: Error, "Wait for the build of this revision, or fix what it found.";
    /// the artifact store does not answer
    STORAGE_UNAVAILABLE: Error, "Try again: what was built cannot be read now.";
    /// the deployment has no origin for what was built
    PREVIEW_ORIGIN_MISSING: Error, "Ask the operator to set PREVIEW_ORIGIN and PREVIEW_SECRET: what was built has an origin of its own.";
    /// an app is not run from its source any more
    UI_SOURCE_MODE_REMOVED: Error, "Ask for the runtime of the app: it is served as it was built.";
}

/// The script of previews, at the root of assets.
pub const BRIDGE: &str = "__bridge.js";
/// What the app is, at the root of assets.
pub const RUNTIME: &str = "__runtime.json";

/// What a path below the root of a build names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedAsset<'d> {
    Asset(&'d DistAsset),
    /// No asset: an address of the page itself, which its document answers.
    Place(&'d DistAsset),
    Bridge,
    Runtime,
    Missing,
    Invalid,
}

/// Finds what a path names; empty is the document.
pub fn find<'d>(dist: &'d AppDist, path: &str) -> NamedAsset<'d> {
    let of = |path: &str| dist.assets.iter().find(|asset| asset.path == path);
    let document = || of(&dist.entry_html).map_or(NamedAsset::Missing, NamedAsset::Place);
    match path {
        "" => return of(&dist.entry_html).map_or(NamedAsset::Missing, NamedAsset::Asset),
        BRIDGE => return NamedAsset::Bridge,
        RUNTIME => return NamedAsset::Runtime,
        _ => {}
    }
    if let Some(asset) = of(path) {
        return NamedAsset::Asset(asset);
    }
    let plain = path.strip_suffix('/').unwrap_or(path);
    if policy::normalise(plain).ok().is_none_or(|found| found.as_str() != plain) {
        return NamedAsset::Invalid;
    }
    let name = plain.rsplit('/').next().unwrap_or_default();
    if name.contains('.') { NamedAsset::Missing } else { document() }
}

/// What a document that was built may do. `api` is the origin of the edge, `frames` are who may show it.
pub fn content_policy(api: &str, connect: &[String], frames: &[String]) -> String {
    let (connect, frames) = (connect.join(" "), frames.join(" "));
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    [
        "default-src 'none'".to_owned(),
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'".to_owned(),
        "style-src 'self' 'unsafe-inline'".to_owned(),
        "img-src 'self' data: blob: https:".to_owned(),
        "font-src 'self' data:".to_owned(),
        "media-src 'self' blob:".to_owned(),
        "worker-src 'self' blob:".to_owned(),
        words(format!("connect-src 'self' {api} {connect}")),
        "base-uri 'self'".to_owned(),
        words(format!("form-action 'self' {connect}")),
        words(format!("frame-ancestors {frames}")),
    ]
    .join("; ")
}

/// Whether a browser runs or shows it as a document, so that it needs a policy.
pub fn is_document(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind == "text/html" || kind == "image/svg+xml" || kind.ends_with("/xml") || kind.ends_with("+xml")
}

/// A document with these tags as the first of its head.
pub fn with_head(html: &str, tags: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let behind = |name: &str| {
        lower.match_indices(name).map(|(at, _)| at).find_map(|at| {
            let rest = &lower[at + name.len()..];
            let is_tag = rest.starts_with('>') || rest.starts_with(|c: char| c.is_ascii_whitespace());
            is_tag.then(|| rest.find('>').map(|end| at + name.len() + end + 1)).flatten()
        })
    };
    let doctype = || lower.starts_with("<!doctype").then(|| lower.find('>').map(|at| at + 1)).flatten();
    let at = behind("<head").or_else(|| behind("<html")).or_else(doctype).unwrap_or(0);
    format!("{}{tags}{}", &html[..at], &html[at..])
}

/// A byte range of a request on something so long: its first and last byte. `None`: the whole is answered; an error: none of
/// it is there.
pub fn range(header: &str, size: u64) -> Result<Option<(u64, u64)>, RangeError> {
    let Some(spec) = header.trim().strip_prefix("bytes=").filter(|spec| !spec.contains(',')) else { return Ok(None) };
    let Some((from, to)) = spec.split_once('-') else { return Ok(None) };
    let range = match (from.trim().parse::<u64>(), to.trim().parse::<u64>()) {
        (Ok(from), Ok(to)) if from <= to => (from, to.min(size.saturating_sub(1))),
        (Ok(from), Err(_)) if to.trim().is_empty() => (from, size.saturating_sub(1)),
        (Err(_), Ok(last)) if from.trim().is_empty() && last > 0 => (size.saturating_sub(last), size.saturating_sub(1)),
        _ => return Ok(None),
    };
    if range.0 < size { Ok(Some(range)) } else { Err(RangeError) }
}

/// A range that begins behind the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the range begins behind the end")]
pub struct RangeError;

#[cfg(test)]
mod tests {
    use super::*;

    fn dist() -> AppDist {
        let asset = |path: &str| DistAsset { path: path.to_owned(), size: 3, ..DistAsset::default() };
        let assets = ["assets/a b.js", "index.html", "nested/index.html"].map(asset).into();
        AppDist { entry_html: "index.html".to_owned(), assets, ..AppDist::default() }
    }

    #[test]
    fn a_path_names_an_asset_a_place_or_nothing() {
        let dist = dist();
        let document = &dist.assets[1];
        assert_eq!(find(&dist, ""), NamedAsset::Asset(document));
        assert_eq!(find(&dist, "assets/a b.js"), NamedAsset::Asset(&dist.assets[0]));
        for place in ["claims", "claims/7", "claims/7/", "v1"] {
            assert_eq!(find(&dist, place), NamedAsset::Place(document), "{place}");
        }
        assert_eq!(find(&dist, BRIDGE), NamedAsset::Bridge);
        assert_eq!(find(&dist, RUNTIME), NamedAsset::Runtime);
        for missing in ["assets/b.js", "favicon.ico", "a/.well-known.x"] {
            assert_eq!(find(&dist, missing), NamedAsset::Missing, "{missing}");
        }
        for invalid in ["../secret", "a//b", "./a", "a/../b", "a\\b", "con", " a"] {
            assert_eq!(find(&dist, invalid), NamedAsset::Invalid, "{invalid}");
        }
    }

    #[test]
    fn tags_come_first_in_the_head() {
        let cases = [
            (
                "<!doctype html><html><HEAD lang=x><title>a</title>",
                "<!doctype html><html><HEAD lang=x>+<title>a</title>",
            ),
            ("<!doctype html><html lang=\"en\"><body>", "<!doctype html><html lang=\"en\">+<body>"),
            ("<!DOCTYPE html><p>", "<!DOCTYPE html>+<p>"),
            ("<header>x</header>", "+<header>x</header>"),
            ("", "+"),
        ];
        for (html, want) in cases {
            assert_eq!(with_head(html, "+"), want);
        }
    }

    #[test]
    fn ranges_are_those_of_http() {
        assert_eq!(range("bytes=0-1", 10), Ok(Some((0, 1))));
        assert_eq!(range("bytes=4-", 10), Ok(Some((4, 9))));
        assert_eq!(range("bytes=-3", 10), Ok(Some((7, 9))));
        assert_eq!(range("bytes=0-99", 10), Ok(Some((0, 9))));
        assert_eq!(range("bytes=-99", 10), Ok(Some((0, 9))));
        for whole in ["bytes=0-1,3-4", "lines=1-2", "bytes=", "bytes=a-b", "bytes=3-1", "bytes=-0"] {
            assert_eq!(range(whole, 10), Ok(None), "{whole}");
        }
        assert_eq!(range("bytes=10-", 10), Err(RangeError));
        assert_eq!(range("bytes=0-", 0), Err(RangeError));
    }

    #[test]
    fn a_document_asks_its_own_and_named_origins_alone() {
        let policy = content_policy("https://edge.example", &["https://api.example".to_owned()], &["*".to_owned()]);
        assert!(policy.contains("connect-src 'self' https://edge.example https://api.example;"), "{policy}");
        assert!(policy.contains("form-action 'self' https://api.example;"), "{policy}");
        assert!(policy.ends_with("frame-ancestors *"), "{policy}");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        for (kind, is) in [
            ("text/html; charset=utf-8", true),
            ("image/svg+xml", true),
            ("application/xml", true),
            ("text/css", false),
        ] {
            assert_eq!(is_document(kind), is, "{kind}");
        }
    }
}
