//! "Rules that tests rely on" (spec: ifc-sdk.md §3), one case each, and what `ctx` has beside them.

use holdpoint_sandbox::{ModelFile, child::Runner};
use holdpoint_sdk::run::{Entry, NetworkResponse, NetworkStub};
use serde_json::{Map, Value, json};

use crate::{Case, code, fixture, program, run, run_program, value};

pub const CASES: &[Case] = &[
    ("rules::lists_have_an_order", lists_have_an_order),
    ("rules::products_and_classes", products_and_classes),
    ("rules::values_are_effective", values_are_effective),
    ("rules::structure_is_climbed", structure_is_climbed),
    ("rules::an_absent_entity_reads_as_nothing", an_absent_entity_reads_as_nothing),
    ("rules::the_view_is_told_in_order", the_view_is_told_in_order),
    ("rules::attachments_are_text_and_rows", attachments_are_text_and_rows),
    ("rules::parts_of_a_model_are_files", parts_of_a_model_are_files),
    ("rules::requests_go_to_stubs", requests_go_to_stubs),
    ("rules::depth_is_counted_whoever_calls", depth_is_counted_whoever_calls),
    ("rules::foreign_files_are_read", foreign_files_are_read),
];

fn on(runner: &mut Runner, files: &[ModelFile], body: &str, grants: &[&str]) -> Value {
    let source = format!("export default async function (ctx, args) {{ {body} }}");
    let outcome = runner.run(files, &program(&source, grants)).expect("the sandbox process works");
    outcome.value.unwrap_or_else(|| json!({"failed": outcome.failure}))
}

fn lists_have_an_order(runner: &mut Runner) {
    let files = [fixture("villa-2x3"), fixture("house-small")];
    let body = "const q = ctx.bim.query, walls = q.byType('IfcWall', 'ifcwall', 'IfcElement');
        const order = ctx.bim.model.list().map((m) => m.id), at = (e) => order.indexOf(e.ref.modelId) * 2 ** 32 + e.ref.expressId;
        const rising = walls.every((e, i) => i === 0 || at(walls[i - 1]) < at(e));
        return [rising, new Set(walls.map((e) => e.globalId)).size === walls.length, q.storeys().map((s) => s.name), ctx.bim.model.activeId()];";
    let want = json!([
        true,
        true,
        ["Källare", "Entréplan", "Övre plan", "Ground floor", "First floor", "Roof"],
        "c9453479862e1657"
    ]);
    assert_eq!(on(runner, &files, body, &["model.read"]), want);
    let body = "const q = ctx.bim.query, [a, b, c] = q.byType('IfcWall'); ctx.bim.viewer.select([c, a, b]);
        return q.selection().map((e) => [c, a, b].findIndex((w) => w.globalId === e.globalId));";
    assert_eq!(
        on(runner, &[fixture("house-small")], body, &["model.read", "viewer.read", "viewer.select"]),
        json!([0, 1, 2])
    );
}

fn products_and_classes(runner: &mut Runner) {
    let body = "const q = ctx.bim.query; let wrong; try { q.byType('IfcWal'); } catch (e) { wrong = [e.code, e.message.includes('IfcWall')]; }
        return [q.all().some((e) => e.type === 'IfcProject'), q.all().some((e) => e.type === 'IfcSite'), q.count('IFCWALL'),
            q.count('IfcWallStandardCase'), q.count('IfcWall', 'IfcWallStandardCase'), q.byType('IfcBearing'), wrong];";
    let want = json!([false, true, 18, 16, 18, [], ["SDK_ARGUMENT", true]]);
    assert_eq!(on(runner, &[fixture("villa-2x3")], body, &["model.read"]), want);
}

fn values_are_effective(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, walls = q.byType('IfcWall'), at = (w) => q.property(w, 'Pset_WallCommon', 'FireRating');
        const typed = walls.filter((w) => at(w) && !q.properties(w).some((s) => s.properties.some((p) => p.name === 'FireRating')));
        return [walls.filter((w) => at(w) != null).length, typed.length];";
    assert_eq!(on(runner, &[fixture("office-fire")], body, &["model.read"]), json!([26, 10]));
    let body = "const q = ctx.bim.query; return q.byType('IfcWall').map((w) => q.property(w, 'Pset_WallCommon', 'FireRating')).filter((r) => r === '').length;";
    assert_eq!(on(runner, &[fixture("house-small")], body, &["model.read"]), json!(1));
    let body = "const q = ctx.bim.query, [d] = q.byType('IfcDoor').filter((d) => d.name === 'Entrédörr');
        return [q.property(d, 'Brand och säkerhet', 'Brandklass'), q.classifications(d)[0].identification, q.byType('IfcWall').some((w) => w.name === '隔墙 一'), q.byType('IfcWall').filter((w) => w.name === null).length];";
    assert_eq!(on(runner, &[fixture("villa-2x3")], body, &["model.read"]), json!(["EI 30", "NSC.1", true, 1]));
}

