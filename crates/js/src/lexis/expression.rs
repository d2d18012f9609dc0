//! Expressions: operands, operators, arrows, and the lists in them.

use super::goal::{Context, Goal, Group};
use super::token::{Kind, Token};
use super::{Scan, word};

/// The operand of an assignment with all that may stand behind it.
const BEHIND_OPERAND: [Goal; 4] = [Goal::Chain { calls: true }, Goal::Postfix, Goal::Binary(0), Goal::AssignmentRest];

/// How close a binary operator binds; `**` alone binds to the right.
fn precedence(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Punctuator("??") => 1,
        Kind::Punctuator("||") => 2,
        Kind::Punctuator("&&") => 3,
        Kind::Punctuator("|") => 4,
        Kind::Punctuator("^") => 5,
        Kind::Punctuator("&") => 6,
        Kind::Punctuator("==" | "!=" | "===" | "!==") => 7,
        Kind::Punctuator("<" | ">" | "<=" | ">=") | Kind::Word("in" | "instanceof") => 8,
        Kind::Punctuator("<<" | ">>" | ">>>") => 9,
        Kind::Punctuator("+" | "-") => 10,
        Kind::Punctuator("*" | "/" | "%") => 11,
        Kind::Punctuator("**") => POWER,
        _ => return None,
    })
}

const POWER: u8 = 12;

fn assigns(kind: Kind) -> bool {
    let Kind::Punctuator(punctuator) = kind else { return false };
    punctuator.ends_with('=') && !matches!(punctuator, "==" | "===" | "!=" | "!==" | "<=" | ">=")
}

