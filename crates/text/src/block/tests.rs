//! Which texts are blocks, and where they begin and end.

use super::*;
use crate::transport::transport;

/// Old and new text of each block, lines parted by `|`, and the tags beside the one of the format.
fn blocks(text: &str) -> Result<(Vec<String>, String), RejectCode> {
    let transported = transport(text, false);
    assert!(transported.is_blocks, "{text}");
    let read = read(&transported.lines, "src/tool.py", false).map_err(|error| error.code)?;
    let side = |lines: &[RawLine]| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("|");
    let shown = read.blocks.iter().map(|block| format!("{} -> {}", side(&block.old), side(&block.new))).collect();
    let tags: Vec<String> =
        read.tags.iter().filter(|tag| **tag != Tag::ReadSearchReplace).map(|tag| tag.name()).collect();
    Ok((shown, tags.join(" ")))
}

#[test]
fn markers_have_five_to_nine_signs() {
    let text = |length: usize, words: [&str; 2]| {
        let [start, divider, end] = ['<', '=', '>'].map(|sign| sign.to_string().repeat(length));
        format!("{start}{}\na\n{divider}\nb\n{end}{}\n", words[0], words[1])
    };
    let cases = [
        (4, ["", ""], false),
        (5, ["", ""], true),
        (7, [" SEARCH", " REPLACE"], true),
        (7, [" ORIGINAL", " UPDATED"], true),
        (7, [" SEARCH", ""], true),
        (7, [" HEAD", " main"], false),
        (7, ["SEARCH", "REPLACE"], false),
        (7, [" search", " replace"], false),
        (7, [" SEARCH>", " REPLACE>"], true),
        (9, ["", ""], true),
        (10, ["", ""], false),
    ];
    for (length, words, want) in cases {
        assert_eq!(transport(&text(length, words), false).is_blocks, want, "{length} {words:?}");
    }
}

#[test]
fn forms() {
    let ok =
        |blocks: &[&str], tags: &str| Ok((blocks.iter().map(|block| (*block).to_owned()).collect(), tags.to_owned()));
    let cases = [
        ("<<<<<<< SEARCH\na\nb\n=======\nc\n>>>>>>> REPLACE\n", ok(&["a|b -> c"], "")),
        (" <<<<<<< SEARCH \r\na\n  =======\nc\n>>>>>>> REPLACE  ", ok(&["a -> c"], "normalized_line_endings")),
        ("<<<<<<<\n=======\nc\n>>>>>>>\n<<<<<<<\nd\n=======\n>>>>>>>\n", ok(&[" -> c", "d -> "], "")),
        // Content stays what it is: a heading, a rule, a diff, a fence, an indented `@@`.
        (
            "<<<<<<< SEARCH\nTitle\n=====\n***************\n=======\n-a\n```\n  @@x = 1\n>>>>>>> REPLACE\n",
            ok(&["Title|=====|*************** -> -a|```|  @@x = 1"], ""),
        ),
        ("<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE\n", Err(RejectCode::UnsupportedFormat)),
        ("<<<<<<< SEARCH\na\n=====\nb\n======\nc\n>>>>>>> REPLACE\n", Err(RejectCode::UnsupportedFormat)),
        ("<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n", Err(RejectCode::UnsupportedFormat)),
        (
            "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n",
            Err(RejectCode::UnsupportedFormat),
        ),
        (
            "<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n",
            Err(RejectCode::UnsupportedFormat),
        ),
        (
            "Here you are:\n\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\nDone.\n",
            ok(&["a -> b"], "stripped_code_fences dropped_text_outside_hunks"),
        ),
        (
            "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nb\n>>>>>>> REPLACE\n",
            ok(&["a -> "], "dropped_text_outside_hunks dropped_diff_like_text"),
        ),
        ("-gone\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", ok(&["a -> b"], "dropped_diff_like_text")),
    ];
    for (text, want) in cases {
        assert_eq!(blocks(text), want, "{text}");
    }
}

#[test]
fn the_line_before_a_block_names_its_file() {
    let block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    let cases = [
        ("src/tool.py\n", true),
        ("**src/tool.py**\n", true),
        ("### `src/tool.py`:\n", true),
        ("src/tool.py\n```python\n", true),
        ("```src/tool.py\n", true),
        ("./src/tool.py\n", true),
        ("tool.py\n", false),
        ("src/Tool.py\n", false),
        ("**src/other.py**\n", false),
        ("`lib/other.rs`:\n```\n", false),
        // Not directly before the block.
        ("src/other.py\n\n", true),
        ("src/other.py\n\n```python\n", true),
        // Not a path.
        ("Change this:\n", true),
        ("Done.\n", true),
        ("```python\n", true),
        ("*** Update File: src/tool.py\n", true),
        ("*** Update File: src/other.py\n", false),
        ("--- a/src/tool.py\n+++ b/src/tool.py\n", true),
        ("--- a/src/other.py\n+++ b/src/other.py\n", false),
    ];
    for (head, right) in cases {
        let got = blocks(&format!("{head}{block}"));
        assert_eq!(got.is_ok(), right, "{head} {got:?}");
        assert!(right || got == Err(RejectCode::WrongFile), "{head}");
    }
    // Every block is asked, also behind another one.
    assert_eq!(blocks(&format!("src/tool.py\n{block}\nsrc/x.py\n{block}")), Err(RejectCode::WrongFile));
    assert_eq!(blocks(&format!("*** Delete File: src/tool.py\n{block}")), Err(RejectCode::CreateDelete));
}
