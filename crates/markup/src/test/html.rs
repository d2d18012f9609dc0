//! Pages by table. What an odd page is was looked up in a build by Vite 8.3, which reads pages with parse5 8.

use crate::html::{Element, read};
use crate::{MAX_SYNTAX_DEPTH, SyntaxError, SyntaxErrorKind};

/// `name attribute=value …`, and in `{}` what a script or style holds.
fn shown(text: &str) -> Vec<String> {
    let line = |element: &Element| {
        let mut line = element.name.clone();
        for attribute in &element.attributes {
            line += &format!(" {}={}", attribute.name, attribute.value);
        }
        if let Some(content) = &element.content {
            line += &format!(" {{{}}}", content.text);
        }
        line
    };
    read(text).unwrap_or_else(|error| panic!("{text}: {error}")).iter().map(line).collect()
}

#[test]
fn a_tag_is_seen_in_every_spelling() {
    let table: &[(&str, &[&str])] = &[
        ("<script type=module src=/main.js></script>", &["script type=module src=/main.js {}"]),
        ("<SCRIPT TYPE=\"module\" SRC=\"/Main.js\"></SCRIPT>", &["script type=module src=/Main.js {}"]),
        ("<script\n\ttype = 'module'\r\nsrc\n=\n'/main.js'\n></script >", &["script type=module src=/main.js {}"]),
        (
            "<img src=\"/m&amp;n.png\"><img src=\"&#47;a&#x2F;b\"><img src='&sol;a'>",
            &["img src=/m&n.png", "img src=/a/b", "img src=/a"],
        ),
        // Without its `;` a reference ends at a letter or `=` only outside attributes.
        (
            "<img src=\"/m&ampn\"><img src=\"/m&amp\"><img src=a&amp=b>",
            &["img src=/m&ampn", "img src=/m&", "img src=a&amp=b"],
        ),
        ("<img src=a/b/><img src=a />", &["img src=a/b/", "img src=a"]),
        ("<img src=a src=b SRC=c>", &["img src=a"]),
        ("<script async defer src=a></script>", &["script async= defer= src=a {}"]),
        ("<img src=\"\"><img src=''><img src><img src=>", &["img src=", "img src=", "img src=", "img src="]),
        ("<img src=\" a\nb \">", &["img src= a\nb "]),
        ("<img alt='>' src=\"a>b\">", &["img alt=> src=a>b"]),
        ("<img alt=\"a\"src=\"b\">", &["img alt=a src=b"]),
        ("<img/src=a/alt=b>", &["img src=a/alt=b"]),
        ("<img =a ==b><img =a =b>", &["img =a==b", "img =a=b"]),
        ("<img alt=é ö=ü src=\"ß.png\">", &["img alt=é ö=ü src=ß.png"]),
        ("<x-y.z:w a-b.c:d=e>", &["x-y.z:w a-b.c:d=e"]),
        ("\u{feff}<!DOCTYPE html SYSTEM 'x'><img src=a>", &["img src=a"]),
        ("a < b <1> <!x> <?php <img src=b> ?> </> </ x><img src=a>", &["img src=a"]),
        // The end of the page cuts it off.
        ("<p><img src=a", &["p"]),
        ("<p><img src=\"a>", &["p"]),
        ("<image src=a><svg><image href=a /></svg>", &["img src=a", "svg", "image href=a"]),
        // Ends are no elements, whatever they carry.
        ("<p></p src=a></script src=b>", &["p"]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn what_is_no_markup_holds_no_elements() {
    let table: &[(&str, &[&str])] = &[
        ("<!-- <img src=a> --><!--><img src=b><!-- --!><img src=c>", &["img src=b", "img src=c"]),
        ("<!-- <img src=a>", &[]),
        ("<title><img src=a></title><textarea><img src=b></textarea><p>", &["title", "textarea", "p"]),
        (
            "<iframe><img src=a></iframe><xmp><img></xmp><noembed><img></noembed><noframes><img></noframes><p>",
            &["iframe", "xmp", "noembed", "noframes", "p"],
        ),
        ("<plaintext><img src=a></plaintext><img>", &["plaintext"]),
        ("<![CDATA[<img src=a>]]><img src=b>", &["img src=b"]),
        // Vite parses with scripting off; what a `template` holds it walks like everything else.
        (
            "<noscript><img src=a></noscript><template><img src=b></template>",
            &["noscript", "img src=a", "template", "img src=b"],
        ),
        ("<script>\"<img src=a>\" </scr </script x><img src=b>", &["script {\"<img src=a>\" </scr }", "img src=b"]),
        (
            "<script><!-- <script> </script> <img src=a> --> </script><p>",
            &["script {<!-- <script> </script> <img src=a> --> }", "p"],
        ),
        ("<script><!-- <script> --></script><p>", &["script {<!-- <script> -->}", "p"]),
        ("<script><!-- </script><p>", &["script {<!-- }", "p"]),
        ("<script/>a</script><p>", &["script {a}", "p"]),
        ("<script>1 &lt; 2\r\n</SCRIPT\n>", &["script {1 &lt; 2\r\n}"]),
        ("<script>never ends <p>", &["script {never ends <p>}"]),
        ("<style>a::before { content: '</b><img>' }</style><p>", &["style {a::before { content: '</b><img>' }}", "p"]),
        ("<style></style><style>a", &["style {}", "style {a}"]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn a_drawing_is_read_by_its_own_rules() {
    let table: &[(&str, &[&str])] = &[
        (
            "<svg><script type=module src=a /><script>1 &lt; 2</script></svg><p>",
            &["svg", "script type=module src=a", "script {1 < 2}", "p"],
        ),
        (
            "<svg><style>@import <![CDATA['b.css']]>;<!-- c --></style></svg><p>",
            &["svg", "style {@import 'b.css';}", "p"],
        ),
        ("<svg><style>a { b: c }</style></svg>", &["svg", "style {a { b: c }}"]),
        ("<svg><title><img src=a></title></svg><title><img src=b></title>", &["svg", "title", "img src=a", "title"]),
        ("<svg><script>a<p>b</p></script><style><img></style>", &["svg", "script {a}", "p", "style {<img>}"]),
        ("<svg/><style><img></style>", &["svg", "style {<img>}"]),
        ("<svg><g/></svg><style><img></style>", &["svg", "g", "style {<img>}"]),
        (
            "<svg><foreignObject><style><b></style></foreignObject><style>&lt;</style>",
            &["svg", "foreignobject", "style {<b>}", "style {<}"],
        ),
        ("<svg><desc><p>a</desc><style><b></style>", &["svg", "desc", "p", "style {<b>}"]),
        (
            "<svg><font><style>&lt;</style></font><font color=red><style>&lt;</style>",
            &["svg", "font", "style {<}", "font color=red", "style {&lt;}"],
        ),
        (
            "<math><style>&lt;</style><mi><style>&lt;</style></mi><mglyph><style>&lt;</style>",
            &["math", "style {<}", "mi", "style {&lt;}", "mglyph", "style {<}"],
        ),
        (
            "<math><annotation-xml encoding='Text/HTML'><style>&lt;</style></annotation-xml><annotation-xml><style>&lt;</style><svg>",
            &["math", "annotation-xml encoding=Text/HTML", "style {&lt;}", "annotation-xml", "style {<}", "svg"],
        ),
        ("<svg></p><style>&lt;</style>", &["svg", "style {&lt;}"]),
        ("<div><svg><g></div><style>&lt;</style>", &["div", "svg", "g", "style {&lt;}"]),
        ("<svg><SCRIPT>a", &["svg", "script {a}"]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn where_little_may_stand_nothing_is_raw_text() {
    let table: &[(&str, &[&str])] = &[
        ("<select><style></select><img src=a></style>", &["select", "style", "img src=a"]),
        (
            "<select><option><title><script><p></script></select><title><p></title>",
            &["select", "option", "title", "script {<p>}", "title"],
        ),
        ("<select><input><style><p></style>", &["select", "input", "style {<p>}"]),
        ("<select><select><style><p></style>", &["select", "select", "style {<p>}"]),
        ("<table><tr><td><select><td><style><p></style>", &["table", "tr", "td", "select", "td", "style {<p>}"]),
        ("<svg><desc><td><select></svg><style><p></style>", &["svg", "desc", "td", "select", "style", "p"]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

#[test]
fn spans_are_of_the_source() {
    let text = "é<!-- x --><IMG\r\n Alt='ü&amp;' srcset=a&gt; lazy data-x = \"\r\n\"\r\n><script a>é\r\n</script>";
    let elements = read(text).unwrap();
    let image = &elements[0];
    assert_eq!(&text[image.span.clone()], "<IMG\r\n Alt='ü&amp;' srcset=a&gt; lazy data-x = \"\r\n\"\r\n>");
    let values: Vec<_> = image.attributes.iter().map(|attribute| &text[attribute.span.clone()]).collect();
    assert_eq!(values, ["ü&amp;", "a&gt;", "", "\r\n"]);
    assert!(text[image.attributes[2].span.start..].starts_with("lazy"));
    assert_eq!((image.value("alt"), image.value("data-x"), image.value("x")), (Some("ü&"), Some("\n"), None));
    let content = elements[1].content.as_ref().unwrap();
    assert_eq!((&text[content.span.clone()], content.text.as_ref()), ("é\r\n", "é\r\n"));
    // A value's entities move nothing that stands behind it.
    let text = "<a href=\"&lt;&gt;\" title='&NotEqualTilde;&#x1F600;' id=b>";
    let values: Vec<_> =
        read(text).unwrap()[0].attributes.iter().map(|each| (each.value.clone(), &text[each.span.clone()])).collect();
    let expected = [("<>", "&lt;&gt;"), ("\u{2242}\u{338}\u{1f600}", "&NotEqualTilde;&#x1F600;"), ("b", "b")];
    assert_eq!(values, expected.map(|(value, written)| (value.to_owned(), written)));
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| "<i>".repeat(depth) + "<img>";
    assert_eq!(read(&nested(MAX_SYNTAX_DEPTH)).unwrap().len(), MAX_SYNTAX_DEPTH + 1);
    let fault = Err(SyntaxError { offset: MAX_SYNTAX_DEPTH * 3, kind: SyntaxErrorKind::TooDeep });
    assert_eq!(read(&nested(MAX_SYNTAX_DEPTH + 1)), fault);
    assert_eq!(read(&nested(80_000)), fault);
    // Side by side is not deep, also where the end tags are left out.
    for row in [
        "<p>a",
        "<li>a",
        "<dt>a<dd>b",
        "<img>",
        "<div></div>",
        "<option>",
        "<p><b></b>",
        "<table><tr><td>a<td>b</table>",
    ] {
        assert!(read(&row.repeat(2_000)).is_ok(), "{row}");
    }
    assert!(read(&format!("<table>{}", "<tr><td>a<td>b".repeat(2_000))).is_ok());
}
