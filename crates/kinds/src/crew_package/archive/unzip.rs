//! `PKG_INVALID_ZIP`, `PKG_TOO_LARGE`: the entries of an archive, looked at before anything is unpacked.
//!
//! An archive says of itself how many entries it has and how large they are; it may lie. Invariants: what the library
//! allocates for entries is bounded before it is asked; no entry is read beyond the size that it declared; one refused
//! entry refuses the archive.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use holdpoint_check::{ApiError, args, codes};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::crew_package::limits::{MAX_BUNDLE_BYTES, MAX_UNZIPPED_BYTES, MAX_ZIP_ENTRIES};
use crate::crew_package::policy::is_safe;

codes! {
    /// no ZIP file, or one with entries that are not taken
    PKG_INVALID_ZIP: Error, "Send a ZIP file: this one cannot be read.";
    PKG_INVALID_ZIP / ENTRY_PATH: Error, "Pack the files again: `{file}` leads out of the package or cannot be a path." [file];
    PKG_INVALID_ZIP / ENTRY_LINK: Error, "Pack the file itself: `{file}` is a link or no plain file." [file];
    PKG_INVALID_ZIP / ENTRY_ENCRYPTED: Error, "Pack without a password: `{file}` is encrypted." [file];
    PKG_INVALID_ZIP / ENTRY_TWICE: Error, "Pack each file once: `{file}` is there twice." [file];
    PKG_INVALID_ZIP / ENTRY_METHOD: Error, "Pack with deflate or without compression: `{file}` has another one." [file];
    PKG_INVALID_ZIP / ENTRY_BROKEN: Error, "Pack the files again: `{file}` is damaged." [file];
    /// over a limit of archives
    PKG_TOO_LARGE: Error, "Make the package smaller: at most {max} are taken, there are {actual}." [max, actual];
}

/// A file of an archive.
#[derive(Debug, PartialEq, Eq)]
pub struct ZipEntry {
    /// Safe.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The end of an archive: its mark, and how many bytes each number of entries stands behind it and is long.
const ENDS: [(&[u8; 4], usize, usize); 2] = [(b"PK\x05\x06", 8, 2), (b"PK\x06\x06", 24, 8)];
/// How an entry of the directory begins.
const ENTRY_MARK: &[u8; 4] = b"PK\x01\x02";
/// Bytes of an entry of the directory before its name.
const ENTRY_HEAD: usize = 46;
/// Which kind of file a Unix mode means, and the two that are taken; nothing said is a file.
const FILE_KIND: u32 = 0o170_000;
const TAKEN_KINDS: [u32; 3] = [0, 0o100_000, 0o040_000];

/// `PKG_TOO_LARGE` with the name of the limit.
pub fn too_large(limit: &str, max: usize, actual: usize) -> ApiError {
    let error = ApiError::of(&PKG_TOO_LARGE, args! { max, actual }).status(413);
    error.with("limit", limit).with("max", max).with("actual", actual)
}

fn no_zip() -> ApiError {
    ApiError::of(&PKG_INVALID_ZIP, args! {}).status(400)
}

fn refused(code: &'static holdpoint_check::Code, file: &str) -> ApiError {
    ApiError::of(code, args! { file }).status(400).with("path", file)
}

/// All files of an archive, in its order. Folders are looked at and left out.
pub fn read(bytes: &[u8]) -> Result<Vec<ZipEntry>, ApiError> {
    bounded(bytes)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_zip())?;
    let count = archive.len();
    if count > MAX_ZIP_ENTRIES {
        return Err(too_large("MAX_ZIP_ENTRIES", MAX_ZIP_ENTRIES, count));
    }
    let listed = each_once(bytes, usize::try_from(archive.central_directory_start()).map_err(|_| no_zip())?)?;
    // One name in two spellings: the library knows other names of an entry than the one in front.
    if listed != count {
        return Err(no_zip());
    }
    let mut declared = Vec::with_capacity(count);
    let mut paths = HashSet::with_capacity(count);
    for at in 0..count {
        let (path, size) = looked_at(&archive.by_index_raw(at).map_err(|_| no_zip())?)?;
        if !paths.insert(path.clone()) {
            return Err(refused(&ENTRY_TWICE, &path));
        }
        declared.push((path, size));
    }
    let total = declared.iter().fold(0_u64, |sum, (_, size)| sum.saturating_add(*size));
    if total > MAX_UNZIPPED_BYTES as u64 {
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        return Err(too_large("MAX_UNZIPPED_BYTES", MAX_UNZIPPED_BYTES, total));
    }
    if let Some((_, size)) = declared.iter().find(|(_, size)| *size > MAX_BUNDLE_BYTES as u64) {
        return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, *size as usize));
    }
    let mut entries = Vec::new();
    for (at, (path, size)) in declared.into_iter().enumerate().filter(|(_, (path, _))| !path.ends_with('/')) {
        let bytes = unpacked(&mut archive, at, &path, size)?;
        entries.push(ZipEntry { path, bytes });
    }
    Ok(entries)
}

