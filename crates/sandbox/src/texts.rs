//! Texts of a model that were given to code lately, each kept once.
//!
//! Names of classes, storeys and types, and values such as ratings stand at thousands of elements: an extension that
//! keeps a row for each of them holds one text, not thousands.

use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use boa_engine::JsString;

const KEPT: usize = 1024;
/// Texts with more bytes are not kept.
const MAX_KEPT_BYTES: usize = 200;

#[derive(Debug, Default)]
pub(crate) struct Texts(RefCell<Vec<Option<JsString>>>);

impl Texts {
    pub(crate) fn of(&self, text: &str) -> JsString {
        if text.len() > MAX_KEPT_BYTES {
            return JsString::from(text);
        }
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let mut kept = self.0.borrow_mut();
        kept.resize(KEPT, None);
        let place = &mut kept[hasher.finish() as usize % KEPT];
        match place {
            Some(known) if known == text => known.clone(),
            _ => place.insert(JsString::from(text)).clone(),
        }
    }
}
