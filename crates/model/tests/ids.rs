//! IDS files checked against a small model: every facet, restriction, cardinality and error.

use holdpoint_model::Model;
use holdpoint_model::ids::{Ids, IdsStatus, Report, check};

const DATA: &str = "
#1=IFCPROJECT('0000000000000000000001',$,'Yard',$,$,$,$,$,#2);
#2=IFCUNITASSIGNMENT((#3,#4));
#3=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);
#4=IFCSIUNIT(*,.AREAUNIT.,$,.SQUARE_METRE.);
#5=IFCBUILDING('0000000000000000000005',$,'Shed',$,$,$,$,$,.ELEMENT.,$,$,$);
#6=IFCBUILDINGSTOREY('0000000000000000000006',$,'Ground',$,$,$,$,$,.ELEMENT.,150.);
#7=IFCRELAGGREGATES('0000000000000000000007',$,$,$,#1,(#5));
#8=IFCRELAGGREGATES('0000000000000000000008',$,$,$,#5,(#6));
#10=IFCWALL('0000000000000000000010',$,'W-01','Gable',$,$,$,'tag',.USERDEFINED.);
#11=IFCWALL('0000000000000000000011',$,'W-02',$,'LOG',$,$,$,.USERDEFINED.);
#12=IFCWALL('0000000000000000000012',$,'',$,$,$,$,$,.NOTDEFINED.);
#13=IFCDOOR('0000000000000000000013',$,'D-01',$,$,$,$,$,2100.,900.,$,$,$);
#14=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000014',$,$,$,(#10,#11,#13),#6);
#15=IFCWALLTYPE('0000000000000000000015',$,'Log wall',$,$,(#20),$,$,$,.SOLIDWALL.);
#16=IFCRELDEFINESBYTYPE('0000000000000000000016',$,$,$,(#10,#12),#15);
#20=IFCPROPERTYSET('0000000000000000000020',$,'Pset_WallCommon',$,(#21,#22));
#21=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('REI 60'),$);
#22=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);
#23=IFCPROPERTYSET('0000000000000000000023',$,'Pset_WallCommon',$,(#24,#25));
#24=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('EI 30'),$);
#25=IFCPROPERTYSINGLEVALUE('Depth',$,IFCLENGTHMEASURE(250.),$);
#26=IFCRELDEFINESBYPROPERTIES('0000000000000000000026',$,$,$,(#10),#23);
#27=IFCELEMENTQUANTITY('0000000000000000000027',$,'Qto_WallBaseQuantities',$,$,(#28));
#28=IFCQUANTITYAREA('NetSideArea',$,$,12.5,$);
#29=IFCRELDEFINESBYPROPERTIES('0000000000000000000029',$,$,$,(#11),#27);
#30=IFCMATERIAL('Pine',$,'wood');
#31=IFCMATERIALLAYER(#30,200.,$,'Core',$,$,$);
#32=IFCMATERIALLAYERSET((#31),'Log 200',$);
#33=IFCRELASSOCIATESMATERIAL('0000000000000000000033',$,$,$,(#15),#32);
#34=IFCCLASSIFICATION($,$,$,'CoClass',$,$,$);
#35=IFCCLASSIFICATIONREFERENCE($,'BA','Walls',#34,$,$);
#36=IFCCLASSIFICATIONREFERENCE($,'BA.1','Log walls',#35,$,$);
#37=IFCRELASSOCIATESCLASSIFICATION('0000000000000000000037',$,$,$,(#10),#36);
";

fn model() -> Model {
    let text = format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;{DATA}ENDSEC;\nEND-ISO-10303-21;\n"
    );
    Model::open(text, "yard.ifc").expect("a model")
}

fn ids(specification: &str) -> String {
    format!(
        "<ids xmlns=\"http://standards.buildingsmart.org/IDS\" xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\
         <info><title>Yard</title></info><specifications>{specification}</specifications></ids>"
    )
}

fn simple(name: &str, value: &str) -> String {
    format!("<{name}><simpleValue>{value}</simpleValue></{name}>")
}

fn restricted(name: &str, limits: &str) -> String {
    format!("<{name}><xs:restriction base=\"xs:string\">{limits}</xs:restriction></{name}>")
}

fn class(name: &str) -> String {
    format!("<entity>{}</entity>", simple("name", name))
}

/// What is asked of the elements of a class.
fn asked(about: &str, requirement: &str) -> Report {
    let text = ids(&format!(
        "<specification name=\"S\" ifcVersion=\"IFC4\"><applicability maxOccurs=\"unbounded\">{about}</applicability>\
         <requirements>{requirement}</requirements></specification>"
    ));
    check(&model(), &Ids::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}")))
}

