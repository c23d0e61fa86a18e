//! How far a group has sought twins of its stories that are told in part.

use std::collections::BTreeMap;

/// Of so many stories twins are sought in any case; then of as many more as it takes, while one of so many has some.
const TRIED: usize = 16;
const LEAST: usize = 16;

/// How far twins of one sort were sought.
#[derive(Default)]
pub(super) struct SoughtTwins {
    /// The first story of which none were sought.
    pub(super) next: usize,
    /// Did those of some stories give no questions that go together? Then others can do without.
    pub(super) in_vain: bool,
    /// By family, how many threes were asked that are told apart so.
    pub(super) threes: BTreeMap<usize, usize>,
    /// Of how many stories they were sought, and how many had some.
    tried: usize,
    found: usize,
}

impl SoughtTwins {
    /// Notes which of some stories have twins.
    pub(super) fn note(&mut self, have: impl Iterator<Item = bool>) {
        for has in have {
            self.tried += 1;
            self.found += usize::from(has);
        }
        self.in_vain |= self.tried >= TRIED && self.found * LEAST < self.tried;
    }
}
