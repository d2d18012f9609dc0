//! What a kind of bundles is (ENGINE §3): the traits that each kind crate implements, and the two rows under which shells
//! hold it.
//!
//! Knows changes, findings and tokens; knows no kind. Invariant: a module of the page names a [`CheckEntry`] and links
//! neither protocol nor route nor staging, because a static keeps all that it names.

pub mod claims;
mod kind;
pub mod protocol;

use holdpoint_bundle::Files;
#[cfg(feature = "schema")]
use holdpoint_check::method::reference::Entry;
use holdpoint_check::method::{Group, Method};
use holdpoint_tokens::Counting;

pub use kind::{AnyKind, CheckError, Codes, Given, Input, Kind, NeedError, NoOptions, Stage, untyped};
use protocol::Protocol;

/// How the tokens of a model with that id are counted.
pub type Counter = fn(&str) -> Counting;

/// A kind as a shell checks its bundles.
pub struct CheckEntry {
    pub kind: &'static dyn AnyKind,
    /// Methods that it has alone.
    pub methods: &'static [Group],
    /// Methods that several kinds have under one name: the member `kind` of their input chooses.
    pub shared: Group,
    /// The file that shows the kind of a folder.
    pub mark: &'static str,
    /// Its report of the ways through a bundle.
    pub paths: Option<Method>,
}

/// A kind as the edge and the command line hold it.
pub struct KindEntry {
    pub check: &'static CheckEntry,
    /// How a model is asked about its bundles.
    pub protocols: &'static [&'static dyn Protocol],
    /// The reference of its methods.
    #[cfg(feature = "schema")]
    pub reference: &'static [&'static [Entry]],
}

impl KindEntry {
    pub fn id(&self) -> &'static str {
        self.check.kind.id()
    }

    pub fn protocol(&self, id: &str) -> Option<&'static dyn Protocol> {
        self.protocols.iter().copied().find(|protocol| protocol.id() == id)
    }
}

/// The kind whose mark stands among the files.
pub fn shown_by(kinds: &[&'static CheckEntry], files: &Files) -> Option<&'static CheckEntry> {
    kinds.iter().copied().find(|entry| files.contains_key(entry.mark))
}
