//! Builds the Wasm modules: cargo, wasm-bindgen as a library, wasm-opt where size counts.

use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::Done;
use crate::lock;
use crate::process::{Fault, cargo, command, linting_cargo, root, run, step};
use crate::tools::{WASM_TARGET, npm_bin, target_dir};

/// How a module is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Quick to build.
    Dev,
    /// Small to load; the edge's own is [`Profile::Edge`].
    Small,
    /// Fast to run: what a server loads.
    Edge,
}

impl Profile {
    /// Its name in the workspace's `Cargo.toml`.
    fn name(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::Small => "wasm",
            Self::Edge => "edge",
        }
    }

    /// The folder that cargo builds it into.
    fn folder(self) -> &'static str {
        if self == Self::Dev { "debug" } else { self.name() }
    }
}

/// A Wasm module and where its files go.
#[derive(Debug, Clone, Copy)]
pub struct Module {
    /// The package that holds it.
    pub package: &'static str,
    /// The name of its files.
    pub name: &'static str,
    /// The folder of its files, from the workspace.
    pub dir: &'static str,
    /// Whether a panic may be followed by a fresh state in the same isolate.
    pub resets: bool,
}

/// The modules that a page loads (DESIGN §2 "The Wasm modules").
pub const PAGE: &[Module] = &[
    Module { package: "holdpoint-wasm-core", name: "core", dir: "www/core/wasm/core", resets: false },
    Module {
        package: "holdpoint-wasm-check-extension",
        name: "check-extension",
        dir: "www/core/wasm/check-extension",
        resets: false,
    },
    Module {
        package: "holdpoint-wasm-check-script",
        name: "check-script",
        dir: "www/core/wasm/check-script",
        resets: false,
    },
    Module { package: "holdpoint-wasm-check-crew", name: "check-crew", dir: "www/core/wasm/check-crew", resets: false },
    Module { package: "holdpoint-wasm-check-app", name: "check-app", dir: "www/core/wasm/check-app", resets: false },
    Module { package: "holdpoint-wasm-sandbox", name: "sandbox", dir: "www/core/wasm/sandbox", resets: false },
    Module { package: "holdpoint-wasm-model", name: "model", dir: "www/core/wasm/model", resets: false },
    Module { package: "holdpoint-wasm-ids", name: "ids", dir: "www/core/wasm/ids", resets: false },
    Module { package: "holdpoint-wasm-geometry", name: "geometry", dir: "www/core/wasm/geometry", resets: false },
    Module { package: "holdpoint-wasm-crew", name: "crew", dir: "www/core/wasm/crew", resets: false },
    Module { package: "holdpoint-wasm-python", name: "python", dir: "www/core/wasm/python", resets: false },
    Module { package: "holdpoint-wasm-archive", name: "archive", dir: "www/core/wasm/archive", resets: false },
];

/// The module of the edge.
pub const WORKER: Module = Module { package: "holdpoint-worker", name: "worker", dir: "worker/build", resets: true };

/// The packages that only exist as Wasm.
pub fn packages() -> impl Iterator<Item = &'static str> {
    PAGE.iter().chain([&WORKER]).map(|module| module.package)
}

/// Where modules are built that are measured and not served.
const SIZED: &str = "target/sizes";

/// Where the rig of the gateway has its edge.
pub const BENCH_EDGE: &str = "target/bench/edge";

/// How the glue's abort hook begins.
const TRAPPED: &str = "function __wbg_call_abort_hook() {\n    __wbg_called_abort = true;\n";

/// A function that is called from one place stays a function: copied into its caller it saves bytes that compression
/// saves anyway, and breaks up what repeats (the checks are 12 KB smaller on the wire without).
const NOT_INLINED: &str = "--one-caller-inline-max-function-size=0";
/// What Chromium, Node and workerd run; `--all-features` makes modules that they refuse.
const FEATURES: &[&str] = &[
    "bulk-memory",
    "bulk-memory-opt",
    "nontrapping-float-to-int",
    "reference-types",
    "sign-ext",
    "mutable-globals",
    "multivalue",
    "simd",
    "exception-handling",
];

impl Module {
    /// The Wasm file that is loaded.
    pub fn wasm(&self) -> PathBuf {
        root().join(self.dir).join(format!("{}_bg.wasm", self.name))
    }

    /// The file beside it that says which build it is.
    pub fn stamp(&self) -> PathBuf {
        root().join(self.dir).join(format!(".built-{}", self.name))
    }

    /// What cargo built, with the names of its functions.
    pub fn raw(&self, profile: Profile) -> PathBuf {
        let file = format!("{}.wasm", self.package.replace('-', "_"));
        target_dir().join(WASM_TARGET).join(profile.folder()).join(file)
    }

    /// Makes the module's files of what cargo built; does nothing when that did not change.
    fn finish(&self, profile: Profile) -> Done {
        let raw = self.raw(profile);
        let stamp = self.stamp();
        let mark = format!("{profile:?} {NOT_INLINED} {:?} {}", raw.metadata()?.modified()?, raw.metadata()?.len());
        if std::fs::read_to_string(&stamp).is_ok_and(|old| old == mark) && self.wasm().exists() {
            return Ok(());
        }
        self.bind(&raw)?;
        if profile == Profile::Small {
            self.shrink()?;
        }
        std::fs::write(stamp, mark)?;
        Ok(())
    }

