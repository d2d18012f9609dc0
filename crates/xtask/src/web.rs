//! The web workspaces: type check, build, packages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::Done;
use crate::lock;
use crate::process::{Fault, command, root, run, step};
use crate::tools::npm_bin;

/// The modes of the page that the suites serve (`tests/web/site.ts`).
const MODES: [&str; 3] = ["page", "walk", "gallery"];

/// What `www/app/compressed.ts` reads.
const QUICK: &str = "HOLDPOINT_QUICK";

/// Type-checks every workspace.
pub fn check() -> Done {
    step("Type-checking the web workspaces");
    run(command("npm").args(["run", "--silent", "--workspaces", "--if-present", "check"]))
}

/// Builds the page into `www/app/dist`; `quick`: of modules of development, which are not worth compressing well.
pub fn build(quick: bool) -> Done {
    let _building = lock::building()?;
    step("Building the page");
    run(&mut vite("production", quick))
}

fn vite(mode: &str, quick: bool) -> Command {
    let mut vite = command(npm_bin("vite"));
    vite.current_dir(root().join("www/app")).args(["build", "--logLevel", "warn", "--mode", mode]);
    if quick {
        vite.env(QUICK, "1");
    }
    vite
}

/// Builds every mode that the suites serve, and answers their folder.
pub fn sites() -> Result<PathBuf, Fault> {
    let _building = lock::building()?;
    step("Building the pages of the suites");
    let folder = root().join("build/sites");
    for mode in MODES {
        run(vite(mode, true).arg("--emptyOutDir").arg("--outDir").arg(folder.join(mode)))?;
    }
    Ok(folder)
}

/// Packs what other viewers install into `build/packages`.
pub fn pack() -> Done {
    let _building = lock::building()?;
    step("Packing the packages");
    run(command("npm").args(["run", "--silent", "--workspace", "www/pack", "pack"]))
}

/// Whether a source of the page is newer than the built page.
pub fn is_stale(root: &Path) -> bool {
    let built = root.join("www/app/dist/index.html").metadata().and_then(|data| data.modified());
    built.map_or(true, |built| newest(&root.join("www")) > built || newest(&root.join("fixtures/ifc")) > built)
}

fn newest(dir: &Path) -> SystemTime {
    let Ok(entries) = std::fs::read_dir(dir) else { return SystemTime::UNIX_EPOCH };
    entries
        .flatten()
        .filter(|entry| !["dist", "node_modules"].iter().any(|name| entry.file_name() == *name))
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => newest(&entry.path()),
            Ok(data) => data.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            Err(_) => SystemTime::UNIX_EPOCH,
        })
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
