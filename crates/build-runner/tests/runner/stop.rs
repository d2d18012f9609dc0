//! Builds that are stopped: by whoever sent them, by a connection that closes, by the end of the runner itself.

use std::time::{Duration, Instant};

use holdpoint_build_runner::wire::{BuildCode, BuildStatus, Frame};
use http_body_util::BodyExt as _;
use serde_json::Value;

use crate::support::{Place, Runner, TOKEN, hostile, processes, runner, wait};

/// A build that never ends, and a mark that its processes have in their command lines.
pub fn endless(mark: &str) -> Value {
    hostile(&format!(
        "cp.spawn('sleep', ['{mark}'], {{ detached: true, stdio: 'ignore' }}); console.log('RUNS');
         await new Promise(() => setInterval(() => {{}}, 1000));"
    ))
}

async fn until_it_runs(response: &mut hyper::Response<hyper::body::Incoming>) {
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("RUNS") {
        seen.extend_from_slice(&response.frame().await.unwrap().unwrap().into_data().unwrap());
    }
}

fn must_be_gone(mark: &str) {
    let until = Instant::now() + Duration::from_secs(5);
    while processes(mark) > 0 {
        assert!(Instant::now() < until, "{mark} still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub async fn begin(runner: &Runner, request: &Value) -> hyper::Response<hyper::body::Incoming> {
    let mut response = runner.send("POST", "/v1/builds", TOKEN, request.to_string().into_bytes()).await;
    assert_eq!(response.status(), 200);
    until_it_runs(&mut response).await;
    response
}

#[test]
fn a_deleted_build_ends_as_cancelled() {
    for place in Place::all() {
        let (runner, mark) = (runner(*place), format!("55501.{}", std::process::id()));
        let request = endless(&mark);
        let at = format!("/v1/builds/{}", request["build_id"].as_str().unwrap());
        wait(async {
            let response = begin(&runner, &request).await;
            assert!(processes(&mark) > 0);
            let again = runner.send("POST", "/v1/builds", TOKEN, request.to_string().into_bytes()).await;
            assert_eq!(again.status(), 409);
            let told = again.into_body().collect().await.unwrap().to_bytes();
            let told: Value = serde_json::from_slice(&told).unwrap();
            assert_eq!(told["error"]["code"], "BUILD_PENDING");
            assert_eq!(runner.send("DELETE", &at, TOKEN, Vec::new()).await.status(), 202);
            let rest = response.into_body().collect().await.unwrap().to_bytes();
            let last = rest.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty()).unwrap();
            let Frame::Result(result) = serde_json::from_slice(last).unwrap() else { panic!("no result") };
            assert_eq!((result.status, result.code), (BuildStatus::Cancelled, Some(BuildCode::BuildCancelled)));
        });
        must_be_gone(&mark);
        runner.must_be_clean();
    }
}

#[test]
fn a_closed_connection_ends_its_build() {
    let (runner, mark) = (runner(Place::Namespaces), format!("55502.{}", std::process::id()));
    wait(async { drop(begin(&runner, &endless(&mark)).await) });
    must_be_gone(&mark);
    runner.must_be_clean();
}

#[test]
fn a_full_runner_says_when_to_come_back() {
    // A runner of its own, whose slots no other test takes.
    let runner = runner(Place::Landlock);
    runner.must_be_clean();
    let mark = format!("55503.{}", std::process::id());
    wait(async {
        let _first = begin(&runner, &endless(&mark)).await;
        let second = begin(&runner, &endless(&mark)).await;
        let third = runner.send("POST", "/v1/builds", TOKEN, endless(&mark).to_string().into_bytes()).await;
        assert_eq!((third.status().as_u16(), &third.headers()["retry-after"]), (429, &"5".parse().unwrap()));
        let body = third.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&body).contains("RUNNER_BUSY"));
        drop(second);
    });
    must_be_gone(&mark);
    runner.must_be_clean();
}

#[test]
fn a_killed_runner_leaves_no_process_and_the_next_one_is_clean() {
    for place in Place::all() {
        let (mut runner, mark) = (runner(*place), format!("55504.{}", std::process::id()));
        wait(async {
            let response = begin(&runner, &endless(&mark)).await;
            runner.kill_and_start_again();
            assert!(response.into_body().collect().await.is_err(), "a killed runner has no result");
        });
        must_be_gone(&mark);
        runner.must_be_clean();
        runner.build(&hostile("")).must_succeed();
    }
}
