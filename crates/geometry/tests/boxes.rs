//! Boxes of elements against the numbers that stand in the file's text, read here without the geometry library.

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_geometry::{Drawn, MeshShape, Mesher};

/// Metres by which a box may differ.
const NEAR_M: f64 = 1e-3;

/// A file's records by number: class and arguments, as they are written.
struct Step<'a>(BTreeMap<u32, (&'a str, Vec<&'a str>)>);

impl<'a> Step<'a> {
    fn read(text: &'a str) -> Self {
        let records = text.lines().filter_map(|line| {
            let (number, rest) = line.trim().strip_prefix('#')?.split_once('=')?;
            let (class, arguments) = rest.trim().strip_suffix(");")?.split_once('(')?;
            Some((number.trim().parse().ok()?, (class, split(arguments))))
        });
        Self(records.collect())
    }

    fn of(&self, id: u32, class: &str) -> Option<&[&'a str]> {
        self.0.get(&id).filter(|(name, _)| *name == class).map(|(_, arguments)| &arguments[..])
    }

    fn point(&self, id: u32) -> Vec<f64> {
        let list = self.of(id, "IFCCARTESIANPOINT").expect("a point")[0];
        list.trim_matches(['(', ')']).split(',').map(|one| one.parse().expect("a number")).collect()
    }

    /// Where a chain of placements that only move leads; `None` where one turns.
    fn moved(&self, placement: u32) -> Option<[f64; 3]> {
        let [parent, axis] = self.of(placement, "IFCLOCALPLACEMENT")? else { return None };
        let [location, z, x] = self.of(reference(axis)?, "IFCAXIS2PLACEMENT3D")? else { return None };
        if (*z, *x) != ("$", "$") {
            return None;
        }
        let own = self.point(reference(location)?);
        let above = reference(parent).map_or(Some([0.0; 3]), |parent| self.moved(parent))?;
        Some([0, 1, 2].map(|axis| own[axis] + above[axis]))
    }

    /// The box of a product whose one body is a rectangle that was pulled up.
    fn boxed(&self, product: u32) -> Option<[[f64; 3]; 2]> {
        let (_, arguments) = &self.0[&product];
        let at = self.moved(reference(arguments.get(5)?)?)?;
        let shown = self.of(reference(arguments.get(6)?)?, "IFCPRODUCTDEFINITIONSHAPE")?;
        let body = self.of(only(shown[2])?, "IFCSHAPEREPRESENTATION")?;
        let [profile, position, direction, depth] = self.of(only(body[3])?, "IFCEXTRUDEDAREASOLID")? else {
            return None;
        };
        let (position, direction) = (reference(position)?, reference(direction)?);
        let straight = self.of(direction, "IFCDIRECTION")?[0] == "(0.,0.,1.)";
        let upright = self.of(position, "IFCAXIS2PLACEMENT3D")?[1..] == ["$", "$"];
        let origin = self.point(reference(self.of(position, "IFCAXIS2PLACEMENT3D")?[0])?);
        let [_, _, middle, x, y] = self.of(reference(profile)?, "IFCRECTANGLEPROFILEDEF")? else { return None };
        let middle = self.point(reference(self.of(reference(middle)?, "IFCAXIS2PLACEMENT2D")?[0])?);
        if !straight || !upright {
            return None;
        }
        let (x, y, depth): (f64, f64, f64) = (x.parse().ok()?, y.parse().ok()?, depth.parse().ok()?);
        let low = [at[0] + origin[0] + middle[0] - x / 2.0, at[1] + origin[1] + middle[1] - y / 2.0, at[2] + origin[2]];
        Some([low, [low[0] + x, low[1] + y, low[2] + depth]])
    }

    /// Products: whatever has an owner history second and a placement sixth.
    fn products(&self) -> impl Iterator<Item = u32> {
        self.0.iter().filter_map(|(id, (_, arguments))| {
            let placed = arguments.get(5).and_then(|one| reference(one))?;
            self.of(placed, "IFCLOCALPLACEMENT").map(|_| *id)
        })
    }

    fn class(&self, id: u32) -> &str {
        self.0[&id].0
    }

