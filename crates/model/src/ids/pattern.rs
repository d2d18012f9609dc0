//! Patterns of XML Schema, as the linear engine of `regex` reads them.
//!
//! A pattern fits the whole text; `^` and `$` are characters like others, `.` is no end of a line, `\i` and `\c` are the
//! characters of XML's names, and a class may take another away (`[a-z-[aeiou]]`).

use std::fmt;

use regex::{Regex, RegexBuilder};

/// Bytes that a pattern may take once it is compiled.
const MAX_COMPILED: usize = 1 << 20;
/// Groups and classes may stand inside each other so deep.
const MAX_DEPTH: u32 = 32;

const NAME_START: &str = r":A-Z_a-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{2FF}\x{370}-\x{37D}\x{37F}-\x{1FFF}\x{200C}-\x{200D}\x{2070}-\x{218F}\x{2C00}-\x{2FEF}\x{3001}-\x{D7FF}\x{F900}-\x{FDCF}\x{FDF0}-\x{FFFD}\x{10000}-\x{EFFFF}";
const NAME_MORE: &str = r"\-.0-9\x{B7}\x{300}-\x{36F}\x{203F}-\x{2040}";

/// Blocks of Unicode that files name; `regex` knows none.
const BLOCKS: &[(&str, &str)] = &[
    ("BasicLatin", r"\x{0}-\x{7F}"),
    ("Latin-1Supplement", r"\x{80}-\x{FF}"),
    ("LatinExtended-A", r"\x{100}-\x{17F}"),
    ("LatinExtended-B", r"\x{180}-\x{24F}"),
    ("Greek", r"\x{370}-\x{3FF}"),
    ("Cyrillic", r"\x{400}-\x{4FF}"),
];

#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    said: String,
    regex: Regex,
}

impl Pattern {
    /// Errors: why it is no pattern of XML Schema, or too large.
    pub(crate) fn read(said: &str) -> Result<Self, String> {
        let mut rest = Translation { rest: said.chars().peekable(), out: String::new() };
        rest.all()?;
        let anchored = format!(r"\A(?:{})\z", rest.out);
        let regex = RegexBuilder::new(&anchored).size_limit(MAX_COMPILED).nest_limit(MAX_DEPTH).build();
        // The engine's message shows the translation, which nobody wrote.
        let regex = regex.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
            _ => "its brackets, repetitions or classes do not fit".to_owned(),
        })?;
        Ok(Self { said: said.to_owned(), regex })
    }

    pub(crate) fn fits(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.said)
    }
}

struct Translation<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    out: String,
}

