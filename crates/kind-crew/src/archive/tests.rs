//! Archives in and out: those of other programs, hostile ones, old forms, and that nothing is lost on the way.

use std::io::{Cursor, Write};

use holdpoint_bundle::{Files, content_hash};
use holdpoint_check::{ApiError, Diagnostic};
use proptest::prelude::*;
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{ImportOptions, export, import, packed};
use crate::policy::Endings;
use crate::test::package::{json_with, multi, package, shared, step, with};

fn imported(bytes: &[u8]) -> Result<super::Imported, ApiError> {
    import(bytes, &ImportOptions::default())
}

/// An archive of these entries, whatever they are called.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in entries {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        writer.start_file(*path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn of(files: &Files) -> Vec<u8> {
    zipped(&files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect::<Vec<_>>())
}

/// The code of a refusal and the sentence or limit that it has.
fn refusal(bytes: &[u8]) -> String {
    let error = imported(bytes).unwrap_err();
    let which = error.details.get("limit").or(error.args.get("case")).and_then(Value::as_str).unwrap_or_default();
    format!("{} {} {which}", error.status, error.code)
}

/// Every place of some bytes, with others in it.
fn patched(mut archive: Vec<u8>, mark: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..archive.len()).filter(|at| archive[*at..].starts_with(mark)).collect();
    assert!(!places.is_empty());
    for at in places {
        archive[at + offset..at + offset + bytes.len()].copy_from_slice(bytes);
    }
    archive
}

