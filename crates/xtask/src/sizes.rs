//! Size budgets of the Wasm modules, brotli, kept as a snapshot in `docs/sizes.json` with what each crate holds, and what
//! the core may not link.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

use serde::{Deserialize, Serialize};

use crate::Done;
use crate::metadata;
use crate::process::{Fault, command, output, root, step};
use crate::wasm::{self, Module, PAGE, Profile};

mod shares;

/// A module's budget, and what it may have at most until the budget is kept: where this rises, docs/sizes.md says for
/// what. KB of 1,000 bytes, compressed with brotli at its highest level.
const BUDGETS_KB: &[(&str, u64, u64)] = &[
    ("core", 250, 250),
    ("check-extension", 1_150, 1_160),
    ("check-script", 590, 590),
    ("check-crew", 720, 720),
    ("check-app", 600, 600),
    ("crew", 140, 140),
    ("archive", 120, 126),
    ("sandbox", 960, 1_050),
    ("model", 260, 260),
    ("ids", 490, 490),
    ("geometry", 600, 730),
    ("python", 350, 350),
];
/// What no function of the core comes from: it loads with the page, and the checks live in modules of their own.
const NOT_IN_CORE: &[&str] = &["jsonschema", "oxc_", "regex_automata", "regex_syntax"];
/// A module may grow by this much before the snapshot must be renewed.
const TOLERANCE_PERCENT: u64 = 2;
const SNAPSHOT: &str = "docs/sizes.json";
const BROTLI: &str = "process.stdout.write(String(require('zlib').brotliCompressSync(require('fs').readFileSync(process.argv[1])).length))";

/// What is known of the modules, in KB of 1,000 bytes.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Snapshot {
    /// As they travel.
    #[serde(flatten)]
    brotli: BTreeMap<String, u64>,
    /// What they are made of.
    made_of: BTreeMap<String, Parts>,
    /// What they were built from ([`inputs`]): a module whose sources stand as they were is not built to be measured.
    #[serde(default)]
    built_from: BTreeMap<String, String>,
}

/// A module before wasm-opt and compression.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Parts {
    data: u64,
    /// By the crate that it comes from; small ones are summed up as `others`.
    code: BTreeMap<String, u64>,
}

/// Measures the modules that changed since the snapshot, says which budgets are broken, and holds the snapshot.
pub fn check() -> Done {
    let (old, now) = measured()?;
    let grown = |name: &String, size: u64| {
        old.brotli.get(name).is_none_or(|old| size > old + (old * TOLERANCE_PERCENT).div_ceil(100))
    };
    match now.brotli.iter().find(|(name, size)| grown(name, **size)) {
        Some((name, size)) => Err(Fault::told(format!(
            "{name} grew to {size} KB, over its snapshot in {SNAPSHOT}. If that is meant, run `cargo xtask generate`."
        ))),
        None => Ok(()),
    }
}

/// Writes the snapshot anew.
pub fn renew() -> Done {
    let (_, now) = measured()?;
    std::fs::write(root().join(SNAPSHOT), serde_json::to_string_pretty(&now).unwrap_or_default() + "\n")?;
    Ok(())
}

/// The snapshot that is kept, and the same as things stand now; a fault where a module is over what it may have.
fn measured() -> Result<(Snapshot, Snapshot), Fault> {
    step("Measuring the Wasm modules");
    let kept = std::fs::read_to_string(root().join(SNAPSHOT)).unwrap_or_default();
    let old: Snapshot = serde_json::from_str(&kept).unwrap_or_default();
    let mut now = Snapshot::default();
    let mut changed = Vec::new();
    for module in PAGE {
        let name = module.name.to_owned();
        let inputs = inputs(module)?;
        match (old.brotli.get(&name), old.made_of.get(&name), old.built_from.get(&name)) {
            (Some(size), Some(parts), Some(known)) if inputs.as_ref() == Some(known) => {
                now.brotli.insert(name.clone(), *size);
                now.made_of.insert(name.clone(), parts.clone());
                println!("  {name} {size} KB, as it was");
            }
            _ => changed.push(module),
        }
        if let Some(inputs) = inputs {
            now.built_from.insert(name, inputs);
        }
    }
    let built = if changed.is_empty() { Vec::new() } else { wasm::for_sizes(&changed)? };
    for module in &built {
        let shares = shares::of(&std::fs::read(module.raw(Profile::Small))?)?;
        if module.name == "core" {
            core_is_light(&shares)?;
        }
        let (data, code) = shares.in_kb();
        let size = compressed(module)?;
        println!("  {} {size} KB", module.name);
        now.brotli.insert(module.name.to_owned(), size);
        now.made_of.insert(module.name.to_owned(), Parts { data, code });
    }
    for (name, budget, most) in BUDGETS_KB {
        match now.brotli.get(*name) {
            Some(size) if size > most => {
                return Err(Fault::told(format!("{name} is {size} KB; it may have {most}, its budget is {budget}.")));
            }
            Some(size) if size > budget => println!("  {name} is over its budget of {budget} KB: see docs/sizes.md"),
            _ => {}
        }
    }
    Ok((old, now))
}

/// What stands for everything that a module is built from: git's names of the files of its crates, of the lock and of the
/// profiles. `None` where git knows none, or a file is not as git has it.
fn inputs(module: &Module) -> Result<Option<String>, Fault> {
    let mut paths: Vec<String> =
        ["Cargo.lock", "Cargo.toml", "rust-toolchain.toml", "crates/xtask/src/wasm.rs"].map(str::to_owned).to_vec();
    paths.extend(metadata::folders_below(module.package)?);
    // Samples and cases that crates compile in.
    paths.push("fixtures/tools".to_owned());
    let git = |arguments: &[&str]| {
        let output = command("git").args(arguments).arg("--").args(&paths).output()?;
        Ok::<_, Fault>(output.status.success().then_some(output.stdout))
    };
    let (Some(changes), Some(listed)) = (git(&["status", "--porcelain"])?, git(&["ls-files", "--stage"])?) else {
        return Ok(None);
    };
    if !changes.is_empty() || listed.is_empty() {
        return Ok(None);
    }
    let mut hash =
        command("git").args(["hash-object", "--stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = hash.stdin.take() {
        stdin.write_all(&listed)?;
    }
    Ok(Some(String::from_utf8_lossy(&hash.wait_with_output()?.stdout).trim().to_owned()))
}

/// A fault when the core links what belongs to the checks, read off the names of its functions.
fn core_is_light(shares: &shares::Shares) -> Done {
    match NOT_IN_CORE.iter().find(|crate_name| shares.names(crate_name)) {
        Some(found) => {
            Err(Fault::told(format!("core links `{found}`, which belongs to the checks. Look what reaches it.")))
        }
        None => Ok(()),
    }
}

/// KB of the module as it travels.
fn compressed(module: &Module) -> Result<u64, Fault> {
    let text = output(command("node").args(["-e", BROTLI]).arg(module.wasm()))?;
    let bytes: u64 = text.parse().map_err(|_| Fault::told("brotli gave no size"))?;
    Ok(bytes.div_ceil(1_000))
}
