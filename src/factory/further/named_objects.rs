//! The fluents and actions of a layout to the objects that they name, by numbers: very many plans are looked at for what they name.

use racgen_logic::term::Term;
use rustc_hash::FxHashMap as HashMap;

use crate::factory::further::proposals::Proposal;
use crate::simulate::search::goal::GoalFact;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// A part of a term, in the order in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TermPart {
    Constant(u32),
    /// A functor with its number of arguments.
    Function(u32, usize),
    Number(i32),
}

/// Terms in parts.
#[derive(Default)]
struct PartedTerms {
    parts: Vec<Vec<TermPart>>,
    places: HashMap<Vec<TermPart>, usize>,
    /// By term, its constants, each once.
    constants: Vec<Vec<u32>>,
}

/// What the fluents and actions of a layout name.
pub(super) struct NamedObjects {
    names: HashMap<String, u32>,
    fluents: PartedTerms,
    actions: PartedTerms,
}

impl NamedObjects {
    /// What those of a layout name.
    pub(super) fn of(engine: &TransitionSystem) -> NamedObjects {
        let mut names = HashMap::default();
        let fluents = PartedTerms::of(&engine.fluents, &mut names);
        let actions = PartedTerms::of(&engine.actions, &mut names);
        NamedObjects { names, fluents, actions }
    }

    /// Do the actions of a plan name all that its goal names?
    pub(super) fn names_goal(&self, proposal: &Proposal) -> bool {
        let mut wanted = proposal.goal.iter().flat_map(|(fluent, _)| &self.fluents.constants[*fluent]);
        wanted.all(|one| proposal.actions.iter().any(|action| self.actions.constants[*action].contains(one)))
    }

    /// Does an action name all objects of a fluent?
    pub(super) fn names_all(&self, action: usize, fluent: usize) -> bool {
        let (named, wanted) = (&self.actions.constants[action], &self.fluents.constants[fluent]);
        wanted.iter().all(|name| named.contains(name))
    }

    /// By action, how often the others name one of its objects.
    pub(super) fn linked(&self, actions: &[usize]) -> Vec<usize> {
        let of = |place: usize| &self.actions.constants[actions[place]];
        let shared =
            |one: usize, other: usize| of(one).iter().filter(|name| of(other).contains(name)).count();
        let all = 0..actions.len();
        all.clone()
            .map(|one| all.clone().filter(|other| *other != one).map(|other| shared(one, other)).sum())
            .collect()
    }

    /// A plan and its goal with two objects in each other's place; none where there is no such action or fluent.
    pub(super) fn exchanged(&self, proposal: &Proposal, one: &str, other: &str) -> Option<Proposal> {
        let two = [one, other].map(|name| self.names.get(name).copied());
        let actions = proposal.actions.iter().map(|action| self.actions.exchanged(*action, two));
        let goal = proposal.goal.iter();
        let goal = goal.map(|(fluent, truth)| Some((self.fluents.exchanged(*fluent, two)?, *truth)));
        let (actions, goal): (Option<Vec<usize>>, Option<Vec<GoalFact>>) =
            (actions.collect(), goal.collect());
        let mut goal = goal?;
        goal.sort_unstable();
        Some(Proposal { actions: actions?, goal })
    }
}

impl PartedTerms {
    fn of(terms: &[Term], names: &mut HashMap<String, u32>) -> PartedTerms {
        let mut found = PartedTerms::default();
        for (place, term) in terms.iter().enumerate() {
            let mut parts = Vec::new();
            parted(term, names, &mut parts);
            let constant =
                |part: &TermPart| if let TermPart::Constant(name) = part { Some(*name) } else { None };
            let mut constants: Vec<u32> = parts.iter().filter_map(constant).collect();
            constants.sort_unstable();
            constants.dedup();
            found.constants.push(constants);
            found.places.insert(parts.clone(), place);
            found.parts.push(parts);
        }
        found
    }

    /// A term with two names in each other's place; none where there is none such.
    fn exchanged(&self, term: usize, two: [Option<u32>; 2]) -> Option<usize> {
        let part = |part: &TermPart| match part {
            TermPart::Constant(name) if two[0] == Some(*name) => two[1].map(TermPart::Constant),
            TermPart::Constant(name) if two[1] == Some(*name) => two[0].map(TermPart::Constant),
            other => Some(*other),
        };
        let parts: Vec<TermPart> = self.parts[term].iter().map(part).collect::<Option<_>>()?;
        self.places.get(&parts).copied()
    }
}

/// Adds the parts of a term.
fn parted(term: &Term, names: &mut HashMap<String, u32>, parts: &mut Vec<TermPart>) {
    let mut number = |name: &str| {
        let next = names.len() as u32;
        *names.entry(name.to_owned()).or_insert(next)
    };
    match term {
        Term::Number(value) => parts.push(TermPart::Number(*value)),
        Term::Function(name, arguments) if arguments.is_empty() => {
            parts.push(TermPart::Constant(number(name)))
        }
        _ => {
            parts.push(TermPart::Function(number(term.functor()), term.args().len()));
            term.args().iter().for_each(|argument| parted(argument, names, parts));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted_terms(all: &[&str], names: &mut HashMap<String, u32>) -> PartedTerms {
        let mut terms: Vec<Term> = all.iter().map(|term| term.parse().unwrap()).collect();
        terms.sort_unstable();
        PartedTerms::of(&terms, names)
    }

    #[test]
    fn plans_are_compared_by_what_they_name() {
        let mut names = HashMap::default();
        // In order: clear(a), on(a,b), on(b,a), on(b,c); and put(a,b), put(b,a), put(b,c), take(c).
        let fluents = parted_terms(&["clear(a)", "on(a,b)", "on(b,a)", "on(b,c)"], &mut names);
        let actions = parted_terms(&["put(a,b)", "put(b,a)", "put(b,c)", "take(c)"], &mut names);
        let named = NamedObjects { names, fluents, actions };
        let plan =
            |actions: &[usize], fluent| Proposal { actions: actions.to_vec(), goal: vec![(fluent, true)] };
        assert!(named.names_goal(&plan(&[0, 3], 3)) && !named.names_goal(&plan(&[0], 3)));
        assert!(named.names_all(0, 2) && !named.names_all(0, 3));
        assert_eq!(named.linked(&[0, 2, 3]), [1, 2, 1]);
        assert_eq!(named.exchanged(&plan(&[0, 3], 1), "a", "b"), Some(plan(&[1, 3], 2)));
        // There is no clear(b), nor anything about d.
        assert_eq!(named.exchanged(&plan(&[0], 0), "a", "b"), None);
        assert_eq!(named.exchanged(&plan(&[0], 1), "a", "d"), None);
        assert_eq!(named.exchanged(&plan(&[3], 1), "d", "e"), Some(plan(&[3], 1)));
    }
}
