//! Programs that people write, and towers.

use super::too_deep;

#[test]
fn programs_are_not_too_deep_and_towers_are() {
    let n = 20_000;
    let towers = [
        "(".repeat(n),
        "[{(".repeat(n),
        "(]".repeat(n),
        format!("x = {}1", "-".repeat(n)),
        format!("x = {}1", "not ".repeat(n)),
        format!("x = {}1", "- ~ +".repeat(n)),
        format!("x = {}1", "lambda: ".repeat(n)),
        format!("x = {}1", "lambda a, b=1: ".repeat(n)),
        format!("x = {}1", "1 if 1 else ".repeat(n)),
        format!("x = {}1", "1 ** ".repeat(n)),
        format!("x = {}1", "1 + ".repeat(n)),
        format!("x = a{}", ".b".repeat(n)),
        format!("x = a{}", "()".repeat(n)),
        format!("x = a{}", "[0]".repeat(n)),
        format!("x = a{}", "(0)[0].b".repeat(n)),
        format!("x = {}1", "await ".repeat(n)),
        format!("x = {}1{}", "f'{".repeat(n), "}'".repeat(n)),
        format!("x = f'{}1", "{a:".repeat(n)),
        format!("{}pass", "async ".repeat(n)),
        (0..1_000).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect(),
        // In a bracket that never closes, with texts at the margin between.
        (0..700).fold("(\n".to_owned(), |text, depth| format!("{text}{0}'''\n'''\n{0}if x:\n", " ".repeat(depth))),
        "x = a or b and not c == d | e ^ f & g << h + i * -j ** (".repeat(200),
        "x = f(a, -b ** [".repeat(150),
        format!("x = {}", "yield from a, ".repeat(n)),
        format!("match x:\n case {}a", "[".repeat(n)),
        format!("match x:\n case a{}: pass", ".b".repeat(n)),
    ];
    for text in towers {
        assert!(too_deep(&text).is_some(), "{}", &text[..40]);
    }
    let programs = [
        format!("x = [{}]", "-1, ".repeat(n)),
        format!("x = [{}]", "lambda a, b: a + b, ".repeat(n)),
        format!("x = {{{}}}", "'a': f(1)[2].b, ".repeat(n)),
        format!("x = {}1", "y = ".repeat(n)),
        format!("x = {}1", "a and ".repeat(n)),
        format!("x = {}1", "a < ".repeat(n)),
        "x = -1\n".repeat(n),
        "x = yield 1, 2\n".repeat(n),
        "x = -1; ".repeat(n),
        "if x:\n  pass\nelif y:\n  pass\nelse:\n  pass\n".repeat(n / 10),
        "f('''(((\n''')\n".repeat(n / 10),
        format!("x = {}1{}", "(".repeat(190), ")".repeat(190)),
        format!("x = {}1", "1 + ".repeat(1_900)),
        format!("x = {}1", "a ** 2 * b + ".repeat(1_000)),
        format!("x = {}1", "2 ** -a * ~b - ".repeat(600)),
        format!("x = {}1", "not a or ".repeat(n)),
        format!("x = {}1", "not a and not b or ".repeat(n)),
        format!("x = {}1", "a is not b and c not in d or ".repeat(n)),
        format!("x = {}1", "1 if a else ".repeat(1_000)),
        format!("x = {}1", "1 if not a else ".repeat(1_000)),
        format!("x = [{}]", "1 if a else 2, ".repeat(n)),
        format!("x = [{}]", "y for y in z if y if not y for w in y if w, ".repeat(100)),
        format!("x = f({})", "a=1 if b else 2, ".repeat(n)),
        format!("x = [{}]", "lambda a=1 if b else 2, *c: not a, ".repeat(n)),
        format!("x = (\n{})", (0..300).map(|at| format!("{}'a'\n", " ".repeat(at))).collect::<String>()),
        format!("x = \"\"\"\n{}\"\"\"", (0..300).map(|at| format!("{}if a:\n", " ".repeat(at))).collect::<String>()),
        format!("def f():\n{}", "    return await a if b else await c\n".repeat(n / 10)),
        format!("x = f'{}'", "{a!r:>{b}} ".repeat(n / 10)),
        (0..99).map(|depth| format!("{}if x:\n", " ".repeat(depth))).collect(),
    ];
    for text in programs {
        assert_eq!(too_deep(&text), None, "{}", &text[..40]);
    }
}

#[test]
fn the_place_is_where_it_becomes_too_deep() {
    let text = format!("å = {}", "(".repeat(500));
    assert_eq!(too_deep(&text), Some("å = ".len() + 200));
}
