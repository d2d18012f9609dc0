//! What may come next: the frames that a recursive parser would have on its stack, kept in a list instead.
//!
//! Each goal that a parser would answer by recursion has a weight; the sum of the weights is the depth. Invariant: no
//! parser recurses more often than that between two goals of weight, which is what the limit is measured for.

/// What the grammar passes down: whether `await`, `yield` and `in` are operators here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) awaits: bool,
    pub(super) yields: bool,
    pub(super) has_in: bool,
}

impl Context {
    /// The code of a module, outside of functions.
    pub(super) const MODULE: Self = Self { awaits: true, yields: false, has_in: true };
    /// Parameters, initialisers of fields, blocks of classes: no `await`, no `yield`.
    pub(super) const PLAIN: Self = Self { awaits: false, yields: false, has_in: true };
}

/// What is to be read next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// One level that ends where the goal above it ends.
    Level,
    /// One link of an `else if` chain: it nests in a parser, and is no depth.
    Link,
    /// The context from here on.
    Restore(Context),
    Close(&'static str),

    /// The statements of the module.
    Module,
    /// The statements of a block, and its `}`.
    Block,
    /// The same for a function.
    Body,
    OpenBlock,
    /// `{` and the function that it begins, in its context.
    OpenBody(Context),
    /// A statement; in a list of statements declarations stand too.
    Statement {
        in_list: bool,
    },
    /// A semicolon, or a place where one may be left out.
    Semicolon,
    /// The semicolon behind `do … while (…)`.
    Optional,
    Header,
    /// `else`, perhaps; the links so far where the chain began in a list of statements.
    Else {
        links: Option<usize>,
    },
    DoWhile,
    ForInit,
    /// What stands behind the first part of `for (`.
    ForRest,
    ForTest,
    ForUpdate,
    OpenCases,
    /// The clauses of a `switch`; whether there was one yet.
    Cases {
        began: bool,
    },
    Catch,
    Finally,
    Declarator,
    DeclaratorRest,
    /// A name, or a pattern.
    Target,

    /// The parameters of a function up to `)`.
    Parameters,
    ParametersRest,
    OpenClass,
    Members,
    Field,
    /// The members of an object or of an object pattern.
    Properties,
    PropertiesRest,
    /// The value of a property, once its computed name is read; whether a method must follow.
    AfterName {
        place: Place,
        must_be_method: bool,
        body: Context,
    },

    /// Assignments with commas between them.
    Expression,
    ExpressionRest,
    Assignment,
    AssignmentRest,
    Alternative,
    /// Binary operators that bind closer than this.
    Binary(u8),
    Unary,
    /// `++` or `--` on the same line, perhaps.
    Postfix,
    Operand,
    /// What stands behind a `new` callee.
    New,
    /// Members, and calls where they are allowed.
    Chain {
        calls: bool,
    },
    /// The elements of a list up to its closing character.
    Elements(&'static str),
    ElementsRest(&'static str),
    /// What stands in parentheses, of which an arrow may make parameters.
    Group(Group),
    GroupRest(Group),
    Substitution,
}

/// Where a name of a member stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Class,
    Object,
}

/// Parentheses at the place of an operand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// Where the parser begins to read anew when they are no parameters; `None` when it does not try.
    pub(super) tried: Option<usize>,
    /// Whether an arrow may follow, and makes a function of them.
    pub(super) heads: bool,
    pub(super) is_async: bool,
    /// Only parameters can look like this.
    pub(super) only_parameters: bool,
}

impl Goal {
    /// How deep it lies inside the goal below it. A function counts twice: to read one takes as much stack as to read
    /// two of anything else.
    pub(super) fn weight(self) -> usize {
        match self {
            Self::Body => 2,
            Self::Level
            | Self::Close(_)
            | Self::Block
            | Self::Else { .. }
            | Self::DoWhile
            | Self::Cases { .. }
            | Self::Parameters
            | Self::ParametersRest
            | Self::Members
            | Self::Properties
            | Self::PropertiesRest
            | Self::Alternative
            | Self::New
            | Self::Elements(_)
            | Self::ElementsRest(_)
            | Self::Group(_)
            | Self::GroupRest(_)
            | Self::Substitution => 1,
            Self::Binary(precedence) => usize::from(precedence > 0),
            _ => 0,
        }
    }

    /// Where the parser begins anew when these parentheses turn out to be no parameters.
    pub(super) fn tried(self) -> Option<usize> {
        match self {
            Self::Group(group) | Self::GroupRest(group) => group.tried,
            _ => None,
        }
    }
}
