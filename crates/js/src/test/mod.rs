//! What the tests share: findings as short text.

mod disguise;
#[path = "../../fuzz/disguise.rs"]
mod nestings;
mod syntax;

use std::collections::BTreeMap;

use crate::read;

/// `LINE:COLUMN-LINE:COLUMN CODE` of what is refused in `src/main.js` beside `src/lib.js`, joined by `; `.
fn findings(code: &str) -> String {
    let files = BTreeMap::from([
        ("src/main.js".to_owned(), code.to_owned()),
        ("src/lib.js".to_owned(), "export const a = 1;".to_owned()),
    ]);
    let lines: Vec<String> = read(&files, |world| world.refused)
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
