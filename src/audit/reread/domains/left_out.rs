//! A rationale to what it leaves out: something without which its answer cannot be seen.
//!
//! What a rationale states of a fluent, it must keep up: the fluent at the start and in the situation asked about, where
//! it is true there, and each change in between. What is known then of the situation asked about, together with the static
//! facts that are cited, must make the answer certain.

use racgen_logic::term::Term;

use crate::language::read::rationale_parser::{Claim, Steps};
use crate::language::reasons::support::{AskedSituation, Input, Reasons};
use crate::simulate::situation::Situation;

/// What an answer rests on.
#[derive(Default)]
pub(crate) enum Rests<'r> {
    /// That is not known.
    #[default]
    Unknown,
    /// On whether an action changes this fluent.
    Change(usize),
    /// On what the rules derive it from.
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

impl Rests<'_> {
    /// What a rationale leaves out of a story that passes these situations, in words; none if nothing.
    pub(crate) fn left_out(
        &self,
        steps: &Steps,
        text: &str,
        fluents: &[Term],
        passed: &[Situation],
    ) -> Option<String> {
        if matches!(self, Rests::Unknown) {
            return None;
        }
        let lines: Vec<Vec<Claim>> = text.lines().map(|line| steps.read(line).unwrap_or_default()).collect();
        let actions = passed.len() - 1;
        let ends = usize::from(actions > 0 && !matches!(self, Rests::Change(_)));
        // The start, a line for each action, the situation asked about, and the answer.
        if lines.len() != 1 + actions + ends + 1 {
            return Some(format!("it has {} lines, where {} are due", lines.len(), 2 + actions + ends));
        }
        let stated: Vec<usize> = match self {
            Rests::Change(fluent) => vec![*fluent],
            _ => (0..fluents.len()).filter(|f| lines.iter().any(|l| names(l, &fluents[*f]))).collect(),
        };
        let missing = (0..1 + actions + ends).find_map(|line| {
            let due = due(line, &stated, passed);
            let missing = due.into_iter().find(|(what, f)| !says(&lines[line], *what, &fluents[*f]));
            missing.map(|(_, f)| format!("line {} leaves out `{}`, of which it speaks", line + 1, fluents[f]))
        });
        missing.or_else(|| self.unseen(&lines, &stated, passed))
    }

    /// Why the answer cannot be seen from what is stated, in words.
    fn unseen(&self, lines: &[Vec<Claim>], stated: &[usize], passed: &[Situation]) -> Option<String> {
        let Rests::Rules { reasons, question, supposed, facts } = self else { return None };
        let here = &passed[passed.len() - 1];
        let end = &lines[lines.len() - 2];
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
}

/// What a line has to say of the fluents of which the rationale speaks.
fn due(line: usize, stated: &[usize], passed: &[Situation]) -> Vec<(Stated, usize)> {
    let actions = passed.len() - 1;
    if line > 0 && line <= actions {
        let (before, after) = (&passed[line - 1], &passed[line]);
        let changed = stated.iter().filter(|f| before.contains(**f) != after.contains(**f));
        return changed
            .map(|f| (if after.contains(*f) { Stated::Gained } else { Stated::Lost }, *f))
            .collect();
    }
    let here = &passed[line.min(actions)];
    stated.iter().filter(|f| here.contains(**f)).map(|f| (Stated::True, *f)).collect()
}

/// Does a line speak of a fluent?
fn names(claims: &[Claim], fluent: &Term) -> bool {
    let terms = claims.iter().flat_map(|claim| match claim {
        Claim::True(terms) | Claim::False(terms) | Claim::Gained(terms) | Claim::Lost(terms) => &terms[..],
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
