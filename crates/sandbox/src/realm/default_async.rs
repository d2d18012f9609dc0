//! `export default async () => …`: ECMAScript that the engine's parser takes for a function declaration.
//!
//! Owns the other spelling of the same module. Invariant: every line and column of the text stays where it was, so that
//! the places in traces are those of the bundle's file.

/// How the parser's message begins where it wanted `function` after `async`.
const MESSAGE: &str = "in async function declaration at line ";
/// Letters of the constant's name: with `=` as many as `default` has.
const NAME_LETTERS: usize = "default".len() - 1;

/// The module as `const NAME=async …` with a default export at its end; `None` where the parser stumbled over something
/// else.
pub(super) fn respell(text: &str, message: &str) -> Option<String> {
    let (line, column) = message.rsplit_once(MESSAGE)?.1.split_once(", col ")?;
    let column = column.split(|character: char| !character.is_ascii_digit()).next()?;
    let after = offset(text, line.parse().ok()?, column.parse().ok()?)?;
    let asynchronous = text[..after].rfind("async")?;
    let default = text[..asynchronous].rfind("default")?;
    let export = text[..default].rfind("export")?;
    let name = unused(text)?;
    let between = &text[export + "export".len()..default];
    let rest = &text[default + "default".len()..];
    Some(format!("{}const {between}{name}={rest}\nexport {{ {name} as default }};", &text[..export]))
}

/// A name that occurs nowhere in the text.
fn unused(text: &str) -> Option<String> {
    const NAMES: u32 = 100_000;
    (0..NAMES).map(|number| format!("${number:0digits$}", digits = NAME_LETTERS - 1)).find(|name| !text.contains(name))
}

/// The byte at a place as the parser counts: code points from 1, lines end as ECMAScript says.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        let end = text[start..].find(['\n', '\r', '\u{2028}', '\u{2029}'])? + start;
        let ending = if text[end..].starts_with("\r\n") { 2 } else { text[end..].chars().next()?.len_utf8() };
        start = end + ending;
    }
    text[start..].char_indices().nth(column - 1).map(|(index, _)| start + index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_every_place() {
        let text = "// default async\r\nconst $00000 = 'é';\n/* é */ export /* the */\n default async (a) =>\n  a;";
        let message = "expected token 'function', got '(' in async function declaration at line 4, col 16\n    at x";
        let want = "// default async\r\nconst $00000 = 'é';\n/* é */ const  /* the */\n $00001= async (a) =>\n  a;\n\
                    export { $00001 as default };";
        assert_eq!(respell(text, message).as_deref(), Some(want));
        assert_eq!(respell(text, "expected token ')' in call at line 4, col 16"), None);
        assert_eq!(respell(text, "in async function declaration at line 40, col 16"), None);
    }
}
