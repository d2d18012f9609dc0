//! One `.js` file, parsed as a strict ES module with its scopes resolved (ifc-extension.md §6.1 "One parse goal").

use holdpoint_check::{Diagnostic, LineIndex, Range, args, codes};
use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, IdentifierReference, Program, RegExpFlags, Statement, StringLiteral};
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SemanticBuilder, SymbolId};
use oxc_span::{GetSpan, SourceType, Span};
use oxc_syntax::line_terminator::is_line_terminator;

use crate::lexis::{self, Refusal};
use crate::limits::{MAX_CODE_DEPTH, MAX_CODE_NODES, MAX_PATTERN_DEPTH};
use crate::syntax::SyntaxError;
use crate::{spine, syntax};

codes! {
    /// the text is no strict module code
    CODE_SYNTAX: Error, "Write a valid strict ES module: {why}." [why];
    /// <!-- or --> where one parse goal reads a comment
    CODE_HTML_COMMENT: Error, "Put spaces between the operators, or write a comment with `//`.";
    /// it is over MAX_CODE_DEPTH or MAX_CODE_NODES
    CODE_TOO_COMPLEX / DEPTH: Error, "Nest less: at most {limit} levels." [limit];
    CODE_TOO_COMPLEX / PATTERN: Error, "Nest less: at most {limit} groups of a pattern inside one another." [limit];
    CODE_TOO_COMPLEX / REREAD: Error, "Put less code inside nested parentheses.";
    CODE_TOO_COMPLEX / NODES: Error, "Split the file: at most {limit} syntax nodes." [limit];
}

pub struct Module<'a> {
    /// Where it stands in the bundle.
    pub path: &'a str,
    text: &'a str,
    lines: LineIndex<'a>,
    pub(crate) program: &'a Program<'a>,
    /// Words that the parser did not see: the `else` where a long chain was read in pieces.
    pub(crate) blanks: Vec<(usize, usize)>,
    semantic: Semantic<'a>,
}

/// Reads one file. `None` stands for a file that no rule can look at; its diagnostics say why.
pub(crate) fn read<'a>(path: &'a str, text: &'a str, arena: &'a Allocator) -> (Option<Module<'a>>, Vec<Diagnostic>) {
    let lines = LineIndex::new(text);
    let lexis = lexis::scan(text);
    let too_deep = || Diagnostic::of(&DEPTH, args! { limit: MAX_CODE_DEPTH }).in_file(path);
    if let Some((why, start)) = lexis.refused {
        let finding = match why {
            Refusal::Depth => too_deep(),
            Refusal::Reread => Diagnostic::of(&REREAD, args! {}).in_file(path),
        };
        return (None, vec![finding.at(lines.range(start, start))]);
    }
    let mut diagnostics: Vec<Diagnostic> = lexis
        .html_comments
        .iter()
        .map(|(start, end)| Diagnostic::of(&CODE_HTML_COMMENT, args! {}).in_file(path).at(lines.range(*start, *end)))
        .collect();
    let readable = lexis.broken.map_or(text, |broken| &text[..broken.readable]);
    let source = if lexis.blanks.is_empty() { readable } else { arena.alloc_str(&blank(readable, &lexis.blanks)) };
    let options = ParseOptions { parse_regular_expression: true, preserve_parens: false, ..ParseOptions::default() };
    let mut parsed = Parser::new(arena, source, SourceType::mjs()).with_options(options).parse();
    let mut errors = syntax::errors(&parsed.diagnostics);
    let mut module = None;
    if !parsed.panicked {
        if !spine::cut(&mut parsed.program, arena) {
            return (None, vec![too_deep()]);
        }
        let program: &'a Program<'a> = arena.alloc(parsed.program);
        let built = SemanticBuilder::new().with_build_nodes(true).with_check_syntax_error(true).build(program);
        errors.extend(syntax::errors(&built.diagnostics));
        errors.extend(syntax::beyond_edition(built.semantic.nodes()));
        if built.semantic.nodes().len() > MAX_CODE_NODES {
            return (None, vec![Diagnostic::of(&NODES, args! { limit: MAX_CODE_NODES }).in_file(path)]);
        }
        if let Some(span) = deep_pattern(built.semantic.nodes()) {
            let finding = Diagnostic::of(&PATTERN, args! { limit: MAX_PATTERN_DEPTH }).in_file(path);
            return (None, vec![finding.at(lines.range(span.start as usize, span.end as usize))]);
        }
        let blanks = lexis.blanks.iter().copied().filter(|(start, end)| &text[*start..*end] == "else").collect();
        module = Some(Module { path, text, lines: LineIndex::new(text), program, blanks, semantic: built.semantic });
    }
    // The parser may take more than the language has.
    errors.extend(lexis.broken.map(|broken| SyntaxError {
        span: Span::new(broken.start as u32, broken.end as u32),
        message: "Unexpected token".to_owned(),
    }));
    let Some(first) = errors.into_iter().min_by_key(|error| error.span.start) else {
        return (module, diagnostics);
    };
    // An HTML-like comment is said once, not as what the parser made of it too.
    if diagnostics.is_empty() {
        diagnostics.push(
            Diagnostic::of(&CODE_SYNTAX, args! { why: first.message })
                .in_file(path)
                .at(lines.range(first.span.start as usize, first.span.end as usize)),
        );
    }
    (None, diagnostics)
}

