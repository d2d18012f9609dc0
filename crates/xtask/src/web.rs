//! The web workspaces: type check, build, packages.

use std::path::Path;
use std::time::SystemTime;

use crate::Done;
use crate::lock;
use crate::process::{command, run, step};

/// Type-checks every workspace.
pub fn check() -> Done {
    step("Type-checking the web workspaces");
    run(command("npm").args(["run", "--silent", "--workspaces", "--if-present", "check"]))
}

/// Builds the page into `www/app/dist`.
pub fn build() -> Done {
    let _building = lock::building()?;
    step("Building the page");
    run(command("npm").args(["run", "--silent", "--workspace", "www/app", "build", "--", "--logLevel", "warn"]))
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
