//! A question beyond prediction to the course of events by which its answer can be seen: the story, told with what matters to
//! the question, and whatever comes after it in thought.

use std::borrow::Cow;

use crate::domain::question_groups::{EXPLAINED, is_partly};
use crate::factory::error::FactoryError;
use crate::factory::further::gathering::{names, said, sayable};
use crate::factory::further::judging_searches::altered;
use crate::factory::further::offers::{Given, OfferedQuestion, SearchArgument, Subject};
use crate::factory::further::search_families::SearchFamily;
use crate::language::reasons::support::{AskedSituation, Support};
use crate::language::tell::course::{Comparison, CourseEvent, Ending, ToldCourse};
use crate::language::words::lexicon::Lexicon;
use crate::phrases::book::FamilyPhrases;
use crate::simulate::narrative::edits::PlanEdit;
use crate::simulate::search::costs::{CheapestWays, costs, kinds, prices};
use crate::simulate::search::goal::{GoalFact, is_met};
use crate::simulate::search::surroundings::Surroundings;
use crate::simulate::situation::Situation;
use crate::simulate::story::{Simulator, Story};
use crate::simulate::transitions::compiled_layout::Kind;
use racgen_logic::term::Term;

/// A course of events in the making.
pub(super) struct CourseBuilder<'t, 'p> {
    pub(super) stage: &'t mut Simulator<'p>,
    pub(super) lexicon: &'t Lexicon,
    pub(super) here: Situation,
    pub(super) course: ToldCourse<'static>,
}

/// The courses of events of a question: one, or of a question that is made of others one for each of these; none for a family
/// whose answers are not explained, or where there is nothing to follow.
///
/// # Errors
/// Solver failures.
pub(crate) fn courses(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    story: &Story,
    (families, family): (&[FamilyPhrases], usize),
    offer: &OfferedQuestion,
) -> Result<Vec<ToldCourse<'static>>, FactoryError> {
    let Subject::Composite(parts) = &offer.subject else {
        let found = course(stage, lexicon, story, &families[family], offer)?;
        return Ok(found.into_iter().collect());
    };
    let mut found = Vec::new();
    for part in parts {
        let family = &families[part.family.unwrap_or(family)];
        found.extend(course(stage, lexicon, story, family, &part.offer)?);
    }
    Ok(found)
}

/// The course of events of a question; none for a family whose answers are not explained.
///
/// # Errors
/// Solver failures.
fn course(
    stage: &mut Simulator,
    lexicon: &Lexicon,
    story: &Story,
    family: &FamilyPhrases,
    offer: &OfferedQuestion,
) -> Result<Option<ToldCourse<'static>>, FactoryError> {
    if !EXPLAINED.contains(&family.group.as_str()) || is_partly(&family.group) {
        return Ok(None);
    }
    let mut trace = CourseBuilder {
        stage,
        lexicon,
        here: story.initial.clone(),
        course: ToldCourse {
            initial: Cow::Owned(story.initial.clone()),
            events: Vec::new(),
            told: 0,
            premises: Support::default(),
            ending: Ending::Untold,
            remarks: Vec::new(),
            comparison: None,
        },
    };
    match &offer.subject {
        Subject::Edited(edit, question) => trace.edited(story, *edit, *question)?,
        Subject::Predicted(question) | Subject::Undefined(question, None) => {
            trace.told(story);
            trace.answered(*question);
        }
        Subject::Undefined(_, Some(_)) => return Ok(None),
        Subject::Search(arguments) => {
            trace.told(story);
            if let Some(search) = SearchFamily::of(family) {
                trace.searched(search, arguments, &offer.answer)?;
                trace.derived_at_the_end();
            }
        }
        subject => {
            trace.told(story);
            trace.history(story, subject, &offer.answer)?;
        }
    }
    let mut course = trace.course;
    for list in [&mut course.premises.fluents, &mut course.premises.facts] {
        list.sort_unstable();
        list.dedup();
    }
    Ok(Some(course))
}

impl CourseBuilder<'_, '_> {
    fn push(&mut self, event: CourseEvent, after: Situation) {
        self.course.events.push((event, Cow::Owned(after.clone())));
        self.here = after;
    }

    /// The story, as it is told.
    fn told(&mut self, story: &Story) {
        for (action, next) in story.plan.iter().zip(&story.passed) {
            self.push(CourseEvent::Done(*action), next.clone());
        }
        self.course.told = self.course.events.len();
    }

    /// Follows fluents from the start on.
    pub(super) fn follow(&mut self, fluents: impl IntoIterator<Item = usize>) {
        self.course.premises.fluents.extend(fluents);
    }

