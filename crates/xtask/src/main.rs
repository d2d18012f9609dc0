//! Development tasks: the build system of the project, in Rust.
//!
//! Owns how things are built, started, tested and checked; a new machine needs Rust, Node and git, everything else is
//! installed by [`tools`]. `ci` is exactly what runs before anything lands.
#![allow(clippy::print_stdout)] // a task talks to the person who started it

mod bench;
mod ci;
mod corpus;
mod dev;
mod fixtures;
mod generate;
mod http;
mod licences;
mod lock;
mod metadata;
mod native;
mod own;
mod process;
mod runner;
mod serve;
mod shots;
mod sizes;
mod stack;
mod test;
mod tidy;
mod tools;
mod wasm;
mod watch;
mod web;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use pico_args::Arguments;

use crate::process::Fault;

const TASKS: &str = "\
cargo xtask TASK

  dev [--port N]              set everything up and run the product, rebuilding what changes; the next free port where
                              N (8787) is taken
  serve --port N --state DIR  run the optimised product on a state folder that survives restarts; prints one JSON line
                              when it answers
  build                       build the optimised Worker and the pages, as they are deployed
  test [FILE...]              set up what tests need and run all of them: native, Wasm, workerd, browser; or only the
                              files of `tests/` that are named
  ci                          everything that must hold before a change lands; the last step is `test`
  generate                    write generated files: type declarations, the reference, third-party notices, sizes
  wasm [NAME...]              build the Wasm modules of development: those named, else all
  fixtures [--size MB]        write the canonical fixtures from their data, or a model of so many megabytes
  shots                       write a picture of every state of the page to target/shots/; documents' own are renewed
  bench RIG                   measure; `bench` alone lists the rigs
  clean                       remove what was built or installed inside the project";

/// What a call of this program that cannot be read ends with, as of every command line.
const WRONG_USAGE: u8 = 2;

fn main() -> ExitCode {
    match run(Arguments::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fault::Usage(text)) => {
            eprintln!("{text}");
            ExitCode::from(WRONG_USAGE)
        }
        Err(fault) => {
            eprintln!("\nxtask: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut words: Arguments) -> Done {
    if words.contains(["-V", "--version"]) {
        println!("cargo xtask {}", env!("CARGO_PKG_VERSION"));
        return Ok(());
    }
    if words.contains(["-h", "--help"]) {
        println!("{TASKS}");
        return Ok(());
    }
    let task = words.subcommand()?.ok_or_else(|| Fault::Usage(TASKS.to_owned()))?;
    match task.as_str() {
        "dev" => {
            let port = words.opt_value_from_str("--port")?.unwrap_or(8787);
            nothing_more(words)?;
            dev::run(port)
        }
        "serve" => {
            let (port, state) = (words.value_from_str("--port")?, words.value_from_str::<_, PathBuf>("--state")?);
            nothing_more(words)?;
            serve::run(port, &state)
        }
        "fixtures" => {
            let size = words.opt_value_from_str("--size")?;
            nothing_more(words)?;
            fixtures::start(size)
        }
        "wasm" => wasm::some(&rest(words)?),
        "test" => match rest(words)?.as_slice() {
            [] => test::run(),
            files => test::some(files),
        },
        "bench" => bench::run(words),
        plain => {
            nothing_more(words)?;
            match plain {
                "build" => serve::prepare(),
                "ci" => ci::run(),
                "generate" => generate::write(),
                "shots" => shots::run(),
                "clean" => tools::clean(),
                _ => Err(Fault::Usage(format!("There is no task `{plain}`.\n\n{TASKS}"))),
            }
        }
    }
}

/// A fault where words are left that the task does not know.
fn nothing_more(words: Arguments) -> Done {
    match words.finish().as_slice() {
        [] => Ok(()),
        [first, ..] => Err(Fault::Usage(format!("This task knows nothing of `{}`.\n\n{TASKS}", first.display()))),
    }
}

/// The words that are left, which must be text.
fn rest(words: Arguments) -> Result<Vec<String>, Fault> {
    let text =
        |word: OsString| word.into_string().map_err(|word| Fault::Usage(format!("{} is no text.", word.display())));
    words.finish().into_iter().map(text).collect()
}

/// A task's outcome.
pub type Done = Result<(), Fault>;
