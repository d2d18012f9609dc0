//! Shapes: triangles that several elements may share, and the places where they stand.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::colour::Colour;

/// Vertices nearer than this are the same vertex when shapes are compared, in metres.
const SAME_M: f64 = 1e-4;

/// Triangles around their own first vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshShape {
    /// Metres, Z up: x, y, z of each vertex.
    pub positions: Vec<f32>,
    pub indices: Vec<u32>,
}

/// A shape at its place.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshPart {
    /// The number of the shape, from 0.
    pub shape: u32,
    /// Metres from the mesher's origin: where the shape's first vertex stands.
    pub at: [f64; 3],
    /// What the file says; `None` where it says nothing.
    pub colour: Option<Colour>,
}

/// The shapes that were seen, by what they are.
#[derive(Default)]
pub(crate) struct Seen {
    numbers: FxHashMap<[u8; 32], u32>,
}

impl Seen {
    /// The shape's number, and whether it is new.
    pub(crate) fn number(&mut self, shape: &MeshShape) -> (u32, bool) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(digest(shape)).or_insert(next);
        (number, number == next)
    }
}

/// Positions that stand around a first vertex, and where that vertex stands; `None` where a number is not finite or a
/// triangle names no vertex.
pub(crate) fn placed(origin: [f64; 3], positions: &[f32], indices: &[u32]) -> Option<(MeshShape, [f64; 3])> {
    let first = positions.get(..3)?;
    let vertices = positions.len() / 3;
    let sound = positions.iter().all(|one| one.is_finite())
        && origin.iter().all(|one| one.is_finite())
        && indices.len().is_multiple_of(3)
        && !indices.is_empty()
        && indices.iter().all(|index| (*index as usize) < vertices);
    if !sound {
        return None;
    }
    let at = [0, 1, 2].map(|axis| origin[axis] + f64::from(first[axis]));
    let around = positions.chunks_exact(3).flat_map(|one| [one[0] - first[0], one[1] - first[1], one[2] - first[2]]);
    Some((MeshShape { positions: around.collect(), indices: indices.to_vec() }, at))
}

fn digest(shape: &MeshShape) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update((shape.positions.len() as u64).to_le_bytes());
    for one in &shape.positions {
        hash.update(((f64::from(*one) / SAME_M).round() as i64).to_le_bytes());
    }
    for index in &shape.indices {
        hash.update(index.to_le_bytes());
    }
    hash.finalize().into()
}
