//! `holdpoint`: the core on the command line.
//!
//! Owns how input is read and answers are shown; decides nothing. The same methods answer in the page and at the edge.

mod account;
mod app;
mod archive;
mod args;
mod bundles;
mod call;
mod canary;
mod corpus;
mod edge;
mod exit;
mod facade;
mod folder;
mod ids;
mod ledger;
mod model;
mod opened;
mod paths;
mod provider;
mod report;
mod run;
mod terminal;
mod test;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};

/// Counts what the sandbox child allocates, so that a bomb in a bundle ends with a code.
#[global_allocator]
static HEAP: holdpoint_heap::Counting = holdpoint_heap::Counting;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Command::Check(options) => bundles::check(options),
        Command::Test(bundles) => bundles::test(bundles),
        Command::Model(models) => model::run(models),
        Command::Ids(options) => ids::run(options),
        Command::Run(options) => run::run(options),
        Command::Pack(options) => archive::pack(options),
        Command::Open(options) => archive::open(options),
        Command::Canary(options) => canary::run(options),
        Command::Call(options) => call::run(options),
        Command::Corpus(options) => corpus::run(options),
        Command::Provider(options) => provider::serve(options),
        Command::Account(args::AccountCommand::Create(options)) => account::create(options),
        Command::Ledger(args::LedgerCommand::Verify { file }) => ledger::verify(file),
        Command::App(args::AppCommand::Export(options)) => app::export(options),
        Command::Sandbox => holdpoint_sandbox::child::serve(std::io::stdin(), std::io::stdout())
            .map(|()| exit::Exit::Passed)
            .map_err(exit::CommandError::from),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(exit::CommandError::Unread) => exit::Exit::Passed.into(),
        Err(fault) => {
            eprintln!("holdpoint: {}", terminal::visible(&fault.to_string()));
            ExitCode::from(&fault)
        }
    }
}
