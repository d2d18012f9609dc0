//! From entries to files: one common top folder goes, bytes become text (spec: crew-package.md §7 "Import").
//!
//! JSON and Markdown are strict UTF-8. Every other file under `assets/` that is no text asset becomes `base64:`.
//! Invariant: [`bytes_of`] gives back the bytes of an asset.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use holdpoint_bundle::Files;
use holdpoint_check::{Diagnostic, args, codes};

use super::unzip::{EntryPlace, ListedEntry, Unpacked};
use crate::policy::{ASSETS, BINARY, Endings};
use crate::rules::{assets, files};

codes! {
    /// a JSON or Markdown file of an archive that is no UTF-8
    PKG_INVALID_ENCODING: Error, "Save `{file}` as UTF-8." [file];
}

/// As [`assets::size`] takes it: the last digit may hold more bits than are used.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));
/// Files that must be text.
const TEXTS: [&str; 2] = [".json", ".md"];
/// What systems put beside the files that people pack.
const SYSTEM_FOLDER: &str = "__MACOSX/";

/// Paths without the folder in which all of them lie. What systems put beside the files does not count, and keeps its own.
pub fn without_top_folder(listed: &mut [ListedEntry]) {
    let mut packed = listed.iter_mut().filter(|file| !is_of_a_system(&file.path)).peekable();
    let top = |file: &&mut ListedEntry| file.path.find('/').map(|at| file.path[..=at].to_owned());
    let Some(folder) = packed.peek().and_then(top) else { return };
    let mut packed: Vec<&mut ListedEntry> = packed.collect();
    if packed.iter().all(|file| file.path.starts_with(&folder)) {
        for file in &mut packed {
            file.path.drain(..folder.len());
        }
    }
}

/// What a package does with a file of that path.
pub fn place(path: &str) -> EntryPlace {
    if is_of_a_system(path) {
        EntryPlace::Left
    } else if path.starts_with(ASSETS) || must_be_text(path) {
        EntryPlace::Kept
    } else {
        EntryPlace::IfText
    }
}

fn is_of_a_system(path: &str) -> bool {
    path.starts_with(SYSTEM_FOLDER)
}

fn must_be_text(path: &str) -> bool {
    TEXTS.iter().any(|ending| path.to_ascii_lowercase().ends_with(ending))
}

/// Files, and what was left out or cannot be read.
pub fn texts(entries: Vec<Unpacked>, endings: &Endings<'_>) -> (Files, Vec<Diagnostic>) {
    let (mut found, mut findings) = (Files::new(), Vec::new());
    for Unpacked { path, bytes } in entries {
        let is_asset = path.starts_with(ASSETS);
        let Some(bytes) = bytes else {
            findings.push(files::unexpected().in_file(path));
            continue;
        };
        match String::from_utf8(bytes) {
            Ok(text) if !is_asset || endings.allow(&path) && !assets::is_binary(&text) => {
                found.insert(path, text);
            }
            Ok(text) => drop(found.insert(path, binary(text.as_bytes()))),
            Err(_) if must_be_text(&path) => {
                let finding = Diagnostic::of(&PKG_INVALID_ENCODING, args! { file: path });
                findings.push(finding.in_file(path));
            }
            Err(error) if is_asset => drop(found.insert(path, binary(error.as_bytes()))),
            Err(_) => findings.push(files::unexpected().in_file(path)),
        }
    }
    (found, findings)
}

fn binary(bytes: &[u8]) -> String {
    format!("{BINARY}{}", BASE64.encode(bytes))
}

/// The bytes that an asset stands for; of one that is no base64 those of its text.
pub fn bytes_of(text: &str) -> Cow<'_, [u8]> {
    let decoded = text.strip_prefix(BINARY).and_then(|encoded| BASE64.decode(encoded).ok());
    decoded.map_or_else(|| Cow::Borrowed(text.as_bytes()), Cow::Owned)
}
