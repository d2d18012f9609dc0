//! Scripts: what they need, what is wrong with them and where, and the tools that they become.

use holdpoint_check::Diagnostic;
use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn capabilities(source: &str) -> Vec<String> {
    infer(source).capabilities.into_iter().map(|it| it.capability).collect()
}

/// Code and place of each finding: `CODE line:column-line:column`.
fn found(findings: &[Diagnostic]) -> Vec<String> {
    let place = |it: &Diagnostic| {
        it.range.map_or(String::new(), |at| {
            format!(" {}:{}-{}:{}", at.start.line, at.start.column, at.end.line, at.end.column)
        })
    };
    findings.iter().map(|it| format!("{}{}", it.code, place(it))).collect()
}

fn promoted(source: &str, name: &str) -> Promoted {
    promote(&Promotion { source: source.into(), name: name.into(), ..Promotion::default() })
}

#[test]
fn what_a_script_needs() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("return ctx.bim.query.all()", &["model.read"]),
        ("await ctx.storage.set('a', bim.viewer === null)", &["storage.local"]),
        (
            "const s = cond() ? 'A' : 'B';\nfunction cond() { return true }\nbim.mutate.setProperty({}, s, 'X', 1)",
            &["model.mutate:A.X", "model.mutate:B.X"],
        ),
        ("const make = (bim) => bim.query.all();\nmake(bim)", &["model.read"]),
        (
            "for (const n of ['a.csv', 'b.json']) bim.export.download('x', n)",
            &["export.create:csv", "export.create:json"],
        ),
        ("bim.export.download('x', `${Date.now()}.csv`)", &["export.create:csv"]),
        ("{ const bim = { query: { all() {} } }; bim.query.all() }", &[]),
        ("const args = 1; return args", &[]),
    ];
    for (source, want) in cases {
        assert_eq!(capabilities(source), *want, "{source}");
        assert!(infer(source).complete, "{source}: {:?}", infer(source).diagnostics);
    }
}

#[test]
fn what_cannot_be_seen_is_said() {
    let dynamic = infer("const set = bim.files.text('s');\nbim.mutate.setProperty({}, set, 'X', 1)");
    let row = dynamic.calls.last().unwrap();
    assert_eq!((row.capability.as_deref(), row.dynamic), (Some("model.mutate:*"), true));
    assert!(dynamic.complete, "the widest capability covers whatever it is");
    for source in ["const all = [bim];", "unseen(bim);\nfunction unseen(...rest) {}", "const o = { ctx };"] {
        let inferred = infer(source);
        assert!(!inferred.complete && inferred.ok, "{source}");
        assert!(found(&inferred.diagnostics)[0].starts_with("CODE_SDK_ESCAPES 1:"), "{source}");
    }
    let asked = infer("bim.magic.go();\nctx.nope;\nbim.magic.go()");
    assert_eq!((asked.unknown, asked.complete), (vec!["bim.magic".to_owned(), "ctx.nope".to_owned()], false));
    let none = infer("ctx.log.info('a')");
    assert_eq!((none.calls.len(), none.calls[0].capability.as_deref()), (1, None));
}

/// What a script says wrong stands at its own lines, also where the reader stopped behind its last one.
#[test]
fn findings_stand_where_the_script_was_written() {
    let cases = [
        ("return window", "CODE_FORBIDDEN_GLOBAL 1:8-1:14"),
        ("const a = 1;\r\n  eval('1');\r\n", "CODE_EVAL 2:3-2:7"),
        ("export default 1", "CODE_SYNTAX 1:1-1:7"),
        ("const a = (1", "CODE_SYNTAX 1:13-1:13"),
        ("const bin = bim.query.byTipe('IfcDoor')", "CODE_SDK_METHOD 1:23-1:29"),
        ("return this", "CODE_THIS 1:8-1:12"),
    ];
    for (source, want) in cases {
        assert_eq!(found(&infer(source).diagnostics), [want], "{source}");
    }
}

/// The function around a script is closed by ours and by nobody else: code behind it would run when the tool is loaded,
/// with no `ctx` to follow.
#[test]
fn a_script_cannot_close_the_function_around_it() {
    let cases = [
        "}",
        "} {",
        "}}\nconst evil = 1;\n{{",
        "}}\nexport function more(ctx) {{ ctx.fetch('https://a.example/')",
        "return 1; } } function a() { {",
        "if (1) { } } { {",
    ];
    for source in cases {
        let inferred = infer(source);
        assert!(!inferred.ok && !inferred.complete && inferred.calls.is_empty(), "{source}");
        assert!(found(&inferred.diagnostics)[0].starts_with("CODE_SYNTAX"), "{source}");
        assert_eq!(promoted(source, "A").files, None, "{source}");
    }
}

