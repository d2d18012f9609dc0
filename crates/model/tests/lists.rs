//! What the page lists: rows, lines of the tree and cells in blocks, and the column that is shown first.
#![allow(clippy::unwrap_used)] // a test stops where its ground gives way

use holdpoint_model::{ColumnKey, Model, fixtures};
use serde_json::{Value, json};

fn house() -> Model {
    Model::open(fixtures::write("house-small").unwrap(), "house.ifc").unwrap()
}

fn of(data: &str) -> Model {
    let text =
        format!("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{data}ENDSEC;\nEND-ISO-10303-21;\n");
    Model::open(text, "of.ifc").unwrap()
}

fn key(set: &str, name: &str) -> ColumnKey {
    ColumnKey { set: set.to_owned(), name: name.to_owned() }
}

#[test]
fn blocks_put_together_are_the_whole_list() {
    let model = house();
    let whole = model.rows(0, usize::MAX);
    assert_eq!((whole.id.len(), whole.count), (whole.count, model.rows(0, 0).count));
    for size in [1, 3, 7] {
        let blocks: Vec<_> = (0..whole.count).step_by(size).map(|from| model.rows(from, from + size)).collect();
        assert_eq!(blocks.iter().flat_map(|block| block.id.clone()).collect::<Vec<_>>(), whole.id);
        assert_eq!(blocks.iter().flat_map(|block| block.names.clone()).collect::<Vec<_>>(), whole.names);
        let types =
            blocks.iter().flat_map(|block| block.class.iter().map(|class| block.types[*class as usize].clone()));
        let wanted: Vec<String> = whole.class.iter().map(|class| whole.types[*class as usize].clone()).collect();
        assert_eq!(types.collect::<Vec<_>>(), wanted);
        let cells = |from, to| {
            let block = model.column(&key("Pset_WallCommon", "FireRating"), from, to);
            let at = block.at.into_iter();
            at.map(|at| at.checked_sub(1).map(|at| block.values[at as usize].clone())).collect::<Vec<Option<Value>>>()
        };
        let parts: Vec<_> = (0..whole.count).step_by(size).flat_map(|from| cells(from, from + size)).collect();
        assert_eq!(parts, cells(0, usize::MAX));
    }
    for (from, to) in [(usize::MAX, usize::MAX), (5, 2)] {
        assert!(model.rows(from, to).id.is_empty() && model.tree(from, to).row.is_empty());
    }
}

#[test]
fn each_line_of_the_tree_hangs_under_one_before_it() {
    let model = house();
    let tree = model.tree(0, usize::MAX);
    assert_eq!(tree.parent[0], 0);
    assert!(tree.parent.iter().enumerate().all(|(line, parent)| (*parent as usize) <= line));
    let mut rows: Vec<u32> = tree.row.iter().copied().filter(|row| *row > 0).collect();
    rows.sort_unstable();
    assert!(rows.windows(2).all(|pair| pair[0] != pair[1]), "no row stands twice");
    assert_eq!(rows.len(), model.rows(0, 0).count, "each row of the house stands in its tree");
    assert_eq!(tree.row.len() - rows.len(), tree.nodes.len());
}

const UNITS: &str = "#1=IFCWALL('a',$,'A',$,$,$,$,$,$);\n#2=IFCWALL('b',$,'B',$,$,$,$,$,$);\n\
    #3=IFCPROPERTYSINGLEVALUE('Width',$,IFCLENGTHMEASURE(2.),#10);\n#4=IFCPROPERTYSET('c',$,'Own',$,(#3));\n\
    #5=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#1),#4);\n#6=IFCQUANTITYLENGTH('Width',$,$,3.,$);\n\
    #7=IFCELEMENTQUANTITY('e',$,'Own',$,$,(#6));\n#8=IFCRELDEFINESBYPROPERTIES('f',$,$,$,(#2),#7);\n\
    #9=IFCUNITASSIGNMENT((#11));\n#10=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#11=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n";

#[test]
fn a_column_says_every_unit_that_its_numbers_are_measured_in() {
    let block = of(UNITS).column(&key("Own", "Width"), 0, 2);
    assert_eq!((block.values, block.at), (vec![json!(2.0), json!(3.0)], vec![1, 2]));
    assert_eq!(block.units, [Some("mm".to_owned()), Some("m".to_owned())]);
}

#[test]
fn the_column_shown_first_is_one_that_a_row_has_a_value_of() {
    let model = of(UNITS);
    assert_eq!(model.preferred_column(&["FireRating", "Width"]), Some(key("Own", "Width")));
    assert_eq!(model.preferred_column(&["FireRating"]), Some(key("Own", "Width")), "any, where none is there");
    let empty = "#1=IFCWALL('a',$,'A',$,$,$,$,$,$);\n#3=IFCPROPERTYSINGLEVALUE('Width',$,$,$);\n\
        #4=IFCPROPERTYSET('c',$,'Own',$,(#3));\n#5=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#1),#4);\n";
    assert_eq!(of(empty).preferred_column(&["Width"]), None, "none has a value");
    assert!(of(empty).has_member("Width") && !of(empty).has_member("Height"));
    let encoded = "#1=IFCPROPERTYSINGLEVALUE('Br\\X\\E5nd',$,IFCLABEL('x'),$);\n";
    assert!(of(encoded).has_member("Brånd"));
}

/// Records in any order refer to each other; only what the file does not have is warned about.
#[test]
fn references_forwards_and_backwards_are_judged_alike() {
    let records = [
        "#1=IFCPROPERTYSET('c',$,'Own',$,(#3,#9));\n",
        "#3=IFCPROPERTYSINGLEVALUE('Width',$,$,#2);\n",
        "#2=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n",
        "#70000=IFCRELDEFINESBYPROPERTIES('d',$,$,$,(#1,#8,#8),#1);\n",
    ];
    for turn in 0..records.len() {
        let mut order = records;
        order.rotate_left(turn);
        let mut found: Vec<(Value, Value)> = of(&order.concat())
            .warnings()
            .iter()
            .map(|one| (one.args["id"].clone(), one.args["target"].clone()))
            .collect();
        found.sort_by_key(|(id, _)| id.as_u64());
        assert_eq!(found, [(json!(1), json!(9)), (json!(70_000), json!(8))], "{order:?}");
    }
}
