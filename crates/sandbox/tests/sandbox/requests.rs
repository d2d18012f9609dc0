//! Requests of calls whose host sends them (spec: ifc-sdk.md §2): the test is the host.

use std::path::PathBuf;

use holdpoint_sandbox::{
    Activation, CallStep, Came, NetworkReply, NoAnswer, NoCallWaitsError, OpenRequest, Outcome, Program, Sandbox,
    Waits, child::Runner,
};
use holdpoint_sdk::run::NetworkResponse;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    Case,
    activation::{on_engine, several},
    code, ended, run_program,
};

pub const CASES: &[Case] = &[
    ("requests::calls_wait_and_go_on_as_they_are_told", calls_wait_and_go_on_as_they_are_told),
    ("requests::fuel_is_that_of_the_whole_call", fuel_is_that_of_the_whole_call),
    ("requests::memory_is_that_of_the_whole_call", memory_is_that_of_the_whole_call),
    ("requests::a_call_makes_sixty_at_most", a_call_makes_sixty_at_most),
    ("requests::answers_have_a_limit", answers_have_a_limit),
    ("requests::another_call_runs_while_one_waits", another_call_runs_while_one_waits),
    ("requests::a_call_that_never_goes_on_leaves_nothing", a_call_that_never_goes_on_leaves_nothing),
    ("requests::nobody_sends_at_the_end_or_on_the_command_line", nobody_sends_at_the_end_or_on_the_command_line),
    ("requests::replies_go_to_calls_that_wait", replies_go_to_calls_that_wait),
];

const GRANT: &str = "network.fetch:a.example.org";

/// A call, what its host replies, and what came of each step. The same file is run in Wasm (`tests/wasm`).
#[derive(Deserialize)]
struct Told {
    name: String,
    source: String,
    granted: Vec<String>,
    replies: Vec<Vec<NetworkReply>>,
    steps: Vec<Value>,
}

fn calls_wait_and_go_on_as_they_are_told(_: &mut Runner) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/requests.json");
    let cases: Vec<Told> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for Told { name, source, granted, replies, steps } in cases {
        let grants: Vec<&str> = granted.iter().map(String::as_str).collect();
        let mut program = several(&source, "run", &grants);
        program.seed = None;
        let have = on_engine(|sandbox| {
            let mut activation = Activation::default();
            let mut have = vec![shown(&activation.call(sandbox, &program))];
            for replies in replies {
                have.push(shown(&activation.resume(&replies).unwrap()));
            }
            have
        });
        assert_eq!(json!(have), json!(steps), "{name}");
    }
}

/// A step as the file has it.
fn shown(step: &CallStep) -> Value {
    #[derive(Serialize)]
    struct Asked<'r>(u32, &'r str, &'r str);
    match step {
        CallStep::Waits(Waits { requests, alone }) => {
            let requests = requests.iter().map(|OpenRequest { id, request }| Asked(*id, &request.method, &request.url));
            json!({"waits": requests.collect::<Vec<_>>(), "alone": alone})
        }
        CallStep::Ended(outcome) => {
            let failed = outcome.failure.as_ref().map(|failure| failure.sdk_code.as_ref().unwrap_or(&failure.code));
            let Outcome { value, effects, usage, .. } = &**outcome;
            let (requests, mutations) = (effects.requests.len(), effects.mutations.len());
            json!({"value": value, "failed": failed, "requests": requests, "mutations": mutations, "fuel": usage.fuel})
        }
    }
}

fn reply(id: u32, body: &str) -> NetworkReply {
    let response = NetworkResponse { status: 200, headers: Map::new(), body: body.to_owned() };
    NetworkReply { id, came: Came::Response(response) }
}

fn asking(body: &str) -> Program {
    let source = format!(
        "export default async (ctx, args) => {{ const ask = (n) => ctx.fetch('https://a.example.org/' + n); {body} }}"
    );
    let mut program = several(&source, "run", &[GRANT, "model.read", "model.mutate:P.*"]);
    program.seed = None;
    program
}

