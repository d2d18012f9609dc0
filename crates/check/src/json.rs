//! Strict JSON with positions (spec: ifc-extension.md §1).
//!
//! Owns the reading of JSON files of a bundle: a value, the place of every value by its pointer, keys that stand twice.
//! A leading byte order mark is skipped, CRLF is white space. Invariants: no input recurses deeper than the given limit;
//! time and memory are in proportion to the text, however long its keys are.

mod canonical;
pub mod faults;

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use crate::{Code, Diagnostic, LineIndex, Range, args};

pub use canonical::canonical;
pub use holdpoint_text::pointer::{escape, join, unescape};

/// A JSON file that was read.
#[derive(Debug)]
pub struct Document<'t> {
    /// The value; of a key that stands twice, the last one.
    pub value: Value,
    pub duplicates: Vec<Diagnostic>,
    place: Place,
    index: LineIndex<'t>,
}

/// Where a value stands, as bytes of its text, and what is in it. Another reader than this one makes it too.
#[derive(Debug)]
pub struct Place {
    pub start: usize,
    pub end: usize,
    pub inside: Inside,
}

/// The places below a value.
#[derive(Debug)]
pub enum Inside {
    Nothing,
    Items(Vec<Place>),
    Members(HashMap<String, Place>),
}

impl Place {
    fn at(&self, token: &str) -> Option<&Self> {
        match &self.inside {
            Inside::Nothing => None,
            Inside::Items(items) => items.get(token.parse::<usize>().ok()?),
            Inside::Members(members) => members.get(&unescape(token)),
        }
    }
}

/// Keys that stand twice of which a file is told.
const MAX_DUPLICATES: usize = 500;

impl<'t> Document<'t> {
    /// A value that another reader read out of a text.
    pub fn of(text: &'t str, value: Value, place: Place) -> Self {
        Self { value, duplicates: Vec::new(), place, index: LineIndex::new(text) }
    }

    /// Where the value at a pointer stands; where there is none, its nearest parent.
    pub fn range(&self, pointer: &str) -> Range {
        let place = self.place(pointer);
        self.index.range(place.start, place.end)
    }

    /// The same as bytes of the text.
    pub fn place(&self, pointer: &str) -> &Place {
        let mut place = &self.place;
        for token in pointer.split('/').skip(1) {
            let Some(inner) = place.at(token) else { break };
            place = inner;
        }
        place
    }
}

/// Reads a file. The error is one `INVALID_JSON`, without path.
pub fn read(text: &str, max_depth: usize) -> Result<Document<'_>, Box<Diagnostic>> {
    let index = LineIndex::new(text);
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader::new(text, start, max_depth);
    let whole = reader.value().and_then(|value| {
        reader.skip_space();
        if reader.at == text.len() { Ok(value) } else { Err(reader.fault(&faults::REST)) }
    });
    match whole {
        Ok((value, place)) => {
            let duplicates = reader.doubles.iter().map(|(pointer, start, end)| {
                Diagnostic::of(&faults::TWICE, args! {}).at_pointer(pointer.clone()).at(index.range(*start, *end))
            });
            Ok(Document { value, duplicates: duplicates.collect(), place, index })
        }
        Err(fault) => {
            let end = text[fault.at..].chars().next().map_or(fault.at, |next| fault.at + next.len_utf8());
            Err(Box::new(Diagnostic::of(fault.code, args! {}).at(index.range(fault.at, end))))
        }
    }
}

/// What [`read_tolerant`] let pass beyond strict JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tolerated {
    /// A line feed, carriage return or tab inside quotes.
    pub control_characters: bool,
    /// One comma in front of a closing brace or bracket.
    pub trailing_commas: bool,
}

/// Reads the one value that begins at a byte offset and answers it with the offset behind it. Models write such JSON;
/// places and doubled keys are not kept. The error is the offset where it broke off.
pub fn read_tolerant(text: &str, start: usize, max_depth: usize) -> Result<(Value, usize, Tolerated), usize> {
    let mut reader = Reader::new(text, start, max_depth);
    reader.tolerated = Some(Tolerated::default());
    match reader.value() {
        Ok((value, _)) => Ok((value, reader.at, reader.tolerated.unwrap_or_default())),
        Err(_) => Err(reader.at.min(text.len())),
    }
}

