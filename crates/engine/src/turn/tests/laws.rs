//! Laws over events in any order.

use holdpoint_gateway::wire;
use holdpoint_kind::protocol::Failed;
use proptest::prelude::*;
use serde_json::json;

use super::super::*;
use super::notes::{BOUNDS, KEPT, NOTES, STREAMED, faults_of, model, start};
use super::{finished, text};

fn events() -> impl Strategy<Value = Vec<Event>> {
    let words = prop_oneof![
        Just("CHANGE a".to_owned()),
        Just("CHANGE ".to_owned()),
        Just("BAD x".to_owned()),
        Just(r#"{"responseType":"change","assistantSummary":"A","changeSet":{"targetType":"asset"}}"#.to_owned()),
        Just(r#"{"responseType":"chat","assistantSummary":"A"}"#.to_owned()),
        Just(r#"{"ops":[]}"#.to_owned()),
        "[a-z{}\\[\\]\":,]{0,12}",
    ];
    let call = prop_oneof![
        Just(("note.read", r#"{"line": 1}"#)),
        Just(("ask", "{}")),
        Just(("note.apply", "{}")),
        Just(("builder.asset.read", r#"{"path": "assets/a.md"}"#)),
        Just(("builder.change.apply", "{}")),
        Just(("note.read", "{}")),
    ];
    let call = call.prop_map(|(name, arguments)| wire::Tool {
        id: "c".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    });
    let calls = proptest::collection::vec(call, 0..5);
    let result = prop_oneof![Just(Ok(json!({}))), Just(Err(ApiError::new("NOTE_NOT_FOUND", "")))];
    let event = prop_oneof![
        6 => Just(Event::Admitted),
        6 => (words, 0i64..2_000).prop_map(|(words, now)| text(&words, now)),
        4 => prop_oneof![Just("stop"), Just("length")].prop_map(finished),
        3 => calls.prop_map(|calls| Event::Finished { reason: None, calls }),
        4 => (prop_oneof![Just("c"), Just("call_1"), Just("call_2")], result)
            .prop_map(|(id, result)| Event::ToolDone { id: id.to_owned(), result }),
        3 => prop_oneof![Just(""), Just("y")].prop_map(|faults| Event::Gated { findings: faults_of(faults) }),
        1 => Just(Event::Failed(Failed::new("UPSTREAM_ERROR", ""))),
        1 => Just(Event::TimedOut),
        1 => Just(Event::Overdue),
        1 => (0i64..2_000).prop_map(|now| Event::Tick { now }),
        1 => Just(Event::Refused(ApiError::new("BUDGET_HELD", "").status(402))),
        1 => Just(Event::Cancelled),
    ];
    proptest::collection::vec(event, 0..40)
}

/// A message of a session about an asset.
fn crew() -> serde_json::Value {
    json!({
        "session": {"target_type": "asset", "target_id": "assets/a.md", "mode": "optimize"},
        "snapshot": {"workflows": [], "steps": [], "agents": [], "assets": {"assets/a.md": "A."}, "revisions": {}},
        "content": "Better.",
    })
}

fn turns() -> impl Strategy<Value = (Turn, Vec<Effect>)> {
    (0..6usize).prop_map(|which| {
        let scripts = |id| holdpoint_kinds::protocol("script-tool", id).unwrap();
        let chat = json!({"message": "Why?"});
        let edit = json!({
            "message": "Do.", "active_file": "tool.py", "virtual_files": {"tool.py": "x\n", "entrypoint.txt": "",
            "settings_schema.json": "", "input_schema.json": "", "usage_instructions.md": ""},
        });
        let (protocol, body): (&'static dyn Protocol, _) = match which {
            0 => (&NOTES, json!({})),
            1 => (&STREAMED, json!({})),
            2 => (scripts("chat"), chat),
            3 => (&KEPT, json!({})),
            4 => (holdpoint_kinds::protocol("crew-package", "crew").unwrap(), crew()),
            _ => (scripts("edit-ops"), edit),
        };
        let mut model = model();
        model.profile = holdpoint_kind_script::profile::ORDINARY;
        start(protocol, &body, model)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    /// Whatever comes in whatever order: nothing is written and nothing is said before the turn began, it begins once
    /// and is closed once, nobody hears anything behind the end, and no bound is passed.
    #[test]
    fn a_turn_begins_and_closes_once((mut turn, first) in turns(), events in events()) {
        let mut seen = first;
        for event in events {
            let over = turn.is_over();
            let effects = turn.step(event);
            prop_assert!(!over || effects.is_empty(), "{effects:?}");
            seen.extend(effects);
        }
        let count = |is: fn(&Effect) -> bool| seen.iter().filter(|effect| is(effect)).count();
        let place = |is: fn(&Effect) -> bool| seen.iter().position(is);
        let (begins, closes) = (count(|e| *e == Effect::Begin), count(|e| matches!(e, Effect::Close(_))));
        prop_assert!(begins <= 1 && closes <= begins);
        prop_assert!(!turn.is_over() || closes == begins);
        let written = place(|e| matches!(e, Effect::Keep(_) | Effect::Close(_) | Effect::Open | Effect::Emit(_)));
        prop_assert!(written.is_none() || place(|e| *e == Effect::Begin) < written, "{seen:?}");
        let last_keep = seen.iter().rposition(|e| matches!(e, Effect::Keep(_)));
        prop_assert!(last_keep.is_none() || closes == 0 || last_keep < place(|e| matches!(e, Effect::Close(_))));
        let ends = |e: &Effect| match e {
            Effect::Answer(_) | Effect::Refuse(_) => true,
            Effect::Emit(frame) => frame.last,
            _ => false,
        };
        prop_assert_eq!(count(ends), usize::from(turn.is_over()));
        prop_assert!(!turn.is_over() || ends(seen.last().unwrap()));
        let bounds = turn.protocol().bounds();
        prop_assert!(count(|e| matches!(e, Effect::Call(_))) <= bounds.calls as usize);
        prop_assert!(count(|e| matches!(e, Effect::Tool(_))) <= bounds.all_tool_calls.max(BOUNDS.tool_calls));
        let first = place(|e| matches!(e, Effect::Emit(_)));
        prop_assert!(first.is_none() || place(|e| *e == Effect::Open) < first, "an event before the log is open");
        let approves = seen.iter().any(|e| matches!(e, Effect::Tool(run) if run.name.ends_with("apply")));
        prop_assert!(!approves);
    }
}
