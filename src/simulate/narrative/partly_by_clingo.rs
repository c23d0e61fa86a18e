//! What a story tells in part, and a question about it, to clingo's own answer, given all of its completions.

use std::collections::BTreeMap;
use std::time::Duration;

use racgen_logic::clingo::{Program, Source};
use racgen_logic::error::LogicError;
use racgen_logic::term::Term;

use crate::simulate::narrative::family_program::{DERIVED, constants, sources};
use crate::simulate::narrative::undefined::UNANSWERABLE;
use crate::simulate::search::goal::NEGATION;

/// What is told of a story.
#[derive(Clone, Debug, Default)]
pub struct PartFacts {
    /// The fluents that are stated of the initial situation wherever they are true there.
    pub complete: Vec<Term>,
    /// Those of them that are stated.
    pub stated: Vec<Term>,
    /// The actions; none in place of one that is not told.
    pub plan: Vec<Option<Term>>,
    /// Did one of them not take place?
    pub one_failed: bool,
}

/// One of the completions of a story.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoryWay {
    /// What is true at first.
    pub initial: Vec<Term>,
    /// What is true at the end.
    pub end: Vec<Term>,
    /// What can be done there.
    pub can: Vec<Term>,
    /// The action that is not told.
    pub untold: Option<Term>,
    /// The number of the action that did not take place.
    pub failed: Option<i32>,
}

/// What clingo says of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartAnswer {
    /// `verify`, `count` or `other`.
    pub kind: String,
    /// The answer.
    pub answer: Term,
}

impl PartFacts {
    /// What is told, as atoms.
    pub fn terms(&self) -> Vec<Term> {
        let about = |name: &'static str, all: &[Term]| {
            all.iter().map(|fluent| Term::function(name, vec![fluent.clone()])).collect::<Vec<Term>>()
        };
        let mut terms = about("complete", &self.complete);
        terms.extend(about("stated", &self.stated));
        for (step, action) in self.plan.iter().enumerate() {
            let step = Term::Number(step as i32 + 1);
            terms.push(match action {
                Some(action) => Term::function("told_action", vec![step, action.clone()]),
                None => Term::function("untold", vec![step]),
            });
        }
        terms.extend(self.one_failed.then(|| Term::constant("one_failed")));
        terms
    }

    pub(super) fn text(&self) -> String {
        self.terms().iter().map(|term| format!("{term}.\n")).collect()
    }
}

/// An initial situation that the text on it allows and the told actions rule out, which is `other`: the first such one, and the
/// action that cannot be carried out. None where all that are other are possible. `ways` finds all completions of what is told.
///
/// # Errors
/// Those of `ways`.
pub fn ruled_out<E>(
    facts: &PartFacts,
    ways: &mut dyn FnMut(&PartFacts) -> Result<Vec<StoryWay>, E>,
    other: &dyn Fn(&StoryWay) -> bool,
) -> Result<Option<(StoryWay, Term)>, E> {
    let mut after = |count: usize| {
        let first = PartFacts { plan: facts.plan[..count].to_vec(), ..facts.clone() };
        ways(&first)
    };
    let starts = after(0)?;
    let Some(start) = starts.into_iter().find(|start| other(start)) else { return Ok(None) };
    for (number, action) in facts.plan.iter().enumerate() {
        let is_left = after(number + 1)?.iter().any(|way| way.initial == start.initial);
        if let (false, Some(action)) = (is_left, action) {
            return Ok(Some((start, action.clone())));
        }
    }
    Ok(None)
}

/// Of a story of which one told action did not take place, the numbers of those that did, as a later one would be impossible without them,
/// each with the first such. `ways` finds all completions of what is told.
///
/// # Errors
/// Those of `ways`.
pub fn failures_ruled_out<E>(
    facts: &PartFacts,
    ways: &mut dyn FnMut(&PartFacts) -> Result<Vec<StoryWay>, E>,
) -> Result<Vec<(i32, Term)>, E> {
    let mut found: Vec<(i32, Term)> = Vec::new();
    for count in 2..=facts.plan.len() {
        let first = PartFacts { plan: facts.plan[..count].to_vec(), ..facts.clone() };
        let left = ways(&first)?;
        let Some(last) = &facts.plan[count - 1] else { continue };
        for step in 1..count as i32 {
            let is_known = found.iter().any(|(known, _)| *known == step);
            if !is_known && !left.iter().any(|way| way.failed == Some(step)) {
                found.push((step, last.clone()));
            }
        }
    }
    Ok(found)
}

