//! The linker's arguments of this module, and the languages that answers are said in.

use std::fmt::Write as _;
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

/// The tables as Rust: name of the language and its JSON.
fn languages() -> String {
    let folder = Path::new(TEXTS).canonicalize().expect("the tables of languages are there");
    let files = folder.read_dir().expect("the tables of languages can be listed").flatten().map(|file| file.path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    files.sort();
    let mut table = String::from("&[");
    for path in &files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.display().to_string();
        let _ = write!(table, "({name:?}, include_str!({path:?})),");
    }
    table + "]"
}
