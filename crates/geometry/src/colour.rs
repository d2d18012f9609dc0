//! The colour that a file gives an item of a representation: IfcStyledItem, its surface style, IfcColourRgb.

use ifc_lite_core::{AttributeValue, DecodedEntity, EntityDecoder, IfcType};

/// References that one item's styles may be followed through.
const MAX_STEPS: usize = 256;
/// How deep styles and mapped items lie at most.
const MAX_DEPTH: usize = 8;

/// Red, green, blue and opacity, each from 0 to 1.
pub type Colour = [f32; 4];

/// The colour of an item; of what it maps where it has none of its own.
pub(crate) fn of(item: u32, decoder: &mut EntityDecoder) -> Option<Colour> {
    let mut steps = MAX_STEPS;
    of_item(item, decoder, &mut steps, MAX_DEPTH)
}

fn of_item(item: u32, decoder: &mut EntityDecoder, steps: &mut usize, depth: usize) -> Option<Colour> {
    let depth = depth.checked_sub(1)?;
    let styled = decoder.styled_item_ids(item).map(<[u32]>::to_vec).unwrap_or_default();
    let own = styled.into_iter().find_map(|id| {
        let entity = decoded(id, decoder, steps)?;
        references(&entity, 1).into_iter().find_map(|style| of_style(style, decoder, steps, depth))
    });
    own.or_else(|| below(item, decoder, steps).into_iter().find_map(|one| of_item(one, decoder, steps, depth)))
}

/// What an item is made of: the first operand of a boolean, the items of a mapped representation.
fn below(item: u32, decoder: &mut EntityDecoder, steps: &mut usize) -> Vec<u32> {
    let Some(entity) = decoded(item, decoder, steps) else { return Vec::new() };
    match entity.ifc_type {
        IfcType::IfcBooleanResult | IfcType::IfcBooleanClippingResult => entity.get_ref(1).into_iter().collect(),
        IfcType::IfcMappedItem => {
            let map = entity.get_ref(0).and_then(|map| decoded(map, decoder, steps));
            let mapped = map.and_then(|map| map.get_ref(1)).and_then(|shown| decoded(shown, decoder, steps));
            mapped.map(|shown| references(&shown, 3)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A surface style, or the assignment of IFC2X3 that lists some.
fn of_style(style: u32, decoder: &mut EntityDecoder, steps: &mut usize, depth: usize) -> Option<Colour> {
    let depth = depth.checked_sub(1)?;
    let entity = decoded(style, decoder, steps)?;
    match entity.ifc_type {
        IfcType::IfcSurfaceStyle => {
            references(&entity, 2).into_iter().find_map(|shading| of_shading(shading, decoder, steps))
        }
        // The schema that the reader knows has no assignment of styles any more.
        _ if entity.get(0).is_some_and(|first| first.as_list().is_some()) => {
            references(&entity, 0).into_iter().find_map(|one| of_style(one, decoder, steps, depth))
        }
        _ => None,
    }
}

/// Shading or rendering: colour, then transparency.
fn of_shading(shading: u32, decoder: &mut EntityDecoder, steps: &mut usize) -> Option<Colour> {
    let entity = decoded(shading, decoder, steps)?;
    let rgb = entity.get_ref(0).and_then(|id| decoded(id, decoder, steps))?;
    if rgb.ifc_type != IfcType::IfcColourRgb {
        return None;
    }
    let part = |index: usize| rgb.get_float(index).filter(|one| one.is_finite()).map(|one| one.clamp(0.0, 1.0) as f32);
    let transparency = entity.get_float(1).filter(|one| one.is_finite()).unwrap_or(0.0).clamp(0.0, 1.0);
    Some([part(1)?, part(2)?, part(3)?, (1.0 - transparency) as f32])
}

fn decoded(id: u32, decoder: &mut EntityDecoder, steps: &mut usize) -> Option<DecodedEntity> {
    *steps = steps.checked_sub(1)?;
    decoder.decode_by_id(id).ok()
}

fn references(entity: &DecodedEntity, index: usize) -> Vec<u32> {
    let list = entity.get(index).and_then(|one| one.as_list()).unwrap_or_default();
    list.iter().filter_map(AttributeValue::as_entity_ref).take(MAX_STEPS).collect()
}
