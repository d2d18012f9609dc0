//! Whether an element does what one facet asks for, and why not.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use holdpoint_check::{Args, Code, Sentence, args};
use ifc_lite_core::{AttrKind, SchemaVersion};

use super::allowed::{Allowed, Fact};
use super::codes::{
    EMPTY_ATTRIBUTE, NO_ATTRIBUTE, NO_CLASSIFICATION, NO_MATERIAL, NO_PREDEFINED, NO_WHOLE, OTHER_ATTRIBUTE,
    OTHER_CLASS, OTHER_CLASSIFICATION, OTHER_MATERIAL, OTHER_PREDEFINED, OTHER_WHOLE,
};
use super::si::Scales;
use super::{Entity, Facet};
use crate::model::Model;
use crate::relations::Role;
use crate::shapes::{Direction, ExpressId};
use crate::step::Arg;

/// References, materials and wholes are followed so far before they are taken for a ring.
const MAX_STEPS: usize = 64;
/// What an element is part of is listed so far in a reason.
const MAX_NAMED: usize = 3;

/// How an element stands to what is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Met {
    Yes,
    /// There is nothing of the kind: what is optional may be so.
    Absent(Sentence),
    /// There is something, and it is not what is asked for.
    Wrong(Sentence),
}

pub(crate) fn absent(code: &'static Code, args: Args<'_>) -> Met {
    Met::Absent(Sentence::of(code, args))
}

pub(crate) fn wrong(code: &'static Code, args: Args<'_>) -> Met {
    Met::Wrong(Sentence::of(code, args))
}

impl Met {
    /// Of several that all have to do: what is wrong says more than what is absent.
    pub(crate) fn and(self, other: Met) -> Met {
        match (&self, &other) {
            (Met::Wrong(_), _) | (_, Met::Yes) | (Met::Absent(_), Met::Absent(_)) => self,
            _ => other,
        }
    }
}

/// A model with what questions about it need again and again.
pub(crate) struct Checker<'m> {
    pub(crate) model: &'m Model,
    pub(crate) scales: Scales,
    /// Sets of materials and profiles, which no relationship of the file connects.
    pub(crate) sets_of_resources: OnceCell<HashMap<ExpressId, Vec<ExpressId>>>,
    /// Classifications that a relationship of resources gives.
    classes_of_resources: OnceCell<HashMap<ExpressId, Vec<ExpressId>>>,
}

