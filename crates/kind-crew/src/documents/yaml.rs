//! The YAML of a frontmatter: one mapping with text keys (spec: crew-package.md §4).
//!
//! Owns how events become a value with places. The parser gives events; anchors, aliases, tags, merge keys, directives,
//! other documents, repeated keys and depth are refused here, so that a short text never means a long one. Invariant: a
//! place ends with the last sign of its value, not with the blanks and comments behind it.

use std::collections::HashMap;
use std::ops::Range;

use holdpoint_check::json::{Inside, Place};
use holdpoint_check::{ApiError, Code, codes};
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::{Map, Value};

use super::scalar;
use crate::limits::MAX_YAML_DEPTH;

codes! {
    /// a frontmatter that is misplaced, not closed, or no plain YAML mapping
    STEP_INVALID_FRONTMATTER / MAPPING: Error, "Write the frontmatter as one mapping, such as `nodeId: start`.";
    STEP_INVALID_FRONTMATTER / SYNTAX: Error, "Write the frontmatter as plain YAML: {cause}." [cause];
    STEP_INVALID_FRONTMATTER / ANCHOR: Error, "Write the value itself: anchors and aliases are not taken.";
    STEP_INVALID_FRONTMATTER / TAG: Error, "Leave out the tag: a value is what it looks like, or quoted text.";
    STEP_INVALID_FRONTMATTER / MERGE: Error, "Write the members themselves: merge keys are not taken.";
    STEP_INVALID_FRONTMATTER / DIRECTIVE: Error, "Leave out directives: YAML 1.2 is read.";
    STEP_INVALID_FRONTMATTER / DOCUMENTS: Error, "Keep one document between the markers.";
    STEP_INVALID_FRONTMATTER / REPEATED: Error, "Keep `{name}` once: two readers could read different values." [name];
    STEP_INVALID_FRONTMATTER / TEXT_KEY: Error, "Put the key in quotes: keys are text.";
}

/// What the parser says of flow lists that it nests no deeper; it looks ahead of its events.
const GIVES_UP: &str = "recursion limit exceeded";

/// Why there is no value.
#[derive(Debug)]
pub enum YamlFault {
    Deep(ApiError),
    /// Something that is not taken, as bytes of the YAML.
    Refused {
        code: &'static Code,
        /// The value in it: a name, or what the parser says.
        said: String,
        start: usize,
        end: usize,
    },
}

/// A mapping that was read.
#[derive(Debug)]
pub struct Mapping {
    pub value: Value,
    pub place: Place,
    /// Its own keys in the order of the text, each with its bytes.
    pub keys: Vec<(String, Range<usize>)>,
}

/// The mapping that stands between byte `from` and byte `to` of a text, with places in that text.
pub fn read(text: &str, from: usize, to: usize) -> Result<Mapping, YamlFault> {
    let yaml = &text[from..to];
    let bytes = Bytes::of(yaml, from);
    let mut parser = Parser::new_from_str(yaml);
    let mut builder = Builder { text, ..Builder::default() };
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = bytes.at(error.marker().index());
            if error.info() == GIVES_UP { deep() } else { refused(&SYNTAX, error.info(), (at, at)) }
        })?;
        builder.take(event, bytes.span(&span), yaml)?;
    }
    let Builder { whole, keys, .. } = builder;
    let (value, place) = whole.ok_or_else(|| refused(&MAPPING, "", (from, from)))?;
    Ok(Mapping { value, place, keys })
}

fn deep() -> YamlFault {
    YamlFault::Deep(ApiError::over("MAX_YAML_DEPTH", MAX_YAML_DEPTH, MAX_YAML_DEPTH + 1))
}

fn refused(code: &'static Code, said: impl Into<String>, (start, end): (usize, usize)) -> YamlFault {
    YamlFault::Refused { code, said: said.into(), start, end }
}

/// From the parser's characters to bytes of the file.
struct Bytes {
    offset: usize,
    /// The byte of each character; empty where they are the same.
    of_chars: Vec<usize>,
    length: usize,
}

impl Bytes {
    fn of(yaml: &str, offset: usize) -> Self {
        let of_chars = if yaml.is_ascii() { Vec::new() } else { yaml.char_indices().map(|(at, _)| at).collect() };
        Self { offset, of_chars, length: yaml.len() }
    }

