//! A part of a model as a file of its own: `bim.export.ifc` (spec: ifc-sdk.md §3).
//!
//! Owns what belongs to an entity: what it refers to, what it lies in, its parts and openings, and whatever the file
//! says about any of these, be it a set, a type, a material, a layer or a reference. Invariants: the file refers to
//! nothing that is not in it, and of what is kept the queries answer what they answered before.

use std::collections::{BTreeSet, HashMap};

use crate::model::{Instance, Model};
use crate::relations::Role;
use crate::shapes::ExpressId;
use crate::step::Arg;
use crate::writer::file;

/// Records that say something about others, and the attribute that names what they speak of. Relationships are told by
/// the names of their attributes ([`DESCRIBED`]).
const DESCRIBING: &[(&str, &str)] = &[
    ("IfcStyledItem", "Item"),
    ("IfcMaterialDefinitionRepresentation", "RepresentedMaterial"),
    ("IfcMaterialProperties", "Material"),
    ("IfcMaterialRelationship", "RelatingMaterial"),
    ("IfcMaterialClassificationRelationship", "ClassifiedMaterial"),
    ("IfcProfileProperties", "ProfileDefinition"),
    ("IfcPresentationLayerAssignment", "AssignedItems"),
    ("IfcExternalReferenceRelationship", "RelatedResourceObjects"),
    ("IfcResourceApprovalRelationship", "RelatedResourceObjects"),
    ("IfcResourceConstraintRelationship", "RelatedResourceObjects"),
    ("IfcPropertyDependencyRelationship", "DependingProperty"),
    ("IfcDocumentInformationRelationship", "RelatingDocument"),
    ("IfcClassificationItemRelationship", "RelatedItems"),
    // IFC2X3 lists its references in what they refer to.
    ("IfcLibraryInformation", "LibraryReference"),
    ("IfcDocumentInformation", "DocumentReferences"),
    ("IfcCoordinateOperation", "SourceCRS"),
    ("IfcIndexedColourMap", "MappedTo"),
    ("IfcIndexedTextureMap", "MappedTo"),
    ("IfcShapeAspect", "PartOfProductDefinitionShape"),
];

/// How the attributes of a relationship begin that name what it speaks of.
const DESCRIBED: &str = "Related";

impl Model {
    /// IFC text with these entities.
    pub fn extract(&self, entities: &[ExpressId]) -> String {
        let objects = self.with_surroundings(entities);
        let mut part = Part { model: self, describing: self.describing(), kept: BTreeSet::new(), objects };
        part.close();
        let records: String = part.kept.iter().filter_map(|id| part.text_of(*id)).collect();
        file(self.filename(), self.header(), self.schema_version(), &records)
    }

    /// The whole model as it is now.
    pub fn text(&self) -> String {
        let records = self.records().iter().filter_map(|record| self.record_text(record.id));
        file(self.filename(), self.header(), self.schema_version(), &records.collect::<String>())
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

    /// What is spoken of → the records that speak of it.
    fn describing(&self) -> HashMap<ExpressId, Vec<ExpressId>> {
        let mut found: HashMap<ExpressId, Vec<ExpressId>> = HashMap::new();
        for class in DESCRIBING.iter().map(|(class, _)| *class).chain(["IfcRelationship"]) {
            for record in self.instances_of(class) {
                let Some(instance) = self.instance(record.id) else { continue };
                for id in attributes(&instance)
                    .filter(|(name, _)| instance.speaks_of(name))
                    .flat_map(|(_, arg)| arg.references())
                {
                    found.entry(id).or_default().push(record.id);
                }
            }
        }
        found
    }

    /// Objects are kept where they are asked for; types, sets, materials and groups come with them.
    fn stands_alone(&self, id: ExpressId) -> bool {
        self.class_of(id).is_some_and(|class| class.is_a("IfcObject") && !class.is_a("IfcGroup"))
    }
}

fn attributes<'i>(instance: &'i Instance<'_>) -> impl Iterator<Item = (&'static str, &'i Arg)> {
    // A class that no schema has is read without the names of its attributes.
    let names = instance.class.attributes.iter().copied().chain(std::iter::repeat(""));
    names.zip(&instance.args)
}

impl Instance<'_> {
    fn is_relationship(&self) -> bool {
        self.class.is_a("IfcRelationship")
    }

    /// Whether the attribute names what the record speaks of.
    fn speaks_of(&self, attribute: &str) -> bool {
        let describes = |(class, name): &(&str, &str)| *name == attribute && self.class.is_a(class);
        self.is_relationship() && attribute.starts_with(DESCRIBED) || DESCRIBING.iter().any(describes)
    }
}

/// What is kept of a model.
struct Part<'m> {
    model: &'m Model,
    describing: HashMap<ExpressId, Vec<ExpressId>>,
    /// What was asked for, with its surroundings.
    objects: BTreeSet<ExpressId>,
    kept: BTreeSet<ExpressId>,
}

impl Part<'_> {
    /// Adds the objects, everything that they refer to, and everything that speaks of any of it.
    fn close(&mut self) {
        let mut next: Vec<ExpressId> = self.objects.iter().copied().collect();
        while let Some(id) = next.pop() {
            let Some(instance) = self.model.instance(id) else { continue };
            if self.kept.contains(&id) || !self.holds(&instance) {
                continue;
            }
            self.kept.insert(id);
            for (name, arg) in attributes(&instance) {
                // A list of what a record speaks of is cut to what is kept, and brings nothing.
                if !instance.speaks_of(name) {
                    next.extend(arg.references().into_iter().filter(|to| self.may_keep(&instance, *to)));
                }
            }
            next.extend(self.describing.get(&id).into_iter().flatten());
        }
    }

    /// Whether the record still says something without the objects that are not kept: both sides of a relationship, and
    /// something in each of its lists.
    fn holds(&self, instance: &Instance<'_>) -> bool {
        let whole = |(name, arg): (&str, &Arg)| {
            let references = arg.references();
            let side = matches!(arg, Arg::List(_)) || name.starts_with("Relat");
            !side || references.is_empty() || references.iter().any(|id| self.may_keep(instance, *id))
        };
        !instance.is_relationship() || attributes(instance).all(whole)
    }

    fn may_keep(&self, from: &Instance<'_>, id: ExpressId) -> bool {
        let alone = from.is_relationship() && self.model.stands_alone(id);
        self.model.class_of(id).is_some() && (!alone || self.objects.contains(&id))
    }

    /// The record, without references to what is not kept.
    fn text_of(&self, id: ExpressId) -> Option<String> {
        let instance = self.model.instance(id)?;
        let keyword = instance.class.name.to_ascii_uppercase();
        let args = instance.args.into_iter().map(|arg| self.cut(arg)).collect();
        Some(format!("#{id}={keyword}{};\n", Arg::List(args)))
    }

    fn cut(&self, arg: Arg) -> Arg {
        match arg {
            Arg::Ref(id) if !self.kept.contains(&id) => Arg::Null,
            Arg::List(items) => {
                let there = |item: &Arg| item.as_ref().is_none_or(|id| self.kept.contains(&id));
                Arg::List(items.into_iter().filter(there).map(|item| self.cut(item)).collect())
            }
            Arg::Typed(keyword, inner) => Arg::Typed(keyword, Box::new(self.cut(*inner))),
            other => other,
        }
    }
}