/// The fluent of a literal, and whether it is true.
fn fact(literal: &Term) -> (&Term, bool) {
    match literal.args() {
        [fluent] if literal.is(NEGATION, 1) => (fluent, false),
        _ => (literal, true),
    }
}

/// The answer to a question of a group, given the completions of a story and the literals that the question lists; none if it
/// is not asked.
///
/// # Errors
/// Solver failures; rules that give two answers to one question.
pub fn answer(
    (group, question): (&str, &Term),
    ways: &[StoryWay],
    listed: &[Term],
    limit: Duration,
) -> Result<Option<PartAnswer>, LogicError> {
    let mut text = format!("wanted({question}).\n");
    // Of many completions only what the question may be about.
    let listed: Vec<(&Term, bool)> = listed.iter().map(fact).collect();
    let wanted: Vec<&Term> = question.args().iter().chain(listed.iter().map(|(fluent, _)| *fluent)).collect();
    for (number, way) in ways.iter().enumerate() {
        text += &format!("way({number}).\n");
        let named = |all: &[Term], name: &str| {
            let all = all.iter().filter(|term| wanted.contains(term));
            all.map(|term| format!("{name}({number},{term}).\n")).collect::<String>()
        };
        text += &named(&way.end, "true_in");
        text += &named(&way.can, "can_in");
        text += &named(&way.initial, "first_in");
        text += &way.untold.iter().map(|a| format!("done_in({number},{a}).\n")).collect::<String>();
        text += &way.failed.iter().map(|i| format!("failed_in({number},{i}).\n")).collect::<String>();
    }
    for (fluent, truth) in &listed {
        text += &format!("{}({fluent}).\n", if *truth { "listed" } else { "denied" });
    }
    let mut all = sources(group);
    all.push(Source::new("the completions", text));
    let program = Program { sources: all, parts: vec![], constants: constants(1) };
    let found = program.search(DERIVED, None, limit)?.enumerate(2)?;
    let fault = |message: String| LogicError::Program { place: format!("asp/{group}.lp"), message };
    let [only] = found.as_slice() else {
        return Err(fault(format!("`{question}` has {} answer sets", found.len())));
    };
    let own = |name: &'static str| {
        let all = only.iter().filter(move |term| term.is(name, 2) && term.args()[0] == *question);
        all.map(|term| term.args()[1].clone()).collect::<Vec<Term>>()
    };
    match (own("ask").as_slice(), own("answer").as_slice()) {
        ([], _) => Ok(None),
        ([kind], [answer]) => {
            Ok(Some(PartAnswer { kind: kind.functor().to_owned(), answer: answer.clone() }))
        }
        (_, answers) => Err(fault(format!("`{question}` has {} answers", answers.len()))),
    }
}

/// What a family's question is answered with that holds in all completions, in none, and in some: by family of the group,
/// given as questions with a placeholder, which `true_in` and `can_in` are about.
///
/// # Errors
/// As [`answer`].
pub fn modal_answers(
    group: &str,
    questions: &[Term],
    limit: Duration,
) -> Result<BTreeMap<String, [Term; 3]>, LogicError> {
    let mut found = BTreeMap::new();
    for question in questions {
        let things = question.args().to_vec();
        let with =
            StoryWay { initial: things.clone(), end: things.clone(), can: things, ..StoryWay::default() };
        let without = StoryWay::default();
        let mut cases = Vec::new();
        for ways in [vec![with.clone()], vec![without.clone()], vec![without, with]] {
            cases.extend(answer((group, question), &ways, &[], limit)?.map(|found| found.answer));
        }
        if let Ok(cases) = <[Term; 3]>::try_from(cases) {
            found.insert(question.functor().to_owned(), cases);
        }
    }
    Ok(found)
}

/// An answer of these groups as texts have it.
pub fn said(answer: &Term) -> String {
    match answer.functor() {
        UNANSWERABLE => "cannot be answered".to_owned(),
        "undecided" => "cannot be determined".to_owned(),
        "surely_not" => "surely not".to_owned(),
        _ => answer.to_string(),
    }
}
