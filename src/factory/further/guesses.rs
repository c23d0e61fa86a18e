//! Actions and what a question names besides to guesses at its answer that look at names alone.
//!
//! Where such a guess is right, a question is called plain, so that it is for half of the questions that are asked.

use std::collections::BTreeSet;

use racgen_logic::term::Term;

/// The constants that terms name.
fn named(terms: &[&Term]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for term in terms {
        term.constants(&mut |name| {
            all.insert(name.to_owned());
        });
    }
    all
}

/// By action, how many of its objects others name.
fn shared(actions: &[&Term], others: &[&Term]) -> Vec<usize> {
    let known = named(others);
    actions.iter().map(|action| named(&[action]).intersection(&known).count()).collect()
}

/// Do others name all objects of an action?
pub(super) fn names_all(action: &Term, others: &[&Term]) -> bool {
    named(&[action]).is_subset(&named(others))
}

/// The first of the actions of whose objects others name the most.
pub(super) fn shares_most(actions: &[&Term], others: &[&Term]) -> Option<usize> {
    let counts = shared(actions, others);
    counts.iter().position(|count| Some(count) == counts.iter().max())
}

/// By action, how often the others name one of its objects.
pub(super) fn linked(actions: &[&Term]) -> Vec<usize> {
    let named: Vec<BTreeSet<String>> = actions.iter().map(|action| named(&[action])).collect();
    let shared = |one: usize, other: usize| {
        if one == other { 0 } else { named[one].intersection(&named[other]).count() }
    };
    (0..named.len()).map(|one| (0..named.len()).map(|other| shared(one, other)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_go_by_names() {
        let terms: Vec<Term> =
            ["put(a,b)", "take(c)", "put(d,e)"].iter().map(|term| term.parse().unwrap()).collect();
        let actions: Vec<&Term> = terms.iter().collect();
        let facts: [Term; 2] = ["on(d,e)".parse().unwrap(), "clear(a)".parse().unwrap()];
        let facts: Vec<&Term> = facts.iter().collect();
        assert_eq!((shares_most(&actions, &facts), linked(&actions)), (Some(2), vec![0, 0, 0]));
        assert!(names_all(actions[2], &facts) && !names_all(actions[0], &facts));
    }
}
