//! Search and replace blocks from a draft.

use crate::change::Mark;
use crate::draft::{Draft, DraftHunk, Edit, Shown};
use crate::random::Random;
use crate::reply::Habit;

/// Letters and digits of a part of a line.
const PART_LETTERS: usize = 8;
/// How far above a change a line may stand that is shown above dots.
const ABOVE: usize = 40;
/// A line that one block brings and the next one changes.
const STAND_IN: &str = "replaced_by_the_next_block()";

/// The blocks of a draft as a kind writes them.
pub fn written(habit: Habit, draft: &mut Draft, random: &mut Random) -> Option<String> {
    if draft.hunks.iter().flat_map(|hunk| &hunk.body).any(|line| line.open || is_marker(&line.text)) {
        return None;
    }
    let blocks = match habit {
        Habit::Empty => return emptied(draft),
        Habit::Part => return part(draft, random),
        Habit::Equal => {
            let mut blocks: Vec<_> = draft.hunks.iter().map(sides).collect();
            let old = blocks.first()?.0.clone();
            blocks.insert(0, (old.clone(), old));
            blocks
        }
        Habit::BuiltOn => built_on(draft, random)?,
        Habit::FirstLine => draft.hunks.iter().map(|hunk| trimmed(sides(hunk))).collect::<Option<Vec<_>>>()?,
        Habit::Dots => vec![dotted(draft, random)?],
        _ => draft.hunks.iter().map(sides).collect(),
    };
    // What stands in the file once is the file's share of the table; what must be refused is so for another reason.
    let once = |(old, _): &(Vec<String>, Vec<String>)| !old.is_empty() && places(&draft.base, old) == 1;
    let in_base = matches!(habit, Habit::Block | Habit::Equal);
    (!in_base || blocks.iter().all(once)).then(|| blocks.iter().map(block).collect())
}

fn is_marker(text: &str) -> bool {
    text.starts_with("@@") || ["<<<<<", "=====", ">>>>>"].iter().any(|mark| text.trim_matches(' ').starts_with(mark))
}

/// Old and new lines.
type Sides = (Vec<String>, Vec<String>);

fn sides(hunk: &DraftHunk) -> Sides {
    let side = |gone: Mark| hunk.body.iter().filter(|line| line.mark != gone).map(|line| line.text.clone()).collect();
    (side(Mark::Insert), side(Mark::Delete))
}

fn block((old, new): &Sides) -> String {
    let lines = |side: &[String]| side.iter().map(|line| format!("{line}\n")).collect::<String>();
    format!("<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n", lines(old), lines(new))
}

/// How often lines stand in a base.
fn places(base: &[String], lines: &[String]) -> usize {
    let content = |line: &String| line.trim_end_matches('\n').to_owned();
    let base: Vec<String> = base.iter().map(content).collect();
    base.windows(lines.len().max(1)).filter(|window| *window == lines).count()
}

/// The file is empty, and one block brings all of it.
fn emptied(draft: &mut Draft) -> Option<String> {
    let after = draft.after();
    let lines: Vec<String> = after.split_inclusive('\n').map(str::to_owned).collect();
    let plain = after.ends_with('\n') && !after.contains('\r') && !lines.iter().any(|line| is_marker(line));
    draft.base.clear();
    draft.edits = vec![Edit { at: 0, delete: 0, insert: lines }];
    plain.then(|| format!("<<<<<<< SEARCH\n=======\n{after}>>>>>>> REPLACE\n"))
}

/// The first lines of both sides without their indentation.
fn trimmed((mut old, mut new): Sides) -> Option<Sides> {
    let bare = |line: &mut String| {
        let rest = line.trim_start_matches([' ', '\t']).to_owned();
        let lost = !rest.is_empty() && rest.len() < line.len();
        *line = rest;
        lost
    };
    let lost = bare(old.first_mut()?);
    (bare(new.first_mut()?) && lost).then_some((old, new))
}

/// One inserted line is first another, which a last block changes into it.
fn built_on(draft: &Draft, random: &mut Random) -> Option<Vec<Sides>> {
    let is_inserted = |line: &Shown| line.mark == Mark::Insert && !line.text.trim().is_empty();
    let with: Vec<usize> = (0..draft.hunks.len()).filter(|at| draft.hunks[*at].body.iter().any(is_inserted)).collect();
    let chosen = *random.pick(&with)?;
    let mut hunks = draft.hunks.clone();
    let inserted = hunks[chosen].body.iter_mut().find(|line| is_inserted(line))?;
    let fresh = std::mem::replace(&mut inserted.text, STAND_IN.to_owned());
    let mut blocks: Vec<Sides> = hunks.iter().map(sides).collect();
    blocks.push((vec![STAND_IN.to_owned()], vec![fresh]));
    Some(blocks)
}

/// A line above the first hunk, dots, and the hunk.
fn dotted(draft: &mut Draft, random: &mut Random) -> Option<Sides> {
    let first = draft.hunks.first()?.span()?.0;
    let hunk = draft.hunks.first()?;
    let (mut old, mut new) = sides(hunk);
    let content = |at: usize| draft.base[at].trim_end_matches('\n').to_owned();
    let tells = |at: &usize| {
        let line = content(*at);
        line.chars().filter(|c| c.is_alphanumeric()).count() >= PART_LETTERS && places(&draft.base, &[line]) == 1
    };
    let above: Vec<usize> = (first.saturating_sub(ABOVE)..first.saturating_sub(1)).filter(tells).collect();
    let head = content(*random.pick(&above)?);
    let lead = if [".py", ".toml"].iter().any(|ending| draft.path.ends_with(ending)) { "#" } else { "//" };
    let dots = format!("{lead} ... existing code ...");
    old.splice(0..0, [head.clone(), dots.clone()]);
    new.splice(0..0, [head, dots]);
    // One block, one hunk: the edits of the others are not told.
    let last = draft.hunks.first()?.span()?.1;
    draft.edits.retain(|edit| edit.at <= last + 1);
    draft.hunks.truncate(1);
    Some((old, new))
}

/// One line for one line, told by the part that changes and as much around it as makes it the only one.
fn part(draft: &mut Draft, random: &mut Random) -> Option<String> {
    let one_for_one = |edit: &&Edit| edit.delete == 1 && edit.insert.len() == 1 && edit.insert[0].ends_with('\n');
    let edits: Vec<Edit> = draft.edits.iter().filter(one_for_one).cloned().collect();
    let edit = random.pick(&edits)?.clone();
    let (old, new) = (draft.base[edit.at].trim_end_matches('\n'), edit.insert[0].trim_end_matches('\n'));
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let whole = draft.base.concat();
    for more in 0..old.len() {
        let (from, to) = (head.saturating_sub(more), tail.saturating_sub(more));
        let [gone, come]: [String; 2] =
            [&old[from..old.len() - to], &new[from..new.len() - to]].map(|part| part.iter().collect());
        let letters = gone.chars().filter(|c| c.is_alphanumeric()).count();
        let line: String = old.iter().collect();
        if gone.trim() == line.trim() {
            return None;
        }
        if letters >= PART_LETTERS && whole.matches(gone.as_str()).count() == 1 {
            draft.edits = vec![edit];
            return Some(block(&(vec![gone], vec![come])));
        }
    }
    None
}
