//! What counts as said, and what as done.

use proptest::prelude::*;
use serde_json::json;

use super::{ChangedObject, ClaimName, claims, names};
use crate::dialect::view::{StepObject, View, WorkflowObject};

fn view() -> View {
    let mut view = View::default();
    let nodes = json!({"nodes": [{"id": "assess-damage", "title": "Assess damage"}, {"id": "qa", "title": "Review"}]});
    view.workflows.insert(1, WorkflowObject { document: None, graph: nodes });
    for (node, title) in [("assess-damage", "Assess damage"), ("qa", "Review"), ("settle", "理赔审核")] {
        let text = format!("---\nschemaVersion: \"1.1\"\nnodeId: {node}\ntype: step\ntitle: {title}\n---\n");
        let path = format!("workflows/1/steps/{node}.md");
        view.steps.insert((1, node.to_owned()), StepObject { path, text });
    }
    let agent = json!({"id": "clerk", "metadata": {"name": "Intake clerk", "title": "Clerk", "icon": "*"}});
    view.agents.push(agent.as_object().unwrap().clone());
    view.assets.insert("assets/guides/assess-damage.md".to_owned(), String::new());
    view
}

fn all() -> Vec<ClaimName> {
    names(&[&view()], &[(1, "Motor claim")])
}

/// Code and name of each warning.
fn found(summary: &str, changed: &[&str], language: &str) -> Vec<String> {
    let file = |object: &str| match object.split_once(':') {
        Some(("step", node)) => format!("workflows/1/steps/{node}.md"),
        Some(("workflow", id)) => format!("workflows/{id}/workflow.md"),
        _ => object.to_owned(),
    };
    let changed: Vec<ChangedObject> =
        changed.iter().map(|object| ChangedObject { object: (*object).to_owned(), file: file(object) }).collect();
    let one = |it: &holdpoint_check::Diagnostic| {
        assert!(!it.is_error());
        let short = if it.code == "SUMMARY_OMITS_CHANGE" { "omits" } else { "claims" };
        format!("{short} {}", it.args.get("name").or(it.args.get("object")).unwrap().as_str().unwrap())
    };
    claims(summary, &all(), &changed, language).iter().map(one).collect()
}

#[test]
fn what_is_said_is_compared_with_what_is_done() {
    let step = ["step:assess-damage"];
    let cases: [(&str, &[&str], &[&str]); 20] = [
        ("I rewrote `assess-damage`.", &step, &[]),
        ("I rewrote Assess Damage.", &step, &[]),
        ("Updated workflows/1/steps/assess-damage.md.", &step, &[]),
        ("Changed: step:assess-damage", &step, &[]),
        ("Done.", &step, &["omits step:assess-damage"]),
        ("", &step, &["omits step:assess-damage"]),
        ("I updated assess-damage and Intake clerk.", &step, &["claims Intake clerk"]),
        ("I updated assess-damage. Intake clerk checks it.", &step, &[]),
        ("I updated assess-damage; the clerk is as it was.", &step, &[]),
        ("I updated assess-damages.", &step, &["omits step:assess-damage"]),
        ("I updated re-assess-damage-now.", &step, &["omits step:assess-damage"]),
        ("I updated assets/guides/assess-damage.md.", &["asset:assets/guides/assess-damage.md"], &[]),
        ("I improved the workflow Motor claim.", &step, &["omits step:assess-damage"]),
        ("I improved Motor claim: Assess damage now names the excess.", &step, &[]),
        ("I improved Motor claim.", &[], &["claims Motor claim"]),
        ("I changed the qa of assess-damage.", &step, &[]),
        ("I changed `qa` and assess-damage.", &step, &["claims qa"]),
        ("I changed assess-damage. I did not change clerk.", &step, &[]),
        ("I changed assess-damage. Shall I change clerk too?", &step, &[]),
        ("I changed assess-damage. You could update Intake clerk.", &step, &[]),
    ];
    for (summary, changed, want) in cases {
        assert_eq!(found(summary, changed, "en"), want, "{summary}");
    }
}

#[test]
fn a_line_before_a_list_speaks_for_its_items() {
    let summary =
        "I changed two things:\n- assess-damage: names the excess\n- clerk: new role\n\nThe settle step stays.";
    assert_eq!(found(summary, &["step:assess-damage", "agent:clerk"], "en"), Vec::<String>::new());
    assert_eq!(found(summary, &["step:assess-damage"], "en"), ["claims clerk"]);
    assert_eq!(found("Names:\n- clerk", &[], "en"), Vec::<String>::new());
}

