//! Contracts lie in the tree: what a comment names of them can be opened (ENGINE §11, law 5).

use std::collections::{BTreeMap, BTreeSet};

use super::below;
use crate::process::root;

/// Contracts that code names without their ending.
const SPELLED: [&str; 3] = ["DESIGN", "ENGINE", "UI"];

/// The numbers of a document's headings: `3` and `3.1` of `## 3. The plan` and `### 3.1 Shape`.
fn headings(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let number = line.trim_start_matches('#').trim_start().split([' ', '.']).next()?.to_owned();
        let whole = line.trim_start_matches('#').split_whitespace().next()?.trim_end_matches('.').to_owned();
        line.starts_with('#').then_some([number, whole])
    };
    text.lines().filter_map(heading).flatten().collect()
}

/// Every contract by its name, lower case, without its ending.
fn contracts() -> BTreeMap<String, BTreeSet<String>> {
    let documents = below(&["docs"], &[".md"]).into_iter();
    let contract = |path: &std::path::Path| {
        path.starts_with(root().join("docs/spec"))
            || SPELLED.iter().any(|name| path.ends_with(format!("docs/{}.md", name.to_lowercase())))
    };
    let named = documents.filter(|(path, _)| contract(path)).filter_map(|(path, text)| {
        let name = path.file_stem()?.to_string_lossy().to_lowercase();
        Some((name, headings(&text)))
    });
    named.collect()
}

/// What a line names: a contract, and the number of one of its headings.
fn named<'l>(line: &'l str, contract: &str) -> impl Iterator<Item = &'l str> + use<'l> {
    let sign = format!("{contract} §");
    let places: Vec<usize> = line.match_indices(&sign).map(|(at, _)| at + sign.len()).collect();
    places.into_iter().map(|at| {
        let rest = &line[at..];
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        rest[..end].trim_end_matches('.')
    })
}

#[test]
fn what_code_names_of_a_contract_is_there() {
    let contracts = contracts();
    assert!(contracts.len() > 10, "the contracts lie in docs/spec");
    let files: Vec<String> = contracts.keys().map(|name| format!("{name}.md")).collect();
    let mut wrong = Vec::new();
    for (path, text) in below(&["crates", "worker", "www", "tests"], &[".rs", ".ts"]) {
        if path.starts_with(root().join("crates/xtask")) {
            continue;
        }
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.contains('§')) {
            let spelled = SPELLED.map(|name| (name.to_owned(), name.to_lowercase()));
            let all = files.iter().map(|file| (file.clone(), file.trim_end_matches(".md").to_owned())).chain(spelled);
            for (as_written, name) in all {
                let missing = |heading: &&str| !contracts.get(&name).is_some_and(|known| known.contains(*heading));
                let found = named(line, &as_written).filter(missing);
                wrong
                    .extend(found.map(|heading| format!("{}:{}: {as_written} §{heading}", path.display(), number + 1)));
            }
        }
    }
    assert!(wrong.is_empty(), "no such heading:\n{}", wrong.join("\n"));
}

#[test]
fn headings_and_names_are_read() {
    let known = headings("# A\n## 3. The plan\n### 3.1 Shape\ntext 9.\n");
    assert!(known.contains("3") && known.contains("3.1") && !known.contains("9"), "{known:?}");
    let line = "//! (spec: gateway.md §6.2 \"Settle\", ENGINE §4).";
    assert_eq!(named(line, "gateway.md").collect::<Vec<_>>(), ["6.2"]);
    assert_eq!(named(line, "ENGINE").collect::<Vec<_>>(), ["4"]);
}
