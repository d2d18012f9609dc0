//! The reference, `docs/reference/`: written by tests, so that it says what the product does; `cargo xtask ci` finds
//! drift.
//!
//! `codes.md` is made of the tables of all crates, `openapi.json` of the routes and of the types that the Worker uses,
//! `methods.md` of what the methods do.
//!
//! Each file of methods has a `reference.rs` beside it with one [`Entry`] a method. Nothing of it is taken on trust:
//! every method has an entry and every entry a method, the members are those that the method reads, a member of
//! another type is refused at its place, a required one that is left out too, the example is called and its answer
//! printed, and each refusal that is named is provoked. Not part of the product: tests only.

mod check;
mod codes;
mod held;
mod openapi;
mod provoked;
mod reached;
mod texts;
mod write;

use std::path::{Path, PathBuf};

use crate::Shell;

/// All that native programs can call.
static SHELL: Shell = crate::native_shell!(holdpoint_kinds);

pub use holdpoint_check::method::reference::{Entry, Member, joined, members_read};

/// Every entry that is written.
fn described() -> impl Iterator<Item = &'static Entry> {
    let kinds = holdpoint_kinds::KINDS.iter().flat_map(|entry| entry.reference);
    crate::methods::REFERENCE.iter().chain(kinds).copied().flatten()
}

/// Every entry, in the order of the methods.
fn entries() -> Vec<&'static Entry> {
    let named = |name| described().filter(move |entry| entry.method == name);
    SHELL.names().into_iter().flat_map(named).collect()
}

fn call(method: &str, input: serde_json::Value) -> serde_json::Value {
    SHELL.call(method, input)
}

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a file of the reference where `cargo xtask` compares it with what is committed, and copies it from.
fn export(name: &str, text: &str) {
    let folder = root().join("target/generated/reference");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
}
