//! Two rule sets to how well their rules match one by one, up to the names of variables.
//!
//! Two rules with the same head predicate are as similar as the largest share of body atoms, of all that
//! either has, that a renaming of variables makes equal; the heads must become equal, too. Rules are then paired
//! off, the most similar first (a greedy pairing, so with many near ties the sum may be below the best one).

use serde::Serialize;

use crate::rules::datalog::syntax::{Arg, Atom, Rule};

/// How two rule sets match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RuleMatch {
    /// Original rules that are learned exactly, up to renaming.
    pub exact: usize,
    /// Sum of similarities by number of learned rules; 1 if there are none on either side.
    pub precision: f64,
    /// Sum of similarities by number of original rules; 1 if there are none on either side.
    pub recall: f64,
    /// Twice the sum by the number of all rules.
    pub score: f64,
}

/// Renamings tried for one pair of rules; the best found so far counts beyond.
const MOST_TRIES: u32 = 20_000;

/// Matches learned rules with original ones.
pub fn match_rules(original: &[Rule], learned: &[Rule]) -> RuleMatch {
    if original.is_empty() && learned.is_empty() {
        return RuleMatch { exact: 0, precision: 1.0, recall: 1.0, score: 1.0 };
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, ours) in original.iter().enumerate() {
        for (j, theirs) in learned.iter().enumerate() {
            let similarity = similarity(ours, theirs);
            if similarity > 0.0 {
                pairs.push((similarity, i, j));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut used, mut taken) = (vec![false; original.len()], vec![false; learned.len()]);
    let (mut sum, mut exact) = (0.0, 0);
    for (similarity, i, j) in pairs {
        if !used[i] && !taken[j] {
            (used[i], taken[j]) = (true, true);
            sum += similarity;
            exact += usize::from(similarity == 1.0);
        }
    }
    let share = |count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
    RuleMatch {
        exact,
        precision: share(learned.len()),
        recall: share(original.len()),
        score: 2.0 * share(original.len() + learned.len()),
    }
}

/// 0 to 1; 1 exactly for rules that are equal up to renaming (and the order of their bodies).
pub fn similarity(ours: &Rule, theirs: &Rule) -> f64 {
    let mut renaming = Renaming { to: Vec::new(), tries: 0 };
    if ours.head.predicate != theirs.head.predicate || !renaming.unify(&ours.head, &theirs.head) {
        return 0.0;
    }
    let mut taken = vec![false; theirs.body.len()];
    let mut best = 0;
    renaming.extend(&ours.body, &theirs.body, &mut taken, 0, &mut best);
    let all = ours.body.len() + theirs.body.len() - best;
    if all == 0 { 1.0 } else { best as f64 / all as f64 }
}

/// A one-to-one map between the variables of two rules.
struct Renaming {
    to: Vec<(u32, u32)>,
    tries: u32,
}

impl Renaming {
    /// Extends the map so that the atoms become equal; otherwise leaves it as it was.
    fn unify(&mut self, ours: &Atom, theirs: &Atom) -> bool {
        let before = self.to.len();
        let equal = ours.predicate == theirs.predicate
            && ours.args.len() == theirs.args.len()
            && ours.args.iter().zip(&theirs.args).all(|(a, b)| match (a, b) {
                (Arg::Constant(a), Arg::Constant(b)) => a == b,
                (Arg::Variable(a), Arg::Variable(b)) => {
                    match self.to.iter().find(|(from, to)| from == a || to == b) {
                        Some(known) => known == &(*a, *b),
                        None => {
                            self.to.push((*a, *b));
                            true
                        }
                    }
                }
                _ => false,
            });
        if !equal {
            self.to.truncate(before);
        }
        equal
    }

    fn extend(
        &mut self,
        ours: &[Atom],
        theirs: &[Atom],
        taken: &mut [bool],
        matched: usize,
        best: &mut usize,
    ) {
        *best = (*best).max(matched);
        self.tries += 1;
        let Some((first, rest)) = ours.split_first() else { return };
        if matched + ours.len() <= *best || self.tries > MOST_TRIES {
            return;
        }
        for (number, atom) in theirs.iter().enumerate() {
            let before = self.to.len();
            if !taken[number] && self.unify(first, atom) {
                taken[number] = true;
                self.extend(rest, theirs, taken, matched + 1, best);
                taken[number] = false;
                self.to.truncate(before);
            }
        }
        self.extend(rest, theirs, taken, matched, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::datalog::reader::{Syntax, read_rules};
    use crate::rules::datalog::syntax::Vocabulary;

    fn rules(text: &str, vocabulary: &mut Vocabulary) -> Vec<Rule> {
        let read = read_rules(text, "r", Syntax::Auto, vocabulary).expect("rules");
        read.into_iter().map(|read| read.rule).collect()
    }

    #[test]
    fn names_and_order_do_not_matter() {
        let mut vocabulary = Vocabulary::default();
        for (ours, theirs, expected) in [
            ("p(X,Y) :- q(X,Z),r(Z,Y).", "p(B,A) :- r(C,A),q(B,C).", 1.0),
            ("p(X,Y) :- q(X,Z),r(Z,Y).", "p(X,Y) :- q(X,Z),r(Y,Z).", 1.0 / 3.0),
            ("p(X,Y) :- q(X,Z),r(Z,Y).", "p(X,Y) :- q(X,Z),r(Z,Y),q(X,X).", 2.0 / 3.0),
            ("p(X,Y) :- q(X,Y).", "p(X,X) :- q(X,X).", 0.0),
            ("p(X,Y) :- q(X,Y).", "r(X,Y) :- q(X,Y).", 0.0),
            ("p(X,Y) :- q(X,Z),q(Z,Y).", "p(X,Y) :- q(Z,Y),q(X,Z).", 1.0),
            ("p(X,Y) :- q(X,Y),r(X,a).", "p(X,Y) :- q(X,Y),r(X,b).", 1.0 / 3.0),
        ] {
            let (ours, theirs) = (rules(ours, &mut vocabulary), rules(theirs, &mut vocabulary));
            assert_eq!(similarity(&ours[0], &theirs[0]), expected, "{ours:?} {theirs:?}");
            assert_eq!(similarity(&theirs[0], &ours[0]), expected, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn rules_are_paired_off_once() {
        let mut vocabulary = Vocabulary::default();
        let ours = rules("p(X) :- q(X). p(X) :- r(X).", &mut vocabulary);
        let theirs = rules("p(X) :- q(X). p(Y) :- q(Y). p(X) :- q(X),r(X).", &mut vocabulary);
        let found = match_rules(&ours, &theirs);
        assert_eq!((found.exact, found.precision, found.recall), (1, 0.5, 0.75));
        assert_eq!(found.score, 0.6);
        assert_eq!(match_rules(&[], &[]).score, 1.0);
        assert_eq!(match_rules(&ours, &[]), RuleMatch::default());
    }
}
