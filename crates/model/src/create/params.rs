//! Parameters of `bim.create`: read by name, within their rules (spec: ifc-sdk.md §3 "`create`").
//!
//! Raw is the JSON that code gave; resolved is a number that is finite, a size that is positive, a text, an item.

use holdpoint_check::{Code, args};
use serde_json::{Map, Value};

use super::CreateRefused;
use crate::codes::{ITEM, LENGTH, MEMBERS, PAIR, POSITION, SIZE, STRING, WHOLE};
use crate::draft::Section;

type Vector = [f64; 3];

/// The parameter object of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Params<'p>(&'p Map<String, Value>);

impl<'p> Params<'p> {
    /// The object, with the members that `requires` names; `|` separates alternatives, `,` members.
    pub(crate) fn read(value: &'p Value, requires: Option<&str>) -> Result<Self, CreateRefused> {
        let requires = requires.unwrap_or_default();
        let refused = || CreateRefused::whole(&MEMBERS, args! { members: requires.replace(',', ", ") });
        let members = value.as_object().ok_or_else(refused)?;
        let params = Self(members);
        let complete = |alternative: &str| {
            let mut names = alternative.split(',').map(str::trim).filter(|name| !name.is_empty());
            names.all(|name| params.has(name))
        };
        if requires.split('|').any(complete) { Ok(params) } else { Err(refused()) }
    }

    pub(crate) fn get(self, name: &str) -> Option<&'p Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn number(self, name: &str) -> Result<f64, CreateRefused> {
        self.get(name).and_then(Value::as_f64).ok_or_else(|| CreateRefused::member(name, &LENGTH))
    }

    /// It is a number above 0.
    pub(crate) fn size(self, name: &str) -> Result<f64, CreateRefused> {
        let size = self.get(name).and_then(Value::as_f64).filter(|size| *size > 0.0);
        size.ok_or_else(|| CreateRefused::member(name, &SIZE))
    }

    /// A number above 0, or what is usual.
    pub(crate) fn size_or(self, name: &str, usual: f64) -> Result<f64, CreateRefused> {
        if self.has(name) { self.size(name) } else { Ok(usual) }
    }

    /// A whole number from 1 to `most`.
    pub(crate) fn count(self, name: &str, most: u64) -> Result<u64, CreateRefused> {
        let count = self.get(name).and_then(Value::as_f64).filter(|count| count.fract() == 0.0);
        let count = count.map(|count| count as u64).filter(|count| (1..=most).contains(count));
        count.ok_or_else(|| CreateRefused::member(name, &WHOLE))
    }

    /// `[x, y, z]`; `[x, y]` lies on the floor.
    pub(crate) fn position(self, name: &str) -> Result<Vector, CreateRefused> {
        self.get(name).and_then(vector).ok_or_else(|| CreateRefused::member(name, &POSITION))
    }

    /// The same, or the origin.
    pub(crate) fn position_or_origin(self, name: &str) -> Result<Vector, CreateRefused> {
        if self.has(name) { self.position(name) } else { Ok([0.0; 3]) }
    }

    pub(crate) fn text(self, name: &str) -> Result<Option<&'p str>, CreateRefused> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| CreateRefused::member(name, &STRING)),
        }
    }

    /// A text that must stand there.
    pub(crate) fn required_text(self, name: &str) -> Result<&'p str, CreateRefused> {
        self.text(name)?.ok_or_else(|| CreateRefused::member(name, &STRING))
    }

    /// An enumeration item such as `SOLIDWALL`, in capitals.
    pub(crate) fn item(self, name: &str) -> Result<Option<String>, CreateRefused> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let item = text.trim_matches('.').to_ascii_uppercase();
        let starts = item.starts_with(|first: char| first.is_ascii_uppercase());
        let rest = item.chars().all(|next| next.is_ascii_uppercase() || next.is_ascii_digit() || next == '_');
        if starts && rest { Ok(Some(item)) } else { Err(CreateRefused::member(name, &ITEM)) }
    }

    /// A list of `[x, y]`.
    fn points(self, name: &str, expected: &'static Code) -> Result<Vec<[f64; 2]>, CreateRefused> {
        let refused = || CreateRefused::member(name, expected);
        let points = self.get(name).and_then(Value::as_array).ok_or_else(refused)?;
        let mut points: Vec<[f64; 2]> = points.iter().map(pair).collect::<Option<_>>().ok_or_else(refused)?;
        // A line that is closed by hand ends where it begins.
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        if points.len() < 3 { Err(refused()) } else { Ok(points) }
    }

    /// A closed line as a section.
    pub(crate) fn outline(self, name: &str) -> Result<Section, CreateRefused> {
        Ok(Section::Polygon(self.points(name, &PAIR)?))
    }
}

/// Coordinates may be as large as this: more is no building.
const MAX_METRES: f64 = 1e9;

fn coordinate(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.abs() <= MAX_METRES)
}

fn vector(value: &Value) -> Option<Vector> {
    match value.as_array()?.as_slice() {
        [x, y] => Some([coordinate(x)?, coordinate(y)?, 0.0]),
        [x, y, z] => Some([coordinate(x)?, coordinate(y)?, coordinate(z)?]),
        _ => None,
    }
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    match value.as_array()?.as_slice() {
        [x, y] => Some([coordinate(x)?, coordinate(y)?]),
        _ => None,
    }
}
