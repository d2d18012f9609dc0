//! Hostile programs by class: each ends with its code and in its time, and the next one finds nothing of it. What they
//! ended with is kept for the same programs in Wasm.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use holdpoint_sandbox::{Outcome, Program, budget::Budget, child::Runner};
use holdpoint_sdk::run::Profile;
use serde_json::json;

use crate::{
    Case, code, program,
    programs::{Listed, listed},
    run_program,
};

pub const CASES: &[Case] = &[
    ("hostile::each_ends_as_it_must", each_ends_as_it_must),
    ("hostile::a_fault_is_forgotten_at_once", a_fault_is_forgotten_at_once),
];

/// What a program answers that tried to get out and could not.
const HELD: &str = "held";
/// What the wall clock ends a program with.
const TIMEOUT: &str = "TIMEOUT";
/// For a process to be ended and another one to begin, on a machine that does other things too.
const GRACE: Duration = Duration::from_secs(2);
/// What fuel and memory end, they end within this on a slow machine.
const PATIENCE: Duration = Duration::from_mins(1);
/// Calls after a fault; more by hand with `HOLDPOINT_FAULTS=1000`.
const FAULTS: usize = 60;

fn each_ends_as_it_must(runner: &mut Runner) {
    let limit = Duration::from_millis(Budget::of(Profile::DryRun).wall_ms) + GRACE;
    let only = std::env::var("HOLDPOINT_ONLY").unwrap_or_default();
    let mut patient = Runner::new().expect("this binary is known").patient(PATIENCE);
    let mut wrong = Vec::new();
    let mut kept = String::new();
    let programs: Vec<Listed> = listed("hostile").into_iter().filter(|one| one.title.contains(&only)).collect();
    assert!(programs.len() >= 200 || !only.is_empty(), "{}", programs.len());
    for Listed { class, title, source } in programs {
        let (wanted, title) = title.split_once(' ').expect("a title begins with a code");
        let program = program(&source, &["storage.local"]);
        let (mut outcome, took) = timed(runner, &program);
        if code(&outcome) == TIMEOUT && wanted != TIMEOUT {
            // The clock of a slow machine, or a program that its fuel does not end: that is late here too.
            (outcome, _) = timed(&mut patient, &program);
        }
        let held = wanted != "OK" || outcome.value == Some(json!(HELD));
        if wanted != code(&outcome) || !held || took > limit {
            let failure = outcome.failure.as_ref().map(|failure| &failure.message);
            wrong.push(format!(
                "{class}: {title}: {} in {took:?}, not {wanted}: {:?} {failure:?}",
                code(&outcome),
                outcome.value
            ));
        }
        let message = outcome.failure.as_ref().map(|failure| failure.message.as_str()).unwrap_or_default();
        assert!(!message.contains(".rs") && !message.contains("/rustc/"), "{title}: a build's path: {message}");
        let row = json!({"class": class, "title": title, "wanted": wanted, "program": program, "outcome": outcome,
                         "ms": took.as_secs_f64() * 1000.0});
        kept.push_str(&format!("{row}\n"));
    }
    if only.is_empty() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/sandbox-native.jsonl");
        fs::write(path, kept).expect("the target directory is there");
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn timed(runner: &mut Runner, program: &Program) -> (Outcome, Duration) {
    let begun = Instant::now();
    (run_program(runner, program), begun.elapsed())
}

/// Behind a passed limit and behind a process that ended, the next call works.
fn a_fault_is_forgotten_at_once(runner: &mut Runner) {
    let count = std::env::var("HOLDPOINT_FAULTS").ok().and_then(|count| count.parse().ok()).unwrap_or(FAULTS);
    let faults = [
        ("FUEL", "for (;;) {} export default () => 1;"),
        ("STACK", "const f = () => f() + 1; export default () => f();"),
        ("MEMORY", "export default () => { const k = []; for (;;) k.push({ k }); };"),
        ("MEMORY", "export default () => 'x'.repeat(1 << 29);"),
    ];
    let honest = program("export default () => 'works';", &[]);
    let mut times = Vec::new();
    for number in 0..count {
        let (wanted, source) = faults[number % faults.len()];
        let fault = run_program(runner, &program(source, &[]));
        assert_eq!(code(&fault), wanted, "{source}");
        let begun = Instant::now();
        let next = run_program(runner, &honest);
        times.push(begun.elapsed());
        assert_eq!(next.value, Some(json!("works")), "after {source}: {:?}", next.failure);
    }
    times.sort();
    let median = times[times.len() / 2];
    assert!(median < Duration::from_millis(100), "the call after a fault took {median:?}");
}
