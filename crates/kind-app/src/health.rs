//! Whether what was built can be published: what its visitors would meet, and what they must not read (spec:
//! app-builder.md §12).
//!
//! Pure: reads the files of a revision and what was built of them; that all of it lies in the store is the caller's to see.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, Severity, args, codes};
use holdpoint_markup::css::Reference;
use holdpoint_markup::html::Element;
use holdpoint_markup::{css, html};

use crate::behaviours::is_behaviour;
use crate::policy;
use crate::requests::AppSettings;
use crate::tools::{TestAnswer, test_script};
use crate::wire::AppDist;

codes! {
    /// the revision has no build that succeeded
    HEALTH_BUILD_NOT_SUCCEEDED: Error, "Build this version first: nothing that could be published was built of it.";
    /// something that was built is not in the store, or is another text there
    HEALTH_ARTIFACT_MISSING: Error, "Build this version again: `{name}` is not in the store as it was built." [name];
    /// a page or a style of what was built names a file that is not there
    HEALTH_ASSET_UNRESOLVED: Error, "Add `{name}`, or name another file: what was built has none." [name];
    /// an address begins at the root of its origin
    HEALTH_ABSOLUTE_ASSET: Error, "Write `{name}` without a slash in front: the app does not lie at the root of its origin." [name];
    /// a page of what was built loads code or styles from elsewhere
    HEALTH_REMOTE_SCRIPT: Error, "Bring `{name}` with the app: code and styles of other origins are not loaded." [name];
    /// something that nobody else may read stands in what everybody can read
    HEALTH_SECRET_IN_BUNDLE: Error, "Take the secret out and replace it where it is used: everybody can read this file.";
    /// a value that the example names is not set
    HEALTH_ENV_MISSING: Error, "Set `{name}` in the settings of the app: `.env.example` names it." [name];
    HEALTH_ENV_MISSING / ENV_UNKNOWN: Warning, "Set `{name}` in the settings of the app, or leave it out: it is empty in what was built." [name];
    /// a test of the revision fails
    HEALTH_TESTS_FAILED: Error, "Fix the test \"{name}\", or what it tests: it fails." [name];
    HEALTH_TESTS_FAILED / TESTS_BROKE: Error, "Fix the tests: they ended with an error before they were through.";
    HEALTH_TESTS_FAILED / TESTS_NOT_RUN: Error, "Try again later: tests are required before publishing, and nobody can run them now.";
    /// an address is asked that the settings do not name
    HEALTH_CONNECT_ORIGIN: Warning, "Add `{origin}` to the connect origins, or leave the request out: the page may not ask it." [origin];
    /// visitors can read the source
    HEALTH_SOURCE_MAP_PUBLIC: Warning, "Build without public source maps: visitors can read the source.";
    /// the first load is large
    HEALTH_BUNDLE_LARGE: Warning, "Load parts of the app later: the first load is {kib} KiB of script, more than {limit} KiB." [kib, limit];
    /// the document has no title
    HEALTH_TITLE_MISSING: Warning, "Give the page a title.";
    /// the document says no language
    HEALTH_LANG_MISSING: Warning, "Say the language of the page: `<html lang=\"en\">`.";
}

/// KiB of script that a first visit may load, gzipped.
const MAX_FIRST_LOAD_KIB: usize = 512;
/// The most findings that one look tells.
const MAX_FINDINGS: usize = 200;
const EXAMPLE: &str = ".env.example";
const ENV: &str = "import.meta.env.";

/// A revision and what was built of it.
#[derive(Debug, Clone, Copy)]
pub struct HealthInput<'a> {
    pub files: &'a Files,
    pub dist: &'a AppDist,
    /// Pages, styles and scripts of what was built, by their path.
    pub texts: &'a BTreeMap<String, String>,
    pub settings: &'a AppSettings,
}

