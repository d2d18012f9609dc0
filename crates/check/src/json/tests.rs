//! Strict and tolerant reading, places, and texts that would be costly.

use super::*;
use crate::Position;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn strict() {
    let refused = [
        "",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "// c\n1",
        "1 2",
        "01",
        "+1",
        ".5",
        "1.",
        "'a'",
        "{a:1}",
        "NaN",
        "\"\n\"",
        "\"\\x\"",
        "\"\\ud800\"",
        "\"a",
        "tru",
        "\u{a0}1",
        "[[[1]]]",
        "1e999",
    ];
    for text in refused {
        assert_eq!(read(text, 2).err().map(|fault| fault.code.into_owned()), Some("INVALID_JSON".into()), "{text}");
    }
    for text in ["\u{feff} {\r\n}", "[[1]]", "-0.5e+3", "\"\\ud83d\\ude42\""] {
        assert!(read(text, 2).is_ok(), "{text}");
    }
}

#[test]
fn places() {
    let document = read("{\n  \"a\": [1, \"🙂\"],\n  \"a/b\": 2, \"b\": 3, \"b\": 4}", 9).unwrap();
    let at = |pointer: &str| document.range(pointer).start;
    assert_eq!(at("/a~1b"), Position { line: 3, column: 10 });
    assert_eq!(at("/a/1"), Position { line: 2, column: 12 });
    assert_eq!(at("/none/of/these"), Position { line: 1, column: 1 });
    assert_eq!(document.duplicates[0].pointer.as_deref(), Some("/b"));
    assert_eq!(document.duplicates[0].range.unwrap().start, Position { line: 3, column: 21 });
}

#[test]
fn a_long_key_is_not_kept_for_each_value_below_it() {
    // Each of a hundred thousand values below a key of 100 KB: ten gigabytes of pointers.
    let text = format!("{{\"{}\": [{}0]}}", "k".repeat(100_000), "0,".repeat(100_000));
    let document = read(&text, 9).unwrap();
    let at = document.range(&format!("/{}/99999", "k".repeat(100_000))).start;
    assert_eq!(at, Position { line: 1, column: 300_005 });
    let twice = format!("{{\"{}\": {{{}\"a\":0}}}}", "k".repeat(100_000), "\"a\":0,".repeat(20_000));
    assert_eq!(read(&twice, 9).unwrap().duplicates.len(), MAX_DUPLICATES);
}

#[test]
fn tolerant_of_what_models_write() {
    let cases = [
        ("x{\"a\": 1} y", 1, Some((json!({"a": 1}), 9, false, false))),
        ("{\"a\": \"b\n\tc\"}", 0, Some((json!({"a": "b\n\tc"}), 13, true, false))),
        ("{\"a\": [1,],}", 0, Some((json!({"a": [1]}), 12, false, true))),
        ("[,]", 0, None),
        ("[1,,]", 0, None),
        ("{,}", 0, None),
        ("{\"a\": \"\u{1}\"}", 0, None),
        ("{'a': 1}", 0, None),
        ("[[[1]]]", 0, None),
        ("{\"a\"", 0, None),
    ];
    for (text, start, want) in cases {
        let got = read_tolerant(text, start, 2)
            .ok()
            .map(|(value, end, let_pass)| (value, end, let_pass.control_characters, let_pass.trailing_commas));
        assert_eq!(got, want, "{text}");
    }
}

proptest! {
    #[test]
    fn agrees_with_serde(text in "[\\[\\]{}\",:0-9a-e.truefalsn \\\\-]{0,24}") {
        if let Ok(document) = read(&text, 100) {
            prop_assert_eq!(document.value, serde_json::from_str::<Value>(&text).unwrap());
        } else {
            prop_assert!(serde_json::from_str::<Value>(&text).is_err());
        }
    }
}
