//! Cases: windows of real changes with no noise, with each kind, and with two kinds at once.

use std::fmt;

use crate::change::{Change, Window, windows};
use crate::draft::Draft;
use crate::noise::{HARD, Noise, REFUSE, SINGLE, any_kind};
use crate::random::Random;
use crate::reply::{BLOCKS, DIFFS, Habit};

/// Pairs of kinds tried on a window.
const DOUBLES: usize = 6;
/// Pairs of a must-refuse kind and another tried on a window.
const REFUSED_DOUBLES: usize = 2;
/// Windows of one package, at most, so that no package outweighs the others.
const MAX_WINDOWS: usize = 24;

/// What was done to a case: a row of the table, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// No noise.
    Clean,
    /// One kind.
    Single(Noise),
    /// Two kinds.
    Double(Noise, Noise),
    /// One kind that §12.5 counts with the doubles.
    Hard(Noise),
    /// A must-refuse kind, alone or with another kind.
    Refuse(Noise, Option<Noise>),
    /// As models write their replies.
    Reply(Habit),
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clean => f.write_str("clean"),
            Self::Single(noise) | Self::Hard(noise) | Self::Refuse(noise, None) => f.write_str(noise.name()),
            Self::Reply(habit) => f.write_str(habit.name()),
            Self::Double(one, other) | Self::Refuse(one, Some(other)) => write!(f, "{} + {}", one.name(), other.name()),
        }
    }
}

/// One question to a tool.
#[derive(Debug, Clone)]
pub struct Case {
    /// Package, file, window and class: what finds it again.
    pub name: String,
    /// What was done.
    pub class: Class,
    /// The file's path.
    pub path: String,
    /// The file.
    pub base: String,
    /// The patch.
    pub patch: String,
    /// The one right text after; none where the tool must refuse.
    pub after: Option<String>,
}

/// Takes windows from every package, spread over its files. `most` is the share of the usual number, in percent.
pub fn select(changes: &[Change], percent: usize) -> Vec<Window<'_>> {
    let mut packages: Vec<&str> = changes.iter().map(|change| change.package.as_str()).collect();
    packages.dedup();
    let mut chosen = Vec::new();
    for package in packages {
        let mut all: Vec<Window<'_>> =
            changes.iter().filter(|change| change.package == package).flat_map(windows).collect();
        let mut random = Random::of(&["select", package]);
        for at in (1..all.len()).rev() {
            all.swap(at, random.below(at + 1));
        }
        all.truncate((MAX_WINDOWS * percent).div_ceil(100));
        chosen.extend(all);
    }
    chosen
}

/// All cases of a window. `donor` holds lines of another file.
pub fn cases(window: &Window<'_>, donor: &[String]) -> Vec<Case> {
    let mut classes = vec![Class::Clean];
    classes.extend(SINGLE.iter().copied().map(Class::Single));
    classes.extend(HARD.iter().copied().map(Class::Hard));
    classes.extend(REFUSE.iter().map(|noise| Class::Refuse(*noise, None)));
    classes.extend(DIFFS.iter().chain(BLOCKS).copied().map(Class::Reply));
    let mut random = Random::of(&["pairs", &name(window)]);
    for _ in 0..DOUBLES {
        let (one, other) = (any_kind(&mut random), any_kind(&mut random));
        if one.goes_with(other) {
            classes.push(Class::Double(one.min(other), one.max(other)));
        }
    }
    for _ in 0..REFUSED_DOUBLES {
        let other = any_kind(&mut random);
        if let Some(one) = random.pick(REFUSE)
            && one.goes_with(other)
            && !other.changes_base()
        {
            classes.push(Class::Refuse(*one, Some(other)));
        }
    }
    let mut known = std::collections::BTreeSet::new();
    classes.retain(|class| known.insert(class.clone()));
    classes.into_iter().filter_map(|class| case(window, class, donor)).collect()
}

fn name(window: &Window<'_>) -> String {
    format!("{}/{}#{}", window.change.package, window.change.path, window.number)
}

fn case(window: &Window<'_>, class: Class, donor: &[String]) -> Option<Case> {
    let name = format!("{}: {class}", name(window));
    let mut random = Random::of(&[&name]);
    let sections = random.once_in(2);
    let mut draft = Draft::new(window, sections);
    let mut reply = None;
    let noises = match class {
        Class::Reply(habit) => {
            reply = Some(habit.reply(&mut draft, &mut random, donor)?);
            vec![]
        }
        Class::Clean => vec![],
        Class::Single(one) | Class::Hard(one) | Class::Refuse(one, None) => vec![one],
        Class::Double(one, other) | Class::Refuse(one, Some(other)) => vec![one.min(other), one.max(other)],
    };
    for noise in noises {
        if !noise.apply(&mut draft, &mut random, donor) {
            return None;
        }
    }
    let base = draft.base.concat();
    let after = (!draft.refuse).then(|| draft.after());
    // A change that drift has made by itself is no question.
    (after.as_ref() != Some(&base)).then(|| Case {
        name,
        class,
        path: draft.path.clone(),
        patch: reply.unwrap_or_else(|| draft.patch()),
        base,
        after,
    })
}
