//! What a small archive takes of the memory of whoever opens it: a module of the page or an edge keeps for good what it
//! took once. One test: the allocator counts for the whole process.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::io::{Cursor, Write};

use holdpoint_kind_crew::archive::{ImportOptions, import};
use holdpoint_kind_extension::archive::open;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

/// Bytes that one package may have, which is also the largest file.
const PACKAGE: usize = 16 << 20;
/// The package, the file on its way, and what reads it.
const MOST_BYTES: usize = 2 * PACKAGE + (8 << 20);
/// Files that declare just what an archive may have in all.
const FILES: usize = 6;

#[test]
fn no_small_archive_takes_more_than_a_package_has() {
    let zeros = vec![0_u8; PACKAGE];
    let no_text = vec![0xff_u8; PACKAGE];
    let late = [&zeros[1..], b"\xff"].concat();
    let refused = "413 INPUT_TOO_LARGE";
    let shapes: [(&str, &str, &[u8], &str); 6] = [
        ("assets", "assets/{}.bin", &zeros, refused),
        ("documents", "{}.md", &zeros, refused),
        ("text with another ending", "{}.dat", &zeros, refused),
        ("no text", "{}.dat", &no_text, "400 PKG_VALIDATION_FAILED"),
        ("no text, as the last byte shows", "{}.dat", &late, "400 PKG_VALIDATION_FAILED"),
        ("what a system puts beside", "__MACOSX/{}.md", &zeros, "400 PKG_VALIDATION_FAILED"),
    ];
    for (name, path, bytes, answer) in shapes {
        let archive = zipped((0..FILES).map(|at| (path.replace("{}", &at.to_string()), bytes)));
        assert!(archive.len() < 256 << 10, "{name}: {} bytes", archive.len());
        assert_eq!(measured(name, &archive), answer, "{name}");
    }
    // The directory says little, and what is packed is much.
    let mut lies = zipped((0..FILES).map(|at| (format!("{at}.dat"), &zeros[..])));
    for at in (0..lies.len()).filter(|at| lies[*at..].starts_with(b"PK\x01\x02")).collect::<Vec<_>>() {
        lies[at + 24..at + 28].copy_from_slice(&9_u32.to_le_bytes());
    }
    assert_eq!(measured("lies", &lies), "400 PKG_INVALID_ZIP");
    // Names without end: the library copies what the directory says of each entry.
    let comment = "x".repeat(60_000);
    let archive = zipped_with((0..700).map(|at| (format!("{at}.md"), &b""[..])), &comment);
    let taken = peak(|| import(&archive, &ImportOptions::default()).map(drop));
    assert!(taken < 8 << 20, "comments: {taken} bytes");
    let archive = zipped((0..FILES).map(|at| (at.to_string(), &zeros[..])));
    let taken = peak(|| open(&archive).map(drop).unwrap_err());
    assert!(taken < 1 << 20, "of an extension: {taken} bytes");
}

/// The refusal of an archive, whose reading takes a part of an isolate.
fn measured(name: &str, archive: &[u8]) -> String {
    let mut answer = String::new();
    let taken = peak(|| {
        let error = import(archive, &ImportOptions::default()).unwrap_err();
        answer = format!("{} {}", error.status, error.code);
    });
    println!("{name}: {} MB for {} KB", taken >> 20, archive.len() >> 10);
    assert!(taken < MOST_BYTES, "{name}: {taken} bytes");
    answer
}

/// How far the heap rose while something was done.
fn peak<T>(work: impl FnOnce() -> T) -> usize {
    let before = holdpoint_heap::live();
    holdpoint_heap::reset_peak();
    let kept = work();
    let peak = holdpoint_heap::peak() - before;
    drop(kept);
    peak
}

fn zipped<'b>(entries: impl Iterator<Item = (String, &'b [u8])>) -> Vec<u8> {
    zipped_with(entries, "")
}

/// An archive whose directory says `comment` of each entry.
fn zipped_with<'b>(entries: impl Iterator<Item = (String, &'b [u8])>, comment: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let options = options.into_full_options().with_file_comment(comment);
        writer.start_file(path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