impl<'m> Checker<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self {
            model,
            scales: Scales::default(),
            sets_of_resources: OnceCell::new(),
            classes_of_resources: OnceCell::new(),
        }
    }

    pub(crate) fn meets(&self, facet: &Facet, id: ExpressId) -> Met {
        match facet {
            Facet::Entity(entity) => self.entity(entity, id),
            Facet::Part { relation, entity } => self.part(*relation, entity, id),
            Facet::Classification { system, value } => self.classification(system, value.as_ref(), id),
            Facet::Attribute { name, value } => self.attribute(name, value.as_ref(), id),
            Facet::Property(property) => self.property(property, id),
            Facet::Material { value } => self.material(value.as_ref(), id),
        }
    }

    fn entity(&self, entity: &Entity, id: ExpressId) -> Met {
        let names = self.class_names(id);
        if !names.iter().any(|name| entity.name.accepts_text(name)) {
            return wrong(&OTHER_CLASS, args! { found: names.join(" "), allowed: entity.name.to_string() });
        }
        let Some(wanted) = &entity.predefined else { return Met::Yes };
        let found = self.predefined(id);
        if found.iter().any(|name| wanted.accepts_text(name)) {
            return Met::Yes;
        }
        match found.last() {
            None => absent(&NO_PREDEFINED, args! { allowed: wanted.to_string() }),
            Some(found) => wrong(&OTHER_PREDEFINED, args! { found: found, allowed: wanted.to_string() }),
        }
    }

    /// In capitals. In IFC2X3 the type of an element says what newer schemas have a class for.
    fn class_names(&self, id: ExpressId) -> Vec<String> {
        let own = self.model.class_of(id).map(|class| class.name.to_ascii_uppercase());
        let of_type = (self.model.schema_version() == SchemaVersion::Ifc2x3).then(|| self.model.type_of(id)).flatten();
        let named = of_type.and_then(|found| self.model.class_of(found)).and_then(|class| {
            let name = class.name.to_ascii_uppercase();
            let name = name.strip_suffix("TYPE")?;
            SchemaVersion::Ifc2x3.entity_info(name).is_none().then(|| name.to_owned())
        });
        own.into_iter().chain(named).collect()
    }

    /// The element's predefined type, else its type's; one of its own beside `USERDEFINED`.
    fn predefined(&self, id: ExpressId) -> Vec<String> {
        let of = |id: ExpressId| -> Vec<String> {
            let Some(instance) = self.model.instance(id) else { return Vec::new() };
            let item = instance.get("PredefinedType").as_enum().map(str::to_owned);
            let is_own = item.as_deref().is_none_or(|item| item == "USERDEFINED");
            let texts = ["ElementType", "ProcessType", "ResourceType", "ObjectType"];
            let own = texts.iter().filter(|_| is_own).find_map(|name| instance.text(name));
            let own = own.filter(|text| !text.is_empty());
            item.into_iter().chain(own).filter(|item| item != "NOTDEFINED").collect()
        };
        let own = of(id);
        if own.is_empty() { self.model.type_of(id).map(of).unwrap_or_default() } else { own }
    }

    fn attribute(&self, name: &Allowed, value: Option<&Allowed>, id: ExpressId) -> Met {
        let Some(instance) = self.model.instance(id) else {
            return absent(&NO_ATTRIBUTE, args! { name: name.to_string() });
        };
        let named = instance.class.attributes.iter().zip(&instance.args).filter(|(found, _)| name.accepts_text(found));
        let mut empty = absent(&NO_ATTRIBUTE, args! { name: name.to_string() });
        let mut met = None;
        for (name, arg) in named {
            let kind = self.model.schema_version().attribute(&instance.class.name, name).map(|slot| slot.kind);
            match fact(arg, kind) {
                Found::Nothing => empty = empty.and(absent(&EMPTY_ATTRIBUTE, args! { name: name })),
                Found::Empty => empty = empty.and(wrong(&EMPTY_ATTRIBUTE, args! { name: name })),
                Found::Value(found) => {
                    let scale = self.scales.of_attribute(self.model, name);
                    let found = match found {
                        Fact::Real(number) => Fact::Real(scale.of(number)),
                        other => other,
                    };
                    let one = match value {
                        Some(allowed) if !allowed.accepts(&found) => {
                            let (found, allowed) = (found.to_string(), allowed.to_string());
                            wrong(&OTHER_ATTRIBUTE, args! { name: name, found: found, allowed: allowed })
                        }
                        _ => Met::Yes,
                    };
                    met = Some(met.map_or(one.clone(), |met: Met| met.and(one)));
                }
            }
        }
        met.unwrap_or(empty)
    }

    fn classification(&self, system: &Allowed, value: Option<&Allowed>, id: ExpressId) -> Met {
        let classes = self.classes(id);
        let mut of_system = classes.iter().filter(|class| system.accepts_text(class.system.as_deref().unwrap_or("")));
        let Some(first) = of_system.next() else {
            let args = args! { system: system.to_string() };
            return if classes.is_empty() { absent(&NO_CLASSIFICATION, args) } else { wrong(&NO_CLASSIFICATION, args) };
        };
        let Some(allowed) = value else { return Met::Yes };
        let fits = |class: &Class| class.codes.iter().any(|code| allowed.accepts_text(code));
        if fits(first) || of_system.any(fits) {
            return Met::Yes;
        }
        let found = first.codes.first().map_or("…", String::as_str);
        wrong(
            &OTHER_CLASSIFICATION,
            args! { system: first.system.as_deref().unwrap_or("…"), found: found, allowed: allowed.to_string() },
        )
    }

    /// Of the occurrence, and of its type in systems that the occurrence has no class of.
    fn classes(&self, id: ExpressId) -> Vec<Class> {
        let of = |id: ExpressId| -> Vec<Class> {
            let related = self.model.relations().inverse(id, Role::Classification);
            let resources = self.classes_of_resources().get(&id).into_iter().flatten().copied();
            related.chain(resources).map(|reference| self.class(reference)).collect()
        };
        let mut classes = of(id);
        let mut of_type = self.model.type_of(id).map(of).unwrap_or_default();
        of_type.retain(|class| classes.iter().all(|own| own.system != class.system));
        classes.append(&mut of_type);
        classes
    }

    /// A reference with those that it stands under.
    fn class(&self, reference: ExpressId) -> Class {
        let mut class = Class { system: None, codes: Vec::new() };
        let mut next = Some(reference);
        for _ in 0..MAX_STEPS {
            let Some(found) = next.and_then(|id| self.model.instance(id)) else { break };
            if found.class.is_a("IfcClassification") {
                class.system = found.text("Name");
                break;
            }
            class.codes.extend(found.text("Identification").or_else(|| found.text("ItemReference")));
            next = found.get("ReferencedSource").as_ref();
        }
        class
    }

    fn classes_of_resources(&self) -> &HashMap<ExpressId, Vec<ExpressId>> {
        self.classes_of_resources.get_or_init(|| {
            let mut classes: HashMap<ExpressId, Vec<ExpressId>> = HashMap::new();
            for record in self.model.instances_of("IfcExternalReferenceRelationship") {
                let Some(found) = self.model.instance(record.id) else { continue };
                let Some(reference) = found.get("RelatingReference").as_ref() else { continue };
                if self.model.is_a(reference, "IfcClassificationReference") {
                    for related in found.get("RelatedResourceObjects").references() {
                        classes.entry(related).or_default().push(reference);
                    }
                }
            }
            classes
        })
    }

    fn material(&self, value: Option<&Allowed>, id: ExpressId) -> Met {
        let own: Vec<ExpressId> = self.model.relations().inverse(id, Role::Material).collect();
        let found = match self.model.type_of(id) {
            Some(of_type) if own.is_empty() => self.model.relations().inverse(of_type, Role::Material).collect(),
            _ => own,
        };
        if found.is_empty() {
            return absent(&NO_MATERIAL, args! {});
        }
        let Some(allowed) = value else { return Met::Yes };
        let mut names = Vec::new();
        for id in found {
            self.names_of_material(id, &mut names, 0);
        }
        if names.iter().any(|name| allowed.accepts_text(name)) {
            return Met::Yes;
        }
        names.dedup();
        let found = names.first().map_or("…", String::as_str);
        wrong(&OTHER_MATERIAL, args! { found: found, allowed: allowed.to_string() })
    }

    /// Names and categories of a material, or of a set with all that it is made of.
    fn names_of_material(&self, id: ExpressId, names: &mut Vec<String>, depth: usize) {
        let Some(found) = self.model.instance(id).filter(|_| depth < MAX_STEPS && names.len() < MAX_STEPS * MAX_STEPS)
        else {
            return;
        };
        names.extend(["Name", "LayerSetName", "Category"].iter().filter_map(|name| found.text(name)));
        let inside = ["ForLayerSet", "ForProfileSet", "MaterialLayers", "MaterialProfiles", "MaterialConstituents"];
        for attribute in inside.iter().chain(&["Materials", "Material"]) {
            for id in found.get(attribute).references() {
                self.names_of_material(id, names, depth + 1);
            }
        }
    }

    fn part(&self, relation: Option<&str>, entity: &Entity, id: ExpressId) -> Met {
        let wholes = self.wholes(relation, id);
        let allowed =
            || entity.predefined.as_ref().map_or(entity.name.to_string(), |kind| format!("{} {kind}", entity.name));
        if wholes.is_empty() {
            return absent(&NO_WHOLE, args! { allowed: allowed() });
        }
        if wholes.iter().any(|whole| self.entity(entity, *whole) == Met::Yes) {
            return Met::Yes;
        }
        let mut names: Vec<String> = wholes.iter().filter_map(|whole| self.class_names(*whole).pop()).collect();
        names.dedup();
        names.truncate(MAX_NAMED);
        wrong(&OTHER_WHOLE, args! { found: names.join(", "), allowed: allowed() })
    }

    /// Everything that it is part of, over one relationship or over all, the nearest first.
    fn wholes(&self, relation: Option<&str>, id: ExpressId) -> Vec<ExpressId> {
        let classes: Vec<&str> = match relation {
            Some(named) => named.split(' ').collect(),
            None => ALL_RELATIONS.to_vec(),
        };
        let relations = self.model.relations();
        let (mut wholes, mut seen, mut at) = (vec![id], HashSet::from([id]), 0);
        while let Some(part) = wholes.get(at).copied() {
            let is_one = |relation| classes.iter().any(|class| self.model.is_a(relation, class));
            for whole in relations.across(part, Direction::Inverse, is_one) {
                if seen.insert(whole) {
                    wholes.push(whole);
                }
            }
            at += 1;
        }
        wholes.remove(0);
        wholes
    }
}

