//! How deeply a text nests, before a parser or a tree is asked to follow.
//!
//! Why: parser and tree go as deep as the text does, and a Wasm stack is small. Counts from tokens alone, so that no
//! text is too deep for it. The limits lie above what programs have and at or below those of CPython, which refuses 200
//! brackets, 100 indentations and some thousand operators in a row.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer::lex};

/// Brackets, interpolated strings, prefix operators, lambdas and conditions open at once.
const MAX_NESTING: u32 = 200;
/// Operators, attributes and calls that build on each other.
const MAX_CHAIN: u32 = 2_000;
/// Lines that each are indented deeper than the one before; continued lines and texts count too.
const MAX_INDENTS: usize = 120;

/// The byte offset where a text becomes too deep.
pub fn too_deep(text: &str) -> Option<usize> {
    let indented = too_indented(text);
    // The lexer does not say where it is: the place is found by asking for shorter texts.
    let nested = exceeds(text).then(|| {
        let (mut fits, mut exceeding) = (0, text.len());
        while exceeding - fits > 1 {
            let middle = text.floor_char_boundary(fits.midpoint(exceeding));
            if middle == fits {
                break;
            }
            if exceeds(&text[..middle]) { exceeding = middle } else { fits = middle }
        }
        fits
    });
    [indented, nested].into_iter().flatten().min()
}

/// The first line that is indented too deeply.
fn too_indented(text: &str) -> Option<usize> {
    let mut widths: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let start = at;
        at += line.len();
        let width = line.len() - line.trim_start_matches([' ', '\t', '\u{c}']).len();
        if line.trim().is_empty() {
            continue;
        }
        while widths.last().is_some_and(|last| *last >= width) {
            widths.pop();
        }
        if width > 0 {
            widths.push(width);
        }
        if widths.len() > MAX_INDENTS {
            return Some(start + width);
        }
    }
    None
}

fn exceeds(text: &str) -> bool {
    let mut depth = Depth::default();
    let mut lexer = lex(text, Mode::Module);
    loop {
        let kind = lexer.next_token();
        if kind == TokenKind::EndOfFile {
            return false;
        }
        depth.take(kind);
        if depth.nesting > MAX_NESTING || depth.chain > MAX_CHAIN {
            return true;
        }
    }
}

/// What is open between two brackets.
#[derive(Debug, Default)]
struct Level {
    /// What ends it; nothing ends the outermost one.
    closer: Option<TokenKind>,
    prefixes: u32,
    chain: u32,
    /// Lambdas whose colon has not come: a comma there separates parameters.
    parameters: u32,
}

/// Sums over all open levels.
#[derive(Debug, Default)]
struct Depth {
    outermost: Level,
    inner: Vec<Level>,
    nesting: u32,
    chain: u32,
    /// Whether the last token ends a value, so that an operator behind it joins two.
    after_value: bool,
}

impl Depth {
    fn take(&mut self, kind: TokenKind) {
        use TokenKind as T;
        let after_value = self.after_value;
        self.after_value = ends_value(kind);
        match kind {
            T::NonLogicalNewline | T::Comment | T::Indent | T::Dedent => self.after_value = after_value,
            T::Lpar | T::Lsqb | T::Lbrace => {
                if after_value && kind != T::Lbrace {
                    self.link();
                }
                self.open(match kind {
                    T::Lpar => T::Rpar,
                    T::Lsqb => T::Rsqb,
                    _ => T::Rbrace,
                });
            }
            T::FStringStart => self.open(T::FStringEnd),
            T::TStringStart => self.open(T::TStringEnd),
            T::Rpar | T::Rsqb | T::Rbrace | T::FStringEnd | T::TStringEnd => self.close(kind),
            T::Comma => self.separate(),
            T::Newline | T::Semi if self.inner.is_empty() => {
                self.outermost.parameters = 0;
                self.separate();
            }
            T::Lambda => {
                self.prefix();
                self.level().parameters += 1;
            }
            T::Colon => self.level().parameters = self.level().parameters.saturating_sub(1),
            T::Not | T::Tilde | T::Await | T::Async | T::Else | T::Yield | T::DoubleStar | T::ColonEqual => {
                self.prefix();
            }
            T::Star | T::Plus | T::Minus if !after_value => self.prefix(),
            T::Star
            | T::Plus
            | T::Minus
            | T::Slash
            | T::DoubleSlash
            | T::Percent
            | T::At
            | T::Vbar
            | T::Amper
            | T::CircumFlex
            | T::LeftShift
            | T::RightShift
            | T::Dot => self.link(),
            _ => {}
        }
    }

