//! Where a text cites an asset (spec: crew-package.md §4 "Citations").
//!
//! The same scan serves the body of a file, and whole texts where somebody searches.

use std::ops::Range;

use crate::policy::{ASSETS, Endings, PACKAGE, is_asset_byte, is_asset_path};

/// A cited path where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation<'t> {
    pub path: &'t str,
    /// As bytes of the text.
    pub place: Range<usize>,
}

/// Every citation of a text from a byte on.
pub fn in_text<'t>(text: &'t str, from: usize, endings: &Endings<'_>) -> Vec<Citation<'t>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = from;
    while let Some(begin) = text[at..].find(ASSETS).map(|offset| at + offset) {
        let before = &bytes[from..begin];
        let starts = before.last().is_none_or(|byte| !is_asset_byte(*byte)) || before.ends_with(PACKAGE.as_bytes());
        if !starts {
            at = begin + ASSETS.len();
            continue;
        }
        let length = bytes[begin..].iter().take_while(|byte| is_asset_byte(**byte)).count();
        let path = text[begin..begin + length].trim_end_matches(['.', '/', '-']);
        if is_asset_path(path) && endings.allow(path) {
            found.push(Citation { path, place: begin..begin + path.len() });
        }
        at = begin + length;
    }
    found
}

/// The asset that an item of `inputs` cites.
pub fn in_input(item: &str) -> Option<&str> {
    Some(item.strip_prefix(PACKAGE).unwrap_or(item)).filter(|path| path.starts_with(ASSETS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cited() {
        let cases: [(&str, &[&str]); 17] = [
            ("Read assets/a.md, then `assets/sub/b.json`.", &["assets/a.md", "assets/sub/b.json"]),
            ("assets/a.md.", &["assets/a.md"]),
            ("assets/a.md/.-/", &["assets/a.md"]),
            ("@pkg/assets/a.md", &["assets/a.md"]),
            ("x@pkg/assets/a.md", &["assets/a.md"]),
            ("@pkg/x/assets/a.md", &[]),
            ("pkg/assets/a.md", &[]),
            ("myassets/c.md https://example.org/assets/d.md", &[]),
            ("assets/e.png assets/folder assets/", &[]),
            ("assets/A.MD", &["assets/A.MD"]),
            ("åassets/a.md", &["assets/a.md"]),
            ("assets/å.md", &[]),
            ("assets/aå.md", &[]),
            ("assets//a.md assets/../a.md", &[]),
            ("assets/.md", &[]),
            ("(assets/a.txt)[assets/a.txt]", &["assets/a.txt", "assets/a.txt"]),
            ("assets/assets/a.md", &["assets/assets/a.md"]),
        ];
        for (text, want) in cases {
            let found = in_text(text, 0, &Endings::default());
            assert_eq!(found.iter().map(|it| it.path).collect::<Vec<_>>(), want, "{text}");
            assert!(found.iter().all(|it| &text[it.place.clone()] == it.path));
        }
        assert_eq!(in_text("xassets/a.md", 1, &Endings::default()).len(), 1, "the text in front is no part");
    }

    /// Each byte is looked at once or twice: with a look at the whole run from every place in it this takes hours.
    #[test]
    fn a_long_run_that_begins_elsewhere_is_read_once() {
        assert!(in_text(&"xassets/".repeat(1 << 20), 0, &Endings::default()).is_empty());
    }

    #[test]
    fn items_of_inputs() {
        assert_eq!(in_input("assets/a"), Some("assets/a"));
        assert_eq!(in_input("@pkg/assets/a.md"), Some("assets/a.md"));
        for item in ["", "the file assets/a.md", "@project/assets/a.md", "@pkg/a.md", "artifacts/a.md"] {
            assert_eq!(in_input(item), None, "{item}");
        }
    }
}
