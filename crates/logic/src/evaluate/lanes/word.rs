//! One bit a situation: words of 64 times `L` lanes, and the exchange of rows and columns.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// What is true in each of `64 * L` situations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<const L: usize>(pub [u64; L]);

impl<const L: usize> Word<L> {
    /// How many situations there are.
    pub const LANES: usize = 64 * L;
    /// True in none.
    pub const NONE: Word<L> = Word([0; L]);
    /// True in all.
    pub const ALL: Word<L> = Word([u64::MAX; L]);

    /// True in the first lanes, so many of them.
    pub fn first(lanes: usize) -> Word<L> {
        Word(std::array::from_fn(|part| match lanes.saturating_sub(64 * part) {
            0 => 0,
            rest @ 1..64 => (1 << rest) - 1,
            _ => u64::MAX,
        }))
    }

    /// True in one lane.
    pub fn lane(lane: usize) -> Word<L> {
        let mut word = Word::NONE;
        word.insert(lane);
        word
    }

    /// In how many lanes is it true?
    #[inline]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|part| u64::from(part.count_ones())).sum()
    }

    /// The lanes in which it is true.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(part, bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let lane = 64 * part + left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    lane
                })
            })
        })
    }

    /// Is it true in the lane?
    #[inline]
    pub fn get(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Makes it true in the lane.
    #[inline]
    pub fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// Is it true in no lane?
    #[inline]
    pub fn is_none(&self) -> bool {
        self.0.iter().fold(0, |any, part| any | part) == 0
    }
}

impl<const L: usize> BitAnd for Word<L> {
    type Output = Word<L>;

    #[inline]
    fn bitand(mut self, other: Word<L>) -> Word<L> {
        for part in 0..L {
            self.0[part] &= other.0[part];
        }
        self
    }
}

impl<const L: usize> BitOr for Word<L> {
    type Output = Word<L>;

    #[inline]
    fn bitor(mut self, other: Word<L>) -> Word<L> {
        for part in 0..L {
            self.0[part] |= other.0[part];
        }
        self
    }
}

impl<const L: usize> BitXor for Word<L> {
    type Output = Word<L>;

    #[inline]
    fn bitxor(mut self, other: Word<L>) -> Word<L> {
        for part in 0..L {
            self.0[part] ^= other.0[part];
        }
        self
    }
}

impl<const L: usize> Not for Word<L> {
    type Output = Word<L>;

    #[inline]
    fn not(mut self) -> Word<L> {
        for part in 0..L {
            self.0[part] = !self.0[part];
        }
        self
    }
}

/// Exchanges rows and columns of 64 times 64 bits: bit `j` of row `i` becomes bit `i` of row `j`
/// (Warren, Hacker's Delight, section 7-3).
pub fn transpose(rows: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width != 0 {
        let mut row = 0;
        while row < 64 {
            let moved = ((rows[row] >> width) ^ rows[row + width]) & mask;
            rows[row] ^= moved << width;
            rows[row + width] ^= moved;
            row = (row + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut rows: [u64; 64] =
            std::array::from_fn(|row| (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let before = rows;
        transpose(&mut rows);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in rows.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1, "row {i}, column {j}");
            }
        }
    }

    #[test]
    fn the_first_lanes() {
        for lanes in [0, 1, 63, 64, 65, 127, 128] {
            let word = Word::<2>::first(lanes);
            assert!((0..128).all(|lane| word.get(lane) == (lane < lanes)), "{lanes}");
        }
    }
}
