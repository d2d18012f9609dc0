//! Writes the sorted hashes of all names and aliases, four bytes each, the least significant first.

use std::path::PathBuf;
use std::{env, fs};

#[path = "src/hash.rs"]
mod hash;

/// Control characters have no names, only aliases.
fn named<'n>() -> impl Iterator<Item = &'n str> {
    let characters = ('\u{20}'..='\u{7E}').chain('\u{A0}'..=char::MAX);
    characters.filter_map(|character| charname::get_name_checked(u32::from(character))).filter(|name| {
        // What is named by a rule answers with its range, in small letters.
        name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b" -".contains(&byte))
    })
}

fn main() {
    println!("cargo::rerun-if-changed=aliases.txt");
    println!("cargo::rerun-if-changed=src/hash.rs");
    let aliases = fs::read_to_string("aliases.txt").expect("aliases.txt lies beside this file");
    let mut hashes: Vec<u32> = named().chain(aliases.lines()).map(hash::hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let bytes: Vec<u8> = hashes.into_iter().flat_map(u32::to_le_bytes).collect();
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder");
    fs::write(PathBuf::from(folder).join("hashes.bin"), bytes).expect("cargo's folder takes a file");
}
