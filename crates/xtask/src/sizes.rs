//! Size budgets of the Wasm modules, brotli, kept as a snapshot in `docs/sizes.json`.

use std::collections::BTreeMap;

use crate::Done;
use crate::process::{Fault, command, output, root, step};
use crate::wasm::{BUILT, Module, PAGE};

/// KB of 1,000 bytes, compressed with brotli at its highest level.
const BUDGETS_KB: &[(&str, u64)] = &[("core", 750), ("sandbox", 900), ("model", 200), ("python", 450)];
/// A module may grow by this much before the snapshot must be renewed.
const TOLERANCE_PERCENT: u64 = 2;
const SNAPSHOT: &str = "docs/sizes.json";
const BROTLI: &str = "process.stdout.write(String(require('zlib').brotliCompressSync(require('fs').readFileSync(process.argv[1])).length))";

/// Measures every module, says which budgets are broken, and holds the snapshot or with `renew` writes it.
pub fn check(renew: bool) -> Done {
    step("Measuring the Wasm modules");
    let mut sizes = BTreeMap::new();
    for module in PAGE {
        let size = compressed(module)?;
        println!("  {} {size} KB", module.name);
        sizes.insert(module.name.to_owned(), size);
    }
    for (name, budget) in BUDGETS_KB {
        if let Some(over) = sizes.get(*name).and_then(|size| size.checked_sub(*budget)).filter(|over| *over > 0) {
            println!("  {name} is {over} KB over its budget of {budget} KB");
        }
    }
    let path = root().join(SNAPSHOT);
    let text = serde_json::to_string_pretty(&sizes).unwrap_or_default() + "\n";
    let old: BTreeMap<String, u64> =
        std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    if renew {
        std::fs::write(&path, text)?;
        return Ok(());
    }
    let grown = sizes
        .iter()
        .find(|(name, size)| old.get(*name).is_none_or(|old| **size > old + (old * TOLERANCE_PERCENT).div_ceil(100)));
    match grown {
        Some((name, size)) => Err(Fault::told(format!(
            "{name} grew to {size} KB, over its snapshot in {SNAPSHOT}. If that is meant, run `cargo xtask generate`."
        ))),
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
