//! What the tests of the analysis share: one module as entry beside a library, and findings as short text.

mod corpus;
mod hostile;
mod uses;

use std::collections::BTreeMap;

use super::{Analysis, EntryModule, Role, analyse};

/// The report on `src/main.js` beside `src/lib.js`.
pub fn report(code: &str) -> Analysis {
    let files = BTreeMap::from([
        ("src/main.js".to_owned(), code.to_owned()),
        ("src/lib.js".to_owned(), "export const a = 1;".to_owned()),
    ]);
    analyse(&files, &[EntryModule { path: "src/main.js".to_owned(), role: Role::Run }])
}

/// `LINE:COLUMN-LINE:COLUMN CODE`, joined by `; `.
pub fn findings(code: &str) -> String {
    let lines: Vec<String> = report(code)
        .diagnostics
        .iter()
        .map(|finding| match finding.range {
            Some(range) => {
                let (start, end) = (range.start, range.end);
                format!("{}:{}-{}:{} {}", start.line, start.column, end.line, end.column, finding.code)
            }
            None => finding.code.to_string(),
        })
        .collect();
    lines.join("; ")
}
