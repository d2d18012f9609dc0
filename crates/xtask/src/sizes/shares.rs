//! What each crate holds of a Wasm module, read off the names of its functions as cargo built it.
//!
//! Invariant: a function belongs to the crate of the type that it is written for, else to the crate of its path. So an
//! expansion of `core`'s sort counts as `core`, whoever sorts.

use std::collections::BTreeMap;

use rustc_demangle::demangle;
use wasmparser::{KnownCustom, Name, Parser, Payload};

use crate::process::Fault;

/// Crates with less are summed up.
const SMALL: usize = 5_000;
const KB: usize = 1_000;

/// Bytes of a module.
#[derive(Debug, Default)]
pub struct Shares {
    data: usize,
    /// Names of functions as they are in Rust, with the bytes of their code.
    functions: Vec<(String, usize)>,
}

/// The shares of a module that still has its names.
pub fn of(module: &[u8]) -> Result<Shares, Fault> {
    let fault = |error: wasmparser::BinaryReaderError| Fault::told(format!("a Wasm module could not be read: {error}"));
    let (mut imported, mut bodies, mut data, mut names) = (0_u32, Vec::new(), 0, BTreeMap::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload.map_err(fault)? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import.map_err(fault)?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
            Payload::DataSection(section) => data = section.range().len(),
            Payload::CustomSection(section) => {
                let KnownCustom::Name(subsections) = section.as_known() else { continue };
                for subsection in subsections {
                    let Name::Function(functions) = subsection.map_err(fault)? else { continue };
                    for naming in functions {
                        let naming = naming.map_err(fault)?;
                        names.insert(naming.index, format!("{:#}", demangle(naming.name)));
                    }
                }
            }
            _ => {}
        }
    }
    if names.is_empty() {
        return Err(Fault::told("a Wasm module has no names"));
    }
    let name = |index| names.get(&index).cloned().unwrap_or_default();
    Ok(Shares { data, functions: (imported..).map(name).zip(bodies).collect() })
}

impl Shares {
    /// Whether a function comes from the crate, or from one whose name begins so, or is written for a type of it.
    pub fn names(&self, crate_name: &str) -> bool {
        self.functions.iter().any(|(name, _)| name.contains(crate_name))
    }

    /// KB of data, and KB of code by crate.
    pub fn in_kb(&self) -> (u64, BTreeMap<String, u64>) {
        let mut crates: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, bytes) in &self.functions {
            *crates.entry(crate_of(name)).or_default() += bytes;
        }
        let mut by_crate: BTreeMap<String, usize> = BTreeMap::new();
        for (name, bytes) in crates {
            *by_crate.entry(if bytes < SMALL { "others" } else { name }.to_owned()).or_default() += bytes;
        }
        (kb(self.data), by_crate.into_iter().map(|(name, bytes)| (name, kb(bytes))).collect())
    }
}

fn kb(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(KB)).unwrap_or(u64::MAX)
}

/// The crate of a function's name: `<serde::T as core::fmt::Debug>::fmt` is `serde`'s, `alloc::vec::from` is `alloc`'s.
fn crate_of(name: &str) -> &str {
    let path = name.trim_start_matches(|c: char| !c.is_ascii_alphabetic() && c != '_');
    let path = path.strip_prefix("dyn ").or_else(|| path.strip_prefix("mut ")).unwrap_or(path);
    let end = path.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(path.len());
    if path[end..].starts_with("::") { &path[..end] } else { "others" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_belongs_to_the_type_that_it_is_written_for() {
        assert_eq!(crate_of("<oxc_ast::Node as core::fmt::Debug>::fmt"), "oxc_ast");
        assert_eq!(crate_of("<&mut serde_json::de::Read as serde::Deserializer>::next"), "serde_json");
        assert_eq!(crate_of("<dyn regex::Search>::find"), "regex");
        assert_eq!(crate_of("alloc::vec::from_elem"), "alloc");
        assert_eq!(crate_of("memcpy"), "others");
    }

    #[test]
    fn shares_are_read_behind_other_sections() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend([1, 4, 1, 0x60, 0, 0]); // One type.
        module.extend([3, 2, 1, 0]); // One function of it.
        module.extend([10, 4, 1, 2, 0, 0x0b]); // Its body, two bytes.
        let unnamed = module.clone();
        module.extend([0, 20]);
        module.extend(b"\x04name\x01\x0d\x01\0\x0aregex::run");
        let shares = of(&module).unwrap();
        assert!(shares.names("regex") && !shares.names("oxc_"));
        assert_eq!(shares.functions, [("regex::run".to_owned(), 2)]);
        assert_eq!(shares.in_kb().1["others"], 1);
        assert!(of(&unnamed).is_err(), "no names");
        assert!(of(&module[..module.len() - 3]).is_err());
    }
}