#[test]
fn names_become_ids() {
    let long = "å".repeat(80);
    let cases = [
        ("Count doors", "count-doors"),
        ("  Räkna dörrar! ", "rakna-dorrar"),
        ("Türen & Fenster (1. OG)", "turen-fenster-1-og"),
        ("ﬁre № ²", "fire-no-2"),
        ("门", "tool"),
        ("--", "tool"),
        ("a_b.c", "a-b-c"),
        (&long, &"a".repeat(60)),
        (&format!("{} b", "a".repeat(59)), &"a".repeat(59)),
    ];
    for (name, want) in cases {
        assert_eq!(promote::slug(name), want, "{name}");
    }
}

#[test]
fn nothing_that_is_installed_is_replaced() {
    let ids = |taken: &[&str]| {
        let wanted = Promotion {
            name: "Sum".into(),
            namespace: Some("acme".into()),
            taken: taken.iter().map(|id| (*id).to_owned()).collect(),
            ..Promotion::default()
        };
        let files = promote(&wanted).files.unwrap();
        serde_json::from_str::<Value>(&files["manifest.json"]).unwrap()["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(ids(&[]), "acme.sum");
    assert_eq!(ids(&["acme.sum", "acme.sum-3"]), "acme.sum-2");
    assert_eq!(ids(&["acme.sum", "acme.sum-2"]), "acme.sum-3");
}

#[test]
fn a_tool_that_could_not_be_installed_is_no_tool() {
    let wanted = |change: fn(&mut Promotion)| {
        let mut wanted = Promotion { source: "return 1".into(), name: "A".into(), ..Promotion::default() };
        change(&mut wanted);
        let made = promote(&wanted);
        assert_eq!(made.ok, made.files.is_some());
        (
            made.ok,
            found(&made.diagnostics).iter().map(|it| it.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(wanted(|_| {}), (true, vec!["TEST_MISSING".to_owned()]));
    assert!(!wanted(|it| it.name = " ".into()).0);
    assert_eq!(wanted(|it| it.name = "<b>A</b>".into()).1[0], "MARKUP_NOT_ALLOWED");
    assert!(wanted(|it| it.key = Some("Mod+C".into())).1.contains(&"INVALID_KEYBINDING".to_owned()));
    assert!(wanted(|it| it.namespace = Some("../x".into())).1.contains(&"INVALID_ID".to_owned()));
    assert!(wanted(|it| it.icon = Some("no-such-icon".into())).0, "an unknown icon is a warning");
}

proptest! {
    /// What runs is what was inferred from: the module declares what the script needs, so its check finds no gap.
    #[test]
    fn a_tool_declares_what_its_code_needs(lines in proptest::collection::vec(0_usize..8, 0..6)) {
        const LINES: [&str; 8] = [
            "bim.query.all();", "bim.viewer.hide([]);", "bim.mutate.setProperty({}, 'A', 'B', 1);", "ctx.log.info('x');",
            "bim.export.download('x', 'a.csv');", "bim.store.removeEntity({});", "bim.export.download('x', ctx.meta.locale);",
            "bim.mutate.setProperty({}, 'A', ctx.meta.locale, 1);",
        ];
        let source: String = lines.iter().map(|at| LINES[*at]).collect::<Vec<_>>().join("\n");
        let made = promoted(&source, "T");
        prop_assert!(made.ok, "{source}: {:?}", made.diagnostics);
        let codes: Vec<_> = made.diagnostics.iter().map(|it| it.code.as_ref()).collect();
        prop_assert!(!codes.contains(&"CAPABILITY_UNUSED") && !codes.contains(&"CAPABILITY_DUPLICATE"), "{codes:?}");
    }

    #[test]
    fn any_text_is_answered(source in "[-(){}\\[\\]a-c;=>/`'\"$\\n ]{0,60}") {
        let inferred = infer(&source);
        let lines = source.lines().count().max(1) as u32 + 1;
        for finding in &inferred.diagnostics {
            prop_assert!(finding.range.is_none_or(|at| at.start <= at.end && at.end.line <= lines), "{finding:?}");
        }
        let made = promoted(&source, "T");
        prop_assert_eq!(made.ok, inferred.ok);
    }
}
