//! Parts of models as files of their own: what was read of an element before is read of it after (spec: ifc-sdk.md §3).
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use std::collections::BTreeSet;

use holdpoint_model::{Direction, ExpressId, Model};
use serde_json::{Value, json};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ifc");

fn file(schema: &str, data: &str) -> String {
    format!(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('CoordinationView'),'2;1');\n\
         FILE_NAME('x.ifc','2011-09-07T12:28:29',('Ann'),('Office'),'a writer','a system','nobody');\n\
         FILE_SCHEMA(('{schema}'));\nENDSEC;\nDATA;\n{data}ENDSEC;\nEND-ISO-10303-21;\n"
    )
}

/// Two walls of one type that meet, and all that a file can say about them. What begins with `'Far` belongs to the wall
/// that is not asked for.
const WALLS: &str = "\
#1=IFCPROJECT('0Project00000000000000',$,'P',$,$,$,$,(#2),$);
#2=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#3,$);
#3=IFCAXIS2PLACEMENT3D(#4,$,$);
#4=IFCCARTESIANPOINT((0.,0.,0.));
#5=IFCMAPCONVERSION(#2,#6,1.,2.,3.,$,$,$);
#6=IFCPROJECTEDCRS('EPSG:3006',$,$,$,$,$,$);
#10=IFCWALL('1Wall00000000000000000',$,'Asked',$,$,#12,#13,$,$);
#11=IFCWALL('2Wall00000000000000000',$,'Far wall',$,$,$,$,$,$);
#12=IFCLOCALPLACEMENT($,#3);
#13=IFCPRODUCTDEFINITIONSHAPE($,$,(#14));
#14=IFCSHAPEREPRESENTATION(#2,'Body','SweptSolid',(#15));
#15=IFCBOUNDINGBOX(#4,1.,1.,1.);
#16=IFCBOUNDINGBOX(#4,2.,1.,1.);
#17=IFCPRESENTATIONLAYERASSIGNMENT('Layer A',$,(#15,#16),$);
#18=IFCSTYLEDITEM(#15,(),'Style of the body');
#20=IFCWALLTYPE('3Type00000000000000000',$,'Type',$,$,(#24),$,$,$,.STANDARD.);
#21=IFCRELDEFINESBYTYPE('4Rel000000000000000000',$,$,$,(#10,#11),#20);
#22=IFCWALLTYPE('5Type00000000000000000',$,'Far type',$,$,$,$,$,$,.STANDARD.);
#23=IFCRELDECLARES('6Rel000000000000000000',$,'Declared',$,#1,(#20,#22));
#24=IFCPROPERTYSET('7Set000000000000000000',$,'Listed',$,(#25));
#25=IFCPROPERTYSINGLEVALUE('A',$,IFCLABEL('a'),$);
#26=IFCPROPERTYSET('8Set000000000000000000',$,'Related',$,(#27));
#27=IFCPROPERTYSINGLEVALUE('B',$,IFCLOGICAL(.U.),$);
#28=IFCRELDEFINESBYPROPERTIES('9Rel000000000000000000',$,$,$,(#20,#22),#26);
#29=IFCRELDEFINESBYTEMPLATE('0Rel100000000000000000',$,$,$,(#24),#30);
#30=IFCPROPERTYSETTEMPLATE('1Tmp000000000000000000',$,'Template',$,.PSET_TYPEDRIVENONLY.,'IfcWall',(#31));
#31=IFCSIMPLEPROPERTYTEMPLATE('2Tmp000000000000000000',$,'A',$,.P_SINGLEVALUE.,'IfcLabel',$,$,$,$,$,$);
#40=IFCRELASSOCIATESMATERIAL('3Rel100000000000000000',$,$,$,(#20,#22),#41);
#41=IFCMATERIAL('Brick',$,$);
#42=IFCMATERIALDEFINITIONREPRESENTATION($,$,(#43),#41);
#43=IFCSTYLEDREPRESENTATION(#2,$,$,(#44));
#44=IFCSTYLEDITEM($,(),'Style of brick');
#45=IFCMATERIALPROPERTIES('Pset_MaterialCommon',$,(#46),#41);
#46=IFCPROPERTYSINGLEVALUE('MassDensity',$,IFCMASSDENSITYMEASURE(1800.),$);
#47=IFCEXTERNALREFERENCERELATIONSHIP('Outside',$,#48,(#41,#49));
#48=IFCCLASSIFICATIONREFERENCE($,'B.1','Bricks',$,$,$);
#49=IFCMATERIAL('Far material',$,$);
#50=IFCRELASSOCIATESCLASSIFICATION('4Rel100000000000000000',$,$,$,(#20),#51);
#51=IFCCLASSIFICATIONREFERENCE($,'T.1','Type class',#52,$,$);
#52=IFCCLASSIFICATION($,$,$,'Uniclass',$,$,$);
#53=IFCRELASSOCIATESCLASSIFICATION('5Rel100000000000000000',$,$,$,(#10),#54);
#54=IFCCLASSIFICATIONREFERENCE($,'O.1','Own class',#55,$,$);
#55=IFCCLASSIFICATION($,$,$,'SfB',$,$,$);
#56=IFCRELASSOCIATESCLASSIFICATION('6Rel100000000000000000',$,$,$,(#20),#57);
#57=IFCCLASSIFICATIONREFERENCE($,'T.2','Overridden',#55,$,$);
#60=IFCRELASSOCIATESLIBRARY('7Rel100000000000000000',$,$,$,(#20),#61);
#61=IFCLIBRARYREFERENCE('lib','1','Entry',$,$,#62);
#62=IFCLIBRARYINFORMATION('Library','1',$,$,$,$);
#70=IFCRELCONNECTSPATHELEMENTS('8Rel100000000000000000',$,$,$,$,#10,#11,(1,2),(3),.ATEND.,.ATSTART.);
#71=IFCRELCONNECTSWITHREALIZINGELEMENTS('9Rel100000000000000000',$,'Realized',$,$,#10,#11,(#72),$);
#72=IFCDISCRETEACCESSORY('0Acc000000000000000000',$,'Far plate',$,$,$,$,$,$);
#80=IFCZONE('1Zone00000000000000000',$,'Zone',$,$,$);
#81=IFCRELASSIGNSTOGROUP('2Rel200000000000000000',$,$,$,(#10,#11),$,#80);
#82=IFCRELDEFINESBYPROPERTIES('3Rel200000000000000000',$,$,$,(#80),#83);
#83=IFCPROPERTYSET('4Set200000000000000000',$,'Of the zone',$,(#25));
";