impl Translation<'_> {
    fn all(&mut self) -> Result<(), String> {
        while let Some(next) = self.rest.next() {
            match next {
                '.' => self.out.push_str(r"[^\n\r]"),
                '(' if self.rest.peek() == Some(&'?') => return Err("`(?` is not known in XML Schema".to_owned()),
                '(' => self.out.push_str("(?:"),
                ')' | '|' | '*' | '+' | '?' => self.out.push(next),
                '{' => self.quantity()?,
                '[' => self.class(0)?,
                '\\' => {
                    let set = self.escape()?;
                    self.out.push_str(&set.outside());
                }
                other => self.literal(other),
            }
        }
        Ok(())
    }

    fn literal(&mut self, character: char) {
        self.out.push_str(&format!(r"\x{{{:X}}}", u32::from(character)));
    }

    /// A repetition such as `{2}`, `{2,}` or `{2,5}`, whose bracket is read.
    fn quantity(&mut self) -> Result<(), String> {
        self.out.push('{');
        for next in self.rest.by_ref() {
            match next {
                '}' => {
                    self.out.push('}');
                    return Ok(());
                }
                ',' | '0'..='9' => self.out.push(next),
                _ => break,
            }
        }
        Err("`{` begins a repetition such as `{2,5}`".to_owned())
    }

    /// A class of characters, whose bracket is read.
    fn class(&mut self, depth: u32) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("its classes are nested too deep".to_owned());
        }
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        let mut first = true;
        while let Some(next) = self.rest.next() {
            match next {
                ']' if first => return Err("a class `[]` is empty".to_owned()),
                ']' => {
                    self.out.push(']');
                    return Ok(());
                }
                '-' if self.rest.peek() == Some(&'[') => {
                    self.rest.next();
                    self.out.push_str("--");
                    self.class(depth + 1)?;
                }
                // A range, where it stands between two characters.
                '-' if !first && !matches!(self.rest.peek(), Some(']') | None) => self.out.push('-'),
                '[' => return Err(r"`[` inside a class is written `\[`".to_owned()),
                '\\' => {
                    let set = self.escape()?;
                    self.out.push_str(&set.inside());
                }
                other => self.literal(other),
            }
            first = false;
        }
        Err("a class `[` has no end".to_owned())
    }

    /// What stands behind a backslash that is read.
    fn escape(&mut self) -> Result<Set, String> {
        let next = self.rest.next().ok_or(r"`\` stands at the end")?;
        let set = |within: &str| Ok(Set { within: within.to_owned(), not: next.is_ascii_uppercase() });
        match next {
            'n' => Set::character('\n'),
            'r' => Set::character('\r'),
            't' => Set::character('\t'),
            's' | 'S' => set(r" \t\n\r"),
            'd' | 'D' => set(r"\p{Nd}"),
            'w' | 'W' => Ok(Set { within: r"\p{P}\p{Z}\p{C}".to_owned(), not: next == 'w' }),
            'i' | 'I' => set(NAME_START),
            'c' | 'C' => set(&format!("{NAME_START}{NAME_MORE}")),
            'p' | 'P' => self.category().and_then(|category| set(&category)),
            '\\' | '|' | '.' | '?' | '*' | '+' | '(' | ')' | '{' | '}' | '-' | '[' | ']' | '^' | '$' | '/' | '"'
            | ' ' => Set::character(next),
            other => Err(format!(r"`\{other}` is not known in XML Schema")),
        }
    }

    /// A category or a block, such as `{Lu}` or `{IsGreek}`.
    fn category(&mut self) -> Result<String, String> {
        let named: String = self.rest.by_ref().take_while(|next| *next != '}').collect();
        let name = named.strip_prefix('{').ok_or(r"`\p` is written `\p{…}`")?;
        if let Some(block) = name.strip_prefix("Is") {
            let known = BLOCKS.iter().find(|(known, _)| *known == block);
            return known.map(|(_, within)| (*within).to_owned()).ok_or(format!("the block `{name}` is not known"));
        }
        let is_category = name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_category { Ok(format!(r"\p{{{name}}}")) } else { Err(format!("the category `{name}` is not known")) }
    }
}

/// Characters that an escape stands for.
struct Set {
    within: String,
    not: bool,
}

impl Set {
    fn character(character: char) -> Result<Self, String> {
        Ok(Self { within: format!(r"\x{{{:X}}}", u32::from(character)), not: false })
    }

    fn outside(&self) -> String {
        format!("[{}{}]", if self.not { "^" } else { "" }, self.within)
    }

    fn inside(&self) -> String {
        if self.not { self.outside() } else { self.within.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_xml_schema_says() {
        for (pattern, text, fits) in [
            ("[A-Z]{2}[0-9]{2}", "AB12", true),
            ("[A-Z]{2}[0-9]{2}", "xAB12", false),
            ("DT.*", "DT\n1", false),
            ("a|bc", "bc", true),
            ("a|bc", "abc", false),
            ("^a$", "a", false),
            ("^a$", "^a$", true),
            ("[a-z-[aeiou]]+", "xyz", true),
            ("[a-z-[aeiou]]+", "xaz", false),
            (r"\i\c*", "Ärger-1", true),
            (r"\i\c*", "1a", false),
            (r"\d+", "٣", true),
            (r"\w", "_", false),
            (r"[\w_]+", "a_b", true),
            (r"[\-a]+", "-a", true),
            ("[a-]+", "a-a", true),
            ("[-a]+", "-a", true),
            ("[&&]", "&", true),
            (r"\p{Lu}\P{Lu}", "Ab", true),
            (r"\p{IsBasicLatin}+", "ä", false),
            (r"(-|[0-9]{2,3})\/(-|[0-9]{2,3})", "60/-", true),
            ("", "", true),
        ] {
            let read = Pattern::read(pattern).unwrap_or_else(|why| panic!("{pattern}: {why}"));
            assert_eq!(read.fits(text), fits, "{pattern} {text:?}");
        }
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for pattern in
            ["(", "[a", "[]", "(?=a)", r"\k", r"a\", "a{2", "a{x}", "*", r"\p{Xx}x", r"\p{IsNowhere}", "a{9999999}"]
        {
            assert!(Pattern::read(pattern).is_err(), "{pattern}");
        }
        let deep = "[a-".repeat(200);
        assert!(Pattern::read(&deep).is_err());
        assert!(Pattern::read(&"(".repeat(5000)).is_err());
        assert!(Pattern::read("((a{99}){99}){99}").is_err_and(|why| why.contains("too large")));
    }
}
