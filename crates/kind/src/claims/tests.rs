//! What counts as said, and what as done.

use proptest::prelude::*;

use super::{ChangedObject, ClaimName, claims};

fn all() -> Vec<ClaimName> {
    let called: [(&str, &[&str]); 6] = [
        (
            "step:assess-damage",
            &["step:assess-damage", "assess-damage", "workflows/1/steps/assess-damage.md", "Assess damage"],
        ),
        ("step:qa", &["qa", "Review"]),
        ("step:settle", &["settle", "理赔审核"]),
        ("agent:clerk", &["clerk", "Intake clerk", "Clerk"]),
        ("asset:assets/guides/assess-damage.md", &["assets/guides/assess-damage.md"]),
        ("workflow:1", &["Motor claim"]),
    ];
    let name = |object: &str, text: &str| ClaimName { object: object.to_owned(), text: text.to_owned() };
    called.iter().flat_map(|(object, texts)| texts.iter().map(move |text| name(object, text))).collect()
}

/// Code and name of each warning.
fn found(summary: &str, changed: &[&str], language: &str) -> Vec<String> {
    let one_of =
        |object: &str, needs_word| ChangedObject { object: object.to_owned(), file: object.to_owned(), needs_word };
    let mut changed: Vec<ChangedObject> = changed.iter().map(|object| one_of(object, true)).collect();
    // What holds a changed part is changed with it.
    if changed.iter().any(|it| it.object.starts_with("step:")) {
        changed.push(one_of("workflow:1", false));
    }
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
    let mut names = all();
    names.push(ClaimName { object: "agent:second".to_owned(), text: "Intake clerk".to_owned() });
    let changed = [ChangedObject { object: "agent:second".to_owned(), file: String::new(), needs_word: true }];
    assert!(claims("I updated Intake clerk.", &names, &changed, "en").is_empty());
}

proptest! {
    /// Any text has an answer, and it is never an error.
    #[test]
    fn it_never_stops_anything(summary in "(\\PC|\n|`|assess-damage|qa|clerk|理赔审核|changed|: ){0,60}", language in "(en|sv|zh|)") {
        let changed = [ChangedObject { object: "step:qa".to_owned(), file: String::new(), needs_word: true }];
        let found = claims(&summary, &all(), &changed, &language);
        prop_assert!(found.iter().all(|it| !it.is_error()));
        prop_assert!(found.len() <= 2 * super::MAX_WARNINGS);
    }
}