/// The elements that fail, with the case of each reason.
fn failures(about: &str, requirement: &str) -> Vec<(u32, String)> {
    let report = asked(about, requirement);
    let listed = report.specifications[0].requirements.iter().flat_map(|one| &one.failures);
    listed
        .map(|one| {
            assert_eq!(one.reason.code, "IDS_FAILED");
            (one.id, one.reason.args["case"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
}

fn expect(about: &str, requirement: &str, wanted: &[(u32, &str)]) {
    let wanted: Vec<(u32, String)> = wanted.iter().map(|(id, case)| (*id, (*case).to_owned())).collect();
    assert_eq!(failures(about, requirement), wanted, "{requirement}");
}

#[test]
fn classes_and_predefined_types() {
    let walls = class("IFCWALL");
    expect(&walls, &class("IFCWALL"), &[]);
    let typed =
        |kind: &str| format!("<entity>{}{}</entity>", simple("name", "IFCWALL"), simple("predefinedType", kind));
    expect(&walls, &typed("LOG"), &[(10, "OTHER_PREDEFINED"), (12, "OTHER_PREDEFINED")]);
    expect(&walls, &typed("SOLIDWALL"), &[(10, "OTHER_PREDEFINED"), (11, "OTHER_PREDEFINED")]);
    let doors = format!("<entity>{}{}</entity>", simple("name", "IFCDOOR"), simple("predefinedType", "GATE"));
    expect(&class("IFCDOOR"), &doors, &[(13, "NO_PREDEFINED")]);
    let either = restricted("name", "<xs:enumeration value=\"IFCWALL\"/><xs:enumeration value=\"IFCDOOR\"/>");
    assert_eq!(asked(&format!("<entity>{either}</entity>"), &class("IFCWALL")).specifications[0].failed, [13]);
    assert_eq!(asked(&class("IfcWall"), &class("IFCWALL")).specifications[0].applicable, 0, "names stand in capitals");
}

#[test]
fn attributes() {
    let walls = class("IFCWALL");
    let named = |value: &str| format!("<attribute>{}{value}</attribute>", simple("name", "Name"));
    expect(&walls, &named(""), &[(12, "EMPTY_ATTRIBUTE")]);
    let like = restricted("value", "<xs:pattern value=\"W-0[0-1]\"/><xs:pattern value=\"X.*\"/>");
    expect(&walls, &named(&like), &[(11, "OTHER_ATTRIBUTE"), (12, "EMPTY_ATTRIBUTE")]);
    expect(
        &walls,
        &format!("<attribute>{}</attribute>", simple("name", "Width")),
        &[(10, "NO_ATTRIBUTE"), (11, "NO_ATTRIBUTE"), (12, "NO_ATTRIBUTE")],
    );
    let tagged = "<attribute cardinality=\"optional\"><name><simpleValue>Tag</simpleValue></name>\
                  <value><simpleValue>tag</simpleValue></value></attribute>";
    expect(&walls, tagged, &[]);
    // Lengths are compared in metres.
    let high = restricted("value", "<xs:minInclusive value=\"2.1\"/><xs:maxExclusive value=\"2.2\"/>");
    expect(&class("IFCDOOR"), &format!("<attribute>{}{high}</attribute>", simple("name", "OverallHeight")), &[]);
}

#[test]
fn properties_and_quantities() {
    let walls = class("IFCWALL");
    let property = |set: &str, name: &str, more: &str, attributes: &str| {
        format!("<property {attributes}>{}{}{more}</property>", simple("propertySet", set), simple("baseName", name))
    };
    let rated = property("Pset_WallCommon", "FireRating", &simple("value", "REI 60"), "dataType=\"IFCLABEL\"");
    expect(&walls, &rated, &[(10, "OTHER_VALUE"), (11, "NO_SET")]);
    expect(&walls, &property("Pset_WallCommon", "IsExternal", &simple("value", "true"), ""), &[(11, "NO_SET")]);
    expect(
        &walls,
        &property("Pset_WallCommon", "FireRating", "", "dataType=\"IFCTEXT\""),
        &[(10, "OTHER_TYPE"), (11, "NO_SET"), (12, "OTHER_TYPE")],
    );
    let deep = property("Pset_WallCommon", "Depth", &simple("value", "0.25"), "cardinality=\"optional\"");
    expect(&walls, &deep, &[]);
    let deep = property("Pset_WallCommon", "Depth", "", "cardinality=\"prohibited\"");
    expect(&walls, &deep, &[(10, "PROHIBITED")]);
    let area = restricted("value", "<xs:minExclusive value=\"12.5\"/>");
    let area = property(
        "Qto_WallBaseQuantities",
        "NetSideArea",
        &area,
        "dataType=\"IFCAREAMEASURE\" cardinality=\"optional\"",
    );
    expect(&walls, &area, &[(11, "OTHER_VALUE")]);
}

#[test]
fn materials_classes_and_wholes() {
    let walls = class("IFCWALL");
    let material = |value: &str| format!("<material>{}</material>", simple("value", value));
    for name in ["Pine", "wood", "Core", "Log 200"] {
        expect(&walls, &material(name), &[(11, "NO_MATERIAL")]);
    }
    expect(&walls, &material("steel"), &[(10, "OTHER_MATERIAL"), (11, "NO_MATERIAL"), (12, "OTHER_MATERIAL")]);
    let classified = |value: &str, attributes: &str| {
        format!(
            "<classification {attributes}>{}{}</classification>",
            simple("value", value),
            simple("system", "CoClass")
        )
    };
    for code in ["BA", "BA.1"] {
        expect(&walls, &classified(code, ""), &[(11, "NO_CLASSIFICATION"), (12, "NO_CLASSIFICATION")]);
    }
    expect(&walls, &classified("BB", "cardinality=\"optional\""), &[(10, "OTHER_CLASSIFICATION")]);
    let part = |of: &str, attributes: &str| format!("<partOf {attributes}>{}</partOf>", class(of));
    let contained = "relation=\"IFCRELCONTAINEDINSPATIALSTRUCTURE\"";
    expect(&walls, &part("IFCBUILDINGSTOREY", contained), &[(12, "NO_WHOLE")]);
    expect(&walls, &part("IFCBUILDING", contained), &[(10, "OTHER_WHOLE"), (11, "OTHER_WHOLE"), (12, "NO_WHOLE")]);
    expect(&walls, &part("IFCBUILDING", ""), &[(12, "NO_WHOLE")]);
}

#[test]
fn how_often_something_may_be_there() {
    let status = |occurs: &str, about: &str| {
        let text = ids(&format!(
            "<specification name=\"S\" ifcVersion=\"IFC2X3\"><applicability {occurs}>{about}</applicability></specification>"
        ));
        let report = check(&model(), &Ids::read(text.as_bytes()).expect("an IDS file"));
        assert!(report.specifications[0].note.is_some(), "the file is for another schema");
        (report.specifications[0].status, report.specifications[0].failed.len())
    };
    let (walls, roofs) = (class("IFCWALL"), class("IFCROOF"));
    assert_eq!(status("maxOccurs=\"unbounded\"", &walls), (IdsStatus::Passed, 0));
    assert_eq!(status("maxOccurs=\"unbounded\"", &roofs), (IdsStatus::Failed, 0));
    assert_eq!(status("minOccurs=\"0\" maxOccurs=\"unbounded\"", &roofs), (IdsStatus::Passed, 0));
    assert_eq!(status("minOccurs=\"0\" maxOccurs=\"0\"", &roofs), (IdsStatus::Passed, 0));
    assert_eq!(status("minOccurs=\"0\" maxOccurs=\"0\"", &walls), (IdsStatus::Failed, 3));
}

#[test]
fn what_is_no_ids_says_where_and_why() {
    let facet = |facet: &str| {
        ids(&format!(
            "<specification name=\"S\" ifcVersion=\"IFC4\"><applicability>{facet}</applicability></specification>"
        ))
    };
    for (text, case) in [
        ("<ids".to_owned(), "NOT_XML"),
        ("<!DOCTYPE ids [<!ENTITY a \"b\">]><ids/>".to_owned(), "DTD"),
        ("<ids/>".to_owned(), "OTHER_ROOT"),
        (ids("").replace("<info>", "<infos>").replace("</info>", "</infos>"), "UNKNOWN"),
        (ids("<specification ifcVersion=\"IFC4\"><applicability/></specification>"), "MISSING"),
        (ids("<specification name=\"S\" ifcVersion=\"IFC5\"><applicability/></specification>"), "WORD"),
        (facet("<colour/>"), "UNKNOWN"),
        (facet("<entity/>"), "MISSING"),
        (facet(&format!("<entity>{}</entity>", restricted("name", ""))), "NO_RESTRICTION"),
        (facet(&format!("<entity>{}</entity>", restricted("name", "<xs:pattern value=\"(\"/>"))), "PATTERN"),
        (facet(&format!("<entity>{}</entity>", restricted("name", "<xs:length value=\"x\"/>"))), "COUNT"),
        (facet(&format!("<entity>{}</entity>", restricted("name", "<xs:minInclusive value=\"x\"/>"))), "BOUND"),
    ] {
        let error = Ids::read(text.as_bytes()).expect_err(&text);
        assert_eq!(error.args["case"], case, "IDS_INVALID {error}: {text}");
        assert!(error.line > 0 && error.column > 0);
    }
    assert_eq!(Ids::read(&[0xff, 0xfe]).expect_err("no text").args["case"], "NOT_TEXT");
    assert_eq!(Ids::read(&vec![b' '; 11 << 20]).expect_err("too long").args["case"], "TOO_LARGE");
}
