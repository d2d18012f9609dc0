//! What writes: `bim.create`, `bim.store`, `bim.mutate` (spec: ifc-sdk.md §3, §3.1, §8.2).

use std::fmt::Write as _;

use holdpoint_sandbox::child::Runner;
use holdpoint_sdk::members::{Method, sdk};
use serde_json::{Value, json};

use crate::{Case, HOUSE, code, program, run, run_program, value};

pub const CASES: &[Case] = &[
    ("written::create_needs_its_capability_and_parameters", create_needs_its_capability_and_parameters),
    ("written::what_create_writes_is_read_back", what_create_writes_is_read_back),
    ("written::handles_are_bounded_and_end", handles_are_bounded_and_end),
    ("written::where_numbers_end_a_change_is_a_limit", where_numbers_end_a_change_is_a_limit),
    ("written::a_written_file_has_the_date_of_its_host", a_written_file_has_the_date_of_its_host),
    ("written::store_needs_its_capability_and_parameters", store_needs_its_capability_and_parameters),
    ("written::changes_are_seen_and_taken_back", changes_are_seen_and_taken_back),
    ("written::targets_of_mutations_are_their_own", targets_of_mutations_are_their_own),
    ("written::a_failed_call_changes_nothing", a_failed_call_changes_nothing),
];

/// A value for a parameter of this name.
fn usual(name: &str) -> &'static str {
    match name {
        "Position" | "Start" | "Placement" => "[0, 0, 0]",
        "End" => "[4, 0, 3]",
        "Slope" => "0.5",
        "NumberOfRisers" => "4",
        "Profile" => "{ XDim: 0.2, YDim: 0.3 }",
        "IfcType" => "'IfcDuctSegment'",
        "OuterCurve" => "[[0, 0], [4, 0], [4, 3]]",
        "StartTime" => "'2026-01-01T08:00:00'",
        "Name" => "'N'",
        "Properties" => "{ A: 1, B: 'x' }",
        "Quantities" => "{ NetArea: 2.5 }",
        "WallThickness" | "WebThickness" | "FlangeThickness" => "0.02",
        _ => "0.3",
    }
}

/// Every alternative of a method's parameters.
fn params(method: &Method) -> Vec<String> {
    let requires = method.requires.as_deref().unwrap_or_default();
    let alternative = |names: &str| {
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        let mut object = String::from("{ ");
        for name in names {
            let _ = write!(object, "{name}: {}, ", usual(name));
        }
        object + "}"
    };
    requires.split('|').map(alternative).collect()
}

/// Arguments of a method of `create`, over `h` a handle, `s` a storey, `w` a wall, `t` and `u` tasks, `c` a schedule.
fn arguments(method: &Method) -> Vec<String> {
    let behind =
        |before: &str| params(method).into_iter().map(|params| format!("{before}{params}")).collect::<Vec<_>>();
    match method.name.as_str() {
        "project" => vec!["{ Name: 'P' }".to_owned()],
        "toIfc" | "getWorldPlacementId" => vec!["h".to_owned()],
        "addIfcBuildingStorey" | "addIfcTask" | "addIfcWorkSchedule" | "addIfcWorkPlan" => behind("h, "),
        "createProfile" => {
            vec!["h, { Radius: 0.2 }".to_owned(), "h, { OuterCurve: [[0, 0], [1, 0], [0, 1]] }".to_owned()]
        }
        "setColor" => vec!["h, w, 'red', [1, 0, 0]".to_owned()],
        "addIfcWallDoor" | "addIfcWallWindow" | "addIfcPropertySet" | "addIfcElementQuantity" | "addIfcMaterial" => {
            behind("h, w, ")
        }
        "addIfcRelSequence" => vec!["h, t, u, {}".to_owned()],
        "addIfcRelAssignsToControl" | "assignTasksToWorkSchedule" => vec!["h, c, [t, u]".to_owned()],
        "addIfcRelAssignsToProcess" | "assignProductsToTask" => vec!["h, t, [w]".to_owned()],
        "addIfcRelNests" | "nestTasks" => vec!["h, t, [u]".to_owned()],
        "assignSchedulesToWorkPlan" => vec!["h, p, [c]".to_owned()],
        _ => behind("h, s, "),
    }
}

