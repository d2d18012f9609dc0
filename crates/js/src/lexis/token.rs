//! Tokens of the raw text, cut exactly where the parser cuts them.
//!
//! Strings, comments, patterns and the texts of templates are skipped whole, so that what stands in them is text. `/`
//! and `}` come as punctuators; who reads the grammar knows where a pattern or the rest of a template begins and asks
//! for it. Invariant: a token that the parser might end at another place is [`Kind::Broken`].

use oxc_syntax::identifier::{is_identifier_part, is_identifier_start, is_white_space_single_line};
use oxc_syntax::line_terminator::is_line_terminator;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    End,
    Word(&'t str),
    /// The same, written with an escape.
    Escaped(&'t str),
    Private,
    Number,
    String,
    /// A template without substitutions, or its text behind the last one.
    Template,
    /// A template's text up to a `${`.
    TemplateHead,
    /// The longest one that the language knows.
    Punctuator(&'t str),
    /// No token of the language, or one that never ends.
    Broken,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// A line ended before it.
    pub(super) newline: bool,
    /// Nothing but white space and comments stands before it on its line.
    pub(super) first_of_line: bool,
}

impl Token<'_> {
    pub(super) const BEFORE_ALL: Self =
        Self { kind: Kind::End, start: 0, end: 0, newline: false, first_of_line: false };
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

/// How many bytes of these are the longest punctuator; 0 where none begins.
#[allow(clippy::match_same_arms)] // one arm for each way to go on
fn punctuator_length(bytes: &[u8]) -> usize {
    let at = |ahead: usize| bytes.get(ahead).copied().unwrap_or(0);
    let (first, second) = (at(0), at(1));
    // How often a character that may be doubled stands here, and whether `=` follows.
    let assigned = |count: usize| count + usize::from(at(count) == b'=');
    match first {
        b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b',' | b'~' | b':' | b'@' => 1,
        b'.' if second == b'.' && at(2) == b'.' => 3,
        b'.' => 1,
        b'=' if second == b'>' => 2,
        b'=' | b'!' if second == b'=' => assigned(2),
        b'=' | b'!' => 1,
        b'+' | b'-' if second == first => 2,
        b'>' if second == b'>' && at(2) == b'>' => assigned(3),
        b'*' | b'<' | b'>' | b'&' | b'|' | b'?' if second == first => assigned(2),
        // `a?.5:b` is a conditional.
        b'?' if second == b'.' && !at(2).is_ascii_digit() => 2,
        b'?' => 1,
        b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' => assigned(1),
        _ => 0,
    }
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The text from an offset on.
    pub(super) fn rest(&self, start: usize) -> &'t str {
        self.text.get(start..).unwrap_or("")
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The token behind the current one, which stays unread.
    pub(super) fn peek(self) -> Token<'t> {
        let mut ahead = self;
        ahead.next()
    }

    pub(super) fn next(&mut self) -> Token<'t> {
        let began = self.at == 0;
        let Some(newline) = self.skip() else {
            let start = self.at;
            self.at = self.text.len();
            return Token { kind: Kind::Broken, start, end: self.at, newline: false, first_of_line: false };
        };
        let start = self.at;
        let kind = self.read();
        Token { kind, start, end: self.at, newline, first_of_line: newline || began }
    }

    fn read(&mut self) -> Kind<'t> {
        let Some(first) = self.rest(self.at).chars().next() else { return Kind::End };
        match first {
            '"' | '\'' => self.string(first as u8),
            '`' => {
                self.at += 1;
                self.template()
            }
            '0'..='9' => self.number(),
            '.' if self.byte(1).is_ascii_digit() => self.number(),
            '#' => self.private(),
            c if c == '\\' || is_identifier_start(c) => self.word(),
            _ => self.punctuator(first),
        }
    }

    /// White space and comments; whether a line ended in them. `None` at a comment that never ends.
    fn skip(&mut self) -> Option<bool> {
        let mut newline = false;
        loop {
            match self.byte(0) {
                b' ' | b'\t' => {
                    self.at += 1;
                    continue;
                }
                b'\n' | b'\r' => {
                    newline = true;
                    self.at += 1;
                    continue;
                }
                b'!'..=b'"' | b'$'..=b'.' | b'0'..=b'~' => return Some(newline),
                _ => {}
            }
            let rest = self.rest(self.at);
            if rest.starts_with("//") || (self.at == 0 && rest.starts_with("#!")) {
                self.at += rest.find(is_line_terminator).unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let length = comment.find("*/")? + 4;
                newline |= rest[..length].contains(is_line_terminator);
                self.at += length;
            } else {
                match rest.chars().next() {
                    Some(c) if is_line_terminator(c) => {
                        newline = true;
                        self.at += c.len_utf8();
                    }
                    Some(c) if is_white_space_single_line(c) => self.at += c.len_utf8(),
                    _ => return Some(newline),
                }
            }
        }
    }

    fn string(&mut self, quote: u8) -> Kind<'t> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                // A continuation of the line takes its CR LF whole.
                b'\\' if bytes.get(at + 1) == Some(&b'\r') && bytes.get(at + 2) == Some(&b'\n') => at += 3,
                b'\\' => at += 2,
                b'\n' | b'\r' => break,
                byte if *byte == quote => {
                    self.at = at + 1;
                    return Kind::String;
                }
                _ => at += 1,
            }
        }
        self.at = at.min(bytes.len());
        Kind::Broken
    }

    fn template(&mut self) -> Kind<'t> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    return Kind::Template;
                }
                b'$' if bytes.get(self.at + 1) == Some(&b'{') => {
                    self.at += 2;
                    return Kind::TemplateHead;
                }
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
        Kind::Broken
    }

    /// The text of a template behind the `}` that stands at `brace`.
    pub(super) fn rest_of_template(&mut self, brace: usize) -> Token<'t> {
        self.at = brace + 1;
        let kind = self.template();
        Token { kind, start: brace, end: self.at, newline: false, first_of_line: false }
    }

    /// Reads the pattern whose `/` stands at `start`: where it ends, and how deep its groups nest. `None` when it never
    /// ends.
    pub(super) fn pattern(&mut self, start: usize) -> Option<(usize, usize)> {
        let (mut at, mut class) = (start + 1, false);
        let bytes = self.text.as_bytes();
        loop {
            let c = self.text.get(at..)?.chars().next().filter(|c| !is_line_terminator(*c))?;
            match c {
                '\\' => {
                    at += 1;
                    self.text.get(at..)?.chars().next().filter(|c| !is_line_terminator(*c))?;
                }
                '/' if !class => break,
                '[' => class = true,
                ']' => class = false,
                _ => {}
            }
            at += self.text.get(at..)?.chars().next()?.len_utf8();
        }
        let body = &self.text[start + 1..at];
        let flags = at + 1;
        let mut end = flags;
        while bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'_')) {
            end += 1;
        }
        self.at = end;
        Some((end, groups(body, self.text[flags..end].contains('v'))))
    }

    fn number(&mut self) -> Kind<'t> {
        let prefixed = self.byte(0) == b'0' && matches!(self.byte(1), b'b' | b'B' | b'o' | b'O' | b'x' | b'X');
        let whole = if prefixed {
            self.at += 2;
            self.digits(u8::is_ascii_hexdigit) && self.suffix()
        } else {
            self.decimal()
        };
        let follows = self.rest(self.at).chars().next();
        let ends = !follows.is_some_and(|c| c == '\\' || c.is_ascii_digit() || is_identifier_start(c));
        if whole && ends { Kind::Number } else { Kind::Broken }
    }

    fn decimal(&mut self) -> bool {
        if self.byte(0) != b'.' {
            // `017` and `08` are no numbers of a module.
            if (self.byte(0) == b'0' && self.byte(1).is_ascii_digit()) || !self.digits(u8::is_ascii_digit) {
                return false;
            }
            if self.byte(0) == b'n' {
                return self.suffix();
            }
        }
        if self.byte(0) == b'.' {
            self.at += 1;
            if self.byte(0).is_ascii_digit() && !self.digits(u8::is_ascii_digit) {
                return false;
            }
        }
        if matches!(self.byte(0), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(0), b'+' | b'-') {
                self.at += 1;
            }
            return self.digits(u8::is_ascii_digit);
        }
        true
    }

    fn suffix(&mut self) -> bool {
        if self.byte(0) == b'n' {
            self.at += 1;
        }
        true
    }

    /// Digits with single `_` between them.
    fn digits(&mut self, digit: fn(&u8) -> bool) -> bool {
        loop {
            if !digit(&self.byte(0)) {
                return false;
            }
            while digit(&self.byte(0)) {
                self.at += 1;
            }
            if self.byte(0) != b'_' {
                return true;
            }
            self.at += 1;
        }
    }

    fn private(&mut self) -> Kind<'t> {
        self.at += 1;
        match self.rest(self.at).chars().next() {
            Some(c) if c == '\\' || is_identifier_start(c) => match self.word() {
                Kind::Broken => Kind::Broken,
                _ => Kind::Private,
            },
            _ => Kind::Broken,
        }
    }

    fn word(&mut self) -> Kind<'t> {
        let (start, mut escaped) = (self.at, false);
        while self.byte(0).is_ascii_alphanumeric() || matches!(self.byte(0), b'_' | b'$') {
            self.at += 1;
        }
        while let Some(c) = self.rest(self.at).chars().next() {
            if c == '\\' {
                escaped = true;
                let Some(length) = escape(self.rest(self.at)).map(|(length, _)| length) else { return Kind::Broken };
                self.at += length;
            } else if is_identifier_part(c) {
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        let text = &self.text[start..self.at];
        if escaped { Kind::Escaped(text) } else { Kind::Word(text) }
    }

    fn punctuator(&mut self, first: char) -> Kind<'t> {
        let rest = self.rest(self.at);
        let length = punctuator_length(rest.as_bytes());
        if length == 0 {
            self.at += first.len_utf8();
            return Kind::Broken;
        }
        self.at += length;
        Kind::Punctuator(&rest[..length])
    }
}

