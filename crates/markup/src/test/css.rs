//! Stylesheets by table. Where Vite's way decides, the case says what a build by Vite 8.3 does with it.

use crate::SyntaxErrorKind::{
    self, BadSelector, NoBlock, NoColon, StrayCloser, TooDeep, UnclosedBlock, UnclosedBracket, UnclosedComment,
    UnclosedString,
};
use crate::css::{Reference, fault, read};
use crate::{MAX_SYNTAX_DEPTH, SyntaxError};

/// Texts with the addresses that they would load.
type Hoisted<'a> = &'a [(&'a str, Option<&'a str>)];

/// `import`, `url` or `hoist`, then the address (for what is hoisted `-` without one), and in `<>` what stands at its
/// span where that is another text.
fn shown(text: &str) -> Vec<String> {
    let line = |reference: &Reference| {
        let at = &text[reference.span()];
        let (kind, address) = match reference {
            Reference::Import { address, .. } => ("import", address.as_str()),
            Reference::Url { address, .. } => ("url", address.as_str()),
            Reference::Hoisted { address, .. } => ("hoist", address.as_deref().unwrap_or("-")),
        };
        if at == address { format!("{kind} {address}") } else { format!("{kind} {address} <{at}>") }
    };
    read(text).unwrap_or_else(|error| panic!("{text}: {error}")).iter().map(line).collect()
}

/// Without what is hoisted.
fn rules(text: &str) -> Vec<String> {
    shown(text).into_iter().filter(|line| !line.starts_with("hoist")).collect()
}

