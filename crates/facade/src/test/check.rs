//! Whether the reference tells the truth.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Entry, SHELL, call, entries, members_read};

/// Codes that every method may answer; they stand once at the head of the reference.
pub(super) const COMMON: &[(&str, &str)] = &[
    ("UNKNOWN_METHOD", "no method has that name"),
    ("INVALID_JSON", "the input is no JSON; only where it comes as text"),
    ("INVALID_INPUT", "a member is missing or has another type; `details.pointer` says which"),
    ("INPUT_TOO_LARGE", "over a limit of the method"),
];

fn input(entry: &Entry) -> Value {
    serde_json::from_str(entry.example).unwrap_or_else(|error| panic!("the example of {}: {error}", entry.method))
}

fn code(answer: &Value) -> Option<&str> {
    answer["error"]["code"].as_str()
}

/// A value that no member of this type takes; none where every value is taken.
fn wrong(entry: &Entry, kind: &str) -> Option<Value> {
    let begins = |word: &str| kind.starts_with(word);
    if begins("any JSON") {
        None
    } else if begins("text") || begins("list") || begins("object") || begins("yes or no") {
        Some(json!(17))
    } else if begins("number") || begins("one of") {
        Some(json!("no such value"))
    } else {
        panic!("{} has a member of the unknown type `{kind}`", entry.method)
    }
}

#[test]
fn every_method_has_an_entry_and_every_entry_a_method() {
    let methods: Vec<&str> = SHELL.names();
    let described = || super::described();
    for method in &methods {
        let found = described().any(|entry| entry.method == *method);
        assert!(found, "`{method}` has no entry: add one to the reference.rs beside it");
    }
    let mut titles = BTreeSet::new();
    for entry in described() {
        assert!(methods.contains(&entry.method), "`{}` is no method", entry.method);
        assert!(titles.insert(entry.title()), "`{}` has two entries", entry.title());
    }
}

#[test]
fn members_are_those_that_are_read() {
    for entry in entries() {
        let names = |members: &[super::Member]| -> BTreeSet<String> {
            members.iter().map(|member| member.0.trim_end_matches('?').to_owned()).collect()
        };
        let read = members_read(|| drop(call(entry.method, input(entry))));
        if read.is_empty() || entry.input.is_empty() {
            continue;
        }
        let mut documented = names(entry.input);
        // `kind` picks the method's twin before its input is read.
        if !read.contains(&"kind") {
            documented.remove("kind");
        }
        let read: BTreeSet<String> = read.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(documented, read, "{}", entry.method);
    }
}

#[test]
fn examples_are_answered_with_the_members_that_are_described() {
    for entry in entries() {
        let (method, input) = (entry.method, input(entry));
        let answer = call(method, input.clone());
        assert_eq!(code(&answer), None, "{method}: {answer}");
        if !entry.input.is_empty() {
            for name in input.as_object().into_iter().flat_map(Map::keys) {
                assert!(entry.member(name).is_some(), "{method} has no member `{name}`");
            }
        }
        match (entry.output, answer) {
            ([("", ..)], answer) => assert!(!answer.is_object(), "{method}: {answer}"),
            (output, Value::Object(answer)) => {
                for name in answer.keys() {
                    let known = output.iter().any(|member| member.0.trim_end_matches('?') == name);
                    assert!(known, "{method} answers `{name}`, which is not described");
                }
                for (name, ..) in output {
                    assert!(name.ends_with('?') || answer.contains_key(*name), "{method} answers no `{name}`");
                }
            }
            (_, answer) => panic!("{method} answers {answer}: describe it as one member without a name"),
        }
    }
}

#[test]
fn members_have_the_types_that_are_described() {
    for entry in entries() {
        let (method, input) = (entry.method, input(entry));
        for (name, kind, _) in entry.input {
            let name = name.trim_end_matches('?');
            let Some(value) = wrong(entry, kind) else { continue };
            let mut input = input.clone();
            input[name] = value;
            let answer = call(method, input);
            // A refusal of its own may stand for the shape too, where the method describes it.
            let described = |code: &str| entry.refuses.iter().any(|(_, refusal)| *refusal == code);
            let refused = code(&answer).is_some_and(|code| code == "INVALID_INPUT" || described(code));
            assert!(refused, "{method} takes another type for `{name}`: {answer}");
            let pointer = answer["error"]["details"]["pointer"].as_str().unwrap_or_default();
            assert!(pointer.starts_with(&format!("/{name}")), "{method}: `{name}` is refused at `{pointer}`");
        }
    }
}

#[test]
fn required_members_cannot_be_left_out() {
    for entry in entries() {
        let (method, input) = (entry.method, input(entry));
        for (name, ..) in entry.input.iter().filter(|member| !member.0.ends_with('?')) {
            let mut input = input.clone();
            assert!(input.as_object_mut().unwrap().shift_remove(*name).is_some(), "{method}: the example has `{name}`");
            let answer = call(method, input);
            assert!(code(&answer).is_some(), "{method} does without `{name}`: write `{name}?`");
        }
    }
}

#[test]
fn refusals_are_provoked() {
    for entry in entries() {
        for (input, want) in entry.refuses {
            let input = serde_json::from_str(input).unwrap_or_else(|error| panic!("{}: {error}", entry.method));
            let answer = call(entry.method, input);
            assert_eq!(code(&answer), Some(*want), "{}: {answer}", entry.method);
        }
    }
}
