//! Numbers of instances at their ends, and the values that a change keeps (spec: ifc-sdk.md §3 "Mutations").
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use holdpoint_model::{EditError, Model};
use serde_json::json;

fn open(data: &str) -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{data}ENDSEC;\nEND-ISO-10303-21;\n"
    );
    Model::open(text, "numbers.ifc").unwrap()
}

#[test]
fn new_numbers_lie_above_every_number_that_is_referred_to() {
    let mut model = open("#1=IFCWALL('a',$,$,$,$,$,#500,$,$);\n#7=IFCDOOR('b',$,$,$,$,$,$,$,$,$,$,$,$);\n");
    assert_eq!(model.warnings().len(), 1, "a reference to nowhere");
    let (made, _) = model.add_entity("IfcWall", &json!({"Name": "new"})).unwrap();
    assert_eq!(made, 501);
    // A number is not used again, also when its instance is gone.
    model.remove_entity(made).unwrap();
    assert_eq!(model.add_entity("IfcWall", &json!({})).unwrap().0, 502);
    // A refused change uses up none.
    assert!(model.add_entity("IfcWall", &json!({"Name": {"expressId": 9}})).is_err());
    assert_eq!(model.add_entity("IfcWall", &json!({})).unwrap().0, 503);
}

#[test]
fn of_a_number_that_is_out_of_range_only_the_reference_goes() {
    let mut model = open(
        "#1=IFCWALL('a',$,'one',$,$,#5000000000,$,$,$);\n#2=IFCRELAGGREGATES('b',$,$,$,#1,(#99999999999999999999,#3,#0));\n\
         #3=IFCDOOR('c',$,'two',$,$,$,$,$,$,$,$,$,$);\n",
    );
    let said: Vec<&str> = model.warnings().iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said[0].starts_with("#1 refers to #5000000000,") && said[1].starts_with("#2 refers to #99999999999999999999,")
    );
    assert_eq!(model.entity(1).unwrap().name.as_deref(), Some("one"));
    assert_eq!(model.decomposes(1), [3]);
    assert!(model.text().contains("#2=IFCRELAGGREGATES('b',$,$,$,#1,(#3));"), "{}", model.text());
    assert_eq!(model.add_entity("IfcWall", &json!({})).unwrap().0, 4);
}

#[test]
fn where_numbers_end_a_change_is_refused_and_nothing_happened() {
    for data in [
        "#4294967295=IFCWALL('a',$,$,$,$,$,$,$,$);\n#1=IFCBUILDINGSTOREY('s',$,$,$,$,$,$,$,.ELEMENT.,0.);\n",
        "#4294967293=IFCWALL('a',$,$,$,$,$,$,$,$);\n#1=IFCBUILDINGSTOREY('s',$,$,$,$,$,$,$,.ELEMENT.,0.);\n",
        "#2=IFCWALL('a',$,$,$,$,$,#4294967295,$,$);\n#1=IFCBUILDINGSTOREY('s',$,$,$,$,$,$,$,.ELEMENT.,0.);\n",
    ] {
        let mut model = open(data);
        let before = model.text();
        let wall = *model.all().last().unwrap();
        assert_eq!(model.set_property(wall, "Set", "Name", &json!(1)).unwrap_err(), EditError::NoNumber);
        let params = json!({"Start": [0, 0, 0], "End": [1, 0, 0], "Thickness": 0.2, "Height": 3});
        assert_eq!(model.add_element("addWall", 1, &params).unwrap_err(), EditError::NoNumber);
        assert_eq!(model.text(), before);
    }
    let mut model = open("#4294967294=IFCWALL('a',$,$,$,$,$,$,$,$);\n");
    assert_eq!(model.add_entity("IfcWall", &json!({})).unwrap().0, u32::MAX);
    assert_eq!(model.add_entity("IfcWall", &json!({})).unwrap_err(), EditError::NoNumber);
}

#[test]
fn a_value_keeps_its_measure_when_it_changes() {
    let mut model = open(
        "#1=IFCWALL('a',$,$,$,$,$,$,$,$);\n#2=IFCPROPERTYSET('s',$,'Set',$,(#3,#4,#5,#6));\n\
         #3=IFCPROPERTYSINGLEVALUE('L',$,IFCLOGICAL(.U.),$);\n#4=IFCPROPERTYSINGLEVALUE('B',$,IFCBOOLEAN(.T.),$);\n\
         #5=IFCPROPERTYSINGLEVALUE('C',$,IFCCOUNTMEASURE(3),$);\n#6=IFCPROPERTYSINGLEVALUE('A',$,IFCAREAMEASURE(3),$);\n\
         #7=IFCRELDEFINESBYPROPERTIES('r',$,$,$,(#1),#2);\n",
    );
    for (name, value, written) in [
        ("L", json!(true), "'L',$,IFCLOGICAL(.T.),$)"),
        ("L", json!("UNKNOWN"), "'L',$,IFCLOGICAL(.U.),$)"),
        ("L", json!(false), "'L',$,IFCLOGICAL(.F.),$)"),
        ("B", json!(false), "'B',$,IFCBOOLEAN(.F.),$)"),
        ("C", json!(4), "'C',$,IFCCOUNTMEASURE(4),$)"),
        ("A", json!(4), "'A',$,IFCAREAMEASURE(4.),$)"),
        ("A", json!(4.5), "'A',$,IFCAREAMEASURE(4.5),$)"),
    ] {
        model.set_property(1, "Set", name, &value).unwrap();
        assert!(model.text().contains(written), "{}", model.text());
        assert_eq!(model.property(1, "Set", name).as_f64(), value.as_f64());
    }
    model.set_positional(3, 2, &json!(true)).unwrap();
    assert!(model.text().contains("#3=IFCPROPERTYSINGLEVALUE('L',$,IFCLOGICAL(.T.),$);"), "{}", model.text());
    // What does not go with a measure stands under its own.
    model.set_property(1, "Set", "L", &json!("maybe")).unwrap();
    assert!(model.text().contains("'L',$,IFCLABEL('maybe'),$)"), "{}", model.text());
}

#[test]
fn sets_of_quantities_have_an_identity() {
    let model = open(
        "#1=IFCWALL('a',$,$,$,$,$,$,$,$);\n#2=IFCELEMENTQUANTITY('0Quantities0000000000',$,'Q',$,$,());\n\
         #7=IFCRELDEFINESBYPROPERTIES('r',$,$,$,(#1),#2);\n",
    );
    let sets = json!(model.quantities(1));
    assert_eq!(sets, json!([{"name": "Q", "globalId": "0Quantities0000000000", "quantities": []}]));
}
