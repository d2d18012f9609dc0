//! The kinds: policy, schemas, rules and tests of each, one folder a kind.
//!
//! A kind is data and rules over one engine; a newcomer finds the same file names in each.

pub mod crew_package;
pub mod ifc_extension;
pub mod kind;
pub mod planning;
pub mod protocol;
pub mod routes;
pub mod script_tool;
pub mod testing;

pub use crew_package::archive::packed;
use holdpoint_bundle::Files;
use holdpoint_check::method::Group;
#[cfg(feature = "schema")]
use holdpoint_check::method::reference::Entry;
use holdpoint_tokens::Counting;
pub use ifc_extension::archive as hpx;
pub use ifc_extension::methods::compare::bounded as within_review;
pub use ifc_extension::review::MAX_REVIEWED_BYTES;
pub use kind::{AnyKind, Ask, Codes, Given, Kind, Need, Parts, Staging, Unchecked};

/// All kinds. A shell that does not hold their rules never names this table: it would keep every check alive.
pub static KINDS: &[&dyn AnyKind] =
    &[&ifc_extension::IfcExtension, &script_tool::ScriptTool, &crew_package::CrewPackage];

/// Methods of kinds that need no rules: a shell may hold them alone.
pub const CORE_METHODS: &[Group] =
    &[ifc_extension::methods::compare::METHODS, ifc_extension::methods::capability::METHODS];
/// Methods that draw and edit bundles, for shells that hold nothing else: they need no rules either.
pub const PAGE_METHODS: &[Group] = &[crew_package::page::METHODS];
/// Bundles as one file, for a shell that holds nothing else.
pub const ARCHIVE_METHODS: &[Group] = &[ifc_extension::methods::archive::METHODS];
/// What takes a private key; no module of a page holds it.
pub const KEY_METHODS: &[Group] = &[ifc_extension::methods::archive::WITH_KEYS];
/// The other methods that only some kinds have.
pub const METHODS: &[Group] = &[
    ifc_extension::methods::authoring::METHODS,
    ifc_extension::methods::script::METHODS,
    ifc_extension::methods::drift::METHODS,
    script_tool::methods::METHODS,
    crew_package::methods::METHODS,
];
/// From a model's id to how its tokens are counted.
pub type Counter = fn(&str) -> Counting;
/// How a kind counts tokens, where it has a way of its own.
pub const COUNTERS: &[(&str, Counter)] = &[(script_tool::ScriptTool::ID, script_tool::tokens::method)];
/// How a model is asked about bundles of a kind, by the kind. Apart from [`KINDS`]: see [`protocol`].
pub static PROTOCOLS: &[(&str, &[&dyn protocol::Protocol])] = &[
    (script_tool::ScriptTool::ID, script_tool::protocol::PROTOCOLS),
    (crew_package::CrewPackage::ID, crew_package::protocol::PROTOCOLS),
];
/// The reference of all these methods.
#[cfg(feature = "schema")]
pub const REFERENCE: &[&[Entry]] = &[
    ifc_extension::methods::compare::reference::ENTRIES,
    ifc_extension::methods::capability::reference::ENTRIES,
    ifc_extension::methods::authoring::reference::ENTRIES,
    ifc_extension::methods::script::reference::ENTRIES,
    ifc_extension::methods::drift::reference::ENTRIES,
    ifc_extension::methods::archive::reference::ENTRIES,
    script_tool::methods::reference::ENTRIES,
    crew_package::page::reference::ENTRIES,
    crew_package::methods::reference::ENTRIES,
    crew_package::prompts::methods::reference::ENTRIES,
];

/// The kind whose mark stands among the files.
pub fn shown_by(files: &Files) -> Option<&'static dyn AnyKind> {
    KINDS.iter().copied().find(|kind| kind.parts().mark.is_some_and(|mark| files.contains_key(mark)))
}

/// A protocol of a kind.
pub fn protocol(kind: &str, id: &str) -> Option<&'static dyn protocol::Protocol> {
    let (_, protocols) = PROTOCOLS.iter().find(|(of, _)| *of == kind)?;
    protocols.iter().copied().find(|protocol| protocol.id() == id)
}

/// A kind by its id.
pub fn find(id: &str) -> Option<&'static dyn AnyKind> {
    KINDS.iter().copied().find(|kind| kind.id() == id)
}
