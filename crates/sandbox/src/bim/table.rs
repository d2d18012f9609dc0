//! Rows and columns of an export, and their CSV (spec: ifc-sdk.md §3 "CSV").

use boa_engine::{JsObject, JsString, JsValue};
use holdpoint_check::args;
use holdpoint_model::Model;
use holdpoint_sdk::capability::parse;
use serde_json::Value;

use crate::{
    arguments::MAX_ITEMS,
    entity,
    error::{COLUMNS, ROWS},
    gate::{Call, Refusal, require},
    json::{NotJson, items, text, to_json},
};

/// Fields that an entity has without a look into its sets.
const ENTITY_FIELDS: [&str; 6] = ["name", "type", "globalId", "description", "objectType", "tag"];

/// A column: what its header says, and the field that its cells hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) title: String,
    field: String,
}

#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// `columns` of the options: field names or `{title, field}`; `None` when there are none.
pub(crate) fn columns(call: &mut Call<'_>) -> Result<Option<Vec<Column>>, Refusal> {
    let Some(options) = call.arg(1).as_object() else { return Ok(None) };
    let given = options.get(JsString::from("columns"), call.context)?;
    if given.is_null_or_undefined() {
        return Ok(None);
    }
    let wrong =
        |call: &Call<'_>| call.wrong("options", &COLUMNS, args! { member: "{columns}", column: "{title, field}" });
    let Some(list) = given.as_object().filter(|list| list.is_array()) else { return Err(wrong(call)) };
    let mut columns = Vec::new();
    for item in items(&list, MAX_ITEMS, call.context)? {
        columns.push(match (text(&item), item.as_object()) {
            (Some(field), _) => Column { title: field.clone(), field },
            (None, Some(object)) => {
                let title = text(&object.get(JsString::from("title"), call.context)?);
                let field = text(&object.get(JsString::from("field"), call.context)?);
                match (title, field) {
                    (Some(title), Some(field)) => Column { title, field },
                    _ => return Err(wrong(call)),
                }
            }
            _ => return Err(wrong(call)),
        });
    }
    Ok(Some(columns))
}

impl Table {
    /// The cells of the rows in the first argument.
    pub(crate) fn read(columns: &[Column], call: &mut Call<'_>) -> Result<Self, Refusal> {
        let mut rows = Vec::new();
        let list = match call.arg(0).as_object() {
            Some(list) => items(&list, MAX_ITEMS, call.context)?,
            None => Vec::new(),
        };
        for row in list {
            let mut cells = Vec::with_capacity(columns.len());
            for column in columns {
                cells.push(cell(&row, &column.field, call)?);
            }
            rows.push(cells);
        }
        Ok(Self { columns: columns.to_vec(), rows })
    }

    /// Header and rows; every row ends with LF.
    pub(crate) fn csv(&self, separator: &str, escape: bool) -> String {
        let mut text = String::new();
        let titles = self.columns.iter().map(|column| Value::String(column.title.clone())).collect::<Vec<_>>();
        for cells in std::iter::once(&titles).chain(&self.rows) {
            let cells: Vec<String> = cells.iter().map(|cell| quoted(cell, separator, escape)).collect();
            text.push_str(&cells.join(separator));
            text.push('\n');
        }
        text
    }
}

/// A member of the row, else what the model says of it.
fn cell(row: &JsValue, field: &str, call: &mut Call<'_>) -> Result<Value, Refusal> {
    let Some(object) = row.as_object() else { return Ok(Value::Null) };
    let own = object.has_own_property(JsString::from(field), call.context)?;
    if own {
        let value = object.get(JsString::from(field), call.context)?;
        return match to_json(&value, call.context) {
            Ok(value) => Ok(value.unwrap_or_default()),
            Err(NotJson::Because(why)) => Err(call.wrong("rows", &ROWS, args! { field, why })),
            Err(NotJson::Threw(error)) => Err(error.into()),
        };
    }
    of_entity(&object, field, call)
}

/// Reading the model needs its capability, also on the way into a file.
fn of_entity(row: &JsObject, field: &str, call: &mut Call<'_>) -> Result<Value, Refusal> {
    let Some(reference) = entity::reference(&row.clone().into(), call.context)? else { return Ok(Value::Null) };
    if field != "storey" && !field.contains('.') && !ENTITY_FIELDS.contains(&field) {
        return Ok(Value::Null);
    }
    if let Ok(read) = parse("model.read") {
        require(call.path, &read, call.host)?;
    }
    let found = call.host.model(&reference.model_id).map(|model| value(&model, reference.express_id, field));
    Ok(found.unwrap_or_default())
}

fn value(model: &Model, id: u32, field: &str) -> Value {
    if field == "storey" {
        let storey = model.storey(id).and_then(|storey| model.entity(storey));
        return storey.and_then(|storey| storey.name).map_or(Value::Null, Value::String);
    }
    if ENTITY_FIELDS.contains(&field) {
        let entity = model.entity(id).and_then(|entity| serde_json::to_value(entity).ok());
        return entity.and_then(|entity| entity.get(field).cloned()).unwrap_or_default();
    }
    // A set's name may hold a dot itself.
    for (dot, _) in field.match_indices('.') {
        let (set, name) = (&field[..dot], &field[dot + 1..]);
        for found in [model.property(id, set, name), model.quantity(id, set, name)] {
            if !found.is_null() {
                return found;
            }
        }
    }
    Value::Null
}

fn quoted(cell: &Value, separator: &str, escape: bool) -> String {
    let text = match cell {
        Value::Null => String::new(),
        Value::String(text) if escape && text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    if text.contains(['"', ',', ';', '\t', '\r', '\n']) || text.contains(separator) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cells() {
        let cases = [
            (json!(null), ""),
            (json!("a,b"), "\"a,b\""),
            (json!("a;b"), "\"a;b\""),
            (json!("say \"hi\""), "\"say \"\"hi\"\"\""),
            (json!("=1+1"), "'=1+1"),
            (json!("-a,b"), "\"'-a,b\""),
            (json!(-2), "-2"),
            (json!(1.5), "1.5"),
            (json!(true), "true"),
            (json!({"a": 1}), "\"{\"\"a\"\":1}\""),
            (json!(["a"]), "\"[\"\"a\"\"]\""),
        ];
        for (cell, want) in cases {
            assert_eq!(quoted(&cell, ",", true), want, "{cell}");
        }
        assert_eq!(quoted(&json!("=1"), ",", false), "=1");
        assert_eq!(quoted(&json!("a|b"), "|", true), "\"a|b\"");
    }
}
