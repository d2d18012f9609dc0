//! What the tokenizer says, made into elements.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::mem::take;

use html5gum::{Emitter, Error, State};

use super::nesting::Nesting;
use super::reader::PageSource;
use super::{Attribute, Element, RawText};
use crate::{SyntaxError, SyntaxErrorKind};

/// An attribute while it is read.
#[derive(Default)]
struct Partial {
    name: Vec<u8>,
    value: Vec<u8>,
    /// Where the name begins, then where the value does.
    start: usize,
    /// What ends the value, once there is one.
    ends: Option<&'static [char]>,
}

pub struct Sink<'s, 't> {
    source: &'s PageSource<'t>,
    elements: &'s mut Vec<Element<'t>>,
    nesting: Nesting,
    error: Option<SyntaxError>,
    tag_start: usize,
    name: Vec<u8>,
    is_end_tag: bool,
    is_self_closing: bool,
    attributes: Vec<Partial>,
    last_start_tag: Vec<u8>,
}

impl<'s, 't> Sink<'s, 't> {
    pub fn new(source: &'s PageSource<'t>, elements: &'s mut Vec<Element<'t>>) -> Self {
        Self {
            source,
            elements,
            nesting: Nesting::default(),
            error: None,
            tag_start: 0,
            name: Vec::new(),
            is_end_tag: false,
            is_self_closing: false,
            attributes: Vec::new(),
            last_start_tag: Vec::new(),
        }
    }

    fn start_tag(&mut self) -> Option<State> {
        let mut element = Element {
            name: text(&self.name),
            attributes: take(&mut self.attributes).into_iter().map(|partial| self.attribute(&partial)).collect(),
            span: self.tag_start..self.source.position(),
            content: None,
        };
        let mut names = BTreeSet::new();
        element.attributes.retain(|attribute| names.insert(attribute.name.clone()));
        self.last_start_tag = take(&mut self.name);
        let state = self.nesting.start(&mut element, self.elements.len(), self.is_self_closing);
        if state.is_none() {
            self.error.get_or_insert(SyntaxError { offset: self.tag_start, kind: SyntaxErrorKind::TooDeep });
        }
        self.elements.push(element);
        state
    }

    fn attribute(&self, partial: &Partial) -> Attribute {
        let rest = &self.source.text[partial.start..];
        let length = partial.ends.map_or(0, |ends| rest.find(ends).unwrap_or(rest.len()));
        let span = partial.start..partial.start + length;
        Attribute { name: text(&partial.name), value: text(&partial.value), span }
    }

    /// Gives the scripts and styles that ended their text, which ends at `end`.
    fn finish(&mut self, end: usize) {
        for open in take(&mut self.nesting.closed) {
            let Some(element) = open.wanted.and_then(|index| self.elements.get_mut(index)) else { continue };
            let span = element.span.end..end;
            let written = &self.source.text[span.clone()];
            let text = match open.text.map(|gathered| text(&gathered)) {
                Some(gathered) if gathered != written => Cow::Owned(gathered),
                _ => Cow::Borrowed(written),
            };
            element.content = Some(RawText { text, span });
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Emitter for Sink<'_, '_> {
    type Token = SyntaxError;

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start_tag = last_start_tag.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.nesting.end_all();
        self.finish(self.source.text.len());
    }

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<SyntaxError> {
        self.error.take()
    }

    fn emit_string(&mut self, characters: &[u8]) {
        if let Some(gathered) = self.nesting.gathered() {
            gathered.extend(characters);
        }
    }

    fn start_open_tag(&mut self) {
        self.tag_start = self.source.position() - 1;
    }

    fn init_start_tag(&mut self) {
        self.name.clear();
        self.attributes.clear();
        (self.is_end_tag, self.is_self_closing) = (false, false);
    }

    fn init_end_tag(&mut self) {
        self.name.clear();
        self.attributes.clear();
        (self.is_end_tag, self.is_self_closing) = (true, false);
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let state = if self.is_end_tag {
            self.nesting.end(&text(&self.name));
            None
        } else {
            self.start_tag()
        };
        self.finish(self.tag_start);
        state
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.name.extend(name);
    }

    fn init_attribute(&mut self) {
        self.attributes.push(Partial { start: self.source.position() - 1, ..Partial::default() });
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        if let Some(attribute) = self.attributes.last_mut() {
            attribute.name.extend(name);
        }
    }

    // The tokenizer has just taken the opening quote, or the first byte of a value without quotes.
    fn init_attribute_value(&mut self) {
        let at = self.source.position() - 1;
        let (start, ends): (usize, &[char]) = match self.source.text.as_bytes()[at] {
            b'"' => (at + 1, &['"']),
            b'\'' => (at + 1, &['\'']),
            _ => (at, &['\t', '\n', '\u{c}', '\r', ' ', '>']),
        };
        if let Some(attribute) = self.attributes.last_mut() {
            (attribute.start, attribute.ends) = (start, Some(ends));
        }
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if let Some(attribute) = self.attributes.last_mut() {
            attribute.value.extend(value);
        }
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end_tag && !self.name.is_empty() && self.name == self.last_start_tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.nesting.is_in_drawing()
    }

    // Comments and doctypes are no elements.
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn emit_current_doctype(&mut self) {}
}
