//! Laws on words: where a page may name a kind, how many ideas a type name may have (ENGINE §1, §11).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{is_test, product, sources};
use crate::process::root;

/// A kind's own places in the page, the texts that people read, and what shows states.
const PLACES: &[&str] = &["www/app/src/pages/", "www/elements/src/text/", "www/app/gallery/"];
/// The script editor's client: its wire is that of one kind.
const EDITOR_CLIENT: &str = "www/core/src/editor/";
/// Which module has the checks of a kind.
const CHECK_MODULES: &str = "www/core/src/check/kinds.ts";

/// Names that no public type has: what they would say is said by what was asked, or by an error's own name.
const GONE: &[&str] = &["Answer", "Fault", "Question"];
/// With more ideas than this, a reader has to ask which one is meant.
const MOST_IDEAS: usize = 2;
/// Names of twins: one idea in each kind, machine or table.
const TWINS: &[&str] = &["Report", "Event", "Effect", "More", "Options", "Summary"];

/// Product code by its path in the tree; rigs and tools of ours are none.
fn products(ending: &str) -> Vec<(String, String)> {
    let own = |(path, text): (std::path::PathBuf, String)| {
        let path = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned();
        let is_tool = ["crates/bench/", "crates/xtask/"].iter().any(|place| path.starts_with(place));
        (!is_tool && !is_test(Path::new(&path))).then(|| (path, product(&text).to_owned()))
    };
    sources(&[ending]).into_iter().filter_map(own).collect()
}

#[test]
fn a_page_names_its_kind_and_no_other_place_does() {
    let code = |line: &&str| !["//", "/*", "*"].iter().any(|sign| line.trim_start().starts_with(sign));
    let names = |line: &str| ["ifc-extension", "script-tool"].iter().any(|kind| line.contains(kind));
    let places = || PLACES.iter().chain([&EDITOR_CLIENT, &CHECK_MODULES]);
    for (path, text) in products(".ts").iter().filter(|(path, _)| !places().any(|place| path.starts_with(place))) {
        let found: Vec<_> = text.lines().filter(code).filter(|line| names(line)).collect();
        assert!(found.is_empty(), "{path} names a kind: {found:#?}");
    }
    let pages = products(".ts").into_iter().filter(|(path, _)| path.starts_with(PLACES[0]));
    assert!(pages.filter(|(_, text)| text.lines().any(names)).count() >= 2, "the words are seen where they may stand");
}

#[test]
fn a_type_name_has_few_ideas() {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let sources = products(".rs");
    for (path, text) in &sources {
        for name in types(text) {
            names.entry(name).or_default().push(path);
        }
    }
    let wrong: Vec<String> = names
        .iter()
        .filter(|(name, places)| GONE.contains(name) || (places.len() > MOST_IDEAS && !TWINS.contains(name)))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(wrong.is_empty(), "name these apart:\n{}", wrong.join("\n"));
}

/// Public types of a file, each once.
fn types(text: &str) -> BTreeSet<&str> {
    let rest = |line: &'_ str| {
        let words = ["pub struct ", "pub enum ", "pub trait "];
        words.iter().find_map(|word| line.trim_start().strip_prefix(word).map(str::len))
    };
    let ends = |c: char| !(c.is_alphanumeric() || c == '_');
    text.lines().filter_map(|line| line[line.len() - rest(line)?..].split(ends).next()).collect()
}

#[test]
fn public_types_are_seen() {
    let text = "pub struct One<'a> {\n}\npub enum Two {}\nstruct Own;\n    pub trait Three: Sync {\n";
    assert_eq!(types(text), BTreeSet::from(["One", "Two", "Three"]));
}
