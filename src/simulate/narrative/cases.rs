//! The completions of a story that is told in part to those cases that show an answer: of what is hidden each explanation, of
//! what is unknown two that differ, or one where all agree.

use racgen_logic::term::Term;

use crate::simulate::narrative::partly_by_clingo::StoryWay;
use crate::simulate::search::goal::NEGATION;

/// What may have been so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Supposed {
    /// The action that is not told is this one.
    Action(Term),
    /// The action of this number did not take place.
    Failed(i32),
    /// Of what the text leaves out, this is true at first.
    Facts(Vec<Term>),
    /// This came of the actions that are told.
    Course(Vec<CourseStep>),
}

/// What came of an action in a course of outcomes, as far as it matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CourseStep {
    /// The action.
    pub action: Term,
    /// What it made true.
    pub gained: Vec<Term>,
    /// What it made false.
    pub lost: Vec<Term>,
}

/// What comes of it at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// These are true, or these are false.
    Facts(Vec<Term>, bool),
    /// All that is observed is true.
    AllObserved,
    /// This can be carried out, or it cannot.
    Action(Term, bool),
    /// All told actions are possible when they come.
    Possible,
    /// This one of them is not.
    Impossible(Term),
}

/// A case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCase {
    /// What may have been so.
    pub supposed: Supposed,
    /// What comes of it.
    pub shown: Shown,
}

/// The cases that show the answer to a question; `is_open` tells which facts the text may leave out.
pub fn shown_cases(
    question: &Term,
    answer: &Term,
    ways: &[StoryWay],
    is_open: &dyn Fn(&Term) -> bool,
) -> Vec<ShownCase> {
    let facts = |way: &StoryWay| {
        let open = way.initial.iter().filter(|fact| is_open(fact));
        Supposed::Facts(open.cloned().collect())
    };
    match (question.functor(), question.args()) {
        ("possible", [fluent]) => {
            let case = |way: &StoryWay| ShownCase {
                supposed: facts(way),
                shown: Shown::Facts(vec![fluent.clone()], way.end.contains(fluent)),
            };
            differing(ways, &|way| way.end.contains(fluent)).into_iter().map(case).collect()
        }
        ("safe", [action]) => {
            let case = |way: &StoryWay| ShownCase {
                supposed: facts(way),
                shown: Shown::Action(action.clone(), way.can.contains(action)),
            };
            differing(ways, &|way| way.can.contains(action)).into_iter().map(case).collect()
        }
        ("settles", [fluent, _]) => {
            let case = |way: &StoryWay| ShownCase {
                supposed: facts(way),
                shown: Shown::Facts(vec![fluent.clone()], way.end.contains(fluent)),
            };
            differing(ways, &|way| way.initial.contains(answer)).into_iter().map(case).collect()
        }
        (_, [listed]) => {
            let case = |way: &StoryWay| {
                let supposed = Supposed::Action(way.untold.clone()?);
                Some(ShownCase { supposed, shown: missed(listed.args(), &way.end) })
            };
            ways.iter().filter_map(case).collect()
        }
        _ => Vec::new(),
    }
}

/// The cases that show which told action did not take place, in the order of these: each of them, with what it does not account for of
/// what is observed, or with the action that it makes impossible.
pub fn failed_cases(observed: &[Term], ways: &[StoryWay], ruled_out: &[(i32, Term)]) -> Vec<ShownCase> {
    let left = ways.iter().filter_map(|way| Some((way.failed?, missed(observed, &way.end))));
    let others = ruled_out.iter().map(|(step, action)| (*step, Shown::Impossible(action.clone())));
    let mut cases: Vec<(i32, Shown)> = left.chain(others).collect();
    cases.sort_by_key(|(step, _)| *step);
    cases.into_iter().map(|(step, shown)| ShownCase { supposed: Supposed::Failed(step), shown }).collect()
}

/// What is observed and not so at an end: facts that are false there, or else such as are true and should not be.
fn missed(observed: &[Term], end: &[Term]) -> Shown {
    let (denied, stated): (Vec<&Term>, Vec<&Term>) = observed.iter().partition(|one| one.is(NEGATION, 1));
    let lacking: Vec<Term> = stated.into_iter().filter(|fact| !end.contains(fact)).cloned().collect();
    if !lacking.is_empty() {
        return Shown::Facts(lacking, false);
    }
    let denied = denied.into_iter().flat_map(Term::args);
    let present: Vec<Term> = denied.filter(|fact| end.contains(fact)).cloned().collect();
    if present.is_empty() { Shown::AllObserved } else { Shown::Facts(present, true) }
}

