//! Records by where they stand, which costs less than a whole entity and holds behind later changes.

use super::Model;
use crate::codes::NO_BRACKET;
use crate::schema::Class;
use crate::shapes::ExpressId;
use crate::step::file::Record;
use crate::step::lex::{Cursor, Token};
use crate::step::{grammar, text, value};

/// The attribute of an [`Entity`](crate::Entity) that is an enumeration item.
pub(super) const PREDEFINED_TYPE: &str = "PredefinedType";

/// Where a record stands: its number, its first byte behind each other the file and what was written since, and its
/// class. A record that was changed still stands where it stood.
pub type RecordPlace = [u32; 3];

impl Model {
    /// Where an instance stands now; `None` when the file has no such number.
    pub fn place(&self, id: ExpressId) -> Option<RecordPlace> {
        self.record(id).map(|Record { id, at, keyword }| [id, at, keyword])
    }

    /// A member of [`Entity`](crate::Entity) by the name of its attribute, of the instance that stood there, also behind later changes.
    pub fn member_at(&self, place: RecordPlace, attribute: &str) -> Option<String> {
        let position = self.class_at(place)?.position(attribute)?;
        let value = value::decode_one(&mut self.cursor_at(place)?, position).ok()??;
        let text = if attribute == PREDEFINED_TYPE { value.as_enum() } else { value.as_text() };
        text.map(str::to_owned)
    }

    /// The class of the instance that stood there, as the schema spells it.
    pub fn class_name_at(&self, place: RecordPlace) -> Option<&str> {
        self.cursor_at(place).and_then(|_| self.class_at(place)).map(|class| class.name.as_str())
    }

    pub(super) fn class_at(&self, [_, _, keyword]: RecordPlace) -> Option<&Class> {
        self.classes.get(keyword as usize)
    }

    /// The cursor before the values of the record; `None` when another one stands there, as in a file that was opened
    /// anew.
    pub(super) fn cursor_at(&self, [id, at, _]: RecordPlace) -> Option<Cursor<'_>> {
        let at = at as usize;
        let mut cursor = match at.checked_sub(self.bytes.len()) {
            Some(at) => Cursor::new(&self.written, at),
            None => Cursor::new(&self.bytes, at),
        };
        let (found, _) = grammar::record_head(&mut cursor).ok()?;
        (found == id).then_some(cursor)
    }

    /// Whether the first attribute of a record is this text.
    pub(crate) fn begins_with_text(&self, Record { id, at, keyword }: Record, wanted: &str) -> bool {
        let first = self.cursor_at([id, at, keyword]).and_then(|mut cursor| {
            cursor.expect(b'(', &NO_BRACKET).ok()?;
            cursor.token().ok()
        });
        matches!(first, Some(Token::Text(raw)) if raw == wanted.as_bytes() || raw.contains(&b'\\') && text::decode(raw) == wanted)
    }
}