/// What stands in the way of publishing, in the order of paths; warnings do not.
pub fn check(input: HealthInput<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (path, text) in input.texts {
        match policy::ending(path).as_str() {
            "html" => page(input, path, text, &mut found),
            "css" => style(input, path, text, &mut found),
            _ => {}
        }
        if text.contains("sourceMappingURL=") && !text.contains("sourceMappingURL=data:") {
            found.push(Diagnostic::of(&HEALTH_SOURCE_MAP_PUBLIC, args! {}).in_file(path.as_str()));
        }
        if has_secret(text) {
            found.push(Diagnostic::of(&HEALTH_SECRET_IN_BUNDLE, args! {}).in_file(path.as_str()));
        }
    }
    for (path, text) in input.files {
        if has_secret(text) {
            found.push(Diagnostic::of(&HEALTH_SECRET_IN_BUNDLE, args! {}).in_file(path.as_str()));
        }
        if policy::is_code(path) && !policy::is_node_context(path) {
            requests(input, path, text, &mut found);
        }
    }
    environment(input, &mut found);
    found.truncate(MAX_FINDINGS);
    found
}

/// Whether a project has tests that can be run.
pub fn has_tests(files: &Files) -> bool {
    let runs = |path: &String| is_behaviour(path) || (policy::is_test(path) && test_script(files).is_some());
    files.keys().any(runs)
}

/// What the tests of a revision say; `None`: they could not be run. They stand in the way where the settings say so.
pub fn tests(answer: Option<&TestAnswer>, is_required: bool) -> Vec<Diagnostic> {
    let Some(answer) = answer else {
        return if is_required { vec![Diagnostic::of(&TESTS_NOT_RUN, args! {})] } else { Vec::new() };
    };
    if answer.passed {
        return Vec::new();
    }
    let failed = answer.tests.iter().filter(|test| test.status == "failed").take(MAX_FINDINGS);
    let mut found: Vec<Diagnostic> = failed
        .map(|test| {
            Diagnostic::of(&HEALTH_TESTS_FAILED, args! { name: test.name.as_str() }).in_file(test.path.as_str())
        })
        .collect();
    if found.is_empty() {
        found.push(Diagnostic::of(&TESTS_BROKE, args! {}));
    }
    let severity = if is_required { Severity::Error } else { Severity::Warning };
    found.into_iter().map(|one| one.weighed(severity)).collect()
}

fn page(input: HealthInput<'_>, path: &str, text: &str, found: &mut Vec<Diagnostic>) {
    let Ok(elements) = html::read(text) else { return };
    let mut scripts = BTreeSet::new();
    for element in &elements {
        let loads = match element.name.as_str() {
            "script" => element.value("src").map(|address| (address, true)),
            "link" => element.value("href").map(|address| (address, is_loaded(element))),
            "img" | "source" | "video" | "audio" => element.value("src").map(|address| (address, false)),
            _ => None,
        };
        let Some((address, runs)) = loads else { continue };
        if is_remote(address) {
            if runs {
                found.push(Diagnostic::of(&HEALTH_REMOTE_SCRIPT, args! { name: address }).in_file(path));
            }
            continue;
        }
        if let Some(file) = resolved(input, path, address, found) {
            scripts.insert(file);
        }
    }
    if path == input.dist.entry_html {
        let kib = first_load(input, &scripts).div_ceil(1_024);
        if kib > MAX_FIRST_LOAD_KIB {
            let large = Diagnostic::of(&HEALTH_BUNDLE_LARGE, args! { kib, limit: MAX_FIRST_LOAD_KIB });
            found.push(large.in_file(path));
        }
        let title = elements.iter().find(|element| element.name == "title");
        let words = title.and_then(|title| text[title.span.end..].split('<').next());
        let is_titled = words.is_some_and(|words| !words.trim().is_empty());
        if !is_titled {
            found.push(Diagnostic::of(&HEALTH_TITLE_MISSING, args! {}).in_file(path));
        }
        let has_language = |element: &Element<'_>| {
            element.name == "html" && element.value("lang").is_some_and(|lang| !lang.trim().is_empty())
        };
        if !elements.iter().any(has_language) {
            found.push(Diagnostic::of(&HEALTH_LANG_MISSING, args! {}).in_file(path));
        }
    }
}

