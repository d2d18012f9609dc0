//! Change sets as models get them wrong: a value of a good one is another one, and every promise still holds.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::tests::{call, cases, errors, files, staged};

/// The places of all values inside.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let mut inside = |token: &str, value: &Value| {
        let pointer = holdpoint_check::json::join(at, token);
        found.push(pointer.clone());
        pointers(value, &pointer, found);
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| inside(&at.to_string(), item)),
        Value::Object(members) => members.iter().for_each(|(name, member)| inside(name, member)),
        _ => {}
    }
}

fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(0),
        json!(3),
        json!(1.5),
        json!(true),
        json!(""),
        json!(" "),
        json!("bake"),
        json!("thaw"),
        json!("next"),
        json!("steps/bake.md"),
        json!("./steps/new.md"),
        json!("assets/rules/allergens.md"),
        json!("---\nnodeId: bake\n---\n"),
        json!("delete"),
        json!("decision"),
        json!([]),
        json!(["bake"]),
        json!({}),
        json!({"id": "bake", "position": {"x": 1}, "data": {"goal": "g", "instructions": "i", "agentId": "baker"}}),
        json!({"from": "sort", "to": "bake"}),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_promise_holds(seeds in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..3), case: prop::sample::Index) {
        let cases = cases();
        let mut input = case.get(&cases)["input"].clone();
        for (place, value) in seeds {
            let mut places = Vec::new();
            pointers(&input["change_set"], "", &mut places);
            if !places.is_empty() {
                let place = place.get(&places).clone();
                *input["change_set"].pointer_mut(&place).unwrap() = value.get(&replacements()).clone();
            }
        }
        let answer = call(&input);
        prop_assert_eq!(call(&input).to_string(), answer.to_string());
        if answer["valid"] == true {
            let mut again = input.clone();
            again["change_set"] = answer["normalized"].clone();
            let second = call(&again);
            prop_assert_eq!(&second["errors"], &json!([]), "{}", input["change_set"]);
            prop_assert_eq!(second["normalized"].to_string(), answer["normalized"].to_string());
            let before = files(&input["snapshot"]);
            let after = staged(&before, &input, &input["change_set"], false).after.unwrap();
            let new: Vec<String> = errors(&after).difference(&errors(&before)).cloned().collect();
            prop_assert_eq!(new, Vec::<String>::new(), "{}", input["change_set"]);
        }
    }
}
