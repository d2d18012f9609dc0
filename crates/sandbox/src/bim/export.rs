//! `bim.export`: files that the host saves when the call did not fail (spec: ifc-sdk.md §3).

use boa_engine::{JsString, JsValue};
use holdpoint_check::args;
use holdpoint_sdk::need::file_ending;
use serde_json::{Map, Value, json};

use crate::{
    bim::{
        store::no_model,
        table::{Column, Table, columns},
    },
    entity,
    error::{BYTES, ENDING, FIELDS, FILE_NAME, FILES, NAMED, NOT_JSON, ONE_CHARACTER, ONE_MODEL, SdkError},
    gate::{Answer, Call, Refusal},
    json,
};

const MAX_FILES: usize = 20;
/// Bytes of all files of a call.
const MAX_BYTES: usize = 50 * 1024 * 1024;
/// Characters of a file name.
const MAX_NAME_CHARS: usize = 120;
/// The option of a file's name, as a type is written.
const FILENAME: &str = "{filename}";
/// Characters that no file name may hold.
const FORBIDDEN: &str = "/\\:*?\"<>|";

pub(crate) fn csv(call: &mut Call<'_>) -> Answer {
    let columns = columns(call)?.ok_or_else(|| call.wrong("options", &FIELDS, args! { member: "{columns, …}" }))?;
    let separator = match option("separator", call)? {
        None => ",".to_owned(),
        Some(separator) => match json::text(&separator) {
            Some(text) if text.chars().count() == 1 && !"\"\r\n".contains(&text) => text,
            _ => return Err(call.wrong("options", &ONE_CHARACTER, args! { member: "{separator}" })),
        },
    };
    let escape = option("escapeFormulas", call)?.is_none_or(|escape| escape.to_boolean());
    let filename = filename(call, "csv")?;
    let table = Table::read(&columns, call)?;
    let text = table.csv(&separator, escape);
    save_named(call, filename.as_deref(), "csv", &text)?;
    Ok(JsString::from(text.as_str()).into())
}

pub(crate) fn json(call: &mut Call<'_>) -> Answer {
    let filename = filename(call, "json")?;
    let rows = match columns(call)? {
        Some(columns) => Table::read(&columns, call)?.objects(),
        None => match json::to_json(&call.arg(0), call.context) {
            Ok(rows) => rows.unwrap_or_default(),
            Err(json::NotJson::Because(why)) => return Err(call.wrong("rows", &NOT_JSON, args! { why })),
            Err(json::NotJson::Threw(error)) => return Err(error.into()),
        },
    };
    let text = serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n";
    save_named(call, filename.as_deref(), "json", &text)?;
    Ok(json::from_json(&rows, call.context)?)
}

pub(crate) fn download(call: &mut Call<'_>) -> Answer {
    let (content, filename) = (call.text(0), call.text(1));
    valid_name(call, &filename, "filename")?;
    let format = file_ending(&filename);
    let given = call.arg(2);
    let mime = json::text(&given).unwrap_or_else(|| mime_type(&format).to_owned());
    save(call, &filename, &format, &mime, &content)?;
    Ok(JsValue::undefined())
}

/// IFC text with the entities and what belongs to them.
pub(crate) fn ifc(call: &mut Call<'_>) -> Answer {
    let filename = filename(call, "ifc")?;
    let schema = option("schema", call)?.map(|schema| json::text(&schema).unwrap_or_default());
    let mutated = option("includeMutations", call)?.is_none_or(|flag| flag.to_boolean());
    let visible = option("visibleOnly", call)?.is_some_and(|flag| flag.to_boolean());
    let references = entity::references(&call.arg(0), call.context)?;
    let id = match references.first() {
        Some(first) => first.model_id.clone(),
        None => call.host.active().map(|model| model.id().to_owned()).unwrap_or_default(),
    };
    if references.iter().any(|reference| reference.model_id != id) {
        return Err(call.wrong("entities", &ONE_MODEL, args! {}));
    }
    let model = call.host.model(&id).ok_or_else(|| no_model(call, &id))?;
    // A schema cannot be turned into another one here.
    if schema.is_some_and(|schema| schema != model.schema()) {
        return Err(SdkError::unavailable(call.path).into());
    }
    let view = call.host.view.borrow();
    let shown = references.iter().filter(|reference| !visible || view.shows(reference));
    let ids: Vec<u32> = shown.map(|reference| reference.express_id).collect();
    drop(view);
    let text = if mutated { model.extract(&ids) } else { model.unchanged().extract(&ids) };
    save_named(call, filename.as_deref(), "ifc", &text)?;
    Ok(JsString::from(text.as_str()).into())
}

