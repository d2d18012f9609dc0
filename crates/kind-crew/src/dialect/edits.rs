//! Edits become a whole text (spec: crew-package.md §8 "Edits").
//!
//! Invariants: one edit that cannot be made, and the text stays as it was; a text that has line endings gets no other
//! ones.

use std::borrow::Cow;

use holdpoint_check::{Diagnostic, args, codes};
use holdpoint_text::{PartFault, replace_once, with_endings_of};

use super::finding::{Phase, SetFinding};
use super::payload::Text;

codes! {
    /// `find` stands nowhere in the text
    EDIT_NOT_FOUND / FIND_NOWHERE: Error, "Copy `find` from the text as it is now: it stands nowhere in it.";
    /// `find` stands in the text more than once
    EDIT_AMBIGUOUS / FIND_TWICE: Error, "Make `find` longer: it stands in the text more than once.";
}

/// The text that is meant; where edits cannot be made the text as it was, and why.
pub fn whole<'t>(sent: &'t Text, current: &'t str) -> Result<Cow<'t, str>, Box<SetFinding>> {
    let (at, edits) = match sent {
        Text::Whole { text, .. } => return Ok(with_endings_of(current, text)),
        Text::Edits { at, edits } => (at, edits),
    };
    let mut text = Cow::Borrowed(current);
    for (index, edit) in edits.iter().enumerate() {
        let fault = match replace_once(&text, &edit.find, &edit.replace) {
            Ok(after) => {
                text = Cow::Owned(after);
                continue;
            }
            Err(PartFault::NotFound) => &FIND_NOWHERE,
            Err(PartFault::Ambiguous) => &FIND_TWICE,
        };
        return Err(Box::new(SetFinding::new(Phase::Bmad, at.item(index), Diagnostic::of(fault, args! {}))));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::path::Path;
    use super::super::payload::TextEdit;
    use super::*;

    fn after(text: &str, edits: &[(&str, &str)]) -> Result<String, String> {
        let edit =
            |(find, replace): &(&str, &str)| TextEdit { find: (*find).to_owned(), replace: (*replace).to_owned() };
        let sent = Text::Edits { at: Path::of("e"), edits: edits.iter().map(edit).collect() };
        whole(&sent, text).map(Cow::into_owned).map_err(|it| format!("{} {}", it.code, it.path))
    }

    #[test]
    fn endings_are_those_of_the_text() {
        assert_eq!(after("a\r\nb\r\n", &[("a\nb", "c\nd\ne")]), Ok("c\r\nd\r\ne\r\n".to_owned()));
        assert_eq!(after("a\nb\n", &[("a\r\nb", "c\r\nd")]), Ok("c\nd\n".to_owned()));
        let sent = Text::Whole { at: Path::of("w"), text: "a\nb\n".to_owned() };
        assert_eq!(whole(&sent, "x\r\n").unwrap(), "a\r\nb\r\n");
        assert_eq!(whole(&sent, "").unwrap(), "a\nb\n");
    }

    #[test]
    fn one_after_the_other() {
        assert_eq!(after("a b", &[("a", "c"), ("c b", "d")]), Ok("d".to_owned()));
        assert_eq!(after("a b", &[("a", "b"), ("b", "c")]), Err("EDIT_AMBIGUOUS e[1]".to_owned()));
        assert_eq!(after("aaa", &[("aa", "")]), Err("EDIT_AMBIGUOUS e[0]".to_owned()));
        assert_eq!(after("a\r\nb", &[("a\n", "")]), Ok("b".to_owned()));
    }
}