/// One call, each of whose requests is answered with `body`.
fn answered(sandbox: &Sandbox, activation: &mut Activation, program: &Program, body: &str) -> Outcome {
    let mut step = activation.call(sandbox, program);
    loop {
        match step {
            CallStep::Ended(outcome) => return *outcome,
            CallStep::Waits(Waits { requests, .. }) => {
                let replies: Vec<NetworkReply> = requests.iter().map(|request| reply(request.id, body)).collect();
                step = activation.resume(&replies).unwrap();
            }
        }
    }
}

fn fuel_is_that_of_the_whole_call(_: &mut Runner) {
    let part = "let n = 0; for (let i = 0; i < 2500000; i++) n += i; await ask(1); for (let i = 0; i < 2500000; i++) n += i; await ask(2);";
    let (two, three, next) = on_engine(|sandbox| {
        let mut activation = Activation::default();
        let two = answered(sandbox, &mut activation, &asking(part), "");
        let more = format!("{part} for (let i = 0; i < 2500000; i++) n += i;");
        let mut activation = Activation::default();
        let three = answered(sandbox, &mut activation, &asking(&more), "");
        (two, three, answered(sandbox, &mut activation, &asking("return 'again';"), ""))
    });
    assert_eq!((code(&two), code(&three), three.effects.requests.len()), ("OK", "FUEL", 0));
    assert!(two.usage.fuel > 5_000_000, "{} units of both parts", two.usage.fuel);
    assert_eq!(next.value, Some(json!("again")), "the next realm is a fresh one");
}

fn memory_is_that_of_the_whole_call(_: &mut Runner) {
    let keeps =
        "const all = []; for (let i = 0; i < 20; i++) all.push(await (await ask(i)).text()); return all.length;";
    let drops = "let n = 0; for (let i = 0; i < 20; i++) n += (await (await ask(i)).text()).length; return n;";
    let body = "x".repeat(5 * 1024 * 1024);
    let (kept, dropped) = on_engine(|sandbox| {
        let run = |body_of: &str| answered(sandbox, &mut Activation::default(), &asking(body_of), &body);
        (run(keeps), run(drops))
    });
    assert_eq!(code(&kept), "MEMORY");
    assert_eq!(dropped.value, Some(json!(20 * body.len())), "{:?}", dropped.failure);
    assert!(dropped.usage.peak_bytes > body.len() as u64, "{} bytes", dropped.usage.peak_bytes);
}

fn a_call_makes_sixty_at_most(_: &mut Runner) {
    let body = "let n = 0; try { for (;;) { await ask(n); n += 1; } } catch (error) { return [n, error.code, error.details.limit]; }";
    let outcome = on_engine(|sandbox| answered(sandbox, &mut Activation::default(), &asking(body), ""));
    assert_eq!(outcome.value, Some(json!([60, "SDK_LIMIT", 60])));
}

fn answers_have_a_limit(_: &mut Runner) {
    let body = "try { await ask(1); } catch (error) { return [error.code, error.details.limit]; }";
    let large = "x".repeat(5 * 1024 * 1024 + 1);
    let outcome = on_engine(|sandbox| answered(sandbox, &mut Activation::default(), &asking(body), &large));
    assert_eq!(outcome.value, Some(json!(["SDK_LIMIT", large.len() - 1])));
}

/// Reads the property `P.A` of the first wall, or sets it.
const WALL: &str = "const wall = ctx.bim.query.byType('IfcWall')[0];";

fn another_call_runs_while_one_waits(_: &mut Runner) {
    let waits = asking(&format!(
        "{WALL} await ask(1); ctx.bim.mutate.setProperty(wall, 'P', 'A', 'first'); throw new Error('no');"
    ));
    let writes = asking(&format!("{WALL} ctx.bim.mutate.setProperty(wall, 'P', 'A', 'second'); return 'wrote';"));
    let reads = asking(&format!("{WALL} return ctx.bim.query.property(wall, 'P', 'A');"));
    let (alone, wrote, failed, read) = on_engine(|sandbox| {
        let (mut one, mut other) = (Activation::default(), Activation::default());
        let CallStep::Waits(Waits { alone, .. }) = one.call(sandbox, &waits) else { panic!("it asks") };
        let wrote = ended(other.call(sandbox, &writes)).value;
        let failed = ended(one.resume(&[reply(1, "")]).unwrap());
        (alone, wrote, failed, ended(Activation::default().call(sandbox, &reads)).value)
    });
    assert_eq!((alone, wrote, code(&failed)), (false, Some(json!("wrote")), "THREW"));
    assert_eq!(read, Some(json!("second")), "what failed took back its own change, and no other's");
}