impl Scan<'_> {
    #[allow(clippy::collapsible_match)] // a guard that takes a token would hide it
    pub(super) fn expression(&mut self, goal: Goal) {
        match goal {
            Goal::Expression => self.then([Goal::Assignment, Goal::ExpressionRest]),
            Goal::ExpressionRest => {
                if self.eat(",") {
                    self.push(Goal::Expression);
                }
            }
            Goal::Assignment => self.assignment(),
            Goal::AssignmentRest => {
                if assigns(self.token.kind) {
                    self.advance();
                    self.then([Goal::Assignment, Goal::Level]);
                } else if self.eat("?") {
                    self.push(Goal::Alternative);
                    self.allow_in();
                    self.push(Goal::Assignment);
                }
            }
            Goal::Alternative => {
                if self.expect(":") {
                    self.then([Goal::Assignment, Goal::Level]);
                }
            }
            Goal::Binary(least) => self.binary(least),
            Goal::Unary => self.unary(),
            Goal::Postfix => {
                if !self.token.newline && (self.at("++") || self.at("--")) {
                    self.advance();
                }
            }
            Goal::Operand => self.operand(),
            Goal::New => {
                if self.eat("(") {
                    self.list(")");
                }
            }
            Goal::Chain { calls } => self.chain(calls),
            Goal::Elements(close) => {
                while close == "]" && self.eat(",") {}
                if !self.eat(close) {
                    self.eat("...");
                    self.then([Goal::Assignment, Goal::ElementsRest(close)]);
                }
            }
            Goal::ElementsRest(close) => {
                if self.eat(",") {
                    self.push(Goal::Elements(close));
                } else {
                    self.expect(close);
                }
            }
            Goal::Group(group) => self.group(group),
            Goal::GroupRest(group) => {
                if self.eat(",") {
                    self.push(Goal::Group(Group { only_parameters: group.only_parameters || self.at(")"), ..group }));
                } else if self.expect(")") {
                    self.group_end(group);
                }
            }
            Goal::Substitution => {
                if self.at("}") {
                    self.token = self.reader.rest_of_template(self.token.start);
                    self.template();
                } else {
                    self.fail();
                }
            }
            _ => {}
        }
    }

    fn assignment(&mut self) {
        match self.token.kind {
            Kind::Word("yield") if self.context.yields => self.yielded(),
            Kind::Word("async") if self.before_arrow() => self.async_head(),
            Kind::Punctuator("(") => {
                let tried = self.tried();
                self.advance();
                self.push(Goal::Group(Group { tried, heads: true, is_async: false, only_parameters: false }));
            }
            kind if word::is_name(kind) && !(self.at_word("async") && self.before_function()) => {
                self.advance();
                if self.at("=>") { self.arrow(false) } else { self.then(BEHIND_OPERAND) }
            }
            _ => self.then([Goal::Unary, Goal::Binary(0), Goal::AssignmentRest]),
        }
    }

    fn yielded(&mut self) {
        self.advance();
        let Token { kind, newline, .. } = self.token;
        let alone = matches!(kind, Kind::End | Kind::Punctuator(";" | "}" | ")" | "]" | ":" | ","));
        if !newline && (self.eat("*") || !alone) {
            self.then([Goal::Assignment, Goal::Level]);
        }
    }

    /// Whether `async` may begin an arrow function here.
    fn before_arrow(&self) -> bool {
        let mut ahead = self.reader;
        let next = ahead.next();
        let is_head = match next.kind {
            Kind::Punctuator("(") => true,
            kind => word::is_name(kind) && ahead.next().kind == Kind::Punctuator("=>"),
        };
        is_head && !next.newline
    }

    fn async_head(&mut self) {
        self.advance();
        if self.at("(") {
            let tried = self.tried();
            self.advance();
            self.push(Goal::Group(Group { tried, heads: true, is_async: true, only_parameters: false }));
        } else {
            self.advance();
            self.arrow(true);
        }
    }

    /// Whether the parser first reads the parentheses that open here as parameters.
    fn tried(&self) -> Option<usize> {
        let mut ahead = self.reader;
        let first = ahead.next().kind;
        let tried = match first {
            Kind::Punctuator("[" | "{" | "...") | Kind::Word("this") => true,
            kind => word::is_name(kind) && matches!(ahead.next().kind, Kind::Punctuator("," | "=" | ")")),
        };
        tried.then_some(self.token.start)
    }

    /// `=>` and the function behind it.
    fn arrow(&mut self, awaits: bool) {
        if self.token.newline {
            return self.fail();
        }
        self.advance();
        self.push(Goal::Restore(self.context));
        self.context = Context { awaits, yields: false, ..self.context };
        if self.eat("{") {
            self.context.has_in = true;
            self.push(Goal::Body);
        } else {
            self.then([Goal::Assignment, Goal::Level]);
        }
    }

    fn group(&mut self, group: Group) {
        if self.eat(")") {
            self.group_end(Group { only_parameters: true, ..group });
            return;
        }
        let only_parameters = self.eat("...") || group.only_parameters;
        self.push(Goal::GroupRest(Group { only_parameters, ..group }));
        self.allow_in();
        self.push(Goal::Assignment);
    }

    fn group_end(&mut self, group: Group) {
        if group.heads && self.at("=>") {
            return self.arrow(group.is_async);
        }
        if let Some(start) = group.tried {
            self.read_again(start, self.token.start);
        }
        if group.only_parameters && !group.is_async {
            self.fail();
        } else if group.heads {
            self.then(BEHIND_OPERAND);
        }
    }

    fn binary(&mut self, least: u8) {
        let kind = self.token.kind;
        if kind == Kind::Word("in") && !self.context.has_in {
            return;
        }
        let Some(found) = precedence(kind).filter(|found| *found > least || (*found == POWER && least == POWER)) else {
            return;
        };
        self.advance();
        self.then([Goal::Unary, Goal::Binary(found), Goal::Binary(least)]);
    }

    fn unary(&mut self) {
        match self.token.kind {
            Kind::Punctuator("!" | "~" | "+" | "-" | "++" | "--") | Kind::Word("typeof" | "void" | "delete") => {
                self.advance();
                self.then([Goal::Unary, Goal::Level]);
            }
            Kind::Word("await") if self.context.awaits => {
                self.advance();
                self.then([Goal::Unary, Goal::Level]);
            }
            Kind::Private => {
                self.advance();
                if !self.at_word("in") {
                    self.fail();
                }
            }
            _ => self.then([Goal::Operand, Goal::Chain { calls: true }, Goal::Postfix]),
        }
    }

    fn operand(&mut self) {
        match self.token.kind {
            Kind::Punctuator("(") => {
                self.advance();
                self.push(Goal::Group(Group { tried: None, heads: false, is_async: false, only_parameters: false }));
            }
            Kind::Punctuator("[" | "{") => self.literal(),
            Kind::Punctuator("/" | "/=") => self.pattern(),
            Kind::Number | Kind::String | Kind::Word("this" | "null" | "true" | "false") => self.advance(),
            Kind::Template | Kind::TemplateHead => self.template(),
            Kind::Word("function") => {
                self.advance();
                self.function(false);
            }
            Kind::Word("async") if self.before_function() => {
                self.advance();
                self.advance();
                self.function(true);
            }
            Kind::Word("class") => {
                self.advance();
                self.class();
            }
            Kind::Word("new") => {
                self.advance();
                if self.eat(".") {
                    self.expect_word("target");
                } else {
                    self.then([Goal::Operand, Goal::Chain { calls: false }, Goal::New]);
                }
            }
            Kind::Word("super") => {
                self.advance();
                if !matches!(self.token.kind, Kind::Punctuator("." | "[" | "(")) {
                    self.fail();
                }
            }
            Kind::Word("import") => {
                self.advance();
                if self.eat("(") {
                    self.list(")");
                } else if self.expect(".") {
                    self.expect_word("meta");
                }
            }
            _ => {
                self.expect_name();
            }
        }
    }

    fn pattern(&mut self) {
        match self.reader.pattern(self.token.start) {
            Some((end, depth)) => {
                self.token.end = end;
                self.bound(depth, self.token.start);
                self.advance();
            }
            None => self.fail(),
        }
    }

    /// The current token is a template, or its text up to a substitution.
    fn template(&mut self) {
        match self.token.kind {
            Kind::Template => self.advance(),
            Kind::TemplateHead => {
                self.advance();
                self.push(Goal::Substitution);
                self.allow_in();
                self.push(Goal::Expression);
            }
            _ => self.fail(),
        }
    }

    /// An array or an object, or a pattern that looks like one.
    pub(super) fn literal(&mut self) {
        if self.eat("[") {
            self.list("]");
        } else if self.expect("{") {
            self.allow_in();
            self.push(Goal::Properties);
        }
    }

    fn list(&mut self, close: &'static str) {
        self.allow_in();
        self.push(Goal::Elements(close));
    }

    fn chain(&mut self, calls: bool) {
        let again = Goal::Chain { calls };
        match self.token.kind {
            Kind::Punctuator(".") => {
                self.advance();
                self.chain_name(again);
            }
            Kind::Punctuator("?.") if calls => {
                self.advance();
                match self.token.kind {
                    Kind::Punctuator("(" | "[") => self.push(again),
                    _ => self.chain_name(again),
                }
            }
            Kind::Punctuator("[") => {
                self.advance();
                self.then([Goal::Close("]"), again]);
                self.allow_in();
                self.push(Goal::Expression);
            }
            Kind::Punctuator("(") if calls => {
                self.advance();
                self.push(again);
                self.list(")");
            }
            Kind::Template | Kind::TemplateHead => {
                self.push(again);
                self.template();
            }
            _ => {}
        }
    }

    fn chain_name(&mut self, again: Goal) {
        if matches!(self.token.kind, Kind::Word(_) | Kind::Escaped(_) | Kind::Private) {
            self.advance();
            self.push(again);
        } else {
            self.fail();
        }
    }
}
