//! What the rules of this kind find, and which findings nothing can be applied with (spec: vite-app.md §13).

use holdpoint_check::{Code, order};
use holdpoint_kind::Codes;

use crate::dialect::{apply, guards, op, patch};
use crate::rules::{build, code, config, html, json, lock, names, package};
use crate::{
    accept, behaviours, blobs, check, export, health, methods, options, preview, project, proposals, protocol, renew,
    requests, resolve, routes, scaffolds, served, slug, tools, weakened,
};

pub const CODES: Codes = &[
    holdpoint_bundle::CODES,
    project::CODES,
    check::CODES,
    resolve::CODES,
    code::CODES,
    html::CODES,
    json::CODES,
    package::CODES,
    lock::CODES,
    config::CODES,
    names::CODES,
    build::CODES,
    order::CODES,
];

/// Of operations, and of methods beside the check.
pub const ASKED: Codes =
    &[apply::CODES, op::CODES, patch::CODES, guards::CODES, methods::CODES, options::CODES, renew::CODES, slug::CODES];

/// Of the routes of apps, and of the origin of what was built.
pub const ROUTES: Codes = &[
    requests::CODES,
    routes::codes::CODES,
    preview::CODES,
    served::CODES,
    blobs::CODES,
    health::CODES,
    export::CODES,
    scaffolds::CODES,
];

/// Of runs and of what they propose.
pub const RUNS: Codes = &[
    accept::CODES,
    proposals::CODES,
    protocol::ask::CODES,
    protocol::codes::CODES,
    tools::EDIT_CODES,
    tools::FILE_CODES,
    tools::PROPOSE_CODES,
    tools::SEARCH_CODES,
    weakened::CODES,
    behaviours::CODES,
];

/// Codes of paths, operations and limits: with one of them nothing is applied.
const POLICY: [&[&Code]; 4] = [holdpoint_bundle::CODES, project::CODES, check::CODES, op::CODES];

/// Whether a finding is of class *policy*.
pub fn is_policy(code: &str) -> bool {
    let has = |codes: &[&Code]| codes.iter().any(|one| one.name == code);
    let of_patches = patch::CODES.iter().any(|one| one.name == code) && code != patch::PATCH_NEEDS_CONFIRMATION.name;
    POLICY.iter().any(|codes| has(codes)) || of_patches || has(apply::CODES)
}
