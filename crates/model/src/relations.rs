//! The objectified relationships of a file, by both their sides.
//!
//! Every `IfcRelationship` is read once when a model opens; structure, sets, types and associations are answers
//! from this one index. Invariant: relationships stand in the order of the file.

use std::collections::HashMap;

use crate::model::{Instance, Model};
use crate::shapes::{Direction, ExpressId};

/// What a relationship means to the queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Contains,
    Parts,
    Voids,
    Fills,
    Properties,
    Type,
    Material,
    Classification,
    Document,
    Group,
    Connects,
    /// Only asked for by class.
    Other,
}

/// Relationship classes with a role; the first that fits counts.
const ROLES: &[(&str, Role)] = &[
    ("IfcRelContainedInSpatialStructure", Role::Contains),
    ("IfcRelAggregates", Role::Parts),
    ("IfcRelNests", Role::Parts),
    ("IfcRelVoidsElement", Role::Voids),
    ("IfcRelFillsElement", Role::Fills),
    ("IfcRelDefinesByType", Role::Type),
    ("IfcRelDefinesByProperties", Role::Properties),
    ("IfcRelAssociatesMaterial", Role::Material),
    ("IfcRelAssociatesClassification", Role::Classification),
    ("IfcRelAssociatesDocument", Role::Document),
    ("IfcRelAssignsToGroup", Role::Group),
    ("IfcRelConnectsElements", Role::Connects),
];

#[derive(Debug, Clone)]
pub(crate) struct Relation {
    id: ExpressId,
    role: Role,
    relating: Vec<ExpressId>,
    related: Vec<ExpressId>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Relations {
    all: Vec<Relation>,
    by_relating: HashMap<ExpressId, Vec<u32>>,
    by_related: HashMap<ExpressId, Vec<u32>>,
}

impl Relations {
    pub(crate) fn of(model: &Model) -> Self {
        let mut records: Vec<_> = model.instances_of("IfcRelationship").collect();
        records.sort_by_key(|record| record.at);
        let mut index = Self::default();
        for record in records {
            let Some(instance) = model.instance(record.id) else { continue };
            index.add(Relation { id: record.id, ..Self::sides(&instance) });
        }
        index
    }

    /// What a relationship relates, without its number.
    pub(crate) fn sides(instance: &Instance<'_>) -> Relation {
        let side = |prefix: &str| -> Vec<ExpressId> {
            let named = instance.class.attributes.iter().zip(&instance.args);
            named.filter(|(name, _)| name.starts_with(prefix)).flat_map(|(_, arg)| arg.references()).collect()
        };
        let role = ROLES.iter().find(|(class, _)| instance.class.is_a(class)).map_or(Role::Other, |(_, role)| *role);
        Relation { id: 0, role, relating: side("Relating"), related: side("Related") }
    }

    /// A relationship was written or taken away; `existed` before. What is new stands last.
    pub(crate) fn replace(&mut self, id: ExpressId, existed: bool, relation: Option<Relation>) {
        let sides = self.all.iter().enumerate().find(|(_, known)| existed && known.id == id);
        if let Some((number, known)) = sides.map(|(number, known)| (number as u32, known.clone())) {
            for (ids, index) in [(known.relating, &mut self.by_relating), (known.related, &mut self.by_related)] {
                for id in ids {
                    index.entry(id).and_modify(|numbers| numbers.retain(|other| *other != number));
                }
            }
            let gone = Relation { id: 0, role: Role::Other, relating: Vec::new(), related: Vec::new() };
            self.all[number as usize] = gone;
        }
        if let Some(relation) = relation {
            self.add(Relation { id, ..relation });
        }
    }

    /// Numbers of the relationships of a role in which an object stands: on the relating side, on the related side.
    pub(crate) fn around(&self, id: ExpressId, role: Option<Role>) -> (Vec<ExpressId>, Vec<ExpressId>) {
        let of = |index: &HashMap<ExpressId, Vec<u32>>| {
            let relations = index.get(&id).into_iter().flatten().map(|number| &self.all[*number as usize]);
            relations.filter(|relation| role.is_none_or(|role| relation.role == role)).map(|found| found.id).collect()
        };
        (of(&self.by_relating), of(&self.by_related))
    }

    fn add(&mut self, relation: Relation) {
        let number = self.all.len() as u32;
        for id in &relation.relating {
            self.by_relating.entry(*id).or_default().push(number);
        }
        for id in &relation.related {
            self.by_related.entry(*id).or_default().push(number);
        }
        self.all.push(relation);
    }

    /// From the relating side to the related one, in the order of the file.
    pub(crate) fn forward(&self, id: ExpressId, role: Role) -> impl Iterator<Item = ExpressId> {
        let numbers = self.by_relating.get(&id).into_iter().flatten();
        let relations = numbers.map(|number| &self.all[*number as usize]);
        relations.filter(move |relation| relation.role == role).flat_map(|relation| relation.related.iter().copied())
    }

    /// From the related side to the relating one, in the order of the file.
    pub(crate) fn inverse(&self, id: ExpressId, role: Role) -> impl Iterator<Item = ExpressId> {
        let numbers = self.by_related.get(&id).into_iter().flatten();
        let relations = numbers.map(|number| &self.all[*number as usize]);
        relations.filter(move |relation| relation.role == role).flat_map(|relation| relation.relating.iter().copied())
    }

    /// Across the relationships whose class fits, by their own number.
    pub(crate) fn across(
        &self,
        id: ExpressId,
        direction: Direction,
        fits: impl Fn(ExpressId) -> bool,
    ) -> Vec<ExpressId> {
        let side = if direction == Direction::Forward { &self.by_relating } else { &self.by_related };
        let numbers = side.get(&id).into_iter().flatten();
        let relations = numbers.map(|number| &self.all[*number as usize]).filter(|relation| fits(relation.id));
        let found = relations.flat_map(|relation| match direction {
            Direction::Forward => &relation.related,
            Direction::Inverse => &relation.relating,
        });
        ascending(found.copied())
    }
}

/// Lists of the SDK: ascending, no doubles.
pub(crate) fn ascending(ids: impl Iterator<Item = ExpressId>) -> Vec<ExpressId> {
    let mut ids: Vec<ExpressId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
