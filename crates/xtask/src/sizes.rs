//! Size budgets of the Wasm modules, brotli, kept as a snapshot in `docs/sizes.json` with what each crate holds, and what
//! the core may not link.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Done;
use crate::process::{Fault, command, output, root, step};
use crate::wasm::{BUILT, Module, PAGE, Profile};

mod shares;

/// A module's budget, and what it may have at most until the budget is kept (docs/sizes.md): this only falls. KB of
/// 1,000 bytes, compressed with brotli at its highest level.
const BUDGETS_KB: &[(&str, u64, u64)] = &[
    ("core", 250, 250),
    ("check", 950, 1_360),
    ("crew", 140, 140),
    ("archive", 120, 126),
    ("sandbox", 960, 1_020),
    ("model", 260, 260),
    ("geometry", 600, 730),
    ("python", 350, 350),
];
/// What no function of the core comes from: it loads with the page, and the checks live in a module of their own.
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
}

/// A module before wasm-opt and compression.
#[derive(Debug, Serialize, Deserialize)]
struct Parts {
    data: u64,
    /// By the crate that it comes from; small ones are summed up as `others`.
    code: BTreeMap<String, u64>,
}

/// Measures every module, says which budgets are broken, and holds the snapshot or with `renew` writes it.
pub fn check(renew: bool) -> Done {
    step("Measuring the Wasm modules");
    let mut now = Snapshot::default();
    for module in PAGE {
        let raw = std::fs::read(module.raw(Profile::Small))?;
        let shares = shares::of(&raw)?;
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
    let path = root().join(SNAPSHOT);
    if renew {
        std::fs::write(path, serde_json::to_string_pretty(&now).unwrap_or_default() + "\n")?;
        return Ok(());
    }
    let old: Snapshot =
        std::fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
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

/// A fault when the core links what belongs to the checks, read off the names of its functions.
fn core_is_light(shares: &shares::Shares) -> Done {
    match NOT_IN_CORE.iter().find(|crate_name| shares.names(crate_name)) {
        Some(found) => Err(Fault::told(format!("core links `{found}`, which belongs to check. Look what reaches it."))),
        None => Ok(()),
    }
}

/// KB of the module as it travels; measured once for each build, for it takes a quarter of a minute.
fn compressed(module: &Module) -> Result<u64, Fault> {
    let known = root().join(module.dir).join(".brotli");
    let build = std::fs::read_to_string(root().join(module.dir).join(BUILT))?;
    if let Some((size, of)) = std::fs::read_to_string(&known).unwrap_or_default().split_once(' ')
        && of == build
        && let Ok(size) = size.parse()
    {
        return Ok(size);
    }
    let text = output(command("node").args(["-e", BROTLI]).arg(module.wasm()))?;
    let bytes: u64 = text.parse().map_err(|_| Fault::told("brotli gave no size"))?;
    let size = bytes.div_ceil(1_000);
    std::fs::write(known, format!("{size} {build}"))?;
    Ok(size)
}
