//! No input crashes or hangs: deep nesting of every kind, long chains, mutated code.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::{findings, report};
use crate::code::{EntryModule, Role, analyse};

const LIMIT: Duration = Duration::from_secs(10);

fn repeated(before: &str, middle: &str, after: &str, times: usize) -> String {
    format!("{}{middle}{}", before.repeat(times), after.repeat(times))
}

/// Pieces that nest: before, in the middle, after.
const NESTING: [(&str, &str, &str); 40] = [
    ("(", "1", ")"),
    ("[", "", "]"),
    ("{", "", "}"),
    ("x={a:", "1", "}"),
    ("!", "1", ""),
    ("- ", "1", ""),
    ("typeof ", "1", ""),
    ("await ", "1", ""),
    ("new ", "A", ""),
    ("a=>", "1", ""),
    ("async a=>", "1", ""),
    ("(a)=>", "1", ""),
    ("(a=", "1", ")=>1"),
    ("a=>{", "", "}"),
    ("a?1:", "1", ""),
    ("a?", "1", ":1"),
    ("a=", "1", ""),
    ("a??=", "1", ""),
    ("2**", "1", ""),
    ("`${", "1", "}`"),
    ("f(", "", ")"),
    ("if(a)", ";", ""),
    ("if(a);else ", ";", ""),
    ("if(a){}else for(;;)", ";", ""),
    ("for(;;)", ";", ""),
    ("while(a)", ";", ""),
    ("do ", ";", " while(0)"),
    ("for(const a of[])", ";", ""),
    ("l:", ";", ""),
    ("function f(){", "", "}"),
    ("(function(){", "", "})"),
    ("class extends ", "A", "{}"),
    ("class A{m(){", "", "}}"),
    ("class A{static{", "", "}}"),
    ("switch(a){case 1:", "", "}"),
    ("try{", "", "}catch{}"),
    ("a[", "0", "]"),
    ("a?.(", "0", ")"),
    ("import(", "0", ")"),
    ("x=/a/g,[", "0", "]"),
];

#[test]
fn deep_nesting_is_refused_and_moderate_nesting_is_read() {
    for (before, middle, after) in NESTING {
        for times in [100, 399, 5_000, 20_000] {
            let start = Instant::now();
            let found = findings(&format!("let x, a;\n{}", repeated(before, middle, after, times)));
            assert!(start.elapsed() < LIMIT, "{before} {times} took {:?}", start.elapsed());
            let chain = before.contains(");else");
            let refused = found.contains("CODE_TOO_COMPLEX") || found.contains("CODE_SYNTAX");
            if times >= 5_000 && !chain {
                assert!(refused, "{before} {times}: {}", found.get(..200).unwrap_or(&found));
            }
            if times == 100 {
                assert!(!found.contains("CODE_TOO_COMPLEX"), "{before} {times}: {found}");
            }
        }
    }
}

#[test]
fn long_chains_are_legal() {
    let cases = [
        ("export const f = (a) => 1", " + a", ""),
        ("export const f = (a) => a", ".b", ""),
        ("export const f = (a) => a", ".b()", ""),
        ("export const f = (a) => a", "?.b()", ""),
        ("export const f = (a) => a", " || a", ""),
        ("export const f = (a) => a", "[0]", ""),
        ("export const f = (a) => { if (a) {} ", "else if (a) { a(); } ", "}"),
        ("export const f = (a) => [", "a, ", "]"),
        ("export const f = (a) => { let b;", "b = a\n", "}"),
        ("export const f = (a) => {", "a(!a && !a);", "}"),
        ("export const f = (a) => { switch (a) {", "case 1: ", "} }"),
        ("export const f = (a) => {", "while (a) {} if (a) {} ", "}"),
    ];
    for (before, piece, after) in cases {
        let times = 8_000;
        let start = Instant::now();
        let found = findings(&format!("{before}{}{after}", piece.repeat(times)));
        assert!(start.elapsed() < LIMIT, "{piece} took {:?}", start.elapsed());
        assert_eq!(found.get(..100).unwrap_or(&found), "", "{piece}");
    }
}

#[test]
fn work_is_bounded() {
    // Each of these once took minutes, or would never have ended.
    let list = format!("const l = [{}]; const o = {{}};", "'aaaaaaaa',".repeat(15_000));
    let wide = "const b = ctx.x, s = 'SSSS', t = 'TTTT', k = (b?s:t)+(b?s:t)+(b?s:t)+(b?s:t)+(b?s:t)+(b?s:t);"
        .replace('S', &"x".repeat(150))
        .replace('T', &"y".repeat(140));
    let codes = [
        format!("let a; {} {}", "a; ".repeat(40_000), "a = ctx; ".repeat(20_000)),
        format!("{list} {}", "o[l.join('')]; ".repeat(4_000)),
        format!("{list} for (const k of l) {{ {} }}", "o[k]; ".repeat(10_000)),
        format!("{wide} {}", "ctx.bim.mutate.setProperty(b, k, k, 1); ".repeat(5_000)),
    ];
    for code in codes {
        let _ = report(&format!("export default function (ctx) {{ {code} }}"));
    }
    let stars = "export * from './lib.js'; ".repeat(8_000);
    let importing = "import { a } from './lib.js'; export default (ctx) => a(ctx);";
    let files = BTreeMap::from([("src/main.js".to_owned(), importing.to_owned()), ("src/lib.js".to_owned(), stars)]);
    let report = analyse(&files, &[EntryModule { path: "src/main.js".to_owned(), role: Role::Run }]);
    assert_eq!(report.diagnostics[0].code, "CODE_SDK_ESCAPES");
}

/// A small generator, so that a failure is found again.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

#[test]
fn mutated_code_never_panics() {
    let sources = [include_str!("../../../../../tests/corpus/ifc-extension.jsonl")];
    let mut codes: Vec<String> = Vec::new();
    for line in sources[0].lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a line is a case");
        let Some(files) = case["input"]["files"].as_object() else { continue };
        let texts = files.iter().filter(|(path, _)| path.ends_with(".js")).filter_map(|(_, text)| text.as_str());
        codes.extend(texts.filter(|text| text.len() < 2_000).map(str::to_owned));
    }
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "`",
        "${",
        "/",
        "\"",
        "'",
        "=>",
        "?",
        ":",
        ",",
        ";",
        "\n",
        "ctx",
        "bim",
        ".",
        "?.",
        "...",
        "async ",
        "await ",
        "function ",
        "class ",
        "if(",
        "else ",
        "for(",
        "of ",
        "=",
        "<!--",
        "-->",
        "\\u0065",
        "é",
        "😀",
        "import(",
        "this",
        "eval",
        "`a${ctx}`",
        "const {a=1}=ctx;",
        "//",
        "/*",
        "*/",
        "#",
        "@",
        "0",
        "static{",
        "\u{2028}",
    ];
    let mut seeded = Seeded(7);
    for _ in 0..20_000 {
        let mut code: Vec<char> = codes[seeded.below(codes.len())].chars().collect();
        for _ in 0..=seeded.below(4) {
            let at = seeded.below(code.len() + 1);
            match seeded.below(4) {
                0 => {
                    let to = (at + seeded.below(12)).min(code.len());
                    code.drain(at..to);
                }
                1 => {
                    let to = (at + seeded.below(40)).min(code.len());
                    let copy: Vec<char> = code[at..to].to_vec();
                    code.splice(at..at, copy);
                }
                _ => {
                    let piece = pieces[seeded.below(pieces.len())];
                    code.splice(at..at, piece.chars());
                }
            }
        }
        let code: String = code.into_iter().collect();
        let _ = report(&code);
    }
}
