//! A part of a model as a file of its own: `bim.export.ifc` (spec: ifc-sdk.md §3).
//!
//! Owns what belongs to an entity: what it refers to, what it lies in, its parts and openings, its sets, type, material
//! and the like. Invariant: the file refers to nothing that is not in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Model;
use crate::relations::Role;
use crate::shapes::ExpressId;
use crate::step::Arg;
use crate::writer::file;

impl Model {
    /// IFC text with these entities.
    pub fn extract(&self, entities: &[ExpressId]) -> String {
        let objects = self.with_surroundings(entities);
        let mut texts: BTreeMap<ExpressId, String> = BTreeMap::new();
        let mut next: Vec<ExpressId> = objects.iter().copied().collect();
        for (relation, args) in self.relations_among(&objects) {
            next.extend(args.iter().flat_map(Arg::references).filter(|id| !self.stands_alone(*id)));
            texts.insert(relation, self.text_of(relation, args));
        }
        self.close(next, &mut texts);
        let styled: Vec<ExpressId> = self.styles_of(&texts);
        self.close(styled, &mut texts);
        let records: String = texts.into_values().collect();
        file(self.filename(), self.schema(), &records)
    }

    /// The entities with what they lie in, their parts and their openings.
    fn with_surroundings(&self, entities: &[ExpressId]) -> BTreeSet<ExpressId> {
        let mut objects: BTreeSet<ExpressId> = self.first_of("IfcProject").into_iter().collect();
        let mut below: Vec<ExpressId> = entities.iter().copied().filter(|id| self.class_of(*id).is_some()).collect();
        let asked: BTreeSet<ExpressId> = below.iter().copied().collect();
        while let Some(id) = below.pop() {
            if !objects.insert(id) && !asked.contains(&id) {
                continue;
            }
            let of = [Role::Parts, Role::Voids].into_iter().flat_map(|role| self.relations().forward(id, role));
            below.extend(of.filter(|part| !objects.contains(part) && self.class_of(*part).is_some()));
        }
        let above: Vec<ExpressId> = objects.iter().flat_map(|id| self.path(*id)).collect();
        objects.extend(above);
        objects
    }

    /// Relationships of the objects, their lists cut to what is kept.
    fn relations_among(&self, objects: &BTreeSet<ExpressId>) -> Vec<(ExpressId, Vec<Arg>)> {
        let records = self.records().iter().filter(|record| self.class(**record).is_a("IfcRelationship"));
        let kept = |id: &ExpressId| objects.contains(id) || (!self.stands_alone(*id) && self.class_of(*id).is_some());
        let mut found = Vec::new();
        for record in records {
            let Some(mut instance) = self.instance(record.id) else { continue };
            let names = instance.class.attributes;
            let mut holds = false;
            for (name, arg) in names.iter().zip(&mut instance.args) {
                match arg {
                    Arg::List(items) if name.starts_with("Relat") => {
                        items.retain(|item| item.as_ref().is_some_and(|id| kept(&id)));
                        holds |= items.iter().any(|item| item.as_ref().is_some_and(|id| objects.contains(&id)));
                    }
                    Arg::Ref(id) if name.starts_with("Related") => holds |= objects.contains(id),
                    _ => {}
                }
            }
            let whole = names.iter().zip(&instance.args).filter(|(name, _)| name.starts_with("Relat")).all(
                |(_, arg)| match arg {
                    Arg::Ref(id) => kept(id),
                    Arg::List(items) => !items.is_empty(),
                    _ => true,
                },
            );
            if holds && whole {
                found.push((record.id, instance.args));
            }
        }
        found
    }

    /// Objects are kept where they are asked for; types, sets, materials and groups come with them.
    fn stands_alone(&self, id: ExpressId) -> bool {
        self.class_of(id).is_some_and(|class| class.is_a("IfcObject") && !class.is_a("IfcGroup"))
    }

    /// Adds the instances and everything that they refer to.
    fn close(&self, mut next: Vec<ExpressId>, texts: &mut BTreeMap<ExpressId, String>) {
        while let Some(id) = next.pop() {
            if texts.contains_key(&id) {
                continue;
            }
            let Some(instance) = self.instance(id) else { continue };
            next.extend(instance.args.iter().flat_map(Arg::references));
            let text = self.text_of(id, instance.args);
            texts.insert(id, text);
        }
    }

    /// Styles of the bodies that are kept.
    fn styles_of(&self, texts: &BTreeMap<ExpressId, String>) -> Vec<ExpressId> {
        let styled = self.records().iter().filter(|record| self.class(**record).name == "IfcStyledItem");
        let of = |id: ExpressId| self.instance(id).and_then(|styled| styled.get("Item").as_ref());
        styled.map(|record| record.id).filter(|id| of(*id).is_some_and(|item| texts.contains_key(&item))).collect()
    }

    /// The record, without references to what the model lacks.
    fn text_of(&self, id: ExpressId, args: Vec<Arg>) -> String {
        let class = self.class_of(id).map(|class| class.name.to_ascii_uppercase()).unwrap_or_default();
        format!("#{id}={class}{};\n", Arg::List(args.into_iter().map(|arg| self.existing(arg)).collect()))
    }

    fn existing(&self, arg: Arg) -> Arg {
        match arg {
            Arg::Ref(id) if self.class_of(id).is_none() => Arg::Null,
            Arg::List(items) => {
                let there = |item: &Arg| item.as_ref().is_none_or(|id| self.class_of(id).is_some());
                Arg::List(items.into_iter().filter(there).map(|item| self.existing(item)).collect())
            }
            other => other,
        }
    }

    /// The whole model as it is now.
    pub fn text(&self) -> String {
        let records = self.records().iter().filter_map(|record| self.record_text(record.id));
        file(self.filename(), self.schema(), &records.collect::<String>())
    }
}
