//! Laws of prompts (spec: authoring.md §4).

use holdpoint_check::Diagnostic;
use proptest::prelude::*;

use holdpoint_bundle::Files;

use super::*;
use crate::judged::judge;

fn request(purpose: Purpose, words: &str) -> Request {
    serde_json::from_value(json!({"purpose": purpose, "request": words})).unwrap()
}

#[test]
fn the_static_part_is_one() {
    let plan = compose(&request(Purpose::Plan, "a")).unwrap();
    let static_tokens: u64 = plan.sections.iter().filter(|it| it.cache == "static").map(|it| it.tokens).sum();
    let each: Vec<_> = plan.sections.iter().map(|it| (it.id.as_str(), it.tokens)).collect();
    assert!((12_000..=20_000).contains(&static_tokens), "{static_tokens}: {each:?}");
    let limits = [
        ("role", 400),
        ("sdk", 7_000),
        ("manifest", 2_500),
        ("widgets", 2_200),
        ("capabilities", 1_200),
        ("fixtures", 800),
        ("tests", 1_500),
        ("contract", 900),
        ("format", 800),
        ("example", 2_500),
    ];
    for ((id, most), (section, tokens)) in limits.iter().zip(&each) {
        assert_eq!(id, section);
        assert!(tokens <= most, "{id}: {tokens} of {most}");
    }
    for purpose in [Purpose::Generate, Purpose::Repair, Purpose::Continue, Purpose::Fork, Purpose::Drift] {
        let other = compose(&Request { overlay: Some("short".into()), ..request(purpose, "b") }).unwrap();
        assert_eq!((other.prefix_hash, &other.messages[0]), (plan.prefix_hash.clone(), &plan.messages[0]));
    }
}

#[test]
fn the_example_passes_its_check() {
    let files: Files = EXAMPLE.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let found: Vec<Diagnostic> = judge(&files).diagnostics;
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn what_other_languages_are_said_from_enters_no_prompt() {
    let finding = judge(&Files::new()).diagnostics.remove(0);
    let mut told = json!(finding);
    told["args"] = json!({"case": "A", "name": "only for pages"});
    let asked =
        |findings: Value| compose(&Request { diagnostics: Some(findings), ..request(Purpose::Repair, "mend it") });
    let plain = asked(json!([finding])).unwrap().messages;
    for findings in [json!([told]), json!({ "diagnostics": [told] })] {
        let prompt = asked(findings).unwrap().messages;
        assert!(!json!(prompt).to_string().contains("only for pages"));
    }
    assert_eq!(asked(json!([told])).unwrap().messages, plain);
}

#[test]
fn cuts_in_order() {
    let types: serde_json::Map<_, _> = (0..60).map(|n| (format!("IfcSomething{n}"), json!(n))).collect();
    let model = json!({"schema": "IFC4", "types": types, "storeys": ["x".repeat(9_000)], "selection": []});
    let files: Files = (0..40).map(|n| (format!("src/{n}.js"), "export const a = 1;\n".repeat(9))).collect();
    let base = Request { model_context: Some(model), files, ..request(Purpose::Repair, "mend it") };
    let whole = compose(&base).unwrap();
    let mut last = 0;
    for budget in (0..whole.tokens).rev().step_by(50) {
        match compose(&Request { budget: Some(budget), ..base.clone() }) {
            Ok(prompt) => {
                assert!(prompt.tokens <= budget && prompt.dropped.len() >= last);
                last = prompt.dropped.len();
            }
            Err(too_large) => {
                assert!(too_large.tokens > too_large.limit && last == 4);
                return;
            }
        }
    }
}

proptest! {
    #[test]
    fn sections_keep_their_limits(words in "\\PC{0,9000}", overlay in "\\PC{0,3000}") {
        let prompt = compose(&Request { overlay: Some(overlay), ..request(Purpose::Plan, &words) }).unwrap();
        for section in prompt.sections.iter().filter(|section| section.cache != "static") {
            prop_assert!(section.tokens <= 2_000, "{}: {}", section.id, section.tokens);
        }
    }
}

#[test]
fn a_request_stays_in_its_language() {
    let task = |words: &str| {
        let prompt = compose(&request(Purpose::Generate, words)).unwrap();
        let section = prompt.sections.into_iter().find(|it| it.id == "request").unwrap().text;
        assert!(section.contains(words), "the words are the person's own");
        section.lines().next().unwrap().to_owned()
    };
    assert!(task("füge ein Panel mit allen Türen hinzu").ends_with("in German."));
    assert!(task("添加一个显示门的面板").ends_with("in Chinese."));
    assert!(task("lägg till en panel med alla dörrar").ends_with("in Swedish."));
    assert_eq!(task("add a panel with all doors"), super::task(Purpose::Generate));
    assert_eq!(task("IfcDoor"), super::task(Purpose::Generate));
}

/// What a person took out of a plan is said in words and stands in the plan, also in one that is cut.
#[test]
fn what_a_person_decided_about_the_plan_is_told() {
    let plan = |more: usize| {
        let rows: Vec<Value> = (0..more).map(|n| json!({"name": format!("test {n} {}", "x".repeat(90))})).collect();
        json!({
            "summary": "Doors", "contributions": [{"kind": "dock", "id": "a", "label": "Mine", "labelPinned": true}],
            "tests": rows, "declined": [{"kind": "command", "id": "doors.list"}, {"kind": "test", "id": "lists"}],
        })
    };
    let section = |purpose, plan: Value| {
        let prompt = compose(&Request { plan: Some(plan), ..request(purpose, "a") }).unwrap();
        prompt.sections.into_iter().find(|section| section.id == "plan").unwrap()
    };
    for purpose in [Purpose::Generate, Purpose::Repair, Purpose::Continue] {
        let told = section(purpose, plan(0)).text;
        assert!(told.contains("A person took out what stands in `declined`: write none of it"), "{told}");
        assert!(told.contains("`labelPinned`"), "{told}");
    }
    assert!(section(Purpose::Plan, plan(0)).text.contains("plan none of it again"));
    let long = section(Purpose::Generate, plan(300));
    assert!(long.text.contains("doors.list") && long.text.contains("lists"), "it is not what is cut");
    assert!(long.tokens <= 2_000, "{}", long.tokens);
    let plain = section(Purpose::Generate, json!({"summary": "Doors", "contributions": []})).text;
    assert!(plain.starts_with("The approved plan:\n"), "{plain}");
}