const ALL_RELATIONS: &[&str] = &[
    "IfcRelAggregates",
    "IfcRelNests",
    "IfcRelContainedInSpatialStructure",
    "IfcRelAssignsToGroup",
    "IfcRelVoidsElement",
    "IfcRelFillsElement",
];

struct Class {
    system: Option<String>,
    /// Its own, then those that it stands under.
    codes: Vec<String>,
}

/// What an attribute or a member holds.
pub(crate) enum Found {
    Nothing,
    /// It is written, and says nothing: an empty text or list, or a truth value that is unknown.
    Empty,
    Value(Fact),
}

pub(crate) fn fact(arg: &Arg, kind: Option<AttrKind>) -> Found {
    Found::Value(match arg {
        Arg::Null | Arg::Derived => return Found::Nothing,
        Arg::Text(text) if text.is_empty() => return Found::Empty,
        Arg::List(items) if items.is_empty() => return Found::Empty,
        Arg::Typed(keyword, inner) => {
            let kind =
                if matches!(keyword.as_str(), "IFCBOOLEAN" | "IFCLOGICAL") { Some(AttrKind::Logical) } else { kind };
            return fact(inner, kind);
        }
        Arg::Text(text) => Fact::Text(text.clone()),
        Arg::Integer(number) if kind == Some(AttrKind::Real) => Fact::Real(*number as f64),
        Arg::Integer(number) => Fact::Integer(*number),
        Arg::Real(number) => Fact::Real(*number),
        Arg::Enum(item) if kind == Some(AttrKind::Logical) => match item.as_str() {
            "T" => Fact::Boolean(true),
            "F" => Fact::Boolean(false),
            _ => return Found::Empty,
        },
        Arg::Enum(item) => Fact::Text(item.clone()),
        Arg::Binary(_) | Arg::Ref(_) | Arg::List(_) => Fact::Other,
    })
}
