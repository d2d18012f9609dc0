//! Programs that `tests/programs/drawn` draws by a seed: each is checked and metered as a bundle's code is, and gives
//! what Node gives. More than a suite has time for: `HOLDPOINT_DRAWN=5000`, from another seed on `HOLDPOINT_FIRST=500`.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use holdpoint_kind_extension::testing;
use holdpoint_sandbox::child::Runner;
use holdpoint_sdk::run::{Profile, Program};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Case;

pub const CASES: &[Case] = &[("drawn::programs_give_what_node_gives", programs_give_what_node_gives)];

/// Programs of a suite.
const COUNT: usize = 500;
/// Of a thousand programs so many may be refused, and so many may meet a limit of the sandbox or none in Node.
const MAX_REFUSED: usize = 20;
const MAX_UNDECIDED: usize = 20;

#[derive(Deserialize)]
struct Drawn {
    seed: u64,
    source: String,
    /// What Node gave, if it gave anything in time.
    answer: Option<Answer>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Value { value: Value },
    Threw { threw: String },
}

/// What became of a program in the sandbox.
enum Became {
    Answer(Value),
    Refused(Vec<String>),
    Limited(String),
}

fn draw(first: usize, count: usize) -> Child {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut node = Command::new("node");
    node.args(["--import", "tsx", "tests/programs/drawn/main.ts", &first.to_string(), &count.to_string()]);
    node.current_dir(root).env("TZ", "UTC").stdout(Stdio::piped());
    node.spawn().expect("Node is part of the toolchain")
}

fn programs_give_what_node_gives(runner: &mut Runner) {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let count = number("HOLDPOINT_DRAWN").unwrap_or(COUNT);
    let mut node = draw(number("HOLDPOINT_FIRST").unwrap_or_default(), count);
    let lines = BufReader::new(node.stdout.take().unwrap()).lines();
    let (mut equal, mut wrong, mut undecided) = (0, Vec::new(), BTreeMap::new());
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let Drawn { seed, source, answer } = serde_json::from_str(&line.unwrap()).expect("a line is a program");
        let wanted = match answer {
            Some(Answer::Value { value }) => json!({"value": value}),
            Some(Answer::Threw { threw }) if threw != "SyntaxError" => json!({"threw": threw}),
            _ => {
                *undecided.entry("Node".to_owned()).or_insert(0_usize) += 1;
                continue;
            }
        };
        match run(runner, &source) {
            Became::Answer(got) if got == wanted => equal += 1,
            Became::Answer(got) => wrong.push(format!("{seed}: {}", difference(&got, &wanted))),
            Became::Refused(codes) => codes.into_iter().for_each(|code| *refused.entry(code).or_default() += 1),
            Became::Limited(code) => *undecided.entry(code).or_default() += 1,
        }
    }
    assert!(node.wait().unwrap().success(), "the programs were drawn");
    println!("{equal} of {count} equal; refused {refused:?}; undecided {undecided:?}");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused.values().sum::<usize>() * 1_000 <= count * MAX_REFUSED, "{refused:?}");
    assert!(undecided.values().sum::<usize>() * 1_000 <= count * MAX_UNDECIDED, "{undecided:?}");
}

fn run(runner: &mut Runner, source: &str) -> Became {
    let program = match checked(source) {
        Ok(program) => program,
        Err(codes) => return Became::Refused(codes),
    };
    let outcome = runner.run(&[], &program).expect("the sandbox process works");
    match outcome.failure {
        None => Became::Answer(json!({"value": outcome.value})),
        Some(failure) if failure.code == "THREW" => Became::Answer(json!({"threw": failure.name.unwrap_or_default()})),
        Some(failure) if ["FUEL", "MEMORY", "STACK", "TIMEOUT"].contains(&&*failure.code) => {
            Became::Limited(failure.code)
        }
        Some(failure) => Became::Answer(json!({"failed": failure})),
    }
}

/// The program of a bundle with one command, or the codes for which it is refused.
fn checked(source: &str) -> Result<Program, Vec<String>> {
    let manifest = json!({
        "manifestVersion": 1, "id": "a.b", "name": "A", "description": "B.", "version": "1.0.0",
        "engines": {"ifcLiteSdk": "^1.0.0"}, "capabilities": [], "activation": [],
        "entry": {"commands": {"a.b": "src/a.js"}}, "contributes": {"commands": [{"id": "a.b", "title": "A"}]},
        "tests": [{"name": "t", "command": "a.b", "fixture": "empty-model", "expect": {"type": "array"}}],
    });
    let files = [("manifest.json".to_owned(), manifest.to_string()), ("src/a.js".to_owned(), source.to_owned())];
    let plan = testing::prepare(&files.into(), Profile::DryRun)
        .map_err(|report| report.diagnostics.iter().map(|finding| finding.code.to_string()).collect::<Vec<_>>())?;
    Ok(plan.runs.into_iter().next().expect("one test is one run").program)
}

/// The first line of two logs that differs.
fn difference(got: &Value, wanted: &Value) -> String {
    let (lines, others) = (got["value"].as_array(), wanted["value"].as_array());
    let (Some(lines), Some(others)) = (lines, others) else { return format!("{got} instead of {wanted}") };
    let at = lines.iter().zip(others).take_while(|(line, other)| line == other).count();
    format!("line {at}: {:?} instead of {:?}", lines.get(at), others.get(at))
}
