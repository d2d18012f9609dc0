//! Members that a page shows, brought to the types that it counts on; the others stay as the file has them, each in its
//! place.

use serde_json::{Map, Value};

pub type Members = Map<String, Value>;

/// Makes members texts; what is none is empty.
pub fn worded(members: &mut Members, names: &[&str]) {
    for name in names {
        if !members.get(*name).is_some_and(Value::is_string) {
            members.insert((*name).to_owned(), Value::from(""));
        }
    }
}

/// Makes a member an object and changes it.
pub fn within(members: &mut Members, name: &str, change: impl FnOnce(&mut Members)) {
    let slot = members.entry(name).or_insert(Value::Null);
    if !slot.is_object() {
        *slot = Value::Object(Map::new());
    }
    if let Some(inner) = slot.as_object_mut() {
        change(inner);
    }
}

/// Takes members away that are not of their type.
pub fn kept(members: &mut Members, names: &[&str], is: fn(&Value) -> bool) {
    for name in names {
        if members.get(*name).is_some_and(|value| !is(value)) {
            members.shift_remove(*name);
        }
    }
}

/// Whether a value is a list of texts.
pub fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(Value::is_string))
}

/// What can be read of a list, and where each item stood; no places where all are there.
pub fn readable(list: Vec<Value>, read: fn(&mut Members) -> bool) -> (Vec<Value>, Option<Vec<usize>>) {
    let length = list.len();
    let (mut all, mut places) = (Vec::with_capacity(length), Vec::with_capacity(length));
    for (at, mut item) in list.into_iter().enumerate() {
        if item.as_object_mut().is_some_and(read) {
            all.push(item);
            places.push(at);
        }
    }
    let places = (places.len() < length).then_some(places);
    (all, places)
}

/// Takes a list out of an object; another value is no list.
pub fn list(members: &mut Members, name: &str) -> Option<Vec<Value>> {
    match members.get_mut(name).map(Value::take) {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    }
}
