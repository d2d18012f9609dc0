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

use super::unzip::ZipEntry;
use crate::crew_package::policy::{ASSETS, BINARY, Endings};
use crate::crew_package::rules::{assets, files};

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

/// Paths without the folder in which all of them lie.
pub fn without_top_folder(mut entries: Vec<ZipEntry>) -> Vec<ZipEntry> {
    entries.retain(|entry| !entry.path.starts_with(SYSTEM_FOLDER));
    let top = |entry: &ZipEntry| entry.path.find('/').map(|at| entry.path[..=at].to_owned());
    let Some(folder) = entries.first().and_then(top) else { return entries };
    if entries.iter().all(|entry| entry.path.starts_with(&folder)) {
        for entry in &mut entries {
            entry.path.drain(..folder.len());
        }
    }
    entries
}

/// Files, and what was left out or cannot be read.
pub fn texts(entries: Vec<ZipEntry>, endings: &Endings<'_>) -> (Files, Vec<Diagnostic>) {
    let (mut found, mut findings) = (Files::new(), Vec::new());
    for ZipEntry { path, bytes } in entries {
        let is_asset = path.starts_with(ASSETS);
        let is_text = TEXTS.iter().any(|ending| path.to_ascii_lowercase().ends_with(ending));
        match String::from_utf8(bytes) {
            Ok(text) if !is_asset || endings.allow(&path) && !assets::is_binary(&text) => {
                found.insert(path, text);
            }
            Ok(text) => drop(found.insert(path, binary(text.as_bytes()))),
            Err(_) if is_text => {
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
