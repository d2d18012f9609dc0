//! Builds the Wasm modules: cargo, wasm-bindgen as a library, wasm-opt where size counts.

use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use crate::process::{Fault, cargo, command, root, run, step};
use crate::tools::{WASM_TARGET, npm_bin, target_dir};

/// How a module is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Quick to build.
    Dev,
    /// Small to load.
    Small,
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
    /// Linker arguments that only this module has.
    pub link: &'static [&'static str],
    /// Whether a panic may be followed by a fresh state in the same isolate.
    pub resets: bool,
    /// Whether its bytes go over the network to a page.
    pub travels: bool,
}

/// The modules that a page loads (DESIGN §2 "The Wasm modules").
pub const PAGE: &[Module] = &[
    Module {
        package: "holdpoint-wasm-core",
        name: "core",
        dir: "www/core/wasm/core",
        link: &[],
        resets: false,
        travels: true,
    },
    Module {
        package: "holdpoint-wasm-sandbox",
        name: "sandbox",
        dir: "www/core/wasm/sandbox",
        link: &["link-arg=--max-memory=536870912", "link-arg=-zstack-size=4194304"],
        resets: false,
        travels: true,
    },
    Module {
        package: "holdpoint-wasm-model",
        name: "model",
        dir: "www/core/wasm/model",
        link: &[],
        resets: false,
        travels: true,
    },
    Module {
        package: "holdpoint-wasm-python",
        name: "python",
        dir: "www/core/wasm/python",
        // The grammar goes as deep as its bound lets a text nest (`crates/python/src/nesting.rs`).
        link: &["link-arg=-zstack-size=4194304"],
        resets: false,
        travels: true,
    },
];

/// The module of the edge.
pub const WORKER: Module = Module {
    package: "holdpoint-worker",
    name: "worker",
    dir: "worker/build",
    // The edge checks scripts with the same grammar as the page.
    link: &["link-arg=-zstack-size=4194304"],
    resets: true,
    travels: false,
};

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
    /// The optimised Wasm file.
    pub fn wasm(&self) -> PathBuf {
        root().join(self.dir).join(format!("{}_bg.wasm", self.name))
    }

    /// Builds the module; does nothing when its input did not change.
    pub fn build(&self, profile: Profile) -> Result<(), Fault> {
        step(&format!("Building {} for Wasm", self.package));
        let raw = self.compile(profile)?;
        let stamp = root().join(self.dir).join(".built");
        let mark = format!("{profile:?} {:?} {}", raw.metadata()?.modified()?, raw.metadata()?.len());
        if std::fs::read_to_string(&stamp).is_ok_and(|old| old == mark) && self.wasm().exists() {
            return Ok(());
        }
        self.bind(&raw)?;
        if profile == Profile::Small && self.travels {
            self.shrink()?;
        }
        std::fs::write(stamp, mark)?;
        Ok(())
    }

    fn compile(&self, profile: Profile) -> Result<PathBuf, Fault> {
        let name = match profile {
            Profile::Dev => "wasm-dev",
            Profile::Small => "wasm",
        };
        let flags: Vec<String> = self.link.iter().map(|flag| format!("-C{flag}")).collect();
        let mut build = cargo();
        build.args([
            "rustc",
            "--quiet",
            "--lib",
            "--package",
            self.package,
            "--target",
            WASM_TARGET,
            "--profile",
            name,
        ]);
        build.args(["--crate-type", "cdylib", "--"]).args(flags);
        run(&mut build)?;
        let file = format!("{}.wasm", self.package.replace('-', "_"));
        Ok(target_dir().join(WASM_TARGET).join(name).join(file))
    }

    fn bind(&self, raw: &Path) -> Result<(), Fault> {
        let told = |error: &dyn std::fmt::Display| Fault::told(format!("wasm-bindgen on {}: {error}", self.package));
        let mut bindgen = Bindgen::new();
        bindgen.input_path(raw).out_name(self.name).typescript(true).keep_debug(false).remove_producers_section(true);
        bindgen.reset_state_function(self.resets).force_enable_abort_handler(self.resets);
        bindgen.web(true).map_err(|error| told(&error))?;
        bindgen.generate(root().join(self.dir)).map_err(|error| told(&error))
    }

    fn shrink(&self) -> Result<(), Fault> {
        let file = self.wasm();
        let mut opt = command(npm_bin("wasm-opt"));
        opt.arg("-Oz").args(FEATURES.iter().map(|feature| format!("--enable-{feature}")));
        run(opt.arg(&file).arg("-o").arg(&file))
    }
}

/// Builds every module of the page.
pub fn page(profile: Profile) -> Result<(), Fault> {
    PAGE.iter().try_for_each(|module| module.build(profile))
}
