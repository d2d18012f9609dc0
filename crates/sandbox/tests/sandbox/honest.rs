//! Honest programs that were written give in the sandbox what they give in Node.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use holdpoint_sandbox::child::Runner;
use serde_json::{Value, json};

use crate::{Case, program, programs::listed, run_program};

pub const CASES: &[Case] = &[
    ("honest::programs_give_what_node_gives", programs_give_what_node_gives),
    ("honest::every_run_is_the_same", every_run_is_the_same),
];

/// Reads programs from its input and answers what each gives.
const NODE: &str = "
let text = '';
for await (const part of process.stdin) text += part;
const answers = [];
for (const source of JSON.parse(text)) {
  try {
    const url = 'data:text/javascript,' + encodeURIComponent(source.includes('export') ? source : source + '\\nexport { run };');
    const module = await import(url);
    const entry = typeof module.default === 'function' ? module.default : module.run;
    const value = await entry();
    answers.push({ value: JSON.parse(JSON.stringify(value) ?? 'null') });
  } catch (error) { answers.push({ threw: String(error?.name) }); }
}
process.stdout.write(JSON.stringify(answers));
";

fn node(sources: &[String]) -> Vec<Value> {
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", NODE]).env("TZ", "UTC").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut node = node.spawn().expect("Node is part of the toolchain");
    node.stdin.take().unwrap().write_all(json!(sources).to_string().as_bytes()).unwrap();
    let answered = node.wait_with_output().unwrap();
    serde_json::from_slice(&answered.stdout).expect("Node answers JSON")
}

fn compare(runner: &mut Runner, programs: &[(String, String)]) {
    let sources: Vec<String> = programs.iter().map(|(_, source)| source.clone()).collect();
    let wanted = node(&sources);
    assert_eq!(wanted.len(), programs.len());
    let mut wrong = Vec::new();
    for ((title, source), wanted) in programs.iter().zip(wanted) {
        let outcome = run_program(runner, &program(source, &[]));
        let got = match &outcome.failure {
            None => json!({"value": outcome.value}),
            Some(failure) if failure.code == "THREW" => json!({"threw": failure.name.clone().unwrap_or_default()}),
            Some(failure) => json!({"failed": failure}),
        };
        if got != wanted {
            let more = outcome.failure.map(|failure| failure.message).unwrap_or_default();
            wrong.push(format!("{title}\n  sandbox {got} {more}\n  Node    {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

fn programs_give_what_node_gives(runner: &mut Runner) {
    let only = std::env::var("HOLDPOINT_ONLY").unwrap_or_default();
    let programs = listed("honest").into_iter().map(|one| (format!("{}: {}", one.class, one.title), one.source));
    let programs: Vec<_> = programs.filter(|(title, _)| title.contains(&only)).collect();
    assert!(programs.len() > 90 || !only.is_empty(), "{}", programs.len());
    compare(runner, &programs);
}

fn every_run_is_the_same(runner: &mut Runner) {
    for one in listed("honest") {
        let first = run_program(runner, &program(&one.source, &[]));
        let again = run_program(runner, &program(&one.source, &[]));
        assert_eq!((first.value, first.usage.fuel), (again.value, again.usage.fuel), "{}", one.title);
        assert!(first.usage.fuel > 0, "{}", one.title);
    }
}
