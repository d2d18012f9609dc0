//! Laws of replies; single behaviours are the corpus' (`reply.parse`).

use proptest::prelude::*;

use super::*;
use crate::policy::POLICY;

fn read(reply: &str, base: &Files) -> ParsedReply {
    parse(Some(reply), &[], base, None, &POLICY).expect("small replies are read")
}

fn base() -> Files {
    Files::from([("src/a.js".to_owned(), "1;\n2;\n".to_owned())])
}

#[test]
fn codes() {
    let cases = [
        ("```hp:file path=''\n```\n", "REPLY_BAD_HEADER"),
        ("```hp:folder path='src'\n```\n", "REPLY_UNKNOWN_BLOCK"),
        ("```hp:plan\n{}\n```\n```hp:plan\n{}\n```\n", "REPLY_DUPLICATE_FILE"),
        ("```hp:delete path=src/none.js\n```\n", "EDIT_BASE_MISSING"),
        ("```hp:file path=src/a.js\n3;\n```\n```hp:delete path=src/a.js\n```\n", "REPLY_DUPLICATE_FILE"),
        ("~~~~ js title='src/b.js'\n1;\n~~~~\n", "REPLY_LOOSE_HEADER"),
        ("```js\nconst a = 1;\n", "REPLY_EMPTY"),
        ("use ```x``` here", "REPLY_EMPTY"),
        ("```hp:file path=lib/x.js\n1;\n```\n", "PATH_NOT_ALLOWED"),
        ("```hp:plan\n{\"a\":", "REPLY_TRUNCATED"),
    ];
    for (reply, want) in cases {
        let codes: Vec<_> = read(reply, &base()).diagnostics.into_iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [want], "{reply}");
    }
}

#[test]
fn tool_arguments_may_be_text() {
    let call = ToolCall { name: "write_file".into(), arguments: r#"{"path":"src/t.js","text":"1;"}"#.into() };
    let parsed = parse(None, &[call], &Files::new(), None, &POLICY).unwrap();
    assert_eq!(parsed.files["src/t.js"], "1;\n");
}

#[test]
fn files_of_which_a_part_has_come() {
    let of = |text: &str| partial_files(text).into_iter().map(|file| (file.path, file.lines)).collect::<Vec<_>>();
    let named = |path: &str, lines| (path.to_owned(), lines);
    assert!(of("Here it is:\n```hp:pl").is_empty());
    assert_eq!(of("```hp:file path=\"src/a.js\"\n"), [named("src/a.js", Some(0))]);
    assert_eq!(of("```hp:file path=\"src/a.js\"\nlet a;\nlet"), [named("src/a.js", Some(2))]);
    let both = "```hp:file path=\"src/a.js\"\nlet a;\n```\n```hp:edit path=\"src/b.js\"\n<<<<<<< SEARCH\n";
    assert_eq!(of(both), [named("src/a.js", Some(1)), named("src/b.js", None)]);
}

#[test]
fn no_tool_applies() {
    let call = |name: &str| ToolCall { name: name.into(), arguments: serde_json::json!({}) };
    let written =
        ToolCall { name: "write_file".into(), arguments: serde_json::json!({"path": "src/t.js", "text": "1;"}) };
    for (name, want) in [
        ("extension.install", "AI_TOOL_FORBIDDEN"),
        ("builder.change.apply", "AI_TOOL_FORBIDDEN"),
        ("deploy", "REPLY_UNKNOWN_BLOCK"),
    ] {
        let parsed = parse(None, &[written.clone(), call(name)], &base(), None, &POLICY).unwrap();
        let codes: Vec<_> = parsed.diagnostics.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!((codes.as_slice(), parsed.ok), ([want].as_slice(), false), "{name}");
        assert_eq!(parsed.files["src/t.js"], "1;\n", "{name} leaves the other calls as they are");
    }
}

#[test]
fn limits() {
    let many = "```hp:delete path=src/a.js\n```\n".repeat(MAX_BLOCKS + 1);
    assert!(parse(Some(&many), &[], &base(), None, &POLICY).is_err());
    let long = "x".repeat(MAX_REPLY_BYTES + 1);
    assert!(parse(Some(&long), &[], &base(), None, &POLICY).is_err());
}

proptest! {
    #[test]
    fn a_file_that_is_not_named_keeps_its_text(
        reply in "(```hp:(file|edit|delete) path=src/b.js\n|```\n|~~~x\n|<<<<<<< SEARCH\n|=======\n|>>>>>>> REPLACE\n|1;\n|`|\r|é){0,30}",
    ) {
        let parsed = read(&reply, &base());
        prop_assert_eq!(&parsed.files["src/a.js"], "1;\n2;\n");
        prop_assert_eq!(parsed.ok, !parsed.diagnostics.iter().any(Diagnostic::is_error));
    }

    #[test]
    fn a_cut_reply_never_takes_half_a_file(at in 0usize..120) {
        let whole = "Here:\n```hp:file path=src/a.js\nlet a = 1;\nlet b = 2;\n```\nand\n```hp:file path=src/c.js\nlet c;\n```\n";
        let parsed = read(&whole[..at.min(whole.len())], &Files::new());
        for (path, text) in &parsed.files {
            let want = if path == "src/a.js" { "let a = 1;\nlet b = 2;\n" } else { "let c;\n" };
            prop_assert_eq!(text, want);
        }
    }
}