fn structure_is_climbed(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, [s] = q.storeys();
        return [q.contains(s).some((e) => e.type === 'IfcSpace'), q.decomposes(s).every((e) => e.type === 'IfcSpace'), q.storey(q.decomposes(s)[0]).name === s.name, q.storey(q.byType('IfcSite')[0])];";
    assert_eq!(on(runner, &[fixture("house-small")], body, &["model.read"]), json!([false, true, true, null]));
    let body = "const q = ctx.bim.query, [g] = q.byType('IfcBeam'); return [q.storeys(), q.storey(g), q.containedIn(g).name, q.path(g).map((e) => e.type)];";
    let want = json!([[], null, "Superstructure", ["IfcProject", "IfcSite", "IfcBridge", "IfcBridgePart", "IfcBeam"]]);
    assert_eq!(on(runner, &[fixture("bridge-4x3")], body, &["model.read"]), want);
    let body = "const q = ctx.bim.query, [f] = q.byType('IfcFan'); return [q.relationships(f).groups[0].name, q.documents(f)[0].location, q.count('IfcFlowSegment')];";
    assert_eq!(
        on(runner, &[fixture("services-mep")], body, &["model.read"]),
        json!(["Supply air", "https://docs.example.org/fan-b1.pdf", 36])
    );
}

fn an_absent_entity_reads_as_nothing(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, e = { modelId: ctx.bim.model.activeId(), expressId: 4000000 };
        return [q.attributes(e), q.properties(e), q.typeProperties(e), q.quantities(e), q.quantity(e, 'a', 'b'), q.classifications(e), q.materials(e),
            q.documents(e), q.relationships(e).voids, q.related(e, 'IfcRelAggregates'), q.containedIn(e), q.decomposedBy(e), q.decomposes(e), q.path(e)];";
    let want = json!([[], [], null, [], null, [], null, [], [], [], null, null, [], []]);
    assert_eq!(value(runner, body, &["model.read"]), want);
}

fn the_view_is_told_in_order(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, v = ctx.bim.viewer, [d] = q.byType('IfcDoor'); v.hide([d]); v.show([d]); v.isolate([d]); v.resetVisibility();
        v.flyTo([d]); const camera = v.camera(); v.setCamera({ position: [1, 2, 3], target: [0, 0, 0], up: [0, 0, 1] });
        v.section({ axis: 'z', offset: 1.5 }); v.clearSection(); return [Object.keys(camera), v.camera().position];";
    let grants = ["model.read", "viewer.read", "viewer.isolate", "viewer.fly", "viewer.section"];
    let outcome = run(runner, body, &grants);
    assert_eq!(outcome.value, Some(json!([["position", "target", "up"], [1, 2, 3]])), "{:?}", outcome.failure);
    let ops: Vec<&Value> = outcome.effects.viewer.iter().map(|entry| &entry["op"]).collect();
    assert_eq!(ops, ["hide", "show", "isolate", "resetVisibility", "flyTo", "setCamera", "section", "clearSection"]);
    assert_eq!(
        (&outcome.effects.viewer[0]["count"], &outcome.effects.viewer[6]["plane"]),
        (&json!(1), &json!({"axis": "z", "offset": 1.5}))
    );
}

fn attachments_are_text_and_rows(runner: &mut Runner) {
    let source = "export default (ctx) => { const f = ctx.bim.files; return [f.list(), f.text('a.csv'), f.text('no'), f.csv('a.csv'), f.csv('no'), f.csvColumns('a.csv'), f.csvColumns('no')]; };";
    let mut program = program(source, &["files.read"]);
    program.files.insert("a.csv".to_owned(), "Namn;Yta\n\"Kök; stort\";12,5\n".to_owned());
    let want = json!([[{"name": "a.csv", "size": 33, "type": "text/csv"}], "Namn;Yta\n\"Kök; stort\";12,5\n", null,
        [{"Namn": "Kök; stort", "Yta": "12,5"}], null, ["Namn", "Yta"], []]);
    let have = run_program(runner, &program).value.unwrap();
    assert_eq!(have[3], want[3]);
    assert_eq!(
        (&have[0][0]["name"], &have[0][0]["type"], &have[2], &have[4], &have[5], &have[6]),
        (&json!("a.csv"), &json!("text/csv"), &Value::Null, &Value::Null, &want[5], &want[6])
    );
}

