//! The fixtures against the data file, by a reader of its own: lines of text, no code of this crate
//! (spec: ifc-sdk.md §8, 3). What reader and writer both get wrong would show here.

#![allow(clippy::unwrap_used)] // helpers of a test are test code too

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Number → class and raw arguments, in the order of the file.
type File = BTreeMap<u32, (String, Vec<String>)>;

fn read(id: &str) -> File {
    let text = std::fs::read_to_string(format!("{ROOT}/fixtures/ifc/{id}.ifc")).unwrap();
    assert!(text.starts_with("ISO-10303-21;\nHEADER;\n") && text.ends_with("ENDSEC;\nEND-ISO-10303-21;\n"), "{id}");
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines
        .map(|line| {
            let (number, record) = line[1..].split_once('=').unwrap();
            let (class, args) = record.split_once('(').unwrap();
            (number.parse().unwrap(), (class.to_owned(), split(args.strip_suffix(");").unwrap())))
        })
        .collect()
}

/// Cuts at the commas that stand in no text and no bracket.
fn split(args: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quoted) = (vec![String::new()], 0, false);
    for character in args.chars() {
        match character {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().unwrap().push(character);
    }
    parts
}

fn refs(arg: &str) -> Vec<u32> {
    arg.trim_matches(['(', ')']).split(',').filter_map(|part| part.strip_prefix('#')?.parse().ok()).collect()
}

fn text(arg: &str) -> Option<&str> {
    arg.strip_prefix('\'')?.strip_suffix('\'')
}

/// `IFCLABEL('x')`, `IFCBOOLEAN(.T.)` or a bare number.
fn value(arg: &str) -> Value {
    let inner = arg.split_once('(').map_or(arg, |(_, inner)| inner.strip_suffix(')').unwrap());
    match inner {
        ".T." => Value::Bool(true),
        ".F." => Value::Bool(false),
        _ => text(inner).map_or_else(|| inner.parse::<f64>().unwrap().into(), Value::from),
    }
}

/// Set and member → value, of the occurrence and its type, as the file has them.
fn sets(file: &File, element: u32) -> BTreeMap<String, Value> {
    let defined = |class: &str| -> Vec<u32> {
        let relations = file.values().filter(|(found, args)| found == class && refs(&args[4]).contains(&element));
        relations.flat_map(|(_, args)| refs(&args[5])).collect()
    };
    let own = defined("IFCRELDEFINESBYPROPERTIES");
    let of_type = defined("IFCRELDEFINESBYTYPE").into_iter().flat_map(|type_id| refs(&file[&type_id].1[5]));
    let mut found = BTreeMap::new();
    for set in own.into_iter().chain(of_type) {
        let (class, args) = &file[&set];
        let (members, at) = if class == "IFCPROPERTYSET" { (&args[4], 2) } else { (&args[5], 3) };
        for member in refs(members) {
            let member = &file[&member].1;
            let name = format!("{}.{}", text(&args[2]).unwrap(), text(&member[0]).unwrap());
            assert!(found.insert(name, value(&member[at])).is_none());
        }
    }
    found
}

fn expected_sets(group: &Value, index: usize) -> BTreeMap<String, Value> {
    let kinds = ["psets", "quantities", "typePsets"];
    let sets = kinds.iter().filter_map(|kind| group[kind].as_object()).flatten();
    let members = sets.flat_map(|(set, members)| {
        members.as_object().unwrap().iter().map(move |(name, value)| (format!("{set}.{name}"), value))
    });
    let nth = |value: &Value| value.as_array().map_or(value.clone(), |items| items[index].clone());
    members.map(|(name, value)| (name, nth(value))).filter(|(_, value)| !value.is_null()).collect()
}

fn material(file: &File, element: u32) -> Option<String> {
    let found =
        file.values().find(|(class, args)| class == "IFCRELASSOCIATESMATERIAL" && refs(&args[4]).contains(&element));
    found.map(|(_, args)| text(&file[&refs(&args[5])[0]].1[0]).unwrap().to_owned())
}

