//! Examples that judge: missing properties, names.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::step::{Arg, Step};
use crate::{of_class, on_every_file};

#[test]
fn missing_properties_are_those_that_the_file_does_not_give() {
    on_every_file("missing-properties", "missing.check", |answer, step, file| {
        for row in answer["result"]["rows"].as_array().unwrap() {
            let (class, set) = (row["class"].as_str().unwrap(), row["set"].as_str().unwrap());
            let elements = of_class(step, class);
            assert_eq!(row["checked"], elements.len(), "{file} {row}");
            let lacks = |element: &u32| {
                let values = step.properties(*element, set, row["property"].as_str().unwrap());
                values.first().is_none_or(|value| value.text().is_some_and(|text| text.trim().is_empty()))
            };
            assert_eq!(row["missing"], elements.iter().filter(|element| lacks(element)).count(), "{file} {row}");
        }
        assert_eq!(answer["result"]["rows"].as_array().unwrap().len(), 4, "{file}");
    });
}

/// What the naming rules look at: what has a tag or is a room or a storey, openings left out.
fn named(step: &Step) -> Vec<u32> {
    // Every product of these files that is neither of the following is an element.
    let others = ["IFCSITE", "IFCBUILDING", "IFCOPENINGELEMENT", "IFCPROJECT"];
    let described = ["TYPE", "STYLE", "PROPERTIES", "SYSTEM"];
    let placed = step.0.iter().filter(|(_, (class, args))| {
        class.starts_with("IFC")
            && !class.starts_with("IFCREL")
            && args.len() >= 8
            && is_global_id(&args[0])
            && !others.contains(&class.as_str())
            && !described.iter().any(|ending| class.ends_with(ending))
    });
    placed.map(|(id, _)| *id).collect()
}

fn is_global_id(arg: &Arg) -> bool {
    arg.text().is_some_and(|text| text.len() == 22)
}

