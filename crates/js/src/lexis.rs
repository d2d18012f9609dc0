//! The raw text before a parser sees it: how deep it nests, how far it is code, where HTML-like comments stand.
//!
//! A recursive parser needs stack in proportion to nesting, so the grammar of strict modules is walked here first, with
//! its goals in a list instead of on the stack. There is one reading: what a `/`, a brace or the end of a line means is
//! known from the goal. Where the text stops being module code the walk stops, and the parser reads [`ROOM`] bytes
//! further at most, enough to say what is wrong: it never reads what was not measured, whatever it would make of it.
//! `else if` chains are legal at any length but nest in every parser: they are cut apart by blanking an `else`, which
//! keeps every offset and every name (spec: ifc-extension.md §6.1).
//! Invariant: the parser recurses no deeper than the depth that is counted here, plus [`ROOM`].

mod expression;
mod goal;
mod member;
mod module;
mod statement;
mod token;
mod word;

use goal::{Context, Goal};
use token::{Kind, Reader, Token};

use crate::limits::{MAX_CODE_DEPTH, MAX_REREAD, ROOM};

/// What the raw text says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lexis {
    /// Why and where reading was given up: the text is not for a parser.
    pub refused: Option<(Refusal, usize)>,
    /// Where the text stops being module code, and as far as the parser may read.
    pub broken: Option<Broken>,
    /// Spans of `<!--` as operators and of `-->` as first token of a line.
    pub html_comments: Vec<(usize, usize)>,
    /// Spans to blank before parsing, in order: an `else` that cuts a chain, a comment that says something to a parser.
    pub blanks: Vec<(usize, usize)>,
}

/// What is too much for a parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Depth,
    /// Parentheses that may be parameters and are not, around more than [`MAX_REREAD`] bytes in all.
    Reread,
}

/// The first token that cannot stand where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken {
    pub start: usize,
    pub end: usize,
    /// The parser's text ends here.
    pub readable: usize,
}

pub(super) fn scan(text: &str) -> Lexis {
    let mut scan = Scan {
        text,
        reader: Reader::new(text),
        token: Token::BEFORE_ALL,
        taken: 0,
        goals: Vec::new(),
        context: Context::MODULE,
        depth: 0,
        links: 0,
        reread: 0,
        stopped: false,
        lexis: Lexis::default(),
    };
    scan.advance();
    scan.push(Goal::Module);
    while let Some(goal) = scan.pop().filter(|_| !scan.stopped) {
        scan.step(goal);
    }
    scan.lexis.blanks.sort_unstable();
    scan.lexis
}

/// Comments with this are annotations of the expression behind them: the parser follows its spine by recursion to say
/// so, and a debug build of it gives up on some of them.
const ANNOTATION: &str = "__PURE__";

struct Scan<'t> {
    text: &'t str,
    reader: Reader<'t>,
    /// The token that no goal has taken yet.
    token: Token<'t>,
    /// Where the token began that was taken last.
    taken: usize,
    /// What is still to be read, the next one last.
    goals: Vec<Goal>,
    context: Context,
    /// The weight of the goals.
    depth: usize,
    /// The links of `else if` chains among the goals.
    links: usize,
    /// Bytes that the parser reads a second time.
    reread: usize,
    stopped: bool,
    lexis: Lexis,
}

impl<'t> Scan<'t> {
    fn step(&mut self, goal: Goal) {
        match goal {
            Goal::Level | Goal::Link => {}
            Goal::Restore(context) => self.context = context,
            Goal::Close(character) => {
                self.expect(character);
            }
            Goal::Parameters
            | Goal::ParametersRest
            | Goal::OpenBody(_)
            | Goal::OpenClass
            | Goal::Members
            | Goal::Field
            | Goal::Properties
            | Goal::PropertiesRest
            | Goal::AfterName { .. } => self.member(goal),
            Goal::Expression
            | Goal::ExpressionRest
            | Goal::Assignment
            | Goal::AssignmentRest
            | Goal::Alternative
            | Goal::Binary(_)
            | Goal::Unary
            | Goal::Postfix
            | Goal::Operand
            | Goal::New
            | Goal::Chain { .. }
            | Goal::Elements(_)
            | Goal::ElementsRest(_)
            | Goal::Group(_)
            | Goal::GroupRest(_)
            | Goal::Substitution => self.expression(goal),
            _ => self.statement(goal),
        }
    }

