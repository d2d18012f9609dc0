//! What a script answered, as people read it: a sentence, a figure, facts, tables whose rows are elements.
//!
//! Owns how any JSON becomes that. Invariants: nothing that stands here is longer than its limit, and what was cut says
//! how much there was; elements of every row can be selected, also of those that are not shown.
//!
//! ```
//! use holdpoint_kind_extension::script::ScriptAnswer;
//! let answer = ScriptAnswer::of(&serde_json::json!({"text": "Two doors.", "rows": [{"Width": 0.9}, {"Width": 1.2}]})).unwrap();
//! assert_eq!((answer.text.as_str(), answer.tables[0].total), ("Two doors.", 2));
//! ```

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Rows of a table that are kept; the others are counted.
const MAX_ROWS: usize = 1_000;
/// Elements of a table that can be selected.
const MAX_ELEMENTS: usize = 20_000;
const MAX_COLUMNS: usize = 12;
const MAX_TABLES: usize = 5;
const MAX_FACTS: usize = 20;
/// Characters of a sentence that are kept.
const MAX_TEXT_CHARS: usize = 4_000;
/// Characters of a cell, of a title and of a name.
const MAX_CELL_CHARS: usize = 300;
/// The column that names elements where no row does so itself.
const ELEMENT: &str = "element";

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScriptAnswer {
    /// A sentence; empty where the answer is none.
    pub text: String,
    /// The one number that answers.
    pub figure: Option<f64>,
    pub facts: Vec<Fact>,
    pub tables: Vec<AnswerTable>,
}

/// One value with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Fact {
    pub name: String,
    pub value: Cell,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AnswerTable {
    /// The member that it was; empty where it is the only one.
    pub title: String,
    /// Whether the rows are about elements, which their first cell names.
    pub of_elements: bool,
    /// Behind the name of the element.
    pub columns: Vec<String>,
    pub rows: Vec<AnswerRow>,
    /// Rows that the answer had.
    pub total: usize,
    /// The elements of all rows, each once.
    pub elements: Vec<AnsweredElement>,
}

/// An `EntityRef` of the SDK.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnsweredElement {
    pub model_id: String,
    pub express_id: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AnswerRow {
    /// Its element, and what it is called.
    pub element: Option<NamedElement>,
    /// As many as the table has columns, in their order.
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NamedElement {
    /// Its model; answers that were kept when there was one have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub model: Option<String>,
    /// Its number in the file, without `#`.
    pub id: u32,
    pub name: String,
}

/// One value as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Cell {
    /// The row has no such value.
    None,
    Flag(bool),
    Number(f64),
    Text(String),
    Element(NamedElement),
}

impl ScriptAnswer {
    /// What a value says; none where it says nothing.
    pub fn of(value: &Value) -> Option<Self> {
        let mut answer = Self::default();
        match value {
            Value::Null => {}
            Value::Number(number) => answer.figure = number.as_f64(),
            Value::Array(list) => answer.tables.push(AnswerTable::of("", list)),
            Value::Object(_) if named(value).is_some() => {
                answer.tables.push(AnswerTable::of("", std::slice::from_ref(value)));
            }
            Value::Object(members) => answer.take(members),
            Value::Bool(_) => answer.facts.push(Fact { name: String::new(), value: Cell::of(value) }),
            Value::String(text) => answer.text = cut(text, MAX_TEXT_CHARS),
        }
        let says = !answer.text.trim().is_empty()
            || answer.figure.is_some()
            || !answer.facts.is_empty()
            || !answer.tables.is_empty();
        says.then_some(answer)
    }

