//! Invariants of `ARCHITECTURE.md` that can be read off the tree. Tests only.
#![cfg(test)]

mod contracts;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::process::root;

/// Lines above which a source file must be split by what it owns.
const MAX_LINES: usize = 500;
/// The same for tables of texts and for fixtures: they are long and have little to split by.
const MAX_TABLE_LINES: usize = 800;
/// Characters of a line of TypeScript; the formatter breaks code at 100, and leaves texts and comments alone.
const MAX_COLUMNS: usize = 120;
/// Endings of files that stand at the top level, beside those whose names have none.
const TOP_ENDINGS: &[&str] = &["json", "jsonc", "lock", "md", "toml"];
/// Pictures in git; `cargo xtask shots` makes all of them.
const MAX_PICTURES: usize = 12;

/// Crates from the bottom up: each may know only crates of lower rows (DESIGN §2 "The house").
const LAYERS: &[&[&str]] = &[
    &["diff", "geometry", "heap", "markup", "tokens", "unicode_names2"],
    &["text"],
    &["check"],
    &["bundle", "sdk"],
    &["model"],
    &["change", "schema", "js", "sandbox", "gateway", "python"],
    &["kind", "store"],
    &["engine", "provider"],
    &["kind-app", "kind-crew", "kind-extension", "kind-script"],
    &["facade"],
    &["kinds", "wasm-shell"],
    &[
        "cli",
        "bench",
        "build-runner",
        "xtask",
        "wasm-core",
        "wasm-check-extension",
        "wasm-check-script",
        "wasm-check-crew",
        "wasm-check-app",
        "wasm-crew",
        "wasm-sandbox",
        "wasm-model",
        "wasm-ids",
        "wasm-geometry",
        "wasm-python",
        "wasm-archive",
        "worker",
        "test-notes",
    ],
];

/// Crates that do no I/O, read no clock and roll no dice.
const PURE: &[&str] = &[
    "diff",
    "text",
    "tokens",
    "bundle",
    "sdk",
    "check",
    "change",
    "schema",
    "js",
    "markup",
    "kind",
    "kind-crew",
    "kind-extension",
    "kind-script",
    "kinds",
    "python",
    "engine",
    "gateway",
    "geometry",
    "facade",
];

/// Who alone may name a dependency.
const HOMES: &[(&str, &[&str])] = &[
    ("boa_engine", &["sandbox"]),
    ("worker", &["worker"]),
    (
        "wasm-bindgen",
        &[
            "wasm-shell",
            "wasm-core",
            "wasm-check-extension",
            "wasm-crew",
            "wasm-sandbox",
            "wasm-model",
            "wasm-ids",
            "wasm-geometry",
            "wasm-python",
            "wasm-archive",
            "worker",
        ],
    ),
    (
        "getrandom",
        &["worker", "cli", "xtask", "wasm-shell", "wasm-sandbox", "wasm-model", "wasm-python", "wasm-archive"],
    ),
    // A module of the page that named the table of all kinds would link every check.
    ("kinds", &["cli", "bench", "worker"]),
    ("oxc_parser", &["js"]),
    ("jsonschema", &["schema"]),
    ("jsonschema-regex", &["schema"]),
    ("ruff_python_parser", &["python"]),
    ("similar", &["diff"]),
    ("ifc-lite-core", &["geometry", "model"]),
    ("ifc-lite-geometry", &["geometry"]),
    ("roxmltree", &["model"]),
    ("axum", &["provider"]),
    ("landlock", &["build-runner"]),
    ("seccompiler", &["build-runner"]),
    ("rusqlite", &["store"]),
    ("saphyr-parser", &["kind-crew"]),
    ("cssparser", &["markup"]),
    ("html5gum", &["markup"]),
];

fn packages() -> BTreeMap<String, BTreeSet<String>> {
    let name = |name: &str| name.trim_start_matches("holdpoint-").to_owned();
    crate::metadata::members()
        .unwrap()
        .iter()
        .map(|package| {
            let normal = package.dependencies.iter().filter(|dependency| dependency.kind.is_none());
            (name(&package.name), normal.map(|dependency| name(&dependency.name)).collect())
        })
        .collect()
}

fn sources(endings: &[&str]) -> Vec<(PathBuf, String)> {
    below(&["crates", "worker", "www"], endings)
}

