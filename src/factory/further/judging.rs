//! A question beyond prediction with its answer to clingo's verdict on it.

use racgen_logic::term::Term;

use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{names, said, sayable};
use crate::factory::further::judging_searches::{PlanSearches, judge_search};
use crate::factory::further::offers::{
    ComposedPart, Given, OfferCell, OfferedQuestion, PartAsked, PartSubject, Subject,
};
use crate::factory::further::partly::told_fluents;
use crate::factory::further::search_families::SearchFamily;
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::error::SimulationError;
use crate::simulate::narrative::by_clingo::{StoryFacts, edited};
use crate::simulate::narrative::edits::{PlanEdit, replay};
use crate::simulate::narrative::joined::joined;
use crate::simulate::narrative::partly_by_clingo::{PartFacts, answer};
use crate::simulate::narrative::undefined::defined_answer;
use crate::simulate::search::goal;
use crate::simulate::situation::{BitSet, Situation};
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Has clingo answer a question of a story: that of a whole story from its situations, that of an edited one by running
/// it. The steps of the story itself are judged apart.
///
/// # Errors
/// [`SimulationError::Disagreement`].
pub(crate) fn judge(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    family: &FamilyPhrases,
    story: &Story,
    (cell, offer, question): (&OfferCell, &OfferedQuestion, &Term),
) -> Result<(), FactoryError> {
    let right = match &offer.subject {
        Subject::Partly(part) => judge_part(stage, lexicon, (&family.group, question), story, (part, offer))?,
        Subject::Edited(edit, asked) => judge_edited(stage, story, *edit, *asked, offer)?,
        Subject::Predicted(asked) => judge_predicted(stage, story, *asked, &offer.answer)?,
        Subject::Undefined(asked, stranger) => {
            let predicted = stranger.is_none().then_some(offer.class == 0);
            let right = match (stranger, offer.class) {
                (None, 0 | 1) => judge_predicted(stage, story, *asked, &offer.answer)?,
                (Some(_), 2) => true,
                _ => false,
            };
            let objects: Vec<&str> = stage.layout().objects.iter().map(|o| &*o.id).collect();
            let found = defined_answer(question, &objects, predicted, stage.limit());
            let found = found.map_err(SimulationError::from)?;
            right && found.is_some_and(|found| offer.answer == Given::Term(found))
        }
        _ => {
            let facts = facts(stage, lexicon, story, &offer.subject)?;
            let found =
                facts.answer(&family.group, question, stage.limit()).map_err(SimulationError::from)?;
            found.is_some_and(|found| {
                let since = found.decided.map(|time| story.plan.len() - time as usize);
                let given = terms(&stage.engine, &offer.answer);
                found.kind == cell.kind.name() && found.answers == given && since == offer.since
            })
        }
    };
    match right {
        true => Ok(()),
        false => Err(SimulationError::Disagreement { what: format!("the answer to `{question}`") }.into()),
    }
}

/// Has clingo answer a question that is made of others, and each of these.
///
/// # Errors
/// [`SimulationError::Disagreement`].
pub(crate) fn judge_composite(
    stage: &mut Simulator,
    searches: &mut PlanSearches,
    lexicon: &Lexicon,
    (families, story): (&[FamilyPhrases], &Story),
    (parts, offer, question): (&[ComposedPart], &OfferedQuestion, &Term),
) -> Result<(), FactoryError> {
    for (part, term) in parts.iter().zip(question.args()) {
        let cell =
            OfferCell { kind: Kind::Verify, family: part.family.unwrap_or_default(), detail: String::new() };
        let family = &families[cell.family];
        match SearchFamily::of(family).filter(|_| part.family.is_some()) {
            Some(search) => judge_search(stage, searches, story, (search, &part.offer, term))?,
            None => judge(stage, lexicon, family, story, (&cell, &part.offer, term))?,
        }
    }
    let answers: Vec<bool> = parts.iter().map(|part| part.offer.yes).collect();
    match joined(question, &answers, stage.limit()).map_err(SimulationError::from)? == Some(offer.yes) {
        true => Ok(()),
        false => Err(SimulationError::Disagreement { what: format!("the answer to `{question}`") }.into()),
    }
}

/// Does clingo answer a question of prediction so?
fn judge_predicted(
    stage: &mut Simulator,
    story: &Story,
    question: usize,
    answer: &Given,
) -> Result<bool, FactoryError> {
    let last = story.passed.last().unwrap_or(&story.initial);
    let Some((_, sheet)) = stage.engine.consider(last, None)? else { return Ok(false) };
    stage.engine.judge_sheet(last, None, &sheet)?;
    let engine = &stage.engine;
    let found = engine.questions[question].answers.clone().filter(|answer| sheet.contains(*answer));
    let found: Vec<Term> = found.map(|answer| engine.answers[answer].answer.clone()).collect();
    Ok(found == terms(engine, answer))
}

/// The terms of an answer, in order.
pub(super) fn terms(engine: &TransitionSystem, answer: &Given) -> Vec<Term> {
    let mut all: Vec<Term> = match answer {
        Given::Term(term) => vec![term.clone()],
        Given::Action(action) => vec![engine.actions[*action].clone()],
        Given::Fact(fact) => vec![goal::literal(fact, &engine.fluents)],
        Given::Fluents(all) => all.iter().map(|fluent| engine.fluents[*fluent].clone()).collect(),
        Given::Actions(all) | Given::Plan(all) => {
            all.iter().map(|action| engine.actions[*action].clone()).collect()
        }
        Given::Predicted(all) => all.iter().map(|answer| engine.answers[*answer].answer.clone()).collect(),
    };
    all.sort_unstable();
    all
}

