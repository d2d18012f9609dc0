//! `holdpoint ledger verify`: a dumped ledger, recomputed (spec: gateway.md §6).

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use holdpoint_gateway::verify::{DumpError, Verifier};

use crate::exit::{CommandError, Exit};
use crate::terminal::visible;

/// Prints what does not add up, and what was compared.
pub fn verify(file: &Path) -> Result<Exit, CommandError> {
    let no_file =
        |error: io::Error| CommandError::Usage(format!("{} cannot be read: {error}. Name a dump.", file.display()));
    let lines: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(no_file)?))
    };
    let no_dump = |fault: DumpError| CommandError::Usage(format!("{}: {fault}.", file.display()));
    let mut verifier = Verifier::default();
    for line in lines.lines() {
        verifier.take(&line.map_err(no_file)?).map_err(no_dump)?;
    }
    let verdict = verifier.end().map_err(no_dump)?;
    let mut out = io::stdout().lock();
    for difference in &verdict.differences {
        writeln!(out, "{}", visible(&difference.to_string()))?;
    }
    writeln!(
        out,
        "{} differences; {} windows agree, {} changed meanwhile and were not compared; {} rows, {} open calls and runs",
        verdict.differences.len(),
        verdict.windows,
        verdict.not_compared,
        verdict.rows,
        verdict.open
    )?;
    Ok(Exit::unless(!verdict.differences.is_empty()))
}
