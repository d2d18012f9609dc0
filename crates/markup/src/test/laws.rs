//! What holds of every text.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::css::{self, Reference};
use crate::html;

/// A quarter of the largest file of a project (vite-app.md §1): enough to see whoever goes back over all of it.
const LARGE: usize = 65_536;

const CSS: &[&str] = &[
    "@import",
    "@IMPORT ",
    "@\\69mport",
    "@media",
    "@namespace ",
    "url(",
    "URL( ",
    "image-set(",
    "f(",
    "'",
    "\"",
    "\\",
    "\\27 ",
    "\\\n",
    "\n",
    "\r\n",
    "\u{c}",
    " ",
    ";",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "/*",
    "*/",
    "<!--",
    "-->",
    "a",
    "é",
    "😀",
    "\0",
    "\u{feff}",
    "//h/x",
    "b.css",
    "https:",
    "1e9",
    "#f",
    ":",
    ",",
    "--x:",
    "'a.css'",
    "url(b.png)",
    "{}",
    "@import 'x';",
];

const HTML: &[&str] = &[
    "<",
    ">",
    "/",
    "</",
    "/>",
    "=",
    "'",
    "\"",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "&",
    "&amp;",
    "&lt",
    "&#x1F600;",
    "&#0;",
    "&notit;",
    "<script",
    "</script>",
    "<style>",
    "</style>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<title>",
    "</title>",
    "<desc>",
    "<foreignObject>",
    "<select>",
    "<table>",
    "<td>",
    "<p>",
    "</p>",
    "<img src=",
    " src",
    "a",
    "é",
    "😀",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<!doctype",
    "<plaintext>",
    "<template>",
    "\u{feff}",
];

fn soup(parts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let anything = prop_oneof![9 => select(parts).prop_map(str::to_owned), 1 => any::<String>()];
    vec(anything, 0..60).prop_map(|parts| parts.concat())
}

fn check_css(text: &str) -> Result<(), TestCaseError> {
    let references = match css::read(text) {
        Ok(references) => references,
        Err(error) => {
            prop_assert!(error.offset < text.len() && text.is_char_boundary(error.offset), "{:?}", error);
            return Ok(());
        }
    };
    prop_assert!(references.is_sorted_by_key(|reference| reference.span().start));
    let mut hoisted_to = 0;
    for reference in &references {
        let written = text.get(reference.span());
        prop_assert!(written.is_some(), "{:?}", reference);
        let written = written.unwrap_or_default();
        match reference {
            Reference::Import { address, .. } | Reference::Url { address, .. } => {
                prop_assert!(address == written || written.contains(['\\', '\0', '\r', '\u{c}']), "{:?}", reference);
            }
            Reference::Hoisted { text, span, .. } => {
                prop_assert!(text == written || written.contains("/*"), "{:?}", reference);
                prop_assert!(span.start >= hoisted_to && text.starts_with("@import"));
                hoisted_to = span.end;
            }
        }
    }
    Ok(())
}

