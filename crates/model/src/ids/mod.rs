//! Information Delivery Specification 1.0 of buildingSMART: what a model has to hold, read from a file and checked.
//!
//! Owns the reading of IDS files ([`Ids::read`]) and the answer to them ([`check`]). Refuses document types, and patterns
//! that XML Schema does not know. Numbers are compared in units of the international system, with the tolerance that the
//! standard names, whatever units the model counts in.
//!
//! ```
//! use holdpoint_model::{Model, fixtures, ids::{Ids, IdsStatus, check}};
//!
//! let ids = r#"<ids xmlns="http://standards.buildingsmart.org/IDS"><info><title>Doors</title></info><specifications>
//!   <specification name="Doors are named" ifcVersion="IFC4"><applicability maxOccurs="unbounded">
//!     <entity><name><simpleValue>IFCDOOR</simpleValue></name></entity></applicability>
//!   <requirements><attribute><name><simpleValue>Name</simpleValue></name></attribute></requirements>
//!   </specification></specifications></ids>"#;
//! let ids = Ids::read(ids.as_bytes()).expect("an IDS file");
//! let model = Model::open(fixtures::write("house-small").expect("a fixture"), "house-small.ifc").expect("a model");
//! let report = check(&model, &ids);
//! assert_eq!(report.specifications[0].status, IdsStatus::Passed);
//! assert!(report.specifications[0].applicable > 0);
//! ```

mod allowed;
pub mod codes;
mod facets;
mod pattern;
mod properties;
mod read;
mod report;
mod si;

pub use read::{Ids, InvalidIdsError};
pub use report::{CheckedRequirement, CheckedSpecification, FailedElement, IdsStatus, Report, check};

use allowed::Allowed;
use serde::Serialize;

/// How often what a specification is about may be in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Occurs {
    Required,
    Optional,
    Prohibited,
}

/// One `specification` of a file.
#[derive(Debug, Clone)]
pub struct Specification {
    pub name: String,
    pub identifier: Option<String>,
    pub description: Option<String>,
    pub instructions: Option<String>,
    pub occurs: Occurs,
    /// Schemas as [`crate::Model::schema`] says them.
    pub schemas: Vec<String>,
    pub(crate) applicability: Vec<Facet>,
    pub(crate) requirements: Vec<Requirement>,
}

#[derive(Debug, Clone)]
pub(crate) struct Requirement {
    pub(crate) facet: Facet,
    pub(crate) occurs: Occurs,
    pub(crate) instructions: Option<String>,
}

/// One thing that is asked of an element.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Facet {
    Entity(Entity),
    Part {
        #[serde(skip_serializing_if = "Option::is_none")]
        relation: Option<&'static str>,
        entity: Entity,
    },
    Classification {
        system: Allowed,
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Allowed>,
    },
    Attribute {
        name: Allowed,
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Allowed>,
    },
    Property(Property),
    Material {
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Allowed>,
    },
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Entity {
    pub(crate) name: Allowed,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) predefined: Option<Allowed>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Property {
    pub(crate) set: Allowed,
    pub(crate) name: Allowed,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Allowed>,
}
