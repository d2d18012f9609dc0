//! What a new machine lacks: Wasm target, npm packages, Chromium, a Chinese font.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Done;
use crate::lock;
use crate::process::{Fault, cargo, command, output, root, run, step};

/// The target of everything that a page or the edge loads.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// Node below this cannot run the tools.
const MIN_NODE: u32 = 20;

/// Adds the Wasm target where it is missing.
pub fn wasm_target() -> Done {
    let sysroot = output(command("rustc").args(["--print", "sysroot"]))?;
    let library = PathBuf::from(sysroot.trim()).join("lib/rustlib").join(WASM_TARGET);
    if library.exists() {
        return Ok(());
    }
    step("Adding the Wasm target");
    run(command("rustup").args(["target", "add", WASM_TARGET])).map_err(|_| {
        Fault::told(format!("The Rust target {WASM_TARGET} is missing. Run `rustup target add {WASM_TARGET}`."))
    })
}

/// Installs the locked npm packages where they are missing or older than the lock.
pub fn npm_packages() -> Done {
    node()?;
    let _building = lock::building()?;
    let lock = root().join("package-lock.json");
    let stamp = root().join("node_modules/.package-lock.json");
    let fresh = match (lock.metadata(), stamp.metadata()) {
        (Ok(lock), Ok(stamp)) => stamp.modified()? >= lock.modified()?,
        _ => false,
    };
    if fresh {
        return Ok(());
    }
    step("Installing npm packages");
    run(command("npm").args(["ci", "--no-audit", "--no-fund"]))?;
    // npm leaves the stamp's time alone when nothing changed.
    std::fs::File::options().append(true).open(&stamp)?.set_modified(std::time::SystemTime::now())?;
    Ok(())
}

fn node() -> Done {
    let missing = || Fault::told(format!("Node {MIN_NODE} or newer is needed. Get it from your package manager."));
    let version = output(command("node").arg("--version")).map_err(|_| missing())?;
    let major: u32 =
        version.trim().trim_start_matches('v').split('.').next().and_then(|text| text.parse().ok()).unwrap_or(0);
    if major >= MIN_NODE { Ok(()) } else { Err(missing()) }
}

/// A program of an installed npm package.
pub fn npm_bin(name: &str) -> PathBuf {
    root().join("node_modules/.bin").join(name)
}

/// Names the Chromium that looks at pages.
pub const CHROMIUM: &str = "HOLDPOINT_CHROMIUM";
/// Names under which Chromium is found on PATH.
const CHROMIUM_NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/// The name of Chromium without windows, and of its package in Debian.
const HEADLESS: &str = "chromium-headless-shell";

/// A Chromium: one on PATH, else Playwright's own, else from apt as root.
pub fn chromium() -> Result<PathBuf, Fault> {
    if let Some(path) = std::env::var_os(CHROMIUM) {
        return Ok(path.into());
    }
    if let Some(path) = on_path(CHROMIUM_NAMES) {
        return Ok(path);
    }
    step("Installing Chromium");
    let playwright = root().join("node_modules/playwright-core/cli.js");
    if quiet(command("node").arg(&playwright).args(["install", HEADLESS])) {
        let script = "import('playwright-core').then(({chromium}) => console.log(chromium.executablePath()))";
        let path = PathBuf::from(output(command("node").args(["-e", script]))?.trim());
        if path.exists() {
            return Ok(path);
        }
    }
    for package in ["chromium", HEADLESS] {
        let _ = from_apt(package);
    }
    on_path(CHROMIUM_NAMES).ok_or_else(|| {
        Fault::told("No Chromium was found and none could be installed. Install one, or name it in HOLDPOINT_CHROMIUM.")
    })
}

/// A Chromium without windows, which draws pages with less work, where one is on PATH and none is named; else that of
/// [`chromium`].
pub fn headless(chromium: &Path) -> PathBuf {
    let named = std::env::var_os(CHROMIUM).is_some();
    let found = if named { None } else { on_path(&[HEADLESS]) };
    found.unwrap_or_else(|| chromium.to_path_buf())
}

/// A font with Chinese characters, from apt as root. Without one pages work and are tested, but pictures show boxes: that
/// is said, and stops nothing.
pub fn chinese_font() {
    let has = || output(command("fc-list").args([":lang=zh", "family"])).is_ok_and(|fonts| !fonts.trim().is_empty());
    if has() {
        return;
    }
    step(&format!("Installing {CHINESE_FONT}"));
    if !(from_apt(CHINESE_FONT) && has()) {
        step(&format!("{CHINESE_FONT} is not there: Chinese texts are drawn as boxes in pictures"));
    }
}

/// The Debian package.
const CHINESE_FONT: &str = "fonts-noto-cjk";

fn from_apt(package: &str) -> bool {
    let apt = |arguments: &[&str]| quiet(command("apt-get").args(arguments));
    apt(&["update"]);
    apt(&["install", "-y", package])
}

fn quiet(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|dir| names.iter().map(move |name| dir.join(name)))
        .find(|file| file.is_file())
}

/// Says that modules and page stand as they are to be served: the suites run on modules of development.
pub const BUILT: &str = "HOLDPOINT_BUILT";

/// Names a command line that is built already.
pub const COMMAND_LINE: &str = "HOLDPOINT";

/// The program that serves transcripts, which follow its arguments: the command line where one is built, else one of
/// its own, built here.
pub fn model_server() -> Result<Vec<OsString>, Fault> {
    if let Some(path) = std::env::var_os(COMMAND_LINE) {
        return Ok([path].into_iter().chain(["provider", "--port", "0", "--transcripts"].map(Into::into)).collect());
    }
    let name = "holdpoint-provider";
    run(cargo().args(["build", "--package", name, "--bin", name]))?;
    Ok(vec![target_dir().join("debug").join(name).into()])
}

/// Names a build runner that is built already.
pub const BUILD_RUNNER: &str = "HOLDPOINT_BUILD_RUNNER";

/// The build runner: one that is named, else the one of this workspace, built here.
pub fn build_runner() -> Result<PathBuf, Fault> {
    if let Some(path) = std::env::var_os(BUILD_RUNNER) {
        return Ok(path.into());
    }
    run(cargo().args(["build", "--package", "holdpoint-build-runner", "--bin", RUNNER]))?;
    Ok(built_runner())
}

/// Where a native build puts it.
pub fn built_runner() -> PathBuf {
    target_dir().join("debug").join(RUNNER)
}

const RUNNER: &str = "build-runner";

/// Cargo's target folder.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Removes what was built or installed inside the project.
pub fn clean() -> Done {
    for dir in ["node_modules", "www/core/wasm", "www/app/dist", "worker/build", "build", ".state"] {
        let dir = root().join(dir);
        if dir.exists() {
            step(&format!("Removing {}", dir.display()));
            std::fs::remove_dir_all(dir)?;
        }
    }
    run(cargo().arg("clean"))
}
