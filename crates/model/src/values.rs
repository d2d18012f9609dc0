//! Every value of a run of rows at once: what the page searches, filters, counts and exports.
//!
//! Invariant: an element has at most one value of a property or quantity, the effective one of [`Model::details`]; of a
//! relation (material, classification) it may have several.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use crate::model::Model;
use crate::query::has_value;
use crate::shapes::{ExpressId, TypeProperties};

/// What a value is a value of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct ValueColumn {
    /// Empty for attributes and relations.
    pub set: String,
    pub name: String,
    /// One of `properties`, `quantities`, `attributes` or `relations`.
    pub kind: &'static str,
    pub unit: Option<String>,
    /// The measure of a property, or the class of a quantity.
    pub measure: Option<String>,
}

/// The values of some rows: place `i` of the three lists is one value, by its places in rows, columns and values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ValueBlock {
    pub columns: Vec<ValueColumn>,
    pub values: Vec<Value>,
    pub row: Vec<u32>,
    pub column: Vec<u32>,
    pub value: Vec<u32>,
}

impl Model {
    /// The values of the rows from one place in [`Model::rows`] to another, which is not among them.
    pub fn values(&self, from: usize, to: usize) -> ValueBlock {
        let mut block = Writer::default();
        let mut types: HashMap<ExpressId, Option<TypeProperties>> = HashMap::new();
        for (at, id) in self.row_ids().iter().copied().enumerate().take(to).skip(from) {
            let of_type = self
                .type_of(id)
                .and_then(|found| types.entry(found).or_insert_with(|| self.type_properties(id)).clone());
            block.row = at as u32;
            for group in self.groups(id, of_type.as_ref()) {
                for member in group.values.into_iter().filter(|member| has_value(&member.value)) {
                    let (set, name, kind) = (group.name.clone(), member.name, group.kind);
                    let column = ValueColumn { set, name, kind, unit: member.unit, measure: member.measure };
                    block.add(column, member.value);
                }
            }
            self.attributes_of(id, &mut block);
            block.relation("TypeName", of_type.and_then(|found| found.type_name));
            let material = self.material(id);
            let layers = material.iter().flat_map(|found| &found.layers).filter_map(|layer| layer.name.clone());
            let mut names: Vec<String> = material.iter().filter_map(|found| found.name.clone()).chain(layers).collect();
            names.dedup();
            for name in names {
                block.relation("Material", Some(name));
            }
            for class in self.classifications(id) {
                let parts: Vec<String> =
                    [class.system, class.identification, class.name].into_iter().flatten().collect();
                block.relation("Classification", Some(parts.join(" ")));
            }
        }
        block.block
    }

    fn attributes_of(&self, id: ExpressId, block: &mut Writer) {
        let Some(entity) = self.entity(id) else { return };
        for (name, value) in [
            ("Tag", entity.tag),
            ("Description", entity.description),
            ("ObjectType", entity.object_type),
            ("PredefinedType", entity.predefined_type),
        ] {
            block.text("attributes", name, value);
        }
    }
}

#[derive(Default)]
struct Writer {
    block: ValueBlock,
    row: u32,
    columns: HashMap<ValueColumn, u32>,
    values: HashMap<String, u32>,
}

impl Writer {
    fn relation(&mut self, name: &str, value: Option<String>) {
        self.text("relations", name, value);
    }

    fn text(&mut self, kind: &'static str, name: &str, value: Option<String>) {
        if let Some(text) = value.filter(|text| !text.is_empty()) {
            let column = ValueColumn { set: String::new(), name: name.to_owned(), kind, unit: None, measure: None };
            self.add(column, Value::String(text));
        }
    }

    fn add(&mut self, column: ValueColumn, value: Value) {
        let columns = &mut self.block.columns;
        let column = *self.columns.entry(column).or_insert_with_key(|column| {
            columns.push(column.clone());
            columns.len() as u32 - 1
        });
        let values = &mut self.block.values;
        // A text is told from a number by its quotes.
        let place = *self.values.entry(value.to_string()).or_insert_with(|| {
            values.push(value);
            values.len() as u32 - 1
        });
        self.block.row.push(self.row);
        self.block.column.push(column);
        self.block.value.push(place);
    }
}
