//! Blocks that are made to take long (spec: text-replies.md; text-engine.md §7 "Bounded work").
//!
//! Each input is as large as one text and one op may be, and repeats what placing, scripts or hints are slow on.

use crate::slow::Proposal;

/// Bytes of a base and of a patch.
const SIZE: usize = 1_048_576;
/// Lines of a base.
const LINES: usize = 99_000;
/// Blocks of a patch.
const BLOCKS: usize = 500;

fn block(old: &str, new: &str) -> String {
    format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
}

/// As many lines as one text may have.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..count {
        let line = line(number);
        if text.len() + line.len() + 1 > SIZE {
            break;
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn blocks(count: usize, pair: impl Fn(usize) -> (String, String)) -> String {
    let mut text = String::new();
    for number in 0..count {
        let (old, new) = pair(number);
        let next = block(&old, &new);
        if text.len() + next.len() > SIZE {
            break;
        }
        text.push_str(&next);
    }
    text
}

/// So much of a text that two of its size make a patch.
fn half(text: &str) -> &str {
    let most = SIZE / 2 - 64;
    let end = text.match_indices('\n').map(|(at, _)| at + 1).take(LINES / 2).take_while(|end| *end <= most).last();
    &text[..end.unwrap_or(0)]
}

/// All of them, by name.
pub fn inputs() -> Vec<(&'static str, Proposal)> {
    let numbered = lines(LINES, |n| format!("row {n}"));
    let same = lines(LINES, |_| "a".to_owned());
    let code = lines(LINES, |n| format!("    let item_{} = value.trim(); // {}", n % 7, n % 50));
    let wide = lines(LINES, |n| format!("{} {n}", "word ".repeat(190)));
    vec![
        ("500 blocks in turn, each in its place", {
            let patch = blocks(BLOCKS, |n| (format!("row {}\n", n * 150), format!("line {n}\n")));
            (numbered.clone(), patch)
        }),
        ("500 blocks, each built on the one before", {
            let patch = blocks(BLOCKS, |n| {
                let old = if n == 0 { "row 5\n".to_owned() } else { format!("made {}\n", n - 1) };
                (old, format!("made {n}\n"))
            });
            (numbered.clone(), patch)
        }),
        ("500 blocks at every line", (same.clone(), blocks(BLOCKS, |_| ("a\n".to_owned(), "b\n".to_owned())))),
        ("500 blocks at many lines below prose", {
            let base = lines(LINES, |n| if n % 2 == 0 { "x = 1".to_owned() } else { format!("// def of {n}") });
            (base, blocks(BLOCKS, |n| ("x = 1\n".to_owned(), format!("y = {n}\n"))))
        }),
        ("500 blocks that stand nowhere", {
            let patch =
                blocks(BLOCKS, |n| (format!("let item_{n} = value.trimmed();\nnothing {n}\n"), "b\n".to_owned()));
            (code.clone(), patch)
        }),
        ("500 blocks that differ in a letter", {
            let pair = |n: usize| {
                let old = |m: usize| format!("    let itxm_{} = value.trim(); // {}\n", (n + m) % 7, (n + m) % 50);
                ((0..6).map(old).collect::<String>(), "b\n".to_owned())
            };
            (code.clone(), blocks(BLOCKS, pair))
        }),
        ("500 blocks whose blanks differ", {
            let pair = |n: usize| (format!("let  item_{}  = value.trim(); // {}\n", n % 7, n % 50), "b\n".to_owned());
            (code.clone(), blocks(BLOCKS, pair))
        }),
        ("500 blocks, a part of a line each", {
            let pair = |n: usize| (format!("-{}-middle\n", n * 100), format!("-{n}-center\n"));
            (lines(LINES, |n| format!("begin-{n}-middle-end")), blocks(BLOCKS, pair))
        }),
        ("old text of equal lines and another", {
            let old = format!("{}b\n", "a\n".repeat(49_000));
            (format!("{same}b\n"), block(&format!("{old}\n\n"), "c\n"))
        }),
        ("500 old texts of equal lines and another", {
            let old = format!("{}b\n\n", "a\n".repeat(190));
            (format!("b\n{same}"), blocks(BLOCKS, |n| (old.clone(), format!("c {n}\n"))))
        }),
        ("old and new text have no line in common", {
            let new = lines(LINES, |n| format!("other {n}"));
            (numbered.clone(), block(half(&numbered), half(&new)))
        }),
        ("old and new text of six lines in other order", {
            let six = |salt: usize| lines(LINES, |n| format!("l {}", (n * n * 7 + n / 3 + salt) % 6));
            (six(0), block(half(&six(0)), half(&six(3))))
        }),
        ("old and new text turned round", {
            let mut turned: Vec<&str> = half(&numbered).lines().collect();
            turned.reverse();
            (numbered.clone(), block(half(&numbered), &(turned.join("\n") + "\n")))
        }),
        ("every line of the old text differs in a letter", {
            let old = code.replace("item", "itxm");
            (code.clone(), block(half(&old), "gone\n"))
        }),
        ("every line of the old text differs in blanks", {
            let old = code.replace(" = ", "  =  ");
            (code.clone(), block(half(&old), &half(&old).replace("trim", "trum")))
        }),
        ("every line of the old text has lost its indentation", {
            let old = code.replace("    let", "let");
            (code.clone(), block(half(&old), &half(&old).replace("trim", "trum")))
        }),
        ("an old text of dots", (numbered.clone(), block(&"...\n".repeat(49_000), &"...\n".repeat(49_000)))),
        ("an old text of lines and dots", {
            let old = lines(40_000, |n| if n % 2 == 0 { format!("row {n}") } else { "...".to_owned() });
            let new = lines(40_000, |n| if n % 2 == 0 { format!("raw {n}") } else { "...".to_owned() });
            (numbered.clone(), block(half(&old), half(&new)))
        }),
        ("an old text of one line and dots, many times", {
            let old = lines(40_000, |n| if n % 2 == 0 { "a".to_owned() } else { "// ...".to_owned() });
            (same.clone(), block(half(&old), half(&old.replace('a', "b"))))
        }),
        ("new text of dots", (numbered.clone(), block("row 5\n", &"...\n".repeat(90_000)))),
        ("one line of 1 MiB, a part of it twice", {
            let line = "ab".repeat(SIZE / 2 - 8);
            (format!("{line}\n"), block(&format!("{}\n", &line[..SIZE / 2 - 100]), "c\n"))
        }),
        ("one line of 1 MiB, nearly a part of it", {
            let line = "ab".repeat(SIZE / 2 - 8);
            (format!("{line}\n"), block(&format!("{}c\n", &line[..SIZE / 2 - 100]), "c\n"))
        }),
        ("one line of 1 MiB, another beside it", {
            let line = |letter: &str| format!("{}\n", letter.repeat(SIZE / 2 - 100));
            (line("x") + &line("y"), block(&line("x"), &line("z")))
        }),
        ("wide lines that differ in a letter", {
            let old = wide.replace("word 1", "wxrd 1");
            (wide.clone(), block(half(&old), "gone\n"))
        }),
        ("500 wide lines that differ in a letter", {
            let pair = |n: usize| (format!("{} wxrd {n}\n", "word ".repeat(190)), "gone\n".to_owned());
            (wide.clone(), blocks(BLOCKS, pair))
        }),
        ("a new line beside wide ones that are like it", {
            let line = |n: usize| format!("{} {n}\n", "word ".repeat(190));
            let new: String = (0..500).map(|n| line(n * 2).replacen("word", "wxrd", 1)).collect();
            (wide.clone(), block(&line(3), &(line(3) + &new)))
        }),
        ("prose that is nearly markers", {
            (
                numbered.clone(),
                format!("{}{}", block("row 5\n", "row\n"), "<<<<<<<<<<\n====\n>>>>\n`a/b.rs`\n".repeat(24_000)),
            )
        }),
        ("a block of dividers", (numbered.clone(), block("row 5\n", &"=====\n".repeat(99_000)))),
        ("a block without an end", (numbered.clone(), format!("<<<<<<< SEARCH\nrow 5\n=======\n{numbered}"))),
        ("500 blocks without text", (numbered, "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n".repeat(BLOCKS))),
    ]
}
