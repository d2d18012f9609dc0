//! The public patch benchmark: real changes, noise, and every tool asked the same.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use holdpoint_text::{PreviewInput, preview};
use serde_json::json;

use crate::case::{Case, Class, cases, select};
use crate::change::{Change, changes};
use crate::fault::Fault;
use crate::memory::Memory;
use crate::packages::{PAIRS, fetch};
use crate::replay;
use crate::reply::repaired;
use crate::table::{Column, Report, document};
use crate::tally::{Judgement, Tally, judge};
use crate::tools::{Ours, Tool, peers};

/// What to measure.
#[derive(Debug)]
pub struct Options {
    /// Where packages and installed peers stay.
    pub cache: PathBuf,
    /// Share of the windows, in percent; 100 for the published table.
    pub percent: usize,
    /// Names of the tools to ask; all when empty.
    pub only: Vec<String>,
    /// Whether to forget what other tools answered before.
    pub fresh: bool,
    /// Where cases that the first tool does not answer rightly are written, a JSON line each.
    pub failures: PathBuf,
    /// The command that the document names.
    pub command: String,
}

/// All changes of all packages.
pub fn all_changes(cache: &std::path::Path) -> Result<Vec<Change>, Fault> {
    let mut all = Vec::new();
    for pair in PAIRS {
        let fetched = fetch(*pair, &cache.join("packages"))?;
        let found = changes(&fetched)?;
        eprintln!("· {} {}: {} changed files", pair.name, pair.new, found.len());
        all.extend(found);
    }
    Ok(all)
}

/// Runs the benchmark; answers the document.
pub fn run(options: &Options) -> Result<String, Fault> {
    let changes = all_changes(&options.cache)?;
    let windows = select(&changes, options.percent);
    let work = std::env::temp_dir().join(format!("holdpoint-bench-{}", std::process::id()));
    let mut tools: Vec<Box<dyn Tool>> = vec![Box::new(Ours)];
    tools.extend(peers(&work, &options.cache)?);
    tools.retain(|tool| options.only.is_empty() || options.only.iter().any(|name| name == tool.name()));
    let mut tallies: Vec<Tally> = tools.iter().map(|_| Tally::default()).collect();
    let mut failures = std::io::BufWriter::new(std::fs::File::create(&options.failures)?);
    let mut memory = Memory::open(&options.cache.join("answers.txt"), options.fresh)?;
    let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
    std::panic::set_hook(Box::new(|_| {})); // a peer's panic is a refusal, told by the table
    for (number, window) in windows.iter().enumerate() {
        *languages.entry(window.change.language).or_default() += 1;
        let donor = donor(&changes, window.change);
        for case in cases(window, &donor) {
            for (column, (tool, tally)) in tools.iter_mut().zip(&mut tallies).enumerate() {
                let peer = tool.name() != Ours.name();
                let is_reply = matches!(case.class, Class::Reply(_));
                let key = Memory::key(tool.as_ref(), &case);
                if let Some((judgement, took)) = memory.recall(key).filter(|_| peer) {
                    tally.add(&case, judgement, took);
                    if is_reply {
                        // A peer names no line, so nothing is sent again.
                        tally.add_repaired(&case, judgement);
                    }
                    continue;
                }
                let (answer, took) = tool.apply(&case)?;
                let judgement = judge(&case, &answer);
                if peer {
                    memory.keep(key, judgement, took)?;
                }
                if column == 0 && judgement != Judgement::Correct {
                    writeln!(failures, "{}", told(&case, judgement, answer.as_deref()))?;
                }
                tally.add(&case, judgement, took);
                if is_reply {
                    tally.add_repaired(&case, after_repair(tool.as_mut(), &case, judgement)?);
                }
            }
        }
        if number % 50 == 49 {
            eprintln!("· {} of {} windows", number + 1, windows.len());
        }
    }
    let _ = std::panic::take_hook();
    let replay = if options.percent == 100 { Some(replay::run(&changes, &work)?) } else { None };
    let _ = std::fs::remove_dir_all(&work);
    let columns: Vec<Column> = tools
        .iter()
        .zip(tallies)
        .map(|(tool, tally)| Column { name: tool.name(), usage: tool.usage(), tally })
        .collect();
    Ok(document(&columns, &Report { languages, windows: windows.len(), replay, command: options.command.clone() }))
}

/// What became of a reply that was refused when its author has sent it once more.
fn after_repair(tool: &mut dyn Tool, case: &Case, judgement: Judgement) -> Result<Judgement, Fault> {
    if judgement != Judgement::Refused {
        return Ok(judgement);
    }
    match tool.message(case).and_then(|message| repaired(&case.patch, &message)) {
        Some(patch) => {
            let again = Case { patch, ..case.clone() };
            Ok(judge(&again, &tool.apply(&again)?.0))
        }
        None => Ok(judgement),
    }
}

/// Lines of the file that follows in the list, of another package where there is one: what drifts in is real code, too.
fn donor(changes: &[Change], change: &Change) -> Vec<String> {
    let at = changes.iter().position(|other| std::ptr::eq(other, change)).unwrap_or(0);
    let order = changes[at..].iter().chain(&changes[..at]);
    let mut others = order.filter(|other| other.language == change.language && other.path != change.path);
    let text = others.next().map_or(change.after.as_str(), |other| other.before.as_str());
    text.lines().map(|line| format!("{line}\n")).collect()
}

fn told(case: &Case, judgement: Judgement, answer: Option<&str>) -> serde_json::Value {
    let seen = PreviewInput::patch(&case.path, &case.base, &case.patch).map(|input| preview(&input)).ok();
    let input = json!({
        "files": { &case.path: case.base },
        "ops": [{ "op": "patch", "target_file": case.path, "patch": case.patch }],
    });
    json!({
        "name": case.name,
        "class": case.class.to_string(),
        "judgement": format!("{judgement:?}"),
        "input": input,
        "expect": case.after,
        "answer": answer,
        "meta": seen.as_ref().map(|seen| &seen.meta),
        "error_details": seen.as_ref().map(|seen| &seen.error_details),
    })
}
