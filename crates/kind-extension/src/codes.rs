//! What the rules of this kind find (spec: ifc-extension.md §7).

use holdpoint_check::{json, order};
use holdpoint_sdk::capability;

use super::rules::{
    capabilities, capability_string, computed_access, constructor_escape, dynamic_import, eval, forbidden_global,
    global_write, icon, import, markup, references, this, unknown_name, unsupported, unused,
};
use super::{
    archive, autofix, check, code, conversation, dialect, kept, keybinding, manifest, methods, plan, policy, review,
    schemas, script, testing, weakened, widgets,
};
use holdpoint_kind::Codes;

pub const CODES: Codes = &[
    check::CODES,
    holdpoint_bundle::CODES,
    policy::CODES,
    icon::CODES,
    json::faults::CODES,
    holdpoint_schema::CODES,
    schemas::CODES,
    manifest::syntax::CODES,
    manifest::check::CODES,
    keybinding::CODES,
    markup::CODES,
    widgets::CODES,
    capability::CODES,
    capabilities::CODES,
    references::CODES,
    unused::CODES,
    holdpoint_js::CODES,
    eval::RULE.codes,
    forbidden_global::RULE.codes,
    unknown_name::RULE.codes,
    constructor_escape::RULE.codes,
    computed_access::RULE.codes,
    global_write::RULE.codes,
    this::RULE.codes,
    import::RULE.codes,
    dynamic_import::RULE.codes,
    code::CODES,
    capability_string::RULE.codes,
    unsupported::RULE.codes,
    order::CODES,
];

pub const REPLY: Codes = &[dialect::CODES, dialect::GATE];

/// Of `plan.check` and of a bundle against its plan.
pub const PLAN: Codes = &[plan::JUDGED, plan::CONFORM];

/// What a run mends by itself, a review, and a test that was run.
pub const RUN: Codes = &[autofix::CODES, kept::CODES, review::CODES, script::CODES, testing::CODES];

/// Of archives: what is wrong with one, and with a key.
pub const ARCHIVE: Codes = &[archive::CODES, archive::KEY];

/// Of what a method is asked.
pub const ASKED: Codes =
    &[conversation::CODES, methods::authoring::CODES, methods::capability::CODES, methods::script::CODES];

/// Sentences beside a fact: what a capability lets an extension do, and why a test asks for less.
pub const FACTS: Codes = &[capability::SENTENCES, weakened::CODES];
