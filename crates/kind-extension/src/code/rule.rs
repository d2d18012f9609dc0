//! What a rule on names and syntax is (ifc-extension.md §6.2), and what it may look at.

use holdpoint_check::Code;
use holdpoint_js::{Findings, Folder, Module, World};

use super::report::EntryModule;

/// What a rule may look at beside its module.
pub struct Context<'w, 'a> {
    pub world: &'w World<'a>,
    /// What their expressions are known to be.
    pub folder: &'w Folder<'w, 'a>,
    pub entries: &'w [EntryModule],
}

pub struct Rule {
    /// The code of its findings.
    pub codes: &'static [&'static Code],
    pub check: for<'m, 'w, 'a> fn(&'m Module<'a>, &'m Context<'w, 'a>, &mut Findings<'m, 'a>),
}
