//! What is known about one open bracket while the raw text is read.

/// What opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Bracket {
    /// The module, a block, the body of `switch` or of a static initialiser.
    #[default]
    Block,
    /// A function's body; `statement` when it belongs to a declaration, so that a statement may follow it.
    Body {
        /// Whether a statement may follow.
        statement: bool,
    },
    Class,
    /// An object literal, a pattern, a list of imported or exported names.
    Object,
    Paren,
    /// The parentheses of `if for while with`, behind which a statement stands.
    Header,
    /// The parentheses of `switch` and `catch`.
    Switch,
    Square,
    /// `${` of a template.
    Template,
}

impl Bracket {
    pub(super) fn is_round(self) -> bool {
        matches!(self, Self::Paren | Self::Header | Self::Switch)
    }

    pub(super) fn is_curly(self) -> bool {
        matches!(self, Self::Block | Self::Body { .. } | Self::Class | Self::Object | Self::Template)
    }

    pub(super) fn lists_statements(self) -> bool {
        matches!(self, Self::Block | Self::Body { .. })
    }
}

/// What the last token was, as far as it decides what the next one means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Previous {
    /// A statement may begin.
    Statement,
    /// A value has ended: `/` divides.
    Operand,
    /// Likewise, and a `{` begins a function's body.
    CloseParen,
    /// A value must begin.
    Operator,
    Arrow,
    Dot,
    Function,
    Class,
    Header,
    Switch,
    Static,
    Async,
    ExportDefault,
}

impl Previous {
    pub(super) fn ends_operand(self) -> bool {
        matches!(self, Self::Operand | Self::CloseParen | Self::Static | Self::Async)
    }
}

/// One open bracket.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // independent facts, not states of one thing
pub(super) struct Frame {
    pub(super) bracket: Bracket,
    pub(super) previous: Previous,
    /// Prefix operators before the operand that is being read.
    pub(super) prefixes: usize,
    pub(super) powers: usize,
    /// Assignments, arrows, conditionals, heritages that are open to the right.
    pub(super) expression: usize,
    /// Statement headers and labels that wait for the end of their statement.
    pub(super) statement: usize,
    /// `else if` links of the chain that is being read.
    pub(super) chain: usize,
    /// Conditionals that wait for their colon.
    pub(super) conditionals: usize,
    /// A `case` or `default` waits for its colon.
    pub(super) case_pending: bool,
    /// The next word is a property's name.
    pub(super) in_key: bool,
    pub(super) after_else: bool,
    /// The last token ended a statement, unless `else` follows.
    pub(super) statement_ended: bool,
    /// For each `function` that waits for its body, and each `class`: whether it stands as a statement.
    pub(super) functions: Vec<bool>,
    pub(super) classes: Vec<bool>,
}

impl Frame {
    pub(super) fn new(bracket: Bracket) -> Self {
        let previous = if bracket.lists_statements() { Previous::Statement } else { Previous::Operator };
        Self {
            bracket,
            previous,
            prefixes: 0,
            powers: 0,
            expression: 0,
            statement: 0,
            chain: 0,
            conditionals: 0,
            case_pending: false,
            in_key: false,
            after_else: false,
            statement_ended: false,
            functions: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// Levels of nesting that are open inside this bracket.
    pub(super) fn nesting(&self) -> usize {
        self.prefixes + self.powers + self.expression + self.statement
    }

    /// A binary operator stands behind an operand: its prefixes are complete.
    pub(super) fn end_operand(&mut self) {
        self.prefixes = 0;
        self.powers = 0;
    }

    /// A comma or the end of a statement.
    pub(super) fn end_expression(&mut self) {
        self.end_operand();
        self.expression = 0;
        self.conditionals = 0;
    }

    /// The statement has ended.
    pub(super) fn reset_statement(&mut self) {
        self.end_expression();
        self.statement = 0;
        self.chain = 0;
        self.after_else = false;
    }
}