    fn level(&mut self) -> &mut Level {
        self.inner.last_mut().unwrap_or(&mut self.outermost)
    }

    fn prefix(&mut self) {
        self.level().prefixes += 1;
        self.nesting += 1;
    }

    fn link(&mut self) {
        self.level().chain += 1;
        self.chain += 1;
    }

    fn open(&mut self, closer: TokenKind) {
        self.inner.push(Level { closer: Some(closer), ..Level::default() });
        self.nesting += 1;
    }

    /// A sign that does not match leaves the level open: what a parser makes of it is not known.
    fn close(&mut self, kind: TokenKind) {
        if let Some(level) = self.inner.pop_if(|level| level.closer == Some(kind)) {
            self.nesting -= 1 + level.prefixes;
            self.chain -= level.chain;
        }
    }

    /// What follows stands beside what came before, no longer inside it.
    fn separate(&mut self) {
        let level = self.level();
        if level.parameters == 0 {
            let (prefixes, chain) = (std::mem::take(&mut level.prefixes), std::mem::take(&mut level.chain));
            self.nesting -= prefixes;
            self.chain -= chain;
        }
    }
}

fn ends_value(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::Name
            | T::Int
            | T::Float
            | T::Complex
            | T::String
            | T::FStringEnd
            | T::TStringEnd
            | T::Rpar
            | T::Rsqb
            | T::Rbrace
            | T::Ellipsis
            | T::None
            | T::True
            | T::False
            | T::Case
            | T::Match
            | T::Type
            | T::Lazy
    )
}

#[cfg(test)]
mod tests {
    use super::too_deep;

    #[test]
    fn programs_are_not_too_deep_and_towers_are() {
        let n = 100_000;
        let towers = [
            "(".repeat(n),
            "[{(".repeat(n),
            "(]".repeat(n),
            format!("x = {}1", "-".repeat(n)),
            format!("x = {}1", "not ".repeat(n)),
            format!("x = {}1", "- ~ +".repeat(n)),
            format!("x = {}1", "lambda: ".repeat(n)),
            format!("x = {}1", "lambda a, b=1: ".repeat(n)),
            format!("x = {}1", "1 if 1 else ".repeat(n)),
            format!("x = {}1", "1 ** ".repeat(n)),
            format!("x = {}1", "1 + ".repeat(n)),
            format!("x = a{}", ".b".repeat(n)),
            format!("x = a{}", "()".repeat(n)),
            format!("x = a{}", "[0]".repeat(n)),
            format!("x = a{}", "(0)[0].b".repeat(n)),
            format!("x = {}1", "await ".repeat(n)),
            format!("x = {}1{}", "f'{".repeat(n), "}'".repeat(n)),
            format!("x = f'{}1", "{a:".repeat(n)),
            format!("{}pass", "async ".repeat(n)),
            (0..1_000).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect(),
            format!("match x:\n case {}a", "[".repeat(n)),
            format!("match x:\n case a{}: pass", ".b".repeat(n)),
        ];
        for text in towers {
            assert!(too_deep(&text).is_some(), "{}", &text[..40]);
        }
        let programs = [
            format!("x = [{}]", "-1, ".repeat(n)),
            format!("x = [{}]", "lambda a, b: a + b, ".repeat(n)),
            format!("x = {{{}}}", "'a': f(1)[2].b, ".repeat(n)),
            format!("x = {}1", "y = ".repeat(n)),
            format!("x = {}1", "a and ".repeat(n)),
            format!("x = {}1", "a < ".repeat(n)),
            "x = -1\n".repeat(n),
            "x = -1; ".repeat(n),
            "if x:\n  pass\nelif y:\n  pass\nelse:\n  pass\n".repeat(n / 10),
            "f('''(((\n''')\n".repeat(n / 10),
            format!("x = {}1{}", "(".repeat(190), ")".repeat(190)),
            format!("x = {}1", "1 + ".repeat(1_900)),
            (0..99).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect(),
        ];
        for text in programs {
            assert_eq!(too_deep(&text), None, "{}", &text[..40]);
        }
    }

    #[test]
    fn the_place_is_where_it_becomes_too_deep() {
        let text = format!("å = {}", "(".repeat(500));
        assert_eq!(too_deep(&text), Some("å = ".len() + 200));
    }
}
