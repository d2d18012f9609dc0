//! What a check of a change set finds beside the rules of the documents (spec: crew-package.md §9.3).

use super::{
    agent, boundary, check, compile, edits, envelope, graph, operation, payload, reader, references, secrets, steps,
    workflows,
};
use holdpoint_kind::Codes;

pub const CODES: Codes = &[
    reader::CODES,
    envelope::CODES,
    operation::CODES,
    payload::CODES,
    compile::CODES,
    workflows::CODES,
    edits::CODES,
    agent::CODES,
    graph::CODES,
    references::CODES,
    steps::CODES,
    boundary::CODES,
    secrets::CODES,
    check::CODES,
];
