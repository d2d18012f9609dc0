//! Archives that are taken, hostile ones, other programs' ones, and that nothing is lost on the way.

use std::io::{Cursor, Write};

use holdpoint_bundle::Files;
use proptest::prelude::*;
use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::*;

/// Seed bytes 0x28, thirty-two times; nobody's key.
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEICgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo\n-----END PRIVATE KEY-----\n";
const SIGNED_AT: &str = "2026-03-01T10:00:00Z";

fn files(files: &[(&str, &str)]) -> Files {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn sample() -> Files {
    files(&[("manifest.json", "{}\n"), ("src/a.js", "export default () => \"ä梁\";\r\n"), ("widgets/a.json", "")])
}

fn packed(files: &Files) -> Vec<u8> {
    pack(files, None).unwrap().bytes
}

fn signed(files: &Files) -> Vec<u8> {
    let signature = sign(&content_hash(files), KEY, SIGNED_AT).unwrap();
    pack(files, Some(&signature)).unwrap().bytes
}

/// The code of what is wrong, with the path where there is one.
fn refusal(archive: &[u8]) -> String {
    let Err(found) = open(archive) else { return "taken".to_owned() };
    let one = |it: &Diagnostic| [Some(it.code.to_string()), it.path.clone()].into_iter().flatten().collect::<Vec<_>>();
    found.iter().flat_map(one).collect::<Vec<_>>().join(" ")
}

/// An archive of these entries in the profile's bytes, whatever they are.
fn raw(entries: &[(&str, &str)]) -> Vec<u8> {
    profile::write(entries.iter().copied())
}

fn header(members: &serde_json::Value) -> String {
    let mut header: serde_json::Value = serde_json::from_str(&Header::text(&content_hash(&sample()), None)).unwrap();
    for (name, value) in members.as_object().unwrap() {
        header[name] = value.clone();
    }
    header.to_string()
}

fn with_header(header: &str) -> Vec<u8> {
    let files = sample();
    let rest = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    raw(&std::iter::once(("hpx.json", header)).chain(rest).collect::<Vec<_>>())
}

/// What another program writes of the same entries.
fn by_another_program(entries: &[(&str, &str)], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in entries {
        writer.start_file(*path, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn what_is_packed_is_opened() {
    for files in [sample(), Files::new(), files(&[("README.md", "# A\n")])] {
        let opened = open(&packed(&files)).unwrap();
        assert_eq!((opened.files, opened.signer), (files.clone(), None));
        assert_eq!(opened.content_hash, content_hash(&files));
    }
}

#[test]
fn an_ordinary_program_opens_it() {
    let archive = packed(&sample());
    let mut read = ZipArchive::new(Cursor::new(&archive)).unwrap();
    let names: Vec<String> = (0..read.len()).map(|at| read.by_index(at).unwrap().name().to_owned()).collect();
    assert_eq!(names, ["hpx.json", "manifest.json", "src/a.js", "widgets/a.json"]);
    let text = std::io::read_to_string(read.by_name("src/a.js").unwrap()).unwrap();
    assert_eq!(text, sample()["src/a.js"]);
}

#[test]
fn any_bit_that_is_turned_is_found() {
    let archive = signed(&sample());
    for at in 0..archive.len() * 8 {
        let mut turned = archive.clone();
        turned[at / 8] ^= 1 << (at % 8);
        assert!(open(&turned).is_err(), "bit {at}");
    }
    for cut in 0..archive.len() {
        assert!(open(&archive[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn what_is_wrong_has_its_code() {
    let good = packed(&sample());
    let hash = json!({"content_hash": content_hash(&sample())});
    let with = |bytes: &[u8]| [good.clone(), bytes.to_vec()].concat();
    let entries = [("hpx.json", &*header(&json!({}))), ("manifest.json", "{}\n")];
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("nothing", vec![], "ARCHIVE_MALFORMED"),
        ("text", b"PK is how it begins, and nothing more is there".to_vec(), "ARCHIVE_MALFORMED"),
        ("bytes in front", [b"#!/bin/sh\n".to_vec(), good.clone()].concat(), "ARCHIVE_MALFORMED"),
        ("an empty ZIP", raw(&[]), "ARCHIVE_NOT_CANONICAL"),
        ("a byte behind", with(b"\n"), "ARCHIVE_NOT_CANONICAL"),
        ("a second archive behind", with(&good), "ARCHIVE_NOT_CANONICAL"),
        ("no header", raw(&[("manifest.json", "{}\n")]), "ARCHIVE_NOT_CANONICAL"),
        ("a header that is a list", with_header("[]"), "ARCHIVE_NOT_CANONICAL"),
        ("a header that is no JSON", with_header("{"), "ARCHIVE_NOT_CANONICAL"),
        ("a header with a blank", with_header(&format!("{} ", header(&json!({})))), "ARCHIVE_NOT_CANONICAL"),
        ("a header with one more member", with_header(&header(&json!({"note": 1}))), "ARCHIVE_NOT_CANONICAL"),
        ("a signature of another shape", with_header(&header(&json!({"signature": "x"}))), "ARCHIVE_NOT_CANONICAL"),
        ("another format", with_header(&header(&json!({"format": "zip"}))), "ARCHIVE_UNSUPPORTED"),
        ("another version", with_header(&header(&json!({"format_version": 2}))), "ARCHIVE_UNSUPPORTED"),
        ("a version that is text", with_header(&header(&json!({"format_version": "1"}))), "ARCHIVE_UNSUPPORTED"),
        ("another kind", with_header(&header(&json!({"kind": "crew-package"}))), "ARCHIVE_UNSUPPORTED"),
        ("another hash", with_header(&header(&json!({"content_hash": "sha256:00"}))), "ARCHIVE_HASH_MISMATCH"),
        ("a hash that is a number", with_header(&header(&json!({"content_hash": 1}))), "ARCHIVE_HASH_MISMATCH"),
        ("no hash of its own files", raw(&[("hpx.json", &*header(&hash))]), "ARCHIVE_HASH_MISMATCH"),
        ("an entry twice", raw(&[entries[0], entries[1], entries[1]]), "ARCHIVE_NOT_CANONICAL"),
        ("stored by another program", by_another_program(&entries, CompressionMethod::Stored), "ARCHIVE_NOT_CANONICAL"),
        ("deflated", by_another_program(&entries, CompressionMethod::Deflated), "ARCHIVE_NOT_CANONICAL"),
    ];
    for (name, archive, code) in cases {
        assert_eq!(refusal(&archive), code, "{name}");
    }
}

#[test]
fn every_path_that_no_bundle_has_is_named() {
    let paths = ["../a.js", "src/A.js", "src/a.js", "src/b.txt", ".env"];
    let files: Files = paths.iter().map(|path| ((*path).to_owned(), String::new())).collect();
    let found = pack(&files, None).unwrap_err();
    let hostile = written(&files, &content_hash(&files), None);
    let want = "PATH_TRAVERSAL ../a.js PATH_SECRET_FILE .env PATH_EXTENSION_NOT_ALLOWED src/b.txt PATH_CASE_COLLISION src/a.js";
    assert_eq!(refusal(&hostile), want);
    assert_eq!(open(&hostile).unwrap_err(), found, "nothing is packed that is not opened");
}

#[test]
fn too_much_is_refused_before_it_is_read() {
    assert_eq!(refusal(&vec![0; MAX_ARCHIVE_BYTES + 1]), "ARCHIVE_TOO_LARGE");
    let large = files(&[("README.md", &"x".repeat(MAX_ARCHIVE_BYTES))]);
    assert_eq!(pack(&large, None).unwrap_err()[0].code, "ARCHIVE_TOO_LARGE");
}

/// A directory of thousands of entries that all point at one stored megabyte: in memory it would be gigabytes.
#[test]
fn entries_that_lie_over_each_other_are_refused() {
    let text = "x".repeat(1 << 20);
    let one = raw(&[("src/a.js", &text)]);
    let directory = one.windows(4).rposition(|at| at == b"PK\x01\x02").unwrap();
    let end = one.windows(4).rposition(|at| at == b"PK\x05\x06").unwrap();
    let entry = &one[directory..end];
    let count: u16 = 20_000;
    let mut bomb = one[..directory].to_vec();
    (0..count).for_each(|_| bomb.extend(entry));
    let length = (bomb.len() - directory) as u32;
    bomb.extend(b"PK\x05\x06\0\0\0\0");
    bomb.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    bomb.extend([length.to_le_bytes(), (directory as u32).to_le_bytes(), [0; 4]].concat());
    bomb.truncate(bomb.len() - 2);
    assert!(bomb.len() < MAX_ARCHIVE_BYTES);
    assert_eq!(refusal(&bomb), "ARCHIVE_NOT_CANONICAL");
}

#[test]
fn a_signature_names_its_signer() {
    let opened = open(&signed(&sample())).unwrap();
    let signer = opened.signer.unwrap();
    assert_eq!(signer.signed_at, SIGNED_AT);
    assert!(signer.key_id.starts_with("sha256:") && signer.key_id.len() == 71);
}

#[test]
fn a_signature_of_something_else_is_refused() {
    let own = sign(&content_hash(&sample()), KEY, SIGNED_AT).unwrap();
    let other = sign("sha256:00", KEY, SIGNED_AT).unwrap();
    // A key of small order takes a signature that nobody made.
    let weak = Signature { key: "A".repeat(43) + "=", sig: "A".repeat(86) + "==", ..own.clone() };
    let cases = [
        ("other files", other),
        ("another time", Signature { signed_at: "2026-03-02T10:00:00Z".into(), ..own.clone() }),
        ("no time", Signature { signed_at: "yesterday".into(), ..own.clone() }),
        ("a month thirteen", Signature { signed_at: "2026-13-01T10:00:00Z".into(), ..own.clone() }),
        ("another algorithm", Signature { alg: "rsa".into(), ..own.clone() }),
        ("a short key", Signature { key: "AAAA".into(), ..own.clone() }),
        ("no base64", Signature { sig: "?".into(), ..own.clone() }),
        ("a weak key", weak),
    ];
    for (name, signature) in cases {
        assert_eq!(pack(&sample(), Some(&signature)).unwrap_err()[0].code, "ARCHIVE_SIGNATURE_INVALID", "{name}");
        let archive = written(&sample(), &content_hash(&sample()), Some(&signature));
        assert_eq!(refusal(&archive), "ARCHIVE_SIGNATURE_INVALID", "{name}");
    }
}

#[test]
fn keys_and_times_that_are_none() {
    let hash = content_hash(&sample());
    let encrypted = KEY.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    let public = KEY.replace("PRIVATE", "PUBLIC");
    for key in ["", "hunter2", &encrypted, &public] {
        assert_eq!(sign(&hash, key, SIGNED_AT).unwrap_err().code, "ARCHIVE_KEY_INVALID", "{key}");
    }
    for time in ["", "2026-03-01", "2026-03-01T10:00:00+01:00", "2026-00-01T10:00:00Z", "2026-03-01T24:00:00Z"] {
        assert_eq!(sign(&hash, KEY, time).unwrap_err().code, "INVALID_INPUT", "{time}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..400), at in any::<prop::sample::Index>()) {
        let _ = open(&bytes);
        let mut archive = signed(&sample());
        let at = at.index(archive.len());
        archive.splice(at..at, bytes);
        let _ = open(&archive);
    }

    #[test]
    fn every_bundle_comes_back(texts in proptest::collection::btree_map("src/[a-z]{1,8}\\.js", "\\PC{0,80}", 0..8)) {
        prop_assert_eq!(open(&packed(&texts)).unwrap().files, texts);
    }
}