    fn take(&mut self, members: &Map<String, Value>) {
        for (name, value) in members {
            match (name.as_str(), value) {
                ("text", Value::String(text)) => self.text = cut(text, MAX_TEXT_CHARS),
                ("figure", Value::Number(number)) => self.figure = number.as_f64(),
                (_, Value::Null) => {}
                (_, Value::Array(list)) if self.tables.len() < MAX_TABLES => {
                    let title = if name == "rows" { "" } else { name };
                    self.tables.push(AnswerTable::of(title, list));
                }
                _ if self.facts.len() < MAX_FACTS => {
                    self.facts.push(Fact { name: cut(name, MAX_CELL_CHARS), value: Cell::of(value) });
                }
                _ => {}
            }
        }
    }
}

impl AnswerTable {
    fn of(title: &str, list: &[Value]) -> Self {
        let mut seen = BTreeSet::new();
        let named = list.iter().filter_map(element_of);
        let references = named.filter_map(|NamedElement { model, id, .. }| Some((model?, id)));
        let each = references.filter(|one| seen.insert(one.clone())).take(MAX_ELEMENTS);
        let elements: Vec<_> = each.map(|(model_id, express_id)| AnsweredElement { model_id, express_id }).collect();
        let shown = &list[..list.len().min(MAX_ROWS)];
        let columns = columns(shown);
        let row = |value: &Value| AnswerRow {
            element: element_of(value),
            cells: columns.iter().map(|column| column.of(value)).collect(),
        };
        Self {
            title: cut(title, MAX_CELL_CHARS),
            of_elements: !elements.is_empty(),
            rows: shown.iter().map(row).collect(),
            columns: columns.into_iter().map(|column| column.title()).collect(),
            total: list.len(),
            elements,
        }
    }
}

/// What a column shows of a row.
enum Column<'v> {
    Member(&'v str),
    /// The class of an element that is the row.
    Class,
    /// The row itself, where it is no object.
    Whole,
}

impl Column<'_> {
    fn of(&self, row: &Value) -> Cell {
        match self {
            Self::Member(name) => row.get(name).map_or(Cell::None, Cell::of),
            Self::Class => row.get("type").map_or(Cell::None, Cell::of),
            Self::Whole if row.is_object() => Cell::None,
            Self::Whole => Cell::of(row),
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Member(name) => cut(name, MAX_CELL_CHARS),
            Self::Class => "type".to_owned(),
            Self::Whole => String::new(),
        }
    }
}

/// Members of the rows in the order in which they come; what says which element it is stands apart.
fn columns(rows: &[Value]) -> Vec<Column<'_>> {
    let mut members: Vec<&str> = Vec::new();
    let (mut plain, mut entity) = (false, false);
    for row in rows {
        match row {
            Value::Object(all) => {
                let whole = named(row).is_some() && is_entity(row);
                entity |= whole;
                let own = if whole { None } else { element_member(all) };
                let known = |name: &&str| own == Some(name) || (whole && ENTITY.contains(name));
                for name in all.keys().map(String::as_str).filter(|name| !known(name)) {
                    if members.len() < MAX_COLUMNS && !members.contains(&name) {
                        members.push(name);
                    }
                }
            }
            _ => plain = true,
        }
    }
    let whole = plain.then_some(Column::Whole).into_iter().chain(entity.then_some(Column::Class));
    whole.chain(members.into_iter().map(Column::Member)).take(MAX_COLUMNS).collect()
}

/// The element that a row is, or that its member names.
fn element_of(row: &Value) -> Option<NamedElement> {
    named(row).or_else(|| named(&row[element_member(row.as_object()?)?]))
}

/// `element`, `ref`, or the first member that is an element.
fn element_member(row: &Map<String, Value>) -> Option<&str> {
    let is = |name: &&String| named(&row[name.as_str()]).is_some();
    let first = row.keys().find(|name| *name == ELEMENT && is(name)).or_else(|| row.keys().find(is));
    first.map(String::as_str)
}