fn said(findings: &[Diagnostic]) -> Vec<String> {
    let one = |it: &Diagnostic| {
        let parts = [Some(it.code.to_string()), it.path.clone(), it.pointer.clone()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    findings.iter().map(one).collect()
}

fn refused_with(bytes: &[u8]) -> Vec<String> {
    let error = imported(bytes).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("PKG_VALIDATION_FAILED", 400));
    said(&serde_json::from_value::<Vec<Diagnostic>>(error.details["diagnostics"].clone()).unwrap())
}

#[test]
fn archives_of_other_programs_are_read() {
    let samples: [(&str, &[u8]); 3] = [
        ("python.zip", include_bytes!("samples/python.zip")),
        ("info-zip.bmad", include_bytes!("samples/info-zip.bmad")),
        ("streamed.zip", include_bytes!("samples/streamed.zip")),
    ];
    for (name, bytes) in samples {
        let options = ImportOptions { file_name: Some(name), ..ImportOptions::default() };
        let package = import(bytes, &options).unwrap();
        assert_eq!(package.name, "Ärenden", "{name}");
        let paths: Vec<&str> = package.files.keys().map(String::as_str).collect();
        let want = [
            "agents.json",
            "assets/data.csv",
            "assets/pics/dot.png",
            "assets/rules.md",
            "bmad.json",
            "workflows/1/steps/a.md",
            "workflows/1/steps/deep/z.md",
            "workflows/1/workflow.graph.json",
            "workflows/1/workflow.md",
        ];
        assert_eq!(paths, want, "{name}");
        assert_eq!(package.files["assets/rules.md"], "# Regler åäö\n");
        assert_eq!(package.files["assets/pics/dot.png"], "base64:iVBORw0KGgoA/w==");
        assert_eq!(package.files["assets/data.csv"], "base64:YTtiCg==", "no ending of a text asset");
        assert!(package.files["workflows/1/workflow.md"].ends_with("# W\r\n"), "line ends are content");
        assert!(package.files["agents.json"].contains("\"claims-clerk-2\""));
        let codes: Vec<String> = said(&package.warnings).into_iter().filter(|it| !it.contains("agents.json")).collect();
        assert_eq!(codes, ["PKG_UNEXPECTED_FILE README.txt"], "{name}");
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    let whole = of(&multi());
    assert_eq!(refusal(b""), "400 PKG_INVALID_ZIP ");
    assert_eq!(refusal(b"PK"), "400 PKG_INVALID_ZIP ");
    assert_eq!(refusal(&whole[..whole.len() - 30]), "400 PKG_INVALID_ZIP ");
    assert_eq!(refusal(&vec![b'P'; 50 << 20]), "400 PKG_INVALID_ZIP ");
    assert_eq!(refusal(&vec![b'P'; (50 << 20) + 1]), "413 PKG_TOO_LARGE MAX_ZIP_BYTES");
    let named = |name: &str| {
        let options = ImportOptions { file_name: Some(name), ..ImportOptions::default() };
        import(&whole, &options).map_err(|error| (error.status, error.code)).map(drop)
    };
    for name in ["a.bmad", "a.ZIP", ".zip"] {
        assert_eq!(named(name), Ok(()), "{name}");
    }
    for name in ["", "a.rar", "a.zip.txt", "zip"] {
        assert_eq!(named(name), Err((400, "PKG_INVALID_FORMAT".to_owned())), "{name}");
    }
}

#[test]
fn entries_that_lead_out_of_the_package_refuse_it() {
    for path in ["../a", "/a", "a\\b", "c:a", "a//b", "a/./b", "a/../../b", "./a", "..", "a\u{1}"] {
        let archive = zipped(&[("b.md", b""), (path, b"")]);
        assert_eq!(refusal(&archive), "400 PKG_INVALID_ZIP ENTRY_PATH", "{path:?}");
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_directory("../a/", SimpleFileOptions::default()).unwrap();
    assert_eq!(refusal(&writer.finish().unwrap().into_inner()), "400 PKG_INVALID_ZIP ENTRY_PATH");
}

#[test]
fn links_and_encrypted_entries_refuse_the_archive() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("a.md", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    assert_eq!(refusal(&writer.finish().unwrap().into_inner()), "400 PKG_INVALID_ZIP ENTRY_LINK");
    let one = || zipped(&[("a.md", b"hello hello hello")]);
    let pipe = patched(one(), b"PK\x01\x02", 38, &(0o010_644_u32 << 16).to_le_bytes());
    assert_eq!(refusal(&pipe), "400 PKG_INVALID_ZIP ENTRY_LINK");
    let locked = patched(one(), b"PK\x01\x02", 8, &[1, 0]);
    assert_eq!(refusal(&locked), "400 PKG_INVALID_ZIP ENTRY_ENCRYPTED");
    let other = patched(one(), b"PK\x01\x02", 10, &[12, 0]);
    assert_eq!(refusal(&other), "400 PKG_INVALID_ZIP ENTRY_METHOD");
}

#[test]
fn entries_that_lie_refuse_the_archive() {
    let one = || zipped(&[("a.md", &[b'x'; 4_000])]);
    let declares = |size: u32| patched(one(), b"PK\x01\x02", 24, &size.to_le_bytes());
    assert_eq!(refusal(&declares(3_999)), "400 PKG_INVALID_ZIP ENTRY_BROKEN", "more than it says");
    assert_eq!(refusal(&declares(4_001)), "400 PKG_INVALID_ZIP ENTRY_BROKEN", "less than it says");
    assert_eq!(refusal(&declares((100 << 20) + 1)), "413 PKG_TOO_LARGE MAX_UNZIPPED_BYTES");
    assert_eq!(refusal(&declares((16 << 20) + 1)), "413 INPUT_TOO_LARGE MAX_BUNDLE_BYTES");
    let broken = patched(one(), b"PK\x01\x02", 16, &[1, 2, 3, 4]);
    assert_eq!(refusal(&broken), "400 PKG_INVALID_ZIP ENTRY_BROKEN", "another checksum");
    let twice = zipped(&[("a.md", b"1"), ("b.md", b"2")]);
    let twice = patched(twice, b"b.md", 0, b"a.md");
    assert_eq!(refusal(&twice), "400 PKG_INVALID_ZIP ENTRY_TWICE");
}

/// An archive of plain entries, each with its own name, extra field and flags, as no library would write it.
fn raw(entries: &[(&[u8], &[u8], u16)]) -> Vec<u8> {
    let words = |list: &[u16]| list.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, extra, flags) in entries {
        let at = archive.len() as u32;
        let crc = checksum(b"x").to_le_bytes();
        let sizes = [&crc[..], &1_u32.to_le_bytes(), &1_u32.to_le_bytes()].concat();
        let name_length = name.len() as u16;
        archive.extend([b"PK\x03\x04".as_slice(), &words(&[20, *flags, 0, 0, 0]), &sizes].concat());
        archive.extend([&words(&[name_length, 0]), *name, b"x"].concat());
        directory.extend([b"PK\x01\x02".as_slice(), &words(&[20, 20, *flags, 0, 0, 0]), &sizes].concat());
        directory.extend(words(&[name_length, extra.len() as u16, 0, 0, 0, 0, 0]));
        directory.extend([&at.to_le_bytes(), *name, *extra].concat());
    }
    let (from, long, count) = (archive.len() as u32, directory.len() as u32, entries.len() as u16);
    archive.extend(directory);
    archive.extend([b"PK\x05\x06".as_slice(), &words(&[0, 0, count, count])].concat());
    archive.extend([&long.to_le_bytes()[..], &from.to_le_bytes(), &[0, 0]].concat());
    archive
}

/// CRC-32 as archives have it.
fn checksum(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), bit))
}

