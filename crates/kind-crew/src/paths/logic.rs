//! What is known of a condition before anything runs: JSON-Logic with values that nobody knows yet.
//!
//! Only what can never be otherwise is known. Variables are unknown, and so is every operator whose answer hangs on how
//! the runtime converts values.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};

use serde_json::Value;

/// What a condition comes to, where that is known.
pub fn known(condition: &Value) -> Option<bool> {
    value(condition).map(|value| truthy(&value))
}

/// The value of an expression, where it is the same whatever the variables are.
fn value(expression: &Value) -> Option<Value> {
    let members = match expression {
        Value::Object(members) => members,
        Value::Array(items) => return items.iter().map(value).collect::<Option<Vec<Value>>>().map(Value::Array),
        plain => return Some(plain.clone()),
    };
    let (operator, operands) = members.iter().next().filter(|_| members.len() == 1)?;
    let operands = operands.as_array().map_or(std::slice::from_ref(operands), Vec::as_slice);
    match (operator.as_str(), operands) {
        ("and" | "or", []) => None,
        ("and", all) => conjunction(all),
        ("or", all) => settled(all, true),
        ("!", [one]) => Some(Value::Bool(!truthy(&value(one)?))),
        ("!!", [one]) => Some(Value::Bool(truthy(&value(one)?))),
        ("if" | "?:", [condition, then, otherwise]) => match value(condition) {
            Some(known) => value(if truthy(&known) { then } else { otherwise }),
            None => {
                value(then).zip(value(otherwise)).filter(|(then, otherwise)| then == otherwise).map(|(then, _)| then)
            }
        },
        ("==" | "===", [left, right]) => equal(left, right).map(Value::Bool),
        ("!=" | "!==", [left, right]) => equal(left, right).map(|equal| Value::Bool(!equal)),
        ("<" | ">", [left, right]) if left == right => Some(Value::Bool(false)),
        ("<" | ">" | "<=" | ">=", [left, right]) => {
            let (left, right) = (value(left)?.as_f64()?, value(right)?.as_f64()?);
            Some(Value::Bool(match operator.as_str() {
                "<" => left < right,
                ">" => left > right,
                "<=" => left <= right,
                _ => left >= right,
            }))
        }
        ("in", [_, Value::Array(all)]) if all.is_empty() => Some(Value::Bool(false)),
        _ => None,
    }
}

/// `and`: the first that does not hold, else the last; two values for one variable hold never.
fn conjunction(all: &[Value]) -> Option<Value> {
    if contradicts(all) { Some(Value::Bool(false)) } else { settled(all, false) }
}

/// The first operand that settles the matter, whatever the unknown ones are; without one the last, when all are known.
fn settled(all: &[Value], by: bool) -> Option<Value> {
    let values: Vec<Option<Value>> = all.iter().map(value).collect();
    if values.iter().flatten().any(|value| truthy(value) == by) {
        return Some(Value::Bool(by));
    }
    values.into_iter().collect::<Option<Vec<Value>>>()?.pop()
}

/// Whether one variable would have to equal two different values of one type.
fn contradicts(all: &[Value]) -> bool {
    // Of each type the first value that a variable must have.
    let mut wanted: HashMap<(&str, Discriminant<Value>), &Value> = HashMap::new();
    let mut demands = all.iter().filter_map(demand);
    demands.any(|(name, value)| *wanted.entry((name, discriminant(value))).or_insert(value) != value)
}

/// The variable that must equal a plain value.
fn demand(expression: &Value) -> Option<(&str, &Value)> {
    let members = expression.as_object().filter(|members| members.len() == 1)?;
    let sides = members.get("==").or_else(|| members.get("==="))?.as_array()?;
    let [left, right] = sides.as_slice() else { return None };
    let variable = |side: &'_ Value| side.get("var").is_some();
    let (named, plain) = if variable(left) { (left, right) } else { (right, left) };
    let name = named.get("var")?;
    let is_plain = matches!(plain, Value::Bool(_) | Value::Number(_) | Value::String(_));
    Some((name.get(0).unwrap_or(name).as_str()?, plain)).filter(|_| is_plain)
}

fn same_type(left: &Value, right: &Value) -> bool {
    discriminant(left) == discriminant(right)
}

/// Whether both sides are the same, where their types leave no doubt.
fn equal(left: &Value, right: &Value) -> Option<bool> {
    if left == right {
        return Some(true);
    }
    let (left, right) = (value(left)?, value(right)?);
    let plain = |value: &Value| !matches!(value, Value::Array(_) | Value::Object(_));
    if !same_type(&left, &right) || !plain(&left) {
        return None;
    }
    Some(match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left.total_cmp(&right).is_eq(),
        _ => left == right,
    })
}

/// As JSON-Logic has it: an empty list is false, the text `0` is true.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() > 0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_without_running() {
        let x = || json!({"var": "x"});
        let cases = [
            (json!(false), Some(false)),
            (json!(null), Some(false)),
            (json!([]), Some(false)),
            (json!("0"), Some(true)),
            (json!({"==": [1, 2]}), Some(false)),
            (json!({"==": [1, 1.0]}), Some(true)),
            (json!({"===": ["a", "a"]}), Some(true)),
            (json!({"==": [1, "1"]}), None),
            (json!({"!=": [x(), x()]}), Some(false)),
            (json!({"<": [x(), x()]}), Some(false)),
            (json!({"<=": [x(), x()]}), None),
            (json!({">": [3, 5]}), Some(false)),
            (json!({"!": [true]}), Some(false)),
            (json!({"!": true}), Some(false)),
            (json!({"!!": [[]]}), Some(false)),
            (json!({"and": [x(), false]}), Some(false)),
            (json!({"and": [x(), true]}), None),
            (json!({"and": [true, {"or": [false, 0, ""]}]}), Some(false)),
            (json!({"or": [x(), 1]}), Some(true)),
            (json!({"or": [x(), 0]}), None),
            (json!({"if": [false, x(), false]}), Some(false)),
            (json!({"if": [x(), false, false]}), Some(false)),
            (json!({"if": [x(), true, false]}), None),
            (json!({"in": [x(), []]}), Some(false)),
            (json!({"and": [{"==": [x(), "a"]}, {"==": ["b", x()]}]}), Some(false)),
            (json!({"and": [{"==": [x(), "a"]}, {"==": [x(), "a"]}]}), None),
            (json!({"and": [{"==": [x(), "1"]}, {"==": [x(), 1]}]}), None),
            (json!({"and": [{"==": [x(), "a"]}, {"==": [{"var": "y"}, "b"]}]}), None),
            (json!({"and": []}), None),
            (json!({}), None),
            (x(), None),
            (json!({"unheard-of": [1]}), None),
            (json!({"==": [1, 1], "!=": [1, 1]}), None),
        ];
        for (condition, want) in cases {
            assert_eq!(known(&condition), want, "{condition}");
        }
    }
}
