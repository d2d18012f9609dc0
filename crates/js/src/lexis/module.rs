//! `import` and `export`.

use super::Scan;
use super::goal::Goal;
use super::token::Kind;
use super::word;

impl Scan<'_> {
    fn at_top(&self) -> bool {
        matches!(self.goals.last(), Some(Goal::Module))
    }

    /// An import declaration from its `import` on.
    pub(super) fn import(&mut self) {
        if !self.at_top() {
            return self.fail();
        }
        self.advance();
        if self.token.kind != Kind::String {
            let has_default = word::is_name(self.token.kind);
            if has_default {
                self.advance();
            }
            let more = if has_default { self.eat(",") } else { true };
            let whole = !more || if self.at("{") { self.specifiers() } else { self.namespace() };
            if !whole || !self.expect_word("from") {
                return;
            }
        }
        self.source();
    }

    /// An export declaration from its `export` on.
    pub(super) fn export(&mut self) {
        if !self.at_top() {
            return self.fail();
        }
        self.advance();
        match self.token.kind {
            Kind::Punctuator("{") => {
                if self.specifiers() {
                    if self.eat_word("from") { self.source() } else { self.push(Goal::Semicolon) }
                }
            }
            Kind::Punctuator("*") => {
                self.advance();
                if (!self.eat_word("as") || self.specifier()) && self.expect_word("from") {
                    self.source();
                }
            }
            Kind::Word("default") => {
                self.advance();
                match self.token.kind {
                    Kind::Word("function" | "class") => self.push(Goal::Statement { in_list: true }),
                    Kind::Word("async") if self.before_function() => self.push(Goal::Statement { in_list: true }),
                    _ => self.then([Goal::Assignment, Goal::Semicolon]),
                }
            }
            Kind::Word("var" | "const" | "let" | "function" | "class") => {
                self.push(Goal::Statement { in_list: true });
            }
            Kind::Word("async") if self.before_function() => self.push(Goal::Statement { in_list: true }),
            _ => self.fail(),
        }
    }

    fn namespace(&mut self) -> bool {
        self.expect("*") && self.expect_word("as") && self.expect_name()
    }

    /// `{ a, b as c }`
    fn specifiers(&mut self) -> bool {
        self.advance();
        while !self.eat("}") {
            if !self.specifier() || (self.eat_word("as") && !self.specifier()) {
                return false;
            }
            if !self.at("}") && !self.expect(",") {
                return false;
            }
        }
        true
    }

    /// A name or a text.
    fn specifier(&mut self) -> bool {
        let found = matches!(self.token.kind, Kind::Word(_) | Kind::Escaped(_) | Kind::String);
        if found {
            self.advance();
        } else {
            self.fail();
        }
        found
    }

    fn source(&mut self) {
        if self.token.kind == Kind::String {
            self.advance();
            self.push(Goal::Semicolon);
        } else {
            self.fail();
        }
    }
}
