//! The bytes of the profile: every entry stored, in one form of the headers (spec: ifc-extension.md §8).
//!
//! The `zip` crate writes other bytes of its own choice and reads more than the profile, so both stand here. Invariant:
//! reading follows numbers of the archive only inside the archive; room is made for what is there, never for what is
//! claimed.

use flate2::Crc;
use holdpoint_check::Code;

use super::{ARCHIVE_MALFORMED, ARCHIVE_NOT_CANONICAL};

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
/// Bytes of each header before its name.
const LOCAL_BYTES: usize = 30;
const CENTRAL_BYTES: usize = 46;
const END_BYTES: usize = 22;
/// Version 1.0, Unix; flags: names are UTF-8; method: stored; time and date: 1980-01-01 00:00.
const MADE_BY: u16 = 0x0314;
const VERSION: u16 = 10;
const UTF8: u16 = 0x0800;
const STORED: u16 = 0;
const TIME: u16 = 0;
const DATE: u16 = 0x0021;
/// A plain file that everybody may read (`0o100644` in the upper half).
const MODE: u32 = 0x81a4_0000;

/// An archive of these entries, in this order.
pub fn write<'e>(entries: impl Iterator<Item = (&'e str, &'e str)>) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let mut count: u16 = 0;
    for (path, text) in entries {
        let offset = out.len() as u32;
        let facts = facts(path, text);
        out.extend(LOCAL);
        out.extend(&facts);
        out.extend(path.bytes());
        out.extend(text.bytes());
        directory.extend(CENTRAL);
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(&facts);
        // No comment, disk 0, no internal attributes.
        directory.extend([0; 6]);
        directory.extend(MODE.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(path.bytes());
        count = count.saturating_add(1);
    }
    let (start, length) = (out.len() as u32, directory.len() as u32);
    out.append(&mut directory);
    out.extend(END);
    out.extend([0; 4]);
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    out.extend([0; 2]);
    out
}

/// What both headers of an entry say: from the version to the length of the extra field.
fn facts(path: &str, text: &str) -> Vec<u8> {
    let size = (text.len() as u32).to_le_bytes();
    let mut facts: Vec<u8> = [VERSION, UTF8, STORED, TIME, DATE].iter().flat_map(|it| it.to_le_bytes()).collect();
    facts.extend(checksum(text.as_bytes()).to_le_bytes());
    facts.extend([size, size].concat());
    facts.extend((path.len() as u16).to_le_bytes());
    facts.extend([0; 2]);
    facts
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// An entry as the directory lists it.
struct Listed<'a> {
    name: &'a [u8],
    flags: u16,
    method: u16,
    crc: u32,
    bytes: &'a [u8],
    /// Extra fields of either header.
    extra: usize,
}

/// Paths and texts in the order of the directory. Bytes that the profile leaves no choice about are not looked at:
/// whoever packs again sees them. The error: no ZIP, or one of another profile.
pub fn read(archive: &[u8]) -> Result<Vec<(String, String)>, &'static Code> {
    let listed = listed(archive).ok_or(&ARCHIVE_MALFORMED)?;
    if listed.iter().any(|entry| entry.method != STORED || entry.flags != UTF8 || entry.extra > 0) {
        return Err(&ARCHIVE_NOT_CANONICAL);
    }
    // Entries that lie over each other: a small archive would come to bytes without end.
    if listed.iter().map(|entry| entry.bytes.len()).sum::<usize>() > archive.len() {
        return Err(&ARCHIVE_NOT_CANONICAL);
    }
    if listed.iter().any(|entry| checksum(entry.bytes) != entry.crc) {
        return Err(&ARCHIVE_MALFORMED);
    }
    let text = |bytes: &[u8]| std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| &ARCHIVE_MALFORMED);
    let mut entries = Vec::with_capacity(listed.len());
    for entry in &listed {
        entries.push((text(entry.name)?, text(entry.bytes)?));
    }
    let mut names: Vec<&[u8]> = listed.iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(&ARCHIVE_NOT_CANONICAL);
    }
    Ok(entries)
}

/// What the directory lists and the local headers confirm; none where the archive is no whole ZIP.
fn listed(archive: &[u8]) -> Option<Vec<Listed<'_>>> {
    if !archive.starts_with(LOCAL) && !archive.starts_with(END) {
        return None;
    }
    let last = archive.len().checked_sub(END_BYTES)?;
    let end = (0..=last).rev().find(|at| archive[*at..].starts_with(END))?;
    let (mut at, length) = (number(archive, end + 16, 4)?, number(archive, end + 12, 4)?);
    let behind = at.checked_add(length).filter(|behind| *behind <= end)?;
    let mut entries = Vec::new();
    while at < behind {
        let head = archive.get(at..behind)?;
        let name = number(head, 28, 2)?;
        let rest = [30, 32].iter().try_fold(0, |sum, from| Some(sum + number(head, *from, 2)?))?;
        let extra = number(head, 30, 2)?;
        entries.push(located(archive, head.starts_with(CENTRAL).then_some(head)?, (name, extra))?);
        at += CENTRAL_BYTES + name + rest;
    }
    (at == behind && entries.len() == number(archive, end + 10, 2)?).then_some(entries)
}

/// The entry that a header of the directory is about.
fn located<'a>(archive: &'a [u8], head: &'a [u8], (name, extra): (usize, usize)) -> Option<Listed<'a>> {
    let local = archive.get(number(head, 42, 4)?..)?;
    let own = [number(local, 26, 2)?, number(local, 28, 2)?];
    let from = LOCAL_BYTES + own[0] + own[1];
    let stored = local.starts_with(LOCAL).then(|| number(head, 20, 4))??;
    Some(Listed {
        name: head.get(CENTRAL_BYTES..CENTRAL_BYTES + name)?,
        flags: number(head, 8, 2)? as u16,
        method: number(head, 10, 2)? as u16,
        crc: number(head, 16, 4)? as u32,
        bytes: local.get(from..from.checked_add(stored)?)?,
        extra: extra + own[1],
    })
}

/// A little-endian number of 2 or 4 bytes.
fn number(bytes: &[u8], from: usize, length: usize) -> Option<usize> {
    let digits = bytes.get(from..from.checked_add(length)?)?;
    Some(digits.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
}