/// The field in which an archive says another name of an entry (Info-ZIP Unicode Path).
fn renamed(from: &[u8], to: &[u8]) -> Vec<u8> {
    let length = (5 + to.len()) as u16;
    [&0x7075_u16.to_le_bytes()[..], &length.to_le_bytes(), &[1], &checksum(from).to_le_bytes(), to].concat()
}

#[test]
fn one_path_in_two_spellings_refuses_the_archive() {
    const UTF8: u16 = 1 << 11;
    let apart: [(&[u8], &[u8], u16); 2] = [(b"a.md", b"", 0), (b"b.md", b"", 0)];
    assert_eq!(refused_with(&raw(&apart)).len(), 2, "read, and no package");
    // What a person who looks at the list sees is not what is unpacked.
    let other_name = renamed(b"b.md", b"a.md");
    assert_eq!(refusal(&raw(&[(b"a.md", b"", 0), (b"b.md", &other_name, 0)])), "400 PKG_INVALID_ZIP ");
    // The same letter in the two alphabets of archives.
    assert_eq!(
        refusal(&raw(&[("å.md".as_bytes(), b"", UTF8), (b"\x86.md", b"", 0)])),
        "400 PKG_INVALID_ZIP ENTRY_TWICE"
    );
    assert_eq!(refusal(&raw(&[(b"a.md", b"", 0), (b"a.md", b"", 0)])), "400 PKG_INVALID_ZIP ENTRY_TWICE");
    let out = renamed(b"b.md", b"../b.md");
    assert_eq!(refusal(&raw(&[(b"b.md", &out, 0)])), "400 PKG_INVALID_ZIP ENTRY_PATH");
}

#[test]
fn what_stands_before_an_archive_changes_nothing() {
    let files = multi();
    assert_eq!(imported(&[b"#!/bin/sh\n".as_slice(), &of(&files)].concat()).unwrap().files, files);
}

#[test]
fn agents_that_lie_among_assets_or_workflows_move_out() {
    for place in ["assets/agents.json", "assets/team.md", "workflows/1/team.json", "workflows/1/steps/team.md"] {
        let agents = multi()["agents.json"].clone();
        let files = with(&multi(), &[("agents.json", None), (place, Some(&agents))]);
        let mut package = imported(&of(&json_with(&files, "bmad.json", "/entry/agents", json!(place)))).unwrap();
        let manifest: Value = serde_json::from_str(&package.files["bmad.json"]).unwrap();
        assert_eq!(manifest["entry"]["agents"], "agents.json", "{place}");
        package.files.insert("bmad.json".to_owned(), multi()["bmad.json"].clone());
        assert_eq!(package.files, multi(), "{place}");
    }
    let elsewhere = with(&multi(), &[("agents.json", None), ("team/a.json", Some(&multi()["agents.json"]))]);
    let elsewhere = json_with(&elsewhere, "bmad.json", "/entry/agents", json!("team/a.json"));
    assert_eq!(imported(&of(&elsewhere)).unwrap().files, elsewhere, "what is nobody else's stays");
}

