//! The JavaScript of a bundle, read and never run (ifc-extension.md §6.1).
//!
//! Owns reading within limits, scopes, what modules export to one another and what expressions are known to be. Only
//! this crate knows a JavaScript parser. It knows no policy: which names may be read, which functions a host calls and
//! what an SDK is are a kind's rules, which walk the [`World`] by way of [`tree`].
//! Invariant: total on every input; nothing recurses deeper than [`MAX_CODE_DEPTH`] allows, because depth is decided on
//! the raw text before a parser sees it.
//!
//! ```
//! use holdpoint_js::{Folder, read, tree::AstKind};
//! let files = [("a.js".to_owned(), "export const greeting = 'hello ' + 'world';".to_owned())].into();
//! let texts = read(&files, |world| {
//!     let (folder, module) = (Folder::new(&world), &world.modules["a.js"]);
//!     let values = module.nodes().iter().filter_map(|node| match node.kind() {
//!         AstKind::VariableDeclarator(declared) => folder.constants(module, declared.init.as_ref()?),
//!         _ => None,
//!     });
//!     values.flatten().collect::<Vec<String>>()
//! });
//! assert_eq!(texts, ["hello world"]);
//! ```

mod findings;
mod fold;
mod lexis;
mod limits;
mod meter;
mod module;
mod nest;
mod source;
mod spine;
mod stack;
mod syntax;
#[cfg(test)]
mod test;
pub mod tree;
mod world;

use std::collections::BTreeMap;

use oxc_allocator::Allocator;

pub use findings::Findings;
pub use fold::{Choices, Folder, Piece, Value};
pub use limits::{MAX_CODE_DEPTH, MAX_CODE_NODES, MAX_FOLD_HOPS};
pub use meter::{Metered, Moved, WaitsBeside, arguments_in_fields, beside_returns, unread_in_member_names};
pub use module::{CODE_SYNTAX, CODES, Module};
pub use source::{Dialect, SourceError, SourceFile, Types, read_source};
pub use world::{Binding, Callable, EntryFunction, Exported, ExportedValue, World};

/// Reads the `.js` files among `files` and does the work on them, where the stack has room for both. The syntax trees
/// end with the work.
pub fn read<T: Send>(files: &BTreeMap<String, String>, work: impl for<'a> FnOnce(World<'a>) -> T + Send) -> T {
    stack::with_room(|| {
        let arena = Allocator::default();
        work(World::read(files, &arena))
    })
}
