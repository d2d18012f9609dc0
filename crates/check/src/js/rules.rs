//! The rules on names and syntax (ifc-extension.md §6.2). One file, one code.

mod capability_string;
mod computed_access;
pub(super) mod constructor_escape;
mod dynamic_import;
mod eval;
mod forbidden_global;
mod global_write;
mod import;
mod this;
mod unknown_name;

use super::findings::Findings;
use super::fold::Folder;
use super::module::Module;
use super::report::Entry;
use super::world::World;

/// What a rule may look at beside its module.
pub(super) struct Context<'w, 'a> {
    pub(super) world: &'w World<'a>,
    pub(super) folder: &'w Folder<'w, 'a>,
    pub(super) entries: &'w [Entry],
}

/// One rule.
pub(super) struct Rule {
    /// The code of its findings.
    pub(super) code: &'static str,
    pub(super) check: for<'m, 'w, 'a> fn(&'m Module<'a>, &'m Context<'w, 'a>, &mut Findings<'m, 'a>),
}

/// Every rule.
pub(super) const RULES: [Rule; 10] = [
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
];
