//! The table of routes: who may ask, what is refused and how.

use serde_json::{Value, json};

use crate::support::{Place, new_id, project, runner, wait};

#[test]
fn nobody_without_the_token_is_answered() {
    let runner = runner(Place::Namespaces);
    for (method, path) in [
        ("GET", "/healthz"),
        ("PUT", "/v1/blobs/sha256:0"),
        ("POST", "/v1/builds"),
        ("GET", "/v1/builds/x/assets/index.html"),
        ("POST", "/v1/tests"),
        ("POST", "/v1/lock"),
        ("DELETE", "/v1/builds/x"),
        ("GET", "/other"),
    ] {
        for token in ["", "wrong", "a-token-of-test", "a-token-of-tests2"] {
            let answer = wait(runner.send(method, path, token, Vec::new()));
            assert_eq!(answer.status(), 401, "{method} {path} {token}");
        }
    }
    let answer = runner.ask("GET", "/other", "");
    assert_eq!((answer.status, answer.code().as_str()), (404, "NOT_FOUND"));
}

#[test]
fn the_state_of_the_runner_is_told() {
    let runner = runner(Place::Namespaces);
    let health = runner.ask("GET", "/healthz", "").json();
    assert_eq!((&health["ok"], &health["slots"]["total"]), (&json!(true), &json!(2)));
    assert!(["namespaces", "landlock"].contains(&health["isolation"].as_str().unwrap()), "{health}");
    for name in ["version", "node", "npm"] {
        assert!(health[name].as_str().is_some_and(|version| version.contains('.')), "{health}");
    }
    assert!(health["registry_ok"].is_boolean());
}

#[test]
fn what_is_no_request_is_refused() {
    let runner = runner(Place::Namespaces);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut request = project(&json!({}));
        change(&mut request);
        runner.ask("POST", "/v1/builds", request.to_string())
    };
    let changes: &[&dyn Fn(&mut Value)] = &[
        &|request| request["build_id"] = "../x".into(),
        &|request| request["build_id"] = "".into(),
        &|request| request["files"] = json!({}),
        &|request| request["files"] = json!(["a"]),
        &|request| request["files"]["../../x"] = "x".into(),
        &|request| request["files"]["node_modules/vite/bin/vite.js"] = "x".into(),
        &|request| request["files"]["/etc/passwd"] = "x".into(),
        &|request| request["files"]["src/app.tsx"] = "x".into(),
        &|request| request["env"] = json!({ "NODE_OPTIONS": "--require /x" }),
        &|request| request["env"] = json!({ "VITE_X": "a\u{0}b" }),
        &|request| request["env"] = json!({ "LD_PRELOAD": "/x" }),
        &|request| request["blobs"] = json!([{ "path": "public/x.png", "hash": "sha256:../../x", "bytes": 1 }]),
        &|request| request["steps"] = json!(["shell"]),
        &|request| {
            for number in 0..400 {
                request["files"][format!("src/{number}.ts")] = "".into();
            }
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        let answer = with(*change);
        assert_eq!((answer.status, answer.code().as_str()), (422, "INVALID_INPUT"), "{number}");
    }
    for body in ["", "{", "[]", "null", "\u{feff}{}"] {
        assert_eq!(runner.ask("POST", "/v1/builds", body).status, 422, "{body}");
    }
    let large = runner.ask("POST", "/v1/builds", vec![b' '; (16 << 20) + 1]);
    assert_eq!((large.status, large.code().as_str()), (413, "INPUT_TOO_LARGE"));
    let hash = holdpoint_bundle::bytes_hash(b"one");
    assert_eq!(runner.ask("PUT", &format!("/v1/blobs/{hash}"), "other").status, 422);
    assert_eq!(runner.ask("PUT", "/v1/blobs/sha256:..%2f..%2fx", "other").status, 404);
    assert_eq!(runner.ask("PUT", "/v1/blobs/sha256:00", "other").status, 422);
    assert_eq!(runner.ask("PUT", &format!("/v1/blobs/{}", hash.replace(':', "%3A")), "one").status, 204);
    assert_eq!(runner.ask("DELETE", &format!("/v1/builds/{}", new_id()), "").status, 404);
}

#[test]
fn a_machine_without_a_jail_builds_nothing_by_itself() {
    let runner = runner(Place::Unjailed);
    assert_eq!(runner.ask("GET", "/healthz", "").json()["isolation"], "none");
    for path in ["/v1/builds", "/v1/tests"] {
        let answer = runner.ask("POST", path, project(&json!({})).to_string());
        assert_eq!((answer.status, answer.code().as_str()), (503, "BUILD_RUNNER_UNAVAILABLE"), "{path}");
    }
    runner.must_be_clean();
}
