//! `bim.create`: a new IFC file, one record after the other (spec: ifc-sdk.md §3 "`create`", §3.1).
//!
//! Owns what each method writes and what its parameters must be. Refuses to know JavaScript, handles and capabilities.
//! Invariants: a refused call writes nothing; the file is valid STEP in its schema and opens without a warning.

mod annotate;
mod elements;
mod params;
mod schedule;
mod section;

use std::collections::BTreeMap;

use holdpoint_check::{Args, Code, Sentence, args};
use ifc_lite_core::SchemaVersion;
use serde::Serialize;
use serde_json::{Value, json};

use crate::codes::{SCHEMA, UNIT};
use crate::draft::{Draft, Head, Section};
use crate::step::{Arg, iso_time};

pub(crate) use elements::{Body, Home, rooted, store};
pub(crate) use params::Params;

/// Why a call was refused.
#[derive(Debug, Clone, PartialEq)]
pub enum CreateRefused {
    /// An argument is wrong: which, and what it must be.
    Argument {
        /// As the method names it.
        argument: &'static str,
        /// The member of it that is wrong; empty for the whole.
        member: String,
        expected: Sentence,
    },
    /// The file has nothing of that sort with that number.
    NotFound(Sort, f64),
}

/// What a number should have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Storey,
    Wall,
    Element,
    Object,
    Profile,
    Method,
}

impl CreateRefused {
    /// The parameter object as a whole.
    fn whole(expected: &'static Code, values: Args<'_>) -> Self {
        Self::argument("params", expected, values)
    }

    /// A member of the parameter object.
    fn member(name: &str, expected: &'static Code) -> Self {
        let expected = Sentence::of(expected, args! {});
        Self::Argument { argument: "params", member: name.to_owned(), expected }
    }

