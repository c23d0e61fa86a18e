//! Options of each lane to one of them, drawn in all lanes at once.
//!
//! The options that each lane has are counted in a tree, in binary digits; a number below the count is drawn for each
//! lane; and the tree is descended with it, to the left where it is below the count there, otherwise to the right with what
//! remains of it. Only the counts and what is drawn become numbers of single lanes.

use crate::evaluate::lanes::Word;

/// Chooses among a number of options.
#[derive(Clone, Debug)]
pub struct LaneChoice<const L: usize> {
    options: usize,
    /// Each before its parts, the left one first.
    nodes: Vec<ChoiceNode>,
    /// Counts of options by node, in binary digits.
    counts: Vec<Word<L>>,
    /// What is left of the drawn number on the way to the node, likewise.
    ranks: Vec<Word<L>>,
    /// Where the option that is chosen is below a node.
    chosen: Vec<Word<L>>,
}

/// Two options or more that follow each other, in two parts.
#[derive(Clone, Copy, Debug)]
struct ChoiceNode {
    /// The options.
    from: u32,
    to: u32,
    /// Where its digits begin, and how many there are: of its count, and of a number below that.
    count: u32,
    count_width: u32,
    rank: u32,
    rank_width: u32,
    left: ChoicePart,
    right: ChoicePart,
    /// One more than the last node below it.
    end: u32,
}

/// One option, or more.
#[derive(Clone, Copy, Debug)]
enum ChoicePart {
    Option(u32),
    Node(u32),
}

/// How many binary digits a number has.
fn width(number: usize) -> u32 {
    usize::BITS - number.leading_zeros()
}

impl<const L: usize> LaneChoice<L> {
    /// Chooses among so many options.
    pub fn new(options: usize) -> LaneChoice<L> {
        let mut choice = LaneChoice {
            options,
            nodes: Vec::new(),
            counts: Vec::new(),
            ranks: Vec::new(),
            chosen: Vec::new(),
        };
        if options > 1 {
            let rank = choice.new_rank(options);
            choice.add(0, options, rank);
        }
        choice.chosen = vec![Word::NONE; choice.nodes.len()];
        choice
    }

    /// Makes room for a number below the count of so many options.
    fn new_rank(&mut self, options: usize) -> u32 {
        let at = self.ranks.len();
        self.ranks.resize(at + width(options - 1) as usize, Word::NONE);
        at as u32
    }

    /// Adds the node of some options, and those below it.
    fn add(&mut self, from: usize, to: usize, rank: u32) -> ChoicePart {
        if to - from == 1 {
            return ChoicePart::Option(from as u32);
        }
        let number = self.nodes.len();
        let (count, count_width) = (self.counts.len() as u32, width(to - from));
        self.counts.resize(count as usize + count_width as usize, Word::NONE);
        let part = ChoicePart::Option(0);
        self.nodes.push(ChoiceNode {
            from: from as u32,
            to: to as u32,
            count,
            count_width,
            rank,
            rank_width: width(to - from - 1),
            left: part,
            right: part,
            end: 0,
        });
        // As many on the left as make a full tree.
        let middle = from + (to - from).next_power_of_two() / 2;
        // To the left nothing is taken off the number.
        let left = self.add(from, middle, rank);
        let rank = if to - middle > 1 { self.new_rank(to - middle) } else { 0 };
        let right = self.add(middle, to, rank);
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[number];
        (node.left, node.right, node.end) = (left, right, end);
        ChoicePart::Node(number as u32)
    }

    /// Chooses one option in each lane that has any, and says which lanes these are. `option` tells where a lane has an
    /// option; `roll` draws a number below a count, which may be 0 or 1, for a lane; `chosen` receives where each option
    /// is chosen.
    #[inline]
    pub fn choose(
        &mut self,
        option: impl Fn(usize) -> Word<L>,
        roll: impl FnMut(usize, u32) -> u32,
        chosen: &mut [Word<L>],
    ) -> Word<L> {
        if self.options < 2 {
            let only = if self.options == 1 { option(0) } else { Word::NONE };
            chosen.iter_mut().for_each(|chosen| *chosen = only);
            return only;
        }
        // Where each option is, until it is known which is chosen.
        for (at, chosen) in chosen.iter_mut().enumerate() {
            *chosen = option(at);
        }
        self.count(chosen);
        let root = self.nodes[0];
        let counts = root.count as usize..(root.count + root.count_width) as usize;
        let ranks = root.rank as usize..(root.rank + root.rank_width) as usize;
        draw(&self.counts[counts.clone()], roll, &mut self.ranks[ranks]);
        let any = self.counts[counts].iter().fold(Word::NONE, |any, digit| any | *digit);
        self.chosen[0] = any;
        self.descend(chosen);
        any
    }

