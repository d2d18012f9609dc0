//! Programs by dice: objects, prototypes and accessors that change while the same places read and write them, control
//! flow with labels, throws and `finally`, generators, and sorts. A seed is a program.

use std::fmt::Write;

/// A program of that seed: a module whose default export gives a log of what it saw.
pub fn program(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03);
    let mut body = String::new();
    for _ in 0..dice.up_to(4) + 2 {
        match dice.up_to(5) {
            0 => flow(&mut dice, &mut body),
            1 => sort(&mut dice, &mut body),
            2 => sequence(&mut dice, &mut body),
            _ => shapes(&mut dice, &mut body),
        }
    }
    format!(
        "export default async () => {{\nconst log = [];\nconst say = (x) => {{ log.push(typeof x === 'object' ? JSON.stringify(x) ?? 'none' : String(x)); }};\n{body}return log;\n}};\n"
    )
}

struct Dice(u64);

impl Dice {
    fn up_to(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.up_to(all.len() as u64) as usize]
    }
}

const NAMES: [&str; 5] = ["a", "b", "length", "x1", "set"];

/// Three objects in a row of prototypes; the same functions read and write them while members come and go.
fn shapes(dice: &mut Dice, body: &mut String) {
    let (p, q) = (dice.of(&NAMES), dice.of(&NAMES));
    let _ = write!(
        body,
        "{{ const A = {{ {p}: 1, {q}: 'q' }}, B = Object.create(A), C = Object.create(B); let s = 0;\n\
         const read = (o) => {{ say(o.{p}); say(o.{q}); const {{ {p}: u = 'none' }} = o; say(u); }};\n\
         const write = (o, v) => {{ try {{ o.{p} = v; o.{q} += v; }} catch (e) {{ say(e.name); }} }};\n"
    );
    for step in 0..dice.up_to(8) + 3 {
        let object = dice.of(&["A", "B", "C"]);
        let name = dice.of(&NAMES);
        let _ = match dice.up_to(9) {
            0 => writeln!(body, "delete {object}.{name};"),
            1 => writeln!(
                body,
                "Object.defineProperty({object}, '{name}', {{ get() {{ return 'g{step}' + s; }}, set(v) {{ s += v; }}, configurable: true }});"
            ),
            2 => writeln!(
                body,
                "Object.defineProperty({object}, '{name}', {{ value: {step}, writable: {}, configurable: true, enumerable: true }});",
                step % 2 == 0
            ),
            3 => writeln!(body, "write({object}, {step});"),
            4 => writeln!(body, "{object}.{name} = {step}; say(Object.keys({object}));"),
            5 => writeln!(body, "Object.setPrototypeOf(C, {});", dice.of(&["A", "B", "{ a: 'new' }"])),
            _ => writeln!(body, "for (let i = 0; i < 3; i++) read({object});"),
        };
    }
    body.push_str("read(C); write(C, 1); read(B); say(s); }\n");
}

fn flow(dice: &mut Dice, body: &mut String) {
    let (stop, thrown, left) = (dice.up_to(6), dice.up_to(6), dice.up_to(6));
    let way = dice.of(&["break outer", "continue outer", "break", "continue", "throw i", "null"]);
    let last = dice.of(&["say('f')", "say(j)", "{}"]);
    let _ = writeln!(
        body,
        "outer: for (let i = 0; i < 5; i++) try {{ for (let j = 0; j < 4; j++) {{ try {{ if (i === {stop}) {way}; \
         if (j === {thrown}) throw new RangeError('r' + i); if (j === {left}) continue; else say(i * 10 + j); }} \
         catch (e) {{ say(e.message ?? e); if (i > 3) throw e; }} finally {{ {last}; }} }} }} catch (e) {{ say(['c', i, e.message ?? e]); }}"
    );
}

fn sort(dice: &mut Dice, body: &mut String) {
    let (count, by) = (dice.up_to(60), dice.up_to(9) + 1);
    let compare = dice.of(&[
        "(x, y) => x.k - y.k",
        "(x, y) => y.k - x.k || x.i - y.i",
        "(x, y) => (x.t < y.t ? -1 : x.t > y.t ? 1 : 0)",
    ]);
    let way = dice.of(&["sort", "toSorted"]);
    let _ = writeln!(
        body,
        "{{ const rows = Array.from({{ length: {count} }}, (_, i) => ({{ i, k: (i * 7919) % {by}, t: 'n' + (i * 31) % 11 }})); \
         say(rows.{way}({compare}).map((r) => r.i).join()); say([...rows.map((r) => r.t)].sort().join()); \
         say([...new Float32Array(rows.map((r) => r.k / 3)).sort()].join()); }}"
    );
}

fn sequence(dice: &mut Dice, body: &mut String) {
    let (count, stop) = (dice.up_to(7), dice.up_to(9));
    let end = dice.of(&["return 'r'", "throw new Error('end')", "yield* 'xy'"]);
    let _ = writeln!(
        body,
        "{{ function* g(n) {{ try {{ for (let i = 0; i < n; i++) say(['sent', yield i * i]); {end}; }} finally {{ say('closed'); }} }} \
         async function* h() {{ for (const x of g({count})) {{ await null; yield x; }} }} \
         try {{ const it = g({count}); it.next(); say(it.next('v')); say({} ? it.return(5) : it.next()); say([...it].length); }} catch (e) {{ say(e.message); }} \
         try {{ for await (const x of h()) {{ if (x > {stop}) log.push('past'); say(x); }} }} catch (e) {{ say(e.message); }} }}",
        stop % 2 == 0
    );
}
