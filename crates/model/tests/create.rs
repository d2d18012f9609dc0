//! Files of `bim.create`: valid STEP in each schema, read back as they were written (spec: ifc-sdk.md §3 "`create`").
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::collections::BTreeMap;

use holdpoint_model::{CreateRefused, Creation, Model};
use holdpoint_sdk::members::sdk;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The clock of the host: 2020-02-29T12:00:00Z.
const CREATED: i64 = 1_582_977_600;

/// Methods that make an element on a storey.
fn element_methods() -> Vec<(&'static str, Vec<Vec<&'static str>>)> {
    let create = sdk().namespace("create").unwrap();
    let methods = create.methods.iter().filter(|method| method.args.get(1).is_some_and(|arg| arg.name == "storeyId"));
    let alternatives =
        |requires: &'static str| requires.split('|').map(|names| names.split(',').map(str::trim).collect()).collect();
    methods.map(|method| (method.name.as_str(), alternatives(method.requires.as_deref().unwrap()))).collect()
}

fn point() -> impl Strategy<Value = Value> {
    let part = -1000.0..1000.0_f64;
    (part.clone(), part.clone(), part).prop_map(|(x, y, z)| json!([x, y, z]))
}

fn parameter(name: &str) -> BoxedStrategy<Value> {
    match name {
        "Position" | "Start" | "Placement" => point().boxed(),
        "End" => (1001.0..2000.0_f64, -1000.0..1000.0_f64, -1000.0..1000.0_f64)
            .prop_map(|(x, y, z)| json!([x, y, z]))
            .boxed(),
        "Slope" => (0.01..1.5_f64).prop_map(|angle| json!(angle)).boxed(),
        "NumberOfRisers" => (1..60_u32).prop_map(|count| json!(count)).boxed(),
        "IfcType" => {
            prop_oneof![Just(json!("IfcFlowSegment")), Just(json!("IfcWall")), Just(json!("IfcSpace"))].boxed()
        }
        "Profile" => prop_oneof![
            Just(json!({"XDim": 0.2, "YDim": 0.3})),
            Just(json!({"Radius": 0.2, "WallThickness": 0.01})),
            Just(json!({"Type": "T", "Depth": 0.2, "FlangeWidth": 0.1, "WebThickness": 0.01, "FlangeThickness": 0.02})),
            Just(json!({"OuterCurve": [[0, 0], [1, 0], [1, 1], [0, 0]]})),
        ]
        .boxed(),
        _ => (0.001..100.0_f64).prop_map(|size| json!(size)).boxed(),
    }
}

/// One call of an element method with every member of one of its alternatives, and texts of any kind.
fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let methods = element_methods();
    (0..methods.len()).prop_flat_map(move |at| {
        let (method, alternatives) = methods[at].clone();
        (0..alternatives.len()).prop_flat_map(move |which| {
            let members: Vec<BoxedStrategy<(String, Value)>> = alternatives[which]
                .iter()
                .map(|name| {
                    let name = (*name).to_owned();
                    parameter(&name).prop_map(move |value| (name.clone(), value)).boxed()
                })
                .collect();
            let texts = (any::<Option<String>>(), any::<Option<String>>());
            (members, texts).prop_map(move |(members, (name, tag))| {
                let mut params: Map<String, Value> = members.into_iter().collect();
                params.extend(name.map(|name| ("Name".to_owned(), json!(name))));
                params.extend(tag.map(|tag| ("Tag".to_owned(), json!(tag))));
                (method, Value::Object(params))
            })
        })
    })
}

/// A reader of its own: number → keyword and arguments, one record a line, quotes and brackets balanced.
fn records(text: &str) -> BTreeMap<u32, (String, String)> {
    let body = text.split_once("DATA;\n").unwrap().1.split_once("ENDSEC;\n").unwrap().0;
    body.lines()
        .map(|line| {
            let (number, rest) = line.strip_prefix('#').unwrap().split_once('=').unwrap();
            let (keyword, args) = rest.split_once('(').unwrap();
            assert!(line.is_ascii() && line.ends_with(");"), "{line}");
            let (mut depth, mut quoted) = (1, false);
            for character in args.strip_suffix(';').unwrap().chars() {
                match character {
                    '\'' => quoted = !quoted,
                    '(' if !quoted => depth += 1,
                    ')' if !quoted => depth -= 1,
                    _ => {}
                }
            }
            assert!(depth == 0 && !quoted, "{line}");
            (number.parse().unwrap(), (keyword.to_owned(), args.to_owned()))
        })
        .collect()
}

