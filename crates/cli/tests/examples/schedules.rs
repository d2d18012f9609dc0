//! Examples that list and sum: doors, fire ratings, rooms.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::step::{Arg, Step};
use crate::{FIXTURES, near, of_class, on_every_file, run};

fn rows(answer: &Value) -> &Vec<Value> {
    answer["result"]["rows"].as_array().expect("rows")
}

/// The door's own attribute, else the first quantity.
fn size(step: &Step, door: u32, attribute: usize, quantity: &str) -> Option<f64> {
    let sets = ["Qto_DoorBaseQuantities", "BaseQuantities"];
    let measured = sets.iter().flat_map(|set| step.quantities(door, set, quantity)).next();
    step.arg(door, attribute).number().or(measured)
}

#[test]
fn the_door_schedule_has_a_row_a_door_as_the_file_has_it() {
    on_every_file("door-schedule", "doors.list", |answer, step, file| {
        let doors = of_class(step, "IfcDoor");
        let rows = rows(answer);
        assert_eq!(rows.len(), doors.len(), "{file}");
        for (row, door) in rows.iter().zip(doors) {
            assert_eq!(row["expressId"], door, "{file}");
            assert_eq!(row["storey"], step.storey_name(door), "{file} #{door}");
            assert_eq!(row["name"], step.text(door, 2), "{file} #{door}");
            assert_eq!(row["mark"], step.text(door, 7), "{file} #{door}");
            assert_eq!(row["height"].as_f64(), size(step, door, 8, "Height"), "{file} #{door}");
            assert_eq!(row["width"].as_f64(), size(step, door, 9, "Width"), "{file} #{door}");
            let fire = step.properties(door, "Pset_DoorCommon", "FireRating");
            assert_eq!(row["fire"], fire.first().and_then(Arg::text).unwrap_or_default(), "{file} #{door}");
            let external = match step.properties(door, "Pset_DoorCommon", "IsExternal").first() {
                Some(Arg::Enum(item)) if item == "T" => "Yes",
                Some(Arg::Enum(item)) if item == "F" => "No",
                _ => "",
            };
            assert_eq!(row["external"], external, "{file} #{door}");
        }
    });
}

#[test]
fn a_row_of_the_door_schedule_shows_its_door_and_the_file_has_a_line_a_door() {
    let file = Path::new(FIXTURES).join("ifc/foreign/TallBuilding.ifc");
    let listed = run("door-schedule", "doors.list", &file, None);
    let row = &rows(&listed)[3];
    let shown = run("door-schedule", "doors.show", &file, Some(&json!({ "row": row })));
    let ops: Vec<&Value> = shown["viewer"].as_array().unwrap().iter().map(|entry| &entry["op"]).collect();
    assert_eq!(ops, ["select", "flyTo"]);
    assert_eq!(shown["viewer"][0]["names"], json!([row["name"]]));

    let saved = run("door-schedule", "doors.save", &file, None);
    let text = saved["exports"][0]["text"].as_str().unwrap();
    assert_eq!(text.lines().count(), 1 + rows(&listed).len());
    assert!(text.starts_with("Storey,Door,Type,Mark,Width,Height,Fire rating,External\n"), "{text}");
}

/// Storey, class → elements, rated, placeholders.
fn coverage(step: &Step) -> BTreeMap<(String, &'static str), (u64, u64, u64)> {
    let classes = [
        ("IfcWall", "Walls", "Pset_WallCommon"),
        ("IfcDoor", "Doors", "Pset_DoorCommon"),
        ("IfcSlab", "Slabs", "Pset_SlabCommon"),
        ("IfcColumn", "Columns", "Pset_ColumnCommon"),
        ("IfcBeam", "Beams", "Pset_BeamCommon"),
    ];
    let mut found = BTreeMap::new();
    for (class, kind, set) in classes {
        for element in of_class(step, class) {
            let storey = step.storey(element).map_or("On no storey".to_owned(), |storey| step.text(storey, 2));
            let row = found.entry((storey, kind)).or_insert((0, 0, 0));
            row.0 += 1;
            let rating =
                step.properties(element, set, "FireRating").first().and_then(Arg::text).unwrap_or_default().to_owned();
            if rating.chars().any(|letter| letter.is_ascii_digit()) {
                row.1 += 1;
            } else if !rating.is_empty() {
                row.2 += 1;
            }
        }
    }
    found
}

