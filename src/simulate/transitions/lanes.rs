//! Situations to lanes of a circuit, and truth values in lanes back to sets.

use racgen_logic::evaluate::lanes::{LaneValues, Word, transpose};

use crate::simulate::situation::BitSet;
use crate::simulate::theory::named_atoms::AtomPlace;

/// Gives each atom that is open the truth values it has in the sets, the first set in the first lane.
pub(crate) fn load<const L: usize>(values: &mut LaneValues<L>, places: &[AtomPlace], sets: &[&BitSet]) {
    for (block, places) in places.chunks(64).enumerate() {
        let columns: [[u64; 64]; L] = std::array::from_fn(|part| {
            let mut rows: [u64; 64] = std::array::from_fn(|lane| {
                sets.get(64 * part + lane).and_then(|set| set.words().get(block)).copied().unwrap_or(0)
            });
            transpose(&mut rows);
            rows
        });
        for (number, place) in places.iter().enumerate() {
            if let AtomPlace::Atom(atom) = place {
                values.set(*atom, Word(std::array::from_fn(|part| columns[part][number])));
            }
        }
    }
}

/// For each of the first lanes, the numbers below `size` that `word` says are in its set.
pub(crate) fn unload<const L: usize>(
    lanes: usize,
    size: usize,
    word: impl FnMut(usize) -> Word<L>,
) -> Vec<BitSet> {
    let (mut words, width) = (Vec::new(), size.div_ceil(64));
    unload_words(lanes, size, word, &mut words);
    let of_lane = |lane: usize| BitSet::of_words(words[lane * width..(lane + 1) * width].to_vec());
    (0..lanes).map(of_lane).collect()
}

/// As [`unload`], but adds the words of the sets to others, one set after the other.
pub(crate) fn unload_words<const L: usize>(
    lanes: usize,
    size: usize,
    mut word: impl FnMut(usize) -> Word<L>,
    words: &mut Vec<u64>,
) {
    let (width, first) = (size.div_ceil(64), words.len());
    words.resize(first + lanes * width, 0);
    for block in 0..width {
        let mut columns = [[0u64; 64]; L];
        for (number, at) in (64 * block..size.min(64 * (block + 1))).enumerate() {
            let word = word(at);
            columns.iter_mut().zip(word.0).for_each(|(column, part)| column[number] = part);
        }
        columns.iter_mut().for_each(transpose);
        for lane in 0..lanes {
            words[first + lane * width + block] = columns[lane / 64][lane % 64];
        }
    }
}

/// Where what stands at a place is true.
pub(crate) fn truth<const L: usize>(values: &LaneValues<L>, place: AtomPlace) -> Word<L> {
    match place {
        AtomPlace::Always => Word::ALL,
        AtomPlace::Never => Word::NONE,
        AtomPlace::Atom(atom) => values.get(atom),
    }
}
