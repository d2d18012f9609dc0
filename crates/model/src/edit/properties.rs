//! Properties and attributes of one object: what others share with it stays theirs.

use serde_json::Value;

use super::{EditError, Editing, ModelEdit};
use crate::codes::{ATTRIBUTE, OBJECT};
use crate::draft::{nominal, remeasured};
use crate::model::Model;
use crate::relations::Role;
use crate::shapes::ExpressId;
use crate::step::Arg;
use crate::writer::Writer;

/// Attributes that can be set by name.
const ATTRIBUTES: [&str; 5] = ["Name", "Description", "ObjectType", "Tag", "LongName"];

impl Model {
    /// Sets a property of the object itself; makes the set where there is none. Other objects that share the set keep it.
    pub fn set_property(
        &mut self,
        id: ExpressId,
        set: &str,
        name: &str,
        value: &Value,
    ) -> Result<Vec<ModelEdit>, EditError> {
        self.is_object(id)?;
        let done = self.change(|editing| {
            let Some(own) = editing.own_set(id, set)? else { return editing.new_set(id, set, name, value) };
            let member = editing.member(own, name);
            let value = editing.valued(member, value);
            let property =
                editing.add("IfcPropertySingleValue", &[("Name", Arg::text(name)), ("NominalValue", value)])?;
            editing.rewrite(own, |args, position| {
                let Some(Arg::List(members)) = position("HasProperties").and_then(|at| args.get_mut(at)) else {
                    return;
                };
                match members.iter_mut().find(|known| member.is_some() && known.as_ref() == member) {
                    Some(known) => *known = Arg::Ref(property),
                    None => members.push(Arg::Ref(property)),
                }
            })
        });
        done.map(|((), edits)| edits)
    }

    /// Removes a property of the object itself, with the set when it was the last; whether there was one.
    pub fn delete_property(
        &mut self,
        id: ExpressId,
        set: &str,
        name: &str,
    ) -> Result<(bool, Vec<ModelEdit>), EditError> {
        self.is_object(id)?;
        let named =
            |found: &ExpressId| self.instance(*found).is_some_and(|found| found.get("Name").as_text() == Some(set));
        let there = self.own_sets(id).into_iter().filter(named).find(|set| member(self, *set, name).is_some());
        if there.is_none() {
            return Ok((false, Vec::new()));
        }
        self.change(|editing| {
            let Some(own) = editing.own_set(id, set)? else { return Ok(false) };
            let Some(member) = editing.member(own, name) else { return Ok(false) };
            let members =
                editing.model.instance(own).map(|set| set.get("HasProperties").references()).unwrap_or_default();
            if members == [member] {
                editing.drop_set(id, own)?;
            } else {
                let rest = Arg::refs(members.into_iter().filter(|other| *other != member));
                editing.rewrite(own, |args, position| {
                    if let Some(at) = position("HasProperties") {
                        args[at] = rest;
                    }
                })?;
            }
            Ok(true)
        })
    }

    /// Sets `Name`, `Description`, `ObjectType`, `Tag` or `LongName`; null leaves it without.
    pub fn set_attribute(
        &mut self,
        id: ExpressId,
        attribute: &str,
        value: Option<&str>,
    ) -> Result<Vec<ModelEdit>, EditError> {
        let instance = self.instance(id).ok_or(EditError::NotFound(id))?;
        let known = ATTRIBUTES.contains(&attribute) && instance.class.is_a("IfcRoot");
        let at = instance.class.position(attribute).filter(|at| known && *at < instance.args.len());
        let at = at.ok_or_else(|| EditError::argument("attribute", &ATTRIBUTE))?;
        let value = value.map_or(Arg::Null, Arg::text);
        self.change(|editing| editing.rewrite(id, |args, _| args[at] = value)).map(|((), edits)| edits)
    }

    fn is_object(&self, id: ExpressId) -> Result<(), EditError> {
        let class = self.class_of(id).ok_or(EditError::NotFound(id))?;
        let fits = class.is_a("IfcObjectDefinition");
        if fits { Ok(()) } else { Err(EditError::argument("entity", &OBJECT)) }
    }
}

fn member(model: &Model, set: ExpressId, name: &str) -> Option<ExpressId> {
    let set = model.instance(set)?;
    let members = set.get("HasProperties").references();
    members.into_iter().find(|id| model.instance(*id).is_some_and(|member| member.get("Name").as_text() == Some(name)))
}