fn parts_of_a_model_are_files(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, w = q.byType('IfcWall').slice(0, 2); ctx.bim.mutate.setProperty(w[0], 'P', 'A', 'new');
        const part = ctx.bim.export.ifc(w, { filename: 'part.ifc' }), old = ctx.bim.export.ifc(w, { includeMutations: false });
        const id = ctx.bim.model.loadIfc(part, 'part.ifc'), o = ctx.bim.model.loadIfc(old, 'old.ifc');
        const of = (m) => q.byType('IfcWall').filter((e) => e.ref.modelId === m);
        return [of(id).map((e) => [e.name, q.storey(e).name, q.property(e, 'P', 'A'), q.property(e, 'Pset_WallCommon', 'FireRating')]), of(o).map((e) => q.property(e, 'P', 'A')),
            q.byType('IfcDoor').filter((e) => e.ref.modelId === id).length];";
    let grants = ["model.read", "model.create", "model.mutate:P.*", "export.create:ifc"];
    let outcome = run(runner, body, &grants);
    let have = outcome.value.clone().unwrap_or_else(|| json!(outcome.failure));
    assert_eq!(
        (&have[0][0][1], &have[0][0][2], &have[1], &have[2]),
        (&json!("Ground floor"), &json!("new"), &json!([null, null]), &json!(0)),
        "{have}"
    );
    assert_eq!(outcome.effects.exports.len(), 1, "without a file name nothing is saved");
    let other = run(runner, "ctx.bim.export.ifc([], { schema: 'IFC2X3' });", &["export.create:ifc"]);
    assert_eq!(other.failure.unwrap().sdk_code.as_deref(), Some("SDK_UNAVAILABLE"));
}

fn requests_go_to_stubs(runner: &mut Runner) {
    let source = "export default async (ctx) => { const r = await ctx.fetch('https://a.example.org/x', { method: 'post', headers: { 'X-A': 'b' }, body: 'q' });
        return [r.status, r.headers, await r.text(), await r.json()]; };";
    let mut one = program(source, &["network.fetch:a.example.org"]);
    let headers = Map::from_iter([("x-b".to_owned(), json!("c"))]);
    let response = NetworkResponse { status: 404, headers, body: "{\"n\":1}".to_owned() };
    one.network =
        Some(vec![NetworkStub { url: "https://a.example.org/x".to_owned(), method: "POST".to_owned(), response }]);
    let outcome = run_program(runner, &one);
    assert_eq!(outcome.value, Some(json!([404, {"x-b": "c"}, "{\"n\":1}", {"n": 1}])), "{:?}", outcome.failure);
    assert_eq!(outcome.effects.requests, [json!({"url": "https://a.example.org/x", "method": "POST"})]);
    for (call, want) in [
        ("ctx.fetch('https://a.example.org/y')", "NETWORK_NOT_STUBBED"),
        ("ctx.fetch('http://a.example.org/x')", "SDK_ARGUMENT"),
        ("ctx.fetch('https://b.example.org/x')", "CAPABILITY_DENIED"),
        ("ctx.fetch('https://a.example.org@b.example.org/x')", "SDK_ARGUMENT"),
        ("ctx.fetch('https://b.example.org#a.example.org/x')", "CAPABILITY_DENIED"),
        ("ctx.fetch('https://b.example.org\\\\@a.example.org/x')", "SDK_ARGUMENT"),
        ("ctx.fetch('https://a.example.org.b.example.org/x')", "CAPABILITY_DENIED"),
        ("ctx.fetch('https://a.example.org:8443/x')", "SDK_ARGUMENT"),
        ("ctx.fetch('https://%61.example.org/x')", "SDK_ARGUMENT"),
        ("ctx.fetch('https://127.0.0.1/x')", "SDK_ARGUMENT"),
        ("ctx.fetch({ toString: () => 'https://a.example.org/x' })", "SDK_ARGUMENT"),
        ("ctx.fetch('https://a.example.org/x', { body: 'q' })", "SDK_ARGUMENT"),
        ("ctx.fetch('https://a.example.org/x', { headers: { 'Sec-Fetch-Site': 'none' } })", "SDK_ARGUMENT"),
        ("ctx.fetch('https://a.example.org/x', { method: 'POST', body: 'x'.repeat(1048577) })", "SDK_LIMIT"),
        ("ctx.fetch('https://a.example.org/x', { timeoutMs: 30001 })", "SDK_ARGUMENT"),
    ] {
        let source = format!(
            "export default async (ctx) => {{ try {{ await {call}; return 'fine'; }} catch (e) {{ return e.code; }} }};"
        );
        let mut one = program(&source, &["network.fetch:a.example.org"]);
        one.network = Some(Vec::new());
        let have = run_program(runner, &one).value.unwrap();
        assert_eq!(have, json!(want), "{call}");
    }
}