    fn need(&mut self, support: Support) {
        self.course.premises.fluents.extend(support.fluents);
        self.course.premises.facts.extend(support.facts);
    }

    /// What suffices to answer a question of prediction here.
    fn support(&self, question: usize) -> Support {
        let engine = &self.stage.engine;
        match self.lexicon.reasons(self.stage.package, self.stage.layout(), engine) {
            Some(reasons) => reasons.support(question, AskedSituation { here: &self.here, supposed: None }),
            None => {
                let known = sayable(self.stage.package, self.lexicon, engine);
                let all = engine.premises(question, |f| known.fluents.binary_search(&f).is_ok());
                Support { fluents: all.iter().collect(), facts: Vec::new() }
            }
        }
    }

    /// What suffices to see whether an action can be carried out here; nothing where that is not asked.
    fn executable(&self, action: usize) -> Support {
        let term = Term::function("executable", vec![self.stage.engine.actions[action].clone()]);
        self.verify_question(&term).map(|question| self.support(question)).unwrap_or_default()
    }

    /// The verify question of prediction of this term, if there is one.
    fn verify_question(&self, term: &Term) -> Option<usize> {
        let engine = &self.stage.engine;
        let first = engine.questions.partition_point(|question| question.term < *term);
        let all = engine.questions.iter().enumerate().skip(first);
        let mut asked = all.take_while(|(_, question)| question.term == *term);
        asked.find(|(_, question)| question.kind == Kind::Verify).map(|(question, _)| question)
    }

    /// What makes true what is so at the end only since other fluents are.
    fn derived_at_the_end(&mut self) {
        let Ending::Of(own) = &self.course.ending else { return };
        let engine = &self.stage.engine;
        let is_derived =
            |fluent: &&usize| self.here.contains(**fluent) && !engine.inertial.contains(**fluent);
        let Some(reasons) = self.lexicon.reasons(self.stage.package, self.stage.layout(), engine) else {
            return;
        };
        let setting = AskedSituation { here: &self.here, supposed: None };
        let support = |fluent: &usize| {
            let question = self.verify_question(&engine.fluents[*fluent])?;
            Some(reasons.support_beneath(question, setting, Some(*fluent)))
        };
        let all: Vec<Support> = own.iter().filter(is_derived).filter_map(support).collect();
        all.into_iter().for_each(|support| self.need(support));
    }

    /// Carries out an action, or tells that it is impossible and why.
    fn act(
        &mut self,
        action: usize,
        impossible: fn(usize, Vec<usize>) -> CourseEvent,
        shows: bool,
    ) -> Result<bool, FactoryError> {
        let outcome = self.stage.engine.step(&self.here, action)?;
        match outcome {
            Some(outcome) => {
                if shows {
                    let support = self.executable(action);
                    self.need(support);
                }
                self.push(CourseEvent::Done(action), outcome.situation);
                Ok(true)
            }
            None => {
                let support = self.executable(action);
                let event = impossible(action, support.fluents.clone());
                self.need(support);
                self.push(event, self.here.clone());
                Ok(false)
            }
        }
    }

