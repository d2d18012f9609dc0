//! Size budgets of the Wasm modules, brotli, kept as a snapshot in `docs/sizes.json`, and what the core may not link.

use std::collections::BTreeMap;

use crate::Done;
use crate::process::{Fault, command, output, root, step};
use crate::wasm::{BUILT, Module, PAGE, Profile};

/// A module's budget, and what it may have at most until the budget is kept (docs/sizes.md): this only falls. KB of
/// 1,000 bytes, compressed with brotli at its highest level.
const BUDGETS_KB: &[(&str, u64, u64)] =
    &[("core", 250, 250), ("check", 950, 1_100), ("sandbox", 960, 960), ("model", 260, 260), ("python", 350, 350)];
/// What no function of the core comes from: it loads with the page, and the checks live in a module of their own.
const NOT_IN_CORE: &[&str] = &["jsonschema", "oxc_", "regex_automata", "regex_syntax"];
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
    core_is_light()?;
    let path = root().join(SNAPSHOT);
    let text = serde_json::to_string_pretty(&sizes).unwrap_or_default() + "\n";
    let old: BTreeMap<String, u64> =
        std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    for (name, budget, most) in BUDGETS_KB {
        match sizes.get(*name) {
            Some(size) if size > most => {
                return Err(Fault::told(format!("{name} is {size} KB; it may have {most}, its budget is {budget}.")));
            }
            Some(size) if size > budget => println!("  {name} is over its budget of {budget} KB: see docs/sizes.md"),
            _ => {}
        }
    }
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

/// A fault when the core links what belongs to the checks, read off the names of its functions.
fn core_is_light() -> Done {
    let Some(core) = PAGE.iter().find(|module| module.name == "core") else { return Ok(()) };
    let names = names(&std::fs::read(core.raw(Profile::Small))?)?;
    match NOT_IN_CORE.iter().find(|crate_name| names.contains(**crate_name)) {
        Some(found) => Err(Fault::told(format!("core links `{found}`, which belongs to check. Look what reaches it."))),
        None => Ok(()),
    }
}

/// The custom section `name` of a Wasm module, as text.
fn names(module: &[u8]) -> Result<String, Fault> {
    const HEADER: usize = 8;
    let fault = || Fault::told("a Wasm module could not be read");
    let mut rest = module.get(HEADER..).ok_or_else(fault)?;
    while let Some((id, after)) = rest.split_first() {
        let (length, after) = number(after).ok_or_else(fault)?;
        let section = after.get(..length).ok_or_else(fault)?;
        rest = &after[length..];
        if *id == 0
            && let Some((length, name)) = number(section)
            && name.get(..length) == Some(b"name")
        {
            return Ok(String::from_utf8_lossy(&name[length..]).into_owned());
        }
    }
    Err(Fault::told("a Wasm module has no names"))
}

/// An unsigned LEB128 number, and what follows it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (index, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[index + 1..]));
        }
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_behind_other_sections() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend([1, 2, 0, 0]);
        module.extend([0, 10]);
        module.extend(b"\x04nameregex");
        assert_eq!(names(&module).unwrap(), "regex");
        assert!(names(&module[..12]).is_err());
        assert_eq!(number(&[0x80, 0x01, 7]).unwrap(), (128, &[7][..]));
    }
}