/// A way in which a call that waits never goes on.
type End = fn(Activation, &Sandbox, &Program);

fn a_call_that_never_goes_on_leaves_nothing(_: &mut Runner) {
    let waits = asking(&format!("{WALL} ctx.bim.mutate.setProperty(wall, 'P', 'A', 'new'); await ask(1);"));
    let reads = asking(&format!("{WALL} return ctx.bim.query.property(wall, 'P', 'A');"));
    let read = |sandbox: &Sandbox| ended(Activation::default().call(sandbox, &reads)).value;
    let ends: [(&str, End); 4] = [
        ("dropped", |activation, _, _| drop(activation)),
        ("called again", |mut activation, sandbox, program| {
            activation.call(sandbox, program);
        }),
        ("ended", |activation, sandbox, program| {
            let mut bare = program.clone();
            bare.entry.module = String::new();
            activation.end(sandbox, &bare);
        }),
        ("out of steps", |mut activation, _, _| {
            let outcome = ended(activation.resume(&[reply(1, "")]).unwrap());
            assert_eq!(code(&outcome), "FUEL");
        }),
    ];
    for (how, end) in ends {
        let (alone, value, live) = on_engine(|sandbox| {
            let mut program = waits.clone();
            if how == "out of steps" {
                program = asking(&format!(
                    "{WALL} ctx.bim.mutate.setProperty(wall, 'P', 'A', 'new'); await ask(1); for (;;);"
                ));
            }
            assert_eq!(read(sandbox), Some(Value::Null));
            let before = holdpoint_heap::live();
            let mut activation = Activation::default();
            let CallStep::Waits(Waits { alone, .. }) = activation.call(sandbox, &program) else { panic!("it asks") };
            end(activation, sandbox, &program);
            (alone, read(sandbox), holdpoint_heap::live().saturating_sub(before))
        });
        assert!(alone, "{how}: it has changed the model");
        assert_eq!(value, Some(Value::Null), "{how}");
        assert!(live < 2 * 1024 * 1024, "{how}: {live} bytes are left");
    }
}

fn nobody_sends_at_the_end_or_on_the_command_line(runner: &mut Runner) {
    let source =
        "export function run() {} async function deactivate(ctx) { await ctx.fetch('https://a.example.org/'); }";
    let mut program = several(source, "deactivate", &[GRANT]);
    program.seed = None;
    let end = on_engine(|sandbox| Activation::default().end(sandbox, &program));
    let alone = run_program(runner, &asking("await ask(1);"));
    for outcome in [end, alone] {
        assert_eq!(outcome.failure.unwrap().sdk_code.as_deref(), Some("SDK_UNAVAILABLE"));
    }
}

fn replies_go_to_calls_that_wait(_: &mut Runner) {
    on_engine(|sandbox| {
        let mut activation = Activation::default();
        assert_eq!(activation.resume(&[reply(1, "")]), Err(NoCallWaitsError));
        let held = vec![NetworkReply { id: 1, came: Came::Failure(NoAnswer::Held) }];
        let failed = asking("await ask(1);");
        assert!(matches!(activation.call(sandbox, &failed), CallStep::Waits(_)));
        let outcome = ended(activation.resume(&held).unwrap());
        let failure = outcome.failure.unwrap();
        assert_eq!(
            (failure.sdk_code.as_deref(), failure.details),
            (Some("NETWORK_HELD"), Some(json!({"call": "ctx.fetch", "host": "a.example.org"})))
        );
        assert_eq!(activation.resume(&[reply(1, "")]), Err(NoCallWaitsError), "it has ended");
    });
}
