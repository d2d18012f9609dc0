//! Whole instances: raw ones, elements on a storey, and their end.

use serde_json::Value;

use super::values::{attribute, reference};
use super::{EditError, Editing, ModelEdit};
use crate::codes::{ATTRIBUTE_VALUE, ATTRIBUTES, INDEX, INSTANCE_CLASS, OBJECT};
use crate::create::{Body, CreateRefused, Home, Params, Sort, rooted, store};
use crate::draft::{Draft, remeasured};
use crate::model::Model;
use crate::relations::Role;
use crate::schema::class_name;
use crate::shapes::ExpressId;
use crate::step::Arg;

/// What a relationship may keep without: `RelatedObjects` of one that has none is empty, and such a list must not be.
const LISTS: [&str; 4] = ["RelatedObjects", "RelatedElements", "RelatedTasks", "RelatedResourceObjects"];

impl Model {
    /// Adds an instance: a class of the schema, and attributes by name or in their order.
    pub fn add_entity(&mut self, class: &str, attributes: &Value) -> Result<(ExpressId, Vec<ModelEdit>), EditError> {
        let schema = self.schema_version();
        let refused = || EditError::argument("def", &INSTANCE_CLASS);
        let class = class_name(class).map_err(|_| refused())?;
        let concrete = schema.entity_info(class).is_some_and(|info| !info.is_abstract);
        if !concrete {
            return Err(refused());
        }
        let refused = || EditError::argument("def", &ATTRIBUTES);
        let names = schema.attribute_names(class).unwrap_or_default();
        let slots: Vec<_> = schema.attributes(class).into_iter().flatten().collect();
        let given: Vec<(&str, &Value)> = match attributes {
            Value::Null => Vec::new(),
            Value::Object(members) => members.iter().map(|(name, value)| (name.as_str(), value)).collect(),
            Value::Array(items) if items.len() <= names.len() => names.iter().copied().zip(items).collect(),
            _ => return Err(refused()),
        };
        let mut values = Vec::with_capacity(given.len());
        for (name, value) in given {
            let at = names.iter().position(|known| *known == name).ok_or_else(refused)?;
            let value = attribute(name, slots[at], value).ok_or_else(refused)?;
            self.refers(&value)?;
            values.push((name, value));
        }
        // An identity that is given as null is made.
        values.retain(|(name, value)| *name != "GlobalId" || *value != Arg::Null);
        self.change(|editing| editing.add(class, &values))
    }

    /// Sets any attribute by its position.
    pub fn set_positional(&mut self, id: ExpressId, index: usize, value: &Value) -> Result<Vec<ModelEdit>, EditError> {
        let instance = self.instance(id).ok_or(EditError::NotFound(id))?;
        let refused = || EditError::argument("index", &INDEX);
        let class = instance.class.name.clone();
        let name = *instance.class.attributes.get(index).ok_or_else(refused)?;
        let slot = self.schema_version().attributes(&class).into_iter().flatten().nth(index).ok_or_else(refused)?;
        if index >= instance.args.len() {
            return Err(refused());
        }
        let kept = if reference(value).is_none() { remeasured(&instance.args[index], value) } else { None };
        let value = kept.or_else(|| attribute(name, slot, value));
        let value = value.ok_or_else(|| EditError::argument("value", &ATTRIBUTE_VALUE))?;
        self.refers(&value)?;
        self.change(|editing| editing.rewrite(id, |args, _| args[index] = value)).map(|((), edits)| edits)
    }

