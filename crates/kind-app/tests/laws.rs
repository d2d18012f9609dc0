//! What holds for every list of operations (spec: vite-app.md §3.1).
#![allow(clippy::unwrap_used)] // what does not hold ends the test

use holdpoint_bundle::{Files, content_hash, text_hash};
use holdpoint_check::Diagnostic;
use holdpoint_kind_app::check::check;
use holdpoint_kind_app::dialect::apply::{EditedProject, apply};
use holdpoint_kind_app::options::RawOptions;
use holdpoint_kind_app::packs;
use proptest::prelude::*;
use serde_json::{Value, json};

fn base() -> Files {
    packs::find("blank-react").unwrap().files.clone()
}

fn run(files: &Files, entry: Option<&str>, operations: &[Value]) -> Result<EditedProject, String> {
    let options: RawOptions = serde_json::from_value(json!({ "catalog": "2026-11" })).unwrap();
    apply(files, entry, operations, &options.resolve().unwrap()).map_err(|error| error.code)
}

/// Paths that are there, that may be, and that are refused.
fn path() -> impl Strategy<Value = String> {
    let paths = [
        "src/main.tsx",
        "src/App.tsx",
        "src/App.test.tsx",
        "src/new.ts",
        "./src//new.ts",
        "src/deep/a.css",
        "index.html",
        "package.json",
        "vite.config.ts",
        "public/logo.png",
        "../out.ts",
        "src/.env",
        "lib/a.ts",
        "SRC/App.tsx",
        "src",
        "",
    ];
    prop::sample::select(paths.to_vec()).prop_map(str::to_owned)
}

fn content() -> impl Strategy<Value = String> {
    let texts = [
        "",
        "export const a = 1;\n",
        "import './new';\n",
        "import 'left-pad';\n",
        "import { App } from './App';\nApp();\n",
        "@import './b.css';\n",
        "{",
        "<p>",
        "// ... rest of the file\n",
        "\u{feff}export {};\r\n",
        "import(`./${a}.ts`)",
    ];
    prop::sample::select(texts.to_vec()).prop_map(str::to_owned)
}

fn operation() -> impl Strategy<Value = Value> {
    let hash = prop::option::weighted(0.2, content().prop_map(|text| text_hash(&text)));
    let patch = prop::sample::select(vec![
        "@@ -1 +1 @@\n-export const a = 1;\n+export const a = 2;\n",
        "--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+export const a = 1;\n",
        "not a patch",
        "--- a/src/new.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const a = 1;\n",
    ]);
    prop_oneof![
        4 => (path(), content(), hash).prop_map(|(path, content, hash)| {
            json!({ "op": "upsert_file", "path": path, "content": content, "expected_hash": hash })
        }),
        2 => path().prop_map(|path| json!({ "op": "delete_file", "path": path })),
        2 => (path(), path()).prop_map(|(from, to)| json!({ "op": "rename_file", "from_path": from, "to_path": to })),
        1 => path().prop_map(|path| json!({ "op": "set_entry_file", "entry_file": path })),
        2 => (path(), patch).prop_map(|(path, patch)| json!({ "op": "patch", "path": path, "patch": patch })),
        1 => path().prop_map(|path| {
            json!({ "op": "put_blob", "path": path, "blob": text_hash(""), "bytes": 7 })
        }),
    ]
}

fn list() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(operation(), 0..5)
}

/// What a check finds, without what an edit is asked about.
fn found(all: &[Diagnostic]) -> Vec<&Diagnostic> {
    let guards = ["SHRINK_SUSPECT", "ELISION_SUSPECT", "PATCH_NEEDS_CONFIRMATION"];
    all.iter().filter(|one| !guards.contains(&one.code.as_ref())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn an_accepted_list_leaves_what_the_check_says(operations in list()) {
        let options: RawOptions = serde_json::from_value(json!({ "catalog": "2026-11" })).unwrap();
        if let Ok(done) = run(&base(), None, &operations) {
            let report = check(&done.files, Some(&done.entry_file), &options.resolve().unwrap());
            let without_fix = |one: &&Diagnostic| Diagnostic { fix: None, ..(*one).clone() };
            let told: Vec<_> = found(&done.diagnostics).iter().map(without_fix).collect();
            let want: Vec<_> = found(&report.diagnostics).iter().map(without_fix).collect();
            prop_assert_eq!(told, want);
            prop_assert_eq!(done.result_hash, content_hash(&done.files));
        }
    }

    #[test]
    fn lists_in_a_row_are_one_list(first in list(), second in list()) {
        let Ok(one) = run(&base(), None, &first) else { return Ok(()) };
        let Ok(two) = run(&one.files, Some(&one.entry_file), &second) else { return Ok(()) };
        let both = run(&base(), None, &[first, second].concat());
        prop_assert_eq!(both.map(|done| (done.files, done.entry_file)), Ok((two.files, two.entry_file)));
    }

    #[test]
    fn a_guarded_list_applies_once(path in prop::sample::select(vec!["src/App.tsx", "src/main.tsx"]), text in content()) {
        let before = base();
        let guard = text_hash(&before[path]);
        let list = [json!({ "op": "upsert_file", "path": path, "content": text, "expected_hash": guard })];
        if let Ok(done) = run(&before, None, &list) && done.files != before {
            prop_assert_eq!(run(&done.files, None, &list).map(drop), Err("BUILDER_PATCH_POLICY_VIOLATION".to_owned()));
        }
    }

    #[test]
    fn names_do_not_depend_on_the_spelling(operations in list()) {
        let Ok(done) = run(&base(), None, &operations) else { return Ok(()) };
        let mut same: Vec<Value> = done.changed.iter().map(|one| match done.files.get(&one.path) {
            Some(text) => json!({ "op": "upsert_file", "path": one.path, "content": text }),
            None => json!({ "op": "delete_file", "path": one.path }),
        }).collect();
        same.push(json!({ "op": "set_entry_file", "entry_file": done.entry_file }));
        let again = run(&base(), None, &same).unwrap();
        prop_assert_eq!((again.patch_id, again.result_hash), (done.patch_id, done.result_hash));
    }
}
