//! Activations (spec: ifc-sdk.md §1, §6.1): one realm over several calls, with its end.

use holdpoint_model::Model;
use holdpoint_sandbox::{Activation, Program, Sandbox, budget::NATIVE_STACK_BYTES, child::Runner};
use holdpoint_sdk::run::{Entry, EntryKind, Profile, Selected};
use serde_json::{Value, json};

use crate::{Case, HOUSE, code, ended, fixture, program, run_program};

pub const CASES: &[Case] = &[
    ("activation::a_realm_lives_over_its_calls", a_realm_lives_over_its_calls),
    ("activation::each_entry_function_is_found", each_entry_function_is_found),
    ("activation::the_end_runs_what_was_left_for_it", the_end_runs_what_was_left_for_it),
    ("activation::grants_and_selection_are_those_of_the_call", grants_and_selection_are_those_of_the_call),
    ("activation::a_passed_limit_throws_the_realm_away", a_passed_limit_throws_the_realm_away),
    ("activation::calls_leave_nothing_behind", calls_leave_nothing_behind),
    ("activation::what_a_caller_is_told", what_a_caller_is_told),
];

/// Runs on a thread that has the stack of a sandbox.
pub fn on_engine<T: Send>(work: impl FnOnce(&mut Sandbox) -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(NATIVE_STACK_BYTES);
        let run = || {
            let file = fixture("house-small");
            let mut sandbox = Sandbox::new("2026-01-01T00:00:00.000Z");
            sandbox.open(file).unwrap();
            work(&mut sandbox)
        };
        thread.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

/// One module with several entry functions.
pub fn several(source: &str, function: &str, grants: &[&str]) -> Program {
    let entry = |function: &str| Entry { module: "src/a.js".to_owned(), function: function.to_owned() };
    let mut program = program(source, grants);
    program.entry = entry(function);
    program.further = ["run", "activate", "deactivate"].map(entry).to_vec();
    program.profile = Profile::Production;
    program
}

fn a_realm_lives_over_its_calls(_: &mut Runner) {
    let source = "let n = 0; export default () => ++n;";
    let values = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let program = several(source, "run", &[]);
        let values: Vec<_> = (0..3).map(|_| ended(activation.call(sandbox, &program)).value).collect();
        [values, vec![sandbox.run(&program).value]].concat()
    });
    assert_eq!(values, [1, 2, 3, 1].map(|n| Some(json!(n))), "and a call without activation has a realm of its own");
}

fn each_entry_function_is_found(_: &mut Runner) {
    let source = "let from = []; function run() { return [...from, 'run']; } function activate(...all) { from.push(all.length, all[1] === undefined, 'activate'); }";
    let value = on_engine(|sandbox| {
        let mut activation = Activation::default();
        ended(activation.call(sandbox, &several(source, "activate", &[])));
        ended(activation.call(sandbox, &several(source, "run", &[]))).value
    });
    assert_eq!(value, Some(json!([2, true, "activate", "run"])));
}

fn the_end_runs_what_was_left_for_it(_: &mut Runner) {
    let source = "
        function activate(ctx) { ctx.onDispose(() => ctx.log.info('first')); ctx.onDispose(async () => { await null; ctx.notify('second'); }); }
        function run(ctx) { ctx.onDispose(() => { throw new TypeError('odd'); }); ctx.onDispose(async () => { throw new Error('late'); }); }
        function deactivate(ctx) { ctx.log.info('deactivate'); }";
    let (end, bare, threw) = on_engine(|sandbox| {
        let begun = || {
            let mut activation = Activation::default();
            for function in ["activate", "run"] {
                assert_eq!(ended(activation.call(sandbox, &several(source, function, &[]))).failure, None);
            }
            activation
        };
        let end = begun().end(sandbox, &several(source, "deactivate", &[]));
        let mut without = several(source, "deactivate", &[]);
        without.entry.module = String::new();
        let throwing = "function activate(ctx) { ctx.onDispose(() => ctx.log.info('ran')); } function deactivate() { throw new Error('no'); }";
        let mut activation = Activation::default();
        ended(activation.call(sandbox, &several(throwing, "activate", &[])));
        (end, begun().end(sandbox, &without), activation.end(sandbox, &several(throwing, "deactivate", &[])))
    });
    let said =
        |outcome: &holdpoint_sandbox::Outcome| outcome.logs.iter().map(|log| log.text.clone()).collect::<Vec<_>>();
    let callbacks = ["unhandled rejection: Error: late", "onDispose: TypeError: odd", "first"];
    assert_eq!(said(&end), [&["deactivate"][..], &callbacks[..]].concat());
    assert_eq!((end.failure, end.effects.notifications.len()), (None, 1));
    assert_eq!(said(&bare), callbacks);
    assert_eq!((code(&threw), said(&threw)), ("THREW", vec!["ran".to_owned()]));
}

