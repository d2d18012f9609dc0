//! What the page lists of a model: rows, tree and columns, in blocks of rows or lines.
//!
//! A block is small to hand over: numbers stand in lists of their own, texts that repeat stand once. Invariant: reads no
//! sets but those of the column that is asked for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::Value;

use crate::model::Model;
use crate::schema::Class;
use crate::shapes::ExpressId;
use crate::view::cell;

/// Structure deeper than this is not followed; real models stay below ten.
const MAX_TREE_DEPTH: usize = 48;

/// In the place of a set: whichever has the member.
const ANY_SET: &str = "*";
/// Rows in which a column is looked for where nothing else says which one.
const LOOKED_AT: usize = 2_000;

/// Rows of the table, elements and spaces, by number; openings and spatial structure have none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RowBlock {
    /// Rows of the whole model.
    pub count: usize,
    /// Classes and storeys of these rows, each once.
    pub types: Vec<String>,
    pub storeys: Vec<StoreyName>,
    /// One a row, as all that follows.
    pub names: Vec<Option<String>>,
    pub global_ids: Vec<Option<String>>,
    #[serde(skip)]
    pub id: Vec<ExpressId>,
    /// A place in `types`, from 0.
    #[serde(skip)]
    pub class: Vec<u32>,
    /// A place in `storeys` and one; 0 without a storey.
    #[serde(skip)]
    pub storey: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoreyName {
    pub id: ExpressId,
    pub name: Option<String>,
}

/// Lines of the spatial tree, each below what it hangs under: parts first (storeys by elevation), then contents. Products
/// that hang nowhere stand behind the projects.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TreeBlock {
    /// Lines of the whole tree.
    pub count: usize,
    /// Nodes of these lines that are no rows, in their order.
    pub nodes: Vec<TreeNode>,
    /// The line that a line hangs under and one, counted over the whole tree; 0 for those on top.
    #[serde(skip)]
    pub parent: Vec<u32>,
    /// The row of a line and one; 0 for the next of `nodes`.
    #[serde(skip)]
    pub row: Vec<u32>,
}

/// A node of the spatial tree that has no row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeNode {
    pub id: ExpressId,
    pub r#type: String,
    pub name: Option<String>,
    /// Of storeys only, in metres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elevation: Option<f64>,
}

/// Cells of a column: the effective property, else the effective quantity.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ColumnBlock {
    /// Rows of the whole model.
    pub count: usize,
    pub values: Vec<Value>,
    /// The symbols that the numbers among them are measured in, each once; null for those without one.
    pub units: Vec<Option<String>>,
    /// A place in `values` and one, for each row; 0 without a value.
    #[serde(skip)]
    pub at: Vec<u32>,
}

/// Names a property or quantity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ColumnKey {
    pub set: String,
    pub name: String,
}

/// What lists are made of; made when one is asked for first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lists {
    rows: OnceLock<Vec<ExpressId>>,
    lines: OnceLock<Vec<Line>>,
}

/// A line of the tree, and the one that it hangs under and one.
#[derive(Debug, Clone, Copy)]
struct Line {
    id: ExpressId,
    parent: u32,
}

impl Model {
    /// The rows from one place to another, which is not among them.
    pub fn rows(&self, from: usize, to: usize) -> RowBlock {
        let ids = self.row_ids();
        let mut block = RowBlock { count: ids.len(), ..RowBlock::default() };
        let (mut classes, mut storeys) = (Places::default(), Places::default());
        for id in &ids[between(from, to, ids.len())] {
            let Some(instance) = self.instance(*id) else { continue };
            block.id.push(*id);
            block.names.push(instance.text("Name"));
            block.global_ids.push(instance.text("GlobalId"));
            block.class.push(classes.of(&instance.class.name, || block.types.push(instance.class.name.clone())));
            let storey = self.storey(*id).map(|storey| {
                let name = || self.instance(storey).and_then(|found| found.text("Name"));
                storeys.of(&storey, || block.storeys.push(StoreyName { id: storey, name: name() })) + 1
            });
            block.storey.push(storey.unwrap_or_default());
        }
        block
    }

