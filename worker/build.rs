//! The linker's arguments of this module, and the languages that answers are said in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A table a language: key of a sentence to sentence.
const TEXTS: &str = "../crates/facade/texts";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TEXTS}");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // The edge checks scripts with the same grammar as the page (`crates/python/src/nesting.rs`).
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    }
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("languages.rs"), languages()).expect("the build folder can be written");
}

/// The tables as Rust: name of the language and its JSON. Routes that answer in languages are of the kind that all
/// languages speak for, so a table has the sentences that every language has.
fn languages() -> String {
    let folder = Path::new(TEXTS).canonicalize().expect("the tables of languages are there");
    let files = folder.read_dir().expect("the tables of languages can be listed").flatten().map(|file| file.path());
    let mut tables: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a table of a language can be read");
        tables.insert(name, serde_json::from_str(&text).expect("a table of a language is an object of texts"));
    }
    let keys = |table: &BTreeMap<String, String>| table.keys().cloned().collect::<BTreeSet<_>>();
    let shared = tables.values().map(keys).reduce(|all, more| &all & &more).unwrap_or_default();
    let mut written = String::from("&[");
    for (name, mut table) in tables {
        table.retain(|key, _| shared.contains(key));
        let text = serde_json::to_string(&table).expect("texts are JSON");
        written += &format!("({name:?}, {text:?}),");
    }
    written + "]"
}
