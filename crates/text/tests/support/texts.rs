//! Texts with mixed endings, repeated lines, no final line feed, and nothing at all.

use proptest::collection::vec;
use proptest::prelude::*;

/// Few different lines, so that they repeat; some are blank, some have no letter.
fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-d]",
        3 => "(let|if|return) [a-e] = [0-9]{1,2};",
        2 => Just("}".to_owned()),
        2 => Just(String::new()),
        1 => Just("    ".to_owned()),
        1 => "  ?[a-z]{3,6}\\(\"[a-zåäö]{0,4}\"\\)",
        1 => Just("\u{85}\u{2028}x\u{b}".to_owned()),
        1 => "[+@-]{1,3} ?[ab]?",
    ]
}

fn line() -> impl Strategy<Value = String> {
    (content(), prop_oneof![5 => Just("\n"), 1 => Just("\r\n")]).prop_map(|(content, ending)| content + ending)
}

/// A text of up to `most` lines.
pub fn text(most: usize) -> impl Strategy<Value = String> {
    (vec(line(), 0..=most), any::<bool>()).prop_map(|(lines, closed)| joined(&lines, closed))
}

/// A text as if by one person: LF only, ending with a line feed.
pub fn plain(most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(content().prop_map(|content| content + "\n"), 1..=most)
}

fn joined(lines: &[String], closed: bool) -> String {
    let text = lines.concat();
    if closed { text } else { text.trim_end_matches(['\r', '\n']).to_owned() }
}

/// One edit: where (as a share of the text), how many lines go, what comes.
pub type Edit = (prop::sample::Index, usize, Vec<String>);

/// A text and what became of it after a few edits.
pub fn pair(most: usize) -> impl Strategy<Value = (String, String)> {
    let edit = (any::<prop::sample::Index>(), 0..4_usize, vec(line(), 0..4));
    (vec(line(), 0..=most), vec(edit, 0..5), any::<bool>(), any::<bool>()).prop_map(
        |(before, edits, before_closed, after_closed)| {
            let mut after = before.clone();
            for (at, gone, fresh) in edits {
                let start = at.index(after.len() + 1);
                let end = (start + gone).min(after.len());
                after.splice(start..end, fresh);
            }
            (joined(&before, before_closed), joined(&after, after_closed))
        },
    )
}
