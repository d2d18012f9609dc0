//! Signatures of the crate while its bodies are written.
#![allow(missing_docs, unused_variables, clippy::todo, clippy::needless_pass_by_value)]
use crate::shapes::*;
use serde_json::Value;

pub struct Model {}
impl Model {
    pub fn open(bytes: impl Into<Vec<u8>>, filename: &str) -> Result<Model, ModelInvalid> { todo!() }
    /// The same, telling how many of the file's bytes are done.
    pub fn open_with(bytes: impl Into<Vec<u8>>, filename: &str, progress: &mut dyn FnMut(u64, u64)) -> Result<Model, ModelInvalid> { todo!() }
    /// `modelId` of every ref that it answers (default `model-1`).
    #[must_use] pub fn with_id(self, id: impl Into<String>) -> Self { todo!() }
    pub fn id(&self) -> &str { todo!() }
    pub fn filename(&self) -> &str { todo!() }
    /// `IFC2X3`, `IFC4`, `IFC4X3`.
    pub fn schema(&self) -> &'static str { todo!() }
    pub fn entity_count(&self) -> usize { todo!() }
    pub fn file_size(&self) -> u64 { todo!() }
    pub fn warnings(&self) -> &[Warning] { todo!() }
    pub fn info(&self, loaded_at: &str) -> ModelInfo { todo!() }

    // Lists are express ids, ascending; `entity` makes the Entity.
    pub fn all(&self) -> Vec<ExpressId> { todo!() }
    pub fn by_type(&self, types: &[&str]) -> Result<Vec<ExpressId>, UnknownClass> { todo!() }
    /// All products when `types` is empty.
    pub fn count(&self, types: &[&str]) -> Result<usize, UnknownClass> { todo!() }
    pub fn entity(&self, id: ExpressId) -> Option<Entity> { todo!() }
    pub fn entities(&self, ids: &[ExpressId]) -> Vec<Entity> { todo!() }
    pub fn by_global_id(&self, global_id: &str) -> Option<ExpressId> { todo!() }
    pub fn by_name(&self, name: &str) -> Option<ExpressId> { todo!() }
    pub fn attributes(&self, id: ExpressId) -> Vec<Attribute> { todo!() }
    pub fn properties(&self, id: ExpressId) -> Vec<PropertySet> { todo!() }
    pub fn type_properties(&self, id: ExpressId) -> Option<TypeProperties> { todo!() }
    /// Effective; `Value::Null` when absent.
    pub fn property(&self, id: ExpressId, set: &str, name: &str) -> Value { todo!() }
    pub fn quantities(&self, id: ExpressId) -> Vec<QuantitySet> { todo!() }
    pub fn quantity(&self, id: ExpressId, set: &str, name: &str) -> Value { todo!() }
    pub fn classifications(&self, id: ExpressId) -> Vec<Classification> { todo!() }
    pub fn material(&self, id: ExpressId) -> Option<Material> { todo!() }
    pub fn documents(&self, id: ExpressId) -> Vec<Document> { todo!() }
    pub fn relationships(&self, id: ExpressId) -> Relationships { todo!() }
    pub fn related(&self, id: ExpressId, relationship: &str, direction: Direction) -> Result<Vec<ExpressId>, UnknownClass> { todo!() }
    pub fn contained_in(&self, id: ExpressId) -> Option<ExpressId> { todo!() }
    pub fn contains(&self, id: ExpressId) -> Vec<ExpressId> { todo!() }
    /// The whole.
    pub fn decomposed_by(&self, id: ExpressId) -> Option<ExpressId> { todo!() }
    /// The parts.
    pub fn decomposes(&self, id: ExpressId) -> Vec<ExpressId> { todo!() }
    pub fn storey(&self, id: ExpressId) -> Option<ExpressId> { todo!() }
    pub fn path(&self, id: ExpressId) -> Vec<ExpressId> { todo!() }
    /// By elevation, then name.
    pub fn storeys(&self) -> Vec<ExpressId> { todo!() }
}

/// The figures of `holdpoint model --json`, serde in that shape.
pub struct Facts {}
pub fn describe(model: &Model) -> Facts { todo!() }

pub mod fixtures {
    //! The canonical fixtures as IFC text.
    /// Ids of the fixtures that can be written, in the order of the data.
    pub fn ids() -> &'static [&'static str] { todo!() }
    /// The IFC text of a canonical fixture.
    pub fn write(id: &str) -> Result<String, UnknownFixture> { todo!() }
    #[derive(Debug)]
    pub struct UnknownFixture { pub id: String }
}
