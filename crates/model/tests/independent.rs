//! The fixtures against the data file, by a reader of its own: lines of text, no code of this crate
//! (spec: ifc-sdk.md §7). What reader and writer both get wrong would show here.

#![allow(clippy::unwrap_used)] // helpers of a test are test code too

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Number → class and raw arguments, in the order of the file.
type File = BTreeMap<u32, (String, Vec<String>)>;

fn read(id: &str) -> File {
    parse(id, &std::fs::read_to_string(format!("{ROOT}/fixtures/ifc/{id}.ifc")).unwrap())
}

fn parse(id: &str, text: &str) -> File {
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

/// The text of a literal: doubled quotes and `\X2\…\X0\` resolved.
fn text(arg: &str) -> Option<String> {
    let inner = arg.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'");
    let mut parts = inner.split("\\X2\\");
    let mut out = parts.next()?.to_owned();
    for part in parts {
        let (digits, rest) = part.split_once("\\X0\\")?;
        let units: Vec<u16> =
            (0..digits.len() / 4).map(|at| u16::from_str_radix(&digits[at * 4..at * 4 + 4], 16).unwrap()).collect();
        out += &String::from_utf16(&units).unwrap();
        out += rest;
    }
    Some(out)
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
    found.map(|(_, args)| text(&file[&refs(&args[5])[0]].1[0]).unwrap())
}

/// What lies in a spatial element: contents and parts together, in their order.
fn lies_in(file: &File, number: u32) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for (class, args) in file.values() {
        match class.as_str() {
            "IFCRELCONTAINEDINSPATIALSTRUCTURE" if refs(&args[5]) == [number] => found.extend(refs(&args[4])),
            "IFCRELAGGREGATES" if refs(&args[4]) == [number] => {
                assert!(refs(&args[5]).iter().all(|part| file[part].0 == "IFCSPACE"));
                found.extend(refs(&args[5]));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

fn check(id: &str, data: &Value, file: &File) {
    let class = if data["parts"].is_array() { "IFCBRIDGEPART" } else { "IFCBUILDINGSTOREY" };
    let numbers: Vec<u32> = file.iter().filter(|(_, (found, _))| found == class).map(|(number, _)| *number).collect();
    let floors = data["parts"].as_array().or_else(|| data["storeys"].as_array()).unwrap();
    assert_eq!(numbers.len(), floors.len(), "{id}");
    let millimetres =
        file.values().any(|(found, args)| found == "IFCSIUNIT" && args[1] == ".LENGTHUNIT." && args[2] == ".MILLI.");
    let mut elements = 0;
    for (number, floor) in numbers.iter().zip(floors) {
        let args = &file[number].1;
        assert_eq!(text(&args[2]).as_deref(), floor["name"].as_str());
        if let Some(elevation) = floor["elevation"].as_f64() {
            let written = value(&args[9]).as_f64().unwrap() / if millimetres { 1000.0 } else { 1.0 };
            assert!((written - elevation).abs() < 1e-9, "{id}: {written}");
        }
        let mut found = lies_in(file, *number).into_iter();
        for group in floor["elements"].as_array().unwrap() {
            let names = group["names"].as_array();
            let count = names.map_or(group["count"].as_u64().unwrap_or(1) as usize, Vec::len);
            for index in 0..count {
                let element = found.next().unwrap();
                let (class, args) = &file[&element];
                assert_eq!(*class, group["type"].as_str().unwrap().to_ascii_uppercase());
                let pattern = group["name"].as_str().unwrap_or_default();
                let name = match names {
                    Some(names) => names[index].as_str().map(str::to_owned),
                    None => Some(pattern.replace("{n}", &(index + 1).to_string())),
                };
                assert_eq!(text(&args[2]), name);
                assert_eq!(sets(file, element), expected_sets(group, index), "{name:?}");
                let wanted = group["material"].as_array().map_or(&group["material"], |list| &list[index]);
                assert_eq!(material(file, element).as_deref(), wanted.as_str(), "{name:?}");
                let item = group["predefinedType"].as_str().map(|item| format!(".{item}."));
                assert!(item.is_none_or(|item| args.contains(&item)), "{name:?}");
                assert_body(file, args);
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

/// Every fixture whose file is checked in.
const STORED: [&str; 7] =
    ["empty-model", "house-small", "office-fire", "clinic-quantities", "villa-2x3", "bridge-4x3", "services-mep"];

fn data() -> Value {
    let data = std::fs::read_to_string(format!("{ROOT}/crates/sdk/schemas/ifc/fixtures.json")).unwrap();
    serde_json::from_str(&data).unwrap()
}

#[test]
fn the_files_hold_exactly_what_the_data_say() {
    let data = data();
    for id in STORED {
        check(id, &data["fixtures"][id], &read(id));
    }
}

#[test]
fn systems_and_documents_are_those_of_the_data() {
    let file = read("services-mep");
    let named = |id: &u32| text(&file[id].1[2]).unwrap();
    let mut systems: Vec<(String, usize, String)> = Vec::new();
    for (class, args) in file.values() {
        if class == "IFCRELASSIGNSTOGROUP" {
            let members = refs(&args[4]);
            systems.push((named(&refs(&args[6])[0]), members.len(), named(members.last().unwrap())));
        }
    }
    let want =
        [("Cold water".to_owned(), 34, "Fitting A14".to_owned()), ("Supply air".to_owned(), 26, "Fan B1".to_owned())];
    assert_eq!(systems, want);
    let documents: Vec<_> = file.values().filter(|(class, _)| class == "IFCDOCUMENTREFERENCE").collect();
    assert_eq!(
        (documents.len(), text(&documents[0].1[0]).as_deref()),
        (1, Some("https://docs.example.org/fan-b1.pdf"))
    );
}

/// The tower is written by formula: its sums are those of the data, read from the text.
#[test]
fn the_tower_has_the_sums_of_its_formula() {
    let file = parse("tower-large", &holdpoint_model::fixtures::write("tower-large").unwrap());
    let data = &data()["fixtures"]["tower-large"];
    let count = |class: &str| file.values().filter(|(found, _)| *found == class.to_ascii_uppercase()).count() as u64;
    for (class, wanted) in data["distribution"].as_object().unwrap() {
        assert_eq!(count(class), wanted.as_u64().unwrap(), "{class}");
    }
    let called = |args: &[String], name: &str| text(&args[0]).as_deref() == Some(name);
    let sum = |name: &str| {
        let found = file.values().filter(|(_, args)| called(args, name));
        found.map(|(_, args)| value(&args[3]).as_f64().unwrap()).sum::<f64>()
    };
    let rated =
        file.values().filter(|(_, args)| called(args, "FireRating") && value(&args[2]) == "EI 60").count() as u64;
    assert_eq!(rated, data["facts"]["walls_with_fire_rating"].as_u64().unwrap());
    assert!((sum("NetSideArea") - data["facts"]["sum_net_side_area"].as_f64().unwrap()).abs() < 1e-6);
    assert!((sum("NetFloorArea") - data["facts"]["sum_net_floor_area"].as_f64().unwrap()).abs() < 1e-6);
}

#[test]
fn global_ids_are_unique_and_well_formed() {
    let mut seen = BTreeSet::new();
    for id in STORED {
        for (class, args) in read(id).values() {
            let Some(global_id) = text(&args[0]).filter(|_| args.get(1).is_some_and(|owner| owner == "#5")) else {
                continue;
            };
            let digits = global_id.chars().all(|digit| digit.is_ascii_alphanumeric() || matches!(digit, '_' | '$'));
            assert!(
                digits && global_id.len() == 22 && global_id.starts_with(['0', '1', '2', '3']),
                "{class} {global_id}"
            );
            assert!(seen.insert(global_id.clone()), "{global_id} is used twice");
        }
    }
    assert!(seen.len() > 200);
}
