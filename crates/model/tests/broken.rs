//! Broken files: what opens, what does not, and on which line (spec: ifc-sdk.md §7.1).
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use holdpoint_model::{Model, describe, fixtures};
use proptest::prelude::*;

const SIMPLE: &[u8] = include_bytes!("../../../fixtures/ifc/foreign/SimpleWall.ifc");

fn file(data: &str) -> String {
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{data}ENDSEC;\nEND-ISO-10303-21;\n"
    )
}

#[test]
fn what_is_no_model_does_not_open() {
    let schema = |name: &str| file("#1=IFCWALL();\n").replace("('IFC4')", name);
    let cases: &[(&str, u32, &str)] = &[
        ("", 1, "this is no IFC file"),
        ("hello", 1, "this is no IFC file"),
        ("PK\u{3}\u{4}", 1, "this is a packed file"),
        ("<ifcXML/>", 1, "this is XML"),
        ("ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=IFCWALL();\n", 4, "the header names no FILE_SCHEMA"),
        (&schema("('IFC5')"), 5, "FILE_SCHEMA `IFC5` is not supported"),
        (&schema("('AP214')"), 5, "FILE_SCHEMA `AP214` is not supported"),
        (&file(""), 7, "the file holds no complete instance"),
        (&file("#1=IFCWALL('open,$\n"), 7, "the file holds no complete instance"),
    ];
    for (text, line, message) in cases {
        let error = Model::open(*text, "broken.ifc").unwrap_err();
        assert_eq!(error.line, *line, "{text}");
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
    }
}

#[test]
fn what_can_be_read_opens_with_a_warning() {
    let good = "#1=IFCWALL('a',$,'one',$,$,$,$,$,$);\n";
    let cases: &[(&str, &[(u32, &str)])] = &[
        ("#2=IFCWALL('b',$,;\n", &[(9, "cannot be read")]),
        ("#2=IFCWALL('b,$);\n#3=IFCDOOR('c',$,$,$,$,$,$,$,$,$,$,$,$);\n", &[(9, "no closing quote")]),
        ("junk\n#3=IFCDOOR('c',$,$,$,$,$,$,$,$,$,$,$,$);\n", &[(9, "no instance")]),
        ("#2=IFCWALL('b',#99,#99,$,$,$,$,$,$);\n", &[(9, "#2 refers to #99")]),
        ("#1=IFCDOOR('b',$,$,$,$,$,$,$,$,$,$,$,$);\n", &[(9, "#1 is used twice")]),
        ("#2=IFCNOTHING();\n#3=IFCNOTHING();\n", &[(9, "IFCNOTHING is no class of IFC4")]),
        ("#99999999999=IFCWALL();\n", &[(9, "whole number")]),
        ("#2=IFCWALL(/* it's \n fine */'b',$,\n$,$,$,$,$,$,$);\n", &[]),
    ];
    for (data, expected) in cases {
        let model = Model::open(file(&format!("{good}{data}")), "warned.ifc").unwrap();
        let found: Vec<_> = model.warnings().iter().map(|warning| (warning.line, warning.message.as_str())).collect();
        assert_eq!(found.len(), expected.len(), "{data}: {found:?}");
        for ((line, message), (expected_line, part)) in found.iter().zip(*expected) {
            assert_eq!(line, expected_line, "{data}");
            assert!(message.contains(part), "{data}: {message}");
        }
        assert!(model.all().contains(&1), "{data}");
    }
}

#[test]
fn that_a_file_is_cut_off_is_said_behind_any_number_of_other_faults() {
    let mut text = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n".to_owned();
    text.extend((1..=300).map(|id| format!("#{id}=IFCWALL($,#9000,$,$,$,$,$,$,$);\n")));
    let whole = format!("{text}ENDSEC;\n{}END-ISO-10303-21;\n{}", "\n".repeat(500), " ".repeat(500));
    for (text, is_cut_off) in [(&text, true), (&whole, false)] {
        let model = Model::open(text.as_bytes(), "cut.ifc").unwrap();
        let told = model.warnings();
        assert_eq!((model.is_cut_off(), told.len()), (is_cut_off, 101));
        assert_eq!(told[99].args["case"] == "CUT_OFF", is_cut_off, "the last but the count of the others");
    }
}