/// Refuses more entries than are taken before the library makes room for them: each number that an end of the archive
/// could say, and each mark that an entry could begin with.
fn bounded(bytes: &[u8]) -> Result<(), ApiError> {
    let mut marks = 0;
    let mut most = 0;
    for at in (0..bytes.len()).filter(|at| bytes[*at] == b'P') {
        let here = &bytes[at..];
        marks += usize::from(here.starts_with(ENTRY_MARK));
        for (_, from, length) in ENDS.iter().filter(|(mark, ..)| here.starts_with(*mark)) {
            for number in [here.get(*from..from + length), here.get(from + length..from + 2 * length)] {
                let number =
                    number.unwrap_or_default().iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
                most = most.max(usize::try_from(number).unwrap_or(usize::MAX));
            }
        }
    }
    let actual = marks.max(most);
    if actual > MAX_ZIP_ENTRIES {
        return Err(too_large("MAX_ZIP_ENTRIES", MAX_ZIP_ENTRIES, actual));
    }
    Ok(())
}

/// The library keeps the last of two entries with one name; here neither is. How many entries are listed.
fn each_once(bytes: &[u8], mut at: usize) -> Result<usize, ApiError> {
    let mut seen = HashSet::new();
    while let Some(head) = bytes.get(at..at + ENTRY_HEAD).filter(|head| head.starts_with(ENTRY_MARK)) {
        let number = |from: usize| usize::from(u16::from_le_bytes([head[from], head[from + 1]]));
        let (name, extra, comment) = (number(28), number(30), number(32));
        let Some(named) = bytes.get(at + ENTRY_HEAD..at + ENTRY_HEAD + name) else { break };
        if !seen.insert(named) {
            return Err(refused(&ENTRY_TWICE, &String::from_utf8_lossy(named)));
        }
        at += ENTRY_HEAD + name + extra + comment;
    }
    Ok(seen.len())
}

/// The path of an entry and the size that it declares, where it may be unpacked.
fn looked_at<R: Read + ?Sized>(entry: &ZipFile<'_, R>) -> Result<(String, u64), ApiError> {
    let path = std::str::from_utf8(entry.name_raw()).map_or_else(|_| entry.name().to_owned(), str::to_owned);
    if !is_safe(path.strip_suffix('/').unwrap_or(&path)) {
        return Err(refused(&ENTRY_PATH, &path));
    }
    if entry.unix_mode().is_some_and(|mode| !TAKEN_KINDS.contains(&(mode & FILE_KIND))) {
        return Err(refused(&ENTRY_LINK, &path));
    }
    if entry.encrypted() {
        return Err(refused(&ENTRY_ENCRYPTED, &path));
    }
    let size = if path.ends_with('/') { 0 } else { entry.size() };
    Ok((path, size))
}

/// The bytes of an entry: exactly as many as it declares.
fn unpacked(archive: &mut ZipArchive<Cursor<&[u8]>>, at: usize, path: &str, size: u64) -> Result<Vec<u8>, ApiError> {
    let entry = archive.by_index(at).map_err(|error| match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => refused(&ENTRY_METHOD, path),
        _ => refused(&ENTRY_BROKEN, path),
    })?;
    let mut bytes = Vec::new();
    entry.take(size + 1).read_to_end(&mut bytes).map_err(|_| refused(&ENTRY_BROKEN, path))?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(refused(&ENTRY_BROKEN, path)) }
}
