//! The frame of a STEP file: header, data sections, end; and where each instance stands.
//!
//! Owns the judgement of broken files (spec: ifc-sdk.md §7.1): what cannot be read is reported with its place and
//! reading goes on at the next thing that looks like an instance. Decodes nothing but the header.

use std::collections::HashMap;

use holdpoint_check::{Arg, Args, Code, Sentence, args};
use serde_json::Value;

use super::grammar::{self, References};
use super::header::Header;
use super::lex::{Cursor, Fault, begins_instance};
use super::plain::plain;
use super::value;
use crate::codes::{
    CUT_INSTANCE, CUT_OFF, FAR, HEADER_UNREAD, NO_END, NO_ENDSEC, NO_IFC, NO_SEMICOLON, OUTSIDE_DATA, PACKED, STRANGE,
    TOO_LONG, UNREAD, XML,
};

/// A file may be this long: places are kept in 32 bits.
pub(crate) const MAX_FILE_BYTES: usize = u32::MAX as usize;

/// Progress is told about once in so many bytes.
const PROGRESS_STEP: usize = 1 << 18;

/// Keywords that are found again without a map.
const RECENT: usize = 256;

/// One instance of the data section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) id: u32,
    pub(crate) at: u32,
    pub(crate) keyword: u32,
}

/// A place and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) at: usize,
    code: &'static Code,
    /// Of its sentence, which is put into words only where it is shown: a broken file has millions.
    values: Vec<(&'static str, Value)>,
}

impl Finding {
    pub(crate) fn new(at: usize, code: &'static Code, args: Args<'_>) -> Self {
        Self { at, code, values: args.iter().map(|(name, value)| (*name, value.value())).collect() }
    }

    pub(crate) fn is(&self, code: &Code) -> bool {
        self.code == code
    }

    pub(crate) fn said(&self) -> Sentence {
        let values: Vec<(&'static str, &dyn Arg)> =
            self.values.iter().map(|(name, value)| (*name, value as &dyn Arg)).collect();
        Sentence::of(self.code, &values)
    }
}

/// References to numbers that were not met before their record: few, as programs write what they refer to first.
#[derive(Debug, Default)]
pub(crate) struct Open {
    pub(crate) targets: Vec<u32>,
    /// Places of records that have such, in the order of the file, and where the targets of each end.
    pub(crate) records: Vec<(u32, u32)>,
}

/// What a file holds, by place.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Names in `FILE_SCHEMA`, and where it stands.
    pub(crate) schemas: Option<(usize, Vec<String>)>,
    pub(crate) header: Header,
    pub(crate) keywords: Vec<String>,
    /// In the order of the file.
    pub(crate) records: Vec<Record>,
    pub(crate) findings: Vec<Finding>,
    /// The highest number that a reference names.
    pub(crate) farthest: u32,
    pub(crate) open: Open,
    /// Where the data section begins, or where it is missing.
    pub(crate) data_at: usize,
}

/// Reads the frame. `Err` is a file that is no STEP file at all.
pub(crate) fn scan(bytes: &[u8], progress: &mut dyn FnMut(u64, u64)) -> Result<Scan, Finding> {
    if bytes.len() as u64 > MAX_FILE_BYTES as u64 {
        return Err(Finding::new(0, &TOO_LONG, args! {}));
    }
    let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut cursor = Cursor::new(bytes, start);
    let marker = cursor.keyword();
    if !marker.is_ok_and(|word| word.eq_ignore_ascii_case(b"ISO-10303-21"))
        || cursor.expect(b';', &NO_SEMICOLON).is_err()
    {
        return Err(Finding::new(0, no_header(bytes), args! {}));
    }
    let mut reader = Reader {
        bytes,
        cursor,
        scan: Scan::default(),
        met: Met::default(),
        references: Vec::new(),
        words: HashMap::new(),
        recent: [0; RECENT],
        told: 0,
        progress,
    };
    reader.header();
    reader.sections();
    (reader.progress)(bytes.len() as u64, bytes.len() as u64);
    Ok(reader.scan)
}

fn no_header(bytes: &[u8]) -> &'static Code {
    if bytes.starts_with(b"PK") || bytes.starts_with(b"\x1f\x8b") {
        &PACKED
    } else if bytes.starts_with(b"<") {
        &XML
    } else {
        &NO_IFC
    }
}

struct Reader<'a, 'p> {
    bytes: &'a [u8],
    cursor: Cursor<'a>,
    scan: Scan,
    met: Met,
    /// Of the record that is read.
    references: Vec<u32>,
    words: HashMap<Vec<u8>, u32>,
    /// Keywords that were met last, by a hash.
    recent: [u32; RECENT],
    told: usize,
    progress: &'p mut dyn FnMut(u64, u64),
}

