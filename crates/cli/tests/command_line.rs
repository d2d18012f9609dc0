//! The command line as a process: exit codes, JSON, what people read.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const HANDLER: &str = "export default function (ctx) {\n  return ctx.bim.query.byType(\"IfcDoor\").length;\n}\n";

fn holdpoint(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holdpoint"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A bundle that counts doors and expects `doors` of them.
fn bundle(name: &str, handler: &str, doors: u32) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(dir.join("src")).unwrap();
    let manifest = json!({
        "manifestVersion": 1, "id": "acme.doors", "name": "Doors", "description": "Counts doors.", "version": "0.1.0",
        "engines": {"ifcLiteSdk": ">=1.0.0"}, "capabilities": ["model.read"], "activation": [],
        "entry": {"commands": {"doors.count": "src/count.js"}},
        "contributes": {"commands": [{"id": "doors.count", "title": "Count doors"}]},
        "tests": [{"name": "counts", "command": "doors.count", "fixture": "house-small", "expect": {"equals": doors}}],
    });
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::write(dir.join("src/count.js"), handler).unwrap();
    dir
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/ifc").join(name).display().to_string()
}

#[test]
fn the_program_says_which_version_it_is() {
    let output = holdpoint(&["--version"], "");
    assert_eq!(text(&output.stdout).trim(), concat!("holdpoint ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_good_bundle_passes_check_test_and_run() {
    let dir = bundle("good", HANDLER, 7);
    let dir = dir.to_str().unwrap();
    for command in ["check", "test"] {
        let output = holdpoint(&[command, dir], "");
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stdout));
    }
    let output = holdpoint(&["run", dir, "doors.count", "--model", &fixture("house-small.ifc"), "--yes"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["result"]), (Some(0), &json!(7)));
    assert!(text(&output.stderr).contains("model.read"), "what it may do is said before it runs");
}

#[test]
fn findings_are_exit_1_with_a_caret_at_the_place() {
    let dir = bundle("eval", "export default function (ctx) {\n  return eval(\"1\");\n}\n", 7);
    let output = holdpoint(&["check", dir.to_str().unwrap()], "");
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("CODE_EVAL") && shown.contains("src/count.js:2:10") && shown.contains("^^^^"), "{shown}");

    let failing = bundle("failing", HANDLER, 8);
    let output = holdpoint(&["test", failing.to_str().unwrap(), "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(answer["kind"], "ifc-extension");
    assert_eq!(answer["tests"][0]["diagnostics"][0]["code"], "EXPECT_FAILED");
}

#[test]
fn hostile_code_ends_with_its_code_and_the_next_test_runs() {
    let cases = [
        ("loop", "export default function () { for (;;) {} }", "TEST_FUEL"),
        ("chain", "export default async function () { for (;;) await null; }", "TEST_FUEL"),
        ("deep", "export default function () { const f = () => f() + 1; return f(); }", "TEST_STACK"),
    ];
    for (name, handler, code) in cases {
        let dir = bundle(name, handler, 7);
        let output = holdpoint(&["test", dir.to_str().unwrap(), "--json"], "");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["tests"][0]["diagnostics"][0]["code"], code, "{name}");
    }
}

