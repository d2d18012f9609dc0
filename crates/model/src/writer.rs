//! Writes an IFC file record by record, attributes by name.
//!
//! Owns numbering, `GlobalId`s, the header and what a schema demands; the caller says what stands in the model.
//! Invariant: the same calls give the same bytes, and every record has exactly the attributes of its class in the
//! schema, so that one caller can write all schemas.

use std::fmt::Write as _;

use ifc_lite_core::{AttrKind, SchemaVersion};

use crate::schema::schema_identifier;
use crate::step::Arg;
use crate::step::header::Header;

/// The characters of a compressed `GlobalId`, by value.
const GLOBAL_ID_DIGITS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Writer {
    schema: SchemaVersion,
    /// Makes the `GlobalId`s of this file its own.
    name: String,
    data: String,
    last: u32,
    rooted: u32,
    owner_history: Option<u32>,
    /// A record was left out because no number is left for it.
    full: bool,
}

/// All numbers that an instance can have are used or referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the numbers of instances end at 4294967295")]
pub(crate) struct NoNumberError;

impl Writer {
    pub(crate) fn new(schema: SchemaVersion, name: &str) -> Self {
        Self {
            schema,
            name: name.to_owned(),
            data: String::new(),
            last: 0,
            rooted: 0,
            owner_history: None,
            full: false,
        }
    }

    /// A writer that goes on behind the records of a model: numbers follow `last`.
    pub(crate) fn behind(schema: SchemaVersion, name: &str, last: u32, owner_history: Option<u32>) -> Self {
        Self { last, owner_history, ..Self::new(schema, name) }
    }

    /// The schema that is written.
    pub(crate) fn schema(&self) -> SchemaVersion {
        self.schema
    }

    /// The number of the last record.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// The records alone, one a line. Errors: they have more numbers than there are.
    pub(crate) fn into_records(self) -> Result<String, NoNumberError> {
        if self.full { Err(NoNumberError) } else { Ok(self.data) }
    }

    /// Rooted records refer to it from now on.
    pub(crate) fn set_owner_history(&mut self, id: u32) {
        self.owner_history = Some(id);
    }

    /// Whether the schema has a class that may be written.
    pub(crate) fn has(&self, class: &str) -> bool {
        self.schema.entity_info(class).is_some_and(|info| !info.is_abstract)
    }

    /// Appends a record and answers its number. Attributes that the schema's class lacks are left out; those that
    /// are not given are `$`, or the neutral value where the schema demands one. Without a number nothing is written,
    /// and [`Writer::into_records`] says so.
    pub(crate) fn add(&mut self, class: &str, given: &[(&str, Arg)]) -> u32 {
        let Some(number) = self.last.checked_add(1) else {
            self.full = true;
            return self.last;
        };
        self.last = number;
        let names = self.schema.attribute_names(class).unwrap_or_default();
        let slots = self.schema.attributes(class).into_iter().flatten();
        let mut args = Vec::with_capacity(names.len());
        for (name, slot) in names.iter().zip(slots) {
            let value = given.iter().find(|(wanted, _)| wanted == name).map(|(_, value)| value.clone());
            args.push(match (value, *name) {
                (Some(value), _) => value,
                (None, "GlobalId") => self.next_global_id(),
                (None, "OwnerHistory") => self.owner_history.map_or(Arg::Null, Arg::Ref),
                (None, "CompositionType") => Arg::item("ELEMENT"),
                _ if slot.optional => Arg::Null,
                _ if slot.kind == AttrKind::Enum => Arg::item("NOTDEFINED"),
                _ if slot.kind == AttrKind::Logical => Arg::item("F"),
                _ => Arg::Null,
            });
        }
        let keyword = class.to_ascii_uppercase();
        writeln!(self.data, "#{}={keyword}{};", self.last, Arg::List(args)).expect("a text takes every write");
        self.last
    }

    /// The whole file; `date` is ISO text.
    pub(crate) fn finish(self, date: &str) -> String {
        file(&format!("{}.ifc", self.name), &Header::new(date), self.schema, &self.data)
    }

    fn next_global_id(&mut self) -> Arg {
        self.rooted += 1;
        Arg::Text(global_id(&format!("{}/{}", self.name, self.rooted)))
    }
}

/// A file of these records.
pub(crate) fn file(name: &str, header: &Header, schema: SchemaVersion, records: &str) -> String {
    let (statements, schema) = (header.statements(name), schema_identifier(schema));
    format!(
        "ISO-10303-21;\nHEADER;\n{statements}\
         FILE_SCHEMA(('{schema}'));\nENDSEC;\nDATA;\n{records}ENDSEC;\nEND-ISO-10303-21;\n"
    )
}

/// A compressed GUID of any text: FNV-1a over 128 bits, in base 64.
fn global_id(key: &str) -> String {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = key.bytes().fold(OFFSET, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    (0..22).rev().map(|digit| char::from(GLOBAL_ID_DIGITS[((hash >> (digit * 6)) & 63) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_the_attributes_of_its_schema() {
        let door = |schema| {
            let mut writer = Writer::new(schema, "test");
            writer.add("IfcDoor", &[("Name", Arg::text("Dörr")), ("PredefinedType", Arg::item("DOOR"))]);
            writer.data
        };
        let id = global_id("test/1");
        assert_eq!(door(SchemaVersion::Ifc2x3), format!("#1=IFCDOOR('{id}',$,'D\\X2\\00F6\\X0\\rr',$,$,$,$,$,$,$);\n"));
        assert_eq!(
            door(SchemaVersion::Ifc4),
            format!("#1=IFCDOOR('{id}',$,'D\\X2\\00F6\\X0\\rr',$,$,$,$,$,$,$,.DOOR.,$,$);\n")
        );
    }

    #[test]
    fn what_a_schema_demands_gets_a_neutral_value() {
        let mut writer = Writer::new(SchemaVersion::Ifc4, "test");
        writer.add("IfcWallType", &[("GlobalId", Arg::text("x"))]);
        assert_eq!(writer.data, "#1=IFCWALLTYPE('x',$,$,$,$,$,$,$,$,.NOTDEFINED.);\n");
    }

    #[test]
    fn global_ids_are_22_digits_of_128_bits() {
        let id = global_id("house-small/1");
        assert_eq!(id.len(), 22);
        assert!(('0'..='3').contains(&id.chars().next().unwrap()));
        assert_ne!(id, global_id("house-small/2"));
    }
}
