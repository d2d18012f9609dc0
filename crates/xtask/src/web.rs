//! The web workspaces: type check and build.

use crate::Done;
use crate::process::{command, run, step};

/// Type-checks every workspace.
pub fn check() -> Done {
    step("Type-checking the web workspaces");
    run(command("npm").args(["run", "--silent", "--workspaces", "--if-present", "check"]))
}

/// Builds the page into `www/app/dist`.
pub fn build() -> Done {
    step("Building the page");
    run(command("npm").args(["run", "--silent", "--workspace", "www/app", "build", "--", "--logLevel", "warn"]))
}
