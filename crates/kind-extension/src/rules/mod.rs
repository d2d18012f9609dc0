//! Rules that look at one thing each. One file, one code where the thing is code.

pub(super) mod capabilities;
pub(super) mod capability_string;
pub(super) mod computed_access;
pub(super) mod constructor_escape;
pub(super) mod dynamic_import;
pub(super) mod eval;
mod expected;
pub(super) mod forbidden_global;
pub(super) mod global_write;
pub(super) mod icon;
pub(super) mod import;
pub(super) mod markup;
pub(super) mod references;
pub(super) mod this;
pub(super) mod unknown_name;
pub(super) mod unsupported;
pub(super) mod unused;

use super::code::rule::Rule;

/// The rules on names and syntax of modules (ifc-extension.md §6.2).
pub(super) const CODE: [Rule; 11] = [
    capability_string::RULE,
    computed_access::RULE,
    constructor_escape::RULE,
    dynamic_import::RULE,
    eval::RULE,
    forbidden_global::RULE,
    global_write::RULE,
    import::RULE,
    this::RULE,
    unknown_name::RULE,
    unsupported::RULE,
];
