//! `PKG_INVALID_ZIP`, `PKG_TOO_LARGE`: the entries of an archive, looked at before anything is unpacked.
//!
//! An archive says of itself how many entries it has and how large they are; it may lie. Invariants: what the library
//! allocates for entries is bounded before it is asked; no entry is read beyond the size that it declared; of what is
//! unpacked no more is held at once than a package may have, because memory of Wasm is never given back; one refused
//! entry refuses the archive.

use std::collections::HashSet;
use std::io::{Cursor, Read};

use holdpoint_check::{ApiError, args, codes};
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use crate::limits::{MAX_BUNDLE_BYTES, MAX_FILES, MAX_UNZIPPED_BYTES, MAX_ZIP_ENTRIES};
use crate::policy::is_safe;

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

/// An archive whose entries are known to be few, plain and, as they say, small. Nothing of it is unpacked yet.
pub struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    /// Its files, in its order. Folders are looked at and left out.
    pub listed: Vec<ListedEntry>,
}

/// A file as the directory of an archive lists it.
pub struct ListedEntry {
    pub path: String,
    at: usize,
    name: String,
    size: u64,
}

/// What a package does with a file, as far as its path says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryPlace {
    /// The file is kept, whatever it holds.
    Kept,
    /// The file is kept if it is UTF-8.
    IfText,
    /// The file is left out. It is unpacked all the same, so that a damaged one refuses the archive, and not held.
    Left,
}

/// A file that was unpacked.
#[derive(Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The path as it was listed.
    pub path: String,
    /// The bytes; none where a file that is kept as text is no text.
    pub bytes: Option<Vec<u8>>,
}

/// The end of an archive: its mark, and how many bytes each number of entries stands behind it and is long.
const ENDS: [(&[u8; 4], usize, usize); 2] = [(b"PK\x05\x06", 8, 2), (b"PK\x06\x06", 24, 8)];
/// How an entry of the directory begins.
const ENTRY_MARK: &[u8; 4] = b"PK\x01\x02";
/// Bytes of an entry of the directory before its name.
const ENTRY_HEAD: usize = 46;
/// Bytes of names, extra fields and comments of the directory, which the library copies; a path has at most 1,024.
const MAX_DIRECTORY_BYTES: usize = 8 << 20;
/// Bytes that are unpacked at once.
const CHUNK_BYTES: usize = 64 << 10;
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

