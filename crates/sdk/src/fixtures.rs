//! The canonical fixtures (spec: ifc-sdk.md §7; data: `fixtures.json`).

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::schemas;

#[derive(Debug, Clone, PartialEq)]
pub struct Fixture {
    pub id: String,
    pub description: String,
    /// It is one of `IFC2X3`, `IFC4` or `IFC4X3`.
    pub schema: String,
    pub elements: u64,
    /// IFC class and count, in the order of the data.
    pub distribution: Vec<(String, u64)>,
    pub data: Map<String, Value>,
}

static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(|| read().expect("fixtures.json has fixtures by id"));

/// Every fixture, in the order of the data.
pub fn all() -> &'static [Fixture] {
    &FIXTURES
}

/// The fixture with this id.
pub fn find(id: &str) -> Option<&'static Fixture> {
    FIXTURES.iter().find(|fixture| fixture.id == id)
}

/// Every id, in the order of the data.
pub fn ids() -> Vec<&'static str> {
    FIXTURES.iter().map(|fixture| fixture.id.as_str()).collect()
}

fn read() -> Option<Vec<Fixture>> {
    let data: Value = serde_json::from_str(schemas::FIXTURES).ok()?;
    let text = |fixture: &Value, key: &str| Some(fixture.get(key)?.as_str()?.to_owned());
    data.get("fixtures")?
        .as_object()?
        .iter()
        .map(|(id, fixture)| {
            let distribution = fixture.get("distribution")?.as_object()?;
            Some(Fixture {
                id: id.clone(),
                description: text(fixture, "description")?,
                schema: text(fixture, "schema")?,
                elements: fixture.get("elements_total")?.as_u64()?,
                distribution: distribution
                    .iter()
                    .map(|(k, n)| Some((k.clone(), n.as_u64()?)))
                    .collect::<Option<_>>()?,
                data: fixture.as_object()?.clone(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_count_adds_up() {
        assert_eq!(super::all().len(), 8);
        for fixture in super::all() {
            assert_eq!(fixture.distribution.iter().map(|(_, n)| n).sum::<u64>(), fixture.elements, "{}", fixture.id);
        }
    }
}
