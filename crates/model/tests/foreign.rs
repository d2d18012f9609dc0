//! Files that other programs wrote: the figures that an independent program found (spec: ifc-sdk.md §7.1).
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_model::{Model, describe};
use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ifc/foreign");

#[test]
fn the_figures_are_those_of_an_independent_program() {
    let facts = std::fs::read_to_string(format!("{FOLDER}/facts.json")).unwrap();
    let expected: Vec<Value> = serde_json::from_str(&facts).unwrap();
    assert_eq!(expected.len(), 3);
    for mut expected in expected {
        let file = expected["file"].as_str().unwrap().to_owned();
        let bytes = std::fs::read(format!("{FOLDER}/{file}")).unwrap();
        let model = Model::open(bytes, &file).unwrap();
        let found = serde_json::to_value(describe(&model)).unwrap();
        expected.as_object_mut().unwrap().entry("warnings").or_insert(Value::Array(Vec::new()));
        for (member, expected) in expected.as_object().unwrap() {
            assert_eq!(&found[member], expected, "{member} of {file}");
        }
        assert_eq!(found.as_object().unwrap().len(), expected.as_object().unwrap().len());
    }
}