    /// Metres in the unit of length that the project is assigned: an SI unit with or without a prefix.
    fn unit(&self) -> f64 {
        let (_, assigned) = self.0.values().find(|(class, _)| *class == "IFCUNITASSIGNMENT").expect("units");
        let units = split(assigned[0].trim_matches(['(', ')']));
        let length = units.into_iter().filter_map(|one| self.of(reference(one)?, "IFCSIUNIT"));
        let length = length.into_iter().find(|arguments| arguments[1] == ".LENGTHUNIT.").expect("a unit of length");
        match length[2] {
            ".MILLI." => 1e-3,
            "$" => 1.0,
            other => panic!("{other} is a prefix that the fixtures do not use"),
        }
    }

    /// Whether a product has a body: what is drawn of it.
    fn has_body(&self, product: u32) -> bool {
        let shown = self.0[&product].1.get(6).and_then(|one| reference(one));
        let Some(shown) = shown.and_then(|shown| self.of(shown, "IFCPRODUCTDEFINITIONSHAPE")) else { return false };
        split(shown[2].trim_matches(['(', ')']))
            .into_iter()
            .filter_map(reference)
            .any(|one| self.of(one, "IFCSHAPEREPRESENTATION").is_some_and(|arguments| arguments[1] == "'Body'"))
    }

    /// Products that a view draws: those with a body that are no openings.
    fn drawn(&self) -> BTreeSet<u32> {
        self.products().filter(|id| self.class(*id) != "IFCOPENINGELEMENT" && self.has_body(*id)).collect()
    }

    /// What has openings.
    fn cut(&self) -> BTreeSet<u32> {
        let voids = self.0.values().filter(|(class, _)| *class == "IFCRELVOIDSELEMENT");
        voids.filter_map(|(_, arguments)| reference(arguments[4])).collect()
    }
}

fn reference(argument: &str) -> Option<u32> {
    argument.strip_prefix('#')?.parse().ok()
}

fn only(list: &str) -> Option<u32> {
    reference(list.strip_prefix('(')?.strip_suffix(')')?)
}

/// Arguments between commas that stand in no bracket and no string.
fn split(arguments: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut from, mut parts) = (0, false, 0, Vec::new());
    for (at, letter) in arguments.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                parts.push(&arguments[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&arguments[from..]);
    parts
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../fixtures/ifc/{name}", env!("CARGO_MANIFEST_DIR"))).expect("a fixture")
}

/// The box of an element, from the file's zero.
fn drawn_box(drawn: &Drawn, shapes: &BTreeMap<u32, MeshShape>, origin: [f64; 3]) -> [[f64; 3]; 2] {
    let mut found = [[f64::MAX; 3], [f64::MIN; 3]];
    for part in &drawn.parts {
        for vertex in shapes[&part.shape].positions.chunks_exact(3) {
            for axis in 0..3 {
                let at = origin[axis] + part.at[axis] + f64::from(vertex[axis]);
                found[0][axis] = found[0][axis].min(at);
                found[1][axis] = found[1][axis].max(at);
            }
        }
    }
    found
}

#[test]
fn boxes_are_those_that_stand_in_the_files() {
    for (name, least) in [
        ("house-small.ifc", 20),
        ("office-fire.ifc", 20),
        ("villa-2x3.ifc", 20),
        ("services-mep.ifc", 20),
        ("clinic-quantities.ifc", 20),
        ("bridge-4x3.ifc", 10),
    ] {
        let bytes = file(name);
        let text = String::from_utf8(bytes.clone()).expect("text");
        let step = Step::read(&text);
        let mut mesher = Mesher::new(&bytes);
        let unit = step.unit();
        assert!((mesher.unit() - unit).abs() < 1e-12, "{name} is in units of {unit} m");
        let (mut shapes, mut compared, mut found_bodies) = (BTreeMap::new(), 0, BTreeSet::new());
        for id in step.products() {
            let drawn = mesher.element(id).unwrap_or_else(|fault| panic!("{name} #{id}: {fault}"));
            shapes.extend(drawn.shapes.iter().cloned());
            if !drawn.parts.is_empty() {
                found_bodies.insert(id);
            }
            let Some(wanted) = step.boxed(id) else { continue };
            let wanted = wanted.map(|corner| corner.map(|one| one * unit));
            if step.class(id) == "IFCOPENINGELEMENT" {
                assert!(drawn.parts.is_empty(), "{name} #{id}: an opening is not drawn");
                continue;
            }
            let found = drawn_box(&drawn, &shapes, mesher.origin());
            let far = (0..6).any(|i| (found[i / 3][i % 3] - wanted[i / 3][i % 3]).abs() > NEAR_M);
            assert!(!far, "{name} #{id} {}: {found:?}, and the file says {wanted:?}", step.class(id));
            compared += 1;
        }
        assert_eq!(found_bodies, step.drawn(), "{name}: what is drawn is what has a body");
        assert!(compared >= least, "{name}: {compared} boxes");
        assert!(shapes.len() < compared, "{name}: equal shapes are one, {} of {compared}", shapes.len());
    }
}

