//! `holdpoint call`: the facade on standard input and output.

use std::io::{self, BufRead, Read, Write};

use holdpoint_check::args;
use holdpoint_check::error::NO_JSON;
use holdpoint_facade::ApiError;
use serde_json::{Value, json};

use crate::args::CallArgs;
use crate::exit::{CommandError, Exit};
use crate::facade::Facade;

/// It counts the bytes of one value.
const MAX_INPUT_BYTES: u64 = 64 * 1024 * 1024;

pub fn run(call: &CallArgs) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let Some(method) = &call.method else {
        for name in Facade::methods() {
            writeln!(out, "{name}")?;
        }
        return Ok(Exit::Passed);
    };
    if !Facade::methods().any(|known| known == method) {
        let said = format!("There is no method `{method}`: `holdpoint call` lists them.");
        return Err(CommandError::Usage(said));
    }
    let mut facade = Facade::new()?;
    if call.jsonl {
        let mut lines = io::stdin().lock();
        let mut line = Vec::new();
        while lines.by_ref().take(MAX_INPUT_BYTES + 1).read_until(b'\n', &mut line)? > 0 {
            if !line.trim_ascii().is_empty() {
                writeln!(out, "{}", answer(&mut facade, method, &line))?;
                out.flush()?;
            }
            if line.len() as u64 > MAX_INPUT_BYTES && !line.ends_with(b"\n") {
                lines.skip_until(b'\n')?;
            }
            line.clear();
        }
        return Ok(Exit::Passed);
    }
    let mut value = Vec::new();
    io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_end(&mut value)?;
    writeln!(out, "{}", answer(&mut facade, method, &value))?;
    Ok(Exit::Passed)
}

fn answer(facade: &mut Facade, method: &str, value: &[u8]) -> Value {
    if value.len() as u64 > MAX_INPUT_BYTES {
        let error = ApiError::over("MAX_INPUT_BYTES", MAX_INPUT_BYTES as usize, value.len());
        return json!({ "error": error });
    }
    match serde_json::from_slice(value) {
        Ok(input) => facade.call(method, input),
        Err(error) => {
            json!({ "error": ApiError::of(&NO_JSON, args! { error: error.to_string() }) })
        }
    }
}
