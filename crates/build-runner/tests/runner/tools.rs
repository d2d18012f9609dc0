//! Builds, type checks, tests and locks of ordinary projects.

use holdpoint_build_runner::wire::{BuildCode, BuildStage, BuildStatus};
use serde_json::json;

use crate::support::{Place, project, runner};

#[test]
fn a_project_is_built_and_its_assets_are_fetched() {
    for place in Place::all() {
        let runner = runner(*place);
        let request = project(&json!({}));
        let built = runner.build(&request);
        built.must_succeed();
        assert_eq!(built.stages()[..3], [BuildStage::Prepare, BuildStage::Policy, BuildStage::Install], "{place:?}");
        assert!(
            built.stages().contains(&BuildStage::Typecheck) && built.stages().last() == Some(&BuildStage::Manifest)
        );
        let manifest = built.result.dist_manifest.unwrap();
        assert_eq!(manifest.entry_html, "index.html");
        assert_eq!((manifest.maps.len(), manifest.uploaded_assets), (1, 3));
        assert_eq!(manifest.source_entry_file.as_deref(), Some("src/main.tsx"));
        assert_eq!(built.result.tool_versions["vite"], manifest.build_tool_versions["vite"]);
        let at = format!("/v1/builds/{}", request["build_id"].as_str().unwrap());
        let files =
            manifest.assets.iter().map(|file| ("assets", file)).chain(manifest.maps.iter().map(|file| ("maps", file)));
        for (kind, file) in files {
            let answer = runner.ask("GET", &format!("{at}/{kind}/{}", file.path), "");
            assert_eq!((answer.status, answer.body.len() as u64), (200, file.size), "{}", file.path);
            assert_eq!(holdpoint_bundle::bytes_hash(&answer.body), file.sha256);
            assert_eq!(answer.headers["content-type"], file.content_type.as_str());
        }
        assert_eq!(runner.ask("GET", &format!("{at}/assets/gone.js"), "").code(), "ASSET_NOT_FOUND");
        assert_eq!(runner.ask("GET", &format!("{at}/assets/..%2f..%2flock"), "").code(), "ASSET_NOT_FOUND");
        assert_eq!(runner.ask("DELETE", &at, "").status, 202);
        assert_eq!(runner.ask("DELETE", &at, "").status, 404);
        assert_eq!(runner.ask("GET", &format!("{at}/assets/index.html"), "").status, 404);
        assert!(!runner.cache.join("artifacts").join(request["build_id"].as_str().unwrap()).exists());
        runner.must_be_clean();
    }
}

#[test]
fn public_names_and_blobs_reach_the_build() {
    let runner = runner(Place::Namespaces);
    let bytes = [0, 159, 146, 150];
    let hash = holdpoint_bundle::bytes_hash(&bytes);
    let mut request =
        project(&json!({ "src/App.tsx": "export const App = () => <p>{import.meta.env.VITE_TITLE}</p>;\n" }));
    request["env"] = json!({ "VITE_TITLE": "a title from outside" });
    request["blobs"] = json!([{ "path": "public/dot.png", "hash": hash, "bytes": bytes.len() }]);
    let missing = runner.ask("POST", "/v1/builds", request.to_string());
    if missing.status == 422 {
        assert_eq!(
            (missing.code().as_str(), &missing.json()["error"]["details"]["hashes"]),
            ("BLOBS_MISSING", &json!([hash]))
        );
    }
    assert_eq!(runner.ask("PUT", &format!("/v1/blobs/{hash}"), bytes).status, 204);
    request["build_id"] = crate::support::new_id().into();
    let built = runner.build(&request);
    built.must_succeed();
    let manifest = built.result.dist_manifest.unwrap();
    let dot = manifest.assets.iter().find(|asset| asset.path == "dot.png").unwrap();
    assert_eq!((dot.sha256.as_str(), dot.content_type.as_str()), (hash.as_str(), "image/png"));
    let script = manifest.assets.iter().find(|asset| asset.path.ends_with(".js")).unwrap();
    let at = format!("/v1/builds/{}/assets/{}", request["build_id"].as_str().unwrap(), script.path);
    assert!(String::from_utf8_lossy(&runner.ask("GET", &at, "").body).contains("a title from outside"));
}

#[test]
fn failures_of_types_and_of_the_build_are_both_told() {
    let wrong_type = "export function App() {\n  const count: number = 'three';\n  return <h1>{count}</h1>;\n}\n";
    let unresolved = "import './gone';\nexport {};\n";
    let built =
        runner(Place::Namespaces).build(&project(&json!({ "src/App.tsx": wrong_type, "src/main.tsx": unresolved })));
    built.must_fail(BuildCode::TypecheckFailed);
    let found = |code: &str, path: &str, line: u32| {
        built.result.diagnostics.iter().any(|finding| {
            finding.code == code
                && finding.path.as_deref() == Some(path)
                && finding.range.is_some_and(|at| at.start.line == line)
        })
    };
    assert!(found("TYPE_ERROR", "src/App.tsx", 2), "{:?}", built.result.diagnostics);
    assert!(found("BUILD_ERROR", "src/main.tsx", 1), "{:?}\n{}", built.result.diagnostics, built.log());
    let built = runner(Place::Namespaces)
        .build(&project(&json!({ "src/main.tsx": "const = 1;\n" , "src/App.tsx": null, "tsconfig.json": "{}" })));
    assert_eq!(built.result.status, BuildStatus::Failed);
    assert!(built.result.diagnostics.iter().any(|finding| finding.code == "BUILD_ERROR"), "{:?}", built.result);
}

