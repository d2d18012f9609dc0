//! No nesting in disguise reaches the parser: on a test's small stack, whatever hides it.

use super::findings;
use super::nestings::{BEHIND, NESTINGS, disguised, nested, soup};
use crate::lexis::{Refusal, scan};

fn refused(code: &str) -> bool {
    let found = findings(code);
    found.contains("CODE_TOO_COMPLEX") || found.contains("CODE_SYNTAX") || found.contains("CODE_HTML_COMMENT")
}

#[test]
fn what_nests_is_refused_behind_every_disguise() {
    for (turn, nesting) in NESTINGS.iter().enumerate() {
        // The chain that is legal at any length.
        let legal = nesting.0.starts_with("if") && nesting.0.trim_end().ends_with("else");
        let times = if legal { 90 } else { 1_200 };
        for hidden in disguised(&nested(*nesting, times), turn) {
            assert!(refused(&hidden) || legal, "{:?}: {:?}", nesting.0, hidden.get(..80));
        }
    }
}

#[test]
fn what_nests_behind_other_languages_is_refused() {
    for (lead, nesting) in BEHIND {
        for times in [500, 20_000] {
            let code = format!("{lead}{}", nested(*nesting, times));
            let legal = lead.contains("PURE") || times * nesting.0.len() < 400;
            assert!(legal || refused(&code), "{lead:?} {:?}", nesting.0);
        }
    }
}

#[test]
fn an_outer_statement_that_goes_on_still_counts() {
    // So deep, then something that ends inside it, and once more inside what follows.
    let outer = ["do ", "if(a)try{", "if(a)", "for(;;)", "l:", "if(a){}else ", "while(a)if(a)"];
    let inner = [
        ";while((()=>{",
        "do;while(0);while((()=>{",
        "try{}catch{",
        "try{}finally{",
        "if(a);else ",
        ";else ",
        "{}else{",
        "switch(a){}\nelse{",
        "}catch{}else{",
    ];
    for outer in outer {
        for inner in inner {
            let code = format!("{}{inner}", outer.repeat(300)).repeat(40);
            assert!(refused(&code), "{outer:?} {inner:?}");
        }
    }
}

#[test]
fn a_pattern_and_a_division_are_told_apart() {
    // The same code, deep enough to be refused when it is code, and fine when it is a text.
    let deep = "(".repeat(500);
    let depth = |code: &str| matches!(scan(code).refused, Some((Refusal::Depth, _)));
    let codes = [
        format!("for(;;){{break\n/\"/;{deep}"),
        format!("l:/\"/;{deep}"),
        format!("export{{}}\n/\"/;{deep}"),
        format!("import'x'\n/\"/;{deep}"),
        format!("function f()\n{{\n}}\n/\"/;{deep}"),
        format!("x=()=>{{}}\n/\"/;{deep}"),
        format!("x=function(){{}}\n/\"/;{deep}"),
        format!("x=\"\\\r\n\";{deep}"),
    ];
    for (at, code) in codes.iter().enumerate() {
        // Behind a function that is an operand, a `/` on the next line divides: what follows is a text.
        assert_eq!(depth(code), at != 6, "{}", &code[..30]);
    }
}

#[test]
fn moderate_nesting_is_read_behind_every_disguise() {
    for (turn, nesting) in NESTINGS.iter().enumerate() {
        for hidden in disguised(&nested(*nesting, 25), turn) {
            let found = findings(&hidden);
            assert!(!found.contains("CODE_TOO_COMPLEX"), "{:?}: {:?}", nesting.0, hidden.get(..80));
        }
    }
}

#[test]
fn parentheses_that_are_read_twice_are_bounded() {
    let list = "1,".repeat(100_000);
    for (before, after) in [("(a=", ")"), ("async(a=", ")"), ("({a:", "})"), ("([", "])")] {
        let code = |times: usize| format!("{}[{list}]{}", before.repeat(times), after.repeat(times));
        assert!(!findings(&code(2)).contains("CODE_TOO_COMPLEX"), "{before}");
        assert!(findings(&code(100)).contains("CODE_TOO_COMPLEX"), "{before}");
        // What never closes is read anew as often.
        let open = format!("{}[{list}", before.repeat(100));
        assert!(findings(&open).contains("CODE_TOO_COMPLEX"), "{before}");
    }
}

#[test]
fn legal_depth_is_read() {
    let cases = [
        nested(("f(", "", ")"), 110),
        nested(("f(1 + ", "1", ")"), 110),
        nested(("f(() => { ", "", " })"), 100),
        nested(("(", "1", ")"), 400),
        nested(("[", "", "]"), 400),
        format!("f({})", "1 + ".repeat(10_000) + "1"),
        format!("f({})", "!1 && ".repeat(10_000) + "1"),
    ];
    for code in cases {
        assert_eq!(findings(&format!("const f = (a) => a;\n{code}")), "", "{}", &code[..20]);
    }
    assert_eq!(findings(&nested(("(", "1", ")"), 401)), "1:401-1:401 CODE_TOO_COMPLEX");
}

#[test]
fn annotations_are_comments() {
    let cases = [
        ("/* @__PURE__ */ (/* @__PURE__ */ (1))", ""),
        ("// #__PURE__\nconst a = /* #__PURE__ */ [/* #__PURE__ */ (0, /* #__PURE__ */ 1)]", ""),
        ("const a = 1 /* @__PURE__\n */ const b = /__PURE__/.source + '__PURE__ = 1'", ""),
        ("const a = 1; a /*#__PURE__*/(/*#__PURE__*/(1 a", "1:46-1:47 CODE_SYNTAX"),
    ];
    for (code, want) in cases {
        assert_eq!(findings(code), want, "{code}");
    }
    for link in [".b", "()", " + 1", " || 1", "?.b"] {
        let code = format!("const a = 1; /* @__PURE__ */ a{}", link.repeat(40_000));
        assert_eq!(findings(&code), "", "{link}");
    }
}

#[test]
fn soups_of_pieces_are_read() {
    let mut state = 7_u64;
    for _ in 0..1_500 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u8
        };
        let bytes: Vec<u8> = (0..next() % 12).map(|_| next()).collect();
        let _ = findings(&soup(&bytes));
    }
}
