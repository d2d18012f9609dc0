//! The page as the tokenizer takes it, byte by byte, with the place up to which it was taken.

use std::cell::Cell;
use std::convert::Infallible;

use html5gum::Reader;

/// A page and how much of it was read. The tokenizer's own spans are not used: they are made by counting what it emits.
pub struct PageSource<'t> {
    pub text: &'t str,
    read: Cell<usize>,
}

impl<'t> PageSource<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, read: Cell::new(0) }
    }

    /// The place behind the last byte that the tokenizer asked for.
    pub fn position(&self) -> usize {
        self.read.get()
    }

    pub fn reader<'s>(&'s self) -> PageReader<'s, 't> {
        PageReader { source: self }
    }

    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.read.get()..]
    }
}

pub struct PageReader<'s, 't> {
    source: &'s PageSource<'t>,
}

impl Reader for PageReader<'_, '_> {
    type Error = Infallible;

    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        let byte = self.source.rest().first().copied();
        self.source.read.update(|read| read + usize::from(byte.is_some()));
        Ok(byte)
    }

    fn try_read_string(&mut self, wanted: &[u8], case_sensitive: bool) -> Result<bool, Infallible> {
        let found = self.source.rest().get(..wanted.len());
        let is_found = found
            .is_some_and(|found| if case_sensitive { found == wanted } else { found.eq_ignore_ascii_case(wanted) });
        self.source.read.update(|read| if is_found { read + wanted.len() } else { read });
        Ok(is_found)
    }
}
