//! `build-runner --token-file FILE --cache FOLDER --registry ORIGIN`: the runner, until it is ended. With `jail` as its
//! first argument it is a process of a job instead. Prints one line of JSON when it listens.
#![allow(clippy::print_stdout)] // whoever starts it reads that line

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pico_args::Arguments;

use crate::jail::{self, Level};
use crate::{MachineOptions, PackageSet, Policy, RunnerOptions, Server};

const USAGE: &str = "build-runner --token-file FILE --cache FOLDER --registry ORIGIN
    [--listen ADDRESS] [--node PATH] [--npm-cli PATH] [--slots N] [--cache-mib N]
    [--isolation namespaces|landlock] [--no-isolation] [--with-parent] [--prepare FOLDER]…
Each FOLDER holds a package.json and a package-lock.json whose packages are installed at start.";
const SLOTS: usize = 2;
const CACHE_MIB: u64 = 8_192;

/// The program: `policy` is the check that every project has to pass.
pub fn main(policy: Policy) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Before any thread: a jail has one.
    if let Some(("jail", rest)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        return jail::run(rest);
    }
    match start(policy) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("build-runner: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(policy: Policy) -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = Arguments::from_env();
    if arguments.contains("--version") {
        println!("build-runner {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    let has_parent = arguments.contains("--with-parent");
    let folders: Vec<PathBuf> = arguments.values_from_str("--prepare")?;
    let prepared = folders.iter().map(|folder| package_set(folder)).collect::<Result<_, _>>()?;
    let options = read(&mut arguments).map_err(|error| format!("{error}\n{USAGE}"))?;
    let rest = arguments.finish();
    if !rest.is_empty() {
        return Err(format!("{rest:?} is not understood\n{USAGE}").into());
    }
    // What a killed job leaves comes to this process, which reaps it, and not to a first process that may not.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_child_subreaper(true)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::new(options, policy, prepared).await?;
        let line = serde_json::json!({ "address": server.address()?.to_string(), "isolation": server.level() });
        println!("{line}");
        if has_parent {
            std::thread::spawn(end_with_parent);
        }
        server.serve().await;
        Ok(())
    })
}

fn package_set(folder: &Path) -> Result<PackageSet, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    Ok(PackageSet { package: read("package.json")?, lock: read("package-lock.json")? })
}

/// Ends the runner when its standard input ends, which it does however the program behind it ends.
fn end_with_parent() {
    let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
    std::process::exit(0);
}

fn read(arguments: &mut Arguments) -> Result<RunnerOptions, Box<dyn std::error::Error>> {
    let token_file: PathBuf = arguments.value_from_str("--token-file")?;
    let token = std::fs::read_to_string(&token_file).map_err(|error| format!("{}: {error}", token_file.display()))?;
    let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let allows_no_isolation = arguments.contains("--no-isolation");
    let level = match arguments.opt_value_from_str::<_, String>("--isolation")?.as_deref() {
        None | Some("namespaces") => Level::Namespaces,
        Some("landlock") => Level::Landlock,
        Some("none") => Level::None,
        Some(other) => return Err(format!("there is no isolation `{other}`").into()),
    };
    Ok(RunnerOptions {
        listen: arguments.opt_value_from_str("--listen")?.unwrap_or(any_port),
        token: token.trim().to_owned(),
        machine: MachineOptions {
            cache: arguments.value_from_str("--cache")?,
            node: arguments.opt_value_from_str("--node")?.unwrap_or_else(|| PathBuf::from("node")),
            npm_cli: arguments.opt_value_from_str("--npm-cli")?,
            level,
        },
        registry: arguments.value_from_str("--registry")?,
        slots: arguments.opt_value_from_str("--slots")?.unwrap_or(SLOTS).max(1),
        cache_mib: arguments.opt_value_from_str("--cache-mib")?.unwrap_or(CACHE_MIB),
        allows_no_isolation,
    })
}