fn style(input: HealthInput<'_>, path: &str, text: &str, found: &mut Vec<Diagnostic>) {
    for reference in css::read(text).unwrap_or_default() {
        let (address, loads) = match reference {
            Reference::Import { address, .. } => (address, true),
            Reference::Url { address, .. } => (address, false),
            // What Vite moved to the top is an import by now.
            Reference::Hoisted { .. } => continue,
        };
        if is_remote(&address) {
            if loads {
                found.push(Diagnostic::of(&HEALTH_REMOTE_SCRIPT, args! { name: address }).in_file(path));
            }
        } else {
            resolved(input, path, &address, found);
        }
    }
}

/// The asset that an address names; what names none is told.
fn resolved(input: HealthInput<'_>, from: &str, address: &str, found: &mut Vec<Diagnostic>) -> Option<String> {
    let plain = address.split(['?', '#']).next().unwrap_or_default().trim();
    if plain.is_empty() || plain.contains(':') {
        return None;
    }
    if plain.starts_with('/') {
        found.push(Diagnostic::of(&HEALTH_ABSOLUTE_ASSET, args! { name: address }).in_file(from));
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in plain.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    let path = path.join("/");
    let is_there = input.dist.assets.iter().any(|asset| asset.path == path);
    // A link to a place of the page itself names no file.
    if !is_there && path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        found.push(Diagnostic::of(&HEALTH_ASSET_UNRESOLVED, args! { name: address }).in_file(from));
    }
    is_there.then_some(path)
}

/// Bytes of the scripts that a page loads at once, gzipped.
fn first_load(input: HealthInput<'_>, assets: &BTreeSet<String>) -> usize {
    let scripts = assets.iter().filter(|path| path.ends_with(".js")).filter_map(|path| input.texts.get(path));
    scripts.map(|text| gzipped(text)).sum()
}

fn gzipped(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // Writing to memory does not fail.
    drop(encoder.write_all(text.as_bytes()));
    encoder.finish().map_or(0, |bytes| bytes.len())
}

/// Names that the example or the code asks for, and that no setting has.
fn environment(input: HealthInput<'_>, found: &mut Vec<Diagnostic>) {
    let example = input.files.get(EXAMPLE).map(String::as_str).unwrap_or_default();
    let named = example.lines().filter_map(|line| line.trim().split_once('=')).map(|(name, _)| name.trim());
    let named: BTreeSet<&str> = named.filter(|name| name.starts_with("VITE_")).collect();
    let is_missing = |name: &str| !input.settings.env.contains_key(name);
    for name in named.iter().filter(|name| is_missing(name)) {
        found.push(Diagnostic::of(&HEALTH_ENV_MISSING, args! { name: *name }).in_file(EXAMPLE));
    }
    let mut told = BTreeSet::new();
    for (path, text) in input.files.iter().filter(|(path, _)| policy::is_code(path)) {
        for rest in text.split(ENV).skip(1) {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = &rest[..end];
            if name.starts_with("VITE_") && is_missing(name) && !named.contains(name) && told.insert(name) {
                found.push(Diagnostic::of(&ENV_UNKNOWN, args! { name }).in_file(path.as_str()));
            }
        }
    }
}

/// Literal addresses that code asks and the settings do not name.
fn requests(input: HealthInput<'_>, path: &str, text: &str, found: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for call in ["fetch(", "new WebSocket(", "new EventSource("] {
        for (_, rest) in text.match_indices(call).map(|(at, _)| (at, &text[at + call.len()..])) {
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) else { continue };
            let address = rest[1..].split(quote).next().unwrap_or_default();
            let Some((scheme, host)) = address.split_once("://") else { continue };
            let host = host.split(['/', '?', '#']).next().unwrap_or_default();
            let origin = format!("{scheme}://{host}");
            let is_known = input.settings.connect_origins.contains(&origin) || origin.contains("${");
            if !is_known && told.insert(origin.clone()) {
                found.push(Diagnostic::of(&HEALTH_CONNECT_ORIGIN, args! { origin }).in_file(path));
            }
        }
    }
}

