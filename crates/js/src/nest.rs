//! How deep the brackets, elements, templates and operators of a source nest, told from its tokens (spec: vite-app.md
//! §1 `MAX_SYNTAX_DEPTH`).
//!
//! TypeScript and JSX are not walked by their grammar, as [`crate::lexis`] walks modules: whether a `/` begins a pattern
//! and a `<` an element is told from the token before it. A wrong guess miscounts, so natively the parser also has the
//! stack that all brackets of the text could take, and in WebAssembly the engine's own limit is the last one.

use oxc_syntax::identifier::{is_identifier_part, is_identifier_start};

/// What the scan found in a whole text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting {
    /// Where the limit is passed.
    pub too_deep: Option<usize>,
    /// Tokens that may nest, all together: no parser recurses more often.
    pub nests: usize,
}

/// What an open bracket is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `(`, `[`, or a `{` of an expression.
    List,
    /// `{` of statements or members.
    Block,
    Hole,
    /// `{` between or in elements.
    Container,
    /// `<` of types or of a comparison: it ends with what is around it.
    Angle,
    /// The names and values of an opening element.
    Tag,
    /// What stands between an opening and a closing element.
    Children,
}

/// What a token says of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// An operand ended: an operator or the end of a line follows.
    Operand,
    /// An operand must follow: a `/` begins a pattern.
    Operator,
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    limit: usize,
    jsx: bool,
    open: Vec<(Open, usize)>,
    /// Operators in front of the operand that is read, in the innermost bracket.
    chain: usize,
    /// All that is open, with the chains of the brackets around.
    depth: usize,
    last: Last,
    found: Nesting,
}

/// Reads a source; `jsx`: it may hold elements.
pub(crate) fn scan(text: &str, jsx: bool, limit: usize) -> Nesting {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        at: 0,
        limit,
        jsx,
        open: Vec::new(),
        chain: 0,
        depth: 0,
        last: Last::Operator,
        found: Nesting::default(),
    };
    while scan.at < scan.bytes.len() && scan.found.too_deep.is_none() {
        match scan.open.last() {
            Some((Open::Children, _)) => scan.children(),
            Some((Open::Tag, _)) => scan.tag(),
            _ => scan.code(),
        }
    }
    // A wrong guess may have taken code for text: what may nest is counted without a guess.
    scan.found.nests = text.bytes().filter(|byte| b"([{<`?!~+-=:".contains(byte)).count() + words_that_nest(text);
    scan.found
}

/// Words of which each may hold the next one: `typeof typeof a`, `if (a) if (b)`.
fn words_that_nest(text: &str) -> usize {
    [
        "typeof", "void", "delete", "await", "yield", "new", "keyof", "infer", "readonly", "if", "else", "for",
        "while", "do",
    ]
    .iter()
    .map(|word| text.matches(word).count())
    .sum()
}

