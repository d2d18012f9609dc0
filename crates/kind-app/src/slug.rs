//! The name of an app in addresses (spec: vite-app.md §12 `slug.suggest`).

use holdpoint_check::{ApiError, args, codes};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

codes! {
    /// no free name of this kind is left
    SLUG_TAKEN: Error, "Choose another name: all like `{slug}` are taken." [slug];
}

pub const MIN_CHARS: usize = 3;
pub const MAX_CHARS: usize = 64;
/// Of a name in front of its number.
const NUMBERED_CHARS: usize = 58;
const LAST_NUMBER: usize = 199;
const FALLBACK: &str = "app";

/// A free name made from a title.
pub fn suggest(title: &str, taken: impl Fn(&str) -> bool) -> Result<String, ApiError> {
    let slug = of_title(title);
    if !taken(&slug) {
        return Ok(slug);
    }
    let lead = cut(&slug, NUMBERED_CHARS);
    let mut numbered = (2..=LAST_NUMBER).map(|number| format!("{lead}-{number}"));
    numbered.find(|one| !taken(one)).ok_or_else(|| ApiError::of(&SLUG_TAKEN, args! { slug }).status(409))
}

/// Whether a text is a slug: lower-case letters, digits and single hyphens between them.
pub fn is_slug(text: &str) -> bool {
    let fits = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    (MIN_CHARS..=MAX_CHARS).contains(&text.len()) && text.split('-').all(fits)
}

fn of_title(title: &str) -> String {
    let mut slug = String::new();
    for c in title.to_lowercase().nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            'ß' => slug.push_str("ss"),
            'æ' => slug.push_str("ae"),
            'œ' => slug.push_str("oe"),
            'ø' => slug.push('o'),
            'ł' => slug.push('l'),
            'đ' | 'ð' => slug.push('d'),
            'þ' => slug.push_str("th"),
            'ı' => slug.push('i'),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let mut slug = slug.trim_end_matches('-').to_owned();
    if slug.is_empty() {
        FALLBACK.clone_into(&mut slug);
    }
    if slug.len() < MIN_CHARS {
        slug.push_str("-app");
    }
    cut(&slug, MAX_CHARS).to_owned()
}

fn cut(slug: &str, most: usize) -> &str {
    slug[..slug.len().min(most)].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_names() {
        let cases = [
            ("Straße Łódź", "strasse-lodz"),
            ("ﬁne Ĳ½", "fine-ij1-2"),
            ("--", "app"),
            ("İstanbul", "istanbul"),
            ("a", "a-app"),
            (&"a-".repeat(60), &format!("{}a", "a-".repeat(31))),
        ];
        for (title, want) in cases {
            assert_eq!(of_title(title), want, "{title}");
            assert!(is_slug(&of_title(title)), "{title}");
        }
        for wrong in ["ab", "a--b", "-abc", "Abc", "a_b"] {
            assert!(!is_slug(wrong), "{wrong}");
        }
    }
}
