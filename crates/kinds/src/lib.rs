//! The kinds: policy, schemas, rules and tests of each, one folder a kind.
//!
//! A kind is data and rules over one engine; a newcomer finds the same file names in each.

pub mod ifc_extension;
pub mod kind;
pub mod planning;
pub mod script_tool;

pub use kind::{AnyKind, Ask, CodeRow, Given, Kind, Need, Parts};

/// All kinds. A shell that does not hold their rules never names this table: it would keep every check alive.
pub static KINDS: &[&dyn AnyKind] = &[&ifc_extension::IfcExtension, &script_tool::ScriptTool];

/// A kind by its id.
pub fn find(id: &str) -> Option<&'static dyn AnyKind> {
    KINDS.iter().copied().find(|kind| kind.id() == id)
}
