//! Actions and their outcomes to deeds: an action with what comes of it, which has one successor in each situation.
//!
//! Whoever speaks of actions alone needs no deeds: the number of an action is that of the deed in which the first of its
//! outcomes comes, or the only thing that there is to come.

use racgen_logic::term::Term;

use crate::simulate::theory::named_atoms::NamedAtoms;

/// The deeds of a layout.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// All outcomes, in the order of their terms.
    pub outcomes: Vec<Term>,
    /// By action, its outcomes, ascending; none where only one thing can come of it.
    of: Vec<Vec<usize>>,
    /// The deeds that are no action's number: action and outcome.
    further: Vec<(usize, usize)>,
}

impl Deeds {
    /// Those of some actions, which are in the order of their terms.
    pub(crate) fn new(names: &NamedAtoms, actions: &[Term]) -> Deeds {
        let named = names.predicate("outcome", 2).map(|(term, _)| (&term.args()[0], &term.args()[1]));
        let named: Vec<(usize, &Term)> = named
            .filter_map(|(action, outcome)| Some((actions.binary_search(action).ok()?, outcome)))
            .collect();
        let mut outcomes: Vec<Term> = named.iter().map(|(_, outcome)| (*outcome).clone()).collect();
        outcomes.sort_unstable();
        outcomes.dedup();
        if outcomes.is_empty() {
            return Deeds::default();
        }
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); actions.len()];
        for (action, outcome) in named {
            of[action].extend(outcomes.binary_search(outcome));
        }
        of.iter_mut().for_each(|own| own.sort_unstable());
        let all = of.iter().enumerate();
        let further = all.flat_map(|(action, own)| own.iter().skip(1).map(move |outcome| (action, *outcome)));
        let further = further.collect();
        Deeds { outcomes, of, further }
    }

    /// Has any action several outcomes?
    pub fn are_open(&self) -> bool {
        !self.further.is_empty()
    }

    /// The action of a deed.
    pub fn action_of(&self, deed: usize) -> usize {
        self.parts(deed).0
    }

    /// The outcome that comes of it, by its place among all outcomes, where there are any to come.
    pub fn outcome_of(&self, deed: usize) -> Option<usize> {
        self.parts(deed).1
    }

    /// Both.
    pub fn parts(&self, deed: usize) -> (usize, Option<usize>) {
        match (self.of.get(deed), deed.checked_sub(self.of.len())) {
            (Some(own), _) => (deed, own.first().copied()),
            (None, Some(place)) if place < self.further.len() => {
                let (action, outcome) = self.further[place];
                (action, Some(outcome))
            }
            _ => (deed, None),
        }
    }

    /// The deeds of an action, one for each of its outcomes, that of the first outcome first.
    pub fn of(&self, action: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.further.partition_point(|(other, _)| *other < action);
        let own = self.further[first..].iter().take_while(move |(other, _)| *other == action).count();
        std::iter::once(action).chain((first..first + own).map(|place| self.of.len() + place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deed_is_an_action_with_an_outcome() {
        let term = |text: &str| text.parse::<Term>().unwrap();
        let named = ["outcome(b,slips)", "outcome(b,grips)", "outcome(c,stains)", "outcome(c,grips)"];
        let named: Vec<(Term, Option<u32>)> = named.iter().map(|text| (term(text), None)).collect();
        let actions = ["a", "b", "c", "d"].map(term);
        let deeds = Deeds::new(&NamedAtoms::new(&named), &actions);
        assert_eq!(deeds.outcomes, ["grips", "slips", "stains"].map(term));
        let all: Vec<Vec<usize>> = (0..4).map(|action| deeds.of(action).collect()).collect();
        assert_eq!(all, [vec![0], vec![1, 4], vec![2, 5], vec![3]]);
        let parts: Vec<(usize, Option<usize>)> = (0..6).map(|deed| deeds.parts(deed)).collect();
        let grips = Some(0);
        assert_eq!(parts, [(0, None), (1, grips), (2, grips), (3, None), (1, Some(1)), (2, Some(2))]);
    }

    #[test]
    fn without_outcomes_deeds_are_actions() {
        let deeds = Deeds::default();
        assert!(!deeds.are_open());
        assert_eq!((deeds.parts(7), deeds.of(7).collect::<Vec<_>>()), ((7, None), vec![7]));
    }
}
