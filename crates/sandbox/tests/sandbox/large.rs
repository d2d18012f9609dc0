//! Panels over 100,000 walls, as a model writes them (`tests/programs/large`): inside the memory and the steps of one
//! call. How long they take is measured by `cargo xtask bench sandbox`, which reads what is left here.

use std::{
    fmt::Write as _,
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use holdpoint_sandbox::{ModelFile, child::Runner};
use holdpoint_sdk::run::Profile;
use serde_json::{Value, json};

use crate::{Case, program, programs::listed};

pub const CASES: &[Case] = &[("large::panels_over_100_000_walls", panels_over_100_000_walls)];

const SIZES: [usize; 3] = [100, 10_000, 100_000];
const STOREYS: usize = 10;
const GRANTS: [&str; 3] = ["model.read", "viewer.colorize", "export.create:csv"];
/// On a slow machine the clock ends what is within its fuel.
const PATIENCE: Duration = Duration::from_mins(2);

/// Walls as a usual exporter writes them, on ten storeys, each with a set of its own; every third has a fire rating.
fn walls(count: usize) -> ModelFile {
    let mut text = String::from(
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','2026-01-01T00:00:00',(''),(''),'','','');\n\
         FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n#1=IFCPROJECT('0000000000000000000001',$,'Tower',$,$,$,$,$,$);\n\
         #2=IFCBUILDING('0000000000000000000002',$,'Tower',$,$,$,$,$,.ELEMENT.,$,$,$);\n\
         #3=IFCRELAGGREGATES('0000000000000000000003',$,$,$,#1,(#2));\n",
    );
    let storeys: Vec<String> = (10..10 + STOREYS).map(|id| format!("#{id}")).collect();
    let _ = writeln!(text, "#4=IFCRELAGGREGATES('0000000000000000000004',$,$,$,#2,({}));", storeys.join(","));
    for (at, storey) in storeys.iter().enumerate() {
        let _ = writeln!(
            text,
            "{storey}=IFCBUILDINGSTOREY('00000000000000000001{at:02}',$,'Level {at}',$,$,$,$,$,.ELEMENT.,{at}.);"
        );
    }
    let mut on_storeys = vec![Vec::new(); STOREYS];
    for n in 0..count {
        let [wall, rating, outside, set, relation] = [0, 1, 2, 3, 4].map(|at| 100 + n * 5 + at);
        let value = if n % 3 == 0 { "IFCLABEL('EI 60')" } else { "$" };
        let _ = writeln!(
            text,
            "#{wall}=IFCWALL('2O2Fr$t4X7Zf8N{n:08}',$,'Basic Wall:Interior - 123mm Partition:{n}',$,\
             'Basic Wall:Interior - 123mm Partition',$,$,'{n}',.STANDARD.);\n\
             #{rating}=IFCPROPERTYSINGLEVALUE('FireRating',$,{value},$);\n\
             #{outside}=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.T.),$);\n\
             #{set}=IFCPROPERTYSET('3O2Fr$t4X7Zf8N{n:08}',$,'Pset_WallCommon',$,(#{rating},#{outside}));\n\
             #{relation}=IFCRELDEFINESBYPROPERTIES('4O2Fr$t4X7Zf8N{n:08}',$,$,$,(#{wall}),#{set});"
        );
        on_storeys[n % STOREYS].push(format!("#{wall}"));
    }
    for (at, walls) in on_storeys.iter().enumerate().filter(|(_, walls)| !walls.is_empty()) {
        let id = 50 + at;
        let walls = walls.join(",");
        let _ = writeln!(
            text,
            "#{id}=IFCRELCONTAINEDINSPATIALSTRUCTURE('00000000000000000002{at:02}',$,$,$,({walls}),#{});",
            10 + at
        );
    }
    text.push_str("ENDSEC;\nEND-ISO-10303-21;\n");
    ModelFile { name: format!("{count}-walls.ifc"), bytes: text.into() }
}

/// What the panels answer on so many walls, in their order.
fn wanted(count: usize) -> [Value; 6] {
    let rated = count.div_ceil(3);
    let last = format!("Basic Wall:Interior - 123mm Partition:{}", count - 1);
    [
        json!([STOREYS, count / STOREYS, rated]),
        json!([rated, count - rated, last]),
        json!([rated, count - rated]),
        json!(count + rated),
        json!(count),
        json!([count, count, count + STOREYS + 1, 20, "20", 200]),
    ]
}

fn panels_over_100_000_walls(_: &mut Runner) {
    let mut runner = Runner::new().expect("this binary is known").patient(PATIENCE);
    let panels = listed("large");
    let target = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let mut kept = String::new();
    for count in SIZES {
        let file = walls(count);
        let wanted = wanted(count);
        assert_eq!(panels.len(), wanted.len());
        // The model is opened before anything is measured.
        runner.run(std::slice::from_ref(&file), &program("export default () => 1;", &[])).expect("the process works");
        for (panel, wanted) in panels.iter().zip(wanted) {
            let mut program = program(&panel.source, &GRANTS);
            program.profile = Profile::Production;
            let begun = Instant::now();
            let outcome = runner.run(std::slice::from_ref(&file), &program).expect("the sandbox process works");
            let ms = begun.elapsed().as_secs_f64() * 1000.0;
            let title = &panel.title;
            assert_eq!(outcome.value, Some(wanted), "{title} over {count}: {:?}", outcome.failure);
            let usage = outcome.usage;
            let row = json!({"walls": count, "title": title, "program": program, "usage": usage, "ms": ms});
            let _ = writeln!(kept, "{row}");
        }
        fs::write(target.join(&file.name), &file.bytes).expect("the target directory is there");
    }
    fs::write(target.join("sandbox-large.jsonl"), kept).expect("the target directory is there");
}