    fn bind(&self, raw: &Path) -> Done {
        let told = |error: &dyn std::fmt::Display| Fault::told(format!("wasm-bindgen on {}: {error}", self.package));
        let mut bindgen = Bindgen::new();
        bindgen.input_path(raw).out_name(self.name).typescript(true).keep_debug(false).remove_producers_section(true);
        bindgen.reset_state_function(self.resets).force_enable_abort_handler(self.resets);
        bindgen.web(true).map_err(|error| told(&error))?;
        bindgen.generate(root().join(self.dir)).map_err(|error| told(&error))?;
        if self.resets { self.tell_of_traps() } else { Ok(()) }
    }

    /// Lets the glue tell the guard of `worker/entry.mjs` of a trap before it enters the module once more: a module whose
    /// stack has ended has no room left to tell it itself.
    fn tell_of_traps(&self) -> Done {
        let glue = root().join(self.dir).join(format!("{}.js", self.name));
        let text = std::fs::read_to_string(&glue)?;
        let told = text.replace(TRAPPED, &format!("{TRAPPED}    globalThis.__holdpoint_panicked?.();\n"));
        if told == text {
            return Err(Fault::told(format!(
                "{} has another abort hook than wasm-bindgen 0.2.130 writes.",
                glue.display()
            )));
        }
        Ok(std::fs::write(glue, told)?)
    }

    fn shrink(&self) -> Done {
        let file = self.wasm();
        let mut opt = command(npm_bin("wasm-opt"));
        opt.args(["-Oz", NOT_INLINED]).args(FEATURES.iter().map(|feature| format!("--enable-{feature}")));
        run(opt.arg(&file).arg("-o").arg(&file))
    }
}

/// Builds every module, of the page and of the edge, in one call of cargo a profile: what they share is built once, and
/// no core waits while another module links.
pub fn build(profile: Profile) -> Done {
    let _building = lock::building()?;
    let page: Vec<&Module> = PAGE.iter().collect();
    match profile {
        Profile::Dev => build_with(cargo(), Profile::Dev, &every()),
        Profile::Small | Profile::Edge => {
            build_as(Profile::Small, &page)?;
            build_as(Profile::Edge, &[&WORKER])
        }
    }
}

/// Modules of development, for tests: what is compiled for them is linted.
pub fn build_linted() -> Done {
    let _building = lock::building()?;
    build_with(linting_cargo(), Profile::Dev, &every())
}

fn every() -> Vec<&'static Module> {
    PAGE.iter().chain([&WORKER]).collect()
}

/// What a page needs before anything can be asked.
const FIRST: [&str; 3] = ["core", "check-extension", "model"];

/// Modules of development with which somebody can begin; a page waits for the others.
pub fn build_first() -> Done {
    let modules: Vec<&Module> = PAGE.iter().filter(|module| FIRST.contains(&module.name)).chain([&WORKER]).collect();
    build_as(Profile::Dev, &modules)
}

/// Modules of development: those named, or all.
pub fn some(names: &[String]) -> Done {
    crate::tools::wasm_target()?;
    let _building = lock::building()?;
    let every = every();
    let wanted = |module: &&&Module| names.is_empty() || names.iter().any(|name| name == module.name);
    if let Some(unknown) = names.iter().find(|name| every.iter().all(|module| module.name != name.as_str())) {
        let known = every.iter().map(|module| module.name).collect::<Vec<_>>().join(", ");
        return Err(Fault::told(format!("There is no module `{unknown}`. Name any of: {known}.")));
    }
    build_as(Profile::Dev, &every.iter().filter(wanted).copied().collect::<Vec<_>>())
}

/// These modules of the page alone, small: what a rig measures.
pub fn for_bench(names: &[&str]) -> Done {
    let _building = lock::building()?;
    let modules: Vec<&Module> = PAGE.iter().filter(|module| names.contains(&module.name)).collect();
    build_as(Profile::Small, &modules)
}

/// These modules, small, beside those that are served.
pub fn for_sizes(modules: &[&Module]) -> Result<Vec<Module>, Fault> {
    let _building = lock::building()?;
    let apart: Vec<Module> = modules.iter().map(|module| Module { dir: SIZED, ..**module }).collect();
    build_as(Profile::Small, &apart.iter().collect::<Vec<_>>())?;
    Ok(apart)
}

/// The edge alone, as it is deployed, into a folder that no other task uses.
pub fn edge_for_bench() -> Done {
    build_as(Profile::Edge, &[&Module { dir: BENCH_EDGE, ..WORKER }])
}

/// The edge alone, as it is deployed.
pub fn edge() -> Done {
    let _building = lock::building()?;
    build_as(Profile::Edge, &[&WORKER])
}

fn build_as(profile: Profile, modules: &[&Module]) -> Done {
    build_with(cargo(), profile, modules)
}

fn build_with(mut build: Command, profile: Profile, modules: &[&Module]) -> Done {
    let names: Vec<&str> = modules.iter().map(|module| module.name).collect();
    step(&format!("Building {} for Wasm", names.join(", ")));
    build.args(["build", "--lib", "--target", WASM_TARGET, "--profile", profile.name()]);
    run(build.args(modules.iter().flat_map(|module| ["--package", module.package])))?;
    modules.iter().try_for_each(|module| module.finish(profile))
}