fn below(folders: &[&str], endings: &[&str]) -> Vec<(PathBuf, String)> {
    fn visit(dir: &Path, endings: &[&str], found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["target", "node_modules", "generated", "dist", "wasm", "build"].contains(&name.as_str()) {
                    visit(&path, endings, found);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    for dir in folders {
        visit(&root().join(dir), endings, &mut found);
    }
    found
}

#[test]
fn arrows_run_downward_only() {
    let row = |name: &str| LAYERS.iter().position(|row| row.contains(&name));
    for (package, dependencies) in packages() {
        let own = row(&package).unwrap_or_else(|| panic!("{package} stands in no layer: add it"));
        for dependency in dependencies {
            if let Some(below) = row(&dependency).filter(|_| dependency != "worker") {
                assert!(below < own, "{package} knows {dependency}, which is not below it");
            }
        }
    }
}

#[test]
fn dependencies_live_in_their_homes() {
    for (package, dependencies) in packages() {
        for (dependency, homes) in HOMES {
            let named = dependencies.contains(*dependency);
            assert!(
                !named || homes.contains(&package.as_str()),
                "{package} names {dependency}, which lives in {homes:?}"
            );
        }
    }
}

#[test]
fn the_core_is_pure() {
    const WORLD: &[&str] = &[
        "std::time::Instant",
        "SystemTime",
        "std::fs",
        "TcpStream",
        "UdpSocket",
        "std::env::",
        "std::process",
        "std::thread",
    ];
    for (path, text) in sources(&[".rs"]) {
        let Ok(inside) = path.strip_prefix(root().join("crates")) else { continue };
        let Some(package) = inside.iter().next() else { continue };
        let source = inside.iter().nth(1).is_some_and(|folder| folder == "src");
        if !source || !PURE.iter().any(|name| package == *name) {
            continue;
        }
        // A thread for room on the stack, which says and hears nothing.
        let has_room = inside == Path::new("js/src/stack.rs");
        for name in WORLD.iter().filter(|name| !has_room || **name != "std::thread") {
            assert!(is_test(inside) || !product(&text).contains(name), "{} names {name}", path.display());
        }
    }
}

/// Whether a source file is compiled for tests only. A folder called `testing` is product code.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| ["test", "tests", "test.rs", "tests.rs"].iter().any(|name| part == *name))
}

/// A source without the tests at its end. Declarations of test modules in other files cut nothing off.
fn product(text: &str) -> &str {
    let tests = text.match_indices("#[cfg(test)]\nmod ").find(|(at, _)| {
        let declaration = text[*at..].lines().nth(1).unwrap_or_default();
        declaration.ends_with('{')
    });
    tests.map_or(text, |(at, _)| &text[..at])
}

#[test]
fn product_code_ends_where_tests_begin() {
    let text = "#[cfg(test)]\nmod tests;\nfn product() {}\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(product(text), "#[cfg(test)]\nmod tests;\nfn product() {}\n");
    assert!(is_test(Path::new("crates/facade/src/test/codes.rs")) && is_test(Path::new("crates/python/src/tests.rs")));
    assert!(!is_test(Path::new("crates/facade/src/testing.rs")));
    assert!(!is_test(Path::new("crates/kind-extension/src/testing/judge.rs")));
}

#[test]
fn a_module_says_why_it_exists() {
    for (path, text) in sources(&[".rs"]) {
        assert!(text.starts_with("//!"), "{} begins without module docs", path.display());
    }
}

#[test]
fn nothing_strays_into_the_top_level() {
    for entry in std::fs::read_dir(root()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let plain = name.starts_with('.') || !name.contains('.');
        let kept = plain || TOP_ENDINGS.iter().any(|ending| name.ends_with(&format!(".{ending}")));
        assert!(
            kept || entry.file_type().unwrap().is_dir(),
            "{name} stands at the top: give it a folder, or take it out"
        );
    }
}

#[test]
fn files_stay_small() {
    for (path, text) in sources(&[".rs", ".ts"]) {
        let lines = text.lines().count();
        let table = ["elements/src/text", "app/gallery"].iter().any(|folder| path.parent().unwrap().ends_with(folder));
        let most = if table { MAX_TABLE_LINES } else { MAX_LINES };
        assert!(lines <= most, "{} has {lines} lines: split it by what it owns", path.display());
    }
}

#[test]
fn a_line_of_typescript_is_seen_whole() {
    for (path, text) in below(&["www", "tests", "tests/wasm"], &[".ts"]) {
        for (at, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            assert!(columns <= MAX_COLUMNS, "{}:{} has {columns} columns: break it", path.display(), at + 1);
        }
    }
}

#[test]
fn a_picture_in_git_is_shown_by_a_document() {
    let documents = below(&["docs"], &[".md"]).into_iter().map(|(_, text)| text);
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let words: String = documents.chain([read("README.md"), read("CONTRIBUTING.md")]).collect();
    let pictures: Vec<_> = std::fs::read_dir(root().join("docs/shots")).unwrap().map(|one| one.unwrap()).collect();
    assert!(pictures.len() <= MAX_PICTURES, "{} pictures in docs/shots", pictures.len());
    for picture in pictures {
        let name = picture.file_name().to_string_lossy().into_owned();
        assert!(words.contains(&format!("docs/shots/{name}")), "no document shows {name}");
    }
}

/// What is not TypeScript is not type-checked, and a test of another ending would not run.
#[test]
fn tests_are_typescript() {
    let folders = ["tests/edge", "tests/web", "tests/browser", "tests/wasm", "tests/packages"];
    let others = below(&folders, &[".js", ".mjs", ".cjs"]);
    let names: Vec<_> = others.iter().map(|(path, _)| path.display().to_string()).collect();
    assert!(names.is_empty(), "not TypeScript: {names:?}");
}

#[test]
fn typescript_is_strict() {
    for (path, text) in sources(&[".ts"]) {
        for loose in [": any;", ": any)", ": any,", ": any[", "<any>", "as any", "@ts-ignore", "@ts-nocheck"] {
            assert!(!text.contains(loose), "{} says `{loose}`", path.display());
        }
    }
}

#[test]
fn bundles_never_reach_markup() {
    for (path, text) in sources(&[".ts"]) {
        for door in [".innerHTML", ".outerHTML", "insertAdjacentHTML", "unsafeHTML", "document.write"] {
            assert!(!text.contains(door), "{} names {door}", path.display());
        }
    }
}

#[test]
fn elements_know_core_and_pages_know_elements() {
    for (path, text) in sources(&[".ts"]) {
        let path = path.to_string_lossy();
        if path.contains("www/core/") {
            assert!(!text.contains("@holdpoint/elements") && !text.contains("@holdpoint/app"), "{path} looks up");
        }
        if path.contains("www/elements/") {
            assert!(!text.contains("@holdpoint/app"), "{path} looks up");
            assert!(!text.contains("fetch("), "{path} fetches: an element renders and emits");
        }
    }
}

/// What reads a model's replies: the dialects of the kinds, and their protocols.
#[test]
fn no_model_can_apply() {
    let reads = |path: &Path| {
        let inside = path.strip_prefix(root().join("crates")).unwrap_or(Path::new(""));
        let is_kind = inside.iter().next().is_some_and(|part| part.to_string_lossy().starts_with("kind"));
        is_kind && inside.iter().any(|part| part == "dialect" || part == "protocol")
    };
    // `gate.rs` names them to refuse them.
    let read = |path: &Path| reads(path) && !is_test(path) && !path.ends_with("gate.rs");
    let replies: Vec<_> = sources(&[".rs"]).into_iter().filter(|(path, _)| read(path)).collect();
    assert!(!replies.is_empty(), "nothing reads replies in the kinds' crates");
    for (path, text) in replies {
        for tool in ["\"apply\"", "\"install\"", "\"approve\""] {
            assert!(!product(&text).contains(tool), "{} knows a tool {tool}", path.display());
        }
    }
}

/// What a tool may do has three words, and none of them is for writing: only a person applies (ENGINE §6). That nothing
/// called like an approval runs is `what_is_not_listed_is_refused_and_nothing_runs` of `crates/engine`.
#[test]
fn a_tool_reads_stages_or_ends() {
    let text = std::fs::read_to_string(root().join("crates/kind/src/protocol/mod.rs")).unwrap();
    let (_, access) = text.split_once("pub enum Access {\n").unwrap();
    let (access, _) = access.split_once("\n}").unwrap();
    let words: Vec<_> = access.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
    assert_eq!(words, ["Read,", "Stage,", "End,"]);
}

/// Where the Worker says who asks: the only product code that may say that somebody is a person (ENGINE §4).
const AUTHENTICATION: &str = "worker/src/auth.rs";

#[test]
fn a_person_is_made_by_authentication_only() {
    let mut calls = Vec::new();
    for (path, text) in sources(&[".rs"]) {
        let path = path.strip_prefix(root()).unwrap_or(&path);
        if !path.starts_with("crates/change") && !path.starts_with("crates/xtask") {
            calls.extend(makes_persons(path, &text).map(|line| format!("{}:{line}", path.display())));
        }
    }
    assert!(
        calls.iter().all(|call| call.starts_with(AUTHENTICATION)),
        "a person is made outside authentication: {calls:?}"
    );
    assert!(calls.len() <= 1, "a person is made more than once: {calls:?}");
}

/// Numbers of the lines that make a person, or name what makes one. Tests may.
fn makes_persons<'t>(path: &Path, text: &'t str) -> impl Iterator<Item = usize> + use<'t> {
    let text = if is_test(path) { "" } else { product(text) };
    let code = |line: &str| !line.trim_start().starts_with("//") && line.contains("::authenticated");
    text.lines().enumerate().filter(move |(_, line)| code(line)).map(|(at, _)| at + 1)
}

