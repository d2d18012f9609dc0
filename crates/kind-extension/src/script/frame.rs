//! The function around a script: the tool's module, and the way back from its lines to those of the script.

use std::collections::BTreeMap;

use holdpoint_check::{Diagnostic, FixTarget, LineIndex, Position, Range, args};
use holdpoint_js::CODE_SYNTAX;

use crate::code::{Analysis, EntryModule, Role, analyse_block};

/// The one module of a tool that was a script.
pub const MODULE: &str = "src/run.js";
/// Lines in front of the script; the last one opens a block, so that a script may declare `bim` or `args` of its own.
const BEFORE: &str = "export default async function run(ctx, args) {\n  const { bim } = ctx;\n  {\n";
const LINES: u32 = 3;
const BEHIND: &str = "  }\n}\n";

/// The text of the module: the script as it is, with lines that end with LF.
pub fn module(source: &str) -> String {
    let source = source.replace("\r\n", "\n");
    let end = if source.ends_with('\n') { "" } else { "\n" };
    [BEFORE, &source, end, BEHIND].concat()
}

/// What the rules find in a script, at the script's own lines, and what it needs.
pub fn analyse(source: &str) -> Analysis {
    let text = module(source);
    let entry = EntryModule { path: MODULE.to_owned(), role: Role::Run };
    let files = BTreeMap::from([(MODULE.to_owned(), text)]);
    let (mut analysis, block_end) = analyse_block(&files, entry, BEFORE.len() - "{\n".len());
    let text = &files[MODULE];
    let whole = text.len() - "\n}\n".len();
    if let Some(end) = block_end.filter(|end| *end != whole) {
        // A brace of the script closed the function around it: what stands behind would run outside.
        let broken = Diagnostic::of(&CODE_SYNTAX, args! { why: "Unexpected token `}`" });
        let at = LineIndex::new(text).range(end - 1, end);
        analysis = Analysis { diagnostics: vec![broken.at(at)], ..Analysis::default() };
    }
    let last = LineIndex::new(source).position(source.len());
    for finding in &mut analysis.diagnostics {
        finding.path = None;
        finding.range = finding.range.map(|range| home(range, last));
        for fix in finding.fix.iter_mut().flatten() {
            if let FixTarget::Text { range, .. } = &mut fix.target {
                *range = home(*range, last);
            }
        }
    }
    for need in &mut analysis.needs {
        need.range = home(need.range, last);
    }
    analysis
}

/// A place of the module in the script.
pub fn place(source: &str, at: Position) -> Position {
    home(Range { start: at, end: at }, LineIndex::new(source).position(source.len())).start
}

/// A range of the module in the script; what stands around the script is its first or last place.
fn home(range: Range, last: Position) -> Range {
    let place = |at: Position| match at.line.checked_sub(LINES) {
        None | Some(0) => Position { line: 1, column: 1 },
        Some(line) if line > last.line => last,
        Some(line) => Position { line, ..at },
    };
    Range { start: place(range.start), end: place(range.end) }
}