fn part(model: &Model, ids: &[ExpressId]) -> (String, Model) {
    let text = model.extract(ids);
    let part = Model::open(text.clone(), "part.ifc").unwrap();
    assert_eq!(part.warnings(), [], "{text}");
    (text, part)
}

#[test]
fn what_a_file_says_about_what_is_kept_is_kept() {
    let model = Model::open(file("IFC4", WALLS), "walls.ifc").unwrap();
    assert_eq!(model.warnings(), []);
    let (text, part) = part(&model, &[10]);
    let numbers = [5, 6, 17, 18, 20, 21, 23, 24, 26, 28, 29, 30, 31, 40, 41, 42, 43, 44, 45, 46, 47, 48];
    for number in numbers.into_iter().chain([50, 52, 53, 55, 60, 61, 62, 80, 81, 82, 83]) {
        assert!(text.contains(&format!("\n#{number}=")), "#{number} is lost: {text}");
    }
    assert!(!text.contains("'Far"), "{text}");
    // What is spoken of is cut to what is kept.
    assert!(text.contains("#17=IFCPRESENTATIONLAYERASSIGNMENT('Layer A',$,(#15),$);"), "{text}");
    assert!(text.contains("#23=IFCRELDECLARES('6Rel000000000000000000',$,'Declared',$,#1,(#20));"), "{text}");
    assert!(text.contains("#47=IFCEXTERNALREFERENCERELATIONSHIP('Outside',$,#48,(#41));"), "{text}");
    assert_eq!(reading(&part, 10), reading(&model, 10));

    // Both walls keep their connection with its priorities; one that lacks what realizes it is none.
    let (text, both) = self::part(&model, &[10, 11]);
    assert!(text.contains(
        "#70=IFCRELCONNECTSPATHELEMENTS('8Rel100000000000000000',$,$,$,$,#10,#11,(1,2),(3),.ATEND.,.ATSTART.);"
    ));
    assert!(!text.contains("#71=") && !text.contains("#72="), "{text}");
    assert_eq!(both.related(10, "IfcRelConnectsPathElements", Direction::Forward).unwrap(), [11]);
    assert!(self::part(&model, &[10, 11, 72]).0.contains("#71=IFCRELCONNECTSWITHREALIZINGELEMENTS"));
}

#[test]
fn a_class_of_an_occurrence_overrides_those_of_its_type_in_its_own_system_only() {
    let model = Model::open(file("IFC4", WALLS), "walls.ifc").unwrap();
    let marks = |id| -> Vec<String> {
        model.classifications(id).into_iter().filter_map(|class| class.identification).collect()
    };
    assert_eq!(marks(10), ["O.1", "T.1"]);
    assert_eq!(marks(11), ["T.1", "T.2"]);
}

