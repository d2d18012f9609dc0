//! One element after the other: its triangles, its openings cut out, its colours.

use ifc_lite_core::{AttributeValue, DecodedEntity, EntityDecoder, IfcType};
use ifc_lite_geometry::{GeometryRouter, SubMeshCollection, void_index_from_content};
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::colour;
use crate::shape::{MeshPart, MeshShape, Seen, placed};

/// Where an IfcProduct names its representation.
const REPRESENTATION: usize = 6;
/// Representations that are drawn; others are axes, outlines and boxes.
const BODY: [&str; 3] = ["Body", "Facetation", "Tessellation"];

/// Why an element is not drawn, or not as the file says.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum DrawError {
    /// The file has no such element, or its record cannot be read.
    #[error("the element cannot be read")]
    Unread,
    /// It has a body, and the body gave no triangles.
    #[error("the body gave no triangles: {0}")]
    NoTriangles(String),
}

/// What one element looks like.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawn {
    /// Empty where the element has no body.
    pub parts: Vec<MeshPart>,
    /// Shapes that no element before it had, with their numbers.
    pub shapes: Vec<(u32, MeshShape)>,
    /// Whether an opening could not be cut out of it.
    pub uncut: bool,
}

/// Reads the geometry of one file.
pub struct Mesher<'a> {
    decoder: EntityDecoder<'a>,
    router: GeometryRouter,
    voids: FxHashMap<u32, Vec<u32>>,
    seen: Seen,
}

impl<'a> Mesher<'a> {
    /// Finds units, origin and openings; elements are read when they are asked for.
    pub fn new(content: &'a [u8]) -> Self {
        let mut decoder = EntityDecoder::new(content);
        let mut router = GeometryRouter::with_units(content, &mut decoder);
        let anchor = router.detect_rtc_anchor_for_file(content, &mut decoder);
        if let Some(anchor) = anchor.filter(|(x, y, z)| [x, y, z].iter().all(|one| one.is_finite())) {
            router.set_rtc_offset(anchor);
        }
        let voids = void_index_from_content(content, &mut decoder);
        Self { decoder, router, voids, seen: Seen::default() }
    }

    /// Metres from the file's zero to the local origin.
    pub fn origin(&self) -> [f64; 3] {
        let (x, y, z) = self.router.rtc_offset();
        [x, y, z]
    }

    /// Metres in the file's unit of length.
    pub fn unit(&self) -> f64 {
        self.router.unit_scale()
    }

    /// The element's parts. An opening has none: it is what is missing of others.
    pub fn element(&mut self, id: u32) -> Result<Drawn, DrawError> {
        let entity = self.decoder.decode_by_id(id).map_err(|_| DrawError::Unread)?;
        if is_opening(&entity.ifc_type) || !self.has_body(&entity) {
            return Ok(Drawn::default());
        }
        let meshed = if self.voids.contains_key(&id) {
            self.router.process_element_with_submeshes_and_voids(&entity, &mut self.decoder, &self.voids)
        } else {
            self.router.process_element_with_submeshes(&entity, &mut self.decoder)
        };
        let meshes = meshed.map_err(|fault| DrawError::NoTriangles(fault.to_string()))?;
        let mut drawn = self.drawn(&meshes);
        if drawn.parts.is_empty() {
            return Err(DrawError::NoTriangles(String::from("every item is empty or of a kind that is not drawn")));
        }
        drawn.uncut = !self.router.take_csg_failures().is_empty();
        Ok(drawn)
    }

    fn drawn(&mut self, meshes: &SubMeshCollection) -> Drawn {
        let mut drawn = Drawn::default();
        for sub in &meshes.sub_meshes {
            let Some((shape, at)) = placed(sub.mesh.origin, &sub.mesh.positions, &sub.mesh.indices) else { continue };
            let colour = colour::of(sub.geometry_id, &mut self.decoder);
            let (number, new) = self.seen.number(&shape);
            drawn.parts.push(MeshPart { shape: number, at, colour });
            if new {
                drawn.shapes.push((number, shape));
            }
        }
        drawn
    }

    fn has_body(&mut self, entity: &DecodedEntity) -> bool {
        let shown = entity.get_ref(REPRESENTATION).and_then(|id| self.decoder.decode_by_id(id).ok());
        let list = shown.and_then(|shown| Some(shown.get(2)?.as_list()?.to_vec())).unwrap_or_default();
        list.iter().filter_map(AttributeValue::as_entity_ref).any(|id| {
            let Ok(one) = self.decoder.decode_by_id(id) else { return false };
            // A name that is missing says nothing against a body.
            one.get_string(1).is_none_or(|name| BODY.iter().any(|body| body.eq_ignore_ascii_case(name)))
        })
    }
}

fn is_opening(class: &IfcType) -> bool {
    matches!(
        class,
        IfcType::IfcOpeningElement
            | IfcType::IfcOpeningStandardCase
            | IfcType::IfcVoidingFeature
            | IfcType::IfcFeatureElementSubtraction
    )
}
