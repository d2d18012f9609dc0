//! What goes into an analysis of JavaScript and what comes out of it.
//!
//! Plain data: no syntax tree leaves the analysis, so nobody else depends on the parser.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_check::{Diagnostic, Range};
use holdpoint_js::EntryFunction;
use holdpoint_sdk::capability::Capability;

/// What a module is called for; it decides the name under which its entry function is looked up
/// (ifc-extension.md §6.1 "Entry function").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A command, trigger, lens, exporter or validator: `run`.
    Run,
    Activate,
    Deactivate,
    /// A synthetic fixture, `fixtures/*.js`: `build`.
    Build,
}

impl Role {
    /// The name that counts where there is no default export.
    pub fn function_name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Activate => "activate",
            Self::Deactivate => "deactivate",
            Self::Build => "build",
        }
    }
}

/// A module that the host calls.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryModule {
    /// Path of the module in the bundle.
    pub path: String,
    /// What it is called for.
    pub role: Role,
}

/// One use of an SDK method, and what it needs. A method whose target has several constant values gives one row each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SdkUse {
    pub path: String,
    /// The call, or the reference where the method is passed as a value.
    pub range: Range,
    /// It is one of `bim.query.all`, `ctx.storage.get`.
    pub call: String,
    /// Any where a part is not known. `None` where the method needs none.
    pub capability: Option<Capability>,
    /// Whether a part of `capability` stands for a value that is not constant.
    pub dynamic: bool,
    /// Whether its module asks `ctx.can` for `capability`, and so does without it.
    pub asked: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Analysis {
    /// Sorted by path, position, code.
    pub diagnostics: Vec<Diagnostic>,
    /// For each entry given: its function, or `None` where the module has none (`HANDLER_MISSING` is the caller's).
    /// An entry whose module is not there, or does not parse, is left out: it has its own finding.
    pub entries: BTreeMap<EntryModule, Option<EntryFunction>>,
    /// For each module the bundle modules that it imports, re-exports, or loads with `import()`.
    pub imports: BTreeMap<String, BTreeSet<String>>,
    /// In order of path and position.
    pub needs: Vec<SdkUse>,
    /// Unknown members in order of path and position: `bim.magic`, `ctx.selection`.
    pub unknown: Vec<String>,
    /// Whether the SDK goes where the analysis cannot follow: then `needs` may be incomplete.
    pub escapes: bool,
}