    fn argument(argument: &'static str, expected: &'static Code, values: Args<'_>) -> Self {
        Self::Argument { argument, member: String::new(), expected: Sentence::of(expected, values) }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Created {
    pub content: String,
    /// Objects with a `GlobalId`: `{expressId, type, name}`.
    pub entities: Vec<Value>,
    pub stats: Value,
}

/// An object of the file.
#[derive(Debug, Clone, PartialEq)]
struct Object {
    class: String,
    name: Option<String>,
    /// The solid of its body.
    body: Option<u32>,
    /// Length, thickness and placement of a wall.
    wall: Option<(f64, f64, u32)>,
    element: bool,
}

/// A storey: its placement, what it contains, what its parts are.
#[derive(Debug, Default)]
struct Storey {
    placement: u32,
    contents: Vec<u32>,
    parts: Vec<u32>,
}

/// A file that is being written by handle.
#[derive(Debug)]
pub struct Creation {
    draft: Draft,
    /// The clock of the host, in seconds since 1970-01-01 UTC.
    created: i64,
    building: u32,
    building_place: u32,
    world: u32,
    storeys: BTreeMap<u32, Storey>,
    objects: BTreeMap<u32, Object>,
    profiles: Vec<u32>,
}

impl Creation {
    /// `project(params)`. `key` makes the file's `GlobalId`s its own: the same key, time and calls give the same file.
    /// `created` is the host's clock, in seconds since 1970.
    pub fn project(params: &Value, key: &str, created: i64) -> Result<Self, CreateRefused> {
        let params = Params::read(params, None)?;
        let schema = match params.text("Schema")?.unwrap_or("IFC4") {
            "IFC2X3" => SchemaVersion::Ifc2x3,
            "IFC4" => SchemaVersion::Ifc4,
            "IFC4X3" => SchemaVersion::Ifc4x3,
            _ => return Err(CreateRefused::member("Schema", &SCHEMA)),
        };
        let length_prefix = match params.text("LengthUnit")?.unwrap_or("METRE").to_ascii_uppercase().as_str() {
            "METRE" | "M" => None,
            "MILLIMETRE" | "MM" => Some("MILLI"),
            "CENTIMETRE" | "CM" => Some("CENTI"),
            _ => return Err(CreateRefused::member("LengthUnit", &UNIT)),
        };
        let project = params.text("Name")?.unwrap_or("Project");
        let (mut draft, id) = Draft::file(&Head {
            schema,
            key,
            project,
            description: params.text("Description")?,
            author: params.text("Author")?.unwrap_or("Holdpoint"),
            organization: params.text("Organization")?.unwrap_or("Holdpoint"),
            application: "Holdpoint",
            created,
            length_prefix,
        });
        let world = draft.place(None, [0.0; 3]);
        let named = |name: &str| [("Name", Arg::text(name))];
        let (site, place) = draft.spatial("IfcSite", &named("Site"), None, None);
        let (building, building_place) = draft.spatial("IfcBuilding", &named("Building"), Some(place), None);
        draft.aggregate(id, &[site]);
        draft.aggregate(site, &[building]);
        let mut objects = BTreeMap::new();
        for (id, class, name) in
            [(id, "IfcProject", project), (site, "IfcSite", "Site"), (building, "IfcBuilding", "Building")]
        {
            let name = Some(name.to_owned());
            objects.insert(id, Object { class: class.to_owned(), name, body: None, wall: None, element: false });
        }
        let (storeys, profiles) = (BTreeMap::new(), Vec::new());
        Ok(Self { draft, created, building, building_place, world, storeys, objects, profiles })
    }

    /// Every other method but `toIfc`; `given` are its arguments behind the handle.
    pub fn call(&mut self, method: &str, given: &[Value]) -> Result<Value, CreateRefused> {
        let requires =
            holdpoint_sdk::members::sdk().method("create", method).and_then(|known| known.requires.as_deref());
        let nothing = Value::Null;
        let argument = |index: usize| given.get(index).unwrap_or(&nothing);
        match method {
            "addIfcBuildingStorey" => self.storey(Params::read(argument(0), requires)?),
            "createProfile" => self.create_profile(argument(0)),
            "getWorldPlacementId" => Ok(json!(self.world)),
            "setColor" => self.colour(number(argument(0)), argument(1), argument(2)),
            "addIfcPropertySet" => self.add_properties(number(argument(0)), Params::read(argument(1), requires)?),
            "addIfcElementQuantity" => self.add_quantities(number(argument(0)), Params::read(argument(1), requires)?),
            "addIfcMaterial" => self.add_material(number(argument(0)), Params::read(argument(1), requires)?),
            "addIfcWallDoor" | "addIfcWallWindow" => {
                self.opening(method, number(argument(0)), Params::read(argument(1), requires)?)
            }
            _ if schedule::is_method(method) => self.schedule(method, given, requires),
            _ => self.element(method, number(argument(0)), Params::read(argument(1), requires)?),
        }
    }

    pub fn finish(mut self) -> Created {
        let storeys = std::mem::take(&mut self.storeys);
        self.draft.aggregate(self.building, &storeys.keys().copied().collect::<Vec<_>>());
        for (id, storey) in storeys {
            self.draft.aggregate(id, &storey.parts);
            self.draft.contain(id, &storey.contents);
        }
        let entity =
            |(id, object): (&u32, &Object)| json!({"expressId": id, "type": object.class, "name": object.name});
        let entities = self.objects.iter().map(entity).collect();
        let count = self.draft.writer.last();
        let content = self.draft.writer.finish(&iso_time(self.created));
        let stats = json!({"entityCount": count, "fileSize": content.len()});
        Created { content, entities, stats }
    }

    fn storey(&mut self, params: Params<'_>) -> Result<Value, CreateRefused> {
        let elevation = params.number("Elevation")?;
        let given = elements::rooted(params, "Storey")?;
        let name = given.name.clone();
        let (id, placement) =
            self.draft.spatial("IfcBuildingStorey", &given.attributes, Some(self.building_place), Some(elevation));
        self.storeys.insert(id, Storey { placement, ..Storey::default() });
        let class = "IfcBuildingStorey".to_owned();
        self.objects.insert(id, Object { class, name, body: None, wall: None, element: false });
        Ok(json!(id))
    }

    fn create_profile(&mut self, profile: &Value) -> Result<Value, CreateRefused> {
        let section = self.section(profile)?;
        let id = self.draft.profile(&section);
        self.profiles.push(id);
        Ok(json!(id))
    }

    fn section(&self, profile: &Value) -> Result<Section, CreateRefused> {
        section::read(profile, |id| self.profiles.contains(&id))
    }

    /// Something that sets, materials and relations can hang on.
    fn known(&self, id: f64) -> Result<u32, CreateRefused> {
        self.find(id, Sort::Object, |_| true)
    }

    fn find(&self, id: f64, sort: Sort, fits: impl Fn(&Object) -> bool) -> Result<u32, CreateRefused> {
        let whole = id.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&id);
        let found = whole.then_some(id as u32).filter(|id| self.objects.get(id).is_some_and(fits));
        found.ok_or(CreateRefused::NotFound(sort, id))
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}
