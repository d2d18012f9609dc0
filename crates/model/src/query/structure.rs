//! Spatial structure: what contains what, what is a part of what, on which storey it is.

use std::collections::{HashSet, VecDeque};

use crate::model::Model;
use crate::relations::{Role, ascending};
use crate::schema::class_name;
use crate::shapes::{Direction, ExpressId, Relationships, UnknownClassError};

impl Model {
    /// The spatial element that contains it.
    pub fn contained_in(&self, id: ExpressId) -> Option<ExpressId> {
        self.there(self.relations().inverse(id, Role::Contains)).next()
    }

    /// What a spatial element contains; its spaces are parts, not contents.
    pub fn contains(&self, id: ExpressId) -> Vec<ExpressId> {
        ascending(self.there(self.relations().forward(id, Role::Contains)))
    }

    /// The whole that it is a part of, by aggregation or nesting.
    pub fn decomposed_by(&self, id: ExpressId) -> Option<ExpressId> {
        self.there(self.relations().inverse(id, Role::Parts)).next()
    }

    pub fn decomposes(&self, id: ExpressId) -> Vec<ExpressId> {
        ascending(self.there(self.relations().forward(id, Role::Parts)))
    }

    /// The nearest storey above it: through containment, parts, openings and what fills them.
    pub fn storey(&self, id: ExpressId) -> Option<ExpressId> {
        let nearest = self.parents(id).next()?;
        if self.is_a(nearest, "IfcBuildingStorey") {
            return Some(nearest);
        }
        let mut seen = HashSet::from([id]);
        let mut next: VecDeque<ExpressId> = self.parents(id).collect();
        while let Some(parent) = next.pop_front() {
            if self.is_a(parent, "IfcBuildingStorey") {
                return Some(parent);
            }
            if seen.insert(parent) {
                next.extend(self.parents(parent));
            }
        }
        None
    }

    /// From the project (or the topmost whole) down to the entity itself.
    pub fn path(&self, id: ExpressId) -> Vec<ExpressId> {
        if self.class_of(id).is_none() {
            return Vec::new();
        }
        let mut path = vec![id];
        let mut seen = HashSet::from([id]);
        let mut at = id;
        while let Some(parent) = self.parents(at).find(|parent| !seen.contains(parent)) {
            seen.insert(parent);
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// All storeys by elevation (absent is 0), then name.
    pub fn storeys(&self) -> Vec<ExpressId> {
        let storeys = self.products().iter().copied().filter(|id| self.is_a(*id, "IfcBuildingStorey"));
        let mut storeys: Vec<_> = storeys
            .map(|id| {
                let name = self.instance(id).and_then(|storey| storey.text("Name"));
                (self.elevation(id).unwrap_or(0.0), name, id)
            })
            .collect();
        storeys.sort_by(|left, right| left.0.total_cmp(&right.0).then_with(|| left.1.cmp(&right.1)));
        storeys.into_iter().map(|(_, _, id)| id).collect()
    }

    /// `Elevation` of a storey, in the file's length unit.
    pub fn elevation(&self, id: ExpressId) -> Option<f64> {
        self.class_of(id)?.position("Elevation")?;
        self.instance(id).and_then(|storey| storey.get("Elevation").as_number())
    }

    /// Openings, fillings, groups and connected elements.
    pub fn relationships(&self, id: ExpressId) -> Relationships {
        let relations = self.relations();
        let both = |role| {
            let ids = relations.forward(id, role).chain(relations.inverse(id, role));
            self.entities(&ascending(ids))
        };
        Relationships {
            voids: both(Role::Voids),
            fills: both(Role::Fills),
            groups: self.entities(&ascending(relations.inverse(id, Role::Group))),
            connections: both(Role::Connects),
        }
    }

    /// Entities across the relationships of one class (`IfcRelAggregates`), subtypes included.
    pub fn related(
        &self,
        id: ExpressId,
        relationship: &str,
        direction: Direction,
    ) -> Result<Vec<ExpressId>, UnknownClassError> {
        let class = class_name(relationship)?;
        let found = self.relations().across(id, direction, |relation| self.is_a(relation, class));
        Ok(self.there(found.into_iter()).collect())
    }

    /// One step up, the nearest kind of bond first.
    fn parents(&self, id: ExpressId) -> impl Iterator<Item = ExpressId> {
        let bonds = [Role::Contains, Role::Parts, Role::Voids, Role::Fills];
        self.there(bonds.into_iter().flat_map(move |role| self.relations().inverse(id, role)))
    }

    /// Whether nothing is above it.
    pub(crate) fn is_top(&self, id: ExpressId) -> bool {
        self.parents(id).all(|parent| parent == id)
    }

    /// A file may refer to what it does not have.
    fn there(&self, ids: impl Iterator<Item = ExpressId>) -> impl Iterator<Item = ExpressId> {
        ids.filter(|id| self.class_of(*id).is_some())
    }
}
