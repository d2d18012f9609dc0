//! The answers of `bim.model` and `bim.query` as typed values (spec: ifc-sdk.md §3, Types).
//!
//! Owns the spelling of every member: `serde` writes exactly what extension code reads. Absent values are
//! `null`, never left out, so that a panel needs no second check.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The number of an instance in its file, `#12` is 12.
pub type ExpressId = u32;

/// Names one instance of one loaded model.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityRef {
    pub model_id: String,
    /// Its number in the file.
    pub express_id: ExpressId,
}

/// An instance as lists of the SDK show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub r#ref: EntityRef,
    /// `GlobalId`; null for what is not rooted.
    pub global_id: Option<String>,
    /// The exact class, as the schema spells it.
    pub r#type: String,
    pub name: Option<String>,
    pub description: Option<String>,
    pub object_type: Option<String>,
    pub tag: Option<String>,
    /// `PredefinedType`, the bare enumeration item.
    pub predefined_type: Option<String>,
}

/// A loaded model as `bim.model` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelInfo {
    pub id: String,
    pub name: String,
    /// It is one of `IFC2X3`, `IFC4` or `IFC4X3`.
    pub schema: String,
    /// Instances in the data section.
    pub entity_count: usize,
    pub file_size: u64,
    /// When the host loaded it, ISO 8601; the host's clock.
    pub loaded_at: String,
}

/// One attribute of an instance, in schema order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attribute {
    /// As the schema spells it.
    pub name: String,
    /// Texts, numbers, booleans, enumeration items as JSON; a reference is an [`EntityRef`]; absent is null.
    pub value: Value,
}

/// A property set of an occurrence or a type object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertySet {
    /// The set's name; empty when the file gives none.
    pub name: String,
    pub global_id: Option<String>,
    /// In the order of the file.
    pub properties: Vec<Property>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Property {
    pub name: String,
    /// The value; enumerated and list properties are arrays, complex and bounded ones objects.
    pub value: Value,
    /// The measure (`IfcLabel`), or the property's class where it has no single measure.
    pub r#type: Option<String>,
    /// The unit's symbol; the SDK gives none.
    #[serde(skip)]
    pub unit: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuantitySet {
    pub name: String,
    pub global_id: Option<String>,
    /// In the order of the file.
    pub quantities: Vec<Quantity>,
}

/// One quantity, in the file's unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    pub name: String,
    /// The number; null when the file gives none.
    pub value: Value,
    /// The unit's symbol (`mm`, `m²`); null when the file does not say.
    pub unit: Option<String>,
    /// The quantity's class (`IfcQuantityArea`); the SDK gives none.
    #[serde(skip)]
    pub r#type: String,
}

/// A type object with its sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeProperties {
    /// Number of the type object.
    pub type_id: ExpressId,
    pub type_name: Option<String>,
    pub r#type: String,
    pub global_id: Option<String>,
    pub properties: Vec<PropertySet>,
    pub quantities: Vec<QuantitySet>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classification {
    /// Name of the classification system.
    pub system: Option<String>,
    pub identification: Option<String>,
    /// The title of the class.
    pub name: Option<String>,
    pub location: Option<String>,
}

/// The material of an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Name of the material, layer set or list; the first member's where the set has none.
    pub name: Option<String>,
    /// The class (`IfcMaterial`, `IfcMaterialLayerSet`, …).
    pub kind: String,
    /// Layers, profiles, constituents or list members; empty for a single material.
    pub layers: Vec<Layer>,
}

/// One layer (or other member) of a material.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    pub name: Option<String>,
    /// In the file's length unit; null where the member has no thickness.
    pub thickness: Option<f64>,
}

/// A document that an element refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub name: Option<String>,
    pub identification: Option<String>,
    pub location: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relationships {
    /// Openings in it; of an opening: the element that it cuts.
    pub voids: Vec<Entity>,
    /// Of an opening: what fills it; of a filling: the opening.
    pub fills: Vec<Entity>,
    /// Groups, systems and zones that it is assigned to.
    pub groups: Vec<Entity>,
    pub connections: Vec<Entity>,
}

/// Which way `related` walks a relationship.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the relating side to the related one (storey → elements).
    #[default]
    Forward,
    /// From the related side to the relating one (element → storey).
    Inverse,
}

/// Something in the file that could not be read; the rest opened (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub code: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong and what it means.
    pub message: String,
    /// What the message is said from in other languages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

/// The file cannot be opened at all: `MODEL_INVALID` (spec: ifc-sdk.md §7.1).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("line {line}: {message}")]
pub struct InvalidModelError {
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong and what to do.
    pub message: String,
    /// What the message is said from in other languages.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub args: Map<String, Value>,
}

impl InvalidModelError {
    /// The stable code of the error and of every [`Warning`].
    pub const CODE: &'static str = "MODEL_INVALID";
}

/// A name that is no class of any supported schema; `SDK_ARGUMENT` of `byType`, `count`, `related`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("`{name}` is no IFC class; the nearest is `{nearest}`")]
pub struct UnknownClassError {
    pub name: String,
    /// The class whose name is nearest.
    pub nearest: String,
}