    /// Removes an object or relationship, and takes it out of the relationships of others.
    pub fn remove_entity(&mut self, id: ExpressId) -> Result<Vec<ModelEdit>, EditError> {
        let class = self.class_of(id).ok_or(EditError::NotFound(id))?;
        if !class.is_a("IfcObjectDefinition") && !class.is_a("IfcRelationship") || class.is_a("IfcProject") {
            return Err(EditError::argument("entity", &OBJECT));
        }
        let done = self.change(|editing| {
            let (relating, related) = editing.model.relations().around(id, None);
            for relation in relating {
                editing.put(relation, None)?;
            }
            for relation in related {
                let lists = |model: &Model| {
                    let found = model.instance(relation)?;
                    let holds = |name: &&&str| {
                        matches!(found.get(name), Arg::List(_)) && found.get(name).references().contains(&id)
                    };
                    LISTS.iter().find(holds).copied()
                };
                match lists(editing.model) {
                    Some(list) => editing.leave(relation, list, id)?,
                    None => editing.put(relation, None)?,
                }
            }
            editing.put(id, None)
        });
        done.map(|((), edits)| edits)
    }

    /// Adds an element to a storey: a method of `bim.store` such as `addWall`, with its parameters.
    pub fn add_element(
        &mut self,
        method: &str,
        storey: ExpressId,
        params: &Value,
    ) -> Result<(ExpressId, Vec<ModelEdit>), EditError> {
        let kind = store(method).ok_or(CreateRefused::NotFound(Sort::Method, 0.0))?;
        let requires =
            holdpoint_sdk::members::sdk().method("store", method).and_then(|known| known.requires.as_deref());
        let params = Params::read(params, requires)?;
        if !self.is_a(storey, "IfcBuildingStorey") {
            return Err(CreateRefused::NotFound(Sort::Storey, f64::from(storey)).into());
        }
        let body = Body::read(kind.form, params, |id| self.is_a(id, "IfcProfileDef"))?;
        let given = rooted(params, kind.class.strip_prefix("Ifc").unwrap_or(kind.class))?;
        let placement = self.instance(storey).and_then(|found| found.get("ObjectPlacement").as_ref());
        let within = placement.filter(|_| kind.home == Home::Storey);
        self.change(|editing| {
            let mut draft = Draft::within(editing.writer(), editing.model.body_context(), editing.model.per_metre());
            let (place, _, shape) = body.write(within, &mut draft);
            let mut attributes = given.attributes;
            attributes.push(("ObjectPlacement", Arg::Ref(place)));
            attributes.push(("Representation", Arg::Ref(shape)));
            let id = draft.writer.add(kind.class, &attributes);
            editing.take(&draft.writer.into_records()?)?;
            editing.join(storey, id, kind.class == "IfcSpace")?;
            Ok(id)
        })
    }

    /// Whether every instance that a value names is there.
    fn refers(&self, value: &Arg) -> Result<(), EditError> {
        let missing = value.references().into_iter().find(|id| self.class_of(*id).is_none());
        missing.map_or(Ok(()), |id| Err(EditError::NotFound(id)))
    }

    /// The context in which bodies are drawn.
    fn body_context(&self) -> Option<ExpressId> {
        let context = self.first_of("IfcGeometricRepresentationSubContext");
        context.or_else(|| self.first_of("IfcGeometricRepresentationContext"))
    }

    fn per_metre(&self) -> f64 {
        let metre = self.units().in_metres(1.0);
        if metre > 0.0 { 1.0 / metre } else { 1.0 }
    }
}

impl Editing<'_> {
    /// Puts an element into a storey, beside what is there.
    fn join(&mut self, storey: ExpressId, element: ExpressId, as_part: bool) -> Result<(), EditError> {
        let (class, whole, list, role) = if as_part {
            ("IfcRelAggregates", "RelatingObject", "RelatedObjects", Role::Parts)
        } else {
            ("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements", Role::Contains)
        };
        let (relations, _) = self.model.relations().around(storey, Some(role));
        let known = relations
            .into_iter()
            .find(|relation| self.model.class_of(*relation).is_some_and(|found| found.name == class));
        let Some(relation) = known else {
            let sides = [(whole, Arg::Ref(storey)), (list, Arg::refs([element]))];
            return self.add(class, &sides).map(|_| ());
        };
        self.rewrite(relation, |args, position| {
            if let Some(Arg::List(elements)) = position(list).and_then(|at| args.get_mut(at)) {
                elements.push(Arg::Ref(element));
            }
        })
    }
}
