//! The table of the kinds, for the edge and the command line. A module of the page names the check of its own kind and
//! never this table: it would keep every check alive.

pub mod routes;

use holdpoint_check::method::Group;
use holdpoint_kind::protocol::Protocol;
use holdpoint_kind::{CheckEntry, Counter, Kind as _, KindEntry};

pub static KINDS: &[&KindEntry] = &[
    &holdpoint_kind_extension::KIND,
    &holdpoint_kind_script::KIND,
    &holdpoint_kind_crew::KIND,
    &holdpoint_kind_app::KIND,
];

/// The checks of every kind.
pub static CHECKS: &[&CheckEntry] = &[
    &holdpoint_kind_extension::CHECK,
    &holdpoint_kind_script::CHECK,
    &holdpoint_kind_crew::CHECK,
    &holdpoint_kind_app::CHECK,
];

/// How kinds count tokens, by the kind's id.
pub static COUNTERS: &[(&str, Counter)] =
    &[(holdpoint_kind_script::ScriptTool::ID, holdpoint_kind_script::tokens::method)];

/// Methods of kinds that are in modules of their own, and what takes a private key: in no module of the page.
pub static GROUPS: &[Group] = &[
    holdpoint_kind_crew::page::METHODS,
    holdpoint_kind_extension::methods::archive::METHODS,
    holdpoint_kind_extension::methods::archive::WITH_KEYS,
    holdpoint_kind_app::methods::RENEWAL,
];

/// A kind by its id.
pub fn find(id: &str) -> Option<&'static KindEntry> {
    KINDS.iter().copied().find(|entry| entry.id() == id)
}

/// A protocol of a kind.
pub fn protocol(kind: &str, id: &str) -> Option<&'static dyn Protocol> {
    find(kind)?.protocol(id)
}
