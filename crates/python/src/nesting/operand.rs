//! What of a text is open at a token: brackets, operators that wait for their right side, and the value on the left.
//!
//! An operator-precedence reading without values: each keeps only how deep its tree is. Invariant: what the parser holds
//! on its stack is never more than what is open here, whatever order the tokens come in, but for a constant.

use ruff_python_ast::token::TokenKind;

// Stack that one level of the parser takes, of 6,000 units. Measured in Node, on a stack of 984 KB, by growing towers until
// the module overflowed: 381 calls in each other, 478 brackets, 605 signs or powers, 317 interpolated strings, 1,875
// lambdas, 2,578 conditions, 644 stars, 1,328 `async`, in a module built for size; an unoptimised one needs half.
const BRACKET: u32 = 16;
const STRING: u32 = 4;
const OPERATOR: u32 = 10;
const LAMBDA: u32 = 4;
const CHOICE: u32 = 3;
const PREFIX: u32 = 5;

/// How strongly an operator binds, from the weakest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    /// `yield`, `async`, a star, `:=`: all that follows.
    All,
    Lambda,
    Choice,
    Or,
    And,
    Not,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Sign,
    Power,
    Await,
}

impl Binding {
    /// One of a run of these does not lie in the others: they are one node of the tree.
    fn is_flat(self) -> bool {
        matches!(self, Self::Or | Self::And | Self::Compare)
    }

    /// Of two in a row the second is a part of the first.
    fn is_right(self) -> bool {
        matches!(self, Self::All | Self::Lambda | Self::Choice | Self::Not | Self::Sign | Self::Power | Self::Await)
    }
}

/// An operator whose right side is not complete.
#[derive(Debug, Clone, Copy)]
struct Pending {
    binding: Binding,
    cost: u32,
    /// Levels of the values that it already has.
    depth: u32,
    /// A lambda whose colon has not come, a condition whose `else` has not, `yield`, which takes what commas join.
    is_open: bool,
}

/// What is open between two brackets.
#[derive(Debug, Default)]
struct Level {
    /// What ends it; nothing ends the outermost one.
    closer: Option<TokenKind>,
    pending: Vec<Pending>,
    /// Levels of the deepest value that is complete.
    deepest: u32,
    /// Levels of the value before the bracket.
    before: u32,
    cost: u32,
    /// A comprehension: `if` begins a filter.
    has_for: bool,
}

/// Sums over all open levels.
#[derive(Debug, Default)]
pub struct Depth {
    outermost: Level,
    inner: Vec<Level>,
    open: u32,
    /// Levels of the value that the last tokens make.
    value: u32,
    /// Levels of the deepest value so far.
    deepest: u32,
    /// The last token that is no white space.
    last: Option<TokenKind>,
}

impl Depth {
    /// What is open, in units of the stack.
    pub fn open(&self) -> u32 {
        self.open
    }

    /// Levels of the deepest tree of a value so far.
    pub fn links(&self) -> u32 {
        self.deepest.max(self.value)
    }

    pub fn brackets(&self) -> usize {
        self.inner.len()
    }

    pub fn take(&mut self, kind: TokenKind) {
        use TokenKind as T;
        if matches!(kind, T::NonLogicalNewline | T::Comment | T::Indent | T::Dedent) {
            return;
        }
        let last = self.last.replace(kind);
        let after_value = last.is_some_and(ends_value);
        match kind {
            T::Lpar | T::Lsqb | T::Lbrace => {
                let before = if after_value && kind != T::Lbrace { self.value + 1 } else { 0 };
                let closer = match kind {
                    T::Lpar => T::Rpar,
                    T::Lsqb => T::Rsqb,
                    _ => T::Rbrace,
                };
                self.enter(closer, before, BRACKET);
            }
            T::FStringStart => self.enter(T::FStringEnd, 0, STRING),
            T::TStringStart => self.enter(T::TStringEnd, 0, STRING),
            T::Rpar | T::Rsqb | T::Rbrace | T::FStringEnd | T::TStringEnd => self.close(kind),
            // The parameters of a lambda are read on until its colon comes.
            T::Newline | T::Semi if self.inner.is_empty() => self.separate(&[Binding::Lambda]),
            T::Comma => self.separate(&[Binding::Lambda, Binding::All]),
            T::Equal => self.separate(&[Binding::Lambda]),
            T::Colon => {
                self.separate(&[Binding::Lambda]);
                if let Some(lambda) = self.level().pending.last_mut() {
                    lambda.is_open = false;
                }
            }
            T::Dot => self.value += 1,
            T::Lambda => self.push(Binding::Lambda, LAMBDA, true),
            T::Yield => self.push(Binding::All, OPERATOR, true),
            T::Async => self.push(Binding::All, PREFIX, false),
            T::ColonEqual => self.push(Binding::All, CHOICE, false),
            T::Await => self.push(Binding::Await, OPERATOR, false),
            T::Not if last == Some(T::Is) => {}
            T::Not if !after_value => self.push(Binding::Not, OPERATOR, false),
            T::Tilde => self.push(Binding::Sign, OPERATOR, false),
            T::Plus | T::Minus if !after_value => self.push(Binding::Sign, OPERATOR, false),
            T::Star | T::DoubleStar if !after_value => self.push(Binding::All, OPERATOR, false),
            T::For if !self.inner.is_empty() => {
                self.fold_all();
                self.level().has_for = true;
            }
            T::If if !matches!(last, None | Some(T::Newline | T::Semi)) => self.choice(),
            T::Else => self.otherwise(),
            // Where its left side is missing the parser goes on as if it were there.
            kind => {
                if let Some(binding) = infix(kind) {
                    self.join(binding);
                }
            }
        }
    }

