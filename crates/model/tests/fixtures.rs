//! The canonical fixtures: the checked-in files are what the writer writes, open without a warning, and hold exactly
//! what the data file says (spec: ifc-sdk.md §7).
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_model::{Model, describe, fixtures};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ifc");

#[test]
fn the_files_are_what_the_writer_writes() {
    for id in fixtures::stored() {
        let file = std::fs::read_to_string(format!("{FOLDER}/{id}.ifc")).unwrap_or_default();
        assert!(file == fixtures::write(id).unwrap(), "fixtures/ifc/{id}.ifc is stale: run `cargo xtask fixtures`");
    }
}

#[test]
fn an_unknown_fixture_is_answered_with_the_known_ones() {
    let message = fixtures::write("house-large").unwrap_err().to_string();
    assert_eq!(
        message,
        "there is no fixture `house-large`: use one of empty-model, house-small, office-fire, clinic-quantities, villa-2x3, \
         bridge-4x3, services-mep, tower-large"
    );
}

#[test]
fn they_open_without_a_warning() {
    for fixture in holdpoint_sdk::fixtures::all() {
        let id = fixture.id.as_str();
        let model = Model::open(fixtures::write(id).unwrap(), id).unwrap();
        assert_eq!(model.warnings(), [], "{id}");
        assert_eq!(model.schema(), fixture.schema);
    }
}

#[test]
fn fire_ratings_by_storey() {
    let model = Model::open(fixtures::write("office-fire").unwrap(), "office-fire.ifc").unwrap();
    let walls = model.by_type(&["IfcWall"]).unwrap();
    let rated = |storey| {
        let on = walls.iter().filter(|wall| model.storey(**wall) == Some(storey));
        let rated = on.clone().filter(|wall| !model.property(**wall, "Pset_WallCommon", "FireRating").is_null());
        (rated.count(), on.count())
    };
    assert_eq!(model.storeys().into_iter().map(rated).collect::<Vec<_>>(), [(10, 10), (6, 10), (10, 10), (0, 8)]);
}

#[test]
fn the_figures_of_house_small() {
    let model = Model::open(fixtures::write("house-small").unwrap(), "house-small.ifc").unwrap();
    let facts = describe(&model);
    let found = serde_json::json!({
        "products": facts.products, "types": facts.types, "storeys": facts.storeys,
        "without_storey": facts.without_storey, "wall_fire_ratings": facts.wall_fire_ratings,
    });
    let expected = serde_json::json!({
        "products": 47,
        "types": {"IfcBuilding": 1, "IfcBuildingStorey": 3, "IfcDoor": 7, "IfcRoof": 1, "IfcSite": 1, "IfcSlab": 3,
            "IfcSpace": 7, "IfcStair": 1, "IfcWall": 13, "IfcWindow": 10},
        "storeys": [
            {"name": "Ground floor", "elevation": 0.0, "products": 22},
            {"name": "First floor", "elevation": 2.8, "products": 18},
            {"name": "Roof", "elevation": 5.6, "products": 2},
        ],
        "without_storey": 5,
        "wall_fire_ratings": {"": 1, "EI 30": 1, "None": 8, "REI 60": 3},
    });
    assert_eq!(found, expected);
}
