//! Several models at once (spec: ifc-sdk.md §3.2): which of them a call sees, and what is meant where none is named.

use holdpoint_sandbox::{Activation, ModelFile, child::Runner};
use holdpoint_sdk::run::{EntryKind, Selected};
use serde_json::{Value, json};

use crate::{
    Case, HOUSE,
    activation::{on_engine, several},
    ended, fixture, program,
};

pub const CASES: &[Case] = &[
    ("models::a_call_sees_those_that_are_named", a_call_sees_those_that_are_named),
    ("models::what_is_not_seen_is_not_there", what_is_not_seen_is_not_there),
    ("models::an_event_is_about_a_model", an_event_is_about_a_model),
    ("models::the_former_id_is_the_active_model", the_former_id_is_the_active_model),
    ("models::a_file_is_loaded_as_often_as_asked", a_file_is_loaded_as_often_as_asked),
    ("models::a_closed_model_leaves_no_steps", a_closed_model_leaves_no_steps),
    ("models::values_have_the_units_of_their_own_file", values_have_the_units_of_their_own_file),
];

/// The id of `villa-2x3`.
const VILLA: &str = "c9453479862e1657";

/// What a body answers on `house-small` and `villa-2x3`, of which it sees those that are named, the last one active.
fn on_both(runner: &mut Runner, seen: &[&str], body: &str, grants: &[&str]) -> Value {
    let mut program = program(&format!("export default async function (ctx, args) {{ {body} }}"), grants);
    program.models = Some(seen.iter().map(|id| (*id).to_owned()).collect());
    program.active_model = seen.last().map(|id| (*id).to_owned());
    let files = [fixture("house-small"), fixture("villa-2x3")];
    let outcome = runner.run(&files, &program).unwrap();
    outcome.value.unwrap_or_else(|| json!(outcome.failure.map(|failure| failure.sdk_code)))
}

fn a_call_sees_those_that_are_named(runner: &mut Runner) {
    let body = "const { model, query } = ctx.bim, walls = query.byType('IfcWall');
        return [model.list().map((m) => m.id), model.activeId(), query.count('IfcWall'), walls.length,
            [...new Set(walls.map((w) => w.ref.modelId))], query.storeys().length, query.storey(walls.at(-1)).ref.modelId];";
    let of = |runner: &mut Runner, seen: &[&str]| on_both(runner, seen, body, &["model.read"]);
    let both = [HOUSE, VILLA];
    assert_eq!(of(runner, &both), json!([both, VILLA, 31, 31, both, 6, VILLA]));
    let turned = [VILLA, HOUSE];
    assert_eq!(of(runner, &turned), json!([turned, HOUSE, 31, 31, turned, 6, HOUSE]), "in the host's order");
    assert_eq!(of(runner, &[VILLA]), json!([[VILLA], VILLA, 18, 18, [VILLA], 3, VILLA]));
    let none = "return [ctx.bim.model.list(), ctx.bim.model.active(), ctx.bim.model.activeId(), ctx.bim.query.all()];";
    assert_eq!(on_both(runner, &[], none, &["model.read"]), json!([[], null, null, []]));
}

fn what_is_not_seen_is_not_there(runner: &mut Runner) {
    let read = format!(
        "const q = ctx.bim.query; let id = 1; while (!q.entity('{VILLA}', id) && id < 500) id += 1;
         return [id, q.path({{ modelId: '{VILLA}', expressId: 1 }}), q.byGlobalId('x')];"
    );
    assert_eq!(on_both(runner, &[HOUSE], &read, &["model.read"]), json!([500, [], null]));
    let write = ["model.mutate:P.*", "model.create", "model.delete", "viewer.select"];
    for call in [
        "bim.mutate.setProperty(E, 'P', 'A', 1)",
        "bim.store.removeEntity(E)",
        "bim.store.addEntity(E.modelId, { type: 'IfcGroup', attributes: {} })",
        "bim.viewer.select([E])",
    ] {
        let body = format!("const E = {{ modelId: '{VILLA}', expressId: 1 }}; ctx.{call}; return 'done';");
        assert_eq!(on_both(runner, &[HOUSE], &body, &write), json!("SDK_NOT_FOUND"), "{call}");
    }
    let schedule = format!("return ctx.bim.schedule.tasks('{VILLA}');");
    assert_eq!(on_both(runner, &[HOUSE], &schedule, &["model.read"]), json!("SDK_NOT_FOUND"));
}

fn an_event_is_about_a_model(runner: &mut Runner) {
    let source = "export default (ctx, args) => [args.modelId, args.selection?.map((e) => e.ref.modelId) ?? null];";
    let mut told = |args: Value, selected: &[&str], grants: &[&str]| {
        let mut program = program(source, grants);
        (program.kind, program.args) = (EntryKind::Trigger, Some(args));
        (program.models, program.active_model) = (Some(vec![HOUSE.into(), VILLA.into()]), Some(HOUSE.into()));
        let first = |model: &&str| Selected::Ref { model_id: (*model).to_owned(), express_id: 1 };
        program.selection = selected.iter().map(first).collect();
        runner.run(&[fixture("house-small"), fixture("villa-2x3")], &program).unwrap().value.unwrap()
    };
    let event = |name: &str| json!({"event": name});
    let [loaded, selects] = [event("onModelLoad"), event("onSelectionChange")];
    let sees = ["viewer.read"];
    assert_eq!(told(selects.clone(), &[VILLA, HOUSE], &sees), json!([VILLA, [VILLA, HOUSE]]));
    assert_eq!(told(selects.clone(), &[], &sees), json!([HOUSE, []]), "nothing is selected");
    assert_eq!(told(selects, &[VILLA], &["model.read"]), json!([HOUSE, null]), "it may not see the selection");
    assert_eq!(told(loaded, &[VILLA], &sees), json!([HOUSE, [VILLA]]));
    let named = json!({"event": "onModelLoad", "modelId": VILLA});
    assert_eq!(told(named, &[], &sees), json!([VILLA, []]));
    assert_eq!(told(event("onModelLoad"), &["gone"], &sees), json!([HOUSE, []]), "a model that is closed");
}