#[test]
fn nothing_runs_without_a_grant() {
    let dir = bundle("ungranted", HANDLER, 7);
    let output = holdpoint(&["run", dir.to_str().unwrap(), "doors.count", "--model", &fixture("house-small.ifc")], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}

#[test]
fn models_are_described_and_junk_is_named() {
    let output = holdpoint(&["model", &fixture("office-fire.ifc"), "--json"], "");
    let facts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &facts["types"]["IfcColumn"]), (Some(0), &json!(24)));

    let junk = Path::new(env!("CARGO_TARGET_TMPDIR")).join("junk.ifc");
    std::fs::write(&junk, "this is no model").unwrap();
    let output = holdpoint(&["model", junk.to_str().unwrap(), "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["error"]["code"]), (Some(1), &json!("MODEL_INVALID")));
}

#[test]
fn a_model_that_is_cut_off_passes_nothing() {
    let whole = std::fs::read(fixture("house-small.ifc")).unwrap();
    let cut = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cut.ifc");
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let cut = cut.to_str().unwrap();
    assert_eq!(holdpoint(&["model", cut], "").status.code(), Some(1));

    let ids = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects.ids");
    let asked = "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Projects</title></info>\
        <specifications><specification name=\"A project\" ifcVersion=\"IFC4\"><applicability minOccurs=\"1\" \
        maxOccurs=\"unbounded\"><entity><name><simpleValue>IFCPROJECT</simpleValue></name></entity></applicability>\
        </specification></specifications></ids>";
    std::fs::write(&ids, asked).unwrap();
    let checked = |model: &str| holdpoint(&["ids", ids.to_str().unwrap(), "--model", model], "");
    let output = checked(&fixture("house-small.ifc"));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let output = checked(cut);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("cut off"), "{}", text(&output.stderr));

    let dir = bundle("cut", HANDLER, 7);
    let output = holdpoint(&["run", dir.to_str().unwrap(), "doors.count", "--model", cut, "--yes"], "");
    assert!(text(&output.stderr).contains("cut off"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "what it counts is of half a model");

    let junk = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-model.ifc");
    std::fs::write(&junk, "this is no model").unwrap();
    let output = holdpoint(&["ids", ids.to_str().unwrap(), "--model", junk.to_str().unwrap(), "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["error"]["code"]), (Some(1), &json!("MODEL_INVALID")));
}

#[test]
fn files_that_a_command_makes_go_where_out_says() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/extensions/cobie-sheets");
    let model = fixture("house-small.ifc");
    let asked = ["run", dir.to_str().unwrap(), "cobie.save", "--model", &model, "--yes"];
    let output = holdpoint(&asked, "");
    assert_eq!(output.status.code(), Some(2), "{} {}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stderr).contains("--out"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made");
    let output = holdpoint(&[&asked[..], &["--out", out.to_str().unwrap()]].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn call_answers_every_line() {
    let input = "{\"capability\":\"model.read\"}\nnot json\n{\"capability\":\"no.such\"}\n";
    let output = holdpoint(&["call", "capability.parse", "--jsonl"], input);
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(answers[0]["ok"], true);
    assert_eq!(answers[1]["error"]["code"], "INVALID_JSON");
    assert_eq!(answers[2]["diagnostics"][0]["code"], "UNKNOWN_CAPABILITY");
}

#[test]
fn wrong_usage_is_exit_2() {
    for arguments in
        [&["check", "/no/such/folder"][..], &["corpus", "/no/such/file"], &["nonsense"], &["call", "nonsense"]]
    {
        assert_eq!(holdpoint(arguments, "").status.code(), Some(2), "{arguments:?}");
    }
}

/// A package of one workflow whose branch reads what nothing sets.
fn package(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(dir.join("steps")).unwrap();
    let put = |path: &str, text: String| std::fs::write(dir.join(path), text).unwrap();
    let entry = json!({"workflow": "workflow.md", "graph": "workflow.graph.json", "agents": "agents.json"});
    put("bmad.json", json!({"schemaVersion": "1.1", "name": "P", "version": "0.1.0", "entry": entry}).to_string());
    let agent = json!({
        "id": "one", "metadata": {"name": "One", "title": "One", "icon": "1"},
        "persona": {"role": "r", "identity": "i", "communication_style": "c", "principles": "p"},
    });
    put("agents.json", json!({"schemaVersion": "1.1", "agents": [agent]}).to_string());
    let head = "schemaVersion: \"1.1\"\n";
    put("workflow.md", format!("---\n{head}workflowType: workflow\ncurrentNodeId: \"\"\nstepsCompleted: []\n---\n"));
    let node = |id: &str, kind: &str| {
        let body = "## Goal\n\ng\n\n## Instructions\n\ni\n";
        put(&format!("steps/{id}.md"), format!("---\n{head}nodeId: {id}\ntype: {kind}\n---\n\n{body}"));
        json!({"id": id, "type": kind, "file": format!("steps/{id}.md")})
    };
    let nodes = [node("size", "decision"), node("small", "end"), node("large", "end")];
    let large = json!({"from": "size", "to": "large", "label": "large", "conditionExpr": {">": [{"var": "loss"}, 5]}});
    let edges = [json!({"from": "size", "to": "small", "label": "small", "isDefault": true}), large];
    let graph = json!({"schemaVersion": "1.1", "entryNodeId": "size", "nodes": nodes, "edges": edges});
    put("workflow.graph.json", graph.to_string());
    dir
}

#[test]
fn paths_of_a_package_are_told_for_people_and_as_json() {
    let dir = package("paths");
    let dir = dir.to_str().unwrap();
    let plain = text(&holdpoint(&["check", dir], "").stdout);
    assert!(!plain.contains("PATH_"), "{plain}");
    let output = holdpoint(&["check", dir, "--paths"], "");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "warnings do not fail: {said}");
    assert!(
        said.contains("workflow.graph.json: 2 paths, 2 to an end, shortest 2 nodes, longest 2 nodes, 1 warning"),
        "{said}"
    );
    assert!(said.contains("PATH_VARIABLE_UNSET") && said.contains("Set `loss` before `size` decides"), "{said}");
    let answer: Value = serde_json::from_slice(&holdpoint(&["check", dir, "--paths", "--json"], "").stdout).unwrap();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["paths"][0]["count"], 2);
    assert_eq!(answer["paths"][0]["findings"][0]["pointer"], "/edges/1/conditionExpr");
    let other = bundle("no-paths", HANDLER, 7);
    let refused = holdpoint(&["check", other.to_str().unwrap(), "--paths"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--paths"), "{}", text(&refused.stderr));
}

#[test]
fn a_file_that_is_no_text_is_a_finding_at_its_byte() {
    let dir = bundle("latin", HANDLER, 7);
    let manifest = std::fs::read_to_string(dir.join("manifest.json")).unwrap();
    let mut bytes = manifest.replace("Counts doors.", "Counts T?ren.").into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'?').unwrap();
    bytes[at] = 0xfc; // ü in Latin-1
    std::fs::write(dir.join("manifest.json"), bytes).unwrap();
    for command in ["check", "test"] {
        let output = holdpoint(&[command, dir.to_str().unwrap(), "--json"], "");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let finding = &answer["diagnostics"][0];
        assert_eq!((output.status.code(), &answer["ok"]), (Some(1), &json!(false)), "{command}");
        assert_eq!((&finding["code"], &finding["path"]), (&json!("FILE_NOT_UTF8"), &json!("manifest.json")));
        assert_eq!(finding["args"]["at"], at);
    }
    let output =
        holdpoint(&["run", dir.to_str().unwrap(), "doors.count", "--model", &fixture("house-small.ifc"), "--yes"], "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "nothing of it runs");
}

#[test]
fn a_folder_is_read_only_as_far_as_a_bundle_can_go() {
    let dir = bundle("sparse", HANDLER, 7);
    for name in 0..3 {
        std::fs::File::create(dir.join(format!("{name}.bin"))).unwrap().set_len(31 << 20).unwrap();
    }
    let output = holdpoint(&["check", dir.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("over 67108864 bytes"), "{}", text(&output.stderr));

    let deep = bundle("deep-folders", HANDLER, 7);
    std::fs::create_dir_all((0..80).fold(deep.clone(), |dir, _| dir.join("d"))).unwrap();
    let output = holdpoint(&["check", deep.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("64 folders deep"), "{}", text(&output.stderr));
}

#[test]
fn nothing_of_a_bundle_reaches_the_terminal_as_a_command() {
    let dir = bundle("escapes", HANDLER, 8);
    let mut manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("manifest.json")).unwrap()).unwrap();
    manifest["tests"][0]["name"] = json!("\u{1b}[2Jcounts \u{9b}31m \u{202e}srood");
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    std::fs::write(dir.join("src/\u{1b}[31mred.js"), "\u{1b}[2J\u{9b}1m").unwrap();
    for command in ["check", "test"] {
        let shown = text(&holdpoint(&[command, dir.to_str().unwrap()], "").stdout);
        let obeyed =
            shown.chars().find(|character| (character.is_control() && *character != '\n') || *character == '\u{202e}');
        assert_eq!(obeyed, None, "{command}: {shown:?}");
    }
    let shown = text(&holdpoint(&["model", "no\u{1b}[31m.ifc"], "").stderr);
    assert!(shown.contains(r"no\u{1b}[31m.ifc"), "{shown:?}");
}

#[test]
fn every_export_is_written_whatever_its_name() {
    let handler = "export default function (ctx) {\n  const name = \"梁\".repeat(110) + \".csv\";\n  \
                   ctx.bim.export.download(\"one\", name);\n  ctx.bim.export.download(\"two\", name);\n  return 1;\n}\n";
    let dir = bundle("exports", handler, 7);
    let mut manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("manifest.json")).unwrap()).unwrap();
    manifest["capabilities"] = json!(["export.create:csv"]);
    std::fs::write(dir.join("manifest.json"), manifest.to_string()).unwrap();
    let out = dir.with_extension("out");
    let _ = std::fs::remove_dir_all(&out);
    let model = fixture("house-small.ifc");
    let output = holdpoint(
        &["run", dir.to_str().unwrap(), "doors.count", "--model", &model, "--yes", "--out", out.to_str().unwrap()],
        "",
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut texts: Vec<String> =
        out.read_dir().unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    texts.sort();
    assert_eq!(texts, ["one", "two"]);
}

#[test]
fn call_goes_on_behind_a_line_that_is_no_text() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_holdpoint"))
        .args(["call", "capability.parse", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"capability\":\"\xff\"}\n{\"capability\":\"model.read\"}").unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["error"]["code"], &answers[1]["ok"]), (&json!("INVALID_JSON"), &json!(true)));
}

/// The manifest was shown, with a caret at the line and column of another file.
#[test]
fn a_thrown_error_is_shown_in_the_file_that_threw() {
    let handler = "export default function (ctx) {\n  const door = ctx.bim.query.byType(\"IfcDoor\")[99];\n  return door.name;\n}\n";
    let dir = bundle("throws", handler, 7);
    let shown = text(&holdpoint(&["test", dir.to_str().unwrap()], "").stdout);
    let source = shown.lines().position(|line| line.contains("return door.name")).unwrap_or_else(|| panic!("{shown}"));
    assert!(shown.contains("src/count.js:3:") && !shown.contains("\"manifestVersion\""), "{shown}");
    assert!(shown.lines().nth(source + 1).is_some_and(|line| line.contains('^')), "{shown}");
}

#[test]
fn a_bundle_is_packed_signed_and_taken_where_a_folder_is() {
    const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEICgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo\n-----END PRIVATE KEY-----\n";
    let dir = bundle("packed", HANDLER, 7);
    let (hpx, key, out) = (dir.with_extension("hpx"), dir.with_extension("key"), dir.with_extension("opened"));
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    let _ = std::fs::remove_dir_all(&out);
    std::fs::write(&key, KEY).unwrap();
    let output = holdpoint(&["pack", &name(&dir), "--out", &name(&hpx), "--key", &name(&key)], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for command in ["check", "test"] {
        assert_eq!(holdpoint(&[command, &name(&hpx)], "").status.code(), Some(0), "{command}");
    }
    let shown = text(&holdpoint(&["open", &name(&hpx), "--out", &name(&out)], "").stdout);
    assert!(shown.contains("signed 20") && shown.contains("by sha256:"), "{shown}");
    let written = std::fs::read_to_string(out.join("src/count.js")).unwrap();
    assert_eq!(written, HANDLER);
    let again = holdpoint(&["open", &name(&hpx), "--out", &name(&out)], "");
    assert_eq!(again.status.code(), Some(2), "files that are there stay");
}

#[test]
fn a_damaged_bundle_and_a_wrong_key_are_refused() {
    let dir = bundle("damaged", HANDLER, 7);
    let hpx = dir.with_extension("hpx");
    let (dir, file) = (dir.to_str().unwrap(), hpx.to_str().unwrap());
    assert_eq!(holdpoint(&["pack", dir, "--out", file], "").status.code(), Some(0));
    let mut bytes = std::fs::read(&hpx).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    std::fs::write(&hpx, &bytes).unwrap();
    let output = holdpoint(&["open", file, "--json"], "");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &answer["diagnostics"][0]["code"]), (Some(1), &json!("ARCHIVE_MALFORMED")));
    assert_eq!(holdpoint(&["check", file], "").status.code(), Some(2));
    let key = hpx.with_extension("pem");
    std::fs::write(&key, "hunter2").unwrap();
    let output = holdpoint(&["pack", dir, "--out", file, "--key", key.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("openssl genpkey") && !text(&output.stderr).contains("hunter2"));
}

#[test]
fn what_an_ids_file_asks_for_is_checked_by_element() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let asks = |name: &str, attribute: &str| {
        let path = dir.join(name);
        let text = format!(
            "<ids xmlns=\"http://standards.buildingsmart.org/IDS\"><info><title>Doors</title></info><specifications>\
             <specification name=\"Doors say {attribute}\" ifcVersion=\"IFC4\"><applicability maxOccurs=\"unbounded\"><entity>\
             <name><simpleValue>IFCDOOR</simpleValue></name></entity></applicability><requirements><attribute><name>\
             <simpleValue>{attribute}</simpleValue></name></attribute></requirements></specification></specifications></ids>"
        );
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let model = fixture("house-small.ifc");
    let run = |ids: &str, more: &[&str]| holdpoint(&[&["ids", ids, "--model", model.as_str()], more].concat(), "");
    let named = asks("named.ids", "Name");
    assert_eq!(run(&named, &[]).status.code(), Some(0), "{}", text(&run(&named, &[]).stdout));
    let tasks = asks("tasks.ids", "Steps");
    let output = run(&tasks, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("has no attribute \"Steps\""), "{}", text(&output.stdout));
    let answer: Value = serde_json::from_slice(&run(&tasks, &["--json"]).stdout).unwrap();
    assert_eq!(answer["report"]["specifications"][0]["status"], "failed");
    std::fs::write(dir.join("none.ids"), "<ids/>").unwrap();
    let output = run(&dir.join("none.ids").display().to_string(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("IDS_INVALID line 1, column 1"), "{}", text(&output.stderr));
}