    fn level(&mut self) -> &mut Level {
        self.inner.last_mut().unwrap_or(&mut self.outermost)
    }

    /// An operator in front of its value.
    fn push(&mut self, binding: Binding, cost: u32, is_open: bool) {
        let depth = std::mem::take(&mut self.value);
        self.level().pending.push(Pending { binding, cost, depth, is_open });
        self.open += cost;
    }

    /// An operator behind its left side.
    fn join(&mut self, binding: Binding) {
        self.fold(|pending| {
            pending.binding > binding || pending.binding == binding && !binding.is_right() && !binding.is_flat()
        });
        let value = self.value;
        if let Some(same) =
            self.level().pending.last_mut().filter(|pending| pending.binding == binding && binding.is_flat())
        {
            same.depth = same.depth.max(value);
            self.value = 0;
        } else {
            self.push(binding, OPERATOR, false);
        }
    }

    /// `if` behind a value: a condition, or a filter of a comprehension.
    fn choice(&mut self) {
        let level = self.level();
        if level.has_for && !level.pending.iter().any(|pending| pending.binding == Binding::Lambda) {
            return self.fold_all();
        }
        self.fold(|pending| pending.binding > Binding::Choice);
        self.push(Binding::Choice, CHOICE, true);
    }

    fn otherwise(&mut self) {
        let is_open = |pending: &Pending| pending.binding == Binding::Choice && pending.is_open;
        if self.level().pending.iter().any(is_open) {
            self.fold(|pending| !is_open(pending));
            let value = std::mem::take(&mut self.value);
            if let Some(choice) = self.level().pending.last_mut() {
                choice.depth = choice.depth.max(value);
                choice.is_open = false;
            }
        }
    }

    /// What follows stands beside what came before, no longer inside it, but for what is open and takes both: the parameters
    /// of a lambda.
    fn separate(&mut self, takers: &[Binding]) {
        self.fold(|pending| !(pending.is_open && takers.contains(&pending.binding)));
        let value = std::mem::take(&mut self.value);
        let is_outermost = self.inner.is_empty();
        let level = self.level();
        match level.pending.last_mut() {
            Some(taker) => taker.depth = taker.depth.max(value),
            None if is_outermost => level.deepest = 0,
            None => level.deepest = level.deepest.max(value),
        }
    }

    fn fold_all(&mut self) {
        self.fold(|_| true);
        let value = std::mem::take(&mut self.value);
        let level = self.level();
        level.deepest = level.deepest.max(value);
    }

    /// Completes the operators at the end for which this holds.
    fn fold(&mut self, is_complete: impl Fn(&Pending) -> bool) {
        while let Some(pending) = self.level().pending.pop_if(|pending| is_complete(pending)) {
            self.open -= pending.cost;
            self.value = self.value.max(pending.depth) + 1;
            self.deepest = self.deepest.max(self.value);
        }
    }

    fn enter(&mut self, closer: TokenKind, before: u32, cost: u32) {
        self.inner.push(Level { closer: Some(closer), before, cost, ..Level::default() });
        self.open += cost;
        self.value = 0;
    }

    /// A sign that does not match leaves the level open: what a parser makes of it is not known.
    fn close(&mut self, kind: TokenKind) {
        if self.inner.last().is_none_or(|level| level.closer != Some(kind)) {
            return;
        }
        self.fold_all();
        if let Some(level) = self.inner.pop() {
            self.open -= level.cost;
            self.value = level.before.max(level.deepest + 2);
        }
    }
}

/// An operator between two values.
fn infix(kind: TokenKind) -> Option<Binding> {
    use TokenKind as T;
    Some(match kind {
        T::Or => Binding::Or,
        T::And => Binding::And,
        T::EqEqual | T::NotEqual | T::Less | T::LessEqual | T::Greater | T::GreaterEqual | T::In | T::Is | T::Not => {
            Binding::Compare
        }
        T::Vbar => Binding::BitOr,
        T::CircumFlex => Binding::BitXor,
        T::Amper => Binding::BitAnd,
        T::LeftShift | T::RightShift => Binding::Shift,
        T::Plus | T::Minus => Binding::Sum,
        T::Star | T::Slash | T::DoubleSlash | T::Percent | T::At => Binding::Product,
        T::DoubleStar => Binding::Power,
        _ => return None,
    })
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