    /// Carries out actions as far as they are possible.
    pub(super) fn act_all(&mut self, actions: &[usize]) -> Result<bool, FactoryError> {
        for action in actions {
            if !self.act(*action, CourseEvent::Impossible, true)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A question about the situations that the story passes.
    fn history(&mut self, story: &Story, subject: &Subject, answer: &Given) -> Result<(), FactoryError> {
        match (subject, answer) {
            (Subject::Fluents(fluents), _) => self.follow(fluents.iter().copied()),
            (Subject::Action(action), Given::Fluents(changed)) => {
                self.follow(changed.iter().copied());
                self.act(*action, CourseEvent::Impossible, false)?;
            }
            (Subject::Actions(listed), _) | (Subject::Story, Given::Actions(listed)) => {
                for action in listed {
                    let support = self.executable(*action);
                    self.need(support);
                }
                self.course.ending = Ending::Premises;
            }
            (_, Given::Fluents(listed)) => {
                self.follow(listed.iter().copied());
                let is_of_actions = listed.is_empty() && matches!(subject, Subject::Story);
                if !is_of_actions {
                    let once = self.once_true(story, subject);
                    self.follow(once);
                }
                self.course.ending = Ending::Premises;
            }
            _ => {}
        }
        Ok(())
    }

    /// The fluents that are true at some time, of those of which a list of what is true may speak: some drop out of it.
    fn once_true(&self, story: &Story, subject: &Subject) -> Vec<usize> {
        let engine = &self.stage.engine;
        let known = sayable(self.stage.package, self.lexicon, engine);
        let said = said(self.stage.package, self.lexicon, &known, None);
        let about = match subject {
            Subject::Object(object) => Some(&self.stage.layout().objects[*object].id),
            _ => None,
        };
        let is_about = |fluent: &usize| about.is_none_or(|id| names(&engine.fluents[*fluent], id));
        let passed = std::iter::once(&story.initial).chain(&story.passed);
        passed.flat_map(Situation::iter).filter(|fluent| said.contains(*fluent) && is_about(fluent)).collect()
    }

    /// A question of prediction about an edited story.
    fn edited(&mut self, story: &Story, edit: PlanEdit, question: usize) -> Result<(), FactoryError> {
        for (step, turn) in edit.turns(&story.plan).into_iter().enumerate() {
            match turn {
                Some(action) => {
                    self.act(action, CourseEvent::Skipped, false)?;
                }
                None => self.push(CourseEvent::LeftOut(story.plan[step]), self.here.clone()),
            }
        }
        self.course.told = self.course.events.len();
        self.answered(question);
        Ok(())
    }

    /// A question of prediction about the situation that has been reached.
    fn answered(&mut self, question: usize) {
        let support = self.support(question);
        self.need(support);
        self.course.ending = Ending::Premises;
    }

    /// A question about what can be done after the story.
    fn searched(
        &mut self,
        family: SearchFamily,
        arguments: &[SearchArgument],
        answer: &Given,
    ) -> Result<(), FactoryError> {
        if family.is_ever() {
            return self.ever(family, arguments, answer);
        }
        let goals: Vec<&[GoalFact]> = arguments
            .iter()
            .filter_map(
                |argument| if let SearchArgument::Goal(goal) = argument { Some(&goal[..]) } else { None },
            )
            .collect();
        let listed = arguments
            .iter()
            .find_map(
                |argument| if let SearchArgument::Actions(all) = argument { Some(&all[..]) } else { None },
            )
            .unwrap_or_default();
        let goal = goals.last().copied().unwrap_or_default();
        let own: Vec<usize> = goal.iter().map(|(fluent, _)| *fluent).collect();
        self.follow(own.iter().copied());
        match family {
            SearchFamily::ValidPlan => {
                let all = self.act_all(listed)?;
                self.course.ending = if all { Ending::Of(own) } else { Ending::Untold };
            }
            SearchFamily::FirstFailure | SearchFamily::WhyFailure => {
                self.act_all(listed)?;
            }
            SearchFamily::Superfluous | SearchFamily::SuperfluousTwo => {
                let spare = if let Given::Actions(all) = answer { &all[..] } else { &[] };
                let place = if spare.is_empty() { None } else { self.spare(listed, spare, goal)? };
                let without = place.map_or(0..0, |place| place..place + spare.len());
                for (step, action) in listed.iter().enumerate() {
                    if without.contains(&step) {
                        self.push(CourseEvent::LeftOut(*action), self.here.clone());
                    } else {
                        self.act(*action, CourseEvent::Impossible, true)?;
                    }
                }
                self.course.ending = Ending::Of(own);
                let needed = match family {
                    SearchFamily::Superfluous => Comparison::AllNeeded,
                    _ => Comparison::TwoNeeded,
                };
                self.course.comparison = place.is_none().then_some(needed);
            }
            SearchFamily::Plan
            | SearchFamily::PlanWithin
            | SearchFamily::Reuse
            | SearchFamily::Generalise => {
                if let Given::Plan(way) = answer {
                    self.act_all(way)?;
                }
                self.course.ending = Ending::Of(own);
                if let (SearchFamily::Plan, Given::Plan(way)) = (family, answer) {
                    self.course.comparison = Some(Comparison::NoFewer(way.len()));
                }
            }
            SearchFamily::Replan | SearchFamily::NewPlan => {
                let changed = goals.first().copied().unwrap_or_default();
                let there = altered(&self.here, changed);
                let settled = self.stage.engine.consider(&there, None)?;
                let there = settled.map_or(there, |(outcome, _)| outcome.situation);
                self.follow(changed.iter().map(|(fluent, _)| *fluent));
                self.push(CourseEvent::Changed, there);
                let length = match answer {
                    Given::Plan(way) => {
                        self.act_all(way)?;
                        self.course.ending = Ending::Of(own);
                        way.len()
                    }
                    _ => self.shortest(goal, None)?,
                };
                self.course.comparison = Some(Comparison::NoFewer(length));
            }
            SearchFamily::ReachableIn | SearchFamily::PlanLength => {
                let length = self.shortest(goal, None)?;
                self.course.comparison = Some(Comparison::NoFewer(length));
            }
            SearchFamily::Cost | SearchFamily::CheapestPlan => {
                let prices = self.prices(arguments);
                let way = match answer {
                    Given::Plan(way) => way.clone(),
                    _ => self.cheapest(goal, &prices)?,
                };
                self.act_all(&way)?;
                self.course.ending = Ending::Of(own);
                self.course.comparison = Some(Comparison::NoCheaper(costs(&way, &prices)));
            }
            SearchFamily::NextAction | SearchFamily::NextChoice => {
                let first = if let Given::Actions(all) = answer { all.first().copied() } else { None };
                self.shortest(goal, first)?;
                let listed = family == SearchFamily::NextChoice;
                self.course.comparison =
                    Some(if listed { Comparison::OnlyListed } else { Comparison::OnlyFirst });
            }
            SearchFamily::Recognise => {
                if let Given::Fact(fact) = answer {
                    self.follow([fact.0]);
                    self.shortest(&[*fact], None)?;
                }
                self.course.comparison = Some(Comparison::Serves);
            }
            _ => {}
        }
        Ok(())
    }

    /// The place of the actions that can be left out.
    fn spare(
        &mut self,
        listed: &[usize],
        spare: &[usize],
        goal: &[GoalFact],
    ) -> Result<Option<usize>, FactoryError> {
        for place in (0..listed.len()).filter(|place| listed[*place..].starts_with(spare)) {
            let mut here = Some(self.here.clone());
            for action in listed[..place].iter().chain(&listed[place + spare.len()..]) {
                let Some(from) = here else { break };
                let outcome = self.stage.engine.step(&from, *action)?;
                here = outcome.map(|outcome| outcome.situation);
            }
            if here.is_some_and(|end| is_met(goal, &end)) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Carries out a cheapest way to a goal, one that can be told where there is such.
    fn cheapest(&mut self, goal: &[GoalFact], prices: &[usize]) -> Result<Vec<usize>, FactoryError> {
        let known = sayable(self.stage.package, self.lexicon, &self.stage.engine);
        let can = self.stage.executable(&[&self.here])?.pop().unwrap_or_default();
        let around = Surroundings::of(&mut self.stage.engine, &self.here, can)?;
        let ways = CheapestWays::of(&around, prices).ways(goal);
        let is_told = |way: &&Vec<usize>| way.iter().all(|action| known.actions.contains(*action));
        let way = ways.iter().filter(is_told).min().or_else(|| ways.iter().min()).cloned();
        Ok(way.unwrap_or_default())
    }

    /// By action, what it costs by the prices that a question lists.
    fn prices(&self, arguments: &[SearchArgument]) -> Vec<usize> {
        let listed = arguments.iter().find_map(|argument| match argument {
            SearchArgument::Costs(listed) => Some(&listed[..]),
            _ => None,
        });
        let kinds = kinds(self.stage.package, &self.stage.engine.actions);
        prices(&kinds, listed.unwrap_or_default())
    }

    /// Carries out a shortest way to a goal that can be told, one that begins with an action if that is given. How many actions has
    /// it?
    pub(super) fn shortest(
        &mut self,
        goal: &[GoalFact],
        first: Option<usize>,
    ) -> Result<usize, FactoryError> {
        let known = sayable(self.stage.package, self.lexicon, &self.stage.engine);
        let can = self.stage.executable(&[&self.here])?.pop().unwrap_or_default();
        let around = Surroundings::of(&mut self.stage.engine, &self.here, can)?;
        let is_told = |way: &Vec<usize>| way.iter().all(|action| known.actions.contains(*action));
        let ways = around.distance(goal).map(|distance| around.layer(distance)).unwrap_or_default();
        let ways = ways.filter(|place| is_met(goal, &around.reached[*place].situation)).filter_map(|place| {
            match first {
                Some(first) => around.way_by(place, first),
                None => Some(around.way(place)),
            }
        });
        let ways: Vec<Vec<usize>> = ways.collect();
        let way = ways.iter().filter(|way| is_told(way)).min().or_else(|| ways.iter().min()).cloned();
        let way = way.unwrap_or_default();
        self.act_all(&way)?;
        self.course.ending = Ending::Of(goal.iter().map(|(fluent, _)| *fluent).collect());
        Ok(way.len())
    }
}
