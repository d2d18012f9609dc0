//! Nestings in disguise: code that nests deeper than any stack, and hides it from who counts.
//!
//! For cargo-fuzz and for `cargo test` alike. Something nests ([`NESTINGS`]), and something before it ([`PATTERNS`],
//! [`DIVISIONS`], [`CONTINUATIONS`]) makes a reader that is wrong about one `/`, or about the end of a line, take it for
//! a text.

/// What nests: before, in the middle, after.
pub type Nesting = (&'static str, &'static str, &'static str);

/// Everything that makes a parser recurse.
pub const NESTINGS: &[Nesting] = &[
    ("(", "1", ")"),
    ("[", "", "]"),
    ("{", "", "}"),
    ("x={a:", "1", "}"),
    ("!", "1", ""),
    ("- ", "1", ""),
    ("typeof ", "1", ""),
    ("await ", "1", ""),
    ("++", "x", ""),
    ("new ", "A", ""),
    ("new (", "A", ")"),
    ("a=>", "1", ""),
    ("async a=>", "1", ""),
    ("(a)=>", "1", ""),
    ("(a=", "1", ")=>1"),
    ("(a=", "1", ")"),
    ("async(a=", "1", ")"),
    ("a=>{", "", "}"),
    ("a?1:", "1", ""),
    ("a?", "1", ":1"),
    ("a=", "1", ""),
    ("a??=", "1", ""),
    ("2**", "1", ""),
    ("a||b&&c|d^e&f==g<h<<i+j*(", "1", ")"),
    ("`${", "1", "}`"),
    ("a`${", "1", "}`"),
    ("f(", "", ")"),
    ("f(...", "a", ")"),
    ("if(a)", ";", ""),
    ("if(a);else ", ";", ""),
    ("if(a){}else for(;;)", ";", ""),
    ("for(;;)", ";", ""),
    ("while(a)", ";", ""),
    ("do ", ";", " while(0)"),
    ("for(const a of[])", ";", ""),
    ("for(a in ", "a", ");"),
    ("l:", ";", ""),
    ("function f(){", "", "}"),
    ("(function(){", "", "})"),
    ("(function*(){yield ", "1", "})"),
    ("x=async function(){", "", "}"),
    ("class extends ", "A", "{}"),
    ("class A extends class{}{m(){", "", "}}"),
    ("class A{m(){", "", "}}"),
    ("class A{static{", "", "}}"),
    ("class A{x=", "1", "}"),
    ("class A{[", "a", "](){}}"),
    ("({a(){", "", "}})"),
    ("({get a(){", "", "}})"),
    ("let {a=", "1", "}=x;"),
    ("([a=", "1", "])=>1"),
    ("switch(a){case 1:", "", "}"),
    ("switch(a){case ", "1", ":}"),
    ("try{", "", "}catch{}"),
    ("a[", "0", "]"),
    ("a?.(", "0", ")"),
    ("import(", "0", ")"),
    ("x=/a/g,[", "0", "]"),
    // A statement inside it has ended, and it goes on.
    ("try{}catch{", "", "}"),
    ("try{}finally{", "", "}"),
    ("if(a)try{}catch{}else ", ";", ""),
    ("if(a)try{}finally{}else ", ";", ""),
    ("if(a)switch(a){}else ", ";", ""),
    ("if(a)do;while(0);else ", ";", ""),
    ("if(a)do;while(0)else ", ";", ""),
    ("if(a)for(;;){}else ", ";", ""),
    ("if(a)l:{}else ", ";", ""),
    ("if(a)a\nelse ", ";", ""),
    ("do if(a);else ", ";", " while(0)"),
    ("do{}while((()=>{", "", "})())\n"),
    ("do do do do do;while(0);while(0);while(0);while(0);while((()=>{", "", "})())\n"),
    ("for(;;)try{}catch{}finally{", "", "}"),
    // Braces on lines of their own.
    ("if(a)\n{\n", "", "}\n"),
    ("if(a)\n{\n}\nelse\n", ";", ""),
    ("function f()\n{\n", "", "}\n"),
    ("class A extends B\n{\nm()\n{\n", "", "}\n}\n"),
    ("x=class extends \n", "A", "\n{\n}\n"),
    ("x=()=>\n{\n", "", "}\n"),
    // Taken by the parser, and no part of the language.
    ("x as ", "A", ""),
    ("x as A<", "B", ">"),
    ("x satisfies keyof ", "A", ""),
    ("class B extends A<", "B", ">{}"),
    ("@(", "a", ") class A{}"),
    ("<a>", "", "</a>"),
    ("with(a)", ";", ""),
    ("export default ", "1", ""),
];

/// Openings that nest only behind something else: the whole before them, then what is repeated.
pub const BEHIND: &[(&str, Nesting)] = &[
    ("let x = a as ", ("keyof ", "A", "")),
    ("let x = a as ", ("A<", "B", ">")),
    ("let x = a satisfies ", ("readonly ", "A[]", "")),
    ("let x = a as ", ("A extends B ? C : ", "D", "")),
    ("let x = a as ", ("()=>", "D", "")),
    ("class C extends A<", ("A<", "B", ">")),
    ("class C implements A<", ("A<", "B", ">")),
    ("function f(): ", ("A<", "B", ">")),
    ("function f<T extends ", ("A<", "B", ">")),
    ("let f = a<", ("A<", "B", ">")),
    ("f<", ("A<", "B", ">")),
    ("import x = ", ("a.", "b", "")),
    ("enum E { a = ", ("(", "1", ")")),
    ("type T = ", ("A<", "B", ">")),
    ("({ m<T extends ", ("A<", "B", ">")),
    ("/* @__PURE__ */ a", (".b", "", "")),
    ("/* @__PURE__ */ a", (" + b", "", "")),
    ("<!-- ", ("(", "1", ")")),
    ("x\n<!-- \" \n", ("(", "1", ")")),
    ("x\n--> \" \n", ("(", "1", ")")),
    ("\\u0069f(a)/\"/;", ("(", "1", ")")),
    ("function f(){await/\"/g;", ("(", "1", ")")),
    ("function f(){yield/\"/g;", ("(", "1", ")")),
    ("1_\"\";", ("(", "1", ")")),
    ("1e+\"\";", ("(", "1", ")")),
    ("(a\u{200b}=", ("(a\u{200b}=", "1", ")")),
];

/// Behind these a `/` begins a pattern.
pub const PATTERNS: &[&str] = &[
    "",
    ";",
    "{}",
    "{}\n",
    "for(;;){break\n",
    "for(;;){continue\n",
    "l:for(;;){break l\n",
    "l:for(;;){continue l\n",
    "debugger\n",
    "l:",
    "let a\n",
    "let a = 1, b\n",
    "if(a)",
    "if(a);else ",
    "if(a){}\n",
    "while(0)",
    "for(;0;)",
    "do{}while(0)",
    "do;while(0)\n",
    "function f(){}",
    "function f()\n{\n}\n",
    "async function f(){}\n",
    "function*f(){yield\n",
    "function*f(){yield ",
    "function f(){return\n",
    "class A{}",
    "class A extends B\n{\n}\n",
    "export{}\n",
    "export{a as b}\n",
    "export*from'x'\n",
    "export{a}from'x'\n",
    "import'x'\n",
    "import a from'x'\n",
    "import{a}from'x'\n",
    "import*as a from'x'\n",
    "export default function(){}",
    "export default class{}",
    "export function f(){}",
    "x=()=>{}\n",
    "x=a=>{}\n",
    "switch(a){case 1:",
    "switch(a){default:",
    "switch(a){}",
    "try{}catch{}",
    "try{}catch(e){}",
    "try{}finally{}",
    "class A{static{}}",
    "await ",
    "x=",
    "x=typeof ",
    "x=a in ",
    "x=a instanceof ",
    "x=a?b:",
    "(a)=>",
    "a\n++",
    "for(const a of ",
    "throw ",
    "`${a}`;",
    "\"\\\r\n\";",
    "/* \n */",
    "// a\u{2028}",
    "#!/usr/bin/env node\n",
];

/// Behind these it divides.
pub const DIVISIONS: &[&str] = &[
    "a",
    "a\n",
    "1",
    "1.",
    ".5",
    "1n",
    "\"a\"",
    "`a`",
    "`${a}`",
    "a``",
    "/a/",
    "/a/g",
    "a++",
    "a--",
    "a.b",
    "a.if",
    "a.return",
    "a?.typeof",
    "a.#b",
    "a[0]",
    "a[0]\n",
    "[]",
    "f()",
    "f()\n",
    "(a)",
    "(a)\n",
    "this",
    "null",
    "true",
    "x={}",
    "x={}\n",
    "x={if(){}}",
    "x=function(){}",
    "x=function f()\n{\n}\n",
    "x=async function(){}",
    "x=class{}",
    "x=class extends A\n{\n}\n",
    "x={return:a}.return",
    "x=new A",
    "x=new A()",
    "async",
    "async()",
    "of",
    "get",
    "from",
    "as",
    "import.meta",
    "if(a)b",
    "if(a)(b)",
    "if(a);else b",
    "return1",
    "x=a?b:c",
    "(function(){})",
    "(()=>{})",
    "(()=>{})()",
    "import('x')",
    "x=`${{}}`",
    "l:a",
    "case1",
    "\\u0061",
];

/// Texts that end on the next line, and look as if they had ended before.
pub const CONTINUATIONS: &[&str] = &["\"\\\r\n\"", "\"\\\n\"", "'\\\r\n'", "\"\\\r\"", "\"\\\u{2028}\"", "\"\\\\\""];

/// What begins a text that a pattern can hold: before the hidden code, and behind it.
const QUOTES: &[(&str, &str)] = &[
    ("/\"/;", ";/\"/"),
    ("/'/g;", ";/'/"),
    ("/`/;", ";/`/"),
    ("/[/*]/;", ";/[*/]/"),
    ("/[/]\"/;", ";/\"/"),
    ("/=\"/;", ";/\"/"),
    ("/\\/\"/;", ";/\"/"),
    ("/`${/;", ";/}`/"),
];

/// So many times a nesting.
pub fn nested((before, middle, after): Nesting, times: usize) -> String {
    format!("{}{middle}{}", before.repeat(times), after.repeat(times))
}

/// A text behind everything that may hide it; of the ways to say so that turn's.
pub fn disguised(code: &str, turn: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (at, lead) in PATTERNS.iter().enumerate() {
        let (before, after) = QUOTES[(at + turn) % QUOTES.len()];
        found.push(format!("{lead}{before}{code}{after}"));
    }
    for (at, lead) in DIVISIONS.iter().enumerate() {
        found.push(match (at + turn) % 3 {
            0 => format!("{lead}/{code}/1"),
            1 => format!("{lead}/1;\"/\";{code};\"/\""),
            _ => format!("{lead}/=1;{code}"),
        });
    }
    found.extend(CONTINUATIONS.iter().map(|text| format!("x={text};{code};{text}")));
    found
}

/// A text of pieces that the bytes choose, repeated until it is deep.
pub fn soup(bytes: &[u8]) -> String {
    let piece = |byte: &u8| {
        let at = usize::from(*byte);
        let openings = NESTINGS.iter().flat_map(|(before, middle, after)| [*before, *middle, *after]);
        let all: Vec<&str> = openings.chain(PATTERNS.iter().copied()).chain(DIVISIONS.iter().copied()).collect();
        let more =
            ["/", "\"", "\n", "'", "`", "${", "}", ")", "]", "/*", "*/", "\\", "/\"/", ";", ":", "else ", "\r\n"];
        if at < 64 { more[at % more.len()] } else { all[(at * 31 + bytes.len()) % all.len()] }
    };
    let (head, tail) = bytes.split_at(bytes.len() / 3);
    let (head, tail): (String, String) = (head.iter().map(piece).collect(), tail.iter().map(piece).collect());
    format!("{head}{}", tail.repeat(20_000 / (tail.len() + 1)))
}