#[test]
fn every_element_of_foreign_files_is_drawn_in_metres() {
    for (name, highest_m) in [("SimpleWall.ifc", 5.0), ("TallBuilding.ifc", 80.0), ("LargeBuilding.ifc", 40.0)] {
        let bytes = file(&format!("foreign/{name}"));
        let text = String::from_utf8_lossy(&bytes).replace("= ", "=");
        let step = Step::read(&text);
        let mut mesher = Mesher::new(&bytes);
        assert!((mesher.unit() - step.unit()).abs() < 1e-12, "{name}: the unit of length");
        let (mut shapes, mut found_bodies, mut tall) = (BTreeMap::new(), BTreeSet::new(), 0.0f64);
        let mut coloured = 0;
        for id in step.products() {
            let drawn = mesher.element(id).unwrap_or_else(|fault| panic!("{name} #{id}: {fault}"));
            shapes.extend(drawn.shapes.iter().cloned());
            if step.class(id) == "IFCOPENINGELEMENT" {
                assert!(drawn.parts.is_empty(), "{name} #{id}: an opening is not drawn");
            }
            if drawn.parts.is_empty() {
                continue;
            }
            let [low, high] = drawn_box(&drawn, &shapes, mesher.origin());
            tall = tall.max(high[2] - low[2]);
            found_bodies.insert(id);
            coloured += usize::from(drawn.parts.iter().any(|part| part.colour.is_some()));
            assert!(!drawn.uncut, "{name} #{id}: its openings are cut out");
        }
        assert_eq!(found_bodies, step.drawn(), "{name}: what is drawn is what has a body");
        let count = found_bodies.len();
        assert!(tall > 0.5 && tall < highest_m, "{name}: the highest element has {tall} m");
        assert!(coloured * 2 > count, "{name}: {coloured} of {count} have a colour");
    }
}

/// An opening takes matter away: the volume that the triangles close is less than that of the wall's box.
#[test]
fn openings_are_cut_out() {
    let bytes = file("foreign/LargeBuilding.ifc");
    let text = String::from_utf8_lossy(&bytes).replace("= ", "=");
    let step = Step::read(&text);
    let mut mesher = Mesher::new(&bytes);
    let mut fewer = 0;
    for id in step.cut() {
        let drawn = mesher.element(id).expect("drawn");
        // Six faces are twelve triangles: a hole makes more.
        let triangles: usize = drawn.shapes.iter().map(|(_, shape)| shape.indices.len() / 3).sum();
        fewer += usize::from(triangles > 12);
    }
    assert!(fewer > 10, "{fewer} walls have holes");
}

#[test]
fn what_is_no_element_is_refused_and_nothing_panics() {
    let mut mesher = Mesher::new(b"#1=IFCWALL(;\n#2=IFCWALL('x',$,$,$,$,#2,#2,$,$);");
    for id in [0, 1, 2, 3, u32::MAX] {
        let _ = mesher.element(id);
    }
    assert!(mesher.element(3).is_err());
    let bytes = file("house-small.ifc");
    for cut in (0..bytes.len()).step_by(997) {
        let mut mesher = Mesher::new(&bytes[..cut]);
        for id in [41, 278, 490] {
            let _ = mesher.element(id);
        }
    }
}