    /// Puts a goal before all others.
    fn push(&mut self, goal: Goal) {
        self.goals.push(goal);
        self.depth += goal.weight();
        self.links += usize::from(matches!(goal, Goal::Link));
        self.bound(0, self.taken);
    }

    /// Puts goals before all others, the first one last.
    fn then(&mut self, goals: impl IntoIterator<Item = Goal, IntoIter: DoubleEndedIterator>) {
        for goal in goals.into_iter().rev() {
            self.push(goal);
        }
    }

    fn pop(&mut self) -> Option<Goal> {
        let goal = self.goals.pop()?;
        self.depth -= goal.weight();
        self.links -= usize::from(matches!(goal, Goal::Link));
        Some(goal)
    }

    /// Gives up when the depth, with so much more for a moment, is over the limit.
    fn bound(&mut self, more: usize, start: usize) {
        if !self.stopped && self.depth + more > MAX_CODE_DEPTH {
            self.refuse(Refusal::Depth, start);
        }
    }

    fn refuse(&mut self, why: Refusal, start: usize) {
        self.stopped = true;
        self.lexis.refused.get_or_insert((why, start));
    }

    /// What is inside these parentheses is read a second time.
    fn read_again(&mut self, start: usize, end: usize) {
        self.reread += end - start;
        if self.reread > MAX_REREAD {
            self.refuse(Refusal::Reread, start);
        }
    }

    /// The token cannot stand here.
    fn fail(&mut self) {
        if self.stopped {
            return;
        }
        self.stopped = true;
        let Token { kind, start, end, .. } = self.token;
        // Where a pattern would end is not known here.
        let certain = if matches!(kind, Kind::Punctuator("/" | "/=")) { start } else { end };
        let mut readable = (certain + ROOM).min(self.text.len());
        while !self.text.is_char_boundary(readable) {
            readable -= 1;
        }
        self.lexis.broken = Some(Broken { start, end, readable });
        let annotations = self.text[start..readable].match_indices(ANNOTATION);
        self.lexis.blanks.extend(annotations.map(|(at, found)| (start + at, start + at + found.len())));
        let open: Vec<usize> = self.goals.iter().filter_map(|goal| goal.tried()).collect();
        for start in open {
            self.read_again(start, readable);
        }
    }

    fn advance(&mut self) {
        self.taken = self.token.start;
        let behind = self.token.end;
        self.token = self.reader.next();
        let skipped = (behind, self.token.start);
        if self.text.get(skipped.0..skipped.1).is_some_and(|comments| comments.contains(ANNOTATION)) {
            self.lexis.blanks.push(skipped);
        }
        self.html();
    }

    fn html(&mut self) {
        let Token { kind, start, first_of_line, .. } = self.token;
        let rest = self.reader.rest(start);
        let length = match kind {
            Kind::Punctuator("<") if rest.starts_with("<!--") => 4,
            Kind::Punctuator("--") if first_of_line && rest.starts_with("-->") => 3,
            _ => return,
        };
        self.lexis.html_comments.push((start, start + length));
        if length == 4 && first_of_line {
            self.fail();
        }
    }

    fn at(&self, punctuator: &str) -> bool {
        self.token.kind == Kind::Punctuator(punctuator)
    }

    fn at_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Word(word)
    }

    fn peek(&self) -> Token<'t> {
        self.reader.peek()
    }

    fn eat(&mut self, punctuator: &str) -> bool {
        let found = self.at(punctuator);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes what must stand here.
    fn expect(&mut self, punctuator: &str) -> bool {
        let found = self.eat(punctuator);
        if !found {
            self.fail();
        }
        found
    }

    fn expect_word(&mut self, word: &str) -> bool {
        let found = self.eat_word(word);
        if !found {
            self.fail();
        }
        found
    }

    /// Takes a name that is no keyword.
    fn expect_name(&mut self) -> bool {
        let found = word::is_name(self.token.kind);
        if found {
            self.advance();
        } else {
            self.fail();
        }
        found
    }

    /// `in` is an operator until the context is restored.
    fn allow_in(&mut self) {
        if !self.context.has_in {
            self.push(Goal::Restore(self.context));
            self.context.has_in = true;
        }
    }
}
