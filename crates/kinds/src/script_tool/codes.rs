//! What the rules of this kind find (spec: script-tool.md §2).

use holdpoint_check::order;

use super::protocol;
use super::rules::{characters, entrypoint, files, python, schema, usage};
use crate::kind::Codes;

/// Of `bundle.check`.
pub const CODES: Codes =
    &[files::CODES, characters::CODES, python::CODES, entrypoint::CODES, schema::CODES, usage::CODES, order::CODES];

/// Of a request that is sent to no model.
pub const ASKED: Codes = &[protocol::CODES];