const SETUP: &str = "const c$ = ctx.bim.create, h = c$.project({}), s = c$.addIfcBuildingStorey(h, { Elevation: 0 }),
    w = c$.addIfcWall(h, s, { Start: [0, 0, 0], End: [5, 0, 0], Thickness: 0.2, Height: 3 }),
    t = c$.addIfcTask(h, { Name: 'A' }), u = c$.addIfcTask(h, { Name: 'B' }),
    c = c$.addIfcWorkSchedule(h, { Name: 'S', StartTime: '2026-01-01' }),
    p = c$.addIfcWorkPlan(h, { Name: 'P', StartTime: '2026-01-01' });";

fn create_needs_its_capability_and_parameters(runner: &mut Runner) {
    let methods = &sdk().namespace("create").unwrap().methods;
    assert_eq!(methods.len(), 50);
    let (mut works, mut denied, mut wrong) = (String::new(), String::new(), String::new());
    for method in methods {
        let name = &method.name;
        for args in arguments(method) {
            let _ = write!(
                works,
                "try {{ c$.{name}({args}); if ('{name}' === 'toIfc') return out; }} catch (e) {{ out.push('{name}: ' + e.message); }}"
            );
            let _ = write!(denied, "try {{ ctx.bim.create.{name}({args}); out.push('{name}'); }} catch (e) {{
                if (e.code !== 'CAPABILITY_DENIED' || e.details.required !== 'model.create') out.push('{name} ' + e.message); }}");
        }
        if method.requires.is_some() {
            let args = arguments(method).remove(0);
            let args = args.split('{').next().unwrap_or_default();
            let _ = write!(
                wrong,
                "try {{ c$.{name}({args} {{}}); out.push('{name}'); }} catch (e) {{
                if (e.code !== 'SDK_ARGUMENT') out.push('{name} ' + e.code); }}"
            );
        }
    }
    // `toIfc` ends the handle, so that it stands last.
    let last = "out.push(typeof c$.toIfc(h).content); return out;";
    let works = works.replace(
        "try { c$.toIfc(h); if ('toIfc' === 'toIfc') return out; } catch (e) { out.push('toIfc: ' + e.message); }",
        "",
    );
    let body = format!("{SETUP} const out = []; {works} {last}");
    assert_eq!(value(runner, &body, &["model.create"]), json!(["string"]));
    let numbers = "const out = [], h = 1, s = 2, w = 3, t = 4, u = 5, c = 6, p = 7;";
    assert_eq!(value(runner, &format!("{numbers} {denied} return out;"), &["model.read", "model.delete"]), json!([]));
    assert_eq!(value(runner, &format!("{SETUP} const out = []; {wrong} return out;"), &["model.create"]), json!([]));
    for (call, want) in [
        ("c$.addIfcWall(h, 1, { Start: [0, 0, 0], End: [1, 0, 0], Thickness: 1, Height: 1 })", "SDK_NOT_FOUND"),
        ("c$.addIfcWall(99, s, { Start: [0, 0, 0], End: [1, 0, 0], Thickness: 1, Height: 1 })", "SDK_NOT_FOUND"),
        ("c$.addIfcWall(h, s, { Start: [0, 0, 0], End: [0, 0, 0], Thickness: 1, Height: 1 })", "SDK_ARGUMENT"),
        ("c$.addIfcWall(h, s, { Start: [0, 0, 0], End: [1, 0, 0], Thickness: -1, Height: 1 })", "SDK_ARGUMENT"),
        ("c$.addIfcWall(h, s, { Start: [0, 0, 0], End: [1, 0, 0], Thickness: NaN, Height: 1 })", "SDK_ARGUMENT"),
        ("c$.addIfcColumn(h, s, { Position: [0, Infinity, 0], Width: 1, Depth: 1, Height: 1 })", "SDK_ARGUMENT"),
        (
            "c$.addElement(h, s, { IfcType: 'IfcWal', Placement: [0, 0, 0], Profile: { Radius: 1 }, Depth: 1 })",
            "SDK_ARGUMENT",
        ),
        (
            "c$.addElement(h, s, { IfcType: 'IfcElement', Placement: [0, 0, 0], Profile: { Radius: 1 }, Depth: 1 })",
            "SDK_ARGUMENT",
        ),
        (
            "c$.addElement(h, s, { IfcType: 'IfcWall', Placement: [0, 0, 0], Profile: 12345, Depth: 1 })",
            "SDK_NOT_FOUND",
        ),
        ("c$.addIfcWallDoor(h, t, { Position: [0, 0, 0], Width: 1, Height: 1 })", "SDK_NOT_FOUND"),
        ("c$.setColor(h, w, 'x', [2, 0, 0])", "SDK_ARGUMENT"),
        (
            "c$.addIfcDoor(h, s, { Position: [0, 0, 0], Width: 1, Height: 1, PredefinedType: \"DOOR.'\" })",
            "SDK_ARGUMENT",
        ),
        ("c$.nestTasks(h, t, [t])", "SDK_ARGUMENT"),
        ("c$.project({ Schema: 'IFC5' })", "SDK_ARGUMENT"),
    ] {
        let have = value(
            runner,
            &format!("{SETUP} try {{ {call}; return 'fine'; }} catch (e) {{ return e.code; }}"),
            &["model.create"],
        );
        assert_eq!(have, json!(want), "{call}");
    }
}

