//! What the rules of this kind find (spec: script-tool.md §2).

use holdpoint_check::order;

use super::rules::{characters, entrypoint, files, names, python, schema, usage};
use super::{dialect, methods, outcome, protocol, requests, stage, upload, window};
use holdpoint_kind::Codes;

pub const CODES: Codes = &[
    files::CODES,
    characters::CODES,
    python::CODES,
    names::CODES,
    entrypoint::CODES,
    schema::CODES,
    usage::CODES,
    order::CODES,
];

/// Of what is asked of a script and of a model, its answers, and how a turn ends.
pub const ASKED: Codes = &[
    protocol::CODES,
    protocol::ASKED,
    requests::CODES,
    dialect::CODES,
    methods::CODES,
    outcome::CODES,
    stage::CODES,
    upload::CODES,
    window::CODES,
];
