//! Tokens of the raw text: only as much as nesting needs.
//!
//! Strings, comments, pattern literals and the texts of templates are skipped whole, so that what stands in them is
//! text. Whether `/` begins a pattern is told by the caller, who knows what stood before.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A number, string, pattern, template without or behind its last substitution.
    Operand,
    /// A name or keyword, private names with their `#`.
    Word(&'t str),
    /// A template's text up to a `${`.
    TemplateStart,
    /// Everything else; the longest one that the language knows.
    Punctuator(&'t str),
}

/// One token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) start: usize,
    pub(super) newline_before: bool,
    /// Nothing but white space and comments stands before it on its line.
    pub(super) first_of_line: bool,
    /// Groups inside one another, in a pattern.
    pub(super) inner_depth: usize,
}

/// Reads tokens.
#[derive(Debug, Default)]
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    in_template: bool,
    began: bool,
}

/// Longest first.
const PUNCTUATORS: [&str; 33] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
];

/// What stands second in one of them.
const SECOND: &[u8] = b"=>.&|?*<+-";

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, ..Self::default() }
    }

    /// The text from an offset on.
    pub(super) fn rest(&self, start: usize) -> &'t str {
        self.text.get(start..).unwrap_or("")
    }

    /// A substitution has closed: the template's text goes on.
    pub(super) fn resume_template(&mut self) {
        self.in_template = true;
    }

    /// Whether the next token is this word.
    pub(super) fn next_word_is(&self, word: &str) -> bool {
        let mut ahead = Reader { text: self.text, at: self.at, in_template: false, began: true };
        ahead.skip();
        ahead.rest(ahead.at).strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word))
    }

    /// The next token; `None` at the end. `divides` says that `/` is an operator here.
    pub(super) fn next(&mut self, divides: bool) -> Option<Token<'t>> {
        if std::mem::take(&mut self.in_template) {
            let start = self.at;
            let kind = self.template();
            return Some(self.token(kind, start, false));
        }
        let newline = self.skip() || !std::mem::replace(&mut self.began, true);
        let start = self.at;
        let first = self.rest(start).chars().next()?;
        let kind = match first {
            '"' | '\'' => self.string(first),
            '`' => {
                self.at += 1;
                self.template()
            }
            '/' if !divides => {
                let depth = self.pattern();
                let mut token = self.token(Kind::Operand, start, newline);
                token.inner_depth = depth;
                return Some(token);
            }
            '.' if !self.rest(start + 1).starts_with(|c: char| c.is_ascii_digit()) => self.punctuator(),
            '.' | '0'..='9' => self.number(),
            c if is_word(c) || c == '#' => self.word(),
            _ => self.punctuator(),
        };
        Some(self.token(kind, start, newline))
    }

    #[allow(clippy::unused_self)] // a token belongs to the text of its reader
    fn token(&self, kind: Kind<'t>, start: usize, newline: bool) -> Token<'t> {
        Token { kind, start, newline_before: newline, first_of_line: newline, inner_depth: 0 }
    }

    /// White space and comments; whether a line ended in them.
    fn skip(&mut self) -> bool {
        let mut newline = false;
        loop {
            let rest = self.rest(self.at);
            if rest.starts_with("//") || (self.at == 0 && rest.starts_with("#!")) {
                self.at += rest.find(is_newline).unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let length = comment.find("*/").map_or(rest.len(), |end| end + 4);
                newline |= rest[..length].contains(is_newline);
                self.at += length;
            } else {
                match rest.chars().next() {
                    Some(c) if is_newline(c) => {
                        newline = true;
                        self.at += c.len_utf8();
                    }
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                    _ => return newline,
                }
            }
        }
    }

    fn string(&mut self, quote: char) -> Kind<'t> {
        let mut characters = self.rest(self.at).char_indices().skip(1);
        let mut length = None;
        while let Some((offset, c)) = characters.next() {
            match c {
                '\\' => {
                    characters.next();
                }
                '\n' | '\r' => {
                    // Not closed: the parser stops here.
                    length = Some(offset);
                    break;
                }
                c if c == quote => {
                    length = Some(offset + 1);
                    break;
                }
                _ => {}
            }
        }
        self.at = length.map_or(self.text.len(), |length| self.at + length);
        Kind::Operand
    }

    fn template(&mut self) -> Kind<'t> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    return Kind::Operand;
                }
                b'$' if bytes.get(self.at + 1) == Some(&b'{') => {
                    self.at += 2;
                    return Kind::TemplateStart;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
        Kind::Operand
    }

    /// A pattern and its flags; answers how deep its groups nest.
    fn pattern(&mut self) -> usize {
        let (mut open, mut deepest, mut class) = (0_usize, 0_usize, 0_usize);
        let mut characters = self.rest(self.at).char_indices().skip(1);
        let mut length = self.text.len() - self.at;
        while let Some((offset, c)) = characters.next() {
            match c {
                '\\' => {
                    characters.next();
                }
                c if is_newline(c) => {
                    length = offset;
                    break;
                }
                '/' if class == 0 => {
                    length = offset + 1;
                    break;
                }
                // With the flag `v` classes nest; without it a second `[` is text and one `]` ends them all.
                '[' => {
                    class = 1;
                    open += 1;
                }
                ']' => {
                    class = 0;
                    open = open.saturating_sub(1);
                }
                '(' => open += 1,
                ')' => open = open.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(open);
        }
        self.at += length;
        let rest = self.rest(self.at);
        self.at += rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        deepest
    }

    fn number(&mut self) -> Kind<'t> {
        let rest = self.rest(self.at);
        let decimal = !rest.starts_with("0x") && !rest.starts_with("0X");
        let mut before = '0';
        let length = rest
            .find(|c: char| {
                let sign = matches!(c, '+' | '-') && decimal && matches!(before, 'e' | 'E');
                before = c;
                !(sign || c == '.' || is_word(c))
            })
            .unwrap_or(rest.len());
        // `1..toString` and `1.5.toFixed` have a member behind the number.
        self.at += length;
        Kind::Operand
    }

    fn word(&mut self) -> Kind<'t> {
        let rest = self.rest(self.at);
        let mut braces = false;
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(offset, c)| {
                // `\u{65}` is a part of the name.
                if *c == '{' && rest[..*offset].ends_with("\\u") {
                    braces = true;
                    return false;
                }
                if *c == '}' && braces {
                    braces = false;
                    return false;
                }
                !is_word(*c)
            })
            .map_or(rest.len(), |(offset, _)| offset);
        self.at += length;
        Kind::Word(&rest[..length])
    }

    fn punctuator(&mut self) -> Kind<'t> {
        let rest = self.rest(self.at);
        let long = rest.as_bytes().get(1).is_some_and(|second| SECOND.contains(second));
        let known = long.then(|| PUNCTUATORS.iter().find(|known| rest.starts_with(**known))).flatten();
        // `a?.5:b` is a conditional.
        let conditional = rest.starts_with("?.") && rest[2..].starts_with(|c: char| c.is_ascii_digit());
        let length = match known {
            Some(known) if !conditional => known.len(),
            _ => rest.chars().next().map_or(0, char::len_utf8),
        };
        self.at += length;
        Kind::Punctuator(&rest[..length])
    }
}

fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '_' | '$' | '\\' | '\u{200c}' | '\u{200d}')
        || (!c.is_ascii() && !c.is_whitespace() && !is_newline(c) && c != '\u{feff}')
}
