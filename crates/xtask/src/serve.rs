//! `cargo xtask serve`: the optimised product on a state folder that survives restarts.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;

use crate::Done;
use crate::process::{Fault, root};
use crate::stack::{Options, Stack, is_free, stopped};
use crate::wasm::{self, Profile};
use crate::{lock, tools, web};

/// How often the children are looked at.
const POLL: Duration = Duration::from_millis(100);

pub fn run(port: u16, state: &Path) -> Done {
    check_port(port)?;
    let building = lock::building()?;
    // Behind the lock: Ctrl-C ends who waits for it.
    let stop = stopped()?;
    if std::env::var_os(tools::BUILT).is_none() {
        build()?;
    }
    drop(building);
    // Who was waited for may serve there by now.
    check_port(port)?;
    let state = std::path::absolute(state)?;
    let model_server = tools::model_server()?;
    let runner = Some(tools::build_runner()?);
    let mut stack = Stack::start(Options { port, state, dev: false, model_server, runner, model: None })?;
    let origin = stack.origin();
    // Keys stand in their file: what is printed goes into logs, and an address into histories.
    let line = json!({
        "url": format!("{origin}/"),
        "origin": origin,
        "preview_origin": stack.preview_origin(),
        "model_url": stack.model_url(),
        "keys_file": stack.keys_file(),
    });
    println!("{line}");
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(POLL);
        stack.alive()?;
    }
    Ok(())
}

fn check_port(port: u16) -> Done {
    if is_free(port) {
        return Ok(());
    }
    Err(Fault::told(format!("Port {port} is in use. Name another one with --port.")))
}

/// `cargo xtask build`: what is deployed.
pub fn prepare() -> Done {
    let _building = lock::building()?;
    build()
}

/// Builds what is not there yet; what is built is not built again.
fn build() -> Done {
    tools::wasm_target()?;
    tools::npm_packages()?;
    wasm::build(Profile::Small)?;
    if web::is_stale(&root()) { web::build(false) } else { Ok(()) }
}
