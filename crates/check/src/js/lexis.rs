//! The raw text before a parser sees it: how deep it nests, and where HTML-like comments stand.
//!
//! A recursive parser needs stack in proportion to nesting, so nesting is bounded here, in one pass without recursion.
//! Brackets count as they open; constructs that nest to the right without brackets (prefix operators, `**`, arrows,
//! assignments, conditionals, `extends`, statement headers, labels) count until the place where they must have ended.
//! `else if` chains are legal at any length but nest in every parser: they are cut apart by blanking an `else`, which
//! keeps every offset and every name (spec: ifc-extension.md §6.1).
//! Invariant: on every prefix that is valid strict module code the count is at least the true nesting.

mod frame;
mod token;

use frame::{Bracket, Frame, Previous};
use token::{Kind, Reader, Token};

use super::limits::{CHAIN_STEP, CHAIN_TOTAL, MAX_CODE_DEPTH};

/// What the raw text says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lexis {
    /// Byte offset where nesting goes over the limit; nothing behind it was read.
    pub too_deep: Option<usize>,
    /// Spans of `<!--` as operators and of `-->` as first token of a line.
    pub html_comments: Vec<(usize, usize)>,
    /// Offsets of `else` keywords to blank before parsing.
    pub cut_else: Vec<usize>,
}

/// Reads the text once.
pub(super) fn scan(text: &str) -> Lexis {
    let mut scan = Scan { reader: Reader::new(text), stack: vec![Frame::new(Bracket::Block)], ..Scan::default() };
    scan.run();
    scan.lexis
}

#[derive(Default)]
struct Scan<'t> {
    reader: Reader<'t>,
    /// Never empty: the last one is the innermost open bracket, the first one the module itself.
    stack: Vec<Frame>,
    /// Nesting of all frames but the innermost, and their chains.
    outer: usize,
    outer_chain: usize,
    lexis: Lexis,
}

