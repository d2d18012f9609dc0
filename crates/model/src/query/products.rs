//! Products and attributes.

use serde_json::Value;

use super::properties::json;
use crate::model::Model;
use crate::schema::class_name;
use crate::shapes::{Attribute, ExpressId, UnknownClassError};

impl Model {
    /// Every `IfcProduct`: elements, spaces, spatial structure; not the project.
    pub fn all(&self) -> Vec<ExpressId> {
        self.products().to_vec()
    }

    /// Products of these classes and their subtypes, case ignored, no doubles.
    pub fn by_type(&self, types: &[&str]) -> Result<Vec<ExpressId>, UnknownClassError> {
        let classes = types.iter().map(|name| class_name(name)).collect::<Result<Vec<_>, _>>()?;
        let fits = |id: &ExpressId| {
            let class = self.class_of(*id);
            class.is_some_and(|class| classes.iter().any(|wanted| class.is_a(wanted)))
        };
        Ok(self.products().iter().copied().filter(fits).collect())
    }

    /// How many products of these classes; of all without any.
    pub fn count(&self, types: &[&str]) -> Result<usize, UnknownClassError> {
        if types.is_empty() {
            return Ok(self.products().len());
        }
        self.by_type(types).map(|found| found.len())
    }

    /// The first product of this name.
    pub fn by_name(&self, name: &str) -> Option<ExpressId> {
        let named =
            |id: &ExpressId| self.instance(*id).is_some_and(|product| product.get("Name").as_text() == Some(name));
        self.products().iter().copied().find(named)
    }

    /// The attributes of an instance in schema order; derived ones are null.
    pub fn attributes(&self, id: ExpressId) -> Vec<Attribute> {
        let Some(instance) = self.instance(id) else { return Vec::new() };
        let value = |position| instance.args.get(position).map_or(Value::Null, |arg| json(self, arg));
        let names = instance.class.attributes.iter().enumerate();
        names.map(|(position, name)| Attribute { name: (*name).to_owned(), value: value(position) }).collect()
    }
}
