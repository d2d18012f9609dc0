//! The search and replace blocks of a file, one after the other (spec: text-replies.md §1 "In turn").
//!
//! Owns the road from blocks to the new text of a file. Invariant: each block is placed on the text that the blocks
//! before it made, and all blocks of all ops are taken or none.

use crate::base::{Base, Budget, TooCostly};
use crate::block::{Block, numbers, read};
use crate::codes::RejectCode;
use crate::failure;
use crate::file::PatchedFile;
use crate::gate::normalised_diff;
use crate::marks::line_number;
use crate::patch::Unreadable;
use crate::place::{Failed, Hunk, Placed, Rung, block_hunk, place_block, stands_once};
use crate::preview::{ErrorDetail, MarkedLines, PlacedHunk};
use crate::region::Kind;
use crate::splice::{adds_invisible, splice};
use crate::tags::{Tag, Tags};
use crate::transport::{BOM, Transported};

/// Comparisons that taking in a line of the text that a block made counts as.
const LINE: usize = 12;
/// The same where a block had no exact place, so that the lines were taken in in other forms, too.
const LINE_IN_FORMS: usize = 24;

/// Looks at the blocks of one file, those of each op with its index.
pub(crate) fn blocks_in_turn(
    path: &str,
    text: &str,
    patches: &[(usize, &Transported)],
    budget: &Budget,
) -> PatchedFile {
    let sent = Base::new(text);
    let mut file = PatchedFile::default();
    if patches.len() > 1 {
        file.tags.insert(Tag::MergedOps);
    }
    let mut blocks: Vec<(usize, Block)> = Vec::new();
    for (op_index, patch) in patches {
        file.tags.extend(&patch.tags);
        match read(&patch.lines, path, sent.is_empty()) {
            Ok(read) => {
                file.tags.extend(read.tags);
                for mut block in read.blocks {
                    if drop_numbers(&mut block, &sent, &mut file.tags) {
                        blocks.push((*op_index, block));
                    } else {
                        let detail = failure::of_op(RejectCode::UnsupportedFormat, *op_index, path);
                        file.errors.push(ErrorDetail { hunk_index: Some(block.index), ..detail });
                    }
                }
            }
            Err(Unreadable { code, hunk_index, hunk_header }) => {
                let detail = failure::of_op(code, *op_index, path);
                file.errors.push(ErrorDetail { hunk_index, hunk_header, ..detail });
            }
        }
    }
    if sent.bom {
        drop_marks(&mut blocks, &mut file.tags);
    }
    let own_endings = blocks.iter().flat_map(|(_, block)| block.old.iter().chain(&block.new)).any(|line| line.cr);
    let mut turn = Turn {
        path,
        sent: &sent,
        budget,
        own_endings,
        origins: (0..sent.len()).map(Some).collect(),
        placed: Vec::new(),
        deleted: Vec::new(),
        taken: Vec::new(),
    };
    let mut rest = blocks.iter();
    let mut made: Option<String> = None;
    // A text is taken in once, however many blocks leave it as it is.
    while let Some(next) = match &made {
        None => turn.next_text(&sent, &mut rest, &mut file),
        Some(text) => turn.next_text(&Base::new(text), &mut rest, &mut file),
    } {
        made = Some(next);
    }
    turn.conclude(made.as_deref().unwrap_or(text), &mut file);
    file
}

/// Drops the line numbers that some programs want above the old text, unless the file has such lines. Above the new text
/// nobody asks for them: what else is no content there is in doubt. `false`: where content begins is not known.
fn drop_numbers(block: &mut Block, base: &Base<'_>, tags: &mut Tags) -> bool {
    if base.lines.iter().any(|line| line_number(line.content).is_some()) {
        return true;
    }
    for (part, tag) in [(&mut block.old, Tag::DroppedTextOutsideHunks), (&mut block.new, Tag::DroppedDiffLikeText)] {
        let Some(count) = numbers(part) else { return false };
        if count > 0 {
            part.drain(..count);
            tags.insert(tag);
        }
    }
    true
}

/// A byte order mark is the file's: one in front of a line of a block is dropped.
fn drop_marks(blocks: &mut [(usize, Block)], tags: &mut Tags) {
    for line in blocks.iter_mut().flat_map(|(_, block)| block.old.iter_mut().chain(&mut block.new)) {
        if line.text.starts_with(BOM) {
            line.text.remove(0);
            tags.insert(Tag::StrippedBom);
        }
    }
}

/// A text in the making.
struct Turn<'t> {
    path: &'t str,
    sent: &'t Base<'t>,
    budget: &'t Budget,
    /// A line of a block ends with CR.
    own_endings: bool,
    /// By line of the text so far: the line as sent; none for one that a block brought.
    origins: Vec<Option<usize>>,
    placed: Vec<(PlacedHunk, Placed)>,
    /// What the blocks took away.
    deleted: Vec<String>,
    /// The blocks that have their place.
    taken: Vec<Block>,
}

