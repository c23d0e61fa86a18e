//! A rationale to what it leaves out: a fluent on which the answer rests and which it should have stated.

use racgen_logic::term::Term;

use crate::language::read::rationale_parser::{Claim, Steps};
use crate::language::tell::rationale::FEW;
use crate::simulate::situation::{BitSet, Situation};

/// What an answer rests on.
#[derive(Debug, Default)]
pub(crate) struct Rests {
    /// The fluents; none where that is not known.
    pub(crate) premises: Option<BitSet>,
    /// Is it a yes or a no?
    pub(crate) verify: bool,
    /// Is it asked whether an action changes a fluent?
    pub(crate) changes: bool,
}

/// What a line may say of a fluent.
#[derive(Clone, Copy, PartialEq)]
enum Stated {
    True,
    False,
    Gained,
    Lost,
}

impl Rests {
    /// What a rationale leaves out of a story that passes these situations, in words; none if nothing.
    pub(crate) fn left_out(
        &self,
        steps: &Steps,
        text: &str,
        fluents: &[Term],
        passed: &[Situation],
    ) -> Option<String> {
        let premises = self.premises.as_ref()?;
        let lines: Vec<Vec<Claim>> = text.lines().map(|line| steps.read(line).unwrap_or_default()).collect();
        let actions = passed.len() - 1;
        let ends = usize::from(actions > 0 && !self.changes);
        // The start, a line for each action, the situation asked about, and the answer.
        if lines.len() != 1 + actions + ends + 1 {
            return Some(format!("it has {} lines, where {} are due", lines.len(), 2 + actions + ends));
        }
        let due = |line: usize| match line {
            0 => self.state(premises, &passed[0]),
            step if step <= actions => change(premises, &passed[step - 1], &passed[step]),
            _ => self.state(premises, &passed[actions]),
        };
        let left_out = |line: usize| {
            let missing = due(line).into_iter().find(|(what, f)| !says(&lines[line], *what, &fluents[*f]));
            missing.map(|(_, f)| {
                format!("line {} leaves out `{}`, on which the answer rests", line + 1, fluents[f])
            })
        };
        (0..1 + actions + ends).find_map(left_out)
    }

    /// What is to be said of a situation: the premises that are true, and where they are few, those that are not.
    fn state(&self, premises: &BitSet, here: &Situation) -> Vec<(Stated, usize)> {
        let few = self.verify && premises.iter().count() <= FEW;
        let all = premises.iter().map(|f| (if here.contains(f) { Stated::True } else { Stated::False }, f));
        all.filter(|(what, _)| few || *what == Stated::True).collect()
    }
}

/// What is to be said of an action: which premises it changes.
fn change(premises: &BitSet, before: &Situation, after: &Situation) -> Vec<(Stated, usize)> {
    let changed = premises.iter().filter(|f| before.contains(*f) != after.contains(*f));
    changed.map(|f| (if after.contains(f) { Stated::Gained } else { Stated::Lost }, f)).collect()
}

fn says(claims: &[Claim], what: Stated, fluent: &Term) -> bool {
    claims.iter().any(|claim| {
        let terms = match (claim, what) {
            (Claim::True(terms), Stated::True)
            | (Claim::False(terms), Stated::False)
            | (Claim::Gained(terms), Stated::Gained)
            | (Claim::Lost(terms), Stated::Lost) => terms,
            _ => return false,
        };
        terms.iter().any(|term| fits(term, fluent))
    })
}

/// Is this the term, but for places that its wording leaves open?
pub(crate) fn fits(open: &Term, term: &Term) -> bool {
    open == term
        || open.is(term.functor(), term.args().len())
            && open.args().iter().zip(term.args()).all(|(a, b)| a.is("_", 0) || a == b)
}
