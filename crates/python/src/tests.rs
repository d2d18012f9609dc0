//! What is said of modules.

use holdpoint_check::python::PythonFacts;
use holdpoint_check::python::{NameFault, NameFaultKind, PythonBinding, PythonBindingKind};
use proptest::prelude::*;

use super::facts;

fn bindings(text: &str) -> Vec<PythonBinding> {
    match facts(text) {
        PythonFacts::Module { bindings, .. } => bindings,
        PythonFacts::Broken { error } => panic!("{error:?} in {text}"),
    }
}

/// `name:kind@line/block`, in the order of the text.
fn bound(text: &str) -> String {
    let one = |binding: PythonBinding| {
        let kind = match binding.kind {
            PythonBindingKind::Def => "def",
            PythonBindingKind::Class => "class",
            PythonBindingKind::Import => "import",
            PythonBindingKind::Assignment => "is",
        };
        format!("{}:{kind}@{}/{}", binding.name, binding.line, binding.block)
    };
    bindings(text).into_iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_a_module_binds() {
    let cases = [
        ("def a(): pass\nasync def b(): pass\nclass C:\n  def d(self): pass", "a:def@1/0 b:def@2/0 C:class@3/0"),
        ("def a():\n  def b(): pass\n  c = 1", "a:def@1/0"),
        ("@x\n@y(z)\n# note\nasync  def a(): pass", "a:def@4/0"),
        ("@x\nclass A: pass", "A:class@2/0"),
        (
            "import a.b, c.d as e\nfrom f import g, h as i\nfrom j import *",
            "a:import@1/0 e:import@1/0 g:import@2/0 i:import@2/0 *:import@3/0",
        ),
        ("a = b = 1\nc: int\nd: int = 2\ne += 1\nf.g = h[0] = 1", "a:is@1/0 b:is@1/0 d:is@3/0 e:is@4/0"),
        ("(a, [b, *c]), d.e = x", "a:is@1/0 b:is@1/0 c:is@1/0"),
        ("print(a := 1, [b := x for c in d], lambda e: (f := 1), lambda g=(h := 1): g)", "a:is@1/0 b:is@1/0 h:is@1/0"),
        ("def a(b=(c := 1), *, d: (e := 2)) -> (f := 3): pass", "c:is@1/0 e:is@1/0 f:is@1/0 a:def@1/0"),
        (
            "if a := 1:\n  def b(): pass\nelif (c := 2):\n  def b(): pass\nelse:\n  def b(): pass",
            "a:is@1/0 b:def@2/1 c:is@3/0 b:def@4/2 b:def@6/3",
        ),
        (
            "for a, b in c:\n  def d(): pass\nelse:\n  e = 1\nwhile f:\n  g = 1",
            "a:is@1/0 b:is@1/0 d:def@2/1 e:is@4/2 g:is@6/3",
        ),
        ("with a as b, c as (d, e):\n  f = 1", "b:is@1/0 d:is@1/0 e:is@1/0 f:is@2/1"),
        (
            "try:\n  import a\nexcept B as c:\n  def a(): pass\nelse:\n  d = 1\nfinally:\n  e = 1",
            "a:import@2/1 a:def@4/2 d:is@6/3 e:is@8/4",
        ),
        (
            "match a:\n case [b, *c] | {'k': b, **c} if (d := 1):\n  e = 1\n case F(g, h=i) as j:\n  pass\n case _: pass",
            "b:is@2/0 c:is@2/0 b:is@2/0 c:is@2/0 d:is@2/0 e:is@3/1 g:is@4/0 i:is@4/0 j:is@4/0",
        ),
        ("type A[T] = list[T]\nglobal b\ndel a", "A:is@1/0"),
        ("ｒun = 1", "run:is@1/0"),
        ("", ""),
    ];
    for (text, want) in cases {
        assert_eq!(bound(text), want, "{text}");
    }
}

#[test]
fn places_are_those_of_editors() {
    let binding = &bindings("ä = 0")[0];
    assert_eq!((binding.range.start.column, binding.range.end.column), (1, 2));
    let binding = &bindings("'🙂'; b = 1")[0];
    assert_eq!((binding.range.start.column, binding.range.end.column), (7, 8));
    let binding = &bindings("'🙂'\n@a\nasync def kör(x): pass")[0];
    let range = binding.range;
    assert_eq!((range.start.line, range.start.column, range.end.line, range.end.column), (3, 1, 3, 14));
}

#[test]
fn the_first_error_is_told() {
    let cases = [
        ("def run_tool(a, b)\n    return a\n", 1),
        ("def run_tool(a, b):\n    x = 1\n      y = 2\n", 3),
        ("x = (1,\ny = 2\n", 2),
        ("print 'a'", 1),
        ("x = 'a\ny = )", 1),
        ("a = 1\nif a:\nb = 2", 3),
        ("def f(:\n  pass\n)))", 1),
        ("x = 1 +", 1),
        ("f'{a", 1),
        ("x = 0777", 1),
        ("\tx = 1", 1),
        ("é = $", 1),
        ("class = 1", 1),
        ("a b c", 1),
        ("ok = '\\N{CHECK MARK}'\nmark = '\\N{CHEQUE MARK}'", 2),
    ];
    for (text, line) in cases {
        let PythonFacts::Broken { error } = facts(text) else { panic!("{text}") };
        assert_eq!(error.range.start.line, line, "{text}: {}", error.message);
        assert!(error.range.start <= error.range.end && !error.message.is_empty(), "{text}");
    }
}

const SCRIPTS: &[&str] = &[
    include_str!("../tests/scripts/door_report.py"),
    include_str!("../tests/scripts/mark.py"),
    include_str!("../tests/scripts/modern.py"),
    include_str!("../tests/scripts/settings.py"),
    include_str!("../tests/scripts/windows.py"),
];

#[test]
fn scripts_as_people_write_them_parse() {
    for script in SCRIPTS {
        assert!(!bindings(script).is_empty());
    }
    assert!(bound(SCRIPTS[0]).contains("dumps:def@24/"));
    assert!(bound(SCRIPTS[4]).contains("main:def@5/1"));
}

/// What editing and models leave behind.
const SCRAPS: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "'''",
    "f'{",
    "f\"\"\"{",
    "\\",
    "\n",
    "\r",
    "\t",
    "    ",
    ":",
    ",",
    "lambda ",
    "if ",
    "else ",
    "not ",
    "async ",
    "await ",
    "match ",
    "case ",
    "def ",
    "class ",
    "@",
    "*",
    "**",
    "->",
    ":=",
    "\u{feff}",
    "\0",
    "\u{202e}",
    "ä",
    "🙂",
    "```",
    "<<<<<<< HEAD\n",
    "+",
    "- ",
    "0x",
    "1e",
    "\u{c}",
    "type ",
    "except* ",
    "=",
    "%",
    "!",
    "?",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_scripts_are_read_or_refused(
        script in 0..SCRIPTS.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..60, prop::sample::select(SCRAPS), 0_usize..4), 1..12),
    ) {
        let mut text = SCRIPTS[script].to_owned();
        for (place, cut, scrap, times) in edits {
            let start = text.floor_char_boundary(place.index(text.len() + 1));
            let end = text.floor_char_boundary((start + cut).min(text.len()));
            text.replace_range(start..end, &scrap.repeat(times));
        }
        if let PythonFacts::Broken { error } = facts(&text) {
            prop_assert!(error.range.start <= error.range.end);
        }
    }

    #[test]
    fn scraps_alone_are_read_or_refused(scraps in prop::collection::vec(prop::sample::select(SCRAPS), 0..200)) {
        let _ = facts(&scraps.concat());
    }
}

