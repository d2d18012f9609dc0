//! Tokens of a STEP file, without allocation.
//!
//! Owns where a token ends. Invariant: each search that may run to the end of the file (a comment's or a string's
//! end) runs there at most once, whatever the bytes.

use holdpoint_check::Code;

use crate::codes::{
    NO_DIGITS, NO_EXPONENT, NO_KEYWORD, NO_NUMBER, NO_VALUE, NOT_HEXADECIMAL, NUMBER_RANGE, OPEN_ITEM, OPEN_TEXT,
};

/// One scalar as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token<'a> {
    Null,
    Derived,
    /// An integer or a real, unparsed.
    Number(&'a [u8]),
    /// Between the quotes of a text, still encoded.
    Text(&'a [u8]),
    /// Between the dots of an enumeration item.
    Enum(&'a [u8]),
    Binary(&'a [u8]),
    Ref(u32),
    /// Digits of a reference that no number of ours can hold.
    Far(&'a [u8]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The bytes end inside what was begun.
    End,
    Unexpected(&'static Code),
}

/// A place in the bytes, moved by reading.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
    /// A comment's end was looked for and there is none any more.
    comments_end: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, comments_end: false }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Steps over blanks, control bytes and comments.
    pub(crate) fn skip_trivia(&mut self) {
        while let Some(byte) = self.peek() {
            if byte <= b' ' {
                self.at += 1;
            } else if byte == b'/' && self.rest().get(1) == Some(&b'*') && !self.comments_end {
                if let Some(end) = find(&self.rest()[2..], b"*/") {
                    self.at += end + 4;
                } else {
                    self.comments_end = true;
                    return;
                }
            } else {
                return;
            }
        }
    }

    /// Steps over trivia and exactly this byte.
    pub(crate) fn expect(&mut self, byte: u8, what: &'static Code) -> Result<(), Fault> {
        self.skip_trivia();
        match self.peek() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Fault::Unexpected(what)),
            None => Err(Fault::End),
        }
    }

    /// A keyword: letters, digits, `_` and, for the markers of sections, `-`.
    pub(crate) fn keyword(&mut self) -> Result<&'a [u8], Fault> {
        self.skip_trivia();
        let length = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'!'))
            .count();
        match self.peek() {
            None => Err(Fault::End),
            Some(first) if length == 0 || first.is_ascii_digit() || first == b'-' => {
                Err(Fault::Unexpected(&NO_KEYWORD))
            }
            Some(_) => Ok(self.take(length)),
        }
    }

    pub(crate) fn reference(&mut self) -> Result<u32, Fault> {
        self.expect(b'#', &NO_NUMBER)?;
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let id = std::str::from_utf8(self.take(digits)).ok().and_then(|digits| digits.parse().ok());
        match id {
            Some(id) if id > 0 => Ok(id),
            _ if self.rest().is_empty() => Err(Fault::End),
            _ => Err(Fault::Unexpected(&NUMBER_RANGE)),
        }
    }

    /// A reference as a value: of a number that is out of range only this place is lost, not its record.
    fn target(&mut self) -> Result<Token<'a>, Fault> {
        let digits = self.rest()[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = &self.rest()[1..=digits];
        match self.reference() {
            Ok(id) => Ok(Token::Ref(id)),
            Err(Fault::Unexpected(_)) if digits > 0 => Ok(Token::Far(number)),
            Err(fault) => Err(fault),
        }
    }

    /// A scalar; lists and typed values are the grammar's.
    pub(crate) fn token(&mut self) -> Result<Token<'a>, Fault> {
        self.skip_trivia();
        match self.peek().ok_or(Fault::End)? {
            b'$' => Ok(self.single(Token::Null)),
            b'*' => Ok(self.single(Token::Derived)),
            b'#' => self.target(),
            b'\'' => self.text().map(Token::Text),
            b'"' => self.binary().map(Token::Binary),
            b'.' if self.rest().get(1).is_some_and(u8::is_ascii_alphabetic) => self.item().map(Token::Enum),
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number().map(Token::Number),
            _ => Err(Fault::Unexpected(&NO_VALUE)),
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// A text literal. A line that begins like an instance ends the search: the quote was never closed, and
    /// reading on would swallow the instances that follow.
    fn text(&mut self) -> Result<&'a [u8], Fault> {
        let open = self.at;
        let mut at = open + 1;
        loop {
            let Some(step) = self.bytes[at..].iter().position(|byte| matches!(byte, b'\'' | b'\n' | b'\r')) else {
                self.at = self.bytes.len();
                return Err(Fault::End);
            };
            at += step;
            if self.bytes[at] != b'\'' {
                at += 1;
                if begins_instance(&self.bytes[at..]) {
                    return Err(Fault::Unexpected(&OPEN_TEXT));
                }
            } else if ifc_lite_core::step_encoding::is_page_quote_operand(self.bytes, at) && at >= open + 4 {
                at += 1;
            } else if self.bytes.get(at + 1) == Some(&b'\'') {
                at += 2;
            } else {
                self.at = at + 1;
                return Ok(&self.bytes[open + 1..at]);
            }
        }
    }

    fn binary(&mut self) -> Result<&'a [u8], Fault> {
        let inner = &self.rest()[1..];
        let length = inner.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        match inner.get(length) {
            Some(b'"') => {
                self.at += length + 2;
                Ok(&inner[..length])
            }
            Some(_) => Err(Fault::Unexpected(&NOT_HEXADECIMAL)),
            None => Err(Fault::End),
        }
    }

    fn item(&mut self) -> Result<&'a [u8], Fault> {
        let inner = &self.rest()[1..];
        let length = inner.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        match inner.get(length) {
            Some(b'.') => {
                self.at += length + 2;
                Ok(&inner[..length])
            }
            Some(_) => Err(Fault::Unexpected(&OPEN_ITEM)),
            None => Err(Fault::End),
        }
    }

    fn number(&mut self) -> Result<&'a [u8], Fault> {
        let rest = self.rest();
        let digits = |from: usize| rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut length = usize::from(matches!(rest[0], b'+' | b'-'));
        let whole = digits(length);
        length += whole;
        let mut fraction = 0;
        if rest.get(length) == Some(&b'.') {
            fraction = digits(length + 1);
            length += 1 + fraction;
        }
        if whole + fraction == 0 {
            return Err(if length == rest.len() { Fault::End } else { Fault::Unexpected(&NO_DIGITS) });
        }
        if matches!(rest.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
            let exponent = rest.get(length + 1 + sign..).map_or(0, |_| digits(length + 1 + sign));
            if exponent == 0 {
                return Err(Fault::Unexpected(&NO_EXPONENT));
            }
            length += 1 + sign + exponent;
        }
        Ok(self.take(length))
    }
}