/// The usual type of a format of the catalogue.
pub(crate) fn mime_type(format: &str) -> &'static str {
    match format {
        "csv" => "text/csv",
        "geojson" => "application/geo+json",
        "html" => "text/html",
        "ifc" => "application/x-step",
        "json" => "application/json",
        "md" => "text/markdown",
        "ndjson" => "application/x-ndjson",
        "svg" => "image/svg+xml",
        "tsv" => "text/tab-separated-values",
        "xml" => "application/xml",
        _ => "text/plain",
    }
}

/// A member of the options that is given.
fn option(name: &str, call: &mut Call<'_>) -> Result<Option<JsValue>, Refusal> {
    let Some(options) = call.arg(1).as_object() else { return Ok(None) };
    let value = options.get(JsString::from(name), call.context)?;
    Ok((!value.is_null_or_undefined()).then_some(value))
}

/// The file name of the options, with the format's own ending; `None`: the text is answered and nothing is saved.
fn filename(call: &mut Call<'_>, format: &str) -> Result<Option<String>, Refusal> {
    let Some(name) = option("filename", call)? else { return Ok(None) };
    let name = json::text(&name).ok_or_else(|| call.wrong("options", &NAMED, args! { member: FILENAME }))?;
    valid_name(call, &name, "options")?;
    if file_ending(&name) != format {
        return Err(call.wrong("options", &ENDING, args! { member: FILENAME, ending: format }));
    }
    Ok(Some(name))
}

/// Saves a text under the name that the options gave.
fn save_named(call: &Call<'_>, filename: Option<&str>, format: &str, text: &str) -> Result<(), Refusal> {
    filename.map_or(Ok(()), |filename| save(call, filename, format, mime_type(format), text))
}

/// One segment, 1–120 characters, no control or path characters, no device name.
pub(crate) fn valid_name(call: &Call<'_>, name: &str, argument: &str) -> Result<(), Refusal> {
    let stem = name.split('.').next().unwrap_or_default().trim().to_ascii_uppercase();
    let numbered = ["COM", "LPT"]
        .iter()
        .any(|device| stem.strip_prefix(device).is_some_and(|digit| matches!(digit.as_bytes(), [b'0'..=b'9'])));
    let device = numbered || ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str());
    let length = (1..=MAX_NAME_CHARS).contains(&name.chars().count());
    let characters = !name.chars().any(|character| character.is_control() || FORBIDDEN.contains(character));
    let dots = name.chars().all(|character| character == '.') || name.ends_with(['.', ' ']);
    if length && characters && !device && !dots {
        return Ok(());
    }
    Err(call.wrong(argument, &FILE_NAME, args! { limit: MAX_NAME_CHARS }))
}

fn save(call: &Call<'_>, filename: &str, format: &str, mime: &str, text: &str) -> Result<(), Refusal> {
    let bytes = call.host.export_bytes.get() + text.len();
    if call.host.effects.borrow().exports.len() >= MAX_FILES {
        return Err(call.limit(&FILES, MAX_FILES, MAX_FILES));
    }
    if bytes > MAX_BYTES {
        return Err(call.limit(&BYTES, MAX_BYTES >> 20, MAX_BYTES));
    }
    call.host.export_bytes.set(bytes);
    let entry = [
        ("filename", json!(filename)),
        ("format", json!(format)),
        ("mimeType", json!(mime)),
        ("text", json!(text)),
        ("bytes", json!(text.len())),
    ];
    let entry: Map<String, Value> = entry.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    call.host.effects.borrow_mut().exports.push(Value::Object(entry));
    Ok(())
}

impl Table {
    /// Rows as objects, keyed by the columns' titles.
    fn objects(&self) -> Value {
        let keys: Vec<&str> = self.columns.iter().map(|column: &Column| column.title.as_str()).collect();
        let row = |cells: &Vec<Value>| -> Value {
            Value::Object(keys.iter().map(|key| (*key).to_owned()).zip(cells.iter().cloned()).collect())
        };
        Value::Array(self.rows.iter().map(row).collect())
    }
}