/// Towers that are just not too deep, in the stack of a test thread; deeper ones are refused before.
#[test]
fn towers_are_read_or_refused() {
    for n in [150, 199, 201, 1_900, 2_100, 100_000] {
        let towers = [
            format!("x = {}1{}", "(".repeat(n), ")".repeat(n)),
            format!("x = {}1{}", "[".repeat(n), "]".repeat(n)),
            format!("x = {}1{}", "{1:".repeat(n), "}".repeat(n)),
            format!("x = {}1{}", "f(".repeat(n), ")".repeat(n)),
            format!("x = {}1", "-".repeat(n)),
            format!("x = {}1", "not ".repeat(n)),
            format!("x = {}1", "lambda: ".repeat(n)),
            format!("x = {}1", "1 if 1 else ".repeat(n)),
            format!("x = {}1", "1 ** ".repeat(n)),
            format!("x = {}1", "1 + ".repeat(n)),
            format!("x = a{}", ".b".repeat(n)),
            format!("x = a{}", "()".repeat(n)),
            format!("x = a{}", "[0]".repeat(n)),
            format!("x = {}1{}", "f'{".repeat(n), "}'".repeat(n)),
            format!("match x:\n case {}a{}: pass", "[".repeat(n), "]".repeat(n)),
            format!("x: {}int{}", "list[".repeat(n), "]".repeat(n)),
            format!("{}a", "(".repeat(n)),
            format!("def f({}", "a=(".repeat(n)),
            format!("class A({}", "b[".repeat(n)),
            format!("x = {}", "(]".repeat(n)),
            format!("x = {}", "f'{(".repeat(n)),
            format!("{}1", "x = yield ".repeat(n)),
            format!("print({}1)", "*".repeat(n)),
            format!("with {}a: pass", "(".repeat(n)),
            format!("if x:\n{}", "  (\n".repeat(n)),
            (0..n.min(900)).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect(),
        ];
        for text in towers {
            let _ = facts(&text);
        }
    }
}

