//! All values of many rows at once say what the details of each row say, on files of every program.

use std::collections::BTreeSet;

use holdpoint_model::{Model, fixtures};
use serde_json::Value;

/// Rows that are asked for at a time.
const BLOCK: usize = 100;

fn models() -> Vec<Model> {
    let foreign = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ifc/foreign");
    let files = std::fs::read_dir(foreign).expect("foreign files").filter_map(|entry| Some(entry.ok()?.path()));
    let mut models: Vec<Model> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "ifc"))
        .map(|path| Model::open(std::fs::read(&path).expect("a file"), "foreign.ifc").expect("a model"))
        .collect();
    assert!(models.len() >= 3);
    models.push(Model::open(fixtures::write("house-small").expect("a fixture"), "house.ifc").expect("a model"));
    models
}

#[test]
fn blocks_hold_what_the_details_of_each_row_hold() {
    for model in models() {
        let rows = model.rows(0, usize::MAX).id;
        for from in (0..rows.len()).step_by(BLOCK) {
            let block = model.values(from, from + BLOCK);
            let mut found: BTreeSet<(u32, String, String, String)> = BTreeSet::new();
            for ((row, column), value) in block.row.iter().zip(&block.column).zip(&block.value) {
                let column = &block.columns[*column as usize];
                if matches!(column.kind, "properties" | "quantities") {
                    let value = block.values[*value as usize].to_string();
                    found.insert((*row, column.set.clone(), column.name.clone(), value));
                }
            }
            let mut wanted = BTreeSet::new();
            for (at, row) in rows.iter().enumerate().skip(from).take(BLOCK) {
                let details = model.details(&[*row]);
                for group in &details[0].groups {
                    for member in group.values.iter().filter(|member| member.value != Value::Null) {
                        let value = member.value.to_string();
                        wanted.insert((at as u32, group.name.clone(), member.name.clone(), value));
                    }
                }
            }
            assert_eq!(found, wanted, "{} from row {from}", model.filename());
        }
        assert_eq!(model.values(rows.len(), rows.len() + 1).row, Vec::<u32>::new());
    }
}

#[test]
fn units_of_a_file_have_symbols_also_where_they_are_derived() {
    let text = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;
#1=IFCUNITASSIGNMENT((#2,#3,#4,#9));
#2=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#3=IFCCONVERSIONBASEDUNIT(#10,.PLANEANGLEUNIT.,'DEGREE',#11);
#4=IFCDERIVEDUNIT((#5,#6,#7),.THERMALTRANSMITTANCEUNIT.,$);
#5=IFCDERIVEDUNITELEMENT(#12,1);
#6=IFCDERIVEDUNITELEMENT(#13,-2);
#7=IFCDERIVEDUNITELEMENT(#14,-1);
#9=IFCMONETARYUNIT('EUR');
#10=IFCDIMENSIONALEXPONENTS(0,0,0,0,0,0,0);
#11=IFCMEASUREWITHUNIT(IFCPLANEANGLEMEASURE(0.0174532925),#15);
#12=IFCSIUNIT(*,.POWERUNIT.,$,.WATT.);
#13=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#14=IFCSIUNIT(*,.THERMODYNAMICTEMPERATUREUNIT.,$,.KELVIN.);
#15=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);
ENDSEC;\nEND-ISO-10303-21;\n";
    let model = Model::open(text, "units.ifc").expect("a model");
    let units: Vec<(String, String)> = model.file_units().into_iter().map(|unit| (unit.kind, unit.symbol)).collect();
    let wanted = [("LENGTHUNIT", "mm"), ("PLANEANGLEUNIT", "DEGREE"), ("THERMALTRANSMITTANCEUNIT", "W/(m²·K)")];
    assert_eq!(units, wanted.map(|(kind, symbol)| (kind.to_owned(), symbol.to_owned())));
}

/// Members of an entity, one by one, are those of the whole entity, and stay readable where they stood.
#[test]
fn members_at_a_place_are_those_of_the_entity() {
    for mut model in models() {
        let ids: Vec<u32> = model.all().into_iter().chain(1..200).collect();
        let mut named = None;
        for id in ids {
            let Some(entity) = model.entity(id) else {
                assert_eq!(model.place(id), None, "#{id}");
                continue;
            };
            let place = model.place(id).expect("an entity stands somewhere");
            let member = |attribute| model.member_at(place, attribute);
            assert_eq!(model.class_name_at(place), Some(entity.r#type.as_str()));
            let members = ["GlobalId", "Name", "Description", "ObjectType", "Tag", "PredefinedType"].map(member);
            named = named.or(entity.global_id.clone().map(|global_id| (id, place, global_id)));
            let whole = [
                entity.global_id,
                entity.name,
                entity.description,
                entity.object_type,
                entity.tag,
                entity.predefined_type,
            ];
            assert_eq!(members, whole, "#{id} of {}", model.filename());
        }
        let (id, place, global_id) = named.expect("something with a GlobalId");
        model.set_attribute(id, "Name", Some("Other")).expect("a name can be changed");
        model.remove_entity(id).expect("it can be taken away");
        assert_eq!((model.place(id), model.member_at(place, "GlobalId")), (None, Some(global_id)));
    }
}
