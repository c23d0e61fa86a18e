//! A rationale to what it leaves out: something without which its answer cannot be seen.
//!
//! What a rationale states of a fluent, it must keep up: the fluent at the start and in the situation asked about, where
//! it is true there, and each change in between. What is known then of the situation asked about, together with the static
//! facts that are cited, must make the answer certain.

use racgen_logic::term::Term;

use crate::language::read::rationale_parser::Claim;
use crate::language::reasons::support::{AskedSituation, Input, Reasons};
use crate::language::tell::course::Ending;
use crate::simulate::situation::Situation;

/// What an answer rests on.
pub(crate) enum Rests<'r> {
    /// On how the truth of these fluents changes.
    Followed(Vec<usize>),
    /// On what the rules derive it from in the situation at the end.
    Rules {
        reasons: &'r Reasons,
        question: usize,
        supposed: Option<usize>,
        /// The static facts of the layout, and of each the first that is told as it is; none where none is told.
        facts: &'r [(Term, Option<usize>)],
    },
}

/// What a line may say of a fluent.
#[derive(Clone, Copy, PartialEq)]
enum Stated {
    True,
    Gained,
    Lost,
}

/// A rationale that was read.
pub(crate) struct ReadRationale<'t> {
    pub(crate) lines: Vec<Vec<Claim>>,
    pub(crate) fluents: &'t [Term],
    /// The situations that it passes.
    pub(crate) passed: &'t [Situation],
    /// What it has to say of the last of them.
    pub(crate) ending: &'t Ending,
    /// Does it say something of other courses of events?
    pub(crate) is_compared: bool,
    /// How much it has to say beside the course of events.
    pub(crate) remarks: usize,
}

impl ReadRationale<'_> {
    /// What it leaves out of what an answer rests on, in words; none if nothing. Nothing is looked for where it is not known
    /// on what the answer rests.
    pub(crate) fn left_out(&self, rests: &[Rests]) -> Option<String> {
        if rests.is_empty() {
            return None;
        }
        let ReadRationale { lines, fluents, passed, .. } = self;
        let actions = passed.len() - 1;
        let ends = usize::from(actions > 0 && *self.ending != Ending::Untold);
        let compared = usize::from(self.is_compared) + self.remarks;
        // The start, a line for each action, the situation asked about, other courses, and the answer.
        if lines.len() != 1 + actions + ends + compared + 1 {
            let due = 2 + actions + ends + compared;
            return Some(format!("it has {} lines, where {due} are due", lines.len()));
        }
        let followed = |fluent: usize| {
            rests.iter().any(|rest| matches!(rest, Rests::Followed(all) if all.contains(&fluent)))
        };
        let stated: Vec<usize> = (0..fluents.len())
            .filter(|f| followed(*f) || lines.iter().any(|l| names(l, &fluents[*f])))
            .collect();
        let missing = (0..1 + actions + ends).find_map(|line| {
            let due = self.due(line, &stated);
            let missing = due.into_iter().find(|(what, f)| !says(&lines[line], *what, &fluents[*f]));
            missing.map(|(_, f)| format!("line {} leaves out `{}`, of which it speaks", line + 1, fluents[f]))
        });
        missing.or_else(|| rests.iter().find_map(|rest| self.unseen(rest, &stated)))
    }

    /// Why the answer cannot be seen from what is stated, in words.
    fn unseen(&self, rest: &Rests, stated: &[usize]) -> Option<String> {
        let Rests::Rules { reasons, question, supposed, facts } = rest else { return None };
        let ReadRationale { lines, passed, .. } = self;
        let here = &passed[passed.len() - 1];
        let end = &lines[lines.len() - 2 - usize::from(self.is_compared) - self.remarks];
        let nothing_else = end.contains(&Claim::NothingElse);
        let never = |fluent: usize| !passed.iter().any(|situation| situation.contains(fluent));
        let cited = |fact: usize| {
            let told = |(term, told): &(Term, Option<usize>)| {
                *told == Some(fact)
                    && lines.iter().flatten().any(|claim| match claim {
                        Claim::Facts(cited) => cited.iter().any(|c| fits(c, term)),
                        _ => false,
                    })
            };
            facts.iter().any(told)
        };
        let is_known = |input: Input| match input {
            Input::Fluent(fluent) => stated.contains(&fluent) || nothing_else && never(fluent),
            Input::Fact(fact) => cited(fact),
            Input::Unsaid(_) | Input::Action(_) | Input::Declared => true,
        };
        let suffices = reasons.suffices(*question, AskedSituation { here, supposed: *supposed }, is_known);
        (suffices == Some(false)).then(|| "the answer does not follow from what it states".to_owned())
    }

    /// What a line has to say of the fluents of which the rationale speaks.
    fn due(&self, line: usize, stated: &[usize]) -> Vec<(Stated, usize)> {
        let passed = self.passed;
        let actions = passed.len() - 1;
        if line > 0 && line <= actions {
            let (before, after) = (&passed[line - 1], &passed[line]);
            let changed = stated.iter().filter(|f| before.contains(**f) != after.contains(**f));
            return changed
                .map(|f| (if after.contains(*f) { Stated::Gained } else { Stated::Lost }, *f))
                .collect();
        }
        let here = &passed[line.min(actions)];
        let is_due = |fluent: &&usize| match self.ending {
            Ending::Of(all) if line > actions => all.contains(*fluent),
            _ => true,
        };
        let all = stated.iter().filter(is_due).filter(|f| here.contains(**f));
        all.map(|f| (Stated::True, *f)).collect()
    }
}

/// Does a line speak of a fluent?
fn names(claims: &[Claim], fluent: &Term) -> bool {
    let terms = claims.iter().flat_map(|claim| match claim {
        Claim::True(terms)
        | Claim::False(terms)
        | Claim::Why(terms)
        | Claim::Gained(terms)
        | Claim::Lost(terms) => &terms[..],
        _ => &[],
    });
    terms.into_iter().any(|term| fits(term, fluent))
}

fn says(claims: &[Claim], what: Stated, fluent: &Term) -> bool {
    claims.iter().any(|claim| {
        let terms = match (claim, what) {
            (Claim::True(terms), Stated::True)
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