fn referred(args: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut quoted = false;
    for (at, character) in args.char_indices() {
        if character == '\'' {
            quoted = !quoted;
        }
        if character == '#' && !quoted {
            let digits: String = args[at + 1..].chars().take_while(char::is_ascii_digit).collect();
            found.push(digits.parse().unwrap());
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn what_is_written_is_read_back(
        calls in proptest::collection::vec(call(), 1..8),
        schema in prop_oneof![Just("IFC2X3"), Just("IFC4"), Just("IFC4X3")],
        unit in prop_oneof![Just("METRE"), Just("MILLIMETRE")],
        elevation in -100.0..500.0_f64,
    ) {
        let mut file = Creation::project(&json!({"Name": "P", "Schema": schema, "LengthUnit": unit}), "test", CREATED).unwrap();
        let storey = file.call("addIfcBuildingStorey", &[json!({"Name": "S", "Elevation": elevation})]).unwrap();
        let mut made = Vec::new();
        for (method, params) in &calls {
            let id = file.call(method, &[storey.clone(), params.clone()]).unwrap();
            file.call("addIfcPropertySet", &[id.clone(), json!({"Name": "Set ä", "Properties": {"A": "x'y\\z 漢", "B": 1.25, "C": false, "D": 7}})]).unwrap();
            file.call("addIfcElementQuantity", &[id.clone(), json!({"Name": "Q", "Quantities": {"NetVolume": 2.5}})]).unwrap();
            file.call("setColor", &[id.clone(), json!("c"), json!([0.1, 0.2, 0.3])]).unwrap();
            made.push((id.as_u64().unwrap() as u32, params["Name"].clone()));
        }
        let created = file.finish();
        let text = records(&created.content);
        for (number, (keyword, args)) in &text {
            for target in referred(args) {
                prop_assert!(text.contains_key(&target), "#{number}={keyword} refers to #{target}");
            }
        }
        prop_assert_eq!(text.len() as u64, created.stats["entityCount"].as_u64().unwrap());

        let model = Model::open(created.content, "made.ifc").unwrap();
        prop_assert_eq!(model.warnings(), []);
        prop_assert_eq!(model.schema(), schema);
        let scale = if unit == "METRE" { 1.0 } else { 1000.0 };
        let read = model.elevation(model.storeys()[0]).unwrap();
        prop_assert!((read / scale - elevation).abs() < 1e-5, "{} {}", read, elevation);
        for (id, name) in made {
            let entity = model.entity(id).unwrap();
            match name.as_str() {
                Some("") => prop_assert_eq!(entity.name, None),
                Some(name) => prop_assert_eq!(entity.name.as_deref(), Some(name)),
                None => prop_assert!(entity.name.is_some()),
            }
            prop_assert_eq!(model.storey(id), Some(storey.as_u64().unwrap() as u32));
            prop_assert_eq!(model.property(id, "Set ä", "A"), json!("x'y\\z 漢"));
            prop_assert_eq!(model.property(id, "Set ä", "B"), json!(1.25));
            prop_assert_eq!(model.property(id, "Set ä", "C"), json!(false));
            prop_assert_eq!(model.property(id, "Set ä", "D"), json!(7));
            prop_assert_eq!(model.quantity(id, "Q", "NetVolume"), json!(2.5));
        }
    }

    /// Changes and their way back leave every record as it was.
    #[test]
    fn changes_can_be_taken_back(choices in proptest::collection::vec((0..6_u8, 0..40_usize), 1..24)) {
        let mut model = Model::open(holdpoint_model::fixtures::write("office-fire").unwrap(), "office-fire.ifc").unwrap();
        let before = model.text();
        let mut done = Vec::new();
        for (what, which) in choices {
            let products = model.all();
            let id = products[which % products.len()];
            let value = json!(which);
            let edits = match what {
                0 => model.set_property(id, "Pset_WallCommon", "FireRating", &json!("EI 90")),
                1 => model.set_property(id, "New", "N", &value),
                2 => model.delete_property(id, "Pset_WallCommon", "FireRating").map(|(_, edits)| edits),
                3 => model.set_attribute(id, "Name", Some("x")),
                4 => model.remove_entity(id),
                _ => {
                    let storey = model.storeys().first().copied().unwrap_or_default();
                    let params = json!({"Position": [0, 0, 0], "Width": 1, "Depth": 1, "Height": 2});
                    model.add_element("addColumn", storey, &params).map(|(_, edits)| edits)
                }
            };
            done.extend(edits);
            let again = Model::open(model.text(), "again.ifc").unwrap();
            prop_assert_eq!(again.warnings(), []);
            prop_assert_eq!(again.all(), model.all());
            prop_assert_eq!(again.schedule(), model.schedule());
        }
        for edits in done.iter().rev() {
            model.revert(edits).unwrap();
        }
        prop_assert_eq!(model.text(), before);
    }
}

#[test]
fn a_shared_set_is_changed_for_one_alone() {
    let mut file = Creation::project(&json!({}), "shared", CREATED).unwrap();
    let storey = file.call("addIfcBuildingStorey", &[json!({"Elevation": 0})]).unwrap();
    let column = json!({"Position": [0, 0, 0], "Width": 1, "Depth": 1, "Height": 1});
    let ids: Vec<u32> = (0..2)
        .map(|_| file.call("addIfcColumn", &[storey.clone(), column.clone()]).unwrap().as_u64().unwrap() as u32)
        .collect();
    let set = file.call("addIfcPropertySet", &[json!(ids[0]), json!({"Name": "P", "Properties": {"A": 1}})]).unwrap();
    let mut model = Model::open(file.finish().content, "shared.ifc").unwrap();
    let sides = json!({"RelatedObjects": [{"expressId": ids[1]}], "RelatingPropertyDefinition": {"expressId": set}});
    model.add_entity("IfcRelDefinesByProperties", &sides).unwrap();
    assert_eq!(model.property(ids[1], "P", "A"), json!(1));
    model.set_property(ids[1], "P", "A", &json!(2)).unwrap();
    assert_eq!((model.property(ids[0], "P", "A"), model.property(ids[1], "P", "A")), (json!(1), json!(2)));
    model.delete_property(ids[0], "P", "A").unwrap();
    assert_eq!((model.property(ids[0], "P", "A"), model.property(ids[1], "P", "A")), (Value::Null, json!(2)));
}

#[test]
fn a_refused_call_writes_nothing() {
    let mut file = Creation::project(&json!({}), "refused", CREATED).unwrap();
    let storey = file.call("addIfcBuildingStorey", &[json!({"Elevation": 0})]).unwrap();
    for (method, params) in [
        ("addIfcWall", json!({"Start": [0, 0], "End": [0, 0], "Thickness": 1, "Height": 1})),
        (
            "addIfcStair",
            json!({"Position": [0, 0], "NumberOfRisers": 1e9, "RiserHeight": 1, "TreadLength": 1, "Width": 1}),
        ),
        ("addIfcGableRoof", json!({"Position": [0, 0], "Width": 1, "Depth": 1, "Thickness": 1, "Slope": 1.6})),
        ("addIfcSlab", json!({"Position": [0, 0, 1e300], "Width": 1, "Depth": 1, "Thickness": 1})),
        ("addElement", json!({"IfcType": "IfcSite", "Placement": [0, 0, 0], "Profile": {"Radius": 1}, "Depth": 1})),
        ("addIfcDoor", json!({"Position": [0, 0, 0], "Width": 1, "Height": 1, "Name": 5})),
    ] {
        let refused = file.call(method, &[storey.clone(), params]).unwrap_err();
        assert!(matches!(refused, CreateRefused::Argument { .. }), "{method}: {refused:?}");
    }
    let created = file.finish();
    assert_eq!(created.entities.len(), 4, "project, site, building, storey");
}

#[test]
fn a_new_file_has_the_date_of_its_host_and_a_schema_that_every_program_knows() {
    for (schema, identifier) in [("IFC2X3", "IFC2X3"), ("IFC4", "IFC4"), ("IFC4X3", "IFC4X3_ADD2")] {
        let content =
            Creation::project(&json!({"Name": "P", "Schema": schema}), "dated", CREATED).unwrap().finish().content;
        assert!(content.contains(".ifc','2020-02-29T12:00:00',"), "{content}");
        assert!(content.contains(&format!("FILE_SCHEMA(('{identifier}'));")), "{content}");
        assert!(content.contains(".NOCHANGE.,$,$,$,1582977600);"), "{content}");
        assert_eq!(Model::open(content, "dated.ifc").unwrap().schema(), schema);
    }
}

#[test]
fn a_logical_has_three_states() {
    let mut file = Creation::project(&json!({}), "logical", CREATED).unwrap();
    let storey = file.call("addIfcBuildingStorey", &[json!({"Elevation": 0})]).unwrap();
    let properties = json!({"Name": "Own", "Properties": [
        {"Name": "A", "NominalValue": true, "Type": "IfcLogical"},
        {"Name": "B", "NominalValue": "UNKNOWN", "Type": "IfcLogical"},
    ]});
    file.call("addIfcPropertySet", &[storey, properties]).unwrap();
    let content = file.finish().content;
    assert!(content.contains("'A',$,IFCLOGICAL(.T.),$)") && content.contains("'B',$,IFCLOGICAL(.U.),$)"), "{content}");
}