/// The length and meaning of an escape at the beginning of a text: `\u0065`, `\u{65}`.
fn escape(text: &str) -> Option<(usize, char)> {
    let rest = text.strip_prefix("\\u")?;
    let (digits, length) = match rest.strip_prefix('{') {
        Some(inner) => inner.split_once('}').map(|(digits, _)| (digits, digits.len() + 4))?,
        None => (rest.get(..4)?, 6),
    };
    let value = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((length, char::from_u32(value)?))
}

/// What a name with escapes says.
pub(super) fn unescape(name: &str) -> String {
    let (mut said, mut rest) = (String::with_capacity(name.len()), name);
    while let Some(c) = rest.chars().next() {
        let (length, c) = escape(rest).unwrap_or((c.len_utf8(), c));
        said.push(c);
        rest = &rest[length..];
    }
    said
}

/// Groups and classes of a pattern inside one another.
fn groups(body: &str, classes_nest: bool) -> usize {
    let (mut open, mut classes, mut deepest, mut escaped) = (0_usize, 0_usize, 0_usize, false);
    for byte in body.bytes() {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = true,
            b'[' if classes == 0 || classes_nest => classes += 1,
            b']' => classes = classes.saturating_sub(1),
            b'(' if classes == 0 => open += 1,
            b')' if classes == 0 => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open + classes);
    }
    deepest
}