#[test]
fn a_change_is_told_in_many_ways() {
    let told = [
        ("sv", "`clerk` ändrades."),
        ("sv", "Jag ska lägga till `clerk`."),
        ("sv", "`clerk` skrivs om och kompletteras."),
        ("sv", "Jag slår ihop `clerk` med en annan."),
        ("sv", "`clerk` är borttagna."),
        ("zh", "建议把`clerk`改为两名。"),
        ("zh", "已删掉`clerk`。"),
        ("zh", "给`clerk`补上一条原则。"),
        ("zh", "`clerk`的说明换成了新的。"),
    ];
    for (language, summary) in told {
        assert_eq!(found(summary, &[], language), ["claims clerk"], "{summary}");
    }
    let not_told = [
        ("sv", "`clerk` ändras ej."),
        ("sv", "Vill du att `clerk` ändras?"),
        ("sv", "Kanske ändras `clerk` senare."),
        ("sv", "Jag behåller `clerk` och ändrar varken namn eller roll."),
        ("zh", "`clerk`没改动。"),
        ("zh", "无需修改`clerk`。"),
        ("zh", "`clerk`保留原样，不更改。"),
        ("zh", "要不要修改`clerk`？"),
        ("zh", "以后可能更改`clerk`。"),
    ];
    for (language, summary) in not_told {
        assert_eq!(found(summary, &[], language), Vec::<String>::new(), "{summary}");
    }
}

#[test]
fn verbs_are_those_of_the_language_else_of_any() {
    let clerk = ["agent:clerk"];
    assert_eq!(found("Jag ändrade Intake clerk och settle.", &clerk, "sv"), ["claims settle"]);
    assert_eq!(found("Jag ändrade Intake clerk och settle.", &clerk, "en"), ["claims settle"]);
    assert_eq!(found("Jag ändrade inte Intake clerk.", &[], "sv"), Vec::<String>::new());
    assert_eq!(found("我修改了理赔审核步骤。", &["step:settle"], "zh"), Vec::<String>::new());
    assert_eq!(found("我修改了理赔审核步骤。", &clerk, "zh"), ["claims 理赔审核", "omits agent:clerk"]);
    assert_eq!(found("我没有修改`clerk`。", &[], "zh"), Vec::<String>::new());
    assert_eq!(
        found("Ich habe clerk angepasst.", &clerk, "en"),
        Vec::<String>::new(),
        "no verb of any: naming is saying"
    );
}

/// Two signs are a word in Chinese, two letters of an id are anything.
#[test]
fn a_title_of_two_ideographs_is_a_name() {
    let title = |object: &str, text: &str| ClaimName { object: object.to_owned(), text: text.to_owned() };
    let names = [title("step:sort", "分拣"), title("step:qa", "qa"), title("step:one", "一")];
    let found = |summary: &str| claims(summary, &names, &[], "zh").len();
    assert_eq!(found("我修改了分拣步骤。"), 1);
    assert_eq!(found("我修改了 qa 步骤和一条规则。"), 0);
    assert_eq!(found("我修改了`qa`和`一`。"), 2);
}

#[test]
fn one_name_of_two_objects_is_true_of_either() {
    let mut other = view();
    other.agents[0].insert("id".to_owned(), json!("second"));
    let names = names(&[&view(), &other], &[]);
    let changed = [ChangedObject { object: "agent:second".to_owned(), file: "agents/second.json".to_owned() }];
    assert!(claims("I updated Intake clerk.", &names, &changed, "en").is_empty());
}

proptest! {
    /// Any text has an answer, and it is never an error.
    #[test]
    fn it_never_stops_anything(summary in "(\\PC|\n|`|assess-damage|qa|clerk|理赔审核|changed|: ){0,60}", language in "(en|sv|zh|)") {
        let changed = [ChangedObject { object: "step:qa".to_owned(), file: "workflows/1/steps/qa.md".to_owned() }];
        let found = claims(&summary, &all(), &changed, &language);
        prop_assert!(found.iter().all(|it| !it.is_error()));
        prop_assert!(found.len() <= 2 * super::MAX_WARNINGS);
    }
}