    fn at(&self, index: usize) -> usize {
        let byte =
            if self.of_chars.is_empty() { index } else { self.of_chars.get(index).copied().unwrap_or(self.length) };
        self.offset + byte.min(self.length)
    }

    fn span(&self, span: &Span) -> (usize, usize) {
        let start = self.at(span.start.index());
        (start, self.at(span.end.index()).max(start))
    }
}

/// A list or mapping that is not closed.
enum Open {
    List { at: Begun, items: Vec<Value>, places: Vec<Place> },
    Mapping { at: Begun, members: Map<String, Value>, places: HashMap<String, Place>, key: Option<String> },
}

/// Where a list or mapping begins, and whether with a bracket.
#[derive(Clone, Copy)]
struct Begun {
    start: usize,
    bracket: bool,
}

impl Begun {
    /// The parser gives a place to a bracket only: what begins with its first line begins at a point.
    fn of((start, end): (usize, usize)) -> Self {
        Self { start, bracket: end > start }
    }
}

#[derive(Default)]
struct Builder<'t> {
    text: &'t str,
    open: Vec<Open>,
    whole: Option<(Value, Place)>,
    begun: bool,
    keys: Vec<(String, Range<usize>)>,
    /// Where the last key or value ended.
    last: usize,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: (usize, usize), yaml: &str) -> Result<(), YamlFault> {
        match event {
            Event::DocumentStart(_) if self.begun => return Err(refused(&DOCUMENTS, "", span)),
            Event::DocumentStart(explicit) => {
                self.begun = true;
                if explicit && has_directive(yaml) {
                    return Err(refused(&DIRECTIVE, "", span));
                }
            }
            Event::Alias(_) => return Err(refused(&ANCHOR, "", span)),
            Event::Scalar(_, _, anchor, ref tag)
            | Event::SequenceStart(anchor, ref tag)
            | Event::MappingStart(anchor, ref tag)
                if anchor != 0 || tag.is_some() =>
            {
                return Err(refused(if tag.is_some() { &TAG } else { &ANCHOR }, "", span));
            }
            Event::Scalar(text, style, ..) => return self.scalar(&text, style, span),
            Event::SequenceStart(..) => {
                self.begin(Open::List { at: Begun::of(span), items: Vec::new(), places: Vec::new() }, span)?;
            }
            Event::MappingStart(..) => {
                let (at, members, places) = (Begun::of(span), Map::new(), HashMap::new());
                self.begin(Open::Mapping { at, members, places, key: None }, span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List { at, items, places }) => {
                    let end = self.closed(at, ']', span.1);
                    self.put(Value::Array(items), Place { start: at.start, end, inside: Inside::Items(places) });
                }
                Some(Open::Mapping { at, members, places, .. }) => {
                    let end = self.closed(at, '}', span.1);
                    self.put(Value::Object(members), Place { start: at.start, end, inside: Inside::Members(places) });
                }
                None => {}
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// Opens a list or mapping; neither stands for a key, and the outermost is a mapping.
    fn begin(&mut self, open: Open, span: (usize, usize)) -> Result<(), YamlFault> {
        match self.open.last() {
            Some(Open::Mapping { key: None, .. }) => return Err(refused(&TEXT_KEY, "", span)),
            None if matches!(open, Open::List { .. }) => return Err(refused(&MAPPING, "", span)),
            _ => {}
        }
        if self.open.len() == MAX_YAML_DEPTH {
            return Err(deep());
        }
        self.open.push(open);
        Ok(())
    }

    /// Where a list or mapping ends: behind its bracket, or with what is in it last. The parser ends it somewhere behind
    /// that.
    fn closed(&self, Begun { start, bracket }: Begun, close: char, limit: usize) -> usize {
        if !bracket {
            return self.last.max(start);
        }
        let mut rest = &self.text[self.last.max(start + 1)..];
        loop {
            rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ':'));
            match rest.strip_prefix('#') {
                Some(comment) => rest = comment.find('\n').map_or("", |end| &comment[end..]),
                None => break,
            }
        }
        rest.strip_prefix(close).map_or(limit, |behind| self.text.len() - behind.len())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: (usize, usize)) -> Result<(), YamlFault> {
        let taken = if text.is_empty() && style == ScalarStyle::Plain { "" } else { &self.text[span.0..span.1] };
        let span = (span.0, span.0 + written(taken, style));
        self.last = span.1;
        let plain = style == ScalarStyle::Plain;
        let value = if plain { scalar::plain(text) } else { Value::from(text) };
        let is_own = self.open.len() == 1;
        match self.open.last_mut() {
            None => return Err(refused(&MAPPING, "", span)),
            Some(Open::Mapping { key: key @ None, members, .. }) => {
                if plain && text == "<<" {
                    return Err(refused(&MERGE, "", span));
                }
                let Value::String(name) = value else { return Err(refused(&TEXT_KEY, "", span)) };
                if members.contains_key(&name) {
                    return Err(refused(&REPEATED, name, span));
                }
                if is_own {
                    self.keys.push((name.clone(), span.0..span.1));
                }
                *key = Some(name);
            }
            Some(_) => self.put(value, Place { start: span.0, end: span.1, inside: Inside::Nothing }),
        }
        Ok(())
    }

    /// Puts a value where the innermost list or mapping waits for one.
    fn put(&mut self, value: Value, place: Place) {
        self.last = place.end;
        match self.open.last_mut() {
            None => self.whole = Some((value, place)),
            Some(Open::List { items, places, .. }) => {
                items.push(value);
                places.push(place);
            }
            Some(Open::Mapping { members, places, key, .. }) => {
                let name = key.take().unwrap_or_default();
                places.insert(name.clone(), place);
                members.insert(name, value);
            }
        }
    }
}

