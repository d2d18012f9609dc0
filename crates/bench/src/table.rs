//! `docs/bench/patch.md`: the figures as a text that is read beside the code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use crate::case::Class;
use crate::noise::{HARD, Noise, REFUSE, SINGLE};
use crate::packages::PAIRS;
use crate::replay::Replay;
use crate::reply::{BLOCKS, DIFFS, Habit};
use crate::tally::{Row, Tally};

/// A tool's name, its usage, its figures.
#[derive(Debug)]
pub struct Column {
    /// Name in the head of the table.
    pub name: &'static str,
    /// How it was called.
    pub usage: &'static str,
    /// Its figures.
    pub tally: Tally,
}

/// What the document says besides the figures of the tools.
#[derive(Debug)]
pub struct Report {
    /// Windows by language.
    pub languages: BTreeMap<&'static str, usize>,
    /// Windows in all.
    pub windows: usize,
    /// Replay over all changes.
    pub replay: Option<Replay>,
    /// The command that writes the document.
    pub command: String,
}

/// The whole document.
pub fn document(columns: &[Column], report: &Report) -> String {
    let Report { languages, windows, replay, command } = report;
    let cases = columns.first().map_or(0, |column| column.tally.sum(|_| true).total());
    let mut text = format!(
        "# The public patch benchmark\n\nWritten by `{command}`. {cases} cases from {windows} windows of real changes, \
         between successive published versions of {} packages. Nothing of it is random: a second run gives the same \
         cases.\n\n{LEGEND}\n\n",
        PAIRS.len()
    );
    summary(&mut text, columns);
    text.push_str("\n## One kind of noise\n\n");
    let rows: Vec<(String, Class)> = std::iter::once(Class::Clean)
        .chain(SINGLE.iter().copied().map(Class::Single))
        .map(|class| (class.to_string(), class))
        .collect();
    classes(&mut text, columns, &rows);
    text.push_str(
        "\n## Two kinds at once, imagined and shortened context\n\nA row holds every pair with that kind.\n\n",
    );
    doubles(&mut text, columns);
    text.push_str("\n## Must be refused\n\nCorrect is a refusal, wrong is any edit.\n\n");
    refusals(&mut text, columns);
    text.push_str(REPLIES);
    replies(&mut text, columns);
    text.push_str("\n## Time\n\n");
    times(&mut text, columns);
    if let Some(Replay { files, lost }) = replay {
        let _ = write!(
            text,
            "\n## Replay\n\n{files} changed files, forwards and backwards: what our diff says git and ours apply, and what \
             git says ours applies, byte for byte. Lost: {}.\n",
            lost.len()
        );
        for road in lost {
            let _ = writeln!(text, "- {road}");
        }
    }
    text.push_str("\n## Where the changes come from\n\n| package | by | from | to |\n|---|---|---|---|\n");
    for pair in PAIRS {
        let _ = writeln!(text, "| {} | {} | {} | {} |", pair.name, pair.source.name(), pair.old, pair.new);
    }
    let found: Vec<String> = languages.iter().map(|(language, count)| format!("{language} {count}")).collect();
    let _ = writeln!(text, "\nWindows by language: {}.", found.join(", "));
    text
}

const LEGEND: &str = "\
A change is what `git diff` says of one file; a window is one to four neighbouring hunks of it. Each kind of noise is \
defined at its variant in `crates/bench/src/noise/mod.rs`. A cell reads correct / refused / wrong, in percent of the \
row. Correct: the text is byte for byte the real text after (where the base drifted: with the drift). Wrong: any other \
text was given, confirmed or not. What has to be confirmed counts as given.";

const REPLIES: &str = "
## Replies as models write them

The kinds of recorded replies of real models, in the shares of the table in text-replies.md; a reply may have several. \
Each is defined at its variant in `crates/bench/src/reply/mod.rs`. The weighted lines count each kind by its share. One \
repair turn: a scripted author sees its reply and the tool's message and nothing else, rewrites the old lines that the \
message names, and sends the reply once more.

";

fn cell(row: Row) -> String {
    let share = |count: usize| count as f64 * 100.0 / row.total().max(1) as f64;
    let digits = |count: usize| {
        // Never round a wrong edit away.
        let share = share(count);
        if count > 0 && share < 0.05 { format!("{share:.2}") } else { format!("{share:.1}") }
    };
    if row.total() == 0 {
        return "–".to_owned();
    }
    format!("{} / {} / {}", digits(row.correct), digits(row.refused), digits(row.wrong))
}

fn head(text: &mut String, first: &str, columns: &[Column]) {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    let _ = writeln!(text, "| {first} | cases | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|--:|{}", "--:|".repeat(columns.len()));
}

