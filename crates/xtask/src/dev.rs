//! `cargo xtask dev`: the product while it is being changed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::Done;
use crate::lock;
use crate::process::{Fault, Service, command, root, step};
use crate::stack::{Options, Stack, free_port, stopped};
use crate::tools::{self, npm_bin};
use crate::wasm::{self, Profile};
use crate::watch::{Part, Watch};

/// Where databases of development are kept.
const STATE: &str = ".state/dev";
/// How often the tree is looked at.
const POLL: Duration = Duration::from_millis(500);

pub fn run(port: u16) -> Done {
    let building = lock::building()?;
    // Behind the lock: Ctrl-C ends who waits for it.
    let stop = stopped()?;
    // What changes while the first build runs is built next.
    let mut watch = Watch::new();
    tools::wasm_target()?;
    let packages = std::thread::spawn(tools::npm_packages);
    wasm::build_first()?;
    let model_server = tools::model_server()?;
    packages.join().map_err(|_| Fault::told("The thread of `npm ci` panicked."))??;
    drop(building);
    let page_port = free_port(port)?;
    if page_port != port {
        println!("Port {port} is in use: taking {page_port}.");
    }
    let (port, state) = (free_port(page_port + 1)?, root().join(STATE));
    let mut stack = Stack::start(Options { port, state, dev: true, model_server, runner: None, model: None })?;
    let mut vite = command(npm_bin("vite"));
    vite.current_dir(root().join("www/app")).env("HOLDPOINT_ORIGIN", stack.origin());
    vite.args(["--host", "127.0.0.1", "--strictPort", "--clearScreen", "false", "--logLevel", "warn", "--port"]);
    let mut page = Service::start("vite", vite.arg(page_port.to_string()))?;
    println!("\nHoldpoint is running: http://127.0.0.1:{page_port}/\nStop it with Ctrl-C.\n");

    // The page waits by itself for a module that is not there yet (`www/app/building.ts`).
    match wasm::build(Profile::Dev) {
        Ok(()) => step("Every part of the page is built"),
        Err(fault) => eprintln!("{fault}"),
    }
    // Until it is there the Worker finds nobody at its address, and says that builds have to wait.
    match build_runner() {
        Ok(program) => stack.start_runner(program),
        Err(fault) => eprintln!("{fault}"),
    }
    while !stop.load(std::sync::atomic::Ordering::Relaxed) {
        std::thread::sleep(POLL);
        page.alive()?;
        stack.alive()?;
        let changed = watch.changed();
        if changed.contains(&Part::Rust) {
            let started = Instant::now();
            // A fault is shown and the last good build stays.
            match build() {
                Ok(runner) => {
                    stack.restart(Some(runner))?;
                    step(&format!("Ready again after {} s", started.elapsed().as_secs()));
                }
                Err(fault) => eprintln!("{fault}"),
            }
        } else if changed.contains(&Part::Transcripts) {
            stack.restart(None)?;
        }
    }
    step("Stopping");
    Ok(())
}

fn build() -> Result<PathBuf, Fault> {
    let _building = lock::building()?;
    wasm::build(Profile::Dev)?;
    tools::model_server()?;
    tools::build_runner()
}

fn build_runner() -> Result<PathBuf, Fault> {
    let _building = lock::building()?;
    step("Building the build runner");
    tools::build_runner()
}