#[test]
fn too_many_entries_are_refused_before_they_are_made_room_for() {
    let many = |count: usize| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for at in 0..count {
            writer.add_directory(format!("{at}/"), SimpleFileOptions::default()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    assert_eq!(refused_with(&many(5_000)).len(), 2, "folders alone are no package");
    assert_eq!(refusal(&many(5_001)), "413 PKG_TOO_LARGE MAX_ZIP_ENTRIES");
    let lies = patched(many(1), b"PK\x05\x06", 8, &[0xff; 4]);
    assert_eq!(refusal(&lies), "413 PKG_TOO_LARGE MAX_ZIP_ENTRIES");
    let mut lies = b"PK\x06\x06".to_vec();
    lies.extend([0xff; 52]);
    lies.extend(many(1));
    assert_eq!(refusal(&lies), "413 PKG_TOO_LARGE MAX_ZIP_ENTRIES");
}

#[test]
fn one_folder_around_everything_is_taken_off() {
    let files = multi();
    let inside = |folder: &str| -> Files {
        files.iter().map(|(path, text)| (format!("{folder}{path}"), text.clone())).collect()
    };
    assert_eq!(imported(&of(&inside("a b/"))).unwrap().files, files);
    let beside = with(&inside("a/"), &[("__MACOSX/a/._bmad.json", Some("x"))]);
    assert_eq!(imported(&of(&beside)).unwrap().files, files, "what a system adds does not count");
    let missing = ["PKG_REQUIRED_FILE_MISSING agents.json", "PKG_REQUIRED_FILE_MISSING bmad.json"];
    assert_eq!(refused_with(&of(&inside("a/b/"))), missing, "one, not two");
}

#[test]
fn a_refusal_lists_everything_in_the_paths_of_the_archive() {
    let mut entries: Vec<(String, Vec<u8>)> =
        package("", &[]).into_iter().map(|(path, text)| (path, text.into_bytes())).collect();
    for (path, bytes) in &mut entries {
        match path.as_str() {
            "steps/a.md" => *bytes = b"\xff".to_vec(),
            "workflow.md" => *bytes = b"# no".to_vec(),
            _ => {}
        }
    }
    entries.push(("logo.png".to_owned(), vec![0xff]));
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
    let want = [
        "PKG_UNEXPECTED_FILE logo.png",
        "PKG_INVALID_ENCODING steps/a.md",
        "STEP_FILE_MISSING workflow.graph.json /nodes/0/file",
        "WORKFLOW_MISSING_FRONTMATTER workflow.md",
    ];
    assert_eq!(refused_with(&zipped(&entries)), want);
}

#[test]
fn one_workflow_at_the_root_gets_a_folder() {
    let files = with(
        &package("", &[]),
        &[("steps/old.md", Some(&step("old", "step"))), ("x.txt", Some("x")), ("assets/a.md", Some("base64:no"))],
    );
    let package = imported(&of(&files)).unwrap();
    let manifest: Value = serde_json::from_str(&package.files["bmad.json"]).unwrap();
    let unit = json!({"workflow": "workflows/1/workflow.md", "graph": "workflows/1/workflow.graph.json"});
    assert_eq!(manifest["entry"]["workflow"], unit["workflow"]);
    assert_eq!(manifest["entry"]["graph"], unit["graph"]);
    assert_eq!(manifest["workflows"], json!([{"id": "1", "workflow": unit["workflow"], "graph": unit["graph"]}]));
    let graph: Value = serde_json::from_str(&package.files["workflows/1/workflow.graph.json"]).unwrap();
    assert_eq!(graph["nodes"][1]["file"], "workflows/1/steps/deep/z.md");
    assert_eq!(package.files["workflows/1/steps/a.md"], files["steps/a.md"]);
    assert_eq!(package.files["assets/a.md"], "base64:YmFzZTY0Om5v", "text that looks like bytes stays that text");
    let want = ["STEP_FILE_UNUSED workflows/1/steps/old.md", "PKG_UNEXPECTED_FILE x.txt"];
    assert_eq!(said(&package.warnings), want);
    assert_eq!(package.summary.unwrap().workflows.len(), 1);
}

#[test]
fn workflows_keep_their_numbers_and_others_get_free_ones() {
    let listed = [("claims", "c/"), ("2", "b/"), ("02", "d/"), ("1", "workflows/1/"), ("x", "e/")];
    let package =
        imported(&of(&json_with(&package("d/", &listed), "bmad.json", "/workflows/4/displayName", json!("X"))));
    let files = package.unwrap().files;
    let manifest: Value = serde_json::from_str(&files["bmad.json"]).unwrap();
    let row = |item: &Value| format!("{} {}", item["id"].as_str().unwrap(), item["displayName"]);
    let rows: Vec<String> = manifest["workflows"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(rows, ["1 null", "2 null", "3 \"claims\"", "4 \"02\"", "5 \"X\""]);
    assert_eq!(manifest["entry"]["graph"], "workflows/4/workflow.graph.json", "the same workflow opens first");
    for id in 1..=5 {
        assert!(files.contains_key(&format!("workflows/{id}/steps/deep/z.md")));
    }
    assert_eq!(files.len(), 2 + 5 * 4);
}

#[test]
fn numbers_that_some_readers_round_are_none() {
    for id in ["18446744073709551615", "9007199254740993", "4503599627370497", "+1", "1e3", "0"] {
        let named = format!("w{}/", id.trim_start_matches('+'));
        let package = imported(&of(&package("workflows/3/", &[("3", "workflows/3/"), (id, &named)])));
        let ids: Vec<String> = match package {
            Ok(package) => package.summary.unwrap().workflows.into_iter().filter_map(|it| it.id).collect(),
            // A sign in front makes no id at all.
            Err(error) => vec![error.code],
        };
        let want: &[&str] = if id == "+1" { &["PKG_VALIDATION_FAILED"] } else { &["1", "3"] };
        assert_eq!(ids, want, "{id}");
    }
    let package = imported(&of(&package("w/", &[("4503599627370496", "w/")]))).unwrap();
    assert_eq!(package.summary.unwrap().workflows[0].id.as_deref(), Some("4503599627370496"));
}

#[test]
fn two_workflows_of_one_folder_get_their_own_steps() {
    let files = package("w/", &[("1", "w/")]);
    let graph = files["w/workflow.graph.json"].replace("\"a\"", "\"b\"").replace("steps/a.md", "steps/b.md");
    let document = files["w/workflow.md"].replace("currentNodeId: a", "currentNodeId: b");
    let files = with(
        &files,
        &[
            ("w/other.graph.json", Some(&graph)),
            ("w/other.md", Some(&document)),
            ("w/steps/b.md", Some(&step("b", "step"))),
        ],
    );
    let other = json!({"id": "7", "workflow": "w/other.md", "graph": "w/other.graph.json"});
    let mut manifest: Value = serde_json::from_str(&files["bmad.json"]).unwrap();
    manifest["workflows"].as_array_mut().unwrap().push(other);
    let files = imported(&of(&with(&files, &[("bmad.json", Some(&manifest.to_string()))]))).unwrap().files;
    let steps: Vec<&str> = files.keys().filter(|path| path.contains("/steps/")).map(String::as_str).collect();
    let want = [
        "workflows/1/steps/a.md",
        "workflows/1/steps/deep/z.md",
        "workflows/7/steps/b.md",
        "workflows/7/steps/deep/z.md",
    ];
    assert_eq!(steps, want, "the shared end is in both");
}

#[test]
fn workflows_that_share_large_files_come_to_no_package_without_end() {
    let mut files = shared(400);
    let document = files["workflows/1/workflow.md"].clone() + &"A line.\n".repeat(10_000);
    files.insert("workflows/1/workflow.md".to_owned(), document);
    assert_eq!(refusal(&of(&files)), "413 INPUT_TOO_LARGE MAX_BUNDLE_BYTES");
}

#[test]
fn agents_of_old_lists_are_filled_with_a_warning_each() {
    let list = json!([
        {"name": "Åsa Öberg", "role": "Reads", "principles": "Be kind.", "menu": []},
        {"id": "x", "title": "T"},
        {"id": "one", "metadata": {"name": "One", "title": "One", "icon": "1"},
         "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": "p"}},
    ]);
    let package = imported(&of(&with(&multi(), &[("agents.json", Some(&list.to_string()))]))).unwrap();
    let agents: Value = serde_json::from_str(&package.files["agents.json"]).unwrap();
    assert_eq!(agents["schemaVersion"], "1.1");
    let first = json!({
        "id": "sa-berg",
        "metadata": {"name": "Åsa Öberg", "title": "Åsa Öberg", "icon": "🧩"},
        "persona": {"role": "Reads", "identity": "Reads", "communication_style": "direct", "principles": "Be kind."},
        "menu": [],
    });
    assert_eq!(agents["agents"][0], first);
    assert_eq!(agents["agents"][1]["metadata"], json!({"name": "T", "title": "T", "icon": "🧩"}));
    assert_eq!(agents["agents"][1]["persona"]["principles"], json!(["TBD"]));
    assert_eq!(agents["agents"][2], list[2]);
    let made = said(&package.warnings);
    assert_eq!(made[0], "AGENT_ID_MADE agents.json /agents/0/id");
    let filled = |it: &&String| it.starts_with("AGENT_FIELD_FILLED agents.json /agents/1/");
    assert_eq!(made.iter().filter(filled).count(), 6, "{made:?}");
    assert!(!made.iter().any(|it| it.contains("/agents/2/")));
    let old = json!({"schemaVersion": "1.1", "agents": [{"name": "A", "role": "r"}]});
    let refused = refused_with(&of(&with(&multi(), &[("agents.json", Some(&old.to_string()))])));
    assert!(refused.iter().all(|it| it.starts_with("PKG_SCHEMA_ERROR agents.json")), "1.1 is never repaired");
}

#[test]
fn a_package_may_get_another_name() {
    let named = |name: &str| {
        let options = ImportOptions { name: Some(name), ..ImportOptions::default() };
        import(&of(&multi()), &options).unwrap()
    };
    assert_eq!((named("  ").name.as_str(), named(" ").files), ("P", multi()));
    let other = named(" Q \n");
    assert_eq!(other.name, "Q");
    assert!(other.files["bmad.json"].contains("\"name\": \"Q\""));
}

#[test]
fn only_a_clean_package_goes_out_and_only_the_package() {
    let error = export(&Files::new()).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("PKG_NO_WORKFLOW", 422));
    let error = export(&with(&multi(), &[("agents.json", None)])).unwrap_err();
    assert_eq!((error.code.as_str(), error.status), ("PKG_VALIDATION_FAILED", 422));
    assert_eq!(error.details["diagnostics"][0]["code"], "PKG_REQUIRED_FILE_MISSING");
    let beside = with(&multi(), &[("notes.txt", Some("x")), ("artifacts/a.md", Some("x"))]);
    assert_eq!(export(&beside).unwrap(), export(&multi()).unwrap());
}

/// Whoever compresses otherwise, or lets a clock in, changes this.
#[test]
fn the_same_package_is_the_same_bytes_everywhere() {
    let bytes = export(&multi()).unwrap();
    assert_eq!(packed(&multi()).unwrap(), bytes, "a page packs as the edge does");
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    insta::assert_snapshot!(content_hash(&Files::from([("zip".to_owned(), hex)])), @"sha256:388e375b7e87ef7e8037a00f547e8199545c02f4544d379abfec6ccfbdeb1258");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn out_and_in_again_is_the_same_package(
        assets in prop::collection::btree_map("[a-z]{1,4}(/[A-Z0-9]{1,3})?", prop::collection::vec(any::<u8>(), 0..80), 0..6),
        notes in prop::collection::vec("(\\PC|\r\n|\n|base64:){0,30}", 3),
    ) {
        let mut files = multi();
        for (at, (path, bytes)) in assets.iter().enumerate() {
            let bytes = [bytes.as_slice(), b"\xff"].concat();
            let entry = super::unzip::Unpacked { path: format!("assets/{path}.png"), bytes: Some(bytes) };
            let text = super::decode::texts(vec![entry], &Endings::default());
            files.extend(text.0);
            files.insert(format!("assets/{path}-{at}.txt"), notes[0].trim_start_matches("base64:").to_owned());
        }
        for (path, note) in [("workflows/1/workflow.md", &notes[1]), ("workflows/2/steps/a.md", &notes[2])] {
            files.get_mut(path).unwrap().push_str(note);
        }
        let bytes = export(&files).unwrap();
        let back = imported(&bytes).unwrap();
        prop_assert_eq!(&back.files, &files);
        prop_assert_eq!(export(&back.files).unwrap(), bytes);
    }

    /// Whatever comes, an answer comes back.
    #[test]
    fn bytes_that_were_changed_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = export(&multi()).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Err(error) = imported(&bytes) {
            prop_assert!(error.status == 400 || error.status == 413);
        }
    }
}