impl Scan<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn bound(&mut self) {
        if self.depth + self.chain > self.limit {
            self.found.too_deep.get_or_insert(self.at);
        }
    }

    fn push(&mut self, open: Open) {
        self.open.push((open, self.chain));
        self.depth += 1 + self.chain;
        self.chain = 0;
        self.bound();
    }

    fn pop(&mut self) -> Option<Open> {
        let (open, chain) = self.open.pop()?;
        self.depth -= 1 + chain;
        self.chain = chain;
        Some(open)
    }

    /// Ends comparisons and types that nothing closed.
    fn end_angles(&mut self) {
        while matches!(self.open.last(), Some((Open::Angle, _))) {
            self.pop();
        }
    }

    /// One more operator whose operand follows.
    fn link(&mut self) {
        self.chain += 1;
        self.last = Last::Operator;
        self.bound();
    }

    fn code(&mut self) {
        let byte = self.byte(0);
        match byte {
            b'\n' => {
                self.at += 1;
                if self.last == Last::Operand && self.line_begins_anew() {
                    self.end_angles();
                    self.chain = 0;
                }
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'/' if self.byte(1) == b'/' => self.skip_line(),
            b'/' if self.byte(1) == b'*' => self.skip_past("*/"),
            b'#' if self.at == 0 && self.byte(1) == b'!' => self.skip_line(),
            b'/' if self.last == Last::Operator => self.pattern(),
            b'"' | b'\'' => {
                self.string(byte);
                self.last = Last::Operand;
            }
            b'`' => {
                self.at += 1;
                self.template();
            }
            b'(' | b'[' => self.opens(Open::List),
            b'{' => {
                let open = if self.last == Last::Operator { Open::List } else { Open::Block };
                self.opens(open);
            }
            b')' | b']' | b'}' => self.closes(byte),
            b'<' => self.less(),
            b'>' => self.greater(),
            b';' | b',' => {
                self.at += 1;
                if byte == b';' {
                    self.end_angles();
                }
                self.chain = 0;
                self.last = Last::Operator;
            }
            b'.' => {
                self.at += 1;
                self.last = if self.byte(0).is_ascii_digit() { Last::Operator } else { Last::Operand };
            }
            b'+' | b'-' if self.byte(1) == byte => {
                self.at += 2;
                if self.last == Last::Operator {
                    self.link();
                }
            }
            b'!' if self.last == Last::Operand && self.byte(1) != b'=' => self.at += 1,
            b'=' | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^' | b'!' | b'~' | b'?' | b':' | b'/' => self.operator(),
            _ => self.word(),
        }
    }

    /// Whether the next token cannot go on with what ended before the line did.
    fn line_begins_anew(&self) -> bool {
        let rest = self.text[self.at..].trim_start();
        let first = rest.chars().next().unwrap_or(' ');
        is_identifier_start(first) || first == '@' || first == '}' || first == '"' || first == '\''
    }

    fn skip_line(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.bytes.len(), |length| self.at + length);
    }

    fn skip_past(&mut self, end: &str) {
        let from = self.at + 2;
        let found = self.text.get(from..).and_then(|rest| rest.find(end));
        self.at = found.map_or(self.bytes.len(), |length| from + length + end.len());
    }

    fn string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'\n' => return,
                byte => {
                    self.at += 1;
                    if *byte == quote {
                        return;
                    }
                }
            }
        }
    }

    fn pattern(&mut self) {
        let (start, mut class) = (self.at, false);
        self.at += 1;
        loop {
            match self.byte(0) {
                0 if self.at >= self.bytes.len() => break,
                b'\n' => {
                    // No pattern after all.
                    self.at = start + 1;
                    return self.link();
                }
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.bytes.len());
        self.last = Last::Operand;
    }

    /// The text of a template up to its end or its next hole.
    fn template(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.last = Last::Operand;
                    return;
                }
                b'$' if self.byte(1) == b'{' => {
                    self.at += 2;
                    self.push(Open::Hole);
                    self.last = Last::Operator;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn opens(&mut self, open: Open) {
        self.at += 1;
        self.push(open);
        self.last = Last::Operator;
    }

    fn closes(&mut self, byte: u8) {
        self.end_angles();
        self.at += 1;
        let ended = match self.open.last() {
            Some((Open::Hole | Open::Container | Open::List | Open::Block, _)) => self.pop(),
            _ => None,
        };
        match ended {
            Some(Open::Hole) => return self.template(),
            Some(Open::Block) => {
                self.chain = if self.follows("else") || self.follows("catch") { self.chain } else { 0 };
                self.last = Last::Operator;
                return;
            }
            _ => {}
        }
        self.last = if byte == b'}' && ended.is_none() { Last::Operator } else { Last::Operand };
    }

    fn follows(&self, word: &str) -> bool {
        self.text[self.at..].trim_start().starts_with(word)
    }

    fn less(&mut self) {
        let next = self.text[self.at + 1..].chars().next().unwrap_or(' ');
        let is_element = self.jsx && self.last == Last::Operator && (next == '>' || is_identifier_start(next));
        if is_element && !self.is_generic() {
            self.at += 1;
            return self.push(Open::Tag);
        }
        if self.byte(1) == b'<' || self.byte(1) == b'=' {
            return self.operator();
        }
        self.at += 1;
        self.push(Open::Angle);
        self.last = Last::Operator;
    }

    /// `<T,>(…) =>`, `<T extends U>(…) =>` and `<T>(` of a type: parameters of types.
    fn is_generic(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let name = rest.find(|c| !is_identifier_part(c)).unwrap_or(rest.len());
        let behind = rest[name..].trim_start();
        behind.starts_with(',') || behind.starts_with("extends ") || behind.starts_with(">(")
    }

    fn greater(&mut self) {
        if matches!(self.open.last(), Some((Open::Angle, _))) {
            self.at += 1;
            self.pop();
            self.last = Last::Operand;
        } else {
            self.operator();
        }
    }

    fn operator(&mut self) {
        while b"=+-*%&|^!~?:<>/".contains(&self.byte(0)) && !self.begins_comment() {
            let byte = self.byte(0);
            self.at += 1;
            // `a = -b`, `a ? !b : c`: each is one of its own.
            if matches!(byte, b'!' | b'~') || !b"=&|*?>".contains(&self.byte(0)) {
                break;
            }
        }
        self.link();
    }

    fn begins_comment(&self) -> bool {
        self.byte(0) == b'/' && matches!(self.byte(1), b'/' | b'*')
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !is_identifier_part(c) && c != '\\').unwrap_or(rest.len());
        self.at += length.max(rest.chars().next().map_or(1, char::len_utf8));
        match &rest[..length] {
            "typeof" | "void" | "delete" | "await" | "yield" | "new" | "keyof" | "infer" | "in" | "of"
            | "instanceof" | "as" | "satisfies" | "is" | "extends" | "return" | "throw" | "case" | "default"
            | "readonly" | "unique" | "asserts" | "if" | "for" | "while" | "with" | "do" | "else" => self.link(),
            "" => self.last = Last::Operator,
            _ => self.last = Last::Operand,
        }
    }

    fn children(&mut self) {
        match self.byte(0) {
            b'{' => {
                self.at += 1;
                self.push(Open::Container);
                self.last = Last::Operator;
            }
            b'<' if self.byte(1) == b'/' => {
                let end = self.text[self.at..].find('>').map_or(self.bytes.len(), |length| self.at + length + 1);
                self.at = end;
                self.pop();
                self.last = Last::Operand;
            }
            b'<' => {
                self.at += 1;
                self.push(Open::Tag);
            }
            _ => self.at += 1,
        }
    }

    fn tag(&mut self) {
        match self.byte(0) {
            b'{' => {
                self.at += 1;
                self.push(Open::Container);
                self.last = Last::Operator;
            }
            quote @ (b'"' | b'\'') => {
                // A value of an element may hold line ends.
                let from = self.at + 1;
                let end = self.text.get(from..).and_then(|rest| rest.find(quote as char));
                self.at = end.map_or(self.bytes.len(), |length| from + length + 1);
            }
            b'/' if self.byte(1) == b'/' => self.skip_line(),
            b'/' if self.byte(1) == b'*' => self.skip_past("*/"),
            b'/' if self.byte(1) == b'>' => {
                self.at += 2;
                self.pop();
                self.last = Last::Operand;
            }
            b'>' => {
                self.at += 1;
                self.pop();
                self.push(Open::Children);
            }
            b'<' => {
                // Types of a component: `<List<Item> />`.
                self.at += 1;
                self.push(Open::Angle);
                self.last = Last::Operator;
            }
            _ => self.at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: usize = 40;

    #[test]
    fn what_is_nested_is_counted_and_what_stands_side_by_side_is_not() {
        let lines = |line: &str| line.repeat(200);
        let fine = [
            lines("const a = b < c ? d : e\n"),
            lines("f(a, [b], { c: d });\n"),
            lines("if (a) { b() } else { c() }\n"),
            lines("type A<T> = Map<string, T[]>\n"),
            lines("const s = `a ${b} c`; const r = /[(]\\/(/g.test(s);\n"),
            lines("export const A = <T,>(x: T) => x\n"),
            lines("a.b().c().d()\n"),
            format!("const x = <ul>{}</ul>;", lines("<li key=\"a\">it's {b} :( (</li>\n")),
            format!("const x = [{}];", lines("{ a: -1, b: !c },\n")),
            format!("switch (a) {{{}}}", lines("case 1: return b\n")),
        ];
        for text in fine {
            assert_eq!(scan(&text, true, LIMIT).too_deep, None, "{}", &text[..60]);
        }
        let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(LIMIT + 1), close.repeat(LIMIT + 1));
        let refused = [
            deep("(", ")"),
            deep("[", "]"),
            deep("{ ", " }"),
            deep("`${", "}`"),
            deep("<b>", "</b>"),
            deep("!", ""),
            deep("typeof ", ""),
            deep("a + ", ""),
            deep("a => ", ""),
            deep("a ? b : ", ""),
            deep("A<", ">"),
            deep("if (a) ", ""),
            deep("<b c={", "} />"),
        ];
        for text in refused {
            assert!(scan(&text, true, LIMIT).too_deep.is_some(), "{text}");
        }
    }
}
