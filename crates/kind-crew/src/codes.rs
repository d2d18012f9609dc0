//! What the rules of this kind find (spec: crew-package.md §5, §6).

use holdpoint_check::order;

use super::documents::{json, markdown};
use super::rules::graph::{branches, cycles, files as node_files, labels, names, reach, starts, variables};
use super::rules::{agents, assets, citations, document, files, known, manifest, mounts, paths, sections, transitions};
use super::{apply, archive, dialect, hand, paths as path_report, proposals, routes, schemas, sessions, tools};
use holdpoint_kind::Codes;

pub const CODES: Codes = &[
    files::CODES,
    json::CODES,
    schemas::CODES,
    manifest::CODES,
    agents::CODES,
    assets::CODES,
    citations::CODES,
    markdown::CODES,
    markdown::YAML,
    document::CODES,
    known::CODES,
    transitions::CODES,
    paths::CODES,
    mounts::CODES,
    sections::CODES,
    names::CODES,
    starts::CODES,
    cycles::CODES,
    reach::CODES,
    branches::CODES,
    labels::CODES,
    variables::CODES,
    node_files::CODES,
    order::CODES,
];

/// Of a change that is staged on files that are no package.
pub const ASKED: Codes = &[dialect::package::CODES, dialect::input::CODES, apply::CODES];
/// Of `changeset.check`, beside those of the documents.
pub const CHANGE_SET: Codes = dialect::codes::CODES;
/// Of edits by hand, and of the routes of projects.
pub const HAND: Codes = &[hand::CODES, hand::manifest::CODES, hand::workflows::CODES, routes::codes::CODES];
/// Of sessions, their change sets and their tools.
pub const SESSIONS: Codes = &[sessions::codes::CODES, proposals::codes::CODES, tools::CODES];
/// Of packages as ZIP files.
pub const ARCHIVE: Codes = archive::ARCHIVE;
pub const PATHS: Codes = path_report::PATHS;
