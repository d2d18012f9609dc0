//! Entities are read when they are asked: to code they are the plain objects that the specification names (spec:
//! ifc-sdk.md §3 "Types").

use holdpoint_sandbox::{Activation, child::Runner};
use serde_json::{Value, json};

use crate::{
    Case, HOUSE,
    activation::{on_engine, several},
    ended, fixture, value,
};

pub const CASES: &[Case] = &[
    ("entities::they_say_what_they_said", they_say_what_they_said),
    ("entities::they_are_plain_objects_to_code", they_are_plain_objects_to_code),
    ("entities::what_code_changes_of_one_is_followed", what_code_changes_of_one_is_followed),
    ("entities::they_outlive_a_call_and_not_their_model", they_outlive_a_call_and_not_their_model),
];

fn they_say_what_they_said(runner: &mut Runner) {
    let body =
        "const { query, mutate, store } = ctx.bim, [w] = query.byType('IfcWall'), { modelId, expressId } = w.ref;
        const again = () => query.entity(modelId, expressId)?.name ?? null, before = again();
        mutate.setAttribute(w, 'Name', 'Other');
        const changed = [w.name === before, again()];
        mutate.undo();
        const undone = [w.name === before, again() === before];
        store.removeEntity(w);
        return [...changed, ...undone, w.name === before, w.type, again()];";
    let grants = ["model.read", "model.mutate:Attribute.*", "model.delete"];
    assert_eq!(value(runner, body, &grants), json!([true, "Other", true, true, true, "IfcWall", null]));
}

fn they_are_plain_objects_to_code(runner: &mut Runner) {
    let body = "const { query } = ctx.bim, [w, v] = query.byType('IfcWall'), copy = { ...w }, { ref: { expressId }, name } = w;
        return [Object.keys(w), JSON.stringify(w) === JSON.stringify(copy), w.ref === w.ref, w.ref === copy.ref,
            expressId === copy.ref.expressId, name === w.Name, [w.GlobalId, w.Type, w.Description, w.ObjectType].length,
            Object.entries(w).length, Object.hasOwn(w, 'tag'), 'Name' in w, Object.create(w).name === name, Array.isArray(w),
            Object.freeze(v).name, query.byType('IfcWall').map(({ tag, ...rest }) => rest)[0].tag === undefined];";
    let keys = ["ref", "globalId", "type", "name", "description", "objectType", "tag", "predefinedType"];
    let want = json!([keys, true, true, true, true, true, 4, 8, true, true, true, false, "Wall G2", true]);
    assert_eq!(value(runner, body, &["model.read"]), want);
}

fn what_code_changes_of_one_is_followed(runner: &mut Runner) {
    let body = "const { query } = ctx.bim, walls = query.byType('IfcWall'), [a, b, c, d] = walls, last = walls.at(-1);
        const id = (entity) => query.attributes(entity).find((one) => one.name === 'GlobalId').value, of = last.globalId;
        a.name = 'mine'; a.colour = 'red'; delete a.tag;
        b.ref = last.ref; c.ref.expressId = last.ref.expressId; Object.defineProperty(d, 'ref', { get: () => last.ref });
        const frozen = Object.freeze(walls[4]);
        try { frozen.name = 'mine'; } catch (error) { a.error = error.name; }
        return [a.name, a.Name, a.colour, 'tag' in a, a.error, id(a) === a.globalId, id(b) === of, id(c) === of, id(d) === of,
            id({ ...b }) === of, id(last.ref) === of];";
    let want = json!(["mine", "mine", "red", false, "TypeError", true, true, true, true, true, true]);
    assert_eq!(value(runner, body, &["model.read"]), want);
}

/// What an extension keeps of a model that is not shown stays readable; of one that is closed it has no texts.
fn they_outlive_a_call_and_not_their_model(_: &mut Runner) {
    let source = "let kept; export default (ctx) => { kept ??= ctx.bim.query.byType('IfcWall')[0];
        return [kept.name, kept.type, kept.ref.modelId, ctx.bim.query.attributes(kept).length > 0]; };";
    let values: Vec<Value> = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let mut program = several(source, "run", &["model.read"]);
        let mut call = |sandbox: &_, models: &[&str]| {
            program.models = Some(models.iter().map(|id| (*id).to_owned()).collect());
            ended(activation.call(sandbox, &program)).value.unwrap()
        };
        let mut values = vec![call(sandbox, &[HOUSE]), call(sandbox, &[])];
        sandbox.close(HOUSE);
        values.push(call(sandbox, &[HOUSE]));
        sandbox.open(fixture("house-small")).unwrap();
        values.push(call(sandbox, &[HOUSE]));
        values
    });
    let there = |attributes: bool| json!(["Wall G1", "IfcWall", HOUSE, attributes]);
    assert_eq!(values, [there(true), there(false), json!([null, null, HOUSE, false]), there(true)]);
}
