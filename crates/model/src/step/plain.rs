//! The quick way through a record of plain form, as nearly all records of real files are.
//!
//! Invariant: what it reads, the grammar reads the same; what it declines (comments, texts over several lines, binary
//! values, any fault), the grammar judges.

/// Brackets that are open at once; the grammar goes deeper.
const MAX_OPEN: usize = 32;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plain<'a> {
    pub(crate) id: u32,
    pub(crate) keyword: &'a [u8],
    pub(crate) end: usize,
}

/// Reads the record whose `#` stands at `at` and adds its references; `None`, with some of them added, where it is not
/// of plain form.
pub(crate) fn plain<'a>(bytes: &'a [u8], at: usize, references: &mut Vec<u32>) -> Option<Plain<'a>> {
    let mut reader = Reader { bytes, at };
    let id = reader.reference()?;
    reader.exactly(b'=')?;
    reader.blanks();
    let keyword = reader.keyword()?;
    reader.blanks();
    reader.values(references)?;
    reader.exactly(b';')?;
    Some(Plain { id, keyword, end: reader.at })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn blanks(&mut self) {
        self.skip(|byte| byte <= b' ');
    }

    #[inline]
    fn exactly(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Steps over bytes; how many they were.
    #[inline]
    fn skip(&mut self, of: impl Fn(u8) -> bool) -> usize {
        let from = self.at;
        while self.peek().is_some_and(&of) {
            self.at += 1;
        }
        self.at - from
    }

    fn reference(&mut self) -> Option<u32> {
        self.at += 1;
        let mut id = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            id = id.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
            self.at += 1;
        }
        (id > 0).then_some(id)
    }

    fn keyword(&mut self) -> Option<&'a [u8]> {
        let from = self.at;
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if matches!(self.peek()?, b'-' | b'!') { None } else { Some(&self.bytes[from..self.at]) }
    }

    /// `(a,b,…)`, with everything in it.
    fn values(&mut self, references: &mut Vec<u32>) -> Option<()> {
        let mut open = 0;
        loop {
            self.blanks();
            // A value, or the bracket that it begins with.
            match self.peek()? {
                b'(' => {
                    open += 1;
                    self.at += 1;
                    self.blanks();
                    if open > MAX_OPEN {
                        return None;
                    }
                    if self.peek()? != b')' {
                        continue;
                    }
                }
                _ if open == 0 => return None,
                b'$' | b'*' => self.at += 1,
                b'#' => references.push(self.reference()?),
                b'\'' => self.text()?,
                b'.' => self.item()?,
                b'0'..=b'9' | b'-' | b'+' => self.number()?,
                _ => {
                    self.keyword()?;
                    self.blanks();
                    if self.peek()? != b'(' {
                        return None;
                    }
                    continue;
                }
            }
            // What stands behind it.
            loop {
                self.blanks();
                match self.peek()? {
                    b',' => {
                        self.at += 1;
                        break;
                    }
                    b')' => {
                        self.at += 1;
                        open -= 1;
                        if open == 0 {
                            return Some(());
                        }
                    }
                    _ => return None,
                }
            }
        }
    }

    fn text(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.skip(|byte| byte != b'\'' && byte >= b' ');
            // A quote behind `\S\` may belong to it.
            if self.peek()? != b'\'' || self.bytes[..self.at].ends_with(b"S\\") {
                return None;
            }
            self.at += 1;
            if self.peek() != Some(b'\'') {
                return Some(());
            }
            self.at += 1;
        }
    }

    fn item(&mut self) -> Option<()> {
        self.at += 1;
        if !self.peek()?.is_ascii_alphabetic() {
            return None;
        }
        self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        (self.peek()? == b'.').then(|| self.at += 1)
    }

    fn number(&mut self) -> Option<()> {
        if matches!(self.peek()?, b'-' | b'+') {
            self.at += 1;
        }
        let digit = |byte: u8| byte.is_ascii_digit();
        if self.skip(digit) == 0 {
            return None;
        }
        if self.peek()? == b'.' {
            self.at += 1;
            self.skip(digit);
        }
        if matches!(self.peek()?, b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek()?, b'-' | b'+') {
                self.at += 1;
            }
            if self.skip(digit) == 0 {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::codes::NO_SEMICOLON;
    use crate::step::grammar::{self, References};
    use crate::step::lex::Cursor;

    /// Whatever the grammar of the file reads.
    fn judged(bytes: &[u8]) -> Option<(Plain<'_>, Vec<u32>)> {
        let mut cursor = Cursor::new(bytes, 0);
        let (id, keyword) = grammar::record_head(&mut cursor).ok()?;
        let mut references = References::default();
        grammar::values(&mut cursor, &mut references, 0).ok()?;
        cursor.expect(b';', &NO_SEMICOLON).ok()?;
        Some((Plain { id, keyword, end: cursor.at }, references.ids))
    }

    fn read(bytes: &[u8]) -> Option<(Plain<'_>, Vec<u32>)> {
        let mut references = Vec::new();
        plain(bytes, 0, &mut references).map(|record| (record, references))
    }

    #[test]
    fn records_of_plain_form_are_read() {
        for text in [
            "#1=IFCWALL();",
            "#12 = IFCCARTESIANPOINT( (0., -1.5E-3 ,2) ) ;",
            "#7=IFCWALL('it''s','',$,*,#5,(#6,#7),.ELEMENT.,IFCLABEL('x'),(),((1),(2.)));",
            "#7=\r\n IFCX(\r\n'\\X2\\00E4\\X0\\',\t#4294967295);",
        ] {
            assert!(read(text.as_bytes()).is_some(), "{text}");
            assert_eq!(read(text.as_bytes()), judged(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_declined() {
        for text in [
            "#1=IFCWALL(/* a */$);",
            "#1=IFCWALL('two\nlines');",
            "#1=IFCWALL('5\\S\\'');",
            "#1=IFCWALL(\"0FF\");",
            "#1=IFCWALL(1,);",
            "#1=IFCWALL(,1);",
            "#1=IFCWALL(1 2);",
            "#1=IFCWALL(#0);",
            "#1=IFCWALL(#4294967296);",
            "#1=IFCWALL(.5);",
            "#1=IFCWALL(1.e);",
            "#1=IFCWALL(IFCLABEL,'x');",
            "#1=IFCWALL('a'",
            "#1=(IFCWALL()IFCDOOR());",
            "#1=IFC-WALL();",
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
        let deep = |brackets: usize| format!("#1=IFCX{}{};", "(".repeat(brackets), ")".repeat(brackets));
        assert!(read(deep(MAX_OPEN).as_bytes()).is_some());
        assert_eq!(read(deep(MAX_OPEN + 1).as_bytes()), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn the_grammar_reads_the_same(text in "#1=IFCA\\([-#0-9.,()$*'A-E_ \n\\\\/+\"]{0,24}\\);.{0,3}") {
            if let Some(found) = read(text.as_bytes()) {
                prop_assert_eq!(Some(found), judged(text.as_bytes()));
            }
        }
    }
}
