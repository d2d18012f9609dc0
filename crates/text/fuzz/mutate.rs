//! Seeded mutations: what a fuzzer without coverage tries, the same on every run.

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// A number below `end`, 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if end == 0 { 0 } else { ((mixed ^ (mixed >> 31)) % end as u64) as usize }
    }
}

/// Pieces that mean something to a reader of patches.
const WORDS: &[&str] = &[
    "@@",
    "@@ -1,2 +1,3 @@\n",
    "@@ -0,0 +1 @@\n",
    "@@ -999999999,1 +1 @@\n",
    "@@ ... @@\n",
    "@@@ ",
    "--- a/file\n",
    "+++ b/file\n",
    "--- /dev/null\n",
    "diff --git a/file b/file\n",
    "index 12..34\n",
    "\\ No newline at end of file\n",
    "```diff\n",
    "```\n",
    "~~~\n",
    "*** Begin Patch\n",
    "*** Update File: file\n",
    "*** End Patch\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "\t",
    "    ",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "\u{a0}",
    "“",
    "’",
    "…",
    "# ...\n",
    "&lt;",
    "12 | ",
    "+",
    "-",
    " ",
    "\0",
    "-- ",
    "++",
    "\\n",
    "é",
    "e\u{301}",
    "🦀",
];

/// Changes bytes a few times; `other` gives pieces to put in.
pub fn mutated(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        once(&mut bytes, other, random);
    }
    bytes
}

fn once(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let lines = line_ends(bytes);
    let line = |number: usize| (if number == 0 { 0 } else { lines[number - 1] }, lines[number]);
    match random.below(10) {
        0 => {
            let at = random.below(bytes.len() + 1);
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(at..at, word.bytes());
        }
        1 if !lines.is_empty() => {
            // At the start of a line syntax means most.
            let (start, _) = line(random.below(lines.len()));
            let word = WORDS[random.below(WORDS.len())];
            bytes.splice(start..start, word.bytes());
        }
        2 if !lines.is_empty() => {
            let (start, end) = line(random.below(lines.len()));
            bytes.drain(start..end);
        }
        3 if !lines.is_empty() => {
            let (start, end) = line(random.below(lines.len()));
            let copy = bytes[start..end].to_vec();
            let (at, _) = line(random.below(lines.len()));
            bytes.splice(at..at, copy);
        }
        4 if !lines.is_empty() => {
            let (start, end) = line(random.below(lines.len()));
            let moved: Vec<u8> = bytes.drain(start..end).collect();
            let at = random.below(start + 1);
            bytes.splice(at..at, moved);
        }
        5 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes.remove(at);
        }
        6 if !bytes.is_empty() => {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        7 => bytes.truncate(random.below(bytes.len() + 1)),
        8 => {
            let start = random.below(other.len());
            let end = (start + 1 + random.below(200)).min(other.len());
            let at = random.below(bytes.len() + 1);
            bytes.splice(at..at, other[start..end].iter().copied());
        }
        _ => {
            // A number that is not the one that stood there.
            if let Some(at) = bytes.iter().position(u8::is_ascii_digit) {
                bytes[at] = b'0' + random.below(10) as u8;
            }
        }
    }
}

/// Where each line ends.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    if ends.last().copied().unwrap_or(0) < bytes.len() {
        ends.push(bytes.len());
    }
    ends
}
