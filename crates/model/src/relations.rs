//! The objectified relationships of a file, by both their sides.
//!
//! Every `IfcRelationship` is read once when a model opens; structure, sets, types and associations are answers
//! from this one index. Invariant: relationships stand in the order of the file.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::{Instance, Model};
use crate::schema::Class;
use crate::shapes::{Direction, ExpressId};
use crate::step::Arg;

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

/// The objects that a relationship relates.
#[derive(Debug, Clone)]
pub(crate) struct Relation {
    role: Role,
    relating: Vec<ExpressId>,
    related: Vec<ExpressId>,
}

/// A relationship, by its places among all ids: those of the relating side, and behind them the related ones.
#[derive(Debug, Clone, Copy)]
struct Kept {
    /// Zero once it was taken away.
    id: ExpressId,
    role: Role,
    relating: u32,
    related: u32,
    end: u32,
}

/// Relationships in which an object stands, by its number.
#[derive(Debug, Clone, Default)]
struct Side {
    /// Objects with places in the list of relationships, ascending.
    read: Vec<(ExpressId, u32)>,
    /// Of what was written since.
    written: HashMap<ExpressId, Vec<u32>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Relations {
    all: Vec<Kept>,
    ids: Vec<ExpressId>,
    by_relating: Side,
    by_related: Side,
}

/// Of a class of relationships: its role, and which attributes are its sides.
struct Form {
    role: Role,
    relating: Vec<usize>,
    related: Vec<usize>,
}

impl Form {
    fn of(class: &Class) -> Self {
        let side = |prefix: &str| {
            let named = class.attributes.iter().enumerate().filter(|(_, name)| name.starts_with(prefix));
            named.map(|(position, _)| position).collect()
        };
        let role = ROLES.iter().find(|(base, _)| class.is_a(base)).map_or(Role::Other, |(_, role)| *role);
        Self { role, relating: side("Relating"), related: side("Related") }
    }

    fn read(&self, instance: &Instance<'_>) -> Relation {
        let side = |positions: &[usize]| {
            let args = positions.iter().filter_map(|position| instance.args.get(*position));
            args.flat_map(Arg::references).collect()
        };
        Relation { role: self.role, relating: side(&self.relating), related: side(&self.related) }
    }
}

impl Side {
    fn around(&self, id: ExpressId) -> impl Iterator<Item = u32> {
        let from = self.read.partition_point(|(known, _)| *known < id);
        let read = self.read[from..].iter().take_while(move |(known, _)| *known == id).map(|(_, number)| *number);
        read.chain(self.written.get(&id).into_iter().flatten().copied())
    }
}

impl Relations {
    pub(crate) fn of(model: &Model) -> Self {
        let mut records: Vec<_> = model.instances_of("IfcRelationship").collect();
        records.sort_by_key(|record| record.at);
        let mut forms: HashMap<u32, Form> = HashMap::new();
        let mut index = Self { all: Vec::with_capacity(records.len()), ..Self::default() };
        for record in records {
            let Some(instance) = model.instance(record.id) else { continue };
            let form = forms.entry(record.keyword).or_insert_with(|| Form::of(instance.class));
            index.keep(record.id, &form.read(&instance));
        }
        index.by_relating.read = index.pairs(|kept| kept.relating..kept.related);
        index.by_related.read = index.pairs(|kept| kept.related..kept.end);
        index
    }

    /// The objects that a relationship relates.
    pub(crate) fn sides(instance: &Instance<'_>) -> Relation {
        Form::of(instance.class).read(instance)
    }

    fn keep(&mut self, id: ExpressId, relation: &Relation) -> u32 {
        let relating = self.ids.len() as u32;
        self.ids.extend_from_slice(&relation.relating);
        let related = self.ids.len() as u32;
        self.ids.extend_from_slice(&relation.related);
        self.all.push(Kept { id, role: relation.role, relating, related, end: self.ids.len() as u32 });
        self.all.len() as u32 - 1
    }

    /// Each object of a side with the places of its relationships.
    fn pairs(&self, side: impl Fn(&Kept) -> Range<u32>) -> Vec<(ExpressId, u32)> {
        let count = self.all.iter().map(|kept| side(kept).len()).sum();
        let mut pairs = Vec::with_capacity(count);
        for (number, kept) in self.all.iter().enumerate() {
            pairs.extend(self.at(side(kept)).iter().map(|id| (*id, number as u32)));
        }
        pairs.sort_unstable();
        pairs
    }

    fn at(&self, places: Range<u32>) -> &[ExpressId] {
        &self.ids[places.start as usize..places.end as usize]
    }

    /// A relationship was written or taken away; `existed` before. What is new stands last.
    pub(crate) fn replace(&mut self, id: ExpressId, existed: bool, relation: Option<Relation>) {
        if let Some(known) = self.all.iter_mut().find(|known| existed && known.id == id) {
            known.id = 0;
        }
        let Some(relation) = relation else { return };
        let number = self.keep(id, &relation);
        for (ids, side) in [(relation.relating, &mut self.by_relating), (relation.related, &mut self.by_related)] {
            for id in ids {
                side.written.entry(id).or_default().push(number);
            }
        }
    }

    /// The relationships of a side in which an object stands, in the order of the file.
    fn around_on(&self, side: &Side, id: ExpressId) -> impl Iterator<Item = &Kept> {
        side.around(id).map(|number| &self.all[number as usize]).filter(|kept| kept.id != 0)
    }

    /// Numbers of the relationships of a role in which an object stands: on the relating side, on the related side.
    pub(crate) fn around(&self, id: ExpressId, role: Option<Role>) -> (Vec<ExpressId>, Vec<ExpressId>) {
        let of = |side| {
            let relations = self.around_on(side, id);
            relations.filter(|kept| role.is_none_or(|role| kept.role == role)).map(|found| found.id).collect()
        };
        (of(&self.by_relating), of(&self.by_related))
    }

    /// From the relating side to the related one, in the order of the file.
    pub(crate) fn forward(&self, id: ExpressId, role: Role) -> impl Iterator<Item = ExpressId> {
        let relations = self.around_on(&self.by_relating, id).filter(move |kept| kept.role == role);
        relations.flat_map(|kept| self.at(kept.related..kept.end).iter().copied())
    }

    /// From the related side to the relating one, in the order of the file.
    pub(crate) fn inverse(&self, id: ExpressId, role: Role) -> impl Iterator<Item = ExpressId> {
        let relations = self.around_on(&self.by_related, id).filter(move |kept| kept.role == role);
        relations.flat_map(|kept| self.at(kept.relating..kept.related).iter().copied())
    }

    /// Across the relationships whose class fits, by their own number.
    pub(crate) fn across(
        &self,
        id: ExpressId,
        direction: Direction,
        fits: impl Fn(ExpressId) -> bool,
    ) -> Vec<ExpressId> {
        let forward = direction == Direction::Forward;
        let side = if forward { &self.by_relating } else { &self.by_related };
        let relations = self.around_on(side, id).filter(|kept| fits(kept.id));
        let found = relations
            .flat_map(|kept| self.at(if forward { kept.related..kept.end } else { kept.relating..kept.related }));
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