#[test]
fn fire_coverage_counts_what_the_file_says_and_tells_placeholders_apart() {
    on_every_file("fire-coverage", "fire.coverage", |answer, step, file| {
        let wanted = coverage(step);
        let rows = rows(answer);
        assert_eq!(rows.len(), wanted.len(), "{file}");
        for row in rows {
            let key = (row["storey"].as_str().unwrap().to_owned(), row["kind"].as_str().unwrap());
            let (elements, rated, placeholder) =
                wanted.iter().find(|(have, _)| have.0 == key.0 && have.1 == key.1).unwrap().1;
            assert_eq!((&row["elements"], &row["rated"]), (&json!(elements), &json!(rated)), "{file} {key:?}");
            assert_eq!(row["placeholder"], json!(placeholder), "{file} {key:?}");
            assert!(near(row["percent"].as_f64().unwrap(), *rated as f64 / *elements as f64), "{file} {key:?}");
        }
    });
    // In these files every wall says `_FIRE-RATING_`: nobody filled it in, and nobody may read it as a rating.
    let tall = run("fire-coverage", "fire.coverage", &Path::new(FIXTURES).join("ifc/foreign/TallBuilding.ifc"), None);
    assert_eq!((&tall["result"]["total"]["rated"], &tall["result"]["total"]["placeholder"]), (&json!(0), &json!(29)));
}

#[test]
fn what_has_no_rating_is_coloured_and_selected() {
    on_every_file("fire-coverage", "fire.missing", |answer, step, file| {
        let wanted: u64 = coverage(step).values().map(|(elements, rated, _)| elements - rated).sum();
        for entry in answer["viewer"].as_array().unwrap() {
            assert_eq!(entry["count"], wanted, "{file}");
        }
        assert_eq!(answer["viewer"].as_array().unwrap().len(), 2, "{file}");
    });
}

#[test]
fn room_areas_are_those_of_the_file_by_room_storey_and_use() {
    on_every_file("room-areas", "rooms.list", |answer, step, file| {
        let spaces = step.of(&["IFCSPACE"]);
        let rows = rows(answer);
        assert_eq!(rows.len(), spaces.len(), "{file}");
        let quantity = |space: u32, names: [&str; 2]| {
            let sets = ["Qto_SpaceBaseQuantities", "BaseQuantities"];
            let all = names.iter().flat_map(|name| sets.iter().flat_map(move |set| step.quantities(space, set, name)));
            all.collect::<Vec<_>>().first().copied()
        };
        let mut by_storey: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for space in spaces {
            let row = rows.iter().find(|row| row["expressId"] == space).expect("a row a room");
            assert_eq!(row["number"], step.text(space, 2), "{file} #{space}");
            assert_eq!(row["name"], step.text(space, 7), "{file} #{space}");
            let area = quantity(space, ["NetFloorArea", "GrossFloorArea"]);
            assert_eq!(row["area"].as_f64(), area, "{file} #{space}");
            assert_eq!(row["volume"].as_f64(), quantity(space, ["NetVolume", "GrossVolume"]), "{file} #{space}");
            let sum = by_storey.entry(step.storey_name(space)).or_default();
            sum.0 += 1;
            sum.1 += area.unwrap_or_default();
        }
        let storeys = answer["result"]["storeys"].as_array().unwrap();
        assert_eq!(storeys.len(), by_storey.len(), "{file}");
        for row in storeys {
            let (count, area) = by_storey[row["storey"].as_str().unwrap()];
            assert_eq!(row["count"], count, "{file}");
            assert!(near(row["area"].as_f64().unwrap(), area), "{file} {row}");
        }
        let total: f64 = by_storey.values().map(|(_, area)| area).sum();
        assert!(near(answer["result"]["area"].as_f64().unwrap(), total), "{file}");
    });
}

type Elsewhere = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

