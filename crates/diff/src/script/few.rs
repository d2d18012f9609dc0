//! A script of few edits, found on the items themselves: what most texts need is done before they were numbered.
//!
//! Myers' search from the front, which remembers how far each number of edits came. Invariant: the script is a shortest
//! one, or there is none; the work and the memory are bounded.

use super::search::equal_ahead;

/// Edits up to which it is looked for.
const MAX_EDITS: usize = 512;
/// Items that may be compared, for each item there is.
const MAX_STEPS: usize = 2;

/// Places of equal items, ascending, and how many items were looked at; `None` where the edits are too many.
pub(super) fn pairs<T: PartialEq>(old: &[T], new: &[T]) -> (Option<Vec<(usize, usize)>>, usize) {
    let (n, m) = (old.len() as i32, new.len() as i32);
    let most = (MAX_EDITS + old.len() + new.len()) * MAX_STEPS;
    let mut steps = 0;
    // By number of edits: how far in `old` each diagonal came, from the lowest; diagonals are `x - y`, every second.
    let mut reached: Vec<Vec<i32>> = Vec::new();
    for edits in 0..=MAX_EDITS as i32 {
        let mut row = Vec::with_capacity(edits as usize + 1);
        for diagonal in (-edits..=edits).step_by(2) {
            let mut x = reached.last().map_or(0, |row| start(row, edits, diagonal).0);
            let y = x - diagonal;
            if (0..n).contains(&x) && (0..m).contains(&y) {
                let run = equal_ahead(&old[x as usize..], &new[y as usize..]);
                x += run as i32;
                steps += run;
            }
            steps += 1;
            row.push(x);
            if x == n && x - diagonal == m {
                reached.push(row);
                return (Some(walked(&reached, n, m)), steps);
            }
            if steps > most {
                return (None, steps);
            }
        }
        reached.push(row);
    }
    (None, steps)
}

/// Where the run on a diagonal begins when one edit less came as far as `row`, and the diagonal that it comes from.
fn start(row: &[i32], edits: i32, diagonal: i32) -> (i32, i32) {
    let at = |diagonal: i32| row[((diagonal + edits - 1) / 2) as usize];
    if diagonal == -edits || (diagonal != edits && at(diagonal - 1) < at(diagonal + 1)) {
        (at(diagonal + 1), diagonal + 1)
    } else {
        (at(diagonal - 1) + 1, diagonal - 1)
    }
}

/// The equal items on the way back from the ends.
fn walked(reached: &[Vec<i32>], n: i32, m: i32) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(n.min(m) as usize);
    let (mut x, mut diagonal) = (n, n - m);
    for edits in (0..reached.len()).rev() {
        let row = edits.checked_sub(1).map(|fewer| &reached[fewer]);
        let (from, before) = row.map_or((0, 0), |row| start(row, edits as i32, diagonal));
        pairs.extend((from..x).rev().map(|x| (x as usize, (x - diagonal) as usize)));
        if let Some(row) = row {
            x = row[((before + edits as i32 - 1) / 2) as usize];
            diagonal = before;
        }
    }
    pairs.reverse();
    pairs
}
