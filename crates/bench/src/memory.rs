//! What other tools answered before: they do not change between two runs of ours, and some take long.
//!
//! Kept under `target/bench`, a line a case; the key is a hash of the tool's name and usage and of the whole case.
//! `--fresh` forgets it all.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::case::Case;
use crate::fault::Fault;
use crate::random::Random;
use crate::tally::Judgement;
use crate::tools::Tool;

/// Judgements of earlier runs.
#[derive(Debug)]
pub struct Memory {
    known: BTreeMap<u64, (Judgement, Duration)>,
    file: File,
}

impl Memory {
    /// Opens what is kept there.
    pub fn open(path: &Path, fresh: bool) -> Result<Self, Fault> {
        if fresh {
            let _ = std::fs::remove_file(path);
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let known = text.lines().filter_map(read).collect();
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { known, file })
    }

    /// The key of a question.
    pub fn key(tool: &dyn Tool, case: &Case) -> u64 {
        let after = case.after.as_deref().unwrap_or("must be refused");
        Random::of(&[tool.name(), tool.usage(), &case.path, &case.base, &case.patch, after]).number()
    }

    /// What was answered.
    pub fn recall(&self, key: u64) -> Option<(Judgement, Duration)> {
        self.known.get(&key).copied()
    }

    /// Keeps an answer.
    pub fn keep(&mut self, key: u64, judgement: Judgement, took: Duration) -> Result<(), Fault> {
        let word = match judgement {
            Judgement::Correct => "correct",
            Judgement::Refused => "refused",
            Judgement::Wrong => "wrong",
        };
        Ok(writeln!(self.file, "{key} {word} {}", took.as_nanos())?)
    }
}

fn read(line: &str) -> Option<(u64, (Judgement, Duration))> {
    let mut words = line.split(' ');
    let key = words.next()?.parse().ok()?;
    let judgement = match words.next()? {
        "correct" => Judgement::Correct,
        "refused" => Judgement::Refused,
        "wrong" => Judgement::Wrong,
        _ => return None,
    };
    Some((key, (judgement, Duration::from_nanos(words.next()?.parse().ok()?))))
}
