//! What the page shows of elements and of the whole model: details, overview. What it lists stands in `lists`.
//!
//! Owns the shapes of the viewer (`www/core/src/types.ts`, the model). Differs from the SDK's on purpose: values are
//! single cells, and occurrence and type are already merged.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use crate::facts::Counts;
use crate::model::Model;
use crate::query::has_value;
use crate::shapes::{Classification, Document, ExpressId, Material, PropertySet, QuantitySet, TypeProperties, Warning};

/// A row of the table: an element or a space.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    pub id: ExpressId,
    pub r#type: String,
    pub name: Option<String>,
    pub global_id: Option<String>,
    pub storey: Option<String>,
    /// Of the storey, also where it has no name.
    pub storey_id: Option<ExpressId>,
}

/// One element in the properties panel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detail {
    #[serde(flatten)]
    pub row: Row,
    pub description: Option<String>,
    pub object_type: Option<String>,
    pub tag: Option<String>,
    pub predefined_type: Option<String>,
    pub groups: Vec<Group>,
    /// Its type with the type's own sets.
    pub type_object: Option<TypeObject>,
    pub material: Option<Material>,
    /// The symbol that the layers of the material are measured in.
    pub thickness_unit: Option<String>,
    pub classifications: Vec<Classification>,
    pub documents: Vec<Document>,
}

/// The type of an element in the properties panel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeObject {
    pub id: ExpressId,
    pub r#type: String,
    pub name: Option<String>,
    pub global_id: Option<String>,
    pub groups: Vec<Group>,
}

/// What the file measures in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileUnit {
    /// `LENGTHUNIT`, or a name of the file's own.
    pub kind: String,
    pub symbol: String,
}

/// A set in the properties panel, the type's members merged in behind the occurrence's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    pub name: String,
    /// It is one of `properties` or `quantities`.
    pub kind: &'static str,
    pub values: Vec<GroupValue>,
}

/// One line of a [`Group`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupValue {
    pub name: String,
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The measure of a property (`IfcLengthMeasure`), or the class of a quantity (`IfcQuantityArea`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
}

/// The head of the page: the figures of [`crate::describe`] with the numbers of the storeys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview {
    pub name: String,
    pub schema: String,
    pub size: u64,
    pub elements: usize,
    pub types: Vec<TypeCount>,
    pub storeys: Vec<StoreyCount>,
    pub without_storey: usize,
    pub problems: Vec<Warning>,
}

/// Products of one exact class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TypeCount {
    pub r#type: String,
    pub count: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoreyCount {
    pub id: ExpressId,
    pub name: Option<String>,
    pub elevation: Option<f64>,
    pub count: usize,
}

impl Model {
    /// The properties panel of each product; numbers that are none are left out.
    pub fn details(&self, ids: &[ExpressId]) -> Vec<Detail> {
        let mut storeys = HashMap::new();
        ids.iter().filter_map(|id| self.detail(*id, &mut storeys)).collect()
    }

    fn row(&self, id: ExpressId, storeys: &mut HashMap<ExpressId, Option<String>>) -> Option<Row> {
        let entity = self.entity(id)?;
        let name_of = |storey| self.entity(storey).and_then(|storey| storey.name);
        let storey_id = self.storey(id);
        let storey = storey_id.and_then(|storey| storeys.entry(storey).or_insert_with(|| name_of(storey)).clone());
        Some(Row { id, r#type: entity.r#type, name: entity.name, global_id: entity.global_id, storey, storey_id })
    }

    fn detail(&self, id: ExpressId, storeys: &mut HashMap<ExpressId, Option<String>>) -> Option<Detail> {
        let row = self.row(id, storeys)?;
        let entity = self.entity(id)?;
        let of_type = self.type_properties(id);
        let groups = self.groups(id, of_type.as_ref());
        let type_object = of_type.map(|found| TypeObject {
            groups: groups_of(found.properties, found.quantities),
            id: found.type_id,
            r#type: found.r#type,
            name: found.type_name,
            global_id: found.global_id,
        });
        let length = self.units().all().iter().find(|(kind, _)| kind == "LENGTHUNIT");
        Some(Detail {
            row,
            description: entity.description,
            object_type: entity.object_type,
            tag: entity.tag,
            predefined_type: entity.predefined_type,
            groups,
            type_object,
            material: self.material(id),
            thickness_unit: length.map(|(_, symbol)| symbol.clone()),
            classifications: self.classifications(id),
            documents: self.documents(id),
        })
    }

    /// The sets of an occurrence, its type's merged in behind them.
    pub(crate) fn groups(&self, id: ExpressId, of_type: Option<&TypeProperties>) -> Vec<Group> {
        let (properties, quantities) =
            of_type.map(|found| (found.properties.clone(), found.quantities.clone())).unwrap_or_default();
        let properties = self.properties(id).into_iter().chain(properties).collect();
        groups_of(properties, self.quantities(id).into_iter().chain(quantities).collect())
    }

    /// What the file measures in, in its order.
    pub fn file_units(&self) -> Vec<FileUnit> {
        let units = self.units().all().iter();
        units.map(|(kind, symbol)| FileUnit { kind: kind.clone(), symbol: symbol.clone() }).collect()
    }
}

impl Overview {
    /// Of a model; reads no property sets.
    pub fn of(model: &Model) -> Self {
        let counts = Counts::of(model);
        let storeys = counts.storeys.into_iter().map(|(id, storey)| StoreyCount {
            id,
            name: storey.name,
            elevation: storey.elevation,
            count: storey.products,
        });
        let types = counts.types.into_iter().map(|(class, count)| TypeCount { r#type: class, count });
        Self {
            name: model.filename().to_owned(),
            schema: model.schema().to_owned(),
            size: model.file_size(),
            elements: model.row_ids().len(),
            types: types.collect(),
            storeys: storeys.collect(),
            without_storey: counts.without_storey,
            problems: model.warnings().to_vec(),
        }
    }
}

fn groups_of(properties: Vec<PropertySet>, quantities: Vec<QuantitySet>) -> Vec<Group> {
    let mut groups = Vec::new();
    for set in properties {
        let values = set.properties.into_iter().map(|member| GroupValue {
            name: member.name,
            value: cell(member.value),
            unit: member.unit,
            measure: member.r#type,
        });
        merge(&mut groups, Group { name: set.name, kind: "properties", values: values.collect() });
    }
    for set in quantities {
        let values = set.quantities.into_iter().map(|member| GroupValue {
            name: member.name,
            value: cell(member.value),
            unit: member.unit,
            measure: Some(member.r#type),
        });
        merge(&mut groups, Group { name: set.name, kind: "quantities", values: values.collect() });
    }
    groups
}

/// Adds a group; of a group that is there already, only members that have no value yet.
fn merge(groups: &mut Vec<Group>, group: Group) {
    let Some(there) = groups.iter_mut().find(|there| there.name == group.name && there.kind == group.kind) else {
        groups.push(group);
        return;
    };
    for value in group.values {
        match there.values.iter_mut().find(|member| member.name == value.name) {
            Some(member) if has_value(&member.value) => {}
            Some(member) => *member = value,
            None => there.values.push(value),
        }
    }
}

/// A table cell holds one scalar: lists are joined, objects are JSON.
pub(crate) fn cell(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let texts: Vec<String> =
                items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect();
            Value::String(texts.join(", "))
        }
        Value::Object(_) => Value::String(value.to_string()),
        scalar => scalar,
    }
}