/// The story as facts.
fn facts(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    story: &Story,
    subject: &Subject,
) -> Result<StoryFacts, FactoryError> {
    let said = said(stage.package, lexicon, &sayable(stage.package, lexicon, &stage.engine), None);
    let last = story.passed.last().unwrap_or(&story.initial);
    let can = stage.executable(&[last])?.remove(0);
    let next = match subject {
        Subject::Action(action) => stage.engine.step(last, *action)?.map(|outcome| outcome.situation),
        _ => None,
    };
    let engine = &stage.engine;
    let fluents = |situation: &Situation| {
        situation.iter().map(|fluent| engine.fluents[fluent].clone()).collect::<Vec<_>>()
    };
    let actions =
        |all: &[usize]| all.iter().map(|action| engine.actions[*action].clone()).collect::<Vec<_>>();
    let about = match subject {
        Subject::Object(object) => {
            let id = &stage.layout().objects[*object].id;
            let naming = engine.fluents.iter().filter(|fluent| names(fluent, id));
            naming.map(|fluent| (fluent.clone(), Term::constant(id))).collect()
        }
        _ => Vec::new(),
    };
    Ok(StoryFacts {
        passed: std::iter::once(&story.initial).chain(&story.passed).map(fluents).collect(),
        plan: actions(&story.plan),
        can: actions(&can),
        next: next.as_ref().map(fluents),
        said: fluents(&said),
        about,
        listed: if let Subject::Actions(listed) = subject { actions(listed) } else { Vec::new() },
    })
}

/// Does clingo come to the same end of an edited story, and to the same answer there?
fn judge_edited(
    stage: &mut Simulator,
    story: &Story,
    edit: PlanEdit,
    question: usize,
    offer: &OfferedQuestion,
) -> Result<bool, FactoryError> {
    let end = replay(&mut stage.engine, &[(&story.initial, edit.turns(&story.plan))])?.remove(0);
    let engine = &stage.engine;
    let start: Vec<Term> = story
        .initial
        .iter()
        .filter(|f| engine.inertial.contains(*f))
        .map(|f| engine.fluents[f].clone())
        .collect();
    let program = stage.layout().trajectory_program(stage.package, &start, story.plan.len());
    let plan: Vec<Term> = story.plan.iter().map(|action| engine.actions[*action].clone()).collect();
    let term = Term::function(edit.family(), edit.arguments(|action| engine.actions[action].clone()));
    let mut found = edited(program, &plan, &term, stage.limit()).map_err(SimulationError::from)?;
    found.sort_unstable();
    let mut here: Vec<Term> = end.iter().map(|fluent| engine.fluents[fluent].clone()).collect();
    here.sort_unstable();
    let Some((_, sheet)) = stage.engine.consider(&end, None)? else { return Ok(false) };
    stage.engine.judge_sheet(&end, None, &sheet)?;
    let answers: Vec<usize> =
        stage.engine.questions[question].answers.clone().filter(|answer| sheet.contains(*answer)).collect();
    Ok(found == here && offer.answer == Given::Predicted(answers))
}

/// Does clingo find as many completions of a story that is told in part, and the same answer from them?
fn judge_part(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    (group, question): (&str, &Term),
    story: &Story,
    (part, offer): (&PartSubject, &OfferedQuestion),
) -> Result<bool, FactoryError> {
    let (facts, _) = part_facts(stage, lexicon, story, part);
    let ways = stage.ways(&facts)?;
    let engine = &stage.engine;
    let listed: Vec<Term> = match &part.asked {
        PartAsked::Observed(literals) => goal::literals(literals, &engine.fluents),
        PartAsked::Settles(_, all) => all.iter().map(|f| engine.fluents[*f].clone()).collect(),
        _ => Vec::new(),
    };
    let found = answer((group, question), &ways, &listed, stage.limit()).map_err(SimulationError::from)?;
    let given = terms(engine, &offer.answer);
    Ok(ways.len() == part.completions && found.is_some_and(|found| given == [found.answer]))
}

/// What a story that is told in part tells, as clingo reads it, and the fluents that it may leave out.
pub(super) fn part_facts(
    stage: &Simulator,
    lexicon: &Lexicon,
    story: &Story,
    part: &PartSubject,
) -> (PartFacts, BitSet) {
    let engine = &stage.engine;
    let terms_of = |set: &BitSet| set.iter().map(|f| engine.fluents[f].clone()).collect::<Vec<Term>>();
    let mut complete = told_fluents(stage.package, &sayable(stage.package, lexicon, engine));
    let mut open = complete.clone();
    part.telling.left_out.iter().for_each(|object| complete.take_out(&stage.naming()[*object]));
    let one_failed = part.telling.is_whole() && matches!(part.asked, PartAsked::Observed(_));
    let step = |(step, action): (usize, &usize)| {
        (part.telling.untold != Some(step)).then(|| engine.actions[*action].clone())
    };
    let facts = PartFacts {
        stated: terms_of(&complete.intersection(&story.initial)),
        complete: terms_of(&complete),
        plan: story.plan.iter().enumerate().map(step).collect(),
        one_failed,
    };
    complete.iter().for_each(|fluent| open.remove(fluent));
    (facts, open)
}