fn what_create_writes_is_read_back(runner: &mut Runner) {
    let body = format!("{SETUP}
        c$.addIfcPropertySet(h, w, {{ Name: 'Pset_WallCommon', Properties: {{ FireRating: 'EI 60 å', LoadBearing: true, Count: 3, Ratio: 0.25 }} }});
        c$.addIfcElementQuantity(h, w, {{ Name: 'Q', Quantities: [{{ Name: 'Side', Value: 12.5, Kind: 'IfcQuantityArea' }}] }});
        c$.addIfcMaterial(h, w, {{ Name: 'Brick' }});
        const d = c$.addIfcWallDoor(h, w, {{ Position: [1, 0, 0], Width: 0.9, Height: 2.1, Name: 'D \\'1\\'' }});
        const r = c$.addIfcSpace(h, s, {{ Position: [0, 0, 0], Width: 4, Depth: 3, Height: 2.5, Name: 'Rum 1' }});
        c$.addIfcRelSequence(h, t, u, {{}}); c$.assignProductsToTask(h, t, [w]); c$.assignTasksToWorkSchedule(h, c, [t, u]);
        const made = c$.toIfc(h), id = ctx.bim.model.loadIfc(made.content, 'made.ifc'), q = ctx.bim.query, at = (n) => q.entity(id, n);
        const tasks = ctx.bim.schedule.tasks(id);
        return [id.length, ctx.bim.model.list().length, at(w).type, q.property(at(w), 'Pset_WallCommon', 'FireRating'),
            q.property(at(w), 'Pset_WallCommon', 'LoadBearing'), q.property(at(w), 'Pset_WallCommon', 'Count'),
            q.property(at(w), 'Pset_WallCommon', 'Ratio'), q.quantity(at(w), 'Q', 'Side'), q.materials(at(w)).name, at(d).name,
            q.storey(at(d)).ref.expressId === s, q.decomposes(at(s)).map((e) => e.name), q.relationships(at(w)).voids.length,
            tasks.map((t) => [t.name, t.schedules.length, t.products.length]), ctx.bim.schedule.sequences(id).length,
            made.entities.find((e) => e.expressId === d).type, made.stats.entityCount === ctx.bim.model.list()[1].entityCount];");
    let want = json!([
        16,
        2,
        "IfcWall",
        "EI 60 å",
        true,
        3,
        0.25,
        12.5,
        "Brick",
        "D '1'",
        true,
        ["Rum 1"],
        1,
        [["A", 1, 1], ["B", 1, 0]],
        1,
        "IfcDoor",
        true
    ]);
    assert_eq!(value(runner, &body, &["model.create", "model.read"]), want);
}

fn handles_are_bounded_and_end(runner: &mut Runner) {
    let body = "const c = ctx.bim.create; const one = c.project({}); for (let i = 0; i < 19; i++) c.project({});
        const out = []; const tried = (f) => { try { f(); out.push('fine'); } catch (e) { out.push(e.code); } };
        tried(() => c.project({})); tried(() => c.toIfc(one)); tried(() => c.project({})); tried(() => c.toIfc(one)); return out;";
    let want = json!(["SDK_LIMIT", "fine", "fine", "SDK_NOT_FOUND"]);
    assert_eq!(value(runner, body, &["model.create"]), want);
}

fn store_needs_its_capability_and_parameters(runner: &mut Runner) {
    let methods = &sdk().namespace("store").unwrap().methods;
    let adders: Vec<&Method> = methods.iter().filter(|method| method.requires.is_some()).collect();
    assert_eq!((methods.len(), adders.len()), (13, 10));
    for method in adders {
        let name = &method.name;
        let class = format!("Ifc{}", name.strip_prefix("add").unwrap());
        for params in params(method) {
            let body = format!(
                "const q = ctx.bim.query, s = q.storeys()[1], before = q.count('{class}');
                 const made = ctx.bim.store.{name}(s.ref.modelId, s.ref.expressId, {params});
                 return [q.count('{class}') - before, q.entity(made.modelId, made.expressId).type, q.storey(made).name];"
            );
            assert_eq!(
                value(runner, &body, &["model.read", "model.create"]),
                json!([1, class, "First floor"]),
                "{name} {params}"
            );
            let denied =
                run(runner, &format!("ctx.bim.store.{name}('{HOUSE}', 1, {params});"), &["model.read", "model.delete"]);
            assert_eq!(code(&denied), "CAPABILITY_DENIED", "{name}");
        }
        for (model, want) in [(HOUSE, "SDK_ARGUMENT"), ("none", "SDK_NOT_FOUND")] {
            let failed = run(runner, &format!("ctx.bim.store.{name}('{model}', 1, {{}});"), &["model.create"]);
            assert_eq!(failed.failure.unwrap().sdk_code.as_deref(), Some(want), "{name} in {model}");
        }
    }
    let body = "const q = ctx.bim.query, [w] = q.byType('IfcWall'), n = q.count('IfcWall'), st = ctx.bim.store;
        const p = st.addEntity(w.ref.modelId, { type: 'IfcGroup', attributes: { Name: 'G' } });
        st.addEntity(w.ref.modelId, { type: 'IfcRelAssignsToGroup', attributes: { RelatedObjects: [w], RelatingGroup: p } });
        const group = q.relationships(w).groups.map((g) => g.name); st.setPositionalAttribute(w, 2, 'Renamed');
        const name = q.entity(w.ref.modelId, w.ref.expressId).name; const gone = st.removeEntity(w);
        return [group, name, gone, n - q.count('IfcWall'), q.entity(w.ref.modelId, w.ref.expressId), q.contains(q.storeys()[0]).some((e) => e.globalId === w.globalId)];";
    let all = ["model.read", "model.create", "model.delete", "model.mutate:*"];
    let outcome = run(runner, body, &all);
    assert_eq!(outcome.value, Some(json!([["G"], "Renamed", true, 1, null, false])), "{:?}", outcome.failure);
    let ops: Vec<&Value> = outcome.effects.mutations.iter().map(|mutation| &mutation["op"]).collect();
    assert_eq!(ops, ["create", "create", "setAttribute", "delete"]);
    for (call, grant, want) in [
        ("removeEntity(w)", "model.create", "CAPABILITY_DENIED"),
        ("setPositionalAttribute(w, 2, 'x')", "model.mutate:A.B", "CAPABILITY_DENIED"),
        ("setPositionalAttribute(w, 99, 'x')", "model.mutate:*", "SDK_ARGUMENT"),
        ("setPositionalAttribute(w, 5, 4000000)", "model.mutate:*", "SDK_NOT_FOUND"),
        ("setPositionalAttribute(w, 5, true)", "model.mutate:*", "SDK_ARGUMENT"),
        ("addEntity(w.ref.modelId, { type: 'IfcElement', attributes: {} })", "model.create", "SDK_ARGUMENT"),
        ("addEntity(w.ref.modelId, { type: 'IfcGroup', attributes: { Nome: 'G' } })", "model.create", "SDK_ARGUMENT"),
        ("addEntity(w.ref.modelId, {})", "model.create", "SDK_ARGUMENT"),
    ] {
        let failed = run(
            runner,
            &format!("const [w] = ctx.bim.query.byType('IfcWall'); ctx.bim.store.{call};"),
            &["model.read", grant],
        );
        assert_eq!(failed.failure.unwrap().sdk_code.as_deref(), Some(want), "{call}");
    }
}

fn changes_are_seen_and_taken_back(runner: &mut Runner) {
    let body = "const q = ctx.bim.query, m = ctx.bim.mutate, [w, other] = q.byType('IfcWall'), p = () => q.property(w, 'P', 'A');
        const out = [p()]; m.setProperty(w, 'P', 'A', 1.5); out.push(p(), q.property(other, 'P', 'A')); m.setProperty(w, 'P', 'A', 'x'); out.push(p());
        out.push(m.undo(), p(), m.redo(), p(), m.undo(), m.undo(), p(), m.undo(), m.redo(), p(), m.redo(), m.redo());
        m.setAttribute(w, 'Name', 'Västra'); out.push(q.entity(w.ref.modelId, w.ref.expressId).name);
        out.push(m.deleteProperty(w, 'P', 'A'), p(), m.deleteProperty(w, 'P', 'A'), q.properties(w).some((s) => s.name === 'P'));
        return out;";
    let grants = ["model.read", "model.mutate:P.A", "model.mutate:Attribute.Name"];
    let outcome = run(runner, body, &grants);
    let want = json!([
        null, 1.5, null, "x", true, 1.5, true, "x", true, true, null, false, true, 1.5, true, false, "Västra", true,
        null, false, false
    ]);
    assert_eq!(outcome.value, Some(want), "{:?}", outcome.failure);
    let said: Vec<Value> =
        outcome.effects.mutations.iter().map(|said| json!([said["op"], said["name"], said["value"]])).collect();
    assert_eq!(
        said,
        [
            json!(["setProperty", "A", 1.5]),
            json!(["setProperty", "A", "x"]),
            json!(["setAttribute", "Name", "Västra"]),
            json!(["deleteProperty", "A", null])
        ]
    );
    let name = value(runner, "return ctx.bim.query.byType('IfcWall')[0].name;", &["model.read"]);
    assert_eq!(name, json!("Wall G1"), "the next call begins anew");
}

fn targets_of_mutations_are_their_own(runner: &mut Runner) {
    for (call, grant, neighbour) in [
        ("setProperty(w, 'P', 'A', 1)", "model.mutate:P.A", "model.mutate:P.B"),
        ("deleteProperty(w, 'P', 'A')", "model.mutate:P.*", "model.mutate:Q.*"),
        ("setAttribute(w, 'Tag', 'x')", "model.mutate:Attribute.Tag", "model.mutate:Attribute.Name"),
    ] {
        let body = format!("const [w] = ctx.bim.query.byType('IfcWall'); ctx.bim.mutate.{call};");
        assert_eq!(code(&run(runner, &body, &["model.read", grant])), "OK", "{call}");
        assert_eq!(code(&run(runner, &body, &["model.read", neighbour])), "CAPABILITY_DENIED", "{call}");
    }
    for (call, want) in [
        ("setProperty(w, 'P', 'A', {})", "SDK_ARGUMENT"),
        ("setProperty({ modelId: w.ref.modelId, expressId: 4000000 }, 'P', 'A', 1)", "SDK_NOT_FOUND"),
        ("setProperty({ modelId: 'none', expressId: 1 }, 'P', 'A', 1)", "SDK_NOT_FOUND"),
        ("setAttribute(w, 'LongName', 'x')", "SDK_ARGUMENT"),
        ("setAttribute(w, 'GlobalId', 'x')", "SDK_ARGUMENT"),
        ("undo(1)", "SDK_ARGUMENT"),
    ] {
        let body = format!("const [w] = ctx.bim.query.byType('IfcWall'); ctx.bim.mutate.{call};");
        let failed = run(runner, &body, &["model.read", "model.mutate:*"]);
        assert_eq!(failed.failure.unwrap().sdk_code.as_deref(), Some(want), "{call}");
    }
}

fn a_failed_call_changes_nothing(runner: &mut Runner) {
    let source = "export default (ctx) => { const [w] = ctx.bim.query.byType('IfcWall'); ctx.bim.mutate.setProperty(w, 'P', 'A', 1); throw new Error('no'); };";
    let outcome = run_program(runner, &program(source, &["model.read", "model.mutate:*"]));
    assert_eq!((code(&outcome), outcome.effects.mutations.len()), ("THREW", 0));
    let seen =
        value(runner, "return ctx.bim.query.property(ctx.bim.query.byType('IfcWall')[0], 'P', 'A');", &["model.read"]);
    assert_eq!(seen, json!(null));
}

fn where_numbers_end_a_change_is_a_limit(runner: &mut Runner) {
    let body = "const head = \"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;\", end = 'ENDSEC;END-ISO-10303-21;';
        const id = ctx.bim.model.loadIfc(head + \"#4294967295=IFCWALL('a',$,'W',$,$,$,$,$,$);\" + end, 'full.ifc');
        const out = []; const tried = (f) => { try { f(); out.push('done'); } catch (e) { out.push([e.code, e.details.limit]); } };
        tried(() => ctx.bim.store.addEntity(id, { type: 'IfcWall', attributes: {} }));
        tried(() => ctx.bim.mutate.setProperty({ modelId: id, expressId: 4294967295 }, 'Set', 'Name', 1));
        return [...out, ctx.bim.query.all().filter((e) => e.ref.modelId === id).length];";
    let want = json!([["SDK_LIMIT", 4_294_967_295_u32], ["SDK_LIMIT", 4_294_967_295_u32], 1]);
    assert_eq!(value(runner, body, &["model.create", "model.read", "model.mutate:*"]), want);
}

/// Tests have the clock of tests, and writing a file does not move it.
fn a_written_file_has_the_date_of_its_host(runner: &mut Runner) {
    let body = "const c = ctx.bim.create; const text = c.toIfc(c.project({})).content; const head = text.split(';');
        return [head.find((line) => line.includes('FILE_NAME')).split(\"'\")[3], Date.now() - 1767225600000];";
    assert_eq!(value(runner, body, &["model.create"]), json!(["2026-01-01T00:00:00", 0]));
    let production =
        "const c = ctx.bim.create; const text = c.toIfc(c.project({})).content; const head = text.split(';');
        const date = Date.parse(head.find((line) => line.includes('FILE_NAME')).split(\"'\")[3] + 'Z');
        return [Math.abs(Date.now() - date) < 60000, Date.now() > 1767225700000];";
    let mut program = program(&format!("export default function (ctx) {{ {production} }}"), &["model.create"]);
    program.seed = None;
    let outcome = runner.run(&[], &program).expect("the sandbox process works");
    assert_eq!(outcome.value, Some(json!([true, true])), "{:?}", outcome.failure);
}