impl Editing<'_> {
    fn member(&self, set: ExpressId, name: &str) -> Option<ExpressId> {
        member(self.model, set, name)
    }

    /// A value under the measure that the property has, where it fits; else under its own.
    fn valued(&self, member: Option<ExpressId>, value: &Value) -> Arg {
        let before = member.and_then(|id| self.model.instance(id)).map(|member| member.get("NominalValue").clone());
        let kept = before.and_then(|before| remeasured(&before, value));
        kept.unwrap_or_else(|| nominal(value))
    }

    pub(super) fn add(&mut self, class: &str, attributes: &[(&str, Arg)]) -> Result<ExpressId, EditError> {
        let mut writer = self.writer();
        let id = writer.add(class, attributes);
        self.take(&writer.into_records()?)?;
        Ok(id)
    }

    /// A writer behind the highest number. Its `GlobalId`s are those of no other: the number stands in what they are made of.
    pub(super) fn writer(&self) -> Writer {
        let history = self.model.owner_history();
        let last = self.model.highest();
        Writer::behind(self.model.schema_version(), &format!("{}/{last}", self.model.filename()), last, history)
    }

    /// The set of this name that is the object's alone; of a shared one a copy is made first.
    fn own_set(&mut self, object: ExpressId, name: &str) -> Result<Option<ExpressId>, EditError> {
        let fits = |set: &ExpressId| {
            let set = self.model.instance(*set).filter(|set| set.class.is_a("IfcPropertySet"));
            set.is_some_and(|set| set.get("Name").as_text() == Some(name))
        };
        let Some(set) = self.model.own_sets(object).into_iter().find(fits) else { return Ok(None) };
        let (relations, _) = self.model.relations().around(set, Some(Role::Properties));
        let owners = |relation: &ExpressId| -> Vec<ExpressId> {
            let relation = self.model.instance(*relation);
            relation.map(|relation| relation.get("RelatedObjects").references()).unwrap_or_default()
        };
        let count: usize = relations.iter().map(|relation| owners(relation).len()).sum();
        let of_type = self.model.is_set_of_type(set);
        if count + usize::from(of_type) <= 1 {
            return Ok(Some(set));
        }
        let is_type = self.model.class_of(object).is_some_and(|class| class.is_a("IfcTypeObject"));
        let members = self.model.instance(set).map_or(Arg::Null, |set| set.get("HasProperties").clone());
        let copy = self.add("IfcPropertySet", &[("Name", Arg::text(name)), ("HasProperties", members)])?;
        if is_type {
            self.rewrite(object, |args, position| {
                let Some(Arg::List(sets)) = position("HasPropertySets").and_then(|at| args.get_mut(at)) else { return };
                for listed in sets.iter_mut().filter(|listed| listed.as_ref() == Some(set)) {
                    *listed = Arg::Ref(copy);
                }
            })?;
        } else {
            self.undefine(object, set)?;
            self.define(object, copy)?;
        }
        Ok(Some(copy))
    }

    fn new_set(&mut self, object: ExpressId, set: &str, name: &str, value: &Value) -> Result<(), EditError> {
        let property =
            self.add("IfcPropertySingleValue", &[("Name", Arg::text(name)), ("NominalValue", nominal(value))])?;
        let set = self.add("IfcPropertySet", &[("Name", Arg::text(set)), ("HasProperties", Arg::refs([property]))])?;
        let is_type = self.model.class_of(object).is_some_and(|class| class.is_a("IfcTypeObject"));
        if !is_type {
            return self.define(object, set);
        }
        self.rewrite(object, |args, position| {
            if let Some(at) = position("HasPropertySets").filter(|at| *at < args.len()) {
                let listed = args[at].references();
                args[at] = Arg::refs(listed.into_iter().chain([set]));
            }
        })
    }

    fn define(&mut self, object: ExpressId, set: ExpressId) -> Result<(), EditError> {
        let sides = [("RelatedObjects", Arg::refs([object])), ("RelatingPropertyDefinition", Arg::Ref(set))];
        self.add("IfcRelDefinesByProperties", &sides).map(|_| ())
    }

    /// Takes an object out of the relationships that give it a set; those without objects go.
    fn undefine(&mut self, object: ExpressId, set: ExpressId) -> Result<(), EditError> {
        let (relations, _) = self.model.relations().around(set, Some(Role::Properties));
        for relation in relations {
            let related = self.model.instance(relation).map(|found| found.get("RelatedObjects").references());
            let related = related.unwrap_or_default();
            if related.contains(&object) {
                self.leave(relation, "RelatedObjects", object)?;
            }
        }
        Ok(())
    }

    /// Takes an object out of a list of a relationship; an empty relationship goes.
    pub(super) fn leave(&mut self, relation: ExpressId, attribute: &str, object: ExpressId) -> Result<(), EditError> {
        let rest: Vec<ExpressId> = self
            .model
            .instance(relation)
            .map(|found| found.get(attribute).references())
            .unwrap_or_default()
            .into_iter()
            .filter(|id| *id != object)
            .collect();
        if rest.is_empty() {
            return self.put(relation, None);
        }
        self.rewrite(relation, |args, position| {
            if let Some(at) = position(attribute) {
                args[at] = Arg::refs(rest);
            }
        })
    }

    /// A set of this object alone, without its last member.
    fn drop_set(&mut self, object: ExpressId, set: ExpressId) -> Result<(), EditError> {
        self.undefine(object, set)?;
        let listed =
            self.model.instance(object).map(|found| found.get("HasPropertySets").references()).unwrap_or_default();
        if listed.contains(&set) {
            self.rewrite(object, |args, position| {
                if let Some(at) = position("HasPropertySets") {
                    let rest: Vec<ExpressId> = listed.into_iter().filter(|id| *id != set).collect();
                    args[at] = if rest.is_empty() { Arg::Null } else { Arg::refs(rest) };
                }
            })?;
        }
        self.put(set, None)
    }
}