impl Scan<'_> {
    fn run(&mut self) {
        loop {
            let divides = self.frame().previous.ends_operand();
            let Some(token) = self.reader.next(divides) else { return };
            if token.inner_depth + self.depth() > MAX_CODE_DEPTH {
                self.lexis.too_deep = Some(token.start);
                return;
            }
            self.html(&token);
            self.boundary(&token);
            self.step(&token);
            if self.depth() > MAX_CODE_DEPTH {
                self.lexis.too_deep = Some(token.start);
                return;
            }
        }
    }

    fn depth(&self) -> usize {
        self.outer + self.frame().nesting()
    }

    fn frame(&self) -> &Frame {
        self.stack.last().expect("the module's own frame is never popped")
    }

    fn top(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("the module's own frame is never popped")
    }

    fn open(&mut self, bracket: Bracket) {
        self.outer += self.frame().nesting() + 1;
        self.outer_chain += self.frame().chain;
        self.stack.push(Frame::new(bracket));
    }

    /// Closes the innermost bracket if it is of this kind of character. An unmatched one is a syntax error: the count
    /// goes on as if it were not there.
    fn close(&mut self, matching: impl Fn(Bracket) -> bool) -> Option<Bracket> {
        if self.stack.len() == 1 || !matching(self.frame().bracket) {
            return None;
        }
        let bracket = self.stack.pop()?.bracket;
        self.outer -= self.frame().nesting() + 1;
        self.outer_chain -= self.frame().chain;
        Some(bracket)
    }

    fn html(&mut self, token: &Token) {
        let rest = self.reader.rest(token.start);
        let comment = if rest.starts_with("<!--") {
            Some(4)
        } else if rest.starts_with("-->") && token.first_of_line {
            Some(3)
        } else {
            None
        };
        if let Some(length) = comment.filter(|_| matches!(token.kind, Kind::Punctuator(_))) {
            self.lexis.html_comments.push((token.start, token.start + length));
        }
    }

    /// Two operands side by side are two statements (or two members of a class): what nested to the right has ended.
    fn boundary(&mut self, token: &Token) {
        let frame = self.top();
        let is_else = matches!(token.kind, Kind::Word("else"));
        if std::mem::take(&mut frame.statement_ended) && !is_else {
            frame.reset_statement();
        }
        if token.newline_before && frame.previous.ends_operand() && !is_else {
            let starts_operand = match &token.kind {
                Kind::Word(word) => !matches!(*word, "in" | "instanceof" | "of" | "as" | "from"),
                Kind::Operand | Kind::Punctuator("++" | "--" | "{" | "!" | "~" | "#" | "@") => true,
                Kind::Punctuator(_) | Kind::TemplateStart => false,
            };
            if starts_operand && (frame.bracket.lists_statements() || frame.bracket == Bracket::Class) {
                frame.reset_statement();
                frame.in_key = frame.bracket == Bracket::Class;
                frame.previous = Previous::Statement;
            }
        }
    }

    fn step(&mut self, token: &Token) {
        match &token.kind {
            Kind::Operand => self.top().previous = Previous::Operand,
            Kind::TemplateStart => self.open(Bracket::Template),
            Kind::Word(word) => self.word(word, token.start),
            Kind::Punctuator(punctuator) => self.punctuator(punctuator),
        }
    }

    fn word(&mut self, word: &str, start: usize) {
        let (rest_is_if, outer_chain, depth) = (self.reader.next_word_is("if"), self.outer_chain, self.depth());
        let frame = self.top();
        if frame.previous == Previous::Dot || frame.in_key {
            // A name, whatever it spells; `static {` and `async`, `get`, `set` are names too as far as nesting goes.
            frame.previous = if word == "static" { Previous::Static } else { Previous::Operand };
            return;
        }
        frame.previous = match word {
            "await" if frame.previous == Previous::Header => Previous::Header,
            "typeof" | "void" | "delete" | "await" | "yield" | "new" => {
                frame.prefixes += 1;
                Previous::Operator
            }
            "extends" => {
                frame.expression += 1;
                Previous::Operator
            }
            "return" | "throw" | "in" | "instanceof" | "import" | "export" | "const" | "let" | "var" => {
                frame.end_operand();
                Previous::Operator
            }
            "case" => {
                frame.case_pending = true;
                Previous::Operator
            }
            "default" => {
                frame.case_pending = frame.previous == Previous::Statement;
                if frame.case_pending { Previous::Operand } else { Previous::ExportDefault }
            }
            "of" if frame.previous == Previous::Operand && frame.bracket == Bracket::Header => Previous::Operator,
            "if" if frame.after_else => {
                frame.after_else = false;
                Previous::Header
            }
            "if" | "for" | "while" | "with" => {
                frame.statement += 1;
                Previous::Header
            }
            "switch" | "catch" => Previous::Switch,
            "do" => {
                frame.statement += 1;
                Previous::Statement
            }
            "else" => {
                if rest_is_if {
                    frame.after_else = true;
                    let own_chain = frame.statement == 1 && frame.bracket.lists_statements();
                    if own_chain {
                        frame.chain += 1;
                        if frame.chain >= CHAIN_STEP || depth + outer_chain + frame.chain > CHAIN_TOTAL {
                            frame.chain = 0;
                            self.lexis.cut_else.push(start);
                        }
                    } else {
                        frame.statement += 1;
                    }
                } else {
                    frame.statement += 1;
                }
                self.top().previous = Previous::Statement;
                return;
            }
            "try" | "finally" => Previous::Statement,
            "function" => {
                frame
                    .functions
                    .push(matches!(frame.previous, Previous::Statement | Previous::ExportDefault | Previous::Async));
                Previous::Function
            }
            "class" => {
                frame.classes.push(matches!(frame.previous, Previous::Statement | Previous::ExportDefault));
                Previous::Class
            }
            "async" if frame.previous == Previous::Statement => Previous::Async,
            _ => Previous::Operand,
        };
    }

    fn punctuator(&mut self, punctuator: &str) {
        match punctuator {
            "(" => {
                let bracket = match self.frame().previous {
                    Previous::Header => Bracket::Header,
                    Previous::Switch => Bracket::Switch,
                    _ => Bracket::Paren,
                };
                self.open(bracket);
            }
            ")" => {
                let closed = self.close(Bracket::is_round);
                self.top().previous = match closed {
                    Some(Bracket::Header | Bracket::Switch) => Previous::Statement,
                    _ => Previous::CloseParen,
                };
            }
            "[" => self.open(Bracket::Square),
            "]" => {
                self.close(|bracket| bracket == Bracket::Square);
                self.top().previous = Previous::Operand;
            }
            "{" => self.open_brace(),
            "}" => self.close_brace(),
            _ => self.operator(punctuator),
        }
    }

    fn open_brace(&mut self) {
        let frame = self.top();
        let bracket = match frame.previous {
            // The heritage of a class ends in an operand, `class {` has none.
            previous if !frame.classes.is_empty() && previous.ends_operand() => Bracket::Class,
            Previous::Class => Bracket::Class,
            Previous::CloseParen if frame.in_key => Bracket::Body { statement: false },
            Previous::CloseParen => Bracket::Body { statement: frame.functions.pop().unwrap_or(true) },
            Previous::Arrow => Bracket::Body { statement: false },
            Previous::Statement | Previous::Static | Previous::Operand | Previous::Header | Previous::Switch => {
                Bracket::Block
            }
            Previous::Operator | Previous::Dot | Previous::Function | Previous::ExportDefault | Previous::Async => {
                Bracket::Object
            }
        };
        self.open(bracket);
        self.top().in_key = matches!(bracket, Bracket::Object | Bracket::Class);
    }

    fn close_brace(&mut self) {
        let Some(closed) = self.close(Bracket::is_curly) else { return };
        if closed == Bracket::Template {
            self.reader.resume_template();
            self.top().previous = Previous::Operand;
            return;
        }
        let frame = self.top();
        let ends_statement = match closed {
            Bracket::Block | Bracket::Body { statement: true } => true,
            Bracket::Class => frame.classes.pop().unwrap_or(false),
            _ => false,
        };
        if ends_statement {
            frame.previous = Previous::Statement;
            frame.statement_ended = true;
        } else {
            frame.previous = Previous::Operand;
        }
        if frame.bracket == Bracket::Class && matches!(closed, Bracket::Body { .. } | Bracket::Block) && frame.in_key {
            frame.reset_statement();
            frame.previous = Previous::Statement;
        }
    }

    fn operator(&mut self, punctuator: &str) {
        let frame = self.top();
        let after_operand = frame.previous.ends_operand();
        match punctuator {
            "." | "?." => {
                frame.previous = Previous::Dot;
                return;
            }
            "++" | "--" if after_operand => return,
            ";" => {
                frame.statement_ended = true;
                frame.end_expression();
                frame.in_key = frame.bracket == Bracket::Class;
                let lists = frame.bracket.lists_statements() || frame.bracket == Bracket::Class;
                frame.previous = if lists { Previous::Statement } else { Previous::Operator };
                return;
            }
            "," => {
                frame.end_expression();
                frame.in_key = frame.bracket == Bracket::Object;
            }
            ":" if frame.conditionals > 0 => {
                frame.conditionals -= 1;
                frame.end_operand();
            }
            ":" if frame.bracket.lists_statements() => {
                if std::mem::take(&mut frame.case_pending) {
                    frame.reset_statement();
                } else {
                    frame.statement += 1;
                }
                frame.previous = Previous::Statement;
                return;
            }
            ":" => frame.in_key = false,
            "?" => {
                frame.end_operand();
                frame.conditionals += 1;
                frame.expression += 1;
            }
            "=>" => {
                frame.end_operand();
                frame.expression += 1;
                frame.previous = Previous::Arrow;
                return;
            }
            "**" => frame.powers += 1,
            "*" if frame.in_key => return,
            _ if punctuator.ends_with('=') && !matches!(punctuator, "==" | "===" | "!=" | "!==" | "<=" | ">=") => {
                frame.in_key = false;
                frame.end_operand();
                frame.expression += 1;
            }
            _ if after_operand => frame.end_operand(),
            _ => frame.prefixes += 1,
        }
        frame.previous = Previous::Operator;
    }
}