/// How many bytes of what the parser took for a scalar are its own. It takes what follows a quote up to the line's end,
/// and of a text in lines of its own the empty ones behind it.
fn written(taken: &str, style: ScalarStyle) -> usize {
    let quoted = |quote: u8, escape: u8| {
        let bytes = taken.as_bytes();
        let mut at = 1;
        while at < bytes.len() {
            match bytes[at] {
                sign if sign == escape && (escape != quote || bytes.get(at + 1) == Some(&quote)) => at += 2,
                sign if sign == quote => return at + 1,
                _ => at += 1,
            }
        }
        taken.len()
    };
    match style {
        ScalarStyle::SingleQuoted => quoted(b'\'', b'\''),
        ScalarStyle::DoubleQuoted => quoted(b'"', b'\\'),
        ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => taken.trim_end().len(),
    }
}

/// Whether the first line that says something is a directive.
fn has_directive(yaml: &str) -> bool {
    let mut said = yaml.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'));
    said.next().is_some_and(|line| line.starts_with('%'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn whole(yaml: &str) -> Result<Mapping, YamlFault> {
        read(yaml, 0, yaml.len())
    }

    fn case(yaml: &str) -> &'static str {
        match whole(yaml) {
            Ok(read) => panic!("{yaml:?} is {}", read.value),
            Err(YamlFault::Deep(_)) => "DEEP",
            Err(YamlFault::Refused { code, .. }) => code.case,
        }
    }

    #[test]
    fn mappings_become_values() {
        let cases = [
            ("a: 1", json!({"a": 1})),
            ("a: 1\n...\n", json!({"a": 1})),
            ("# x\n\na: \"1\" # y\nb:\n- x\n- {c: [~, yes]}\n", json!({"a": "1", "b": ["x", {"c": [null, "yes"]}]})),
            ("{a: b}", json!({"a": "b"})),
            ("{}", json!({})),
            ("a:\nb: ''", json!({"a": null, "b": ""})),
            ("a: |\n  x\n  y\nb: >-\n  x\n  y\n", json!({"a": "x\ny\n", "b": "x y"})),
            ("a: x\r\nb:\r\n  - 'y'\r\n", json!({"a": "x", "b": ["y"]})),
            ("\"<<\": 1\n\"1\": 2\nåäö: \"\\u00e5\"\n", json!({"<<": 1, "1": 2, "åäö": "å"})),
            ("a: x\n  y", json!({"a": "x y"})),
            ("\"null\": 1", json!({"null": 1})),
        ];
        for (yaml, want) in cases {
            assert_eq!(whole(yaml).unwrap().value, want, "{yaml:?}");
        }
    }

    #[test]
    fn what_is_not_taken() {
        let cases = [
            ("", "MAPPING"),
            ("\n# only this\n", "MAPPING"),
            ("- a", "MAPPING"),
            ("text", "MAPPING"),
            ("~", "MAPPING"),
            ("a: &x 1", "ANCHOR"),
            ("a: &x {}", "ANCHOR"),
            ("&x a: 1", "ANCHOR"),
            ("a: !!str 1", "TAG"),
            ("a: ! 1", "TAG"),
            ("a: !x []", "TAG"),
            ("<<: {a: 1}", "MERGE"),
            ("a: 1\nb: {<<: {}}", "MERGE"),
            ("%YAML 1.2\n--- \na: 1", "DIRECTIVE"),
            ("a: 1\n--- {b: 1}", "DOCUMENTS"),
            ("a: 1\n...\nb: 1", "DOCUMENTS"),
            ("a: 1\nb: 2\na: 3", "REPEATED"),
            ("x: {a: 1, \"a\": 2}", "REPEATED"),
            ("1: a", "TEXT_KEY"),
            ("true: a", "TEXT_KEY"),
            (": a", "TEXT_KEY"),
            ("[a]: b", "TEXT_KEY"),
            ("? {a: b}\n: c", "TEXT_KEY"),
            ("a: [", "SYNTAX"),
            ("a: 'x", "SYNTAX"),
            ("a: b: c", "SYNTAX"),
            ("a: 1\n b: 2", "SYNTAX"),
            ("a:\n\tb: 1", "SYNTAX"),
            ("a: *x", "SYNTAX"),
            ("a: @x", "SYNTAX"),
        ];
        for (yaml, want) in cases {
            assert_eq!(case(yaml), want, "{yaml:?}");
        }
    }

    #[test]
    fn depth_is_refused_one_over_the_limit() {
        let deep = |levels: usize| format!("a: {}{}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        assert!(whole(&deep(32)).is_ok());
        assert_eq!(case(&deep(33)), "DEEP");
        assert_eq!(case(&format!("a: {}", "[".repeat(60_000))), "DEEP");
        assert_eq!(case(&format!("a: {}", "{a: ".repeat(15_000))), "DEEP");
    }

    #[test]
    fn places_are_bytes_of_the_file() {
        let text = "åä---\r\nö: \"ü\"\r\nlist:\r\n  - é\r\n  - zz\r\n";
        let from = text.find('ö').unwrap();
        let Mapping { value, place, keys } = read(text, from, text.len()).unwrap();
        assert_eq!(
            keys.into_iter().map(|(name, at)| (&text[at], name)).collect::<Vec<_>>(),
            [("ö", "ö".to_owned()), ("list", "list".to_owned())]
        );
        let document = holdpoint_check::json::Document::of(text, value, place);
        for (pointer, want) in [("/ö", "\"ü\""), ("/list/0", "é"), ("/list/1", "zz")] {
            let place = document.place(pointer);
            assert_eq!(&text[place.start..place.end], want);
        }
    }

    #[test]
    fn a_place_ends_with_its_value() {
        let cases = [
            ("a: 'x'  # kept\n", "'x'"),
            ("a: 'it''s' # kept\n", "'it''s'"),
            ("a: \"x \\\" # y\"  # kept\n", "\"x \\\" # y\""),
            ("a: x # kept\n", "x"),
            ("a: x\n  y # kept\n", "x\n  y"),
            ("a: [ 'b' , c ] # ]\n", "[ 'b' , c ]"),
            ("a: {b: [], c: } # }\n", "{b: [], c: }"),
            ("a: |\n  x\n\n# kept\nb: 1\n", "x"),
            ("a:\n- [x]  # kept\n- y ]\n# kept\nb: 1\n", "[x]  # kept\n- y ]"),
            ("a:\n  - x\n  - 'y' # kept\n\n# kept\nb: 1\n", "- x\n  - 'y'"),
            ("a:\n  b: 'c'\n# kept\nd: 1\n", "b: 'c'"),
            ("a:\n  - []\n  - {}\nb: 1\n", "- []\n  - {}"),
            ("a:\nb: 1\n", ""),
            ("{a: , b: 1}\n", ""),
            ("a: {b: , }\n", "{b: , }"),
            ("a: [b, # ]\n  ]\n", "[b, # ]\n  ]"),
            ("a: {b: }\n", "{b: }"),
        ];
        for (yaml, want) in cases {
            let Mapping { value, place, .. } = whole(yaml).unwrap();
            let document = holdpoint_check::json::Document::of(yaml, value, place);
            let place = document.place("/a");
            assert_eq!(&yaml[place.start..place.end], want, "{yaml:?}");
        }
    }
}