/// The cases that show whether a fluent was true at first: two in which it is, and is not, or one and another that an action
/// rules out.
pub fn first_cases(
    fluent: &Term,
    ways: &[StoryWay],
    ruled_out: Option<&(StoryWay, Term)>,
    is_open: &dyn Fn(&Term) -> bool,
) -> Vec<ShownCase> {
    let case = |way: &StoryWay, shown: Shown| {
        let open = way.initial.iter().filter(|fact| is_open(fact));
        ShownCase { supposed: Supposed::Facts(open.cloned().collect()), shown }
    };
    let fitting = differing(ways, &|way| way.initial.contains(fluent));
    let fitting = fitting.into_iter().map(|way| case(way, Shown::Possible));
    fitting.chain(ruled_out.map(|(way, action)| case(way, Shown::Impossible(action.clone())))).collect()
}

/// Tells initial situations in which a fluent is otherwise than in all of some ways; none where these differ.
pub fn otherwise(fluent: &Term, ways: &[StoryWay]) -> impl Fn(&StoryWay) -> bool {
    let held: Vec<bool> = ways.iter().map(|way| way.initial.contains(fluent)).collect();
    let all = held.first().copied().filter(|first| held.iter().all(|one| one == first));
    move |start| all.is_some_and(|all| start.initial.contains(fluent) != all)
}

/// The first way in which something is so and the first in which it is not; the first of all where all agree.
fn differing<'w>(ways: &'w [StoryWay], is_so: &dyn Fn(&StoryWay) -> bool) -> Vec<&'w StoryWay> {
    let with = ways.iter().find(|way| is_so(way));
    with.into_iter().chain(ways.iter().find(|way| !is_so(way))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(texts: &[&str]) -> Vec<Term> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn cases_differ_where_the_answer_is_open() {
        let way = |initial: &[&str], end: &[&str]| StoryWay {
            initial: terms(initial),
            end: terms(end),
            ..StoryWay::default()
        };
        let ways = [way(&["at(a)", "red"], &["on"]), way(&["at(b)", "red"], &[])];
        let question: Term = "possible(on)".parse().unwrap();
        let is_open = |term: &Term| term.is("at", 1);
        let found = shown_cases(&question, &Term::constant("undecided"), &ways, &is_open);
        let case = |fact: &str, yes: bool| ShownCase {
            supposed: Supposed::Facts(terms(&[fact])),
            shown: Shown::Facts(terms(&["on"]), yes),
        };
        assert_eq!(found, [case("at(a)", true), case("at(b)", false)]);
        let alike = shown_cases(&question, &Term::constant("no"), &ways[1..], &is_open);
        assert_eq!(alike, [case("at(b)", false)]);
    }

    #[test]
    fn what_was_so_at_first_is_shown_by_what_it_rules_out() {
        let way = |initial: &[&str]| StoryWay { initial: terms(initial), ..StoryWay::default() };
        let (one, other) = (way(&["at(a)", "red"]), way(&["at(b)", "red"]));
        let is_open = |term: &Term| term.is("at", 1);
        let case = |fact: &str, shown: Shown| ShownCase { supposed: Supposed::Facts(terms(&[fact])), shown };
        let asked: Term = "at(a)".parse().unwrap();
        let open = first_cases(&asked, &[one.clone(), other.clone()], None, &is_open);
        assert_eq!(open, [case("at(a)", Shown::Possible), case("at(b)", Shown::Possible)]);
        let go = Term::constant("go");
        let settled = first_cases(&asked, &[one], Some(&(other, go.clone())), &is_open);
        assert_eq!(settled, [case("at(a)", Shown::Possible), case("at(b)", Shown::Impossible(go))]);
    }

    #[test]
    fn each_action_is_shown_with_what_its_failure_does_not_account_for() {
        let way = |failed: i32, end: &[&str]| StoryWay {
            end: terms(end),
            failed: Some(failed),
            ..StoryWay::default()
        };
        let ways = [way(4, &["a", "b", "c"]), way(1, &["a"]), way(2, &["a", "b"])];
        let go = Term::constant("go");
        let found = failed_cases(&terms(&["a", "b", "neg(c)"]), &ways, &[(3, go.clone())]);
        let case = |step: i32, shown: Shown| ShownCase { supposed: Supposed::Failed(step), shown };
        let shown = [
            case(1, Shown::Facts(terms(&["b"]), false)),
            case(2, Shown::AllObserved),
            case(3, Shown::Impossible(go)),
            case(4, Shown::Facts(terms(&["c"]), true)),
        ];
        assert_eq!(found, shown);
    }
}