/// The first pattern whose groups are nested over [`MAX_PATTERN_DEPTH`].
fn deep_pattern(nodes: &AstNodes<'_>) -> Option<Span> {
    let patterns = nodes.iter().filter_map(|node| match node.kind() {
        AstKind::RegExpLiteral(literal) => Some((literal.span, &literal.regex)),
        _ => None,
    });
    let mut deep = patterns.filter(|(_, regex)| groups(&regex.pattern.text, regex.flags) > MAX_PATTERN_DEPTH);
    deep.next().map(|(span, _)| span)
}

/// Groups of a pattern that are open at once, and with `v` the classes inside one another.
fn groups(pattern: &str, flags: RegExpFlags) -> usize {
    let (mut open, mut most, mut escaped, mut in_class) = (0_usize, 0, false, false);
    for c in pattern.chars() {
        match c {
            _ if escaped => {}
            '[' if flags.contains(RegExpFlags::V) => open += 1,
            ']' if flags.contains(RegExpFlags::V) => open = open.saturating_sub(1),
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => open += 1,
            ')' if !in_class => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
        escaped = !escaped && c == '\\';
    }
    most
}

/// The text with blanks in those places; lines end where they ended.
fn blank(text: &str, places: &[(usize, usize)]) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end) in places {
        blanked.push_str(&text[from..*start]);
        for c in text[*start..*end].chars() {
            if is_line_terminator(c) {
                blanked.push(c);
            } else {
                blanked.extend(std::iter::repeat_n(' ', c.len_utf8()));
            }
        }
        from = *end;
    }
    blanked.push_str(&text[from..]);
    blanked
}

impl<'a> Module<'a> {
    /// Every node of the tree, parents before children.
    pub fn nodes(&self) -> &AstNodes<'a> {
        self.semantic.nodes()
    }

    /// The declarations and what refers to them.
    pub fn scoping(&self) -> &Scoping {
        self.semantic.scoping()
    }

    /// A node as what it is.
    pub fn kind(&self, node: NodeId) -> AstKind<'a> {
        self.nodes().kind(node)
    }

    /// The node in which a node stands; the program is its own.
    pub fn parent(&self, node: NodeId) -> NodeId {
        self.nodes().parent_id(node)
    }

    /// The lines and columns of a span.
    pub fn range(&self, span: Span) -> Range {
        self.lines.range(span.start as usize, span.end as usize)
    }

    pub(crate) fn source(&self) -> &'a str {
        self.text
    }

    /// The source of a span.
    pub fn text(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The declaration that a name means; `None` for a name that nothing in the file declares.
    pub fn symbol(&self, name: &IdentifierReference) -> Option<SymbolId> {
        self.scoping().get_reference(name.reference_id.get()?).symbol_id()
    }

    /// References to names that nothing in the file declares, in source order.
    pub fn unresolved(&self) -> impl Iterator<Item = (NodeId, &'a IdentifierReference<'a>)> + '_ {
        self.nodes().iter().filter_map(|node| match node.kind() {
            AstKind::IdentifierReference(name) if self.symbol(name).is_none() => Some((node.id(), name)),
            _ => None,
        })
    }

    /// The one value that a variable is ever bound to: a declaration with a value and no assignment.
    pub fn bound_once(&self, symbol: SymbolId) -> Option<&'a Expression<'a>> {
        if self.scoping().symbol_is_mutated(symbol) || !self.scoping().symbol_redeclarations(symbol).is_empty() {
            return None;
        }
        let AstKind::VariableDeclarator(declarator) = self.kind(self.scoping().symbol_declaration(symbol)) else {
            return None;
        };
        let own = declarator.id.get_binding_identifier()?;
        (own.symbol_id.get() == Some(symbol)).then_some(declarator.init.as_ref()?)
    }

    /// The specifiers of static imports and re-exports.
    pub fn specifiers(&self) -> Vec<&'a StringLiteral<'a>> {
        let found = self.program.body.iter().filter_map(|statement| match statement {
            Statement::ImportDeclaration(import) => Some(&import.source),
            Statement::ExportFromDeclaration(export) => Some(&export.source),
            Statement::ExportAllDeclaration(export) => Some(&export.source),
            _ => None,
        });
        found.collect()
    }

    /// The nodes in which a node stands, from the inside.
    pub fn ancestors(&self, node: NodeId) -> impl Iterator<Item = AstKind<'a>> + Clone + '_ {
        self.nodes().ancestor_kinds(node)
    }

    /// The span of a node.
    pub fn span(&self, node: NodeId) -> Span {
        self.kind(node).span()
    }
}

impl Module<'_> {
    /// Whether a member expression is assigned to or deleted.
    pub fn is_written(&self, member: NodeId) -> bool {
        let span = self.span(member);
        let parent = self.parent(member);
        match self.kind(parent) {
            AstKind::ChainExpression(_) => self.is_written(parent),
            AstKind::AssignmentExpression(assignment) => assignment.left.span() == span,
            AstKind::UnaryExpression(unary) => unary.operator == oxc_syntax::operator::UnaryOperator::Delete,
            AstKind::AssignmentTargetWithDefault(target) => target.binding.span() == span,
            AstKind::AssignmentTargetPropertyProperty(target) => target.binding.span() == span,
            AstKind::ForInStatement(each) => each.left.span() == span,
            AstKind::ForOfStatement(each) => each.left.span() == span,
            AstKind::UpdateExpression(_) | AstKind::ArrayAssignmentTarget(_) | AstKind::AssignmentTargetRest(_) => true,
            _ => false,
        }
    }
}