#[test]
fn sets_and_documents_of_types_are_kept_in_ifc2x3() {
    let data = "#1=IFCPROJECT('0Project00000000000000',$,'P',$,$,$,$,(#2),#9);
#2=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,$,#3,$);
#3=IFCAXIS2PLACEMENT3D(#4,$,$);
#4=IFCCARTESIANPOINT((0.,0.,0.));
#9=IFCUNITASSIGNMENT(());
#10=IFCDOOR('1Door00000000000000000',$,'D',$,$,$,$,$,$,$);
#20=IFCDOORSTYLE('2Style0000000000000000',$,'S',$,$,$,$,$,.NOTDEFINED.,.NOTDEFINED.,.F.,.F.);
#21=IFCRELDEFINESBYTYPE('3Rel000000000000000000',$,$,$,(#10),#20);
#22=IFCPROPERTYSET('4Set000000000000000000',$,'Related',$,(#23));
#23=IFCPROPERTYSINGLEVALUE('B',$,IFCLABEL('b'),$);
#24=IFCRELDEFINESBYPROPERTIES('5Rel000000000000000000',$,$,$,(#20),#22);
#25=IFCRELASSOCIATESDOCUMENT('6Rel000000000000000000',$,$,$,(#20),#26);
#26=IFCDOCUMENTREFERENCE('https://docs.example.org/d','D-1',$);
#27=IFCDOCUMENTINFORMATION('I-1','Whole',$,(#26,#28),$,$,$,$,$,$,$,$,$,$,$,$,$);
#28=IFCDOCUMENTREFERENCE('https://docs.example.org/far','D-2',$);
#30=IFCMATERIAL('Oak');
#31=IFCRELASSOCIATESMATERIAL('7Rel000000000000000000',$,$,$,(#20),#30);
#32=IFCEXTENDEDMATERIALPROPERTIES(#30,(#23),$,'More');
#33=IFCMATERIALCLASSIFICATIONRELATIONSHIP((#34),#30);
#34=IFCCLASSIFICATIONREFERENCE($,'W.1','Wood',$);
";
    for schema in ["IFC2X3", "IFC2X3_FINAL"] {
        let model = Model::open(file(schema, data), "door.ifc").unwrap();
        let (text, part) = part(&model, &[10]);
        assert_eq!(part.property(10, "Related", "B"), json!("b"), "{text}");
        for number in [24, 25, 27, 31, 32, 33, 34] {
            assert!(text.contains(&format!("\n#{number}=")), "#{number} is lost: {text}");
        }
        assert!(text.contains("FILE_SCHEMA(('IFC2X3'));") && text.contains("$,(#26),$"), "{text}");
        assert_eq!(reading(&part, 10), reading(&model, 10));
    }
}

#[test]
fn the_head_says_of_a_part_what_it_said_of_the_whole() {
    for (schema, written) in [("IFC4", "IFC4"), ("IFC4X3", "IFC4X3_ADD2"), ("IFC4X3_ADD2", "IFC4X3_ADD2")] {
        let model = Model::open(file(schema, WALLS), "walls.ifc").unwrap();
        for text in [model.extract(&[10]), model.text()] {
            let head = format!(
                "FILE_DESCRIPTION(('CoordinationView'),'2;1');\nFILE_NAME('walls.ifc','2011-09-07T12:28:29',('Ann'),\
                 ('Office'),'holdpoint-model','a system','nobody');\nFILE_SCHEMA(('{written}'));\n"
            );
            assert!(text.contains(&head), "{text}");
        }
    }
    // Nobody said when this one was written, and nobody says it now.
    let undated = file("IFC4", WALLS).replace("2011-09-07T12:28:29", "");
    let text = Model::open(undated, "undated.ifc").unwrap().extract(&[10]);
    assert!(text.contains("FILE_NAME('undated.ifc','',('Ann')"), "{text}");
}

/// What the queries answer of an element, apart from other elements.
fn reading(model: &Model, id: ExpressId) -> Value {
    let groups: Vec<Option<String>> = model.relationships(id).groups.into_iter().map(|group| group.name).collect();
    let name = |id: ExpressId| model.entity(id).and_then(|entity| entity.global_id);
    let mut entity = json!(model.entity(id));
    entity["ref"] = Value::Null;
    json!([
        entity,
        model.properties(id),
        model.quantities(id),
        model.type_properties(id),
        model.classifications(id),
        model.material(id),
        model.documents(id),
        groups,
        model.storey(id).and_then(name),
        model.path(id).into_iter().map(name).collect::<Vec<_>>(),
    ])
}

#[test]
fn elements_of_real_files_read_the_same_in_a_part() {
    let mut files: Vec<String> = [
        "SimpleWall",
        "TallBuilding",
        "LargeBuilding",
        "ifc-spf/sample-building",
        "ifc-spf/imperial",
        "ifc-spf/legacy-2x3",
    ]
    .iter()
    .map(|name| format!("foreign/{name}.ifc"))
    .collect();
    files.extend(
        ["office-fire", "services-mep", "villa-2x3", "bridge-4x3", "clinic-quantities"].map(|id| format!("{id}.ifc")),
    );
    for name in files {
        let model = Model::open(std::fs::read(format!("{FIXTURES}/{name}")).unwrap(), "whole.ifc").unwrap();
        let all = model.all();
        let some: Vec<ExpressId> = all.iter().copied().step_by(all.len().div_ceil(40)).collect();
        let (_, part) = part(&model, &some);
        for id in &some {
            assert_eq!(reading(&part, *id), reading(&model, *id), "{name} #{id}");
        }
        let global_ids: BTreeSet<Option<String>> =
            part.entities(&part.all()).into_iter().map(|entity| entity.global_id).collect();
        assert!(global_ids.len() < all.len() || all.len() < 40, "{name}: a part is less than the whole");
    }
}