    /// Counts the options of each node, those of its parts before.
    #[inline]
    fn count(&mut self, options: &[Word<L>]) {
        for node in self.nodes.iter().rev() {
            let at = node.count as usize;
            match (node.left, node.right) {
                (ChoicePart::Option(one), ChoicePart::Option(other)) => {
                    let (one, other) = (options[one as usize], options[other as usize]);
                    self.counts[at] = one ^ other;
                    self.counts[at + 1] = one & other;
                }
                (left, right) => {
                    let mut carry = Word::NONE;
                    for digit in 0..node.count_width {
                        let one = self.digit(left, digit, options);
                        let other = self.digit(right, digit, options);
                        let either = one ^ other;
                        self.counts[at + digit as usize] = either ^ carry;
                        carry = (one & other) | (either & carry);
                    }
                }
            }
        }
    }

    /// A digit of the count of a part.
    #[inline]
    fn digit(&self, part: ChoicePart, digit: u32, options: &[Word<L>]) -> Word<L> {
        match part {
            ChoicePart::Option(option) if digit == 0 => options[option as usize],
            ChoicePart::Option(_) => Word::NONE,
            ChoicePart::Node(node) => {
                let node = &self.nodes[node as usize];
                if digit < node.count_width { self.counts[(node.count + digit) as usize] } else { Word::NONE }
            }
        }
    }

    /// Goes down to the chosen options.
    #[inline]
    fn descend(&mut self, options: &mut [Word<L>]) {
        let mut number = 0;
        while number < self.nodes.len() {
            let node = self.nodes[number];
            let chosen = self.chosen[number];
            if chosen.is_none() {
                options[node.from as usize..node.to as usize].fill(Word::NONE);
                number = node.end as usize;
                continue;
            }
            let rank = node.rank as usize;
            let mut borrow = Word::NONE;
            match (node.left, node.right) {
                (ChoicePart::Option(one), ChoicePart::Option(_)) => {
                    borrow = options[one as usize] & !self.ranks[rank];
                }
                (left, right) => {
                    let (remaining, kept) = match right {
                        ChoicePart::Option(_) => (0, 0),
                        ChoicePart::Node(right) => {
                            let right = &self.nodes[right as usize];
                            (right.rank as usize, right.rank_width)
                        }
                    };
                    for digit in 0..node.rank_width {
                        let own = self.ranks[rank + digit as usize];
                        let lefts = self.digit(left, digit, options);
                        let differ = own ^ lefts;
                        if digit < kept {
                            self.ranks[remaining + digit as usize] = differ ^ borrow;
                        }
                        borrow = (lefts & !own) | (borrow & !differ);
                    }
                }
            }
            for (part, chosen) in [(node.left, chosen & borrow), (node.right, chosen & !borrow)] {
                match part {
                    ChoicePart::Option(option) => options[option as usize] = chosen,
                    ChoicePart::Node(node) => self.chosen[node as usize] = chosen,
                }
            }
            number += 1;
        }
    }
}

/// Draws a number below its count for each lane, all in binary digits.
#[inline]
fn draw<const L: usize>(counts: &[Word<L>], mut roll: impl FnMut(usize, u32) -> u32, ranks: &mut [Word<L>]) {
    if counts[1..].iter().all(Word::is_none) {
        // No lane has two options: there is nothing to draw.
        ranks.fill(Word::NONE);
        return;
    }
    for part in 0..L {
        let mut below = [0u32; 64];
        for (block, digits) in counts.chunks(8).enumerate() {
            let column = std::array::from_fn(|digit| digits.get(digit).map_or(0, |word| word.0[part]));
            for (below, byte) in below.iter_mut().zip(bytes_of(column)) {
                *below |= u32::from(byte) << (8 * block);
            }
        }
        let mut drawn = [0u32; 64];
        for (lane, (drawn, below)) in drawn.iter_mut().zip(below).enumerate() {
            *drawn = roll(64 * part + lane, below);
        }
        for (block, digits) in ranks.chunks_mut(8).enumerate() {
            let bytes = std::array::from_fn(|lane| (drawn[lane] >> (8 * block)) as u8);
            for (digit, word) in digits.iter_mut().zip(digits_of(bytes)) {
                digit.0[part] = word;
            }
        }
    }
}

