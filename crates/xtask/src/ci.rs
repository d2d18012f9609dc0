//! `cargo xtask ci`: what must hold before a change lands.

use std::time::Instant;

use crate::Done;
use crate::process::{self, cargo, command, step};
use crate::{generate, licences, sizes, test, tools};

pub fn run() -> Done {
    tools::wasm_target()?;
    tools::npm_packages()?;
    timed("Format", || process::run(cargo().args(["fmt", "--all", "--check"])))?;
    timed("Format and lint of TypeScript", || {
        process::run(command(tools::npm_bin("biome")).args(["ci", "--error-on-warnings", "."]))
    })?;
    timed("Licences", licences::check)?;
    timed("Generated files", generate::check)?;
    timed("Sizes", sizes::check)?;
    timed("Tests", test::run)
}

fn timed(name: &str, task: impl FnOnce() -> Done) -> Done {
    step(name);
    let started = Instant::now();
    task()?;
    println!("  {name}: {} s", started.elapsed().as_secs());
    Ok(())
}