/// A file of another program in which the areas of rooms stand elsewhere, as further programs write them: what is
/// replaced, and where the areas are then.
const ELSEWHERE: [Elsewhere; 4] = [
    (
        "planned",
        &[("'BaseQuantities'", "'Own'"), ("'Dimensions'", "'Pset_SpaceCommon'"), ("('Area',", "('NetPlannedArea',")],
        "Pset_SpaceCommon",
        "NetPlannedArea",
    ),
    (
        "gsa",
        &[("'BaseQuantities'", "'GSA Space Areas'"), ("'NetFloorArea'", "'GSA BIM Area'")],
        "GSA Space Areas",
        "GSA BIM Area",
    ),
    (
        "revit",
        &[("'BaseQuantities'", "'Own'"), ("'Dimensions'", "'PSet_Revit_Dimensions'")],
        "PSet_Revit_Dimensions",
        "Area",
    ),
    ("dimensions", &[("'BaseQuantities'", "'Own'")], "Dimensions", "Area"),
];

#[test]
fn room_areas_are_found_where_other_programs_write_them() {
    for file in ["TallBuilding", "LargeBuilding"] {
        let whole = std::fs::read_to_string(format!("{FIXTURES}/ifc/foreign/{file}.ifc")).unwrap();
        for (name, replaced, set, member) in ELSEWHERE {
            let text = replaced.iter().fold(whole.clone(), |text, (from, to)| text.replace(from, to));
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{file}-{name}.ifc"));
            std::fs::write(&path, &text).unwrap();
            let step = Step::read(&text);
            let answer = run("room-areas", "rooms.list", &path, None);
            let mut total = 0.0;
            for row in rows(&answer) {
                let space = row["expressId"].as_u64().unwrap() as u32;
                let property = step.properties(space, set, member).first().and_then(Arg::number);
                let area = property.or_else(|| step.quantities(space, set, member).first().copied()).unwrap();
                assert_eq!(row["area"].as_f64(), Some(area), "{file} {name} #{space}");
                total += area;
            }
            assert!(total > 0.0 && near(answer["result"]["area"].as_f64().unwrap(), total), "{file} {name}");
        }
    }
}

#[test]
fn the_rooms_of_a_storey_are_selected() {
    let file = Path::new(FIXTURES).join("ifc/foreign/LargeBuilding.ifc");
    let step = Step::read(&std::fs::read_to_string(&file).unwrap());
    let wanted = step.of(&["IFCSPACE"]).into_iter().filter(|space| step.storey_name(*space) == "Level 1").count();
    let answer = run("room-areas", "rooms.select", &file, Some(&json!({"row": {"storey": "Level 1", "count": 1}})));
    assert_eq!(answer["viewer"][0]["count"], wanted);
    assert!(wanted > 1);
}

/// One quantity of an element: the first name that has one value, over the sets that exporters use.
fn measure(step: &Step, element: u32, names: &[&str], property: &str) -> (Option<f64>, bool) {
    let mut unclear = false;
    for name in names {
        let mut values = step.own_quantities(element, name);
        values.dedup();
        match values.len() {
            0 => {}
            1 => return (Some(values[0]), false),
            _ => unclear = true,
        }
    }
    let own = step.properties(element, "Dimensions", property);
    let own = own.first().and_then(Arg::number);
    (own, unclear && own.is_none())
}

/// Class → elements, sums of length, area, volume, elements that say two things.
fn quantities(step: &Step) -> BTreeMap<String, (u64, [f64; 3], u64)> {
    let measures: [(&[&str], &str); 3] = [
        (&["Length"], "Length"),
        (&["NetSideArea", "NetArea", "Area", "GrossSideArea", "GrossArea"], "Area"),
        (&["NetVolume", "GrossVolume"], "Volume"),
    ];
    let mut found: BTreeMap<String, (u64, [f64; 3], u64)> = BTreeMap::new();
    for element in crate::audits::elements(step) {
        let row = found.entry(step.class(element).to_owned()).or_default();
        row.0 += 1;
        let mut unclear = false;
        for (at, (names, property)) in measures.iter().enumerate() {
            let (value, contradicts) = measure(step, element, names, property);
            row.1[at] += value.unwrap_or_default();
            unclear |= contradicts;
        }
        row.2 += u64::from(unclear);
    }
    found
}

