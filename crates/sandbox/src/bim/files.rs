//! `bim.files`: what the user attached, as text and as rows (spec: ifc-sdk.md §3).

use boa_engine::{JsString, JsValue};
use holdpoint_sdk::need::file_ending;
use serde_json::{Map, Value, json};

use crate::{
    bim::export::mime_type,
    gate::{Answer, Call},
    json,
};

/// Separators of columns; the one that the header has most of is the file's.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let attachment = |(name, text): (&String, &String)| json!({"name": name, "size": text.len(), "type": mime_type(&file_ending(name))});
    let files: Value = call.host.program.files.iter().map(attachment).collect();
    Ok(json::from_json(&files, call.context)?)
}

pub(crate) fn text(call: &mut Call<'_>) -> Answer {
    let text = call.host.program.files.get(&call.text(0));
    Ok(text.map_or_else(JsValue::null, |text| JsString::from(text.as_str()).into()))
}

pub(crate) fn csv(call: &mut Call<'_>) -> Answer {
    let Some(text) = call.host.program.files.get(&call.text(0)) else { return Ok(JsValue::null()) };
    let (columns, rows) = table(text);
    let row = |cells: Vec<String>| -> Value {
        let mut cells = cells.into_iter();
        let cell = |column: &String| (column.clone(), Value::String(cells.next().unwrap_or_default()));
        Value::Object(columns.iter().map(cell).collect::<Map<_, _>>())
    };
    let rows: Value = rows.into_iter().map(row).collect();
    Ok(json::from_json(&rows, call.context)?)
}

pub(crate) fn csv_columns(call: &mut Call<'_>) -> Answer {
    let text = call.host.program.files.get(&call.text(0));
    let columns = text.map(|text| table(text).0).unwrap_or_default();
    Ok(json::from_json(&json!(columns), call.context)?)
}

/// Header and rows. Lines without any cell are left out.
fn table(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().next().unwrap_or_default();
    let most = SEPARATORS.into_iter().rev().max_by_key(|separator| header.matches(*separator).count());
    let mut rows = records(text, most.unwrap_or(','));
    if rows.is_empty() {
        return (Vec::new(), rows);
    }
    let columns = rows.remove(0).iter().map(|title| title.trim().to_owned()).collect();
    (columns, rows)
}

/// Cells of RFC 4180: quoted where they hold separators, quotes doubled.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let (mut record, mut cell, mut quoted, mut begun) = (Vec::new(), String::new(), false, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => (quoted, begun) = (true, true),
            '\r' if !quoted && characters.peek() == Some(&'\n') => {}
            '\n' | '\r' if !quoted => {
                if begun || !cell.is_empty() || !record.is_empty() {
                    record.push(std::mem::take(&mut cell));
                    records.push(std::mem::take(&mut record));
                }
                begun = false;
            }
            other if other == separator && !quoted => {
                record.push(std::mem::take(&mut cell));
                begun = true;
            }
            other => cell.push(other),
        }
    }
    if begun || !cell.is_empty() || !record.is_empty() {
        record.push(cell);
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, its columns, its rows.
    type Case<'c> = (&'c str, &'c [&'c str], &'c [&'c [&'c str]]);

    #[test]
    fn tables_as_programs_write_them() {
        let cases: [Case<'_>; 7] = [
            ("a,b\n1,2\n", &["a", "b"], &[&["1", "2"]]),
            ("\u{feff}a;b\r\n1,5;\"x;y\"\r\n", &["a", "b"], &[&["1,5", "x;y"]]),
            ("a\tb\n\n1\t2", &["a", "b"], &[&["1", "2"]]),
            ("a,b\n\"say \"\"hi\"\"\",\"two\nlines\"\n", &["a", "b"], &[&["say \"hi\"", "two\nlines"]]),
            ("a,b\n1\n,\n\"\"\n", &["a", "b"], &[&["1"], &["", ""], &[""]]),
            ("", &[], &[]),
            (" a , b\n", &["a", "b"], &[]),
        ];
        for (text, columns, rows) in cases {
            assert_eq!(
                table(text),
                (
                    columns.iter().map(|c| (*c).to_owned()).collect(),
                    rows.iter().map(|row| row.iter().map(|c| (*c).to_owned()).collect()).collect()
                ),
                "{text:?}"
            );
        }
    }
}