/// What extensions kept or wrote when there was one model goes on.
fn the_former_id_is_the_active_model(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, [w] = q.byType('IfcWall').filter((e) => e.ref.modelId === ctx.bim.model.activeId());
        const kept = { modelId: 'model-1', expressId: w.ref.expressId };
        ctx.bim.viewer.select([kept]); ctx.bim.mutate.setProperty(kept, 'P', 'A', 1);
        return [q.entity('model-1', kept.expressId).globalId === w.globalId, q.property(w, 'P', 'A'), ctx.bim.mutate.undo('model-1'),
            q.storey(kept).ref.modelId, q.selection().map((e) => e.ref.modelId)];";
    let grants = ["model.read", "viewer.read", "viewer.select", "model.mutate:P.*"];
    assert_eq!(on_both(runner, &[HOUSE, VILLA], body, &grants), json!([true, 1, true, VILLA, [VILLA]]));
}

fn a_file_is_loaded_as_often_as_asked(runner: &mut Runner) {
    let body = "const { create, model, query } = ctx.bim, h = create.project({}), { content } = create.toIfc(h);
        const before = query.all().length, ids = [1, 2, 3].map(() => model.loadIfc(content, 'new.ifc'));
        return [ids[0].length, ids.map((id) => id.slice(16)), model.list().map((m) => m.id).join() === args.of + ids.join(), query.all().length > before];";
    let body = body.replace("args.of", &format!("'{HOUSE},{VILLA},'"));
    let want = json!([16, ["", "-2", "-3"], true, true]);
    assert_eq!(on_both(runner, &[HOUSE, VILLA], &body, &["model.read", "model.create"]), want);
    let many = "const { create, model } = ctx.bim, { content } = create.toIfc(create.project({}));
        for (let n = 0; n < 11; n += 1) model.loadIfc(content, 'new.ifc');";
    assert_eq!(on_both(runner, &[HOUSE], many, &["model.create"]), json!("SDK_LIMIT"));
}

fn a_closed_model_leaves_no_steps(_: &mut Runner) {
    let source = "const changed = []; export default (ctx, args) => {
        const { model, mutate, query } = ctx.bim, [w] = query.byType('IfcWall').filter((e) => e.ref.modelId === args);
        if (w) { changed.push(args); mutate.setProperty(w, 'P', 'A', changed.length); }
        return [model.list().length, changed.length, w ? null : mutate.undo()]; };";
    let (values, changes) = on_engine(|sandbox| {
        sandbox.open(fixture("villa-2x3")).unwrap();
        let mut activation = Activation::default();
        let mut program = several(source, "run", &["model.read", "model.mutate:P.*"]);
        let mut call = |sandbox: &_, model: &str| {
            program.args = Some(json!(model));
            ended(activation.call(sandbox, &program))
        };
        let made = [call(sandbox, HOUSE), call(sandbox, VILLA)];
        sandbox.close(VILLA);
        let after = [call(sandbox, "none"), call(sandbox, "none")];
        let changes: Vec<Value> =
            made.iter().flat_map(|one| &one.effects.changes).map(|change| change["modelId"].clone()).collect();
        (made.into_iter().chain(after).map(|one| one.value.unwrap()).collect::<Vec<_>>(), changes)
    });
    let want = [json!([2, 1, null]), json!([2, 2, null]), json!([1, 2, true]), json!([1, 2, false])];
    assert_eq!(values, want, "the change of the model that is open is taken back, the other is gone");
    assert_eq!(changes, [HOUSE, VILLA]);
}

/// Lengths of a file in millimetres beside those of the same file in metres.
fn values_have_the_units_of_their_own_file(runner: &mut Runner) {
    let metres = fixture("house-small");
    let text = String::from_utf8(metres.bytes.clone()).unwrap();
    let bytes = text.replace(".LENGTHUNIT.,$,.METRE.", ".LENGTHUNIT.,.MILLI.,.METRE.").into_bytes();
    let millimetres = ModelFile { name: "millimetres.ifc".to_owned(), bytes };
    let body = "const { model, query } = ctx.bim;
        const units = (id) => query.byType('IfcElement').filter((e) => e.ref.modelId === id)
            .flatMap((e) => query.quantities(e)).flatMap((set) => set.quantities).map((one) => one.unit).filter((unit) => /^m+$/.test(unit));
        return model.list().map(({ id }) => [units(id).length > 0, ...new Set(units(id))]);";
    let program = program(&format!("export default function (ctx) {{ {body} }}"), &["model.read"]);
    let outcome = runner.run(&[metres, millimetres], &program).unwrap();
    assert_eq!(outcome.value, Some(json!([[true, "m"], [true, "mm"]])), "{:?}", outcome.failure);
}