#[test]
fn what_makes_a_person_is_seen() {
    let found = |path: &str, text: &str| makes_persons(Path::new(path), text).collect::<Vec<_>>();
    let calls = "use holdpoint_change::Person as Somebody;\nlet by = Somebody::authenticated(user);\n";
    assert_eq!(found("crates/store/src/a.rs", calls), [2]);
    assert_eq!(found("worker/src/b.rs", "user.map(Person::authenticated)\n"), [1]);
    assert!(found("crates/store/src/a.rs", "// Person::authenticated is authentication's.\n").is_empty());
    assert!(
        found("crates/store/src/a.rs", "#[cfg(test)]\nmod tests {\n    Person::authenticated(user)\n}\n").is_empty()
    );
    assert!(found("crates/store/tests/a.rs", calls).is_empty());
}

/// Where the Rust of the product may name a kind: its crate and its folder at the edge, the table of all, the modules of the
/// page, and commands that only it has (ENGINE, "The law").
const KINDS: &[&str] = &[
    "crates/kind-app",
    "crates/kind-crew",
    "crates/kind-extension",
    "crates/kind-script",
    "crates/kinds",
    "crates/wasm-archive",
    "crates/wasm-check-app",
    "crates/wasm-check-crew",
    "crates/wasm-check-extension",
    "crates/wasm-check-script",
    "crates/wasm-core",
    "crates/wasm-crew",
    "crates/cli/src/archive.rs",
    "crates/cli/src/run.rs",
    "crates/cli/src/test.rs",
    "worker/src/kinds",
];