fn grants_and_selection_are_those_of_the_call(_: &mut Runner) {
    let source = "let kept; export default (ctx) => { kept ??= ctx; try { return kept.bim.viewer.selection().map((one) => one.type); } catch (error) { return error.code; } };";
    let values = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let mut program = several(source, "run", &["viewer.read"]);
        program.selection = vec![Selected::Ref { model_id: sandbox.models()[0].id.clone(), express_id: a_door() }];
        let first = ended(activation.call(sandbox, &program)).value;
        program.selection.clear();
        let second = ended(activation.call(sandbox, &program)).value;
        program.grants.clear();
        [first, second, ended(activation.call(sandbox, &program)).value]
    });
    assert_eq!(values, [json!(["IfcDoor"]), json!([]), json!("CAPABILITY_DENIED")].map(Some));
}

fn a_door() -> u32 {
    let file = fixture("house-small");
    Model::open(file.bytes, &file.name).unwrap().by_type(&["IfcDoor"]).unwrap()[0]
}

fn a_passed_limit_throws_the_realm_away(_: &mut Runner) {
    let source = "let n = 0; const deep = () => deep() + 1; export default (ctx, args) => { n += 1; ctx.notify('hi'); return args ? deep() : n; };";
    let (first, deep, next) = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let program = several(source, "run", &[]);
        let first = ended(activation.call(sandbox, &program)).value;
        let deep = ended(activation.call(sandbox, &Program { args: Some(json!(true)), ..program.clone() }));
        (first, deep, ended(activation.call(sandbox, &program)).value)
    });
    assert_eq!((code(&deep), deep.effects.notifications.len()), ("STACK", 0));
    assert_eq!((first, next), (Some(json!(1)), Some(json!(1))), "the next realm is a fresh one");
}

fn calls_leave_nothing_behind(_: &mut Runner) {
    const CALLS: usize = 120;
    const MAX_BYTES: usize = 400 * 1024;
    let source = "export default (ctx) => ctx.bim.query.all().map((one) => ({ name: one.name, of: ctx.bim.query.properties(one) }));";
    let (early, late, own) = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let program = several(source, "run", &["model.read"]);
        let mut live = Vec::new();
        for _ in 0..CALLS {
            assert_eq!(ended(activation.call(sandbox, &program)).failure, None);
            live.push(holdpoint_heap::live());
        }
        let peaks = ended(activation.call(sandbox, &program)).usage.peak_bytes;
        (live[CALLS / 4], live[CALLS - 1], peaks)
    });
    assert!(late < early + MAX_BYTES, "{early} bytes after a quarter of the calls, {late} after all");
    assert!(own < 16 * 1024 * 1024, "{own} bytes count as the realm's");
}

fn what_a_caller_is_told(runner: &mut Runner) {
    let source = "export default (ctx, args) => args && Object.entries(args).map(([name, value]) => name + ' ' + (Array.isArray(value) ? value.length : value));";
    let mut told = |kind: EntryKind, args: Option<Value>, grants: &[&str]| {
        let mut program = several(source, "run", grants);
        (program.kind, program.args) = (kind, args);
        program.selection = vec![Selected::Name("Door G1".to_owned()), Selected::Name("Door G2".to_owned())];
        run_program(runner, &program).value.unwrap()
    };
    let event = Some(json!({"event": "onSelectionChange"}));
    assert_eq!(told(EntryKind::ContextMenu, None, &[]), json!(["entities 2"]));
    let seen = told(EntryKind::Trigger, event.clone(), &["viewer.read"]);
    assert_eq!(seen, json!([format!("modelId {HOUSE}"), "selection 2", "event onSelectionChange"]));
    let unseen = told(EntryKind::Trigger, event, &["model.read"]);
    assert_eq!(
        unseen,
        json!([format!("modelId {HOUSE}"), "event onSelectionChange"]),
        "the selection needs its permission"
    );
    assert_eq!(told(EntryKind::Command, None, &[]), Value::Null, "undefined");
    assert_eq!(told(EntryKind::Command, Some(json!(null)), &[]), Value::Null, "null");
}