#[test]
fn names_that_break_a_rule_are_those_of_the_file() {
    on_every_file("naming-rules", "naming.check", |answer, step, file| {
        let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
        let all = named(step);
        let mut storeys: BTreeMap<String, u64> = BTreeMap::new();
        let mut rooms: BTreeMap<(Option<u32>, String), u64> = BTreeMap::new();
        let mut marks: BTreeMap<(String, String), u64> = BTreeMap::new();
        for id in &all {
            let name = step.text(*id, 2);
            if name.trim().is_empty() {
                *wanted.entry("missing").or_default() += 1;
            } else if name.trim() != name || name.contains("  ") {
                *wanted.entry("blanks").or_default() += 1;
            }
            match step.class(*id) {
                "IFCBUILDINGSTOREY" => *storeys.entry(name).or_default() += 1,
                "IFCSPACE" => *rooms.entry((step.storey(*id), name)).or_default() += 1,
                class => *marks.entry((class.to_owned(), step.text(*id, 7))).or_default() += 1,
            }
        }
        let mut shared = |rule, counts: Vec<u64>| {
            let sum: u64 = counts.into_iter().filter(|count| *count > 1).sum();
            if sum > 0 {
                wanted.insert(rule, sum);
            }
        };
        shared("storey-twice", storeys.into_values().collect());
        shared("twice", rooms.into_values().collect());
        shared("mark-twice", marks.into_iter().filter(|(key, _)| !key.1.is_empty()).map(|(_, count)| count).collect());
        let found: BTreeMap<&str, u64> = answer["result"]["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row: &Value| (row["id"].as_str().unwrap(), row["count"].as_u64().unwrap()))
            .collect();
        assert_eq!(found, wanted, "{file}");
        assert_eq!(
            answer["result"]["title"].as_str().unwrap().split(' ').nth(2).unwrap(),
            all.len().to_string(),
            "{file}"
        );
    });
}

/// Elements: what is named, without rooms and storeys.
pub fn elements(step: &Step) -> Vec<u32> {
    named(step).into_iter().filter(|id| !["IFCSPACE", "IFCBUILDINGSTOREY"].contains(&step.class(*id))).collect()
}

/// The effective value as the rules see it: a property, else a quantity.
fn value(step: &Step, element: u32, set: &str, name: &str) -> Option<String> {
    let property = step.properties(element, set, name).into_iter().next();
    let quantity = step.quantities(element, set, name).first().map(f64::to_string);
    let said = property.map(|value| match value {
        Arg::Text(text) | Arg::Enum(text) => text,
        Arg::Number(number) => number.to_string(),
        other => format!("{other:?}"),
    });
    said.or(quantity).filter(|text| !text.is_empty())
}

#[test]
fn rules_are_broken_by_as_many_elements_as_the_file_has_that_break_them() {
    on_every_file("rule-check", "rules.check", |answer, step, file| {
        let walls = of_class(step, "IfcWall");
        let doors = of_class(step, "IfcDoor");
        let lacks = |elements: &[u32], set: &str, name: &str| {
            elements.iter().filter(|element| value(step, **element, set, name).is_none()).count()
        };
        let rated = |wall: &&u32| {
            let rating = value(step, **wall, "Pset_WallCommon", "FireRating").unwrap_or_default();
            let figures = rating.trim_start_matches(['R', 'E', 'I', 'F', 'T', ' ']);
            figures.starts_with(|letter: char| letter.is_ascii_digit())
        };
        let narrow = |door: &&u32| {
            let width =
                value(step, **door, "Qto_DoorBaseQuantities", "Width").and_then(|text| text.parse::<f64>().ok());
            width.is_none_or(|width| width < 0.8)
        };
        let wanted = [
            (walls.len(), lacks(&walls, "Pset_WallCommon", "IsExternal")),
            (doors.len(), lacks(&doors, "Pset_DoorCommon", "IsExternal")),
            (walls.len(), walls.iter().filter(|wall| !rated(wall)).count()),
            (doors.len(), doors.iter().filter(narrow).count()),
        ];
        let rows = answer["result"]["rows"].as_array().unwrap();
        let found: Vec<(usize, usize)> = rows
            .iter()
            .map(|row| (row["checked"].as_u64().unwrap() as usize, row["broken"].as_u64().unwrap() as usize))
            .collect();
        assert_eq!(found, wanted, "{file}");
    });
}

#[test]
fn good_files_have_no_duplicates_and_a_spoilt_one_has_those_that_were_made() {
    on_every_file("duplicate-ids", "ids.check", |answer, step, file| {
        assert_eq!(answer["result"]["rows"], serde_json::json!([]), "{file}");
        let malformed = answer["result"]["malformed"].as_array().unwrap().len();
        let ids = named(step).into_iter().chain(step.of(&["IFCSITE", "IFCBUILDING", "IFCOPENINGELEMENT"]));
        let wrong = ids.filter(|id| !step.text(*id, 0).starts_with(['0', '1', '2', '3'])).count();
        assert_eq!(malformed, wrong, "{file}");
    });

    let text = std::fs::read_to_string(format!("{}/ifc/foreign/TallBuilding.ifc", crate::FIXTURES)).unwrap();
    let step = Step::read(&text);
    let doors = of_class(&step, "IfcDoor");
    let windows = of_class(&step, "IfcWindow");
    // Two windows and a door get the GlobalId of the first door; one window's is cut short.
    let first = step.text(doors[0], 0);
    let mut spoilt = text.clone();
    for other in [windows[0], windows[1], doors[1]] {
        spoilt = spoilt.replacen(&format!("'{}'", step.text(other, 0)), &format!("'{first}'"), 1);
    }
    let cut = step.text(windows[2], 0);
    spoilt = spoilt.replacen(&format!("'{cut}'"), &format!("'{}'", &cut[..21]), 1);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("spoilt.ifc");
    std::fs::write(&file, spoilt).unwrap();
    let answer = crate::run("duplicate-ids", "ids.check", &file, None);
    let rows = answer["result"]["rows"].as_array().unwrap();
    assert_eq!(
        (rows.len(), &rows[0]["globalId"], &rows[0]["count"]),
        (1, &serde_json::json!(first), &serde_json::json!(4))
    );
    assert_eq!(answer["result"]["malformed"][0]["expressId"], windows[2]);
    let selected = crate::run("duplicate-ids", "ids.select", &file, None);
    assert_eq!(selected["viewer"][0]["count"], 5);
    let saved = crate::run("duplicate-ids", "ids.save", &file, None);
    assert_eq!(saved["exports"][0]["text"].as_str().unwrap().lines().count(), 5);
}