#[test]
fn a_kind_is_named_in_its_places_only() {
    let mut found = Vec::new();
    for (path, text) in sources(&[".rs"]) {
        let path = path.strip_prefix(root()).unwrap_or(&path);
        // Examples of methods name what they are of, and rigs what they time.
        let describes =
            path.ends_with("reference.rs") || path.starts_with("crates/xtask") || path.starts_with("crates/bench");
        if describes || path.iter().any(|part| part == "fuzz") || KINDS.iter().any(|place| path.starts_with(place)) {
            continue;
        }
        found.extend(names_kinds(path, &text).map(|line| format!("{}:{line}", path.display())));
    }
    assert!(found.is_empty(), "a kind is named outside its places: {found:#?}");
}

/// Numbers of the lines that name a kind. Comments and tests may.
fn names_kinds<'t>(path: &Path, text: &'t str) -> impl Iterator<Item = usize> + use<'t> {
    let text = if is_test(path) { "" } else { product(text) };
    let kinds = [
        "crew_package",
        "crew-package",
        "ifc_extension",
        "ifc-extension",
        "script_tool",
        "script-tool",
        "kind_crew",
        "kind_extension",
        "kind_script",
    ];
    let code = move |line: &str| !line.trim_start().starts_with("//") && kinds.iter().any(|kind| line.contains(kind));
    text.lines().enumerate().filter(move |(_, line)| code(line)).map(|(at, _)| at + 1)
}

#[test]
fn what_names_a_kind_is_seen() {
    let found = |path: &str, text: &str| names_kinds(Path::new(path), text).collect::<Vec<_>>();
    let text = "//! Not `script-tool`.\nuse holdpoint_kind_script;\nfind(\"ifc-extension\");\n";
    assert_eq!(found("worker/src/project/mod.rs", text), [2, 3]);
    assert!(found("crates/store/tests/a.rs", text).is_empty());
    assert!(found("crates/store/src/a.rs", "#[cfg(test)]\nmod tests {\n    script_tool\n}\n").is_empty());
}
