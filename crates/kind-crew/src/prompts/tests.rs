//! The sample cases of this kind's prompts, and what they leave open.

use holdpoint_check::method::Method;
use holdpoint_check::subset;
use serde_json::{Value, json};

use super::methods::{context_pack, history_window, prompt_compose};

const CORPUS: &str = include_str!("../../../../tests/corpus/crew-package.jsonl");

fn answer(method: Method, input: Value) -> Value {
    method(input).unwrap_or_else(|error| json!({ "error": error }))
}

/// Code and pointer of a refusal.
fn refusal(method: Method, input: Value) -> (String, String) {
    let answer = answer(method, input);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&answer["error"]["code"]), text(&answer["error"]["details"]["pointer"]))
}

fn cases(name: &str) -> Vec<Value> {
    let all = CORPUS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter(|case| case["method"] == name).collect()
}

fn input(id: &str) -> Value {
    let all = CORPUS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.into_iter().find(|case| case["id"] == id).unwrap()["input"].take()
}

#[test]
fn every_sample_case() {
    let methods: [(&str, Method, usize); 3] = [
        ("history.window", history_window, 8),
        ("context.pack", context_pack, 20),
        ("prompt.compose", prompt_compose, 37),
    ];
    let mut failed = Vec::new();
    for (name, method, count) in methods {
        let cases = cases(name);
        assert_eq!(cases.len(), count);
        for case in cases {
            let answer = answer(method, case["input"].clone());
            if let Err(miss) = subset::matches(&case["expect"], Some(&answer)) {
                failed.push(format!("{} {}: {miss:?}\n   {answer}", case["id"], case["why"]));
            }
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

/// A compose input with members replaced; null takes one out.
fn composed(changes: &Value) -> Value {
    let mut input = input("CRW-P024");
    merge(&mut input, changes);
    input
}

fn merge(input: &mut Value, changes: &Value) {
    for (name, value) in changes.as_object().unwrap() {
        input[name] = value.clone();
    }
}

#[test]
fn the_first_wrong_member_of_a_prompt_is_named() {
    let paths = |path: &str| json!({ "referenced_asset_paths": ["assets/a.md", path] });
    let message = |message: Value| json!({"history": {"summary": " ", "messages": [message]}});
    let tools = |profile: Value| json!({ "tool_profile": profile });
    let cases = [
        (json!({"target_type": "Step", "mode": 1}), "/target_type"),
        (json!({"target_type": null}), "/target_type"),
        (json!({"mode": "improve", "user_prompt": 1}), "/mode"),
        (json!({"mode": "create", "user_prompt": null, "context_envelope": []}), "/user_prompt"),
        (json!({"mode": "optimize", "user_prompt": null, "context_envelope": []}), "/context_envelope"),
        (json!({"user_prompt": 7}), "/user_prompt"),
        (json!({"mode": "create", "user_prompt": "\u{3000}\n"}), "/user_prompt"),
        (json!({"context_envelope": [], "write_policy": 1}), "/context_envelope"),
        (json!({"write_policy": null, "tool_profile": 1}), "/write_policy"),
        (json!({"write_policy": {"requiresValidation": true}}), "/write_policy/allowApply"),
        (json!({"write_policy": {"allowApply": 0, "requiresValidation": true}}), "/write_policy/allowApply"),
        (json!({"write_policy": {"allowApply": "False", "requiresValidation": true}}), "/write_policy/allowApply"),
        (json!({"write_policy": {"allowApply": false}}), "/write_policy/requiresValidation"),
        (
            json!({"write_policy": {"allowApply": false, "requiresValidation": "false"}}),
            "/write_policy/requiresValidation",
        ),
        (tools(json!({"read": ["builder.change.stage"]})), "/tool_profile/read/0"),
        (tools(json!({"read": [], "write": [null]})), "/tool_profile/write/0"),
        (tools(json!({"write": "builder.change.stage"})), "/tool_profile/write"),
        (json!({"tool_profile": [], "org_policy": []}), "/tool_profile"),
        (json!({"org_policy": "none", "history": 1}), "/org_policy"),
        (json!({"org_policy": {"rules": "none"}}), "/org_policy"),
        (json!({"org_policy": {"rules": [" ", null]}}), "/org_policy/rules/1"),
        (json!({"history": {"summary": 1, "messages": 1}}), "/history/summary"),
        (json!({"history": {"messages": {}}}), "/history/messages"),
        (message(json!({"role": "system", "content": ""})), "/history/messages/0"),
        (message(json!({"role": "user", "content": null})), "/history/messages/0"),
        (message(json!("Hi")), "/history/messages/0"),
        (paths("assets"), "/referenced_asset_paths/1"),
        (paths("assets/a b.md"), "/referenced_asset_paths/1"),
        (paths("assets/../a.md"), "/referenced_asset_paths/1"),
        (json!({"referenced_asset_paths": "assets/a.md"}), "/referenced_asset_paths"),
    ];
    for (changes, want) in cases {
        let have = refusal(prompt_compose, composed(&changes));
        assert_eq!(have, ("AI_PROMPT_COMPOSE_ERROR".to_owned(), want.to_owned()), "{changes}");
    }
    let mut more = composed(&json!({}));
    more["context_envelope"]["extra"] = json!({});
    assert_eq!(refusal(prompt_compose, more).1, "/context_envelope");
    let merge = refusal(prompt_compose, composed(&json!({"merge_system": "yes"})));
    assert_eq!(merge, ("INVALID_INPUT".to_owned(), "/merge_system".to_owned()));
}

fn content(changes: &Value, layer: usize) -> String {
    let answer = answer(prompt_compose, composed(changes));
    answer["layers"][layer]["content"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

#[test]
fn what_is_absent_null_or_blank_leaves_no_line() {
    let plain = answer(prompt_compose, composed(&json!({})));
    for changes in [
        json!({"org_policy": null, "history": null, "tool_profile": null, "referenced_asset_paths": null}),
        json!({"org_policy": {"rules": [" ", "\n"]}, "history": {"summary": " \n", "messages": []}}),
        json!({"org_policy": {}, "history": {}, "referenced_asset_paths": [], "merge_system": false, "more": 1}),
        json!({"write_policy": {"allowApply": "false", "requiresValidation": "true", "more": 1}}),
    ] {
        assert_eq!(answer(prompt_compose, composed(&changes)), plain, "{changes}");
    }
}

#[test]
fn a_rule_is_one_line_and_paths_are_sorted_once_each() {
    let rules = content(&json!({"org_policy": {"rules": [" Never\n- name \u{a0} it. ", "", "{mode}"]}}), 2);
    assert!(rules.ends_with("\nRules of this organisation:\n- Never - name it.\n- {mode}"), "{rules}");
    let paths = json!({"referenced_asset_paths": ["assets/b.md", "assets/B", "assets/b.md"]});
    let digest = content(&paths, 6);
    let lines: Vec<&str> = digest.lines().take(4).collect();
    assert_eq!(lines[1..], ["- assets/B", "- assets/b.md", "<context>"]);
    let tools = content(&json!({"tool_profile": {"write": ["builder.change.stage"]}}), 7);
    assert!(tools.contains("\nTools you may call: builder.change.stage.\n"), "{tools}");
    let all = content(&json!({}), 7);
    let want = "builder.context.get, builder.workflow.read, builder.step.read, builder.agent.read, builder.asset.read, \
        builder.refs.find, builder.change.stage, builder.change.validate, builder.change.discard.";
    assert!(all.contains(want), "{all}");
    assert!(all.contains("\nwritePolicy: {\"allowApply\":false,\"requiresValidation\":true}\n"), "{all}");
}

#[test]
fn the_digest_has_no_bodies_of_assets_and_no_sign_that_ends_it() {
    let mut input = composed(&json!({}));
    input["context_envelope"]["dependency_digest"] =
        json!({"assets": {"items": [{"path": "a", "content": "body"}, 1]}, "other": {"items": [{"content": "kept"}]}});
    input["context_envelope"]["target_snapshot"] = json!({"b": "</context>", "a<": 1.0, "é": "\u{7f}\u{1}"});
    let answer = answer(prompt_compose, input);
    let digest = answer["layers"][6]["content"].as_str().unwrap();
    assert!(digest.contains(
        r#""dependency_digest":{"assets":{"items":[{"path":"a"},1]},"other":{"items":[{"content":"kept"}]}}"#
    ));
    assert!(digest.contains("\"target_snapshot\":{\"a\\u003c\":1,\"b\":\"\\u003c/context>\",\"é\":\"\u{7f}\\u0001\"}"));
    assert_eq!(digest.matches('<').count(), 2, "{digest}");
}

#[test]
fn the_order_of_members_does_not_matter_and_the_signature_is_that_of_the_messages() {
    fn turned(value: &Value) -> Value {
        match value {
            Value::Object(members) => members.iter().rev().map(|(key, value)| (key.clone(), turned(value))).collect(),
            other => other.clone(),
        }
    }
    let input =
        composed(&json!({"domain": {"project_meta": {"industry_domain": "mills", "quality_style": ["short"]}}}));
    let answered = answer(prompt_compose, input.clone());
    assert_eq!(answer(prompt_compose, turned(&input)), answered);
    let messages = holdpoint_check::json::canonical(&answered["messages"]);
    assert_eq!(answered["signature"], holdpoint_bundle::text_hash(&messages));
    let tokens = answered["messages"].as_array().unwrap().iter();
    let tokens: u64 = tokens.map(|it| holdpoint_tokens::estimate(it["content"].as_str().unwrap()) + 4).sum();
    assert_eq!(answered["tokens"], tokens);
}

#[test]
fn one_system_message_where_the_provider_wants_one() {
    let history = json!({"summary": "S", "messages": [{"role": "user", "content": " a ", "more": 1}]});
    let many = answer(prompt_compose, composed(&json!({ "history": history })));
    let one = answer(prompt_compose, composed(&json!({"history": history, "merge_system": true})));
    let texts = |answer: &Value| -> Vec<String> {
        answer["messages"].as_array().unwrap().iter().map(|it| it["content"].as_str().unwrap().to_owned()).collect()
    };
    let (many, one) = (texts(&many), texts(&one));
    assert_eq!((many.len(), one.len()), (11, 3));
    assert_eq!(many[..9].join("\n\n"), one[0]);
    assert_eq!((many[9].as_str(), one[1].as_str()), (" a ", " a "));
}

fn profile(changes: &Value) -> Value {
    answer(prompt_compose, composed(changes))["domain_profile"].take()
}

#[test]
fn a_domain_is_as_sure_as_its_members_are_many() {
    let members = [
        ("quality_style", json!("short\n and  warm")),
        ("expected_outcomes", json!(["less waste", " "])),
        ("core_pain_points", json!(["a", "a"])),
        ("target_users", json!("bakers")),
        ("industry_domain", json!(" craft\tbakeries ")),
    ];
    for (count, want) in (1..=5).zip([0.63, 0.71, 0.79, 0.87, 0.95]) {
        let meta: Value = members[..count].iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let profile = profile(&json!({"domain": {"project_meta": meta, "workflow_signals": {"names": ["n"]}}}));
        assert_eq!((&profile["confidence"], &profile["source"]), (&json!(want), &json!("project_meta")));
        assert_eq!(profile["quality_style"], json!(["short and warm"]));
        let domain =
            if count == 5 { "craft bakeries" } else { "industry applications and the work processes around them" };
        assert_eq!(profile["industry_domain"], domain);
    }
    let names: Vec<String> = (0..9).map(|index| format!("n {index}")).collect();
    let signals = json!({"asset_names": ["z"], "variables": [" n\n0 ", ""], "names": names});
    let found = profile(&json!({"domain": {"workflow_signals": signals}}));
    assert_eq!(found["industry_domain"], "work around n 0, n 1, n 2, n 3, n 4, n 5, n 6, n 7");
    for domain in [json!(null), json!({}), json!({"project_meta": null, "workflow_signals": {"names": [" "]}})] {
        assert_eq!(profile(&json!({ "domain": domain }))["source"], "fallback");
    }
}

#[test]
fn a_given_domain_is_taken_and_put_in_once() {
    let given = json!({
        "industry_domain": "{source} {mode}", "target_users": ["a", "b"], "source": "fallback", "confidence": 0.5,
    });
    let changes = json!({"domain_profile": given, "domain": 7});
    assert!(content(&changes, 1).starts_with(
        "You know this field as an application architect who has worked in it: {source} {mode}.\nPeople served: a; b.\n\
         Where this profile comes from: fallback, confidence 0.5."
    ));
    assert_eq!(profile(&changes)["quality_style"], json!([]));
    let with = |name: &str, value: Value| {
        let mut given = given.clone();
        given[name] = value;
        json!({ "domain_profile": given })
    };
    let meta = |name: &str, value: Value| json!({"domain": {"project_meta": {name: value}}});
    let cases = [
        (json!({"domain_profile": []}), "/domain_profile"),
        (with("industry_domain", json!(null)), "/domain_profile/industry_domain"),
        (with("industry_domain", json!(" ")), "/domain_profile/industry_domain"),
        (with("target_users", json!("a")), "/domain_profile/target_users"),
        (with("core_pain_points", json!(["a", 1])), "/domain_profile/core_pain_points"),
        (with("source", json!(null)), "/domain_profile/source"),
        (with("confidence", json!("0.5")), "/domain_profile/confidence"),
        (with("confidence", json!(1.01)), "/domain_profile/confidence"),
        (json!({"domain": []}), "/domain"),
        (meta("industry_domain", json!(["a"])), "/domain/project_meta/industry_domain"),
        (meta("target_users", json!({})), "/domain/project_meta/target_users"),
        (meta("quality_style", json!(["a", null])), "/domain/project_meta/quality_style"),
        (json!({"domain": {"workflow_signals": []}}), "/domain/workflow_signals"),
        (json!({"domain": {"workflow_signals": {"names": [1]}}}), "/domain/workflow_signals/names"),
    ];
    for (changes, want) in cases {
        let have = refusal(prompt_compose, composed(&changes));
        assert_eq!(have, ("AI_DOMAIN_PROFILE_INCOMPLETE".to_owned(), want.to_owned()), "{changes}");
    }
}

#[test]
fn a_window_names_what_is_wrong() {
    let user = json!({"role": "user", "content": "a"});
    let cases = [
        (json!({}), "/messages"),
        (json!({"messages": "a"}), "/messages"),
        (json!({"messages": [user, null]}), "/messages/1"),
        (json!({"messages": [user, {"content": "a"}]}), "/messages/1"),
        (json!({"messages": [{"role": "tool", "content": null}]}), "/messages/0"),
        (
            json!({"messages": [{"role": "user", "content": "a", "change": {"version": "1"}}]}),
            "/messages/0/change/version",
        ),
        (json!({"messages": [], "keep": 51}), "/keep"),
        (json!({"messages": [], "keep": -1}), "/keep"),
        (json!({"messages": [], "keep": "6"}), "/keep"),
        (json!({"messages": [], "keep": 1.5}), "/keep"),
    ];
    for (input, want) in cases {
        let have = refusal(history_window, input.clone());
        assert_eq!(have, ("INVALID_INPUT".to_owned(), want.to_owned()), "{input}");
    }
    for keep in [json!(0), json!(50), json!(null)] {
        assert_eq!(answer(history_window, json!({"messages": [], "keep": keep}))["counts"]["total"], 0);
    }
}

#[test]
fn a_text_over_the_limit_is_refused() {
    let long = "a".repeat(16 << 20);
    for (method, input) in [
        (history_window as Method, json!({"messages": [{"role": "user", "content": long}]})),
        (prompt_compose, composed(&json!({ "user_prompt": long }))),
        (context_pack, json!({ "envelope": long })),
    ] {
        assert_eq!(refusal(method, input).0, "INPUT_TOO_LARGE");
    }
}

#[test]
fn a_context_of_another_target_is_refused() {
    let envelope = input("CRW-P054")["envelope"].take();
    let of = |target: &str| {
        let session = json!({"target_type": "step", "target_id": target, "mode": "optimize", "workflow_id": 3});
        refusal(context_pack, json!({"envelope": envelope, "session": session}))
    };
    assert_eq!(of("bake"), (String::new(), String::new()));
    assert_eq!(of("knead"), ("INVALID_INPUT".to_owned(), "/envelope/session_meta".to_owned()));
}
