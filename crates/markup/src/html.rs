//! Pages: which elements a page has, with which attributes, and what stands in its scripts and styles.
//!
//! Read as Vite reads a page, by parse5 with scripting off:
//! - raw text are `script` (with its escaped states), `style`, `xmp`, `iframe`, `noembed`, `noframes`, `plaintext`,
//!   `title` and `textarea`; `noscript` is not, and `template` holds elements like any other;
//! - inside `svg` and `math` nothing is raw text, character references and `CDATA` are read, `/>` closes, and a tag of
//!   HTML ends the drawing. A `script` or `style` there counts like one outside, as Vite counts them;
//! - `<image>` outside a drawing is an `img`; comments, doctype and end tags are no elements; a tag that the end of the
//!   page cuts off is none.
//!
//! No tree is built: an element that parse5 would drop for its place (an `img` in a `select`, anything in a `frameset`)
//! is reported.

mod nesting;
mod reader;
mod sink;

use std::borrow::Cow;
use std::ops::Range;

use html5gum::Tokenizer;

use crate::SyntaxError;
use reader::PageSource;
use sink::Sink;

/// A start tag of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element<'t> {
    /// In lower case, also in a drawing (`foreignobject`).
    pub name: String,
    /// In the order of the source. Of attributes with one name only the first is here.
    pub attributes: Vec<Attribute>,
    /// The tag from `<` to `>`.
    pub span: Range<usize>,
    /// What stands in a `script` or `style`.
    pub content: Option<RawText<'t>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    pub name: String,
    /// The value with its character references decoded.
    pub value: String,
    /// The value as it is written, without its quotes. Of an attribute without a value: empty, before its name.
    pub span: Range<usize>,
}

/// The text of a `script` or `style`, up to its end tag or the end of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawText<'t> {
    /// Borrowed as written: a byte of it stands `span.start` further in the page. Owned only in a drawing, where
    /// character references are decoded, and comments and tags left out.
    pub text: Cow<'t, str>,
    pub span: Range<usize>,
}

impl Element<'_> {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }
}

/// The elements of a page in the order of their tags. The only fault is
/// [`TooDeep`](crate::SyntaxErrorKind::TooDeep).
pub fn read(text: &str) -> Result<Vec<Element<'_>>, SyntaxError> {
    let source = PageSource::new(text);
    let mut elements = Vec::new();
    let mut tokenizer = Tokenizer::new_with_emitter(source.reader(), Sink::new(&source, &mut elements));
    match tokenizer.next() {
        Some(Ok(error)) => Err(error),
        None => Ok(elements),
    }
}