/// Whether `bytes` begin with `#12 =`, blanks allowed.
pub(crate) fn begins_instance(bytes: &[u8]) -> bool {
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let indent = bytes.iter().take_while(blank).count();
    if bytes.get(indent) != Some(&b'#') {
        return false;
    }
    let digits = bytes[indent + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = &bytes[indent + 1 + digits..];
    digits > 0 && after.get(after.iter().take_while(blank).count()) == Some(&b'=')
}

pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_end_where_the_standard_says() {
        let cases: &[(&str, Result<Token<'_>, Fault>)] = &[
            ("$", Ok(Token::Null)),
            (" /* a ' */ *", Ok(Token::Derived)),
            ("-1.E-05,", Ok(Token::Number(b"-1.E-05"))),
            ("12)", Ok(Token::Number(b"12"))),
            ("'it''s',", Ok(Token::Text(b"it''s"))),
            (r"'5\S\''", Ok(Token::Text(br"5\S\'"))),
            (".T.", Ok(Token::Enum(b"T"))),
            ("\"0FF\"", Ok(Token::Binary(b"0FF"))),
            ("#42,", Ok(Token::Ref(42))),
            ("#4294967296,", Ok(Token::Far(b"4294967296"))),
            ("#0,", Ok(Token::Far(b"0"))),
            ("#,", Err(Fault::Unexpected(&NUMBER_RANGE))),
            ("'open", Err(Fault::End)),
            ("'open\n#2=IFCWALL();", Err(Fault::Unexpected(&OPEN_TEXT))),
            ("-,", Err(Fault::Unexpected(&NO_DIGITS))),
        ];
        for (input, expected) in cases {
            assert_eq!(Cursor::new(input.as_bytes(), 0).token(), *expected, "{input}");
        }
    }

    #[test]
    fn an_open_comment_is_no_trivia() {
        let mut cursor = Cursor::new(b" /* never closed", 0);
        cursor.skip_trivia();
        assert_eq!(cursor.at, 1);
    }
}