#[test]
fn quantities_are_the_sums_of_the_file_and_nothing_is_guessed() {
    on_every_file("quantity-takeoff", "takeoff.list", |answer, step, file| {
        let wanted = quantities(step);
        let mut found: BTreeMap<String, (u64, [f64; 3], u64)> = BTreeMap::new();
        for row in rows(answer) {
            let sum = found.entry(row["type"].as_str().unwrap().to_uppercase()).or_default();
            sum.0 += row["count"].as_u64().unwrap();
            for (at, kind) in ["length", "area", "volume"].iter().enumerate() {
                sum.1[at] += row[*kind].as_f64().unwrap_or_default();
            }
            sum.2 += row["unclear"].as_u64().unwrap();
        }
        assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>(), "{file}");
        for (class, (count, sums, unclear)) in wanted {
            let have = &found[&class];
            assert_eq!((have.0, have.2), (count, unclear), "{file} {class}");
            for (one, other) in have.1.iter().zip(sums) {
                assert!(near(*one, other), "{file} {class}: {one} is not {other}");
            }
        }
    });
}

#[test]
fn storeys_have_as_many_elements_as_the_file_places_on_them() {
    on_every_file("storey-colours", "storeys.legend", |answer, step, file| {
        let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
        for element in crate::audits::elements(step).into_iter().chain(step.of(&["IFCOPENINGELEMENT"])) {
            let storey = step.storey(element).map_or("On no storey".to_owned(), |storey| step.text(storey, 2));
            *wanted.entry(storey).or_default() += 1;
        }
        let found =
            rows(answer).iter().map(|row| (row["storey"].as_str().unwrap().to_owned(), row["count"].as_u64().unwrap()));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), wanted, "{file}");
        let colours: std::collections::BTreeSet<&str> =
            rows(answer).iter().map(|row| row["color"].as_str().unwrap()).collect();
        assert_eq!(colours.len(), rows(answer).len(), "{file}: no two storeys look alike");
    });
}

#[test]
fn cobie_has_a_row_for_all_that_the_file_has_and_nothing_else() {
    on_every_file("cobie-sheets", "cobie.save", |answer, step, file| {
        let exports = answer["exports"].as_array().unwrap();
        let lines = |sheet: &str| -> Vec<&str> {
            let name = format!("COBie-{sheet}.csv");
            let export = exports.iter().find(|export| export["filename"] == name).expect("a sheet");
            export["text"].as_str().unwrap().lines().skip(1).collect()
        };
        for (sheet, classes) in [("Facility", "IFCBUILDING"), ("Floor", "IFCBUILDINGSTOREY"), ("Space", "IFCSPACE")] {
            let all = step.of(&[classes]);
            assert_eq!(lines(sheet).len(), all.len(), "{file} {sheet}");
            for one in all {
                let id = step.text(one, 0);
                assert!(lines(sheet).iter().any(|line| line.ends_with(&id)), "{file} {sheet} {id}");
            }
        }
        let maintained =
            ["IFCDOOR", "IFCWINDOW", "IFCFURNISHINGELEMENT", "IFCPIPESEGMENT", "IFCFLOWSEGMENT", "IFCFLOWTERMINAL"];
        let more = ["IFCDUCTSEGMENT", "IFCFURNITURE", "IFCSANITARYTERMINAL", "IFCTRANSPORTELEMENT", "IFCLIGHTFIXTURE"];
        let components = step.of(&[&maintained[..], &more[..]].concat());
        assert_eq!(lines("Component").len(), components.len(), "{file}");
        for one in components {
            let id = step.text(one, 0);
            let line = lines("Component").into_iter().find(|line| line.ends_with(&id));
            let line = line.unwrap_or_else(|| panic!("{file}: no component {id}"));
            let tag = step.text(one, 7);
            assert!(line.contains(if tag.is_empty() { ",n/a," } else { &tag }), "{file}: {line}");
        }
    });
}
