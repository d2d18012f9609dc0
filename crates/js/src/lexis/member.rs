//! Functions, classes, and the members of classes and objects.

use super::Scan;
use super::goal::{Context, Goal, Place};
use super::token::{Kind, Token};
use super::word;

impl Scan<'_> {
    #[allow(clippy::collapsible_match)] // a guard that takes a token would hide it
    pub(super) fn member(&mut self, goal: Goal) {
        match goal {
            Goal::Parameters => {
                if !self.eat(")") {
                    self.eat("...");
                    self.then([Goal::Target, Goal::ParametersRest]);
                }
            }
            Goal::ParametersRest => {
                if self.eat("=") {
                    self.then([Goal::Assignment, goal]);
                } else if self.eat(",") {
                    self.push(Goal::Parameters);
                } else {
                    self.expect(")");
                }
            }
            Goal::OpenBody(context) => {
                if self.expect("{") {
                    self.context = context;
                    self.push(Goal::Body);
                }
            }
            Goal::OpenClass => {
                if self.expect("{") {
                    self.push(Goal::Members);
                }
            }
            Goal::Members => {
                if !self.eat("}") {
                    self.push(goal);
                    if !self.eat(";") {
                        self.class_member();
                    }
                }
            }
            Goal::Field => {
                if !self.eat(";") && !self.token.newline && !self.at("}") {
                    self.fail();
                }
            }
            Goal::Properties => {
                if !self.eat("}") {
                    self.push(Goal::PropertiesRest);
                    if self.eat("...") {
                        self.push(Goal::Assignment);
                    } else {
                        self.property();
                    }
                }
            }
            Goal::PropertiesRest => {
                if self.eat(",") {
                    self.push(Goal::Properties);
                } else {
                    self.expect("}");
                }
            }
            Goal::AfterName { place, must_be_method, body } => self.after_name(place, must_be_method, body, false),
            _ => {}
        }
    }

    /// A function from its `*` or name on.
    pub(super) fn function(&mut self, awaits: bool) {
        let yields = self.eat("*");
        if !self.at("(") {
            self.expect_name();
        }
        self.parameters(Context { awaits, yields, has_in: true });
    }

    /// Parameters and body; neither `await` nor `yield` may stand among parameters.
    fn parameters(&mut self, body: Context) {
        if self.expect("(") {
            self.then([Goal::Parameters, Goal::OpenBody(body), Goal::Restore(self.context)]);
            self.context = Context::PLAIN;
        }
    }

    /// A class from its name on.
    pub(super) fn class(&mut self) {
        if !self.at("{") && !self.at_word("extends") {
            self.expect_name();
        }
        if self.eat_word("extends") {
            self.then([Goal::Operand, Goal::Chain { calls: true }, Goal::Level, Goal::OpenClass]);
        } else {
            self.push(Goal::OpenClass);
        }
    }

    fn class_member(&mut self) {
        if self.at_word("static") {
            match self.peek().kind {
                Kind::Punctuator("{") => {
                    self.advance();
                    self.then([Goal::OpenBlock, Goal::Restore(self.context)]);
                    self.context = Context::PLAIN;
                    return;
                }
                Kind::Punctuator("*" | "[") | Kind::Private => self.advance(),
                kind if word::is_key(kind) => self.advance(),
                _ => {}
            }
        }
        self.named(Place::Class);
    }

    fn property(&mut self) {
        self.named(Place::Object);
    }

    /// A member from its `async`, `get`, `set`, `*` or name on.
    fn named(&mut self, place: Place) {
        let next = self.peek();
        let before_name = word::is_key(next.kind) || matches!(next.kind, Kind::Punctuator("[") | Kind::Private);
        let (mut awaits, mut must_be_method) = (false, false);
        match self.token.kind {
            Kind::Word("get" | "set") if before_name => {
                self.advance();
                must_be_method = true;
            }
            Kind::Word("async") if !next.newline && (before_name || next.kind == Kind::Punctuator("*")) => {
                self.advance();
                (awaits, must_be_method) = (true, true);
            }
            _ => {}
        }
        let yields = (awaits || !must_be_method) && self.eat("*");
        must_be_method |= yields;
        let body = Context { awaits, yields, has_in: true };
        let Token { kind, .. } = self.token;
        if self.eat("[") {
            self.then([Goal::Close("]"), Goal::AfterName { place, must_be_method, body }]);
            self.allow_in();
            self.push(Goal::Assignment);
        } else if word::is_key(kind) || (kind == Kind::Private && place == Place::Class) {
            self.advance();
            self.after_name(place, must_be_method, body, word::is_name(kind));
        } else {
            self.fail();
        }
    }

    fn after_name(&mut self, place: Place, must_be_method: bool, body: Context, is_name: bool) {
        if must_be_method || self.at("(") {
            self.parameters(body);
        } else if place == Place::Class {
            self.push(Goal::Field);
            if self.eat("=") {
                self.then([Goal::Assignment, Goal::Level, Goal::Restore(self.context)]);
                self.context = Context::PLAIN;
            }
        } else if self.eat(":") || (is_name && self.eat("=")) {
            self.allow_in();
            self.push(Goal::Assignment);
        } else if !is_name {
            self.fail();
        }
    }
}