/// An `Entity` or an `EntityRef` of the SDK (spec: ifc-sdk.md §3).
fn named(value: &Value) -> Option<NamedElement> {
    let reference = value.get("ref").unwrap_or(value);
    let model = Some(reference.get("modelId")?.as_str()?.to_owned());
    let id = u32::try_from(reference.get("expressId")?.as_u64()?).ok()?;
    let name = value.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty());
    Some(NamedElement { model, id, name: cut(name.unwrap_or_default(), MAX_CELL_CHARS) })
}

/// Members of an `Entity` and of an `EntityRef`, which are no columns.
const ENTITY: [&str; 10] =
    ["ref", "globalId", "type", "name", "description", "objectType", "tag", "predefinedType", "modelId", "expressId"];

/// It is one of the SDK, with all its members.
fn is_entity(value: &Value) -> bool {
    value.get("expressId").is_some() || value.get("globalId").is_some()
}

impl Cell {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::None,
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Number(number) => number.as_f64().map_or(Self::None, Self::Number),
            Value::String(text) => Self::Text(cut(text, MAX_CELL_CHARS)),
            Value::Array(list) => {
                let texts = list.iter().take(MAX_COLUMNS).map(|one| match one {
                    Value::String(text) => text.clone(),
                    other => named(other).map_or_else(|| other.to_string(), |it| it.name),
                });
                Self::Text(cut(&texts.collect::<Vec<_>>().join(", "), MAX_CELL_CHARS))
            }
            Value::Object(_) => {
                named(value).map_or_else(|| Self::Text(cut(&value.to_string(), MAX_CELL_CHARS)), Self::Element)
            }
        }
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn entity(id: u32, name: &str) -> Value {
        json!({"ref": {"modelId": "m", "expressId": id}, "globalId": "g", "type": "IfcDoor", "name": name,
            "description": null, "objectType": null, "tag": null, "predefinedType": null})
    }

    fn answer(value: impl Into<Value>) -> ScriptAnswer {
        ScriptAnswer::of(&value.into()).unwrap()
    }

    fn named_of_m(id: u32, name: &str) -> NamedElement {
        NamedElement { model: Some("m".to_owned()), id, name: name.to_owned() }
    }

    fn of_m(ids: &[u32]) -> Vec<AnsweredElement> {
        ids.iter().map(|id| AnsweredElement { model_id: "m".to_owned(), express_id: *id }).collect()
    }

    fn number(value: f64) -> Cell {
        Cell::Number(value)
    }

    #[test]
    fn words_and_numbers() {
        assert_eq!(answer(json!("Eleven.")).text, "Eleven.");
        assert_eq!(answer(json!(11)).figure, Some(11.0));
        assert_eq!(answer(json!(false)).facts[0].value, Cell::Flag(false));
        let told = answer(json!({"text": "t", "figure": 3, "doors": 74, "storey": "Level 1", "none": null}));
        assert_eq!((told.text.as_str(), told.figure), ("t", Some(3.0)));
        let facts: Vec<_> = told.facts.iter().map(|fact| (fact.name.as_str(), fact.value.clone())).collect();
        assert_eq!(facts, [("doors", number(74.0)), ("storey", Cell::Text("Level 1".into()))]);
    }

    #[test]
    fn nothing_is_no_answer() {
        for value in [json!(null), json!(""), json!(" \n"), json!({}), json!({"text": ""}), json!({"figure": null})] {
            assert_eq!(ScriptAnswer::of(&value), None, "{value}");
        }
        // An empty list is an answer: nothing was found.
        assert_eq!(answer(json!([])).tables[0].total, 0);
        assert_eq!(answer(json!({"rows": []})).tables[0].total, 0);
    }

    #[test]
    fn elements_are_rows() {
        for value in [json!([entity(7, "D-1"), entity(9, " ")]), json!({"rows": [entity(7, "D-1"), entity(9, "")]})] {
            let AnswerTable { columns, rows, elements, of_elements, .. } = answer(value).tables.remove(0);
            assert!(of_elements);
            assert_eq!((columns, elements), (vec!["type".to_owned()], of_m(&[7, 9])));
            assert_eq!(rows[0].element, Some(named_of_m(7, "D-1")));
            assert_eq!(rows[1].element, Some(named_of_m(9, "")));
            assert_eq!(rows[0].cells, [Cell::Text("IfcDoor".into())]);
        }
        let one = answer(entity(3, "D"));
        assert_eq!(one.tables[0].elements, of_m(&[3]));
        let reference = answer(json!([{"modelId": "m", "expressId": 5}]));
        assert_eq!(reference.tables[0].elements, of_m(&[5]));
        let two = answer(json!([{"modelId": "m", "expressId": 5}, {"modelId": "n", "expressId": 5}]));
        assert_eq!(two.tables[0].elements.len(), 2, "a number of two models");
    }

    #[test]
    fn rows_say_which_element_they_are_about() {
        let rows = json!([
            {"Width": 0.9, "element": entity(7, "D-1"), "Wall": entity(8, "W-1")},
            {"element": entity(7, "D-1"), "Storey": "1", "Width": null},
        ]);
        let table = &answer(json!({"rows": rows})).tables[0];
        assert_eq!(table.columns, ["Width", "Wall", "Storey"]);
        assert_eq!(table.elements, of_m(&[7]));
        let wall = Cell::Element(named_of_m(8, "W-1"));
        assert_eq!(table.rows[0].cells, [number(0.9), wall, Cell::None]);
        assert_eq!(table.rows[1].cells, [Cell::None, Cell::None, Cell::Text("1".into())]);
    }

    #[test]
    fn what_a_row_adds_to_its_element_is_a_column() {
        let mut door = entity(7, "D-1");
        door["Width"] = json!(0.9);
        let table = &answer(json!([door])).tables[0];
        assert_eq!(table.columns, ["type", "Width"]);
        assert_eq!(table.rows[0].cells, [Cell::Text("IfcDoor".into()), number(0.9)]);
    }

    #[test]
    fn lists_of_values_and_several_lists() {
        let told = answer(json!({"walls": ["a", 2], "doors": [{"n": 1}], "count": 3}));
        let titles: Vec<_> = told.tables.iter().map(|table| table.title.as_str()).collect();
        assert_eq!(titles, ["walls", "doors"]);
        assert_eq!(told.tables[0].rows[1].cells, [number(2.0)]);
        assert!(!told.tables[0].of_elements);
    }

    #[test]
    fn what_is_too_much_is_counted_and_can_be_selected() {
        let many: Vec<Value> = (1..=1_500).map(|id| entity(id, "x")).collect();
        let table = &answer(json!(many)).tables[0];
        assert_eq!((table.rows.len(), table.total, table.elements.len()), (MAX_ROWS, 1_500, 1_500));
        let long = answer(json!({"text": "é".repeat(MAX_TEXT_CHARS + 1)}));
        assert_eq!(long.text.chars().count(), MAX_TEXT_CHARS + 1);
        assert!(long.text.ends_with('…'));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,12}".prop_map(Value::from),
            (0..9u32).prop_map(|id| json!({"modelId": "m", "expressId": id})),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let name =
                prop_oneof![Just("ref".to_owned()), Just("rows".to_owned()), Just("text".to_owned()), "[a-e]{1,2}"];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::hash_map(name, inner, 0..6).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        /// Every value has an answer or none, a table has a cell a column, and the wire gives the same back.
        #[test]
        fn any_value_is_read(value in any_json()) {
            if let Some(answer) = ScriptAnswer::of(&value) {
                for table in &answer.tables {
                    prop_assert!(table.rows.iter().all(|row| row.cells.len() == table.columns.len()));
                    prop_assert!(table.columns.len() <= MAX_COLUMNS && table.rows.len() <= table.total);
                }
                let wire = serde_json::to_string(&answer).unwrap();
                prop_assert_eq!(serde_json::from_str::<ScriptAnswer>(&wire).unwrap(), answer);
            }
        }
    }
}