fn check_html(text: &str) -> Result<(), TestCaseError> {
    let elements = match html::read(text) {
        Ok(elements) => elements,
        Err(error) => {
            prop_assert!(text[error.offset..].starts_with('<'));
            return Ok(());
        }
    };
    let mut read_to = 0;
    for element in &elements {
        let tag = text.get(element.span.clone()).unwrap_or_default();
        prop_assert!(tag.starts_with('<') && tag.ends_with('>') && element.span.start >= read_to, "{:?}", element);
        read_to = element.span.end;
        prop_assert!(!element.name.contains(|c: char| c.is_ascii_uppercase()));
        let mut values_to = element.span.start;
        for attribute in &element.attributes {
            let written = text.get(attribute.span.clone()).unwrap_or("&lost;");
            prop_assert!(attribute.span.start >= values_to && attribute.span.end <= element.span.end, "{:?}", element);
            values_to = attribute.span.end;
            prop_assert!(attribute.value == written || written.contains(['&', '\r', '\0']), "{:?}", attribute);
            prop_assert_eq!(element.value(&attribute.name), Some(attribute.value.as_str()));
        }
        prop_assert!(element.content.is_none() || matches!(element.name.as_str(), "script" | "style"), "{:?}", element);
        if let Some(content) = &element.content {
            prop_assert!(content.span.start == element.span.end && text.get(content.span.clone()).is_some());
            let is_written = matches!(content.text, std::borrow::Cow::Borrowed(_));
            prop_assert!(!is_written || content.text == text[content.span.clone()]);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_stylesheet_is_read_within_itself(text in soup(CSS)) {
        check_css(&text)?;
    }

    #[test]
    fn a_page_is_read_within_itself(text in soup(HTML)) {
        check_html(&text)?;
    }

    #[test]
    fn every_text_is_read(text in any::<String>()) {
        check_css(&text)?;
        check_html(&text)?;
    }

    /// Whatever stands around a rule that CSS reads, it is found, and found once.
    #[test]
    fn a_rule_is_found_behind_every_stylesheet(before in soup(CSS)) {
        let count = |text: &str| css::read(text).map(|found| {
            found.iter().filter(|each| matches!(each, Reference::Import { address, .. } if address == "found.css")).count()
        });
        if css::read(&before).is_ok() {
            prop_assert_eq!(count(&format!("{before} ;@import/**/url(found.css);")), Ok(1));
        }
    }
}

/// What is found is no longer than the text allows, and a reader that goes back over the rest at every sign does not
/// end in this test.
#[test]
fn a_large_text_is_read_in_one_go() {
    let css = [
        "@import ",
        "@import;",
        "@import'",
        "@import url(x) ",
        "url(",
        "url(a b)",
        "url( ",
        "url('",
        "'\\",
        "\\",
        "/*",
        "*/",
        "/*/",
        "/**/",
        "\"",
        "'a'",
        "a{}",
        "{",
        "}",
        "(",
        "[]",
        "f()",
        "@",
        "-",
        "<!--",
        "image-set('a')",
        "\u{feff}",
        "é",
        "\n",
        "0",
        "e9",
        "@import \"a\"/*;",
        "@import /* */",
        "u\\72l(",
        "\\75rl(x\\",
    ];
    for part in css {
        let text = part.repeat(LARGE / part.len());
        for text in [
            text.clone(),
            format!("{text};"),
            format!("'{text}"),
            format!("@import \"{text}\";"),
            format!("a{{--x:{text}}}"),
        ] {
            let Ok(found) = css::read(&text) else { continue };
            let moved =
                found.iter().map(|each| if let Reference::Hoisted { text, .. } = each { text.len() } else { 0 });
            assert!(moved.sum::<usize>() <= text.len());
        }
    }
    let html = [
        "<",
        ">",
        "</",
        "<!",
        "<!--",
        "-->",
        "<!-",
        "--!",
        "<a",
        "<a ",
        "<a>",
        "</a>",
        "<a/>",
        "a=b ",
        " a",
        "<a b=",
        "<a b='",
        "&",
        "&a",
        "&amp",
        "&CounterClockwiseContourIntegra",
        "&#",
        "&#x",
        "&#9",
        "<script>",
        "<script></script>",
        "<!--<script>",
        "</script",
        "<svg><script>",
        "<svg></svg>",
        "<svg><p>",
        "<p>",
        "<select>",
        "<table><td>",
        "<p></b>",
        "<style>",
        "<title>",
        "<title></",
        "<plaintext>",
        "<![CDATA[",
        "]]>",
        "<svg><![CDATA[",
        "<i></x>",
        "\r",
        "\r\n",
        "\0",
        "é",
    ];
    for part in html {
        let text = part.repeat(LARGE / part.len());
        let (start, end) = ("<i>".repeat(390), "</x>".repeat(1_000));
        for text in [
            text.clone(),
            format!("<b {text}>"),
            format!("<script>{text}"),
            format!("<svg><style>{text}"),
            start + &text + &end,
        ] {
            let Ok(elements) = html::read(&text) else { continue };
            let values = elements.iter().flat_map(|element| &element.attributes).map(|attribute| attribute.value.len());
            assert!(values.sum::<usize>() <= 3 * text.len());
        }
    }
}
