//! `holdpoint pack` and `holdpoint open`: a bundle as one file (spec: ifc-extension.md §8).
//!
//! Invariant: files of a packed bundle are written only when all of it was verified, into a folder that held nothing.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use holdpoint_check::Diagnostic;
use holdpoint_gateway::instant::iso;
use holdpoint_kind_extension::archive::{self as hpx, MAX_ARCHIVE_BYTES, Opened};
use serde_json::json;

use crate::args::{OpenArgs, PackArgs};
use crate::bundles::counted;
use crate::exit::{CommandError, Exit};
use crate::folder::{self, Folder, unreadable};
use crate::report::FindingsReport;
use crate::terminal::visible;

/// Bytes of a key file that are read; a key in PEM has about 120.
const MAX_KEY_BYTES: u64 = 64 << 10;

pub fn pack(options: &PackArgs) -> Result<Exit, CommandError> {
    let Folder { files, findings, .. } = folder::read(&options.dir)?;
    if !findings.is_empty() {
        return told(&FindingsReport::new(&files), &findings);
    }
    let kind = folder::kind(&files, None)?;
    if kind != hpx::KIND {
        return Err(CommandError::Usage(format!("Bundles of kind {kind} are not packed: only {} is.", hpx::KIND)));
    }
    let content_hash = holdpoint_bundle::content_hash(&files);
    let signature = match &options.key {
        Some(key) => {
            let pem = String::from_utf8_lossy(&bytes_of(key, MAX_KEY_BYTES)?).into_owned();
            let signed_at = options.signed_at.clone().unwrap_or_else(now);
            let signed = hpx::sign(&content_hash, &pem, &signed_at);
            Some(signed.map_err(|error| CommandError::Usage(format!("{}: {}", key.display(), error.message)))?)
        }
        None => None,
    };
    let packed = match hpx::pack(&files, signature.as_ref()) {
        Ok(packed) => packed,
        Err(found) => return told(&FindingsReport::new(&files), &found),
    };
    let out = &options.out;
    std::fs::write(out, &packed.bytes).map_err(|error| unwritable(out, &error))?;
    let size = counted(packed.bytes.len(), "byte");
    writeln!(io::stdout(), "{}: {size}, {}", visible(&out.display().to_string()), packed.content_hash)?;
    Ok(Exit::Passed)
}

pub fn open(options: &OpenArgs) -> Result<Exit, CommandError> {
    let bytes = bytes_of(&options.file, MAX_ARCHIVE_BYTES as u64)?;
    let mut out = io::stdout().lock();
    let opened = match hpx::open(&bytes) {
        Ok(opened) => opened,
        Err(found) if options.json => {
            writeln!(out, "{}", json!({ "ok": false, "diagnostics": found }))?;
            return Ok(Exit::Findings);
        }
        Err(found) => return told(&FindingsReport::new(&std::collections::BTreeMap::default()), &found),
    };
    if let Some(folder) = &options.out {
        write_files(folder, &opened)?;
    }
    if options.json {
        writeln!(out, "{}", json!({ "ok": true, "content_hash": opened.content_hash, "signer": opened.signer }))?;
        return Ok(Exit::Passed);
    }
    writeln!(out, "{}", opened.content_hash)?;
    match &opened.signer {
        Some(signer) => writeln!(out, "signed {} by {}", signer.signed_at, signer.key_id)?,
        None => writeln!(out, "not signed")?,
    }
    for (path, text) in &opened.files {
        writeln!(out, "{:>9} {}", text.len(), visible(path))?;
    }
    Ok(Exit::Passed)
}

/// The files of a packed bundle, where a command takes a folder.
pub fn folder(file: &Path) -> Result<Folder, CommandError> {
    let bytes = bytes_of(file, MAX_ARCHIVE_BYTES as u64)?;
    let opened = hpx::open(&bytes).map_err(|found| {
        let why: Vec<String> = found.into_iter().map(|it| format!("{} ({})", it.message, it.code)).collect();
        CommandError::Usage(format!("{} is no packed bundle. {}", file.display(), why.join(" ")))
    })?;
    Ok(Folder::of(opened.files))
}

/// Writes the files into a folder that holds nothing yet; their paths were judged.
fn write_files(folder: &Path, opened: &Opened) -> Result<(), CommandError> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    if folder.read_dir().map_err(|error| unreadable(folder, &error))?.next().is_some() {
        return Err(CommandError::Usage(format!("{} is not empty. Name another folder.", folder.display())));
    }
    for (path, text) in &opened.files {
        let path = folder.join(path);
        let above = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        above.and_then(|()| std::fs::write(&path, text)).map_err(|error| unwritable(&path, &error))?;
    }
    Ok(())
}

/// The bytes of a file, at most one more than `most`: who reads them says that they are too many.
fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>, CommandError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

fn told(report: &FindingsReport<'_>, findings: &[Diagnostic]) -> Result<Exit, CommandError> {
    for finding in findings {
        writeln!(io::stdout(), "{}\n", report.finding(finding))?;
    }
    Ok(Exit::Findings)
}

fn unwritable(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Usage(format!("{} cannot be written: {error}. Name another place with --out.", path.display()))
}

fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    iso(since.as_millis() as i64)
}
