//! Inputs about crew packages: the sample cases and the example packages, with seeded changes.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::crew::{self, Texts, Watch};
use super::walk::{Walk, mutate, mutate_text};

/// What inputs are made from.
#[derive(Debug)]
pub struct Seeds {
    packages: Vec<Texts>,
    /// Inputs of `changeset.check`.
    sets: Vec<Value>,
    archives: Vec<Vec<u8>>,
}

impl Seeds {
    /// Reads the sample cases and the example packages of the workspace.
    pub fn read(root: &Path) -> std::io::Result<Self> {
        let mut seeds = Self { packages: Vec::new(), sets: Vec::new(), archives: Vec::new() };
        for line in std::fs::read_to_string(root.join("tests/corpus/crew-package.jsonl"))?.lines() {
            let mut case: Value = serde_json::from_str(line)?;
            match case["method"].as_str() {
                Some("bundle.check") => seeds.packages.push(texts(&case["input"]["files"])),
                Some("changeset.check") => seeds.sets.push(case["input"].take()),
                _ => {}
            }
        }
        let mut folders = std::fs::read_dir(root.join("fixtures/crew"))?.collect::<Result<Vec<_>, _>>()?;
        folders.sort_by_key(std::fs::DirEntry::path);
        for folder in folders.iter().map(std::fs::DirEntry::path).filter(|path| path.is_dir()) {
            let mut files = BTreeMap::new();
            below(&folder, "", &mut files)?;
            seeds.packages.push(files);
        }
        let out = |files| holdpoint_kind_crew::archive::export(files).ok();
        seeds.archives = seeds.packages.iter().filter_map(out).collect();
        Ok(seeds)
    }

    /// Asks the next input of a walk. `most` is what a text may grow to.
    pub fn ask(&self, walk: &mut Walk, most: usize, watch: Watch<'_>) {
        let times = 1 + walk.below(4);
        match walk.below(10) {
            0..=3 => {
                let files = self.changed(times, most, walk);
                let other = &self.packages[walk.below(self.packages.len())];
                crew::package(&files, other, watch);
            }
            4..=7 => {
                let mut input = self.sets[walk.below(self.sets.len())].clone();
                for _ in 0..times {
                    let part = walk.one(&["change_set", "change_set", "snapshot", "session"]);
                    mutate(&mut input[part], walk);
                }
                if most > 0 && walk.below(8) == 0 {
                    grow_inside(&mut input["change_set"], most, walk);
                }
                crew::change_set(input, watch);
            }
            8 => crew::compared(&self.changed(times, 0, walk), &self.changed(1, most, walk), watch),
            _ => {
                let mut bytes = self.archives[walk.below(self.archives.len())].clone();
                for _ in 0..times {
                    disturb(&mut bytes, walk);
                }
                crew::archive(&bytes, watch);
            }
        }
    }

    /// A package that was changed so many times; now and then a text of it grows.
    fn changed(&self, times: usize, most: usize, walk: &mut Walk) -> Texts {
        let mut files = json!(self.packages[walk.below(self.packages.len())]);
        for _ in 0..times {
            mutate(&mut files, walk);
        }
        if most > 0 && walk.below(4) == 0 {
            grow_inside(&mut files, most, walk);
        }
        texts(&files)
    }
}

fn texts(files: &Value) -> Texts {
    let text = |(path, text): (&String, &Value)| Some((path.clone(), text.as_str()?.to_owned()));
    files.as_object().into_iter().flatten().filter_map(text).collect()
}

fn below(folder: &Path, inside: &str, files: &mut Texts) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{inside}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            below(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, std::fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}

/// Lets one text or list inside a value grow: pieces of it again and again.
fn grow_inside(value: &mut Value, most: usize, walk: &mut Walk) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let at = walk.below(members.len());
            if let Some(member) = members.values_mut().nth(at) {
                grow_inside(member, most, walk);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = walk.below(items.len());
            if walk.below(2) == 0 {
                let size = items[at].to_string().len().max(1);
                let again = items[at].clone();
                items.extend(std::iter::repeat_n(again, walk.below(most / size)));
            } else {
                grow_inside(&mut items[at], most, walk);
            }
        }
        Value::String(text) => *text = grown(text, most, walk),
        _ => {}
    }
}

/// A piece of a text, or of the JSON that it is, again and again in its place.
fn grown(text: &str, most: usize, walk: &mut Walk) -> String {
    if let (Ok(mut inner @ (Value::Object(_) | Value::Array(_))), true) =
        (serde_json::from_str(text), walk.below(3) > 0)
    {
        grow_inside(&mut inner, most, walk);
        return inner.to_string();
    }
    let (one, other) = (walk.below(text.len() + 1), walk.below(40));
    let from = text.floor_char_boundary(one);
    let to = text.floor_char_boundary((from + other).min(text.len()));
    let mut piece = text[from..to].to_owned();
    if walk.below(3) == 0 {
        piece = mutate_text(&piece, walk);
    }
    let times = walk.below(most / piece.len().max(1));
    format!("{}{}{}", &text[..from], piece.repeat(times), &text[to..])
}

/// Changes bytes of an archive: its marks, numbers and contents.
fn disturb(bytes: &mut Vec<u8>, walk: &mut Walk) {
    let at = walk.below(bytes.len());
    match walk.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..(at + walk.below(64)).min(bytes.len()))),
        2 => {
            let piece = bytes[at..(at + walk.below(200)).min(bytes.len())].to_vec();
            let to = walk.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        3 => bytes.extend_from_slice(&[0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0]),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = [0, 1, 0xff, 0x50, 0x80, 0x2f][walk.below(6)];
            }
        }
    }
}
