//! What a file of tests checks: its cases, what each expects, and what it does before that.
//!
//! Reads the tree and runs nothing. A case that does not run checks nothing: one that is skipped, left for later,
//! expected to fail, or beside one that is singled out.

use std::collections::BTreeMap;

use holdpoint_js::read_source;
use holdpoint_js::tree::ast::{Argument, CallExpression, Expression, ObjectPropertyKind, Statement};
use holdpoint_js::tree::{GetSpan, Span, Visit, walk};

use crate::code::dialect;

const CASES: [&str; 2] = ["it", "test"];
const GROUPS: [&str; 2] = ["describe", "suite"];
const EXPECTATIONS: [&str; 2] = ["expect", "assert"];
const UNRUN: [&str; 5] = ["skip", "todo", "skipIf", "runIf", "fails"];
const FOCUS: &str = "only";
/// Between the titles of groups and of a case, as the runner joins them.
const INSIDE: &str = " > ";

/// How often each expectation stands in a text, without its blanks.
pub type Expectations = BTreeMap<String, usize>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    /// The titles of its groups and its own.
    pub title: String,
    pub expects: Expectations,
    /// Its text without blanks, title and expectations.
    pub acts: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFile {
    pub cases: Vec<TestCase>,
    /// What is expected outside of cases, as in a function that they call.
    pub expects: Expectations,
    /// What stands around the cases, without imports, blanks and expectations.
    pub acts: String,
}

impl TestFile {
    /// What a file checks; `None` where it cannot be read.
    pub fn read(path: &str, text: &str) -> Option<Self> {
        let read = read_source(text, dialect(path), |source| {
            let mut reader = Reader { text, ..Reader::default() };
            reader.visit_program(source.program);
            reader.done()
        });
        read.ok()
    }

    /// All expectations of cases that run, and those around them.
    pub fn all(&self) -> Expectations {
        let mut all = self.expects.clone();
        for (expectation, count) in self.cases.iter().flat_map(|case| &case.expects) {
            *all.entry(expectation.clone()).or_default() += count;
        }
        all
    }
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    file: TestFile,
    /// Whether each case of the file is singled out.
    focus: Vec<bool>,
    /// Titles of the groups that are open, joined.
    group: String,
    focused_groups: usize,
    /// What the case that is read expects.
    open: Option<Expectations>,
    /// Statements around the cases, and expectations, which count by themselves.
    around: Vec<Span>,
    expected: Vec<Span>,
    is_around: bool,
}

impl Reader<'_> {
    fn done(mut self) -> TestFile {
        if self.focus.contains(&true) {
            let mut focus = self.focus.iter();
            self.file.cases.retain(|_| focus.next() == Some(&true));
        }
        self.file.acts = self.around.iter().map(|span| self.acts(*span)).collect();
        self.file
    }

    fn piece(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// A text without what is expected in it, blanks and semicolons.
    fn acts(&self, span: Span) -> String {
        let mut acts = String::new();
        let mut from = span.start;
        let mut add =
            |piece: &str| acts.extend(piece.chars().filter(|letter| !letter.is_whitespace() && *letter != ';'));
        for cut in self.expected.iter().filter(|cut| span.start <= cut.start && cut.end <= span.end) {
            let before = self.piece(from, cut.start).trim_end();
            add(before.strip_suffix("await").unwrap_or(before));
            from = cut.end;
        }
        add(self.piece(from, span.end));
        acts
    }

    fn title(&self, call: &CallExpression<'_>) -> String {
        let own = match call.arguments.first() {
            Some(Argument::StringLiteral(title)) => title.value.to_string(),
            Some(other) => self.piece(other.span().start, other.span().end).trim_matches('`').to_owned(),
            None => String::new(),
        };
        if self.group.is_empty() { own } else { format!("{}{INSIDE}{own}", self.group) }
    }

    fn expect(&mut self, span: Span) {
        let plain: String = self.piece(span.start, span.end).chars().filter(|letter| !letter.is_whitespace()).collect();
        self.expected.push(span);
        *self.open.as_mut().unwrap_or(&mut self.file.expects).entry(plain).or_default() += 1;
    }
}

/// What a call registers, and whether it counts.
enum Registered {
    Case,
    Group,
    Unrun,
}

/// The members between the name that a call begins with and its arguments: `only` of `test.only`.
struct Chain<'c> {
    root: Option<&'c str>,
    members: Vec<&'c str>,
}

impl<'c> Chain<'c> {
    fn of(mut link: &'c Expression<'_>) -> Self {
        let mut members = Vec::new();
        let root = loop {
            link = match link {
                Expression::Identifier(name) => break Some(name.name.as_str()),
                Expression::StaticMemberExpression(member) => {
                    members.push(member.property.name.as_str());
                    &member.object
                }
                Expression::CallExpression(call) => &call.callee,
                Expression::TaggedTemplateExpression(tagged) => &tagged.tag,
                _ => break None,
            };
        };
        Self { root, members }
    }

    fn is(&self, names: &[&str]) -> bool {
        self.root.is_some_and(|root| names.contains(&root))
    }

    fn has(&self, names: &[&str]) -> bool {
        self.members.iter().any(|member| names.contains(member))
    }

