//! Numbered fluents and answers to the sets of those that hold.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    /// The empty set, with room for numbers below `size`.
    pub fn new(size: usize) -> BitSet {
        BitSet(vec![0; size.div_ceil(64)])
    }

    /// Some numbers below `size`.
    pub fn of<'n>(size: usize, numbers: impl IntoIterator<Item = &'n usize>) -> BitSet {
        let mut found = BitSet::new(size);
        numbers.into_iter().for_each(|number| found.insert(*number));
        found
    }

    /// The set whose numbers are the bits of the words: 64 of them in each, the lowest in the first.
    pub(crate) fn of_words(words: Vec<u64>) -> BitSet {
        BitSet(words)
    }

    /// The words of [`BitSet::of_words`].
    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    /// Takes out the numbers of another set.
    #[inline]
    pub fn take_out(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    /// Adds the numbers of another set, which has room for no others.
    #[inline]
    pub fn add(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    /// Takes out the numbers that another set lacks.
    #[inline]
    pub fn keep(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Is the number in the set?
    #[inline]
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The numbers that are in one of the two sets only.
    pub fn symmetric_difference(&self, other: &BitSet) -> BitSet {
        BitSet(self.0.iter().zip(&other.0).map(|(one, other)| one ^ other).collect())
    }

    /// The numbers that are in the other set as well.
    #[inline]
    pub fn intersection(&self, other: &BitSet) -> BitSet {
        BitSet(self.0.iter().zip(&other.0).map(|(one, other)| one & other).collect())
    }

    /// Is no number in the set?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Is any number in the other set as well?
    #[inline]
    pub fn meets(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| one & other != 0)
    }

    /// How many numbers are in the other set as well.
    #[inline]
    pub fn common(&self, other: &BitSet) -> usize {
        let mut count = 0;
        for (one, other) in self.0.iter().zip(&other.0) {
            count += (one & other).count_ones() as usize;
        }
        count
    }

    /// The numbers, ascending, as a list that is no longer than they are.
    pub(crate) fn listed(&self) -> Vec<usize> {
        let mut found = Vec::with_capacity(self.0.iter().map(|word| word.count_ones() as usize).sum());
        found.extend(self.iter());
        found
    }

    /// The numbers, ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        numbers(&self.0)
    }
}

/// The numbers of a set with these words, ascending.
#[inline]
pub(crate) fn numbers(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                i * 64 + bit
            })
        })
    })
}

/// The true fluents of a situation, as indices into [`fluents`](crate::simulate::transitions::compiled_layout::CompiledLayout::fluents).
pub type Situation = BitSet;

/// What may be asked and answered in one situation, as indices into [`answers`](crate::simulate::transitions::compiled_layout::CompiledLayout::answers); an answer that is
/// present implies that its question is.
pub type AnswerSheet = BitSet;

/// What a step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The situation reached.
    pub situation: Situation,
    /// The actions executable there.
    pub executable: Vec<usize>,
}