#[test]
fn an_import_is_seen_in_every_spelling() {
    let table: &[(&str, &[&str])] = &[
        ("@import 'b.css';", &["import b.css"]),
        ("@import \"b.css\";", &["import b.css"]),
        ("@import\"b.css\"", &["import b.css"]),
        ("@import url(b.css);", &["import b.css"]),
        ("@import url( 'b.css' );", &["import b.css"]),
        ("@import url(\n\tb.css\r\n) screen;", &["import b.css"]),
        ("@import/**/'b.css'/**/;", &["import b.css"]),
        ("@import /* ; */ url(/**/b.css);", &["import /**/b.css"]),
        ("@IMPORT URL(b.css);", &["import b.css"]),
        // postcss reads no escapes in the name and fails; browsers read them.
        ("@\\69mport 'b.css';", &["import b.css"]),
        ("@\\000069 mport U\\72 L('b.css');", &["import b.css"]),
        ("@import '\\62.css';", &["import b.css <\\62.css>"]),
        ("@import '\\68\nttps://h/x';", &["import https://h/x <\\68\nttps://h/x>"]),
        ("@import 'b\\\n.css';", &["import b.css <b\\\n.css>"]),
        ("@import 'a\\'b.css';", &["import a'b.css <a\\'b.css>"]),
        ("@import url(\\68ttps:\\2f\\2f h/x);", &["import https://h/x <\\68ttps:\\2f\\2f h/x>"]),
        ("@import '';", &["import "]),
        ("@import url();", &["import "]),
        ("@import url(b.css) layer(a) supports(display: grid) print;", &["import b.css"]),
        ("@import 'a;b.css';", &["import a;b.css"]),
        ("\u{feff}@import 'b.css';", &["import b.css"]),
        ("<!-- @import 'b.css'; -->", &["import b.css"]),
        ("@charset 'utf-8'; @layer a; @import 'b.css';", &["import b.css"]),
        // Two addresses: the first is meant.
        ("@import 'b.css' 'c.css';", &["import b.css"]),
        ("@import 'é.css'; @import 'b.css';", &["import é.css", "import b.css"]),
        // A name that only begins so, and a rule without an address.
        ("@imports 'b.css'; @import-x 'b.css'; @import; @import b.css; @import foo('b.css');", &[]),
        // Vite drops it with a warning, browsers ignore it: named it is all the same.
        (".c { color: red } @import 'b.css';", &["import b.css"]),
        // Vite hoists it out of the block.
        ("@media print { @import 'b.css'; }", &["import b.css"]),
        (
            "a { color: red; @import 'b.css'; b { @import 'c.css' } @import 'd.css' }",
            &["import b.css", "import c.css", "import d.css"],
        ),
        // No rule begins inside a value, a selector or a bracket.
        ("a { --x: @import 'b.css' } b @import 'b.css' {} c { --y: (@import 'b.css') }", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(rules(text), *expected, "{text}");
    }
}

#[test]
fn a_url_is_seen_wherever_it_stands() {
    let table: &[(&str, &[&str])] = &[
        ("a { background: url(i.png) }", &["url i.png"]),
        ("a { background: url( \"i.png\" ) }", &["url i.png"]),
        ("a { background: URL('i.png'), u\\72l(j.png) }", &["url i.png", "url j.png"]),
        ("a { background: url(/**/) }", &["url /**/"]),
        ("a { background: url() url('') url( ) }", &["url ", "url ", "url "]),
        ("a { --x: url(i.png) } b { --y: [{ url('j.png') }] }", &["url i.png", "url j.png"]),
        ("@font-face { src: url(f.woff2) format('woff2'), local('Arial') }", &["url f.woff2"]),
        ("@supports (mask: url(m.svg)) { a { mask: url(m.svg#x) } }", &["url m.svg", "url m.svg#x"]),
        ("@document url(https://h/) {}", &["url https://h/"]),
        ("a { background: url(data:image/svg+xml;base64,AA==) }", &["url data:image/svg+xml;base64,AA=="]),
        (
            "a { background: url('data:image/svg+xml,<svg xmlns=\"h\"/>') }",
            &["url data:image/svg+xml,<svg xmlns=\"h\"/>"],
        ),
        ("a { background: url(a\\ b.png) }", &["url a b.png <a\\ b.png>"]),
        ("a { background: url(a\\)b.png) }", &["url a)b.png <a\\)b.png>"]),
        ("a { background: url(a\\  ) }", &["url a  <a\\ >"]),
        // The grammar calls these bad; Vite resolves the first two and writes them quoted.
        ("a { background: url(a b.png) }", &["url a b.png"]),
        ("a { background: url( a\\20 b c.png ) }", &["url a b c.png <a\\20 b c.png>"]),
        ("a { background: url(a'b.png) }", &["url a'b.png"]),
        ("a { background: url(a(b.png) }", &["url a(b.png"]),
        (
            "a { background: image-set('i.png' 1x, url(j.png) 2x, \"k.avif\" type('image/avif') 3x) }",
            &["url i.png", "url j.png", "url k.avif"],
        ),
        ("a { background: -webkit-IMAGE-SET('i.png' 1x) }", &["url i.png"]),
        // Strings, comments and names that only look so.
        ("a { content: 'url(i.png)' /* url(i.png) */; width: my-url(i.png); --u: url-x('i.png') }", &[]),
        ("a { content: 'i.png'; quotes: '<' '>' }", &[]),
        // A namespace is a name; nothing is loaded.
        ("@namespace svg url(http://www.w3.org/2000/svg); a { background: url(i.png) }", &["url i.png"]),
        ("@namespace url('http://www.w3.org/1999/xhtml');", &[]),
        ("@import url(b.css) supports(background: url(i.png));", &["import b.css", "url i.png"]),
    ];
    for (text, expected) in table {
        assert_eq!(rules(text), *expected, "{text}");
    }
}

#[test]
fn what_vite_hoists_is_seen_wherever_it_stands() {
    let hoisted = |text: &str| -> Vec<(String, Option<String>)> {
        let each = read(text).unwrap().into_iter().filter_map(|reference| match reference {
            Reference::Hoisted { text: moved, address, span } => {
                assert_eq!(span.len(), moved.len());
                Some((moved, address))
            }
            _ => None,
        });
        each.collect()
    };
    let table: &[(&str, Hoisted)] = &[
        ("@import 'b.css';", &[("@import 'b.css';", Some("b.css"))]),
        (
            ".a { content: \"@import url(https://h/x.css);\" }",
            &[("@import url(https://h/x.css);", Some("https://h/x.css"))],
        ),
        (".a { content: \"@import '\\68ttps://h/x';\" }", &[("@import '\\68ttps://h/x';", Some("https://h/x"))]),
        (".a { --x: @import url(https://h/x.css); }", &[("@import url(https://h/x.css);", Some("https://h/x.css"))]),
        (".a { background: url(\"data:text/css,@import '//h/x';\") }", &[("@import '//h/x';", Some("//h/x"))]),
        // Without a `;` the next stylesheet of the chunk has it.
        (".a { content: \"@import url(//h/x)\" }", &[("@import url(//h/x)\" }", Some("//h/x"))]),
        (".a { content: \"@import url(//h/x\" }", &[("@import url(//h/x\" }", Some("//h/x\" }"))]),
        // Comments inside are blanks, and their `;` ends nothing.
        ("@import/* ;a */'b.css'/*;*/;", &[("@import        'b.css'     ;", Some("b.css"))]),
        ("@import 'é.css'/* é */;", &[("@import 'é.css'        ;", Some("é.css"))]),
        ("/* @import 'b.css'; */ a {}", &[]),
        // Comments are those that Vite takes for some, also from a string to a string.
        (".a { content: '/*' } .b { content: '@import \"//h/x\";' } .c { content: '*/' }", &[]),
        (
            ".a { content: '/*' } .b { content: '*/* @import url(//h/x); */' }",
            &[("@import url(//h/x);", Some("//h/x"))],
        ),
        (".a { content: '/*' } .b { content: '@import url(//h/x);' }", &[("@import url(//h/x);", Some("//h/x"))]),
        // The pattern is in lower case and knows no end of a word.
        ("@IMPORT 'b.css';", &[]),
        (".a { content: '@imported from https://h/;' }", &[("@imported from https://h/;", None)]),
        ("@import 'a;b.css'; @import 'c.css';", &[("@import 'a;", Some("a")), ("@import 'c.css';", Some("c.css"))]),
        (".a { content: '@import @import url(//h/x);' }", &[("@import @import url(//h/x);", None)]),
    ];
    for (text, expected) in table {
        let found = hoisted(text);
        let found: Vec<_> = found.iter().map(|(moved, address)| (moved.as_str(), address.as_deref())).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn references_stand_in_the_order_of_the_text() {
    let found = shown("@import 'b.css'; a { background: url(i.png); content: '@import \"c.css\";' }");
    assert_eq!(
        found,
        ["hoist b.css <@import 'b.css';>", "import b.css", "url i.png", "hoist c.css <@import \"c.css\";>",]
    );
}

#[test]
fn a_fault_is_placed() {
    let table: &[(&str, usize, SyntaxErrorKind)] = &[
        ("a { color: red", 2, UnclosedBlock),
        ("a { b { } ", 2, UnclosedBlock),
        ("a { b {", 6, UnclosedBlock),
        ("a { color: rgb(1, 2", 11, UnclosedBracket),
        ("a[href", 1, UnclosedBracket),
        ("a:is(b", 2, UnclosedBracket),
        ("a { background: url(i.png", 16, UnclosedBracket),
        ("a { background: url(i.png\\)", 16, UnclosedBracket),
        ("a { background: url(i j", 16, UnclosedBracket),
        ("a { background: url(", 16, UnclosedBracket),
        ("a { background: url('i.png'", 16, UnclosedBracket),
        ("a { color: red }}", 16, StrayCloser),
        ("a) {}", 1, StrayCloser),
        ("a] {}", 1, StrayCloser),
        ("a { color: rgb(1 } )", 17, StrayCloser),
        ("a { x: [1) }", 9, StrayCloser),
        ("a { content: 'x }", 13, UnclosedString),
        ("a { content: \"x\n\" }", 13, UnclosedString),
        ("a { content: 'x\\'", 13, UnclosedString),
        ("'", 0, UnclosedString),
        ("'\\", 0, UnclosedString),
        ("'x\\\n", 0, UnclosedString),
        ("\u{feff}a {} 'x", 8, UnclosedString),
        ("a {} /* x", 5, UnclosedComment),
        ("/*/", 0, UnclosedComment),
        ("/*", 0, UnclosedComment),
        // The first in the text is told.
        ("a { 'x\n } /*", 4, UnclosedString),
        ("@import 'b.css", 8, UnclosedString),
    ];
    for (text, offset, kind) in table {
        assert_eq!(read(text), Err(SyntaxError { offset: *offset, kind: *kind }), "{text}");
    }
}

#[test]
fn a_fault_says_what_is_wrong() {
    let error = read("a {").unwrap_err();
    assert_eq!(error.to_string(), "this block is never closed: add `}`");
    assert_eq!(error.to_string(), error.kind.to_string());
}

#[test]
fn what_looks_open_and_is_not_is_read() {
    for text in [
        "",
        "\u{feff}",
        "a",
        "/**/",
        "/***/",
        "a { content: '\\\\' }",
        "a { content: '\\'' }",
        "a { background: url(i\\\\) }",
        "a { content: '\\5c' }",
        "a { content: '{' '(' '[' '/*' }",
        "a { } /* { ( [ ' \" */",
        "\\{ {}",
        "a { b: url(x{) }",
        "a { content: \"'\" }",
        "@media (min-width: 1px) { a:not([b]) { c: calc((1px)) } }",
        "\0",
        "a {} \\",
        "-->",
        "@",
    ] {
        assert!(read(text).is_ok(), "{text:?}: {:?}", read(text));
    }
}

#[test]
fn nesting_has_a_limit() {
    for (opener, closer) in [("a{", "}"), ("(", ")"), ("[", "]"), ("f(", ")")] {
        let nested = |depth: usize| opener.repeat(depth) + &closer.repeat(depth);
        assert_eq!(read(&nested(MAX_SYNTAX_DEPTH)), Ok(Vec::new()));
        let offset = MAX_SYNTAX_DEPTH * opener.len() + opener.len() - 1;
        let offset = if opener == "f(" { offset - 1 } else { offset };
        for depth in [MAX_SYNTAX_DEPTH + 1, 50_000] {
            assert_eq!(read(&nested(depth)), Err(SyntaxError { offset, kind: TooDeep }), "{opener}");
        }
    }
}

#[test]
fn faults_at_which_a_bundler_breaks_off() {
    let fine = [
        "",
        "/* a */ .a > b + c ~ d, *, &:hover, e::before, f:is(g, > h):not([i='j' k]) { color: red; ; --x: { a b }; --y: }",
        ".md\\:a, .\\31 st, #id, svg|a, *|b { &:hover { color: red } > i { } .x & { } @media print { margin: 0 } }",
        "@media print { a { color: red } } @layer b, c; @layer { d { } } @tailwind base;",
        "@keyframes a { 50.5% { color: red } to { } } @font-face { src: url(x) } @property --a { syntax: '*' }",
        "a { color: red; @apply b c; background: url(data:image/png;base64,AA==); grid-template: [x] 'a b' }",
        "<!-- a { color: red } -->",
        "a { b: c d: e }",
    ];
    for text in fine {
        assert_eq!(fault(text), None, "{text}");
    }
    let faulty = [
        ("// a\nb { }", 0, BadSelector),
        ("a { color red; margin: 0 }", 4, NoColon),
        ("a { color: red; // b\n margin: 0 }", 16, NoColon),
        ("a { foo }", 4, NoColon),
        ("a { *zoom: 1 }", 4, NoColon),
        ("$a: red;\nb { }", 0, BadSelector),
        ("a { };\nb { }", 5, BadSelector),
        ("{ color: red }", 0, BadSelector),
        ("a, { }", 3, BadSelector),
        (", a { }", 0, BadSelector),
        ("> a { }", 0, BadSelector),
        ("a > { }", 4, BadSelector),
        ("a..b { }", 1, BadSelector),
        (".1a { }", 0, BadSelector),
        ("50% { }", 0, BadSelector),
        ("a { } b", 6, NoBlock),
        ("@media print { color: red }", 15, NoBlock),
        ("``` css\na { }", 0, BadSelector),
    ];
    for (text, offset, kind) in faulty {
        assert_eq!(fault(text), Some(SyntaxError { offset, kind }), "{text}");
    }
}
