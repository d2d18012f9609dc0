//! `holdpoint call`: the facade on standard input and output.

use std::io::{self, BufRead, Read, Write};

use holdpoint_check::args;
use holdpoint_check::error::NO_JSON;
use holdpoint_facade::ApiError;
use serde_json::{Value, json};

use crate::args::CallArgs;
use crate::exit::{CommandError, Exit};
use crate::facade::Facade;

/// Bytes of one value.
const MAX_INPUT_BYTES: u64 = 64 * 1024 * 1024;

pub fn run(call: &CallArgs) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let Some(method) = &call.method else {
        for name in Facade::methods() {
            writeln!(out, "{name}")?;
        }
        return Ok(Exit::Passed);
    };
    let mut facade = Facade::new()?;
    if call.jsonl {
        for line in io::stdin().lock().lines() {
            let line = line?;
            if !line.trim().is_empty() {
                writeln!(out, "{}", answer(&mut facade, method, &line))?;
                out.flush()?;
            }
        }
        return Ok(Exit::Passed);
    }
    let mut text = String::new();
    io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_string(&mut text)?;
    writeln!(out, "{}", answer(&mut facade, method, &text))?;
    Ok(Exit::Passed)
}

fn answer(facade: &mut Facade, method: &str, text: &str) -> Value {
    if text.len() as u64 > MAX_INPUT_BYTES {
        let error = ApiError::over("MAX_INPUT_BYTES", MAX_INPUT_BYTES as usize, text.len());
        return json!({ "error": error });
    }
    match serde_json::from_str(text) {
        Ok(input) => facade.call(method, input),
        Err(error) => {
            json!({ "error": ApiError::of(&NO_JSON, args! { error: error.to_string() }) })
        }
    }
}
