//! Statements and declarations.

use super::Scan;
use super::goal::{Context, Goal};
use super::token::{Kind, Token};
use super::word;
use crate::limits::{CHAIN_STEP, CHAIN_TOTAL};

impl Scan<'_> {
    #[allow(clippy::collapsible_match)] // a guard that takes a token would hide it
    pub(super) fn statement(&mut self, goal: Goal) {
        match goal {
            Goal::Module => {
                if self.token.kind != Kind::End {
                    self.then([Goal::Statement { in_list: true }, goal]);
                }
            }
            Goal::Block | Goal::Body => {
                if !self.eat("}") {
                    self.then([Goal::Statement { in_list: true }, goal]);
                }
            }
            Goal::OpenBlock => {
                if self.expect("{") {
                    self.push(Goal::Block);
                }
            }
            Goal::Statement { in_list } => self.begin(in_list),
            Goal::Semicolon => {
                let may_be_left_out = self.token.newline || self.at("}") || self.token.kind == Kind::End;
                if !self.eat(";") && !may_be_left_out {
                    self.fail();
                }
            }
            Goal::Optional => {
                self.eat(";");
            }
            Goal::Header => {
                if self.expect("(") {
                    self.push(Goal::Close(")"));
                    self.allow_in();
                    self.push(Goal::Expression);
                }
            }
            Goal::Else { links } => self.alternative(links),
            Goal::DoWhile => {
                if self.expect_word("while") {
                    self.then([Goal::Header, Goal::Optional]);
                }
            }
            Goal::Catch => {
                if self.eat_word("catch") {
                    self.then([Goal::OpenBlock, Goal::Finally]);
                    if self.eat("(") {
                        self.then([Goal::Target, Goal::Close(")")]);
                    }
                } else if self.expect_word("finally") {
                    self.push(Goal::OpenBlock);
                }
            }
            Goal::Finally => {
                if self.eat_word("finally") {
                    self.push(Goal::OpenBlock);
                }
            }
            Goal::OpenCases => {
                if self.expect("{") {
                    self.push(Goal::Cases { began: false });
                }
            }
            Goal::Cases { began } => self.cases(began),
            Goal::Declarator => self.then([Goal::Target, Goal::DeclaratorRest]),
            Goal::DeclaratorRest => {
                if self.eat("=") {
                    self.then([Goal::Assignment, goal]);
                } else if self.eat(",") {
                    self.push(Goal::Declarator);
                }
            }
            Goal::Target => match self.token.kind {
                Kind::Punctuator("{" | "[") => self.literal(),
                _ => {
                    self.expect_name();
                }
            },
            _ => self.loop_header(goal),
        }
    }

    fn begin(&mut self, in_list: bool) {
        let single = Goal::Statement { in_list: false };
        match self.token.kind {
            Kind::Punctuator("{") => {
                self.advance();
                self.push(Goal::Block);
            }
            Kind::Punctuator(";") => self.advance(),
            Kind::Word("if") => self.conditional(in_list.then_some(0)),
            Kind::Word("do") => {
                self.advance();
                self.then([single, Goal::DoWhile]);
            }
            Kind::Word("while") => {
                self.advance();
                self.then([Goal::Header, single, Goal::Level]);
            }
            Kind::Word("for") => {
                self.advance();
                if self.context.awaits {
                    self.eat_word("await");
                }
                if self.expect("(") {
                    self.then([Goal::ForInit, Goal::Close(")"), single, Goal::Level]);
                }
            }
            Kind::Word("continue" | "break") => {
                self.advance();
                if !self.token.newline && word::is_name(self.token.kind) {
                    self.advance();
                }
                self.push(Goal::Semicolon);
            }
            Kind::Word("debugger") => {
                self.advance();
                self.push(Goal::Semicolon);
            }
            Kind::Word("return") => {
                self.advance();
                self.push(Goal::Semicolon);
                let Token { kind, newline, .. } = self.token;
                if !newline && !matches!(kind, Kind::End | Kind::Punctuator(";" | "}")) {
                    self.push(Goal::Expression);
                }
            }
            Kind::Word("throw") => {
                self.advance();
                if self.token.newline { self.fail() } else { self.then([Goal::Expression, Goal::Semicolon]) }
            }
            Kind::Word("switch") => {
                self.advance();
                self.then([Goal::Header, Goal::OpenCases]);
            }
            Kind::Word("try") => {
                self.advance();
                self.then([Goal::OpenBlock, Goal::Catch]);
            }
            Kind::Word("const" | "class" | "function" | "let") if !in_list => self.fail(),
            Kind::Word("var" | "const") => self.variables(),
            Kind::Word("let") if self.declares() => self.variables(),
            Kind::Word("class") => {
                self.advance();
                self.class();
            }
            Kind::Word("function") => {
                self.advance();
                self.function(false);
            }
            Kind::Word("async") if self.before_function() => {
                if in_list {
                    self.advance();
                    self.advance();
                    self.function(true);
                } else {
                    self.fail();
                }
            }
            Kind::Word("import") if !matches!(self.peek().kind, Kind::Punctuator("(" | ".")) => self.import(),
            Kind::Word("export") => self.export(),
            kind if word::is_name(kind) && self.peek().kind == Kind::Punctuator(":") => {
                self.advance();
                self.advance();
                self.then([single, Goal::Level]);
            }
            _ => self.then([Goal::Expression, Goal::Semicolon]),
        }
    }

    /// Whether `let` begins a declaration.
    fn declares(&self) -> bool {
        match self.peek().kind {
            Kind::Word(word) => !matches!(word, "in" | "instanceof"),
            Kind::Escaped(_) | Kind::Punctuator("{" | "[") => true,
            _ => false,
        }
    }

    /// Whether `async` belongs to a `function` behind it.
    pub(super) fn before_function(&self) -> bool {
        let next = self.peek();
        next.kind == Kind::Word("function") && !next.newline
    }

    fn variables(&mut self) {
        self.advance();
        self.then([Goal::Declarator, Goal::Semicolon]);
    }

    fn conditional(&mut self, links: Option<usize>) {
        self.advance();
        self.then([Goal::Header, Goal::Statement { in_list: false }, Goal::Else { links }]);
    }

    fn alternative(&mut self, links: Option<usize>) {
        let Token { start, end, .. } = self.token;
        if !self.eat_word("else") {
            return;
        }
        let Some(links) = links.map(|links| links + 1).filter(|_| self.at_word("if")) else {
            self.then([Goal::Statement { in_list: false }, Goal::Level]);
            return;
        };
        if links >= CHAIN_STEP || self.depth + self.links >= CHAIN_TOTAL {
            // Without its `else` the rest of the chain is a statement of the list.
            self.lexis.blanks.push((start, end));
            while matches!(self.goals.last(), Some(Goal::Link)) {
                self.pop();
            }
            self.conditional(Some(0));
        } else {
            self.push(Goal::Link);
            self.conditional(Some(links));
        }
    }

    fn cases(&mut self, began: bool) {
        match self.token.kind {
            Kind::Punctuator("}") => self.advance(),
            Kind::Word("case") => {
                self.advance();
                self.then([Goal::Expression, Goal::Close(":"), Goal::Cases { began: true }]);
            }
            Kind::Word("default") => {
                self.advance();
                self.then([Goal::Close(":"), Goal::Cases { began: true }]);
            }
            _ if began => self.then([Goal::Statement { in_list: true }, Goal::Cases { began }]),
            _ => self.fail(),
        }
    }

    fn loop_header(&mut self, goal: Goal) {
        let outside = self.context;
        let without_in = Context { has_in: false, ..outside };
        match goal {
            Goal::ForInit => match self.token.kind {
                Kind::Punctuator(";") => self.push(Goal::ForRest),
                Kind::Word("let") if !self.declares() => self.fail(),
                Kind::Word("var" | "const" | "let") => {
                    self.advance();
                    self.context = without_in;
                    self.then([Goal::Declarator, Goal::Restore(outside), Goal::ForRest]);
                }
                _ => {
                    self.context = without_in;
                    self.then([Goal::Expression, Goal::Restore(outside), Goal::ForRest]);
                }
            },
            Goal::ForRest => {
                self.allow_in();
                if self.eat_word("of") {
                    self.push(Goal::Assignment);
                } else if self.eat_word("in") {
                    self.push(Goal::Expression);
                } else if self.expect(";") {
                    self.push(Goal::ForTest);
                }
            }
            Goal::ForTest => {
                self.push(Goal::ForUpdate);
                if !self.at(";") {
                    self.push(Goal::Expression);
                }
            }
            _ => {
                if self.expect(";") && !self.at(")") {
                    self.push(Goal::Expression);
                }
            }
        }
    }
}