    fn registers(&self, call: &CallExpression<'_>) -> Option<Registered> {
        let registered = if self.is(&CASES) { Registered::Case } else { Registered::Group };
        if matches!(registered, Registered::Group) && !self.is(&GROUPS) {
            return None;
        }
        let is_unrun = self.has(&UNRUN) || call.arguments.iter().any(is_left_out);
        Some(if is_unrun { Registered::Unrun } else { registered })
    }
}

/// Whether options of a case or group leave it out: `{ skip: true }`.
fn is_left_out(argument: &Argument<'_>) -> bool {
    let Argument::ObjectExpression(options) = argument else { return false };
    options.properties.iter().any(|option| match option {
        ObjectPropertyKind::ObjectProperty(option) => {
            option.key.static_name().is_some_and(|name| UNRUN.contains(&name.as_ref()))
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_statement(&mut self, statement: &Statement<'a>) {
        let registers = match statement {
            Statement::ExpressionStatement(one) => match &one.expression {
                Expression::CallExpression(call) => Chain::of(&call.callee).registers(call).is_some(),
                _ => false,
            },
            _ => false,
        };
        if self.open.is_some() || self.is_around || registers {
            return walk::walk_statement(self, statement);
        }
        if matches!(statement, Statement::ImportDeclaration(_)) {
            return;
        }
        self.is_around = true;
        walk::walk_statement(self, statement);
        self.is_around = false;
        self.around.push(statement.span());
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let chain = Chain::of(&call.callee);
        if chain.is(&EXPECTATIONS) {
            return self.expect(call.span());
        }
        let is_focused = chain.has(&[FOCUS]);
        match chain.registers(call) {
            None => walk::walk_call_expression(self, call),
            Some(Registered::Unrun) => {}
            Some(Registered::Group) => {
                let title = self.title(call);
                let outer = std::mem::replace(&mut self.group, title);
                self.focused_groups += usize::from(is_focused);
                walk::walk_call_expression(self, call);
                self.focused_groups -= usize::from(is_focused);
                self.group = outer;
            }
            Some(Registered::Case) => {
                let outer = self.open.replace(Expectations::new());
                call.arguments.iter().for_each(|argument| self.visit_argument(argument));
                let expects = std::mem::replace(&mut self.open, outer).unwrap_or_default();
                let rest = call.arguments.first().map_or(call.span().end, |title| title.span().end);
                let acts = self.acts(call.callee.span()) + &self.acts(Span::new(rest, call.span().end));
                let case = TestCase { title: self.title(call), expects, acts };
                self.focus.push(is_focused || self.focused_groups > 0);
                self.file.cases.push(case);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TestFile {
        TestFile::read("a.test.tsx", text).unwrap()
    }

    fn titles(text: &str) -> Vec<String> {
        read(text).cases.into_iter().map(|case| case.title).collect()
    }

    #[test]
    fn a_case_is_named_as_the_runner_names_it() {
        let text = "describe('list', () => {\n  it('is empty', () => {});\n  describe(`late`, () => { test(`is red`, f) });\n});
            test.each([1, 2])('is %i', (n) => {});\nfor (const one of all) test(one.name, () => {});\n";
        assert_eq!(titles(text), ["list > is empty", "list > late > is red", "is %i", "one.name"]);
    }

    #[test]
    fn what_does_not_run_is_no_case() {
        let unrun = [
            "test.skip('a', f)",
            "test.todo('a')",
            "test.fails('a', f)",
            "it.skipIf(true)('a', f)",
            "test('a', { skip: true }, f)",
            "describe.skip('g', () => { test('a', f) })",
            "describe('g', { todo: true }, () => { test('a', f) })",
            "test('a', f); test.only('b', f)",
        ];
        for text in unrun {
            assert!(!titles(text).iter().any(|title| title.ends_with('a')), "{text}");
        }
        let focused = "describe.only('g', () => { test('a', f); test('b', f) }); test('c', f);";
        assert_eq!(titles(focused), ["g > a", "g > b"]);
    }

    #[test]
    fn expectations_count_by_themselves() {
        let plain = read("test('a', async () => { act(); expect(one).toBe(1); });\n");
        let more = read(
            "test('a', async () => {\n  act();\n  await expect(two).resolves.toBe(2);\n  expect(one)\n    .toBe(1);\n});\n",
        );
        assert_eq!(plain.cases[0].acts, more.cases[0].acts);
        assert_eq!((plain.cases[0].expects.len(), more.cases[0].expects.len()), (1, 2));
        let other = read("test('a', async () => { other(); expect(one).toBe(1); });\n");
        assert_ne!(plain.cases[0].acts, other.cases[0].acts);
        assert_ne!(read("test.each([1])('a', f)").cases[0].acts, read("test.each([2])('a', f)").cases[0].acts);
    }

    #[test]
    fn what_stands_around_the_cases_is_read_and_imports_are_not() {
        let of = |around: &str| {
            read(&format!("import {{ x }} from './x';\n{around}\ndescribe('g', () => {{ test('a', f) }});\n"))
        };
        let plain = of("");
        assert_eq!((plain.acts.as_str(), &plain.expects), ("", &Expectations::new()));
        assert!(of("vi.mock('./x');").acts.contains("vi.mock"));
        let shared = of("function holds(n) {\n  expect(n).toBe(1);\n}");
        assert_eq!((shared.acts.as_str(), shared.expects.len()), ("functionholds(n){}", 1));
        assert_eq!(shared.all().len(), 1);
        assert_eq!(TestFile::read("a.test.ts", "test('a',"), None);
    }
}
