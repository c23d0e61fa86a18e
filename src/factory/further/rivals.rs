//! Questions that list things to choose from, to those that go with them, so that how things look tells nothing.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::offers::{OfferedQuestion, Rivalry};

/// Questions of a cell by how what is right and its rival look.
pub(super) struct Rivals<'o> {
    sides: HashMap<(u64, bool), Vec<&'o OfferedQuestion>>,
}

impl<'o> Rivals<'o> {
    /// Of these questions.
    pub(super) fn of(offers: &'o [OfferedQuestion]) -> Rivals<'o> {
        let mut sides: HashMap<(u64, bool), Vec<&OfferedQuestion>> = HashMap::default();
        for offer in offers {
            if let Some(Rivalry { between, first: Some(first) }) = offer.rivalry {
                sides.entry((between, first)).or_default().push(offer);
            }
        }
        Rivals { sides }
    }

    /// The questions with which one has to be asked, so that looks tell nothing; none where it may be asked by itself.
    pub(super) fn mates(&self, offer: &OfferedQuestion) -> Option<&[&'o OfferedQuestion]> {
        let Rivalry { between, first } = offer.rivalry?;
        Some(self.sides.get(&(between, !first?)).map_or(&[], Vec::as_slice))
    }

    /// Can it be asked, with another if need be?
    pub(super) fn may_ask(&self, offer: &OfferedQuestion) -> bool {
        self.mates(offer).is_none_or(|mates| !mates.is_empty())
    }
}

/// Of what looks alike as many questions of which the first of two rivals is right as such of which the second is, so that each has a
/// mate. Of those in which nothing is right as many at most.
pub(super) fn mated<T>(
    mut asked: Vec<T>,
    rivalry: impl Fn(&T) -> Option<Rivalry>,
    rng: &mut ChaCha8Rng,
) -> Vec<T> {
    asked.shuffle(rng);
    let side = |one: &T| rivalry(one).map(|rivalry| Some((rivalry.between, usize::from(rivalry.first?))));
    let mut sides: HashMap<u64, [usize; 2]> = HashMap::default();
    for (between, first) in asked.iter().filter_map(|one| side(one)?) {
        sides.entry(between).or_default()[first] += 1;
    }
    sides.values_mut().for_each(|[one, other]| (*one, *other) = ((*one).min(*other), (*one).min(*other)));
    let by_itself = asked.iter().filter(|one| side(one) == Some(None)).count();
    let mut nothing = by_itself + sides.values().map(|[one, _]| one).sum::<usize>();
    asked.retain(|one| {
        let left = match side(one) {
            Some(None) => return true,
            Some(Some((between, first))) => sides.get_mut(&between).map(|both| &mut both[first]),
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
        let side = |between, first| Some(Rivalry { between, first });
        let asked = vec![
            side(1, Some(true)),
            side(1, Some(true)),
            side(1, Some(false)),
            side(2, Some(true)),
            side(3, None),
            None,
            None,
            None,
        ];
        let mut rng = racgen_logic::seed::stream(1, &["rivals"]);
        let kept = mated(asked, |one| *one, &mut rng);
        let count = |one| kept.iter().filter(|other| **other == one).count();
        let of_first = [side(1, Some(true)), side(1, Some(false))].map(count);
        // What has no mate is left out; what looks like its rival needs none; nothing is right in no more than there are others.
        assert_eq!(
            (of_first, count(side(2, Some(true))), count(side(3, None)), count(None)),
            ([1, 1], 0, 1, 2)
        );
    }
}
