//! Numbers that look random and are the same on every run.
//!
//! SplitMix64 seeded from names: the noise of a case depends on the case alone, so a case keeps its noise when packages
//! or classes are added.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of these names (FNV-1a).
    pub fn of(names: &[&str]) -> Self {
        let mut state = 0xcbf2_9ce4_8422_2325_u64;
        for byte in names.iter().flat_map(|name| name.bytes().chain([0])) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(state)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { (self.number() % end as u64) as usize }
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high + 1 - low)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A distance of 1 to `most`, in either direction.
    pub fn shift(&mut self, most: usize) -> isize {
        let size = self.between(1, most) as isize;
        if self.once_in(2) { -size } else { size }
    }

    /// One of them.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }
}