#[test]
fn a_file_that_is_cut_off_opens_and_says_where() {
    let whole = fixtures::write("house-small").unwrap();
    let cut = &whole[..whole.len() / 2];
    let model = Model::open(cut, "cut.ifc").unwrap();
    assert!(!model.all().is_empty());
    let last = cut.lines().count() as u32;
    assert!(model.warnings().iter().any(|warning| warning.line == last && warning.message.contains("cut off")));
    assert!(
        model.warnings().iter().all(|warning| warning.code == "MODEL_INVALID" && warning.args.contains_key("case"))
    );
}

#[test]
fn rings_in_the_structure_end() {
    let data = "#1=IFCBUILDING('a',$,'A',$,$,$,$,$,$,$,$,$);\n#2=IFCBUILDING('b',$,'B',$,$,$,$,$,$,$,$,$);\n\
                #3=IFCRELAGGREGATES('c',$,$,$,#1,(#2));\n#4=IFCRELAGGREGATES('d',$,$,$,#2,(#1));\n";
    let model = Model::open(file(data), "ring.ifc").unwrap();
    assert_eq!(model.storey(1), None);
    assert_eq!(model.path(1), [2, 1]);
    describe(&model);
    assert_eq!(model.tree(0, usize::MAX).count, 0, "each hangs under the other");
}

#[test]
fn hostile_repetition_stays_linear() {
    for piece in ["#1=A(/*;", "#1=A('';", "#1=A(\"", "#1=A((((", "/*", "#1=A('\n#1=A("] {
        let data = piece.repeat(2_000_000 / piece.len());
        let _ = Model::open(file(&data), "hostile.ifc");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_make_it_fail(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut text = file("").into_bytes();
        let at = text.len() - 30;
        text.splice(at..at, bytes);
        let _ = Model::open(text, "noise.ifc").map(|model| describe(&model));
    }

    #[test]
    fn a_damaged_file_opens_or_says_why(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
        cuts in any::<bool>(),
    ) {
        let mut bytes = SIMPLE.to_vec();
        for (index, byte) in edits {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        match Model::open(bytes, "damaged.ifc") {
            Ok(model) => {
                describe(&model);
                prop_assert!(!cuts || !model.warnings().is_empty());
            }
            Err(invalid) => prop_assert!(invalid.line >= 1 && !invalid.message.is_empty()),
        }
    }
}

#[test]
fn levels_are_told_in_metres_whatever_the_file_counts_in() {
    let milli = "#5=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n";
    let feet = "#5=IFCCONVERSIONBASEDUNIT(#6,.LENGTHUNIT.,'FOOT',#7);\n#6=IFCDIMENSIONALEXPONENTS(1,0,0,0,0,0,0);\n\
                #7=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(0.3048),#8);\n#8=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n";
    let circle = "#5=IFCCONVERSIONBASEDUNIT($,.LENGTHUNIT.,'X',#7);\n#7=IFCMEASUREWITHUNIT(IFCLENGTHMEASURE(2.),#5);\n";
    for (unit, metres) in [(milli, 0.003), (feet, 0.9144), (circle, 3.0), ("", 3.0)] {
        let data = format!(
            "#1=IFCPROJECT('0Project00000000000000',$,$,$,$,$,$,$,#4);\n#4=IFCUNITASSIGNMENT((#5));\n{unit}\
             #10=IFCBUILDINGSTOREY('0Storey000000000000000',$,'One',$,$,$,$,$,.ELEMENT.,3.);\n\
             #11=IFCRELAGGREGATES('0Rel000000000000000000',$,$,$,#1,(#10));\n"
        );
        let model = Model::open(file(&data).into_bytes(), "units.ifc").unwrap();
        let tree = model.tree(0, usize::MAX);
        assert_eq!(tree.parent, [0, 1], "the storey hangs under the project");
        assert!((tree.nodes[1].elevation.unwrap() - metres).abs() < 1e-9, "{unit}: {tree:?}");
        assert!((describe(&model).storeys[0].elevation.unwrap() - 3.0).abs() < 1e-9);
    }
}
