//! Calls in a child process: escapes, budgets, the SDK. A harness of its own, because a runner starts this binary again.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a test stops where its ground gives way

use std::{collections::BTreeMap, io};

use holdpoint_kind_extension::testing::{MeteredCode, metered};
use holdpoint_sandbox::{
    CallStep, ModelFile, Outcome, Program,
    child::{Runner, SUBCOMMAND, serve},
};
use holdpoint_sdk::run::{Entry, EntryKind, Meta, Profile, Selected};
use serde_json::{Value, json};

#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

#[path = "sandbox/activation.rs"]
mod activation;
#[path = "sandbox/budgets.rs"]
mod budgets;
#[path = "sandbox/corpus.rs"]
mod corpus;
#[path = "sandbox/drawn.rs"]
mod drawn;
#[path = "sandbox/entities.rs"]
mod entities;
#[path = "sandbox/escapes.rs"]
mod escapes;
#[path = "sandbox/honest.rs"]
mod honest;
#[path = "sandbox/hostile.rs"]
mod hostile;
#[path = "sandbox/large.rs"]
mod large;
#[path = "sandbox/members.rs"]
mod members;
#[path = "sandbox/models.rs"]
mod models;
#[path = "sandbox/programs.rs"]
mod programs;
#[path = "sandbox/requests.rs"]
mod requests;
#[path = "sandbox/rules.rs"]
mod rules;
#[path = "sandbox/written.rs"]
mod written;

/// A test: its name and what it asks of a runner.
pub type Case = (&'static str, fn(&mut Runner));

fn main() {
    if std::env::args().nth(1).as_deref() == Some(SUBCOMMAND) {
        // Secrets of the parent are none of its children's business.
        assert!(std::env::vars_os().next().is_none(), "a child has an empty environment");
        serve(io::stdin(), io::stdout()).expect("the pipe to the parent works");
        return;
    }
    // `cargo test NAME` and `--list` as the usual harness has them.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let listing = std::env::args().any(|argument| argument == "--list");
    let cases: Vec<Case> = [
        escapes::CASES,
        budgets::CASES,
        activation::CASES,
        requests::CASES,
        members::CASES,
        honest::CASES,
        drawn::CASES,
        hostile::CASES,
        corpus::CASES,
        rules::CASES,
        models::CASES,
        entities::CASES,
        large::CASES,
        written::CASES,
    ]
    .concat();
    let chosen =
        cases.iter().filter(|(name, _)| arguments.is_empty() || arguments.iter().any(|part| name.contains(part)));
    let (mut passed, mut failed) = (0, 0);
    let mut runner = Runner::new().expect("this binary is known");
    for (name, case) in chosen {
        if listing {
            println!("{name}: test");
            continue;
        }
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(&mut runner)));
        println!("test {name} ... {}", if outcome.is_ok() { "ok" } else { "FAILED" });
        if outcome.is_ok() { passed += 1 } else { failed += 1 }
    }
    if listing {
        return;
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out");
    assert_eq!(failed, 0, "tests failed");
}

/// A program with one module, all grants that are named, and a deterministic clock.
pub fn program(source: &str, grants: &[&str]) -> Program {
    let files = BTreeMap::from([("src/a.js".to_owned(), source.to_owned())]);
    let entry = Entry { module: "src/a.js".to_owned(), function: "run".to_owned() };
    let MeteredCode { modules, metering } = metered(&files, &entries("src/a.js"));
    Program {
        modules,
        metering,
        entry,
        kind: EntryKind::Command,
        args: None,
        commands: BTreeMap::new(),
        further: Vec::new(),
        docks: vec!["dock".to_owned()],
        grants: grants.iter().map(|grant| (*grant).to_owned()).collect(),
        models: None,
        active_model: None,
        selection: Vec::<Selected>::new(),
        storage: BTreeMap::new(),
        files: BTreeMap::new(),
        network: None,
        lenses: Vec::new(),
        camera: None,
        saved: None,
        l10n: BTreeMap::new(),
        meta: Meta {
            extension_id: "t.meta".to_owned(),
            version: "1.0.0".to_owned(),
            sdk_version: "1.0.0".to_owned(),
            locale: "en".to_owned(),
        },
        profile: Profile::DryRun,
        seed: Some("a test".to_owned()),
    }
}

/// Every function of a module that a host may call.
fn entries(module: &str) -> Vec<Entry> {
    let named = |function: &str| Entry { module: module.to_owned(), function: function.to_owned() };
    ["run", "activate", "deactivate"].map(named).into()
}

/// Puts one more module into a program.
pub fn add(program: &mut Program, path: &str, text: &str) {
    let files = BTreeMap::from([(path.to_owned(), text.to_owned())]);
    let MeteredCode { modules, metering } = metered(&files, &entries(path));
    assert_eq!(metering.prefix, program.metering.prefix, "no test uses names of the metering beside other modules");
    program.modules.extend(modules);
    program.metering.moved.extend(metering.moved);
}

/// The id of `house-small`: 16 hex of the SHA-256 of its file.
pub const HOUSE: &str = "32c5b5b24ad244a2";

/// The file of a canonical fixture.
pub fn fixture(id: &str) -> ModelFile {
    let text = holdpoint_model::fixtures::write(id).expect("a canonical fixture");
    ModelFile { name: format!("{id}.ifc"), bytes: text.into() }
}

/// Runs a function body with `ctx` and `args`.
pub fn run(runner: &mut Runner, body: &str, grants: &[&str]) -> Outcome {
    let source = format!("export default async function (ctx, args) {{ {body} }}");
    run_program(runner, &program(&source, grants))
}

/// Runs a program on `house-small`.
pub fn run_program(runner: &mut Runner, program: &Program) -> Outcome {
    runner.run(&[fixture("house-small")], program).expect("the sandbox process works")
}

/// The value that a body answers.
pub fn value(runner: &mut Runner, body: &str, grants: &[&str]) -> Value {
    let outcome = run(runner, body, grants);
    outcome.value.unwrap_or_else(|| json!({"failed": outcome.failure}))
}

/// How a call ended that waits for nothing.
pub fn ended(step: CallStep) -> Outcome {
    match step {
        CallStep::Ended(outcome) => *outcome,
        CallStep::Waits(waits) => panic!("it waits for {:?}", waits.requests),
    }
}

/// The code with which a body fails.
pub fn code(outcome: &Outcome) -> &str {
    outcome.failure.as_ref().map_or("OK", |failure| failure.code.as_str())
}
