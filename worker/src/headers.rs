//! The headers that every answer ends with: who may read it, who asked, and what a browser may do with it (ENGINE §8).
//!
//! Invariant: no answer leaves the edge without them, whoever made it.

use worker::Headers;

use crate::settings::Settings;

/// Names the person in every answer to an authenticated request.
const PRINCIPAL: &str = "holdpoint-principal";

const EXPOSED: &str = "x-request-id, request-id, holdpoint-principal, holdpoint-provider, holdpoint-attempts, holdpoint-fallback, \
 holdpoint-hold-tokens, holdpoint-hold-cost, holdpoint-clamped, holdpoint-dropped, holdpoint-budget, holdpoint-tokens, \
 holdpoint-cost, holdpoint-estimated, server-timing, x-ratelimit-limit-requests, x-ratelimit-remaining-requests, x-ratelimit-reset-requests, \
 x-ratelimit-limit-tokens, x-ratelimit-remaining-tokens, x-ratelimit-reset-tokens, anthropic-ratelimit-requests-limit, \
 anthropic-ratelimit-requests-remaining, anthropic-ratelimit-requests-reset, anthropic-ratelimit-tokens-limit, \
 anthropic-ratelimit-tokens-remaining, anthropic-ratelimit-tokens-reset, x-should-retry, retry-after, \
 retry-after-ms, x-correlation-id, x-skriptoteket-eval-template-id, x-skriptoteket-eval-outcome, \
 x-skriptoteket-eval-system-prompt-chars, x-skriptoteket-eval-instruction-chars, \
 x-skriptoteket-eval-selection-chars, x-skriptoteket-eval-prefix-chars, x-skriptoteket-eval-suffix-chars";

/// An answer of a route is no document: nothing in it runs, and nobody frames it.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";
/// What the page and its workers may do; frames are added to it (spec: app-builder.md "CSP"). The hash is of the one
/// script of the frame in which scripts of people run (`www/core/src/python-run/frame.ts`), which has this policy too.
const PAGE_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' \
     'sha256-fnp8V3wvXO/YJvENoKUPJIN1OXBIwFab6CfAZfouZiU='; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'";

/// Where the page's build puts the script that sends requests of extensions (`www/core/src/sandbox/network-worker.ts`).
const NETWORK_WORKER: &str = "/assets/network-worker-";
/// That script runs in a worker of its own, which has this policy and not the page's: it alone may reach other hosts,
/// and it runs nothing but what was built.
const NETWORK_POLICY: &str = "default-src 'none'; script-src 'self'; connect-src https:; frame-ancestors 'none'";

/// The members that an answer of a route gets; `principal` is empty where nobody is known.
pub fn members<'m>(origin: Option<&'m str>, principal: &'m str) -> impl Iterator<Item = (&'m str, &'m str)> {
    let page =
        origin.map(|origin| [("access-control-allow-origin", origin), ("access-control-expose-headers", EXPOSED)]);
    let named = (!principal.is_empty()).then_some((PRINCIPAL, principal));
    let always = [
        ("vary", "Origin"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("content-security-policy", DATA_POLICY),
    ];
    always.into_iter().chain(page.into_iter().flatten()).chain(named)
}

/// The same, for headers that are there already.
pub fn finish(headers: &Headers, origin: Option<&str>, principal: &str) -> Result<(), worker::Error> {
    members(origin, principal).try_for_each(|(name, value)| match name {
        "vary" => headers.append(name, value),
        _ => headers.set(name, value),
    })
}

/// Those of a file of the page, by its path. Hosts that may call may frame it.
pub fn finish_page(headers: &Headers, path: &str, settings: &Settings) -> Result<(), worker::Error> {
    headers.set("x-content-type-options", "nosniff")?;
    headers.set("referrer-policy", "no-referrer")?;
    if path.starts_with(NETWORK_WORKER) {
        return headers.set("content-security-policy", NETWORK_POLICY);
    }
    let hosts: String = settings.allowed_origins.iter().map(|origin| format!(" {origin}")).collect();
    let frames = settings.frames.as_deref().unwrap_or("'none'");
    let policy = format!("{PAGE_POLICY}; frame-src {frames}; frame-ancestors 'self'{hosts}");
    headers.set("content-security-policy", &policy)
}
