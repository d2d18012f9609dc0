//! Whether the OpenAPI document has the routes of the Worker, all of them and no others.

use std::collections::BTreeSet;

use regex::Regex;

use super::routes::Route;
use super::{editor, root, routes};

/// Method and path, with `{}` for any segment.
type Found = BTreeSet<(String, String)>;

/// The files of the Worker's routes, and what their paths begin with.
const FAMILIES: &[(&str, &str)] = &[
    ("kinds/script_tool/routes.rs", "/api/v1/editor"),
    ("kinds/ifc_extension/routes.rs", "/api/v1/extensions"),
    ("routes/gateway.rs", "/gateway/v1"),
    ("routes/model.rs", ""),
];
/// The page's own files, and what the families share.
const NO_FAMILIES: &[&str] = &["mod.rs", "page.rs"];

/// Every route of the document.
pub fn documented() -> impl Iterator<Item = &'static Route> {
    routes::ROUTES.iter().chain(editor::ROUTES)
}

fn source(file: &str) -> String {
    std::fs::read_to_string(root().join("worker/src").join(file)).unwrap()
}

/// What the Worker matches.
fn matched() -> Found {
    let mut found = Found::new();
    for (file, prefix) in FAMILIES {
        let source = source(file);
        let routes = if source.contains("\nfn known(") { table(&source) } else { arms(&source) };
        assert!(!routes.is_empty(), "no route was found in {file}");
        found.extend(routes.into_iter().map(|(method, path)| (method, format!("{prefix}{path}"))));
    }
    found
}

/// Arms such as `(["keys", id], Method::Get)`, `("/v1/models", Method::Get)`, and those that match by a beginning.
fn arms(source: &str) -> Found {
    let pattern = Regex::new(r#"(?:\[([^\]]*)\]|"(/[^"]*)"),\s*&?Method::(\w+)"#).unwrap();
    let beginning = Regex::new(r#"Method::(\w+)\) if path\.starts_with\("(/[^"]*)"\)"#).unwrap();
    let mut found = Found::new();
    for arm in pattern.captures_iter(source) {
        let method = arm[3].to_lowercase();
        match arm.get(2) {
            Some(whole) => drop(found.insert((method, whole.as_str().to_owned()))),
            None => found.extend(paths(&arm[1]).into_iter().map(|path| (method.clone(), path))),
        }
    }
    let by_beginning = beginning.captures_iter(source);
    found.extend(by_beginning.map(|arm| (arm[1].to_lowercase(), format!("{}{{}}", &arm[2]))));
    found
}

/// The arms of `fn known`: patterns, and the methods that they know.
fn table(source: &str) -> Found {
    let known = source.split_once("\nfn known(").unwrap().1.split_once("\n}").unwrap().0;
    let arm = Regex::new(r"((?:\[[^\]]*\]\s*\|?\s*)+)=>\s*&\[([^\]]*)\]").unwrap();
    let pattern = Regex::new(r"\[([^\]]*)\]").unwrap();
    let method = Regex::new(r"Method::(\w+)").unwrap();
    let mut found = Found::new();
    for arm in arm.captures_iter(known) {
        for path in pattern.captures_iter(&arm[1]).flat_map(|pattern| paths(&pattern[1])) {
            found.extend(method.captures_iter(&arm[2]).map(|method| (method[1].to_lowercase(), path.clone())));
        }
    }
    let arms = known.matches("=>").count() - known.matches("_ =>").count();
    assert_eq!(arm.captures_iter(known).count(), arms, "an arm of `known` was not read");
    found
}

/// The paths of a pattern: texts stay, names stand for any segment, `"a" | "b"` for each.
fn paths(pattern: &str) -> Vec<String> {
    let mut paths = vec![String::new()];
    for part in pattern.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let texts: Vec<&str> = part.split('"').skip(1).step_by(2).collect();
        let segments = if texts.is_empty() { vec!["{}"] } else { texts };
        paths = paths.iter().flat_map(|path| segments.iter().map(move |segment| format!("{path}/{segment}"))).collect();
    }
    paths
}

#[test]
fn the_document_has_the_routes_of_the_worker() {
    let anonymous = |path: &str| -> String {
        let segments = path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment });
        segments.collect::<Vec<_>>().join("/")
    };
    let routes: Found = documented().map(|route| (route.method.to_owned(), anonymous(route.path))).collect();
    assert_eq!(routes.len(), documented().count(), "a route stands twice");
    let worker = matched();
    assert_eq!(worker.difference(&routes).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "not in the document");
    assert_eq!(routes.difference(&worker).collect::<Vec<_>>(), Vec::<&(String, String)>::new(), "not in the Worker");
}

#[test]
fn every_family_of_the_worker_is_read() {
    let entries = std::fs::read_dir(root().join("worker/src/routes")).unwrap();
    let files: BTreeSet<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    let engine = FAMILIES.iter().filter_map(|(file, _)| file.strip_prefix("routes/"));
    let known: BTreeSet<String> = engine.chain(NO_FAMILIES.iter().copied()).map(str::to_owned).collect();
    assert_eq!(files, known);
}

#[test]
fn routes_are_found_as_they_are_written() {
    let source = r#"
        (["keys"], Method::Get) => 1,
        (parts, &method) == (&["bootstrap"], &Method::Post)
        ([id, action @ ("undo" | "redo")], Method::Put) => 2,
        ([], Method::Get) => 3,
        ("/v1/models", Method::Get) => 4,
        (path, Method::Get) if path.starts_with("/v1/models/") => 5,
        matches!(method, Method::Post | Method::Put)
    "#;
    let found: Vec<String> = arms(source).into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    let wanted =
        ["get ", "get /keys", "get /v1/models", "get /v1/models/{}", "post /bootstrap", "put /{}/redo", "put /{}/undo"];
    assert_eq!(found, wanted);
    let source = "\nfn known() {\n [\"a\"]\n | [\"a\", _, \"b\" | \"c\"] => &[Method::Get, Method::Put],\n _ => 0,\n}";
    let found: Vec<String> = table(source).into_iter().map(|(method, path)| format!("{method} {path}")).collect();
    assert_eq!(found, ["get /a", "get /a/{}/b", "get /a/{}/c", "put /a", "put /a/{}/b", "put /a/{}/c"]);
}
