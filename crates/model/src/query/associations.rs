//! Classifications, materials and documents: of the occurrence, else of its type. A class of the occurrence stands in
//! the place of its type's classes of the same system, and leaves those of other systems as they are.

use crate::model::{Instance, Model};
use crate::relations::Role;
use crate::shapes::{Classification, Document, ExpressId, Layer, Material};

/// References may point at references this often before they are taken for a ring.
const MAX_REFERENCE_CHAIN: usize = 32;

impl Model {
    pub fn classifications(&self, id: ExpressId) -> Vec<Classification> {
        let of = |id: ExpressId| -> Vec<Classification> {
            let found = self.relations().inverse(id, Role::Classification).filter_map(|id| self.instance(id));
            found.map(|reference| self.classification(&reference)).collect()
        };
        let mut classes = of(id);
        let mut inherited = self.type_of(id).map(of).unwrap_or_default();
        inherited.retain(|class| classes.iter().all(|own| own.system != class.system));
        classes.append(&mut inherited);
        classes
    }

    /// The material, layer set, profile set, constituent set or list.
    pub fn material(&self, id: ExpressId) -> Option<Material> {
        let found = self.associated(id, Role::Material).into_iter().next()?;
        let mut material = self.instance(found)?;
        // A usage says where a set lies; the set is what people mean.
        for set in ["ForLayerSet", "ForProfileSet"] {
            if let Some(inner) = material.get(set).as_ref().and_then(|id| self.instance(id)) {
                material = inner;
            }
        }
        let members = ["MaterialLayers", "MaterialProfiles", "MaterialConstituents", "Materials"];
        let members = members.iter().flat_map(|attribute| material.get(attribute).references());
        let layers: Vec<Layer> = members.filter_map(|id| self.instance(id)).map(|member| self.layer(&member)).collect();
        let named = ["Name", "LayerSetName"].iter().find_map(|attribute| material.text(attribute));
        let own = material.get("Material").as_ref().map(|_| self.layer(&material));
        Some(Material {
            name: named
                .or_else(|| own.and_then(|layer| layer.name))
                .or_else(|| layers.first().and_then(|layer| layer.name.clone())),
            kind: material.class.name.clone(),
            layers,
        })
    }

    /// Documents that it refers to.
    pub fn documents(&self, id: ExpressId) -> Vec<Document> {
        let found = self.associated(id, Role::Document);
        found.iter().filter_map(|id| self.instance(*id)).map(|document| self.document(&document)).collect()
    }

    fn associated(&self, id: ExpressId, role: Role) -> Vec<ExpressId> {
        let own: Vec<ExpressId> = self.relations().inverse(id, role).collect();
        match self.type_of(id) {
            Some(type_id) if own.is_empty() => self.relations().inverse(type_id, role).collect(),
            _ => own,
        }
    }

    fn classification(&self, reference: &Instance<'_>) -> Classification {
        let mut system = None;
        let mut next = reference.get("ReferencedSource").as_ref();
        for _ in 0..MAX_REFERENCE_CHAIN {
            let Some(source) = next.and_then(|id| self.instance(id)) else { break };
            if source.class.name == "IfcClassification" {
                system = source.text("Name");
                break;
            }
            next = source.get("ReferencedSource").as_ref();
        }
        if reference.class.name == "IfcClassification" {
            system = reference.text("Name");
        }
        Classification {
            system,
            identification: reference.text("Identification").or_else(|| reference.text("ItemReference")),
            name: reference.text("Name"),
            location: reference.text("Location"),
        }
    }

    /// A layer, profile or constituent names a material; a list's member is one.
    fn layer(&self, member: &Instance<'_>) -> Layer {
        let material = member.get("Material").as_ref().and_then(|id| self.instance(id));
        Layer {
            name: material.and_then(|material| material.text("Name")).or_else(|| member.text("Name")),
            thickness: member.get("LayerThickness").as_number(),
        }
    }

    fn document(&self, found: &Instance<'_>) -> Document {
        let whole = ["ReferencedDocument", "ReferenceToDocument"];
        let whole = whole.iter().find_map(|attribute| found.get(attribute).references().first().copied());
        let whole = whole.and_then(|id| self.instance(id));
        let text = |attributes: &[&str]| {
            let of = |document: &Instance<'_>| attributes.iter().find_map(|attribute| document.text(attribute));
            of(found).or_else(|| whole.as_ref().and_then(of))
        };
        Document {
            name: text(&["Name"]),
            identification: text(&["Identification", "ItemReference", "DocumentId"]),
            location: text(&["Location"]),
        }
    }
}
