//! A story whose actions have several outcomes to those courses of outcomes that show an answer: two that differ, or one where
//! all agree.

use std::collections::BTreeSet;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::domain::embedded::axioms;
use crate::simulate::narrative::cases::{CourseStep, Shown, ShownCase, Supposed};
use crate::simulate::narrative::partly_by_clingo::PartFacts;

/// The most courses that are listed.
const MOST_COURSES: usize = 400;

/// A course of outcomes along which each told action can be carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoryCourse {
    /// What is true at each time.
    pub passed: Vec<BTreeSet<Term>>,
    /// The steps whose actions have several outcomes, counted from 0.
    pub open: BTreeSet<usize>,
}

impl PartFacts {
    /// All courses of outcomes, in order. `program` is that of what is so in every situation of the layout, for stories of as many
    /// actions.
    ///
    /// # Errors
    /// Solver failures; more courses than a question may have.
    pub fn courses(&self, mut program: Program, limit: Duration) -> Result<Vec<StoryCourse>, LogicError> {
        program.sources.push(axioms("partly.lp"));
        program.sources.push(Source::new("the told part of the story", self.text()));
        let found =
            program.search(&[("holds", 2), ("may_come", 2)], None, limit)?.enumerate(MOST_COURSES + 1)?;
        if found.len() > MOST_COURSES {
            let message = format!("the story has more than {MOST_COURSES} courses of outcomes");
            return Err(LogicError::Program { place: "asp/outcomes.lp".into(), message });
        }
        let mut courses: Vec<StoryCourse> =
            found.iter().map(|atoms| course(atoms, self.plan.len())).collect();
        courses.sort_unstable();
        courses.dedup();
        Ok(courses)
    }
}

fn course(atoms: &[Term], steps: usize) -> StoryCourse {
    let mut passed = vec![BTreeSet::new(); steps + 1];
    let mut outcomes = vec![0; steps];
    for atom in atoms {
        let [what, Term::Number(time)] = atom.args() else { continue };
        let time = *time as usize;
        if atom.is("may_come", 2) {
            outcomes.get_mut(time).into_iter().for_each(|count| *count += 1);
        } else if !what.is("neg", 1) {
            passed.get_mut(time).into_iter().for_each(|all| {
                all.insert(what.clone());
            });
        }
    }
    let open = outcomes.iter().enumerate().filter(|(_, count)| **count > 1);
    StoryCourse { passed, open: open.map(|(step, _)| step).collect() }
}

/// The courses that show whether a fluent is sure, or possible, at the end of a plan: the first in which it is true there and
/// the first in which it is not. Of each step is told what changes of that and of all else that the courses differ in, as far
/// as it can be said.
pub fn shown_courses(
    fluent: &Term,
    plan: &[Option<Term>],
    courses: &[StoryCourse],
    is_said: &dyn Fn(&Term) -> bool,
) -> Vec<ShownCase> {
    let mut matters = BTreeSet::from([fluent.clone()]);
    for time in 0..=plan.len() {
        let Some(first) = courses.first().map(|course| &course.passed[time]) else { break };
        for course in &courses[1..] {
            let differ = first.symmetric_difference(&course.passed[time]);
            matters.extend(differ.filter(|fluent| is_said(fluent)).cloned());
        }
    }
    let case = |course: &StoryCourse| {
        let step = |(number, action): (usize, &Option<Term>)| {
            let (here, next) = (&course.passed[number], &course.passed[number + 1]);
            let changed = |from: &BTreeSet<Term>, to: &BTreeSet<Term>| -> Vec<Term> {
                to.difference(from).filter(|fluent| matters.contains(fluent)).cloned().collect()
            };
            let (gained, lost) = (changed(here, next), changed(next, here));
            let is_told = course.open.contains(&number) || !gained.is_empty() || !lost.is_empty();
            Some(CourseStep { action: action.clone()?, gained, lost }).filter(|_| is_told)
        };
        let steps = plan.iter().enumerate().filter_map(step).collect();
        let is_so = course.passed.last().is_some_and(|end| end.contains(fluent));
        let shown = Shown::Facts(vec![fluent.clone()], is_so);
        (is_so, ShownCase { supposed: Supposed::Course(steps), shown })
    };
    let all: Vec<(bool, ShownCase)> = courses.iter().map(case).collect();
    let first = |wanted: bool| all.iter().find(|(is_so, _)| *is_so == wanted).map(|(_, case)| case.clone());
    first(true).into_iter().chain(first(false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(texts: &[&str]) -> BTreeSet<Term> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn courses_tell_what_they_differ_in() {
        let term = |text: &str| text.parse::<Term>().unwrap();
        let plan = [Some(term("pick(b)")), Some(term("wave")), Some(term("paint(c)"))];
        let course = |two: &[&str], three: &[&str], four: &[&str]| StoryCourse {
            passed: [&["lies(b)", "lies(c)"][..], two, three, four].map(terms).to_vec(),
            open: BTreeSet::from([0]),
        };
        let slips = ["lies(b)", "lies(c)"];
        let painted = ["lies(b)", "lies(c)", "red(c)"];
        let courses =
            [course(&["lies(c)"], &["lies(c)"], &["lies(c)", "red(c)"]), course(&slips, &slips, &painted)];
        let found = shown_courses(&term("lies(b)"), &plan, &courses, &|_| true);
        let case = |lost: &[&str], yes: bool| {
            let lost = lost.iter().map(|text| term(text)).collect();
            let step = CourseStep { action: term("pick(b)"), gained: Vec::new(), lost };
            let shown = Shown::Facts(vec![term("lies(b)")], yes);
            ShownCase { supposed: Supposed::Course(vec![step]), shown }
        };
        assert_eq!(found, [case(&[], true), case(&["lies(b)"], false)]);
        // Where all agree, one shows it; what it differs from others in is told, but not what all have.
        let found = shown_courses(&term("red(c)"), &plan, &courses, &|_| true);
        assert_eq!(found.len(), 1);
        let Supposed::Course(steps) = &found[0].supposed else { panic!("a course") };
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[1].gained, [term("red(c)")]);
    }
}