#[test]
fn packages_that_cannot_be_installed_are_findings() {
    let runner = runner(Place::Namespaces);
    let broken = |from: &str, to: &str| {
        let mut request = project(&json!({}));
        let lock = request["files"]["package-lock.json"].as_str().unwrap().replacen(from, to, 1);
        request["files"]["package-lock.json"] = lock.into();
        let built = runner.build(&request);
        built.must_fail(BuildCode::InstallFailed);
        assert_eq!(built.result.diagnostics[0].code, "INSTALL_ERROR");
        built
    };
    let other = format!("\"integrity\":\"sha512-{}==\",\"resolved\"", "A".repeat(86));
    for source in ["https://elsewhere.example/x.tgz", "file:../../../etc", "git+ssh://git@elsewhere.example/x"] {
        let built = broken("\"integrity\"", &format!("\"resolved\":\"{source}\",\"integrity\""));
        assert!(!built.log().contains("npm"), "npm was started: {}", built.log());
    }
    broken(
        "\"node_modules/react\":{\"version\":\"18.3.1\"",
        "\"node_modules/react\":{\"version\":\"git+ssh://elsewhere.example/x\"",
    );
    let _ = other;
    let mut request = project(&json!({}));
    request["files"].as_object_mut().unwrap().remove("package-lock.json");
    runner.build(&request).must_fail(BuildCode::InstallFailed);
    // The kept layer is what it was.
    runner.build(&project(&json!({}))).must_succeed();
}

#[test]
fn two_builds_that_want_one_layer_wait_for_one_install() {
    let runner = runner(Place::Namespaces);
    // A lock that no other test has: the same packages, told apart by a member that npm does not know.
    let stamp = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
    let request = || {
        let mut request = project(&json!({}));
        let lock = request["files"]["package-lock.json"].as_str().unwrap();
        request["files"]["package-lock.json"] = lock.replacen('{', &format!("{{\"stamp\":\"{stamp}\","), 1).into();
        request
    };
    let built = std::thread::scope(|scope| {
        let both = [scope.spawn(|| runner.build(&request())), scope.spawn(|| runner.build(&request()))];
        both.map(|one| one.join().unwrap())
    });
    built.iter().for_each(super::support::Built::must_succeed);
    let kept = built.iter().filter(|built| built.log().contains("kept from before")).count();
    assert_eq!(kept, 1, "{}{}", built[0].log(), built[1].log());
}

#[test]
fn tests_are_run_and_told() {
    let runner = runner(Place::Namespaces);
    let mut request = project(&json!({
        "src/sum.ts": "export const sum = (a: number, b: number) => a + b;\n",
        "src/sum.test.ts": "import { expect, test } from 'vitest';\nimport { sum } from './sum';\n\
                            test('adds', () => expect(sum(1, 2)).toBe(3));\n",
        "src/wrong.test.ts": "import { describe, expect, test } from 'vitest';\n\
                              describe('group', () => {\n  test('fails', () => {\n    expect(1).toBe(2);\n  });\n});\n",
    }));
    let built = runner.run("/v1/tests", &request);
    assert_eq!((built.result.status, built.result.code), (BuildStatus::Failed, None), "{}", built.log());
    let mut told: Vec<_> =
        built.result.tests.as_ref().unwrap().iter().map(|test| (test.name.as_str(), test.status.as_str())).collect();
    told.sort_unstable();
    assert_eq!(told, [("adds", "passed"), ("group > fails", "failed")]);
    let finding = &built.result.diagnostics[0];
    assert_eq!((finding.code.as_ref(), finding.path.as_deref()), ("TEST_FAILED", Some("src/wrong.test.ts")));
    assert_eq!(finding.range.map(|range| range.start.line), Some(4), "{finding:?}");
    request["build_id"] = crate::support::new_id().into();
    request["test_paths"] = json!(["src/sum.test.ts"]);
    let built = runner.run("/v1/tests", &request);
    built.must_succeed();
    assert_eq!(built.result.tests.unwrap().len(), 1);
    request["test_paths"] = json!(["--config=/etc/passwd"]);
    assert_eq!(runner.ask("POST", "/v1/tests", request.to_string()).code(), "INVALID_INPUT");
}

#[test]
fn a_lock_is_made_from_versions_of_the_registry_only() {
    let runner = runner(Place::Namespaces);
    let of = |range: &str| {
        let package = json!({ "name": "x", "version": "1.0.0", "scripts": { "preinstall": "touch /tmp/never" }, "dependencies": { "react": range } });
        json!({ "build_id": crate::support::new_id(), "files": { "package.json": package.to_string() } })
    };
    let built = runner.run("/v1/lock", &of("18.3.1"));
    built.must_succeed();
    let lock: serde_json::Value = serde_json::from_str(&built.result.lockfile.unwrap()).unwrap();
    assert_eq!(lock["packages"]["node_modules/react"]["version"], "18.3.1");
    assert!(lock["packages"]["node_modules/react"].get("resolved").is_none(), "no address of a registry");
    for range in ["git+ssh://elsewhere.example/x", "file:/etc", "npm:other@1"] {
        let built = runner.run("/v1/lock", &of(range));
        built.must_fail(BuildCode::InstallFailed);
        assert!(built.log().is_empty(), "npm was started: {}", built.log());
    }
}

#[test]
fn a_build_without_a_type_check_has_none() {
    let mut request = project(&json!({ "src/App.tsx": "export const App = () => <p>{1 as string}</p>;\n" }));
    let package = request["files"]["package.json"].as_str().unwrap().replace("tsc && vite build", "vite build");
    request["files"]["package.json"] = package.into();
    let built = runner(Place::Namespaces).build(&request);
    built.must_succeed();
    assert!(!built.result.timings.contains_key("typecheck"));
}
