//! The app builder on its tasks (spec: app-builder.md §13): a whole stack on a fresh state, and the rig beside it.
//!
//! A live model is whatever `UPSTREAM_BASE_URL` and `UPSTREAM_KEY` name; without `--model` the scripted one answers.

use std::path::Path;

use pico_args::Arguments;

use crate::process::{Fault, cargo, root, run as run_to_end};
use crate::stack::{Options, Stack, free_port};
use crate::{Done, nothing_more, tools, wasm};

/// Where the stack keeps what it stores; emptied before, but for the packages of builds.
const STATE: &str = "target/bench/apps";
const PORT: u16 = 8_900;

/// What is asked of the rig.
struct Asked {
    model: Option<String>,
    repeat: usize,
    builds: usize,
    json: bool,
}

/// Builds the edge as it is deployed, starts all, measures, ends all.
pub fn run(mut words: Arguments) -> Done {
    let asked = Asked {
        model: words.opt_value_from_str("--model")?,
        repeat: words.opt_value_from_str("--repeat")?.unwrap_or(1),
        builds: words.opt_value_from_str("--builds")?.unwrap_or(0),
        json: words.contains("--json"),
    };
    nothing_more(words)?;
    if asked.model.is_some() && std::env::var_os("UPSTREAM_BASE_URL").is_none() {
        return Err(Fault::Usage("A live model is asked where UPSTREAM_BASE_URL and UPSTREAM_KEY say.".to_owned()));
    }
    tools::wasm_target()?;
    tools::npm_packages()?;
    let chromium = tools::chromium()?;
    wasm::edge()?;
    let state = root().join(STATE);
    forget(&state)?;
    let options = Options {
        port: free_port(PORT)?,
        state,
        dev: false,
        model_server: tools::model_server()?,
        runner: Some(tools::build_runner()?),
        model: asked.model.clone(),
    };
    let mut rig = cargo();
    rig.args(["run", "--quiet", "--release", "--package", "holdpoint-bench", "--", "apps"]);
    let stack = Stack::start(options)?;
    rig.arg("--origin").arg(stack.origin()).arg("--keys-file").arg(stack.keys_file()).args(asked.words());
    run_to_end(rig.env(tools::CHROMIUM, chromium))
}

impl Asked {
    fn words(&self) -> Vec<String> {
        let Self { model, repeat, builds, json } = self;
        let mut given: Vec<String> = Vec::new();
        given.extend(model.iter().flat_map(|model| ["--model".to_owned(), model.clone()]));
        given.extend(["--repeat".to_owned(), repeat.to_string(), "--builds".to_owned(), builds.to_string()]);
        let command = format!("cargo xtask bench apps {}", given.join(" "));
        given.extend(["--command".to_owned(), command]);
        given.extend(json.then(|| "--json".to_owned()));
        given
    }
}

/// Takes away what an earlier measurement stored; packages stay, as they do with who builds every day.
fn forget(state: &Path) -> Result<(), Fault> {
    let entries = std::fs::read_dir(state).into_iter().flatten().flatten();
    for path in entries.filter(|entry| entry.file_name() != "runner").map(|entry| entry.path()) {
        if path.is_dir() { std::fs::remove_dir_all(path)? } else { std::fs::remove_file(path)? }
    }
    Ok(())
}
