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
mod process;
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

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::process::Fault;

/// Development tasks of Holdpoint.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Set everything up and run the product, rebuilding what changes.
    Dev {
        /// The port of the page; the next free one when it is taken.
        #[arg(long, default_value_t = 8787)]
        port: u16,
    },
    /// Run the optimised product on a state folder that survives restarts; prints one JSON line when it answers.
    Serve {
        /// The port of page and API.
        #[arg(long)]
        port: u16,
        /// The folder of databases and tokens.
        #[arg(long)]
        state: std::path::PathBuf,
    },
    /// Set up what tests need and run all of them: native, Wasm, workerd, browser.
    Test,
    /// Everything that must hold before a change lands; the last step is `test`.
    Ci,
    /// Write the canonical fixtures from their data.
    Fixtures {
        /// Write a model of so many megabytes instead: the storeys of a real file, again and again.
        #[arg(long)]
        size: Option<usize>,
    },
    /// Write generated files: type declarations, the reference, third-party notices.
    Generate,
    /// Measure the text engine, the check and the build.
    Bench {
        #[command(subcommand)]
        rig: bench::Rig,
    },
    /// Write a picture of every state of the page to `target/shots/`; documents' own are renewed in `docs/shots/`.
    Shots,
    /// Remove what was built or installed inside the project.
    Clean,
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Dev { port } => dev::run(port),
        Task::Serve { port, state } => serve::run(port, &state),
        Task::Test => test::run(),
        Task::Ci => ci::run(),
        Task::Fixtures { size } => fixtures::start(size),
        Task::Generate => generate::write(),
        Task::Bench { rig } => bench::start(&rig),
        Task::Shots => shots::run(),
        Task::Clean => tools::clean(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("\nxtask: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// A task's outcome.
pub type Done = Result<(), Fault>;

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_tasks_say_which_version_they_are() {
        assert_eq!(Cli::command().get_version(), Some(env!("CARGO_PKG_VERSION")));
    }
}