    /// Lines of the tree from one place to another, which is not among them.
    pub fn tree(&self, from: usize, to: usize) -> TreeBlock {
        let lines = self.lines();
        let rows = self.row_ids();
        let mut block = TreeBlock { count: lines.len(), ..TreeBlock::default() };
        for line in &lines[between(from, to, lines.len())] {
            block.parent.push(line.parent);
            let row = rows.binary_search(&line.id).map_or(0, |row| row as u32 + 1);
            block.row.push(row);
            if let (0, Some(entity)) = (row, self.entity(line.id)) {
                let elevation = self.elevation(line.id).map(|elevation| self.units().in_metres(elevation));
                block.nodes.push(TreeNode { id: line.id, r#type: entity.r#type, name: entity.name, elevation });
            }
        }
        block
    }

    /// Cells of the rows from one place to another, which is not among them.
    pub fn column(&self, key: &ColumnKey, from: usize, to: usize) -> ColumnBlock {
        let ids = self.row_ids();
        let mut block = ColumnBlock { count: ids.len(), ..ColumnBlock::default() };
        let mut places = Places::default();
        let keys = self.keys_of(key);
        for id in &ids[between(from, to, ids.len())] {
            let found = keys.iter().find_map(|key| self.effective_value(*id, key));
            let at = found.map(|(value, unit)| {
                if value.is_number() && !block.units.contains(&unit) {
                    block.units.push(unit);
                }
                let value = cell(value);
                // A text is told from a number by its quotes.
                places.of(&value.to_string(), || block.values.push(value)) + 1
            });
            block.at.push(at.unwrap_or_default());
        }
        block
    }

    /// The columns that a key stands for: with [`ANY_SET`] one for each set with such a member.
    fn keys_of(&self, key: &ColumnKey) -> Vec<ColumnKey> {
        if key.set != ANY_SET {
            return vec![key.clone()];
        }
        self.sets_with(&key.name).into_iter().map(|set| ColumnKey { set, name: key.name.clone() }).collect()
    }

    /// The first of these names that a row has a value of, in its set or, where several have one, in any; else what the
    /// first rows have.
    pub fn preferred_column(&self, names: &[&str]) -> Option<ColumnKey> {
        let known = names.iter().find_map(|name| {
            let any = ColumnKey { set: ANY_SET.to_owned(), name: (*name).to_owned() };
            let has_value = |key: &ColumnKey| self.row_ids().iter().any(|id| self.effective_value(*id, key).is_some());
            let mut valued = self.keys_of(&any).into_iter().filter(has_value);
            let first = valued.next()?;
            Some(if valued.next().is_some() { any } else { first })
        });
        known.or_else(|| {
            let columns = self.values(0, LOOKED_AT).columns.into_iter();
            let valued = columns.filter(|column| matches!(column.kind, "properties" | "quantities"));
            let first =
                valued.min_by(|one, other| (one.kind, &one.set, &one.name).cmp(&(other.kind, &other.set, &other.name)));
            first.map(|column| ColumnKey { set: column.set, name: column.name })
        })
    }

    /// Whether any set has a member of this name.
    pub fn has_member(&self, name: &str) -> bool {
        self.members(name).next().is_some()
    }

    /// Numbers of the rows, ascending.
    pub(crate) fn row_ids(&self) -> &[ExpressId] {
        self.lists().rows.get_or_init(|| {
            let has_row: Vec<bool> = self.classes().iter().map(has_row).collect();
            let products = self.products().iter().copied();
            products.filter(|id| self.record(*id).is_some_and(|record| has_row[record.keyword as usize])).collect()
        })
    }

    fn lines(&self) -> &[Line] {
        self.lists().lines.get_or_init(|| {
            let mut walk = Walk { model: self, seen: HashSet::new(), lines: Vec::new() };
            for project in self.instances_of("IfcProject") {
                walk.node(project.id, 0, 0);
            }
            for id in self.products() {
                if self.is_top(*id) && !self.is_opening(*id) {
                    walk.node(*id, 0, 0);
                }
            }
            walk.lines
        })
    }

    fn is_opening(&self, id: ExpressId) -> bool {
        self.class_of(id).is_some_and(is_opening)
    }

    /// Sets that have a member of this name, by their names.
    fn sets_with(&self, name: &str) -> BTreeSet<String> {
        let members: HashSet<ExpressId> = self.members(name).collect();
        let mut names = BTreeSet::new();
        if members.is_empty() {
            return names;
        }
        for record in self.instances_where(|class| class.is_a("IfcPropertySet") || class.is_a("IfcElementQuantity")) {
            let Some(set) = self.instance(record.id) else { continue };
            let list = if set.class.position("Quantities").is_some() { "Quantities" } else { "HasProperties" };
            if set.get(list).references().iter().any(|member| members.contains(member)) {
                names.extend(set.text("Name"));
            }
        }
        names
    }

    /// Numbers of the properties and quantities of a name, which stands in their first attribute.
    fn members(&self, name: &str) -> impl Iterator<Item = ExpressId> {
        let records = self.instances_where(|class| class.is_a("IfcProperty") || class.is_a("IfcPhysicalQuantity"));
        records.filter(move |record| self.begins_with_text(*record, name)).map(|record| record.id)
    }
}

fn is_opening(class: &Class) -> bool {
    class.is_a("IfcFeatureElement")
}

fn has_row(class: &Class) -> bool {
    let spatial = class.is_a("IfcSpatialElement") || class.is_a("IfcSpatialStructureElement");
    !is_opening(class) && (!spatial || class.is_a("IfcSpace"))
}

fn between(from: usize, to: usize, count: usize) -> Range<usize> {
    from.min(count)..to.clamp(from.min(count), count)
}

/// Where each thing was put first.
#[derive(Default)]
struct Places<K>(HashMap<K, u32>);

impl<K: Clone + Eq + std::hash::Hash> Places<K> {
    fn of(&mut self, key: &K, put: impl FnOnce()) -> u32 {
        if let Some(place) = self.0.get(key) {
            return *place;
        }
        put();
        let place = self.0.len() as u32;
        self.0.insert(key.clone(), place);
        place
    }
}

struct Walk<'m> {
    model: &'m Model,
    seen: HashSet<ExpressId>,
    lines: Vec<Line>,
}

impl Walk<'_> {
    fn node(&mut self, id: ExpressId, parent: u32, depth: usize) {
        let model = self.model;
        if depth >= MAX_TREE_DEPTH || model.class_of(id).is_none() || !self.seen.insert(id) {
            return;
        }
        self.lines.push(Line { id, parent });
        let line = self.lines.len() as u32;
        let parts = model.decomposes(id).into_iter();
        let mut parts: Vec<_> = parts.map(|part| (model.elevation(part).unwrap_or_default(), part)).collect();
        parts.sort_by(|one, other| one.0.total_cmp(&other.0));
        for part in parts.into_iter().map(|(_, part)| part).chain(model.contains(id)) {
            if !model.is_opening(part) {
                self.node(part, line, depth + 1);
            }
        }
    }
}