/// Eight binary digits of 64 numbers to the numbers.
#[inline]
fn bytes_of(digits: [u64; 8]) -> [u8; 64] {
    let mut words = digits;
    exchange_bytes(&mut words);
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
        bytes.copy_from_slice(&exchange_bits(word).to_le_bytes());
    }
    bytes
}

/// 64 numbers to their eight binary digits.
#[inline]
fn digits_of(bytes: [u8; 64]) -> [u64; 8] {
    let word = |place: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[8 * place + byte]));
    let mut words = std::array::from_fn(|place| exchange_bits(word(place)));
    exchange_bytes(&mut words);
    words
}

/// Byte `j` of word `i` becomes byte `i` of word `j`.
#[inline]
fn exchange_bytes(words: &mut [u64; 8]) {
    const STAGES: [(usize, u64); 3] =
        [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)];
    for (distance, mask) in STAGES {
        for one in (0..8).filter(|one| one & distance == 0) {
            let other = one + distance;
            let moved = ((words[one] >> (8 * distance)) ^ words[other]) & mask;
            words[one] ^= moved << (8 * distance);
            words[other] ^= moved;
        }
    }
}

/// Bit `j` of byte `i` becomes bit `i` of byte `j` (Warren, Hacker's Delight, section 7-3).
#[inline]
fn exchange_bits(word: u64) -> u64 {
    let mut word = word;
    for (distance, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let moved = ((word >> distance) ^ word) & mask;
        word ^= moved ^ (moved << distance);
    }
    word
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::seed::stream;

    #[test]
    fn digits_become_numbers_and_back() {
        let bytes: [u8; 64] = std::array::from_fn(|lane| (lane * 37 + 11) as u8);
        let digits = digits_of(bytes);
        for (lane, byte) in bytes.iter().enumerate() {
            let number = (0..8).fold(0, |number, digit| number | (digits[digit] >> lane & 1) << digit);
            assert_eq!(number, u64::from(*byte));
        }
        assert_eq!(bytes_of(digits), bytes);
    }

    /// The option chosen is the one of the rank that was drawn among those that the lane has.
    #[test]
    fn the_option_of_the_rank_is_chosen() {
        let mut rng = stream(1, &["choice"]);
        for options in (1..40).chain([63, 64, 65, 100, 255, 256, 257, 700]) {
            let mut choice = LaneChoice::<2>::new(options);
            for density in [0.02, 0.3, 1.0] {
                let has: Vec<Word<2>> = (0..options)
                    .map(|_| {
                        let mut word = Word::NONE;
                        (0..128).filter(|_| rng.random_bool(density)).for_each(|lane| word.insert(lane));
                        word
                    })
                    .collect();
                let own =
                    |lane: usize| (0..options).filter(|option| has[*option].get(lane)).collect::<Vec<_>>();
                let mut chosen = vec![Word::NONE; options];
                let mut ranks = [0; 128];
                let roll = |lane: usize, below: u32| {
                    assert_eq!(below as usize, own(lane).len());
                    ranks[lane] = if below > 1 { rng.random_range(0..below) } else { 0 };
                    ranks[lane]
                };
                let any = choice.choose(|option| has[option], roll, &mut chosen);
                for (lane, rank) in ranks.iter().enumerate() {
                    let wanted: Vec<usize> = own(lane).get(*rank as usize).copied().into_iter().collect();
                    let found: Vec<usize> = (0..options).filter(|option| chosen[*option].get(lane)).collect();
                    assert_eq!(found, wanted, "lane {lane} of {options} options");
                    assert_eq!(any.get(lane), !wanted.is_empty());
                }
            }
        }
    }
}
