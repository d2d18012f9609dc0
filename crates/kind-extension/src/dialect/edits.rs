//! Edits: search and replace of whole lines, at one place or not at all (spec: authoring.md §5).
//!
//! Invariant: an edit whose place is not unique changes nothing, and a block's edits hold all or none.

use holdpoint_text::{PartFault, adds_mark, find_once, lines, replace_lines};

/// Marks of an edit have this many characters.
const MARKS: std::ops::RangeInclusive<usize> = 5..=9;

/// Lines to find and lines to put there.
#[derive(Debug, PartialEq, Eq)]
pub struct Edit {
    /// Consecutive whole lines; never empty.
    pub search: Vec<String>,
    pub replace: Vec<String>,
}

/// Why edits were not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditFault {
    Malformed,
    NotFound,
    Ambiguous,
}

/// A text after its edits.
#[derive(Debug, PartialEq, Eq)]
pub struct Edited {
    pub text: String,
    /// Whether blanks at line ends had to be ignored.
    pub blanks_ignored: bool,
}

/// Reads the edits of a block.
pub fn read(lines: &[String]) -> Result<Vec<Edit>, EditFault> {
    let mut edits = Vec::new();
    let mut rest = lines.iter();
    while let Some(line) = rest.next() {
        if line.trim().is_empty() {
            continue;
        }
        if !is_mark(line, '<', "SEARCH") {
            return Err(EditFault::Malformed);
        }
        let search = until(&mut rest, |line| is_mark(line, '=', ""))?;
        let replace = until(&mut rest, |line| is_mark(line, '>', "REPLACE"))?;
        edits.push(Edit::new(search, replace)?);
    }
    if edits.is_empty() { Err(EditFault::Malformed) } else { Ok(edits) }
}

impl Edit {
    /// An edit of these lines; a search without text is malformed.
    pub fn new(search: Vec<String>, replace: Vec<String>) -> Result<Self, EditFault> {
        let empty = search.iter().all(|line| line.trim().is_empty());
        // The ending of a line is the file's.
        let bare = |lines: Vec<String>| {
            let bare = |line: String| line.strip_suffix('\r').map(str::to_owned).unwrap_or(line);
            lines.into_iter().map(bare).collect()
        };
        if empty { Err(EditFault::Malformed) } else { Ok(Self { search: bare(search), replace: bare(replace) }) }
    }
}

fn until<'l>(
    lines: &mut impl Iterator<Item = &'l String>,
    ends: impl Fn(&str) -> bool,
) -> Result<Vec<String>, EditFault> {
    let mut taken = Vec::new();
    for line in lines {
        if ends(line) {
            return Ok(taken);
        }
        taken.push(line.clone());
    }
    Err(EditFault::Malformed)
}

fn is_mark(line: &str, mark: char, word: &str) -> bool {
    let rest = line.trim_start_matches(mark);
    MARKS.contains(&(line.len() - rest.len())) && rest.trim() == word
}

/// Makes the edits in order on the running text.
pub fn apply(text: &str, edits: &[Edit]) -> Result<Edited, EditFault> {
    let mut text = text.to_owned();
    let mut blanks_ignored = false;
    for edit in edits {
        let standing: Vec<&str> = lines(&text).iter().map(|line| line.content).collect();
        let place = match place(&standing, &edit.search, |line| line) {
            Err(PartFault::NotFound) => {
                blanks_ignored = true;
                place(&standing, &edit.search, |line| line.trim_end_matches([' ', '\t']))
            }
            place => place,
        };
        let place = place.map_err(|fault| match fault {
            PartFault::NotFound => EditFault::NotFound,
            PartFault::Ambiguous => EditFault::Ambiguous,
        })?;
        let replace: Vec<&str> = edit.replace.iter().map(String::as_str).collect();
        let made = replace_lines(&text, place, edit.search.len(), &replace);
        // A marker of another dialect that was read as content.
        if adds_mark(&text, &made) {
            return Err(EditFault::Malformed);
        }
        text = made;
    }
    Ok(Edited { text, blanks_ignored })
}

/// The line at which the search stands as whole lines, in a form of both.
fn place(lines: &[&str], search: &[String], form: fn(&str) -> &str) -> Result<usize, PartFault> {
    let whole = |lines: &[&str]| lines.iter().fold("\n".to_owned(), |text, line| text + form(line) + "\n");
    let text = whole(lines);
    let search: Vec<&str> = search.iter().map(String::as_str).collect();
    find_once(&text, &whole(&search)).map(|at| text[..at].matches('\n').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(search: &str, replace: &str) -> Edit {
        let lines = |text: &str| if text.is_empty() { vec![] } else { text.split('\n').map(str::to_owned).collect() };
        Edit::new(lines(search), lines(replace)).unwrap()
    }

    #[test]
    fn places_and_endings() {
        let cases = [
            ("a\nb\n", "b", "c", Ok("a\nc\n")),
            ("a\nb", "b", "c", Ok("a\nc")),
            ("a\r\nb\r\n", "a", "x\ny", Ok("x\r\ny\r\nb\r\n")),
            ("a\n", "a", "", Ok("")),
            ("aa\n", "a", "", Err(EditFault::NotFound)),
            ("a\na\na\n", "a\na", "b", Err(EditFault::Ambiguous)),
            ("a \na\t\n", "a", "b", Err(EditFault::Ambiguous)),
            (" a\n", "a", "b", Err(EditFault::NotFound)),
            // Mixed endings, and places that share a line.
            ("a\r\nb\nc\n", "a\nb", "x\ny", Ok("x\ny\nc\n")),
            ("b\na\nb\na\nb\n", "b\na\nb", "c", Err(EditFault::Ambiguous)),
            ("\na\n", "a", "b", Ok("\nb\n")),
            ("a\n\nb\n", "\nb", "c", Ok("a\nc\n")),
            ("a\r\nb\r\n", "a\r\nb\r", "x\r\ny\r", Ok("x\r\ny\r\n")),
            ("a\r\nb", "b", "x\ny", Ok("a\r\nx\r\ny")),
            ("a\nb\r\nc\n", "a\nb\nc", "a\nx\ny\nc", Ok("a\nx\r\ny\r\nc\n")),
            // Marks of another dialect are no content.
            ("a\n", "a", ":start_line:1\n-------\nb", Err(EditFault::Malformed)),
            ("a\n", "a", "b\n+++++++ REPLACE", Err(EditFault::Malformed)),
            ("a\n=======\n", "a", "=======\nb", Ok("=======\nb\n=======\n")),
        ];
        for (text, search, replace, want) in cases {
            let got = apply(text, &[edit(search, replace)]).map(|edited| edited.text);
            assert_eq!(got, want.map(str::to_owned), "{text:?}");
        }
    }

    #[test]
    fn marks() {
        let read = |text: &str| super::read(&text.split('\n').map(str::to_owned).collect::<Vec<_>>());
        assert!(
            read("<<<<< SEARCH\na\n=========\n>>>>> REPLACE\n\n<<<<<<< SEARCH\nb\n=====\nc\n>>>>>>> REPLACE").is_ok()
        );
        for text in [
            "",
            "a",
            "<<<< SEARCH\na\n====\nb\n>>>> REPLACE",
            "<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE",
            "<<<<<<< SEARCH\na\n=======\nb",
            "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nx",
        ] {
            assert_eq!(read(text), Err(EditFault::Malformed), "{text:?}");
        }
    }
}