fn line(text: &mut String, name: &str, columns: &[Column], which: impl Fn(&Class) -> bool) {
    let cells: Vec<String> = columns.iter().map(|column| cell(column.tally.sum(&which))).collect();
    let count = columns.first().map_or(0, |column| column.tally.sum(&which).total());
    if count > 0 {
        let _ = writeln!(text, "| {name} | {count} | {} |", cells.join(" | "));
    }
}

fn summary(text: &mut String, columns: &[Column]) {
    head(text, "", columns);
    line(text, "clean and one kind", columns, |class| matches!(class, Class::Clean | Class::Single(_)));
    line(text, "two kinds, imagined, shortened", columns, |class| matches!(class, Class::Double(..) | Class::Hard(_)));
    line(text, "must be refused", columns, |class| matches!(class, Class::Refuse(_, None)));
    line(text, "must be refused, with another kind", columns, |class| matches!(class, Class::Refuse(_, Some(_))));
}

fn classes(text: &mut String, columns: &[Column], rows: &[(String, Class)]) {
    head(text, "class", columns);
    for (name, class) in rows {
        line(text, name, columns, |other| other == class);
    }
}

fn doubles(text: &mut String, columns: &[Column]) {
    head(text, "class", columns);
    for noise in SINGLE {
        let with = |class: &Class| matches!(class, Class::Double(one, other) if one == noise || other == noise);
        line(text, noise.name(), columns, with);
    }
    for noise in HARD {
        line(text, noise.name(), columns, |class| *class == Class::Hard(*noise));
    }
}

fn refusals(text: &mut String, columns: &[Column]) {
    head(text, "class", columns);
    for noise in REFUSE {
        line(text, noise.name(), columns, |class| *class == Class::Refuse(*noise, None));
        let with = |class: &Class| matches!(class, Class::Refuse(one, Some(_)) if one == noise);
        line(text, &format!("{}, with another kind", Noise::name(*noise)), columns, with);
    }
}

fn replies(text: &mut String, columns: &[Column]) {
    head(text, "class", columns);
    let lines = |text: &mut String, kind: &str, habits: &[Habit]| {
        for habit in habits {
            let name = match habit.share() {
                0.0 => format!("{kind}: {}", habit.name()),
                share => format!("{kind}: {} ({share} %)", habit.name()),
            };
            line(text, &name, columns, |class| *class == Class::Reply(*habit));
        }
    };
    lines(text, "diff", DIFFS);
    lines(text, "block", BLOCKS);
    for (kind, habits) in [("diffs", DIFFS), ("blocks", BLOCKS)] {
        weighted(text, &format!("{kind}, weighted by shares"), columns, habits, |tally| &tally.rows);
        weighted(text, &format!("{kind}, weighted, after one repair turn"), columns, habits, |tally| &tally.repaired);
    }
}

/// Each kind by its share, whatever the number of its cases.
fn weighted(
    text: &mut String,
    name: &str,
    columns: &[Column],
    habits: &[Habit],
    rows: impl Fn(&Tally) -> &BTreeMap<Class, Row>,
) {
    let row =
        |column: &Column, habit: &Habit| rows(&column.tally).get(&Class::Reply(*habit)).copied().unwrap_or_default();
    let sum = |column: &Column| {
        let known = habits.iter().map(|habit| (habit.share(), row(column, habit))).filter(|(_, row)| row.total() > 0);
        let (mut all, mut parts) = (0.0, [0.0; 3]);
        for (share, row) in known {
            all += share;
            for (part, count) in parts.iter_mut().zip([row.correct, row.refused, row.wrong]) {
                *part += share * count as f64 / row.total() as f64;
            }
        }
        parts.map(|part| format!("{:.1}", part * 100.0 / f64::max(all, f64::MIN_POSITIVE))).join(" / ")
    };
    let count = columns.first().map_or(0, |column| habits.iter().map(|habit| row(column, habit).total()).sum());
    if count > 0 {
        let cells: Vec<String> = columns.iter().map(sum).collect();
        let _ = writeln!(text, "| **{name}** | {count} | {} |", cells.join(" | "));
    }
}

fn times(text: &mut String, columns: &[Column]) {
    let shown = |time: Duration| format!("{:.3} ms", time.as_secs_f64() * 1e3);
    text.push_str("| tool | called as | p50 | p99 | longest |\n|---|---|--:|--:|--:|\n");
    for column in columns {
        let [p50, p99, most] = [0.5, 0.99, 1.0].map(|share| shown(column.tally.time(share)));
        let _ = writeln!(text, "| {} | {} | {p50} | {p99} | {most} |", column.name, column.usage);
    }
    text.push_str("\nThe quickest of three runs counts, in time on the processor. Programs run once, on the wall, and their start is in \
         their times.\n");
}
