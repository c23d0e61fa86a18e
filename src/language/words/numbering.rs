//! Fluents and actions to the numbers that a generic text calls them by.

use std::sync::Arc;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::simulate::theory::action_theory::Condition;

/// The numbers of fluents, or of actions, and the order in which a text lists them.
pub struct Numbering {
    numbers: Vec<Option<Arc<str>>>,
    pub(crate) order: Vec<usize>,
    pub(crate) rank: Vec<usize>,
}

impl Numbering {
    /// Numbers from the pool for these things, in a random order.
    pub(crate) fn new(
        count: usize,
        mut order: Vec<usize>,
        pool: &mut impl Iterator<Item = Arc<str>>,
        rng: &mut ChaCha8Rng,
    ) -> Numbering {
        let mut numbers = vec![None; count];
        order.shuffle(rng);
        order.iter().for_each(|thing| numbers[*thing] = pool.next());
        order.shuffle(rng);
        let mut rank = vec![usize::MAX; count];
        order.iter().enumerate().for_each(|(r, thing)| rank[*thing] = r);
        Numbering { numbers, order, rank }
    }

    /// What is numbered and its number, in the order of the text.
    pub fn listed(&self) -> impl Iterator<Item = (usize, Arc<str>)> + '_ {
        self.order.iter().filter_map(|thing| Some((*thing, self.numbers[*thing].clone()?)))
    }

    /// The number of a thing.
    pub(crate) fn text(&self, thing: usize) -> &str {
        self.numbers[thing].as_deref().unwrap_or("")
    }

    /// `131, 557, 209`, in the order of the text.
    pub(crate) fn list(&self, things: impl IntoIterator<Item = usize>) -> String {
        let mut things: Vec<usize> = things.into_iter().collect();
        things.sort_by_key(|thing| self.rank[*thing]);
        things.iter().map(|thing| self.text(*thing)).collect::<Vec<_>>().join(", ")
    }

    /// `131, -557`.
    pub(crate) fn conditions<'c>(&self, conditions: impl IntoIterator<Item = &'c Condition>) -> String {
        let mut conditions: Vec<&Condition> = conditions.into_iter().collect();
        conditions.sort_by_key(|c| self.rank[c.fluent]);
        let text = |c: &Condition| format!("{}{}", if c.value { "" } else { "-" }, self.text(c.fluent));
        conditions.into_iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

/// What fluents and actions are called in one story, and who acts.
pub struct Numbers {
    /// Of the fluents.
    pub fluents: Numbering,
    /// Of the actions that may be executable.
    pub actions: Numbering,
    pub(crate) person: String,
}