/// `kind name/argument@line:column`, in the order of the walk.
fn faults(text: &str) -> String {
    let PythonFacts::Module { faults, .. } = facts(text) else { panic!("broken: {text}") };
    let one = |fault: NameFault| {
        let kind = match fault.kind {
            NameFaultKind::Unbound => "unbound",
            NameFaultKind::Missing => "missing",
            NameFaultKind::Unknown => "unknown",
            NameFaultKind::Twice => "twice",
            NameFaultKind::Surplus => "surplus",
        };
        let counts = fault.takes.zip(fault.given).map(|(takes, given)| format!("{takes}<{given}"));
        let argument = fault.argument.or(counts).map(|argument| format!("/{argument}")).unwrap_or_default();
        format!("{kind} {}{argument}@{}:{}", fault.name, fault.range.start.line, fault.range.start.column)
    };
    faults.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn names_that_nothing_binds() {
    let cases = [
        ("def run(rows):\n  return sep.join(rows)", "unbound sep@2:10"),
        ("print(a)\nprint(a)\nb(c=d)", "unbound a@1:7, unbound b@3:1, unbound d@3:5"),
        ("@a\ndef f(b=c) -> d: pass", "unbound a@1:2, unbound c@2:9, unbound d@2:15"),
        ("class A(B):\n  x = 1\n  y = x\n  def f(self): return x", "unbound B@1:9, unbound x@4:23"),
        ("[a for b in c if d]", "unbound c@1:13, unbound d@1:18, unbound a@1:2"),
        ("f'{a}'", "unbound a@1:4"),
        // Bound later, elsewhere, by a loop, by an import, by a pattern, by a declaration.
        ("def f(): return g()\ndef g(): pass", ""),
        ("for a in []: pass\nwith open('x') as b: print(a, b)\nimport c.d, e as f\nprint(c, f)", ""),
        ("match 1:\n  case {'k': a, **b} | [a, *b]: print(a, b)\ntry: pass\nexcept OSError as e: print(e)", ""),
        ("def f():\n  global a\n  a = 1\nprint(a)", ""),
        ("def f():\n  a = 1\n  def g():\n    nonlocal a\n    a += 1\n    return a\n  return g", ""),
        ("[b := 1 for a in []]\nprint(b)\nlambda c, *d, e=1, **f: (c, d, e, f)", ""),
        ("class A[T]:\n  def f(self, x: T) -> T: return __class__\ntype B[U] = list[U]", ""),
        ("class A:\n  xs = [1]\n  ys = [x for x in xs]", ""),
        ("print(__name__, __file__, ExceptionGroup, aiter)", ""),
        // Where names come from what stands nowhere in the text, nothing is said.
        ("from math import *\nprint(sqrt(2))", ""),
        ("globals()['a'] = 1\nprint(a)", ""),
        ("try:\n  unicode\nexcept NameError:\n  unicode = str", ""),
        ("try:\n  a\nexcept (TypeError, NameError): pass", ""),
        ("from __future__ import annotations\ndef f(a: B) -> C: pass", ""),
    ];
    for (text, want) in cases {
        assert_eq!(faults(text), want, "{text}");
    }
}

#[test]
fn calls_that_do_not_fit() {
    let f = "def f(a, b, c=1, *, d=2, e): pass\n";
    let cases = [
        ("f(1, 2, e=3)", ""),
        ("f(1, b=2, e=3, c=4)", ""),
        ("f(*x(), e=1)\ndef x(): return []", ""),
        ("f(1, **dict())", ""),
        ("f(1, e=3)", "missing f/b@2:1"),
        ("f(1, 2)", "missing f/e@2:1"),
        ("f(1, 2, 3, 4, e=5)", "surplus f/3<4@2:12"),
        ("f(1, 2, e=3, g=4)", "unknown f/g@2:14"),
        ("f(1, 2, a=3, e=4)", "twice f/a@2:9"),
        ("print(f(1, 2))", "missing f/e@2:7"),
        ("f(*[1], 2)", "missing f/e@2:1"),
    ];
    for (call, want) in cases {
        assert_eq!(faults(&format!("{f}{call}")), want, "{call}");
    }
    let programs = [
        ("def f(a, /, b): pass\nf(a=1, b=2)", "unknown f/a@2:3"),
        ("def f(a, /, **k): pass\nf(1, a=2)", ""),
        ("def f(*a): pass\nf(1, 2, 3)", ""),
        ("async def f(a): pass\nasync def g(): await f()", "missing f/a@2:22"),
        ("def g():\n  def f(a): pass\n  f()\ndef f(): pass\nf()", "missing f/a@3:3"),
        ("class A:\n  def __init__(self, a): pass\nA()\nA(1)\nA(1, 2)", "missing A/a@3:1, surplus A/1<2@5:6"),
        ("class A:\n  x: int = 1\nA(1)", "surplus A/0<1@3:3"),
        // What may be called otherwise than it stands there.
        ("import functools\n@functools.cache\ndef f(a): pass\nf()", ""),
        ("def f(a): pass\nf = print\nf()", ""),
        ("if print():\n  def f(a): pass\nelse:\n  def f(): pass\nf()", ""),
        ("def f(a): pass\ndef g():\n  global f\n  f = print\nf()", ""),
        ("def f(a): pass\ndef g(f): f()", ""),
        ("class A(dict): pass\nA(1)", ""),
        ("class A(metaclass=type): pass\nA(1)", ""),
        ("class A:\n  def __new__(cls, a): return 1\nA(1)", ""),
        ("class A:\n  if print():\n    def __init__(self, a): pass\nA(1)", ""),
    ];
    for (text, want) in programs {
        assert_eq!(faults(text), want, "{text}");
    }
}

#[test]
fn calls_of_own_methods() {
    let class = |calls: &str| {
        format!("class A:\n  def area(self, w, h=1): return w * h\n  def run(self):\n    {calls}\nA().run()\n")
    };
    let cases = [
        ("self.area(1)", ""),
        ("self.area(1, h=2)", ""),
        ("self.area()", "missing area/w@4:5"),
        ("self.area(1, 2, 3)", "surplus area/2<3@4:21"),
        ("self.area(1, d=2)", "unknown area/d@4:18"),
        ("return [self.area() for _ in []]", "missing area/w@4:13"),
        ("return lambda: self.area()", "missing area/w@4:20"),
        ("self.volume(1)", "unbound self.volume@4:5"),
        ("self.__str__()", ""),
        // What the object is called stands for something else here.
        ("return lambda self: self.area()", ""),
        ("return (lambda self: self.area())(1)", ""),
        ("self = other()", "unbound other@4:12"),
        ("self = print()\n    self.area()", ""),
        ("def inner(self): self.area()", ""),
        // What may be called otherwise than it stands there.
        ("self.area = print\n    self.area()", ""),
        ("self.volume = print\n    self.volume()", ""),
        ("setattr(self, 'volume', print)\n    self.volume()", ""),
    ];
    for (calls, want) in cases {
        assert_eq!(faults(&class(calls)), want, "{calls}");
    }
    let (used, more) = ("  def run(self): self.m()\n", "  def m(self, a): pass\n");
    let programs = [
        (format!("class A:\n{used}A().run()"), "unbound self.m@2:18"),
        (format!("class A:\n{used}"), ""),
        (format!("class A:\n{used}{more}"), "missing m/a@2:18"),
        (format!("class A(dict):\n{used}{more}"), "missing m/a@2:18"),
        (format!("class A:\n  @print\n  def run(self): self.m()\n{more}"), ""),
        (format!("class A:\n{used}  @staticmethod\n{more}"), ""),
        (format!("class A:\n{used}{more}  m = print\n"), ""),
        (format!("class A:\n{used}  if print(): m = print\n"), ""),
        (format!("class A:\n{used}  m: int\n"), ""),
        (format!("class A:\n{used}class B(A):\n{more}"), ""),
        (format!("class A:\n{used}class B:\n{more}A()"), ""),
        (format!("class A(dict):\n{used}A()"), ""),
        (format!("class A:\n{used}class B(A, dict): pass\nA()"), ""),
        (format!("@print\nclass A:\n{used}A()"), ""),
        (format!("class A:\n{used}  def __getattr__(self, name): return print\nA()"), ""),
        (format!("class A:\n{used}a = A()\na.m = print\n"), ""),
        (format!("class A:\n{used}class B(A): pass\nA()"), ""),
    ];
    for (text, want) in programs {
        assert_eq!(faults(&text), want, "{text}");
    }
}

#[test]
fn faults_are_bounded() {
    let text: String = (0..500).map(|n| format!("name{n}\n")).collect();
    let PythonFacts::Module { faults, .. } = facts(&text) else { panic!() };
    assert_eq!(faults.len(), 100);
}