struct Fault {
    at: usize,
    code: &'static Code,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: usize,
    max_depth: usize,
    pointer: String,
    doubles: Vec<(String, usize, usize)>,
    /// Present when more than strict JSON is taken; then no places are kept.
    tolerated: Option<Tolerated>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, at: usize, max_depth: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            depth: 0,
            max_depth,
            pointer: String::new(),
            doubles: Vec::new(),
            tolerated: None,
        }
    }

    /// Goes one member or item down; the answer brings the pointer back.
    fn enter(&mut self, segment: &str) -> usize {
        let length = self.pointer.len();
        if self.tolerated.is_none() {
            self.pointer.push('/');
            self.pointer.push_str(&escape(segment));
        }
        length
    }

    /// Whether a closing sign stands behind a comma, and may.
    fn closes_after_comma(&mut self, sign: u8) -> bool {
        if self.tolerated.is_none() {
            return false;
        }
        self.skip_space();
        let closes = self.peek() == Some(sign);
        if let Some(tolerated) = self.tolerated.as_mut().filter(|_| closes) {
            tolerated.trailing_commas = true;
            self.at += 1;
        }
        closes
    }

    fn fault(&self, code: &'static Code) -> Fault {
        Fault { at: self.at, code }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Result<(Value, Place), Fault> {
        self.skip_space();
        let start = self.at;
        let plain = |value: Value| (value, Inside::Nothing);
        let (value, inside) = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => plain(Value::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => plain(self.number()?),
            Some(b't') => plain(self.word("true", Value::Bool(true))?),
            Some(b'f') => plain(self.word("false", Value::Bool(false))?),
            Some(b'n') => plain(self.word("null", Value::Null)?),
            Some(b'/') => return Err(self.fault(&faults::COMMENT)),
            Some(_) => return Err(self.fault(&faults::NO_VALUE)),
            None => return Err(self.fault(&faults::ENDS)),
        };
        Ok((value, Place { start, end: self.at, inside }))
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<(Value, Inside), Fault>) -> Result<(Value, Inside), Fault> {
        if self.depth == self.max_depth {
            return Err(self.fault(&faults::DEEP));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.fault(&faults::WORD));
        }
        self.at += word.len();
        Ok(value)
    }

    fn object(&mut self) -> Result<(Value, Inside), Fault> {
        let (mut members, mut places) = (Map::new(), HashMap::new());
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok((Value::Object(members), Inside::Nothing));
        }
        loop {
            self.skip_space();
            let key_start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.fault(&faults::KEY));
            }
            let key = self.string()?;
            let key_end = self.at;
            let length = self.enter(&key);
            let again = self.tolerated.is_none() && members.contains_key(&key);
            if again && self.doubles.len() < MAX_DUPLICATES {
                self.doubles.push((self.pointer.clone(), key_start, key_end));
            }
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.fault(&faults::COLON));
            }
            self.at += 1;
            let (value, place) = self.value()?;
            self.pointer.truncate(length);
            if self.tolerated.is_none() {
                places.insert(key.clone(), place);
            }
            members.insert(key, value);
            self.skip_space();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if self.closes_after_comma(b'}') {
                        return Ok((Value::Object(members), Inside::Members(places)));
                    }
                }
                Some(b'}') => {
                    self.at += 1;
                    return Ok((Value::Object(members), Inside::Members(places)));
                }
                _ => return Err(self.fault(&faults::BRACE)),
            }
        }
    }

    fn array(&mut self) -> Result<(Value, Inside), Fault> {
        let (mut items, mut places) = (Vec::new(), Vec::new());
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok((Value::Array(items), Inside::Nothing));
        }
        loop {
            let length = self.enter(&items.len().to_string());
            let (value, place) = self.value()?;
            self.pointer.truncate(length);
            if self.tolerated.is_none() {
                places.push(place);
            }
            items.push(value);
            self.skip_space();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if self.closes_after_comma(b']') {
                        return Ok((Value::Array(items), Inside::Items(places)));
                    }
                }
                Some(b']') => {
                    self.at += 1;
                    return Ok((Value::Array(items), Inside::Items(places)));
                }
                _ => return Err(self.fault(&faults::BRACKET)),
            }
        }
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ => self.digits()?,
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.fault(&faults::ZEROS));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.text[start..self.at]
            .parse::<Number>()
            .map(Value::Number)
            .map_err(|_| Fault { at: start, code: &faults::LARGE })
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.fault(&faults::DIGIT)) } else { Ok(()) }
    }

    /// A string; the cursor stands on its opening quote.
    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let run = self.at;
            while self.peek().is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(&self.text[run..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(control @ (b'\n' | b'\r' | b'\t')) if self.tolerated.is_some() => {
                    if let Some(tolerated) = &mut self.tolerated {
                        tolerated.control_characters = true;
                    }
                    out.push(char::from(control));
                    self.at += 1;
                }
                Some(_) => return Err(self.fault(&faults::CONTROL)),
                None => return Err(self.fault(&faults::QUOTES)),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 2;
        Ok(match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => self.unicode(start)?,
            _ => return Err(Fault { at: start, code: &faults::ESCAPE }),
        })
    }

    fn unicode(&mut self, start: usize) -> Result<char, Fault> {
        let fault = || Fault { at: start, code: &faults::NO_CHARACTER };
        let high = self.hex().ok_or_else(fault)?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high).ok_or_else(fault);
        }
        if self.bytes.get(self.at..self.at + 2) != Some(b"\\u") {
            return Err(fault());
        }
        self.at += 2;
        let low = self.hex().filter(|low| (0xdc00..0xe000).contains(low)).ok_or_else(fault)?;
        char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)).ok_or_else(fault)
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(digits, 16).ok()
    }
}

#[cfg(test)]
mod tests;
