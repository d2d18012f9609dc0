//! The app builder on its tasks (spec: app-builder.md §13): a whole stack on a fresh state, and the rig beside it.
//!
//! A live model is whatever `UPSTREAM_BASE_URL` and `UPSTREAM_KEY` name; without `--model` the scripted one answers.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use pico_args::Arguments;

use crate::process::{Fault, cargo, root, run as run_to_end};
use crate::stack::{Options, Stack, free_port};
use crate::{Done, nothing_more, tools, wasm};

/// Where the stack keeps what it stores; emptied before, but for what npm keeps of its downloads.
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

/// Takes away what an earlier measurement stored, packages that were installed for builds among it: the first build with a
/// new one is measured too. Downloads stay, as they do with who builds every day.
fn forget(state: &Path) -> Result<(), Fault> {
    let runner = state.join("runner");
    let inside = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let kept = [runner.clone(), runner.join("npm")];
    for path in inside(state).chain(inside(&runner)).filter(|path| !kept.contains(path)) {
        if path.is_dir() { remove(&path)? } else { std::fs::remove_file(path)? }
    }
    Ok(())
}

/// Removes a folder, also one in which nobody may write: so are packages that were installed for builds.
fn remove(folder: &Path) -> Result<(), Fault> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let mut rights = std::fs::metadata(&folder)?.permissions();
        rights.set_mode(0o700);
        std::fs::set_permissions(&folder, rights)?;
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(std::fs::remove_dir_all(folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_forgotten_and_downloads_stay() {
        let state = std::env::temp_dir().join(format!("holdpoint-forgets-{}", std::process::id()));
        let layer = state.join("runner/layers/one/node_modules");
        std::fs::create_dir_all(&layer).unwrap();
        std::fs::create_dir_all(state.join("runner/npm")).unwrap();
        std::fs::create_dir_all(state.join("objects")).unwrap();
        std::fs::write(layer.join("x.js"), "").unwrap();
        std::fs::write(state.join("keys.json"), "{}").unwrap();
        std::fs::set_permissions(&layer, std::fs::Permissions::from_mode(0o500)).unwrap();
        forget(&state).unwrap();
        let left = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let (outer, inner): (Vec<_>, Vec<_>) = (left(&state), left(&state.join("runner")));
        assert_eq!((outer, inner), (vec!["runner".into()], vec!["npm".into()]));
        std::fs::remove_dir_all(state).unwrap();
    }
}
