//! A model checked against an IDS file: what each specification found, by requirement and element.

use holdpoint_check::{Sentence, args};
use serde::Serialize;

use super::codes::{MUST_NOT_BE, NONE_FOUND, OTHER_SCHEMA, PROHIBITED};
use super::facets::{Checker, Met};
use super::{Facet, Ids, Occurs, Requirement, Specification};
use crate::model::Model;
use crate::schema::Class;
use crate::shapes::ExpressId;

/// Elements that are listed with their reasons, for each requirement; all are counted and named by number.
const MAX_LISTED: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub title: String,
    pub specifications: Vec<CheckedSpecification>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IdsStatus {
    Passed,
    Failed,
}

/// A specification with what the model has of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedSpecification {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    pub occurs: Occurs,
    pub status: IdsStatus,
    /// Elements that it is about.
    pub applicable: usize,
    /// Elements that do not do all that is asked for, by number.
    pub failed: Vec<ExpressId>,
    /// Why it failed as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Sentence>,
    /// It is checked all the same, and was written for another schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Sentence>,
    pub requirements: Vec<CheckedRequirement>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckedRequirement {
    /// The facet: `kind`, and what it asks for in signs that need no language.
    pub facet: serde_json::Value,
    pub occurs: Occurs,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    pub passed: usize,
    /// Elements that do not do it, by number.
    pub failed: Vec<ExpressId>,
    /// The first thousand of them, with the reason.
    pub failures: Vec<FailedElement>,
}

/// An element and why it fails.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FailedElement {
    pub id: ExpressId,
    pub r#type: String,
    pub name: Option<String>,
    pub global_id: Option<String>,
    pub reason: Sentence,
}

/// Checks every specification of a file, in its order.
pub fn check(model: &Model, ids: &Ids) -> Report {
    let checker = Checker::new(model);
    let specifications = ids.specifications.iter().map(|one| checker.specification(one)).collect();
    Report { title: ids.title.clone(), specifications }
}

impl Checker<'_> {
    fn specification(&self, asked: &Specification) -> CheckedSpecification {
        let mut checked = CheckedSpecification {
            name: asked.name.clone(),
            identifier: asked.identifier.clone(),
            description: asked.description.clone(),
            instructions: asked.instructions.clone(),
            occurs: asked.occurs,
            status: IdsStatus::Passed,
            applicable: 0,
            failed: Vec::new(),
            reason: None,
            note: None,
            requirements: Vec::new(),
        };
        if !asked.schemas.iter().any(|schema| schema == self.model.schema()) {
            let args = args! { allowed: asked.schemas.join(", "), found: self.model.schema() };
            checked.note = Some(Sentence::of(&OTHER_SCHEMA, args));
        }
        let found = self.applicable(&asked.applicability);
        checked.applicable = found.len();
        if asked.occurs == Occurs::Prohibited {
            checked.reason = (!found.is_empty()).then(|| Sentence::of(&MUST_NOT_BE, args! {}));
            checked.failed = found;
        } else {
            checked.requirements = asked.requirements.iter().map(|one| self.requirement(one, &found)).collect();
            checked.failed = checked.requirements.iter().flat_map(|one| one.failed.iter().copied()).collect();
            checked.failed.sort_unstable();
            checked.failed.dedup();
            if asked.occurs == Occurs::Required && found.is_empty() {
                checked.reason = Some(Sentence::of(&NONE_FOUND, args! {}));
            }
        }
        if !checked.failed.is_empty() || checked.reason.is_some() {
            checked.status = IdsStatus::Failed;
        }
        checked
    }

    /// What all facets fit, by number: the class is asked first, because it decides most.
    fn applicable(&self, facets: &[Facet]) -> Vec<ExpressId> {
        let class = facets.iter().find_map(|facet| match facet {
            Facet::Entity(entity) => Some(entity),
            _ => None,
        });
        let has_attribute = facets.iter().any(|facet| matches!(facet, Facet::Attribute { .. }));
        // In IFC2X3 the type of a product may say what its class is.
        let by_type = self.model.schema() == "IFC2X3";
        let may_fit = |found: &Class| match class {
            Some(class) => {
                class.name.accepts_text(&found.name.to_ascii_uppercase()) || by_type && found.is_a("IfcProduct")
            }
            // Attributes stand on resources too, such as a georeference; everything else on objects and types.
            None => has_attribute || found.is_a("IfcObjectDefinition"),
        };
        let candidates = self.model.instances_where(may_fit).map(|record| record.id);
        candidates.filter(|id| facets.iter().all(|facet| self.meets(facet, *id) == Met::Yes)).collect()
    }

    fn requirement(&self, asked: &Requirement, found: &[ExpressId]) -> CheckedRequirement {
        let (mut failed, mut failures) = (Vec::new(), Vec::new());
        for id in found {
            let reason = match (asked.occurs, self.meets(&asked.facet, *id)) {
                (Occurs::Prohibited, Met::Yes) => Sentence::of(&PROHIBITED, args! {}),
                (Occurs::Required, Met::Absent(reason) | Met::Wrong(reason))
                | (Occurs::Optional, Met::Wrong(reason)) => reason,
                _ => continue,
            };
            failed.push(*id);
            if failures.len() < MAX_LISTED {
                failures.push(self.failure(*id, reason));
            }
        }
        CheckedRequirement {
            facet: serde_json::to_value(&asked.facet).unwrap_or_default(),
            occurs: asked.occurs,
            instructions: asked.instructions.clone(),
            passed: found.len() - failed.len(),
            failed,
            failures,
        }
    }

    fn failure(&self, id: ExpressId, reason: Sentence) -> FailedElement {
        let entity = self.model.entity(id);
        let (name, global_id) =
            entity.as_ref().map(|found| (found.name.clone(), found.global_id.clone())).unwrap_or_default();
        FailedElement { id, r#type: entity.map(|found| found.r#type).unwrap_or_default(), name, global_id, reason }
    }
}