impl Turn<'_> {
    /// What the next block that has a place makes of a text; none when no block is left.
    fn next_text(
        &mut self,
        base: &Base<'_>,
        rest: &mut std::slice::Iter<'_, (usize, Block)>,
        file: &mut PatchedFile,
    ) -> Option<String> {
        let is_new = !self.taken.is_empty();
        let taken_in = if is_new { self.budget.take(LINE * base.len()) } else { Ok(()) };
        rest.find_map(|(op_index, block)| self.take(base, taken_in, *op_index, block, file))
    }

    fn take(
        &mut self,
        base: &Base<'_>,
        taken_in: Result<(), TooCostly>,
        op_index: usize,
        block: &Block,
        file: &mut PatchedFile,
    ) -> Option<String> {
        let hunk = match block_hunk(base, op_index, block, self.budget) {
            Ok(Some(hunk)) => hunk,
            Ok(None) => {
                file.tags.insert(Tag::DroppedEmptyHunk);
                return None;
            }
            Err(TooCostly) => {
                let detail = failure::of_op(RejectCode::TooCostly, op_index, self.path);
                file.errors.push(ErrorDetail { hunk_index: Some(block.index), ..detail });
                return None;
            }
        };
        if self.is_twin(block) {
            file.tags.insert(Tag::DroppedDuplicateHunk);
            return None;
        }
        let mut placed = match taken_in.map_err(Failed::from).and_then(|()| self.place(base, &hunk, block)) {
            Ok(placed) => placed,
            Err(failed) => {
                file.errors.push(failure::of_hunk(base, &hunk, self.path, failed, self.budget));
                return None;
            }
        };
        placed.hunk = self.placed.len();
        file.tags.extend(&placed.tags);
        self.deleted.extend(placed.deleted.iter().map(|at| base.content(*at).to_owned()));
        let shown = PlacedHunk {
            op_index,
            hunk_index: block.index,
            target_file: self.path.to_owned(),
            stated_line: None,
            line: self.line(&placed),
            offset: 0,
            rung: placed.rung,
            fuzz: placed.level,
            doubts: placed.doubts(),
            marks: placed.marks.iter().flat_map(|mark| self.marked(mark)).collect(),
        };
        let text = splice(base, std::slice::from_ref(&placed), self.own_endings, &mut file.tags);
        let place = self.before(&placed);
        self.origins = origins(&self.origins, &placed);
        self.placed.push((shown, Placed { place, ..placed }));
        self.taken.push(block.clone());
        Some(text)
    }

    /// A block that stood there before word for word, and whose old text stands once in the text as sent.
    fn is_twin(&self, block: &Block) -> bool {
        let is_same = |known: &&Block| known.old == block.old && known.new == block.new;
        let old: Vec<&str> = block.old.iter().map(|line| line.text.as_str()).collect();
        !old.is_empty() && self.taken.iter().any(|known| is_same(&known)) && stands_once(self.sent, &old, self.budget)
    }

    fn place(&self, base: &Base<'_>, hunk: &Hunk, block: &Block) -> Result<Placed, Failed> {
        if self.taken.is_empty() {
            return place_block(base, hunk, self.budget);
        }
        let mut placed = place_block(base, hunk, self.budget)?;
        if !placed.doubts().is_empty() || placed.rung != Rung::Exact {
            self.budget.take(LINE_IN_FORMS * base.len())?;
        }
        let alone = block_hunk(self.sent, hunk.op_index, block, self.budget)?;
        if alone.is_none_or(|hunk| place_block(self.sent, &hunk, self.budget).is_err()) {
            placed.tags.insert(Tag::BuiltOnEarlierBlock);
        }
        Ok(placed)
    }

    /// The 1-based line of a place in the text as sent, where that line was in it.
    fn line(&self, placed: &Placed) -> Option<i64> {
        match usize::try_from(placed.place) {
            Ok(at) => self.origins.get(at).copied().flatten().map(|at| at as i64 + 1),
            // In front of the first line.
            Err(_) => Some(0),
        }
    }

    /// What is marked in the text so far, in lines as sent: a part for each run of them, none of what a block brought.
    fn marked(&self, mark: &MarkedLines) -> Vec<MarkedLines> {
        let mut marks: Vec<MarkedLines> = Vec::new();
        for at in self.origins[mark.from - 1..mark.to].iter().flatten().map(|at| at + 1) {
            match marks.last_mut().filter(|last| last.to + 1 == at) {
                Some(last) => last.to = at,
                None => marks.push(MarkedLines { from: at, to: at, ..mark.clone() }),
            }
        }
        marks
    }

    /// The place, counted in lines as sent.
    fn before(&self, placed: &Placed) -> i64 {
        let Ok(at) = usize::try_from(placed.place) else { return placed.place };
        self.origins.iter().take(at).filter(|origin| origin.is_some()).count() as i64
    }

    fn conclude(mut self, text: &str, file: &mut PatchedFile) {
        self.placed.sort_by_key(|(_, placed)| (placed.place, placed.hunk));
        let (shown, placed): (Vec<PlacedHunk>, Vec<Placed>) = self.placed.into_iter().unzip();
        file.hunks = shown;
        if !file.errors.is_empty() {
            return;
        }
        let inserted = placed.iter().flat_map(|placed| &placed.reading.lines);
        let inserted = inserted.filter(|line| line.kind == Kind::Insert).map(|line| line.text.as_str());
        if adds_invisible(inserted, self.deleted.iter().map(String::as_str)) {
            file.tags.insert(Tag::InvisibleInAdded);
        }
        file.normalised = normalised_diff(self.path, &placed);
        text.clone_into(&mut file.text);
    }
}

/// By line of the text that a block made: the line as sent.
fn origins(before: &[Option<usize>], placed: &Placed) -> Vec<Option<usize>> {
    let mut points = placed.points.clone();
    points.sort_unstable();
    let mut points = points.into_iter().peekable();
    let mut deleted = placed.deleted.iter().copied().peekable();
    let mut origins = Vec::with_capacity(before.len() + placed.points.len());
    for at in 0..=before.len() {
        while points.next_if_eq(&at).is_some() {
            origins.push(None);
        }
        if let Some(origin) = before.get(at)
            && deleted.next_if_eq(&at).is_none()
        {
            origins.push(*origin);
        }
    }
    origins
}