fn check(id: &str, data: &Value) {
    let file = read(id);
    let storey_numbers: Vec<u32> =
        file.iter().filter(|(_, (class, _))| class == "IFCBUILDINGSTOREY").map(|(number, _)| *number).collect();
    let storeys = data["storeys"].as_array().unwrap();
    assert_eq!(storey_numbers.len(), storeys.len(), "{id}");
    let mut elements = 0;
    for (number, storey) in storey_numbers.iter().zip(storeys) {
        let args = &file[number].1;
        assert_eq!(text(&args[2]), storey["name"].as_str());
        assert_eq!(value(&args[9]), storey["elevation"]);
        // Contents and parts together are what the data calls the storey's elements, in their order.
        let mut on_storey: Vec<u32> = Vec::new();
        for (class, args) in file.values() {
            match class.as_str() {
                "IFCRELCONTAINEDINSPATIALSTRUCTURE" if refs(&args[5]) == [*number] => on_storey.extend(refs(&args[4])),
                "IFCRELAGGREGATES" if refs(&args[4]) == [*number] => {
                    assert!(refs(&args[5]).iter().all(|part| file[part].0 == "IFCSPACE"));
                    on_storey.extend(refs(&args[5]));
                }
                _ => {}
            }
        }
        on_storey.sort_unstable();
        let mut found = on_storey.into_iter();
        for group in storey["elements"].as_array().unwrap() {
            for index in 0..group["count"].as_u64().unwrap_or(1) as usize {
                let element = found.next().unwrap();
                let (class, args) = &file[&element];
                assert_eq!(*class, group["type"].as_str().unwrap().to_ascii_uppercase());
                let name = group["name"].as_str().unwrap().replace("{n}", &(index + 1).to_string());
                assert_eq!(text(&args[2]), Some(name.as_str()));
                assert_eq!(sets(&file, element), expected_sets(group, index), "{name}");
                assert_eq!(material(&file, element).as_deref(), group["material"].as_str(), "{name}");
                assert_body(&file, args);
                elements += 1;
            }
        }
        assert_eq!(found.next(), None, "{id} has more elements than the data");
    }
    assert_eq!(elements, data["elements_total"].as_u64().unwrap(), "{id}");
}

/// A placement, and a representation that ends in an extruded solid.
fn assert_body(file: &File, element: &[String]) {
    let follow = |arg: &str, class: &str| -> Vec<String> {
        let (found, args) = &file[&refs(arg)[0]];
        assert_eq!(found, class);
        args.clone()
    };
    follow(&element[5], "IFCLOCALPLACEMENT");
    let shape = follow(&element[6], "IFCPRODUCTDEFINITIONSHAPE");
    let body = follow(&shape[2], "IFCSHAPEREPRESENTATION");
    follow(&body[3], "IFCEXTRUDEDAREASOLID");
}

#[test]
fn the_files_hold_exactly_what_the_data_say() {
    let data = std::fs::read_to_string(format!("{ROOT}/crates/sdk/schemas/ifc/fixtures.json")).unwrap();
    let data: Value = serde_json::from_str(&data).unwrap();
    for id in ["empty-model", "house-small", "office-fire"] {
        check(id, &data["fixtures"][id]);
    }
}

#[test]
fn global_ids_are_unique_and_well_formed() {
    let mut seen = BTreeSet::new();
    for id in ["empty-model", "house-small", "office-fire"] {
        for (class, args) in read(id).values() {
            let Some(global_id) = text(&args[0]).filter(|_| args.get(1).is_some_and(|owner| owner == "#5")) else {
                continue;
            };
            let digits = global_id.chars().all(|digit| digit.is_ascii_alphanumeric() || matches!(digit, '_' | '$'));
            assert!(
                digits && global_id.len() == 22 && global_id.starts_with(['0', '1', '2', '3']),
                "{class} {global_id}"
            );
            assert!(seen.insert(global_id.to_owned()), "{global_id} is used twice");
        }
    }
    assert!(seen.len() > 200);
}