fn is_loaded(element: &Element<'_>) -> bool {
    let rel = element.value("rel").unwrap_or_default().to_ascii_lowercase();
    rel.split_ascii_whitespace().any(|word| matches!(word, "stylesheet" | "modulepreload" | "preload"))
}

fn is_remote(address: &str) -> bool {
    let address = address.trim().to_ascii_lowercase();
    address.starts_with("http:") || address.starts_with("https:") || address.starts_with("//")
}

/// What keys of well-known services begin with, and how many letters follow at least.
const KEYS: [(&str, usize); 9] = [
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("sk_live_", 16),
    ("rk_live_", 16),
    ("ghp_", 30),
    ("github_pat_", 30),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("AKIA", 16),
];

/// Whether a text holds a private key or a key of a well-known service.
fn has_secret(text: &str) -> bool {
    if text.contains("-----BEGIN") && text.contains("PRIVATE KEY-----") {
        return true;
    }
    KEYS.iter().any(|(start, most)| {
        text.match_indices(start).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let rest = &text[at + start.len()..];
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let length = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
            length >= *most && !before.is_some_and(is_letter)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TestedCase;
    use crate::wire::DistAsset;

    const DOCUMENT: &str = "<!doctype html><html lang=en><head><title>a</title><script type=module src=./assets/a.js></script></head></html>";

    fn found(files: &[(&str, &str)], built: &[(&str, &str)], settings: &AppSettings) -> Vec<String> {
        let map = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
        };
        let (files, texts) = (map(files), map(built));
        let asset = |path: &String| DistAsset { path: path.clone(), ..DistAsset::default() };
        let dist = AppDist {
            entry_html: "index.html".to_owned(),
            assets: texts.keys().map(asset).collect(),
            ..AppDist::default()
        };
        let input = HealthInput { files: &files, dist: &dist, texts: &texts, settings };
        check(input).iter().map(|one| format!("{} {}", one.code, one.path.as_deref().unwrap_or_default())).collect()
    }

    fn of_built(built: &[(&str, &str)]) -> Vec<String> {
        found(&[], built, &AppSettings::default())
    }

    #[test]
    fn what_is_sound_is_silent() {
        let built = [
            ("index.html", DOCUMENT),
            ("assets/a.js", "x"),
            ("assets/a.css", "a{background:url(./b.png)}"),
            ("assets/b.png", ""),
        ];
        assert_eq!(of_built(&built), [""; 0]);
    }

    #[test]
    fn pages_name_what_is_there_and_nothing_from_elsewhere() {
        let page = "<html><script src=https://a.example/x.js></script><link rel=stylesheet href=/s.css><img src=gone.png></html>";
        let want = [
            "HEALTH_REMOTE_SCRIPT index.html",
            "HEALTH_ABSOLUTE_ASSET index.html",
            "HEALTH_ASSET_UNRESOLVED index.html",
            "HEALTH_TITLE_MISSING index.html",
            "HEALTH_LANG_MISSING index.html",
        ];
        assert_eq!(of_built(&[("index.html", page)]), want);
        let styles = [("a.css", "@import 'https://a.example/x.css'; b{background:url(none.png)}")];
        assert_eq!(of_built(&styles), ["HEALTH_REMOTE_SCRIPT a.css", "HEALTH_ASSET_UNRESOLVED a.css"]);
    }

    #[test]
    fn failed_tests_stand_in_the_way_where_they_are_required() {
        let case = |name: &str, status: &str| TestedCase {
            path: "src/a.test.ts".to_owned(),
            name: name.to_owned(),
            status: status.to_owned(),
            message: None,
        };
        let answer = |passed, tests| TestAnswer { passed, tests, ..TestAnswer::default() };
        let said = |answer: Option<&TestAnswer>, is_required| -> Vec<String> {
            let found = tests(answer, is_required);
            found.iter().map(|one| format!("{:?} {}", one.severity, one.message)).collect()
        };
        let failed = answer(false, vec![case("adds", "passed"), case("counts", "failed")]);
        assert_eq!(said(Some(&failed), false), ["Warning Fix the test \"counts\", or what it tests: it fails."]);
        assert_eq!(said(Some(&failed), true), ["Error Fix the test \"counts\", or what it tests: it fails."]);
        assert_eq!(tests(Some(&failed), true)[0].path.as_deref(), Some("src/a.test.ts"));
        let broke = answer(false, Vec::new());
        assert!(said(Some(&broke), true)[0].contains("before they were through"));
        assert_eq!(said(Some(&answer(true, Vec::new())), true), [""; 0]);
        assert_eq!(said(None, false), [""; 0]);
        assert!(said(None, true)[0].starts_with("Error Try again later"));
    }

    #[test]
    fn a_project_has_tests_where_a_script_runs_them() {
        let project = |manifest: &str, test: &str| -> Files {
            [("package.json", manifest), (test, "")].map(|(path, text)| (path.to_owned(), text.to_owned())).into()
        };
        let runs = r#"{"scripts":{"test":"vitest run"},"devDependencies":{"vitest":"3.2.4"}}"#;
        assert!(has_tests(&project(runs, "src/a.test.ts")));
        assert!(!has_tests(&project(runs, "src/a.ts")));
        assert!(!has_tests(&project("{}", "src/a.test.ts")));
        assert!(has_tests(&project("{}", "src/behaviours/a.test.ts")), "behaviours need none");
    }

    #[test]
    fn secrets_are_found_in_what_everybody_reads() {
        let key = format!("const k='ghp_{}'", "a1".repeat(18));
        assert_eq!(of_built(&[("a.js", &key)]), ["HEALTH_SECRET_IN_BUNDLE a.js"]);
        assert_eq!(of_built(&[("a.js", "const task='desk-ant-colony'; AKIA")]), [""; 0]);
        let pem = "-----BEGIN PRIVATE KEY-----";
        assert_eq!(found(&[("src/k.ts", pem)], &[], &AppSettings::default()), ["HEALTH_SECRET_IN_BUNDLE src/k.ts"]);
    }

    #[test]
    fn values_and_origins_are_set_or_told() {
        let files = [
            (".env.example", "VITE_A=\n# no\nB=1\n"),
            (
                "src/a.ts",
                "import.meta.env.VITE_A; import.meta.env.VITE_B; fetch('https://api.example/x'); fetch('./y')",
            ),
        ];
        let want = ["HEALTH_CONNECT_ORIGIN src/a.ts", "HEALTH_ENV_MISSING .env.example", "HEALTH_ENV_MISSING src/a.ts"];
        assert_eq!(found(&files, &[], &AppSettings::default()), want);
        let settings = AppSettings {
            env: BTreeMap::from(["VITE_A", "VITE_B"].map(|name| (name.to_owned(), String::new()))),
            connect_origins: vec!["https://api.example".to_owned()],
            ..AppSettings::default()
        };
        assert_eq!(found(&files, &[], &settings), [""; 0]);
    }

    #[test]
    fn a_large_first_load_and_public_maps_are_told() {
        let mut seed = 7_u32;
        let noise: String = (0..1_200_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                char::from(b'!' + (seed >> 25) as u8 % 90)
            })
            .collect();
        let code = format!("{noise}\n//# sourceMappingURL=a.js.map");
        let want = ["HEALTH_SOURCE_MAP_PUBLIC assets/a.js", "HEALTH_BUNDLE_LARGE index.html"];
        assert_eq!(of_built(&[("index.html", DOCUMENT), ("assets/a.js", &code)]), want);
    }
}