/// Eight commands deep, and the ninth by the `ctx` of the first one is as deep as by one's own.
fn depth_is_counted_whoever_calls(runner: &mut Runner) {
    let source = "let outer, n = 0; export default async (ctx) => { outer ??= ctx; n += 1; if (n > 30) return n; try { return await outer.commands.invoke('own'); } catch (e) { return [e.code, n]; } };";
    let mut one = program(source, &[]);
    one.commands.insert("own".to_owned(), Entry { module: "src/a.js".to_owned(), function: "run".to_owned() });
    assert_eq!(run_program(runner, &one).value, Some(json!(["SDK_LIMIT", 9])));
    // One after the other and beside each other is not below each other.
    let source = "export default async (ctx, args) => { if (args === 1) return 1; let n = 0; for (let i = 0; i < 20; i++) n += await ctx.commands.invoke('own', 1); return n; };";
    let mut one = program(source, &[]);
    one.commands.insert("own".to_owned(), Entry { module: "src/a.js".to_owned(), function: "run".to_owned() });
    assert_eq!(run_program(runner, &one).value, Some(json!(20)));
    let source = "export default async (ctx, args) => args === 1 ? 1 : (await Promise.all(Array.from({ length: 20 }, () => ctx.commands.invoke('own', 1)))).length;";
    let mut one = program(source, &[]);
    one.commands.insert("own".to_owned(), Entry { module: "src/a.js".to_owned(), function: "run".to_owned() });
    assert_eq!(run_program(runner, &one).value, Some(json!(20)));
}

/// Every reader on files of other programs: lists and nulls, never a failure; figures of an independent program.
fn foreign_files_are_read(runner: &mut Runner) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ifc/foreign");
    let facts = std::fs::read_to_string(format!("{folder}/facts.json")).unwrap();
    let facts: Value = serde_json::from_str(&facts).unwrap();
    let facts = facts.as_array().cloned().unwrap_or_else(|| facts["files"].as_array().cloned().unwrap_or_default());
    for name in ["SimpleWall.ifc", "TallBuilding.ifc", "LargeBuilding.ifc"] {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        let body = "const q = ctx.bim.query, all = q.all(), storeys = q.storeys().length, some = all.filter((_, i) => i % 97 === 0).slice(0, 60);
            for (const e of some) { q.attributes(e); q.properties(e); q.typeProperties(e); q.quantities(e); q.classifications(e); q.materials(e); q.documents(e);
                q.relationships(e); q.related(e, 'IfcRelDefinesByProperties', 'inverse'); q.containedIn(e); q.contains(e); q.decomposedBy(e); q.decomposes(e); q.storey(e); q.path(e); }
            const s = ctx.bim.schedule.data(); const w = some.find((e) => q.storey(e)) ?? some[0];
            ctx.bim.mutate.setProperty(w, 'Holdpoint', 'Seen', true); const part = ctx.bim.export.ifc([w]); const id = ctx.bim.model.loadIfc(part, 'part.ifc');
            const again = q.byGlobalId(w.globalId); const copy = q.all().filter((e) => e.ref.modelId === id).find((e) => e.globalId === w.globalId);
            return [all.length, storeys, s.tasks.length, q.property(again, 'Holdpoint', 'Seen'), q.property(copy, 'Holdpoint', 'Seen')];";
        let grants = ["model.read", "model.create", "model.mutate:*", "export.create:ifc"];
        let source = format!("export default function (ctx) {{ {body} }}");
        let mut one = program(&source, &grants);
        one.profile = holdpoint_sdk::run::Profile::Production;
        let file = ModelFile { name: name.to_owned(), bytes };
        let outcome = runner.run(&[file], &one).expect("the sandbox process works");
        assert_eq!(code(&outcome), "OK", "{name}: {:?}", outcome.failure);
        let have = outcome.value.unwrap();
        let fact = facts.iter().find(|fact| fact["file"] == name);
        if let Some(fact) = fact {
            assert_eq!(
                (&have[0], have[1].as_u64()),
                (&fact["products"], fact["storeys"].as_array().map(|storeys| storeys.len() as u64)),
                "{name}"
            );
        }
        assert_eq!((&have[3], &have[4]), (&json!(true), &json!(true)), "{name}");
    }
}
