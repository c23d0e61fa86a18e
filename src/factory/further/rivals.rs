//! Questions to those that go with them, so that how their answers look tells nothing.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::offers::{OfferedQuestion, Rivalry};

/// Questions of a cell by how what is right and its rivals look.
pub(super) struct Rivals<'o> {
    sides: HashMap<u64, BTreeMap<u64, Vec<&'o OfferedQuestion>>>,
    /// How many have an answer that looks like its rivals.
    by_themselves: usize,
}

impl<'o> Rivals<'o> {
    /// Of these questions.
    pub(super) fn of(offers: &'o [OfferedQuestion]) -> Rivals<'o> {
        let mut sides: HashMap<u64, BTreeMap<u64, Vec<&OfferedQuestion>>> = HashMap::default();
        let mut by_themselves = 0;
        for offer in offers {
            match offer.rivalry {
                Some(Rivalry { between, side: Some(side) }) => {
                    sides.entry(between).or_default().entry(side).or_default().push(offer);
                }
                Some(Rivalry { side: None, .. }) => by_themselves += 1,
                None => {}
            }
        }
        Rivals { sides, by_themselves }
    }

    /// How many questions there are at least that can be asked so.
    pub(super) fn count(&self) -> usize {
        let in_pairs = self.sides.values().map(BTreeMap::len).filter(|sides| *sides > 1).sum::<usize>();
        in_pairs + self.by_themselves
    }

    /// The questions with one of which it has to be asked, so that looks tell nothing; none where it may be asked by itself.
    pub(super) fn mates(&self, offer: &OfferedQuestion) -> Option<impl Iterator<Item = &'o OfferedQuestion>> {
        let Rivalry { between, side } = offer.rivalry?;
        let own = side?;
        let others = self.sides.get(&between).into_iter().flatten().filter(move |(side, _)| **side != own);
        Some(others.flat_map(|(_, offers)| offers.iter().copied()))
    }

    /// Can it be asked, with another if need be?
    pub(super) fn may_ask(&self, offer: &OfferedQuestion) -> bool {
        self.mates(offer).is_none_or(|mut mates| mates.next().is_some())
    }
}

/// Of what looks alike as many questions of which the one of two rivals is right as such of which the other is, so that each has a
/// mate. Of those in which nothing is right as many at most.
pub(super) fn mated<T>(
    mut asked: Vec<T>,
    rivalry: impl Fn(&T) -> Option<Rivalry>,
    rng: &mut ChaCha8Rng,
) -> Vec<T> {
    asked.shuffle(rng);
    let side = |one: &T| rivalry(one).map(|rivalry| Some((rivalry.between, rivalry.side?)));
    let mut sides: HashMap<u64, BTreeMap<u64, usize>> = HashMap::default();
    for (between, side) in asked.iter().filter_map(|one| side(one)?) {
        *sides.entry(between).or_default().entry(side).or_default() += 1;
    }
    // Of one side alone there are none.
    let least =
        |all: &BTreeMap<u64, usize>| if all.len() < 2 { 0 } else { all.values().copied().min().unwrap_or(0) };
    for all in sides.values_mut() {
        let least = least(all);
        all.values_mut().for_each(|left| *left = least);
    }
    let by_itself = asked.iter().filter(|one| side(one) == Some(None)).count();
    let mut nothing = by_itself + sides.values().map(least).sum::<usize>();
    asked.retain(|one| {
        let left = match side(one) {
            Some(None) => return true,
            Some(Some((between, side))) => sides.get_mut(&between).and_then(|all| all.get_mut(&side)),
            None => Some(&mut nothing),
        };
        left.filter(|left| **left > 0).map(|left| *left -= 1).is_some()
    });
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_look_as_many_of_either_side_are_kept() {
        let side = |between, side| Some(Rivalry { between, side });
        let asked = vec![
            side(1, Some(1)),
            side(1, Some(1)),
            side(1, Some(0)),
            side(2, Some(1)),
            side(3, None),
            None,
            None,
            None,
        ];
        let mut rng = racgen_logic::seed::stream(1, &["rivals"]);
        let kept = mated(asked, |one| *one, &mut rng);
        let count = |one| kept.iter().filter(|other| **other == one).count();
        let of_first = [side(1, Some(1)), side(1, Some(0))].map(count);
        // What has no mate is left out; what looks like its rival needs none; nothing is right in no more than there are others.
        assert_eq!((of_first, count(side(2, Some(1))), count(side(3, None)), count(None)), ([1, 1], 0, 1, 2));
    }
}