/// Numbers of records that were met, a bit each; those that are out of all proportion to the file are left out.
#[derive(Default)]
struct Met(Vec<u64>);

impl Met {
    fn has(&self, id: u32) -> bool {
        self.0.get(id as usize / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    /// `bytes` of the file: no more of them are numbered than there are bytes.
    fn add(&mut self, id: u32, bytes: usize) {
        let place = id as usize / 64;
        if id as usize > bytes {
            return;
        }
        if place >= self.0.len() {
            self.0.resize(place + 1, 0);
        }
        self.0[place] |= 1 << (id % 64);
    }
}

#[derive(PartialEq)]
enum Section {
    Closed,
    FileEnd,
    Cut,
}

impl Reader<'_, '_> {
    fn header(&mut self) {
        loop {
            self.cursor.skip_trivia();
            let at = self.cursor.at;
            let Ok(word) = self.cursor.keyword() else {
                if self.cursor.peek().is_none() || begins_instance(self.cursor.rest()) {
                    return;
                }
                self.skip_statement(at);
                continue;
            };
            if word.eq_ignore_ascii_case(b"DATA") {
                self.cursor.at = at;
                return;
            }
            if word.eq_ignore_ascii_case(b"HEADER") || word.eq_ignore_ascii_case(b"ENDSEC") {
                self.skip_statement(at);
                continue;
            }
            let values = value::decode(&mut self.cursor);
            match values {
                Ok(values) if word.eq_ignore_ascii_case(b"FILE_SCHEMA") => {
                    let mut names = Vec::new();
                    for value in &values {
                        texts(value, &mut names);
                    }
                    self.scan.schemas = Some((at, names));
                }
                Ok(values) if word.eq_ignore_ascii_case(b"FILE_DESCRIPTION") => self.scan.header.description = values,
                Ok(values) if word.eq_ignore_ascii_case(b"FILE_NAME") => self.scan.header.name = values,
                Ok(_) => {}
                Err(fault) => {
                    let word = String::from_utf8_lossy(word);
                    self.find(at, &HEADER_UNREAD, args! { word, why: explain(fault) });
                    self.cursor.at = at;
                }
            }
            self.skip_statement(at);
        }
    }

    /// To behind the next `;`, always forward.
    fn skip_statement(&mut self, from: usize) {
        let from = self.cursor.at.max(from);
        let rest = &self.bytes[from.min(self.bytes.len())..];
        self.cursor.at = from + rest.iter().position(|byte| *byte == b';').map_or(rest.len(), |step| step + 1);
    }

    fn sections(&mut self) {
        let mut ended = Section::Cut;
        self.scan.data_at = self.cursor.at;
        loop {
            self.cursor.skip_trivia();
            let at = self.cursor.at;
            if self.cursor.peek().is_none() {
                break;
            }
            match self.cursor.keyword() {
                Ok(word) if word.eq_ignore_ascii_case(b"DATA") => {
                    // Edition 2 allows `DATA('name',('IFC4'));`.
                    self.cursor.skip_trivia();
                    if self.cursor.peek() == Some(b'(') && value::decode(&mut self.cursor).is_err() {
                        self.cursor.at = at + word.len();
                    }
                    self.skip_statement(at);
                    ended = self.data();
                    if ended != Section::Closed {
                        break;
                    }
                    ended = Section::Cut;
                }
                Ok(word) if word.eq_ignore_ascii_case(b"END-ISO-10303-21") => {
                    ended = Section::FileEnd;
                    break;
                }
                Ok(_) => self.skip_statement(at),
                Err(_) => {
                    if begins_instance(self.cursor.rest()) {
                        self.find(at, &OUTSIDE_DATA, args! {});
                        ended = self.data();
                        if ended != Section::Closed {
                            break;
                        }
                        ended = Section::Cut;
                    } else {
                        self.cursor.at = at + 1;
                        self.skip_statement(at);
                    }
                }
            }
        }
        if ended == Section::Cut {
            let end = self.bytes.trim_ascii_end().len();
            self.find(end, &CUT_OFF, args! {});
        }
    }

    fn data(&mut self) -> Section {
        loop {
            self.cursor.skip_trivia();
            let at = self.cursor.at;
            self.tell(at);
            match self.cursor.peek() {
                None => return Section::Cut,
                Some(b'#') => match self.instance(at) {
                    Ok(()) => {}
                    Err(Fault::End) if !self.more_after(at) => {
                        self.find(at, &CUT_INSTANCE, args! {});
                        return Section::Cut;
                    }
                    Err(fault) => {
                        self.find(at, &UNREAD, args! { why: explain(fault) });
                        self.resume(at + 1);
                    }
                },
                Some(_) => {
                    let word = self.cursor.keyword().unwrap_or_default();
                    if word.eq_ignore_ascii_case(b"ENDSEC") {
                        self.skip_statement(at);
                        return Section::Closed;
                    }
                    if word.eq_ignore_ascii_case(b"END-ISO-10303-21") {
                        self.find(at, &NO_ENDSEC, args! {});
                        return Section::FileEnd;
                    }
                    self.find(at, &STRANGE, args! {});
                    self.resume(at + 1);
                }
            }
        }
    }

    fn instance(&mut self, at: usize) -> Result<(), Fault> {
        self.references.clear();
        if let Some(record) = plain(self.bytes, at, &mut self.references) {
            self.cursor.at = record.end;
            self.record(record.id, at, record.keyword);
            return Ok(());
        }
        let (id, keyword) = grammar::record_head(&mut self.cursor)?;
        let mut references = References::default();
        grammar::values(&mut self.cursor, &mut references, 0)?;
        self.cursor.expect(b';', &NO_SEMICOLON)?;
        self.references = references.ids;
        for target in references.far {
            self.find(at, &FAR, args! { id, target });
        }
        self.record(id, at, keyword);
        Ok(())
    }

    fn record(&mut self, id: u32, at: usize, keyword: &[u8]) {
        let keyword = self.intern(keyword);
        let Scan { records, open, farthest, .. } = &mut self.scan;
        let before = open.targets.len();
        for target in &self.references {
            *farthest = (*farthest).max(*target);
            if !self.met.has(*target) {
                open.targets.push(*target);
            }
        }
        if open.targets.len() > before {
            open.records.push((records.len() as u32, open.targets.len() as u32));
        }
        self.met.add(id, self.bytes.len());
        records.push(Record { id, at: at as u32, keyword });
    }

    /// Files have few keywords, and long runs of records with the same ones.
    fn intern(&mut self, keyword: &[u8]) -> u32 {
        let slot = keyword.iter().fold(keyword.len(), |sum, byte| sum.wrapping_mul(31) + usize::from(*byte)) % RECENT;
        let index = self.recent[slot];
        if self.scan.keywords.get(index as usize).is_some_and(|known| known.as_bytes() == keyword) {
            return index;
        }
        let index = self.intern_new(keyword);
        self.recent[slot] = index;
        index
    }

    fn intern_new(&mut self, keyword: &[u8]) -> u32 {
        if let Some(index) = self.words.get(keyword) {
            return *index;
        }
        let upper = String::from_utf8_lossy(keyword).to_ascii_uppercase();
        let index = if let Some(index) = self.words.get(upper.as_bytes()) {
            *index
        } else {
            self.scan.keywords.push(upper.clone());
            let index = self.scan.keywords.len() as u32 - 1;
            self.words.insert(upper.into_bytes(), index);
            index
        };
        self.words.insert(keyword.to_vec(), index);
        index
    }

    /// Whether something readable follows an instance that ran into the end of the file.
    fn more_after(&self, at: usize) -> bool {
        self.next_start(at + 1) < self.bytes.len()
    }

    fn resume(&mut self, from: usize) {
        self.cursor.at = self.next_start(from);
    }

    /// The next place, behind a line end or a `;`, where an instance or the section's end begins.
    fn next_start(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(step) = self.bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r' | b';')) {
            at += step + 1;
            let rest = &self.bytes[at..];
            let line = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..];
            if begins_instance(rest) || line.starts_with(b"ENDSEC") || line.starts_with(b"END-ISO") {
                return at;
            }
        }
        self.bytes.len()
    }

    fn find(&mut self, at: usize, code: &'static Code, args: Args<'_>) {
        self.scan.findings.push(Finding::new(at, code, args));
    }

    fn tell(&mut self, at: usize) {
        if at - self.told >= PROGRESS_STEP {
            self.told = at;
            (self.progress)(at as u64, self.bytes.len() as u64);
        }
    }
}

fn texts(value: &value::Arg, into: &mut Vec<String>) {
    match value {
        value::Arg::Text(text) => into.push(text.clone()),
        value::Arg::List(items) => {
            for item in items {
                texts(item, into);
            }
        }
        _ => {}
    }
}

fn explain(fault: Fault) -> Sentence {
    let code = match fault {
        Fault::End => &NO_END,
        Fault::Unexpected(what) => what,
    };
    Sentence::of(code, args! {})
}
