//! `holdpoint model`: what is in IFC files (spec: ifc-sdk.md §7.1).

use std::io::{self, Write};
use std::path::Path;

use holdpoint_model::{Model, describe};
use serde_json::Value;

use crate::args::Models;
use crate::exit::{CommandError, Exit};
use crate::opened::{name_of, read, refused};
use crate::terminal::visible;

/// Types that the readable form lists.
const SHOWN_TYPES: usize = 12;

pub fn run(models: &Models) -> Result<Exit, CommandError> {
    let mut out = io::stdout().lock();
    let mut invalid = false;
    for path in &models.files {
        let Described { answer, opened, whole } = facts(path)?;
        invalid |= !whole;
        if models.json {
            writeln!(out, "{answer}")?;
        } else if opened {
            print(&mut out, &answer)?;
        } else {
            let error = &answer["error"];
            writeln!(out, "{}: {} {}", path.display(), text(&error["code"]), text(&error["message"]))?;
        }
    }
    Ok(Exit::unless(invalid))
}

struct Described {
    answer: Value,
    opened: bool,
    /// It is not cut off.
    whole: bool,
}

/// The description of a file, or an error answer.
fn facts(path: &Path) -> Result<Described, CommandError> {
    let name = name_of(path);
    match read(path)?.and_then(|bytes| Model::open(bytes, &name)) {
        Ok(model) => {
            let facts = serde_json::to_value(describe(&model))
                .map_err(|error| CommandError::Internal(format!("The facts were odd: {error}")))?;
            Ok(Described { answer: facts, opened: true, whole: !model.is_cut_off() })
        }
        Err(error) => Ok(Described { answer: refused(&name, &error), opened: false, whole: false }),
    }
}

fn print(out: &mut impl Write, facts: &Value) -> io::Result<()> {
    writeln!(out, "{} ({}, {} bytes)", text(&facts["file"]), text(&facts["schema"]), facts["file_size"])?;
    writeln!(out, "  {} entities, {} products", facts["entities"], facts["products"])?;
    let mut types: Vec<(&String, u64)> = facts["types"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, count)| (name, count.as_u64().unwrap_or(0)))
        .collect();
    types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (name, count) in types.iter().take(SHOWN_TYPES) {
        writeln!(out, "  {count:>7} {}", visible(name))?;
    }
    if types.len() > SHOWN_TYPES {
        writeln!(out, "          and {} more types", types.len() - SHOWN_TYPES)?;
    }
    for storey in facts["storeys"].as_array().into_iter().flatten() {
        writeln!(out, "  storey {}: {} products", text(&storey["name"]), storey["products"])?;
    }
    for warning in facts["warnings"].as_array().into_iter().flatten() {
        writeln!(out, "  {} at line {}: {}", text(&warning["code"]), warning["line"], text(&warning["message"]))?;
    }
    Ok(())
}

/// A JSON text without its quotes, as a terminal may show it.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| visible(text).into_owned())
}
