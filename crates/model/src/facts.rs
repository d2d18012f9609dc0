//! The figures of a model, as the command line and the info panel show them (spec: ifc-sdk.md §7.1).
//!
//! Invariant: counted as `fixtures/ifc/foreign/README.md` says, so that an independent program finds the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use crate::model::Model;
use crate::query::has_value;
use crate::shapes::{ExpressId, Warning};

/// Set name → member name → number of products that have a value of it.
pub type Members = BTreeMap<String, BTreeMap<String, usize>>;

/// What `holdpoint model FILE --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    pub file: String,
    pub file_size: u64,
    /// It is one of `IFC2X3`, `IFC4` or `IFC4X3`.
    pub schema: String,
    /// Instances in the data section.
    pub entities: usize,
    pub products: usize,
    pub types: BTreeMap<String, usize>,
    pub storeys: Vec<StoreyFacts>,
    /// Products without a storey above them; storeys are among them.
    pub without_storey: usize,
    /// Of occurrences and their types.
    pub property_sets: Members,
    /// Of occurrences and their types.
    pub quantity_sets: Members,
    /// Fire rating → number of walls; `None` for walls without one.
    pub wall_fire_ratings: BTreeMap<String, usize>,
    /// What could not be read.
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoreyFacts {
    pub name: Option<String>,
    /// In the file's length unit.
    pub elevation: Option<f64>,
    /// Products whose nearest storey it is.
    pub products: usize,
}

/// The products of a model, counted without their sets.
pub(crate) struct Counts {
    pub(crate) types: BTreeMap<String, usize>,
    /// Storeys by elevation, then name, with the products whose nearest storey each is.
    pub(crate) storeys: Vec<(ExpressId, StoreyFacts)>,
    pub(crate) without_storey: usize,
}

impl Counts {
    pub(crate) fn of(model: &Model) -> Self {
        let mut types = BTreeMap::new();
        let mut on_storey: HashMap<Option<ExpressId>, usize> = HashMap::new();
        for id in model.products().iter().copied() {
            if let Some(class) = model.class_of(id) {
                *types.entry(class.name.as_str()).or_default() += 1;
            }
            *on_storey.entry(model.storey(id)).or_default() += 1;
        }
        let count = |storey| on_storey.get(&storey).copied().unwrap_or_default();
        let storeys = model.storeys().into_iter().map(|id| {
            let name = model.entity(id).and_then(|storey| storey.name);
            (id, StoreyFacts { name, elevation: model.elevation(id), products: count(Some(id)) })
        });
        Self {
            storeys: storeys.collect(),
            without_storey: count(None),
            types: types.into_iter().map(|(class, count)| (class.to_owned(), count)).collect(),
        }
    }
}

pub fn describe(model: &Model) -> Facts {
    let counts = Counts::of(model);
    let mut sets = Sets::default();
    let mut wall_fire_ratings = BTreeMap::new();
    for id in model.products().iter().copied() {
        sets.add(model, id);
        if model.is_a(id, "IfcWall") {
            *wall_fire_ratings.entry(fire_rating(model, id)).or_default() += 1;
        }
    }
    Facts {
        file: model.filename().to_owned(),
        file_size: model.file_size(),
        schema: model.schema().to_owned(),
        entities: model.entity_count(),
        products: model.products().len(),
        types: counts.types,
        storeys: counts.storeys.into_iter().map(|(_, storey)| storey).collect(),
        without_storey: counts.without_storey,
        property_sets: sets.properties,
        quantity_sets: sets.quantities,
        wall_fire_ratings,
        warnings: model.warnings().to_vec(),
    }
}

/// Set and member of a value.
type Named = BTreeSet<(String, String)>;

/// Which members of which sets have values, over many products.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    pub(crate) properties: Members,
    pub(crate) quantities: Members,
    /// Members of a type object, so that a type with thousands of occurrences is read once.
    of_types: HashMap<ExpressId, (Named, Named)>,
}

impl Sets {
    pub(crate) fn add(&mut self, model: &Model, id: ExpressId) {
        let (mut properties, mut quantities) = valued(model, id);
        if let Some(type_id) = model.type_of(id) {
            let of_type = self.of_types.entry(type_id).or_insert_with(|| valued(model, type_id));
            properties.extend(of_type.0.iter().cloned());
            quantities.extend(of_type.1.iter().cloned());
        }
        count(&mut self.properties, properties);
        count(&mut self.quantities, quantities);
    }
}

fn valued(model: &Model, id: ExpressId) -> (Named, Named) {
    let properties = model.properties(id).into_iter().flat_map(|set| {
        let members = set.properties.into_iter().filter(|member| has_value(&member.value));
        members.map(move |member| (set.name.clone(), member.name))
    });
    let quantities = model.quantities(id).into_iter().flat_map(|set| {
        let members = set.quantities.into_iter().filter(|member| has_value(&member.value));
        members.map(move |member| (set.name.clone(), member.name))
    });
    (properties.collect(), quantities.collect())
}

fn count(into: &mut Members, named: Named) {
    for (set, member) in named {
        *into.entry(set).or_default().entry(member).or_default() += 1;
    }
}

/// The first `FireRating` with a value in any set, the occurrence's sets before the type's.
fn fire_rating(model: &Model, wall: ExpressId) -> String {
    let sources = std::iter::once(wall).chain(model.type_of(wall));
    let properties = sources.flat_map(|source| model.properties(source)).flat_map(|set| set.properties);
    let mut rating = properties.filter(|property| property.name == "FireRating").map(|property| property.value);
    match rating.find(has_value) {
        None => "None".to_owned(),
        Some(serde_json::Value::String(text)) => text,
        Some(other) => other.to_string(),
    }
}