impl<'b> Archive<'b> {
    /// Reads the directory of an archive. Errors: `PKG_INVALID_ZIP`, `PKG_TOO_LARGE`, `INPUT_TOO_LARGE`.
    pub fn open(bytes: &'b [u8]) -> Result<Self, ApiError> {
        bounded(bytes)?;
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_zip())?;
        let count = zip.len();
        if count > MAX_ZIP_ENTRIES {
            return Err(too_large("MAX_ZIP_ENTRIES", MAX_ZIP_ENTRIES, count));
        }
        let named = each_once(bytes, usize::try_from(zip.central_directory_start()).map_err(|_| no_zip())?)?;
        // One name in two spellings: the library knows other names of an entry than the one in front.
        if named != count {
            return Err(no_zip());
        }
        let mut listed = Vec::with_capacity(count);
        let mut paths = HashSet::with_capacity(count);
        for at in 0..count {
            let (path, size) = looked_at(&zip.by_index_raw(at).map_err(|_| no_zip())?)?;
            if !paths.insert(path.clone()) {
                return Err(refused(&ENTRY_TWICE, &path));
            }
            listed.push(ListedEntry { name: path.clone(), path, at, size });
        }
        let total = sum(&listed);
        if total > MAX_UNZIPPED_BYTES {
            return Err(too_large("MAX_UNZIPPED_BYTES", MAX_UNZIPPED_BYTES, total));
        }
        if let Some(ListedEntry { size, .. }) = listed.iter().find(|file| file.size > MAX_BUNDLE_BYTES as u64) {
            return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, *size as usize));
        }
        listed.retain(|file| !file.path.ends_with('/'));
        Ok(Self { zip, listed })
    }

    /// Unpacks the files that a package keeps. What is kept for certain is refused by its sum before anything is
    /// unpacked; what is kept if it is text, as soon as there is too much of it.
    pub fn unpack(mut self, place: impl Fn(&str) -> EntryPlace) -> Result<Vec<Unpacked>, ApiError> {
        let certain = || self.listed.iter().filter(|file| place(&file.path) == EntryPlace::Kept);
        if certain().count() > MAX_FILES {
            return Err(ApiError::over("MAX_FILES", MAX_FILES, certain().count()));
        }
        let mut held = sum(certain());
        if held > MAX_BUNDLE_BYTES {
            return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, held));
        }
        let mut files = Vec::new();
        for file in std::mem::take(&mut self.listed) {
            let place = place(&file.path);
            let room = if place == EntryPlace::Kept { file.size } else { (MAX_BUNDLE_BYTES - held) as u64 };
            let bytes = self.unpacked(&file, place, room)?;
            if place == EntryPlace::IfText && bytes.is_some() {
                held = held.saturating_add(file.size as usize);
            }
            if held > MAX_BUNDLE_BYTES {
                return Err(ApiError::over("MAX_BUNDLE_BYTES", MAX_BUNDLE_BYTES, held));
            }
            if place != EntryPlace::Left {
                files.push(Unpacked { path: file.path, bytes });
            }
        }
        Ok(files)
    }

    /// The bytes of a file: exactly as many as it declares, of which at most `room` are held. None where they are not
    /// wanted.
    fn unpacked(&mut self, file: &ListedEntry, place: EntryPlace, room: u64) -> Result<Option<Vec<u8>>, ApiError> {
        let broken = || refused(&ENTRY_BROKEN, &file.name);
        let mut entry = self.zip.by_index(file.at).map_err(|error| match error {
            ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
                refused(&ENTRY_METHOD, &file.name)
            }
            _ => broken(),
        })?;
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut seen = 0;
        let mut text = TextScan::default();
        let fits = file.size <= room;
        let mut held = Vec::with_capacity(if fits && place != EntryPlace::Left { file.size as usize } else { 0 });
        loop {
            let length = entry.read(&mut chunk).map_err(|_| broken())?;
            let Some(read) = chunk.get(..length).filter(|read| !read.is_empty()) else { break };
            seen += length as u64;
            if seen > file.size {
                return Err(broken());
            }
            if place == EntryPlace::IfText {
                text.push(read);
                if !text.is_text() {
                    held = Vec::new();
                    continue;
                }
            }
            if fits && place != EntryPlace::Left {
                held.extend_from_slice(read);
            }
        }
        if seen != file.size {
            return Err(broken());
        }
        Ok(match place {
            EntryPlace::Kept => Some(held),
            EntryPlace::IfText => (text.is_text() && text.is_whole()).then_some(held),
            EntryPlace::Left => None,
        })
    }
}

/// Bytes of all files, as they declare it.
fn sum<'l>(files: impl IntoIterator<Item = &'l ListedEntry>) -> usize {
    files.into_iter().fold(0, |sum: usize, file| sum.saturating_add(usize::try_from(file.size).unwrap_or(usize::MAX)))
}

/// Whether bytes that come in pieces are UTF-8.
#[derive(Default)]
struct TextScan {
    /// The beginning of a character whose end has not come yet.
    begun: Vec<u8>,
    broken: bool,
}

impl TextScan {
    fn push(&mut self, piece: &[u8]) {
        if self.broken {
            return;
        }
        self.begun.extend_from_slice(piece);
        match std::str::from_utf8(&self.begun) {
            Ok(_) => self.begun.clear(),
            Err(error) if error.error_len().is_none() => drop(self.begun.drain(..error.valid_up_to())),
            Err(_) => {
                self.broken = true;
                self.begun = Vec::new();
            }
        }
    }

    fn is_text(&self) -> bool {
        !self.broken
    }

    fn is_whole(&self) -> bool {
        self.begun.is_empty()
    }
}

/// Refuses more entries than are taken before the library makes room for them: each number that an end of the archive
/// could say, and each mark that an entry could begin with.
fn bounded(bytes: &[u8]) -> Result<(), ApiError> {
    let mut marks = 0;
    let mut most = 0;
    let mut words = 0;
    for at in (0..bytes.len()).filter(|at| bytes[*at] == b'P') {
        let here = &bytes[at..];
        if here.starts_with(ENTRY_MARK) {
            marks += 1;
            words += here.get(28..34).map_or(0, |lengths| {
                lengths.chunks_exact(2).map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]]))).sum::<usize>()
            });
        }
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
    if words > MAX_DIRECTORY_BYTES { Err(no_zip()) } else { Ok(()) }
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
