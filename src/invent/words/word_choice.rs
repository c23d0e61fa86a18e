//! Lists of words to those of one domain: each word once, whatever its form.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::invent::words::made_up::NAMES;
use crate::invent::words::verbs::VerbPhrase;
use crate::invent::words::vocabulary::NounWords;
use crate::invent::words::word_lists::{lists, noun};

/// Chooses words that were not chosen before.
pub(super) struct WordChoice<'r> {
    rng: &'r mut ChaCha8Rng,
    taken: Vec<String>,
    /// Names of persons that are left.
    persons: Vec<&'static str>,
    /// First letters of labels.
    letters: Vec<char>,
}

/// The words of an entry of the lists.
pub(super) fn tokens(written: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in written.split([' ', ',']).filter(|word| !["", "_", "a", "an"].contains(word)) {
        all.push(word.to_owned());
        if let Some(verb) = lists().verb(word) {
            all.extend([verb.third, verb.past, verb.participle]);
        }
    }
    all
}

/// Words that tell nothing apart: a domain may have them twice.
const SMALL: [&str; 14] =
    ["on", "off", "up", "with", "of", "both", "in", "out", "over", "down", "from", "to", "the", "at"];

impl<'r> WordChoice<'r> {
    /// Begins with no word.
    pub(super) fn new(rng: &'r mut ChaCha8Rng) -> WordChoice<'r> {
        let mut persons: Vec<&str> = lists().names.person.iter().map(String::as_str).collect();
        persons.shuffle(rng);
        WordChoice { rng, taken: Vec::new(), persons, letters: Vec::new() }
    }

    /// One of several; none of none.
    pub(super) fn any<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        (!all.is_empty()).then(|| &all[self.rng.random_range(0..all.len())])
    }

    /// Is this so once in so many times?
    pub(super) fn once_in(&mut self, times: u32) -> bool {
        self.rng.random_range(0..times) == 0
    }

    /// One of several of which no word was chosen before.
    pub(super) fn new_one<'t, T>(
        &mut self,
        all: impl IntoIterator<Item = &'t T>,
        written: impl Fn(&T) -> Vec<&str>,
    ) -> Option<&'t T> {
        let words = |entry: &T| written(entry).into_iter().flat_map(tokens).collect::<Vec<String>>();
        let is_free = |word: &String| SMALL.contains(&word.as_str()) || !self.taken.contains(word);
        let free: Vec<&T> = all.into_iter().filter(|entry| words(entry).iter().all(is_free)).collect();
        let chosen = *self.any(&free)?;
        self.taken.extend(words(chosen));
        Some(chosen)
    }

    /// A noun of a list.
    pub(super) fn noun<'t>(&mut self, all: impl IntoIterator<Item = &'t String>) -> Option<NounWords> {
        self.new_one(all, |written| vec![written.as_str()]).map(|written| noun(written))
    }

    /// A word of a list.
    pub(super) fn word<'t>(&mut self, all: impl IntoIterator<Item = &'t String>) -> Option<String> {
        self.new_one(all, |written| vec![written.as_str()]).cloned()
    }

    /// What is done, of a list.
    pub(super) fn phrase<'t>(&mut self, all: impl IntoIterator<Item = &'t String>) -> Option<VerbPhrase> {
        let written = self.new_one(all, |written| vec![written.as_str()])?;
        lists().phrase(written)
    }

    /// Are there enough names for one more type of persons?
    pub(super) fn has_persons(&self) -> bool {
        self.persons.len() >= NAMES
    }

    /// Names of things of a type: first names, or labels such as J14.
    pub(super) fn names(&mut self, of: &NounWords, are_persons: bool) -> Vec<String> {
        if are_persons && self.has_persons() {
            let rest = self.persons.len() - NAMES;
            return self.persons.drain(rest..).map(str::to_owned).collect();
        }
        let own = of.one.chars().map(|letter| letter.to_ascii_uppercase());
        // O looks like a zero, and I like a one.
        let free = |letter: &char| !self.letters.contains(letter) && !['O', 'I'].contains(letter);
        let letter = own.chain('A'..='Z').find(free).unwrap_or('X');
        self.letters.push(letter);
        let mut numbers: Vec<u32> = (11..=99).collect();
        numbers.shuffle(self.rng);
        numbers.into_iter().take(NAMES).map(|number| format!("{letter}{number}")).collect()
    }
}
