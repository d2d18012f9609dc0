//! What is refused before any rule looks at it, and what only looks as if it should be.

use super::findings;

#[test]
fn brackets_in_texts_do_not_count() {
    let brackets = "([{".repeat(500);
    let cases = [
        format!("export const a = '{brackets}'"),
        format!("export const a = `{}`", "([".repeat(500)),
        format!("// {brackets}\nexport const a = 1"),
        format!("/* {brackets} */export const a = 1"),
        "export const a = /[([]/".to_owned(),
    ];
    for code in cases {
        assert_eq!(findings(&code), "", "{}", &code[..40]);
    }
    assert!(
        findings(&format!("export const a = /{}a{}/", "(".repeat(500), ")".repeat(500))).contains("CODE_TOO_COMPLEX")
    );
    // Fewer groups than brackets may be open, as many as the engine reads.
    let groups = |count: usize| format!("export const a = /{}a{}/", "(?:".repeat(count), ")".repeat(count));
    assert_eq!(findings(&groups(200)), "");
    assert_eq!(findings(&groups(201)), "1:18-1:825 CODE_TOO_COMPLEX");
    assert_eq!(findings(&format!("export const a = /[{}\\({}]/", "(".repeat(300), "[".repeat(300))), "");
    // A string behind a pattern cannot hide brackets.
    let hidden = format!("{{}}/\"/;{};/\"/", "(".repeat(5_000));
    assert!(findings(&hidden).contains("CODE_TOO_COMPLEX"), "{}", findings(&hidden));
}

#[test]
fn html_comments() {
    let cases = [
        ("let a = 1, b = 2; a <!--b", "1:21-1:25 CODE_HTML_COMMENT"),
        ("let x = 1\n--> x", "2:1-2:4 CODE_HTML_COMMENT"),
        ("/* a */ --> x", "1:9-1:12 CODE_HTML_COMMENT"),
        ("let n = 3; while (n-->0);", ""),
        ("export const s = '<!--' + `-->` // <!-- -->\n/* \n--> */", ""),
    ];
    for (code, want) in cases {
        assert_eq!(findings(code), want, "{code}");
    }
}

#[test]
fn newer_and_other_syntax_is_refused() {
    let cases = [
        "with (a) {}",
        "0777",
        "var a; delete a",
        "return 1",
        "<b>1</b>",
        "let a: number = 1",
        "export @d class A {}",
        "class A { accessor x }",
        "{ using a = null }",
        "import a from './lib.js' with { type: 'json' }",
        "let let = 1",
        "/(/",
        "export { nothing }",
        "class A { m() { this.#x } }",
        "await: 1",
        "\"\\07\"",
        "import defer * as a from './lib.js'",
    ];
    for code in cases {
        assert!(findings(code).contains("CODE_SYNTAX"), "{code}: {}", findings(code));
    }
}
