//! A layout to a world to act in: its situation, what can be done there and what can be asked, in terms and in English.
//!
//! Agents act in it, one action after the other; nothing of it is drawn but the layout, the names, and the situation that
//! one begins in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde::Serialize;

use crate::domain::package::Package;
use crate::language::tell::family_question::CANONICAL;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::{Disorder, OmittedStatements, Opening};
use crate::language::tell::verbalize::Verbalize;
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::lexicon::Lexicon;
use crate::language::words::naming::Naming;
use crate::language::words::text::capital;
use crate::simulate::error::SimulationError;
use crate::simulate::layout::{Layout, Object};
use crate::simulate::plans::sampling::Sampling;
use crate::simulate::situation::{AnswerSheet, Situation};
use crate::simulate::story::Simulator;

/// A term and what is said for it; empty where the phrase book says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SaidTerm {
    /// The term.
    pub term: String,
    /// A clause, without capital letter and full stop.
    pub text: String,
}

/// An object of the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedObject {
    /// Its constant.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name in texts.
    pub name: String,
}

/// What stays the same, whatever is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorldShape {
    /// The objects.
    pub objects: Vec<NamedObject>,
    /// The static facts.
    pub facts: Vec<String>,
    /// All fluents; a situation names them by their places here.
    pub fluents: Vec<SaidTerm>,
    /// Those that stay as they are unless an action changes them, by their places.
    pub inertial: Vec<usize>,
    /// All actions; what is executable names them by their places here.
    pub actions: Vec<SaidTerm>,
    /// The rules as a paragraph.
    pub rules: String,
}

/// A situation, and what can be done in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenSituation {
    /// The true fluents, by their places.
    pub fluents: Vec<usize>,
    /// The executable actions, by their places.
    pub executable: Vec<usize>,
}

/// A question that can be asked in a situation, with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AskedNow {
    /// `verify`, `count` or `other`.
    pub question_type: &'static str,
    /// The question as a term.
    pub query: String,
    /// The question in words.
    pub question: String,
    /// The answer in words.
    pub answer: String,
    /// The answer as ground terms.
    pub gold: Vec<String>,
    /// `bool`, `number`, `name`, `names` or `none`.
    pub answer_type: &'static str,
}

/// A world to act in.
pub struct ActedWorld<'a> {
    simulator: Simulator<'a>,
    lexicon: Lexicon,
    naming: Naming,
    seed: u64,
    here: Situation,
    executable: Vec<usize>,
    sheet: AnswerSheet,
    /// The number of the situation that it began in, and how many actions were done since.
    begun: usize,
    done: u64,
}

impl<'a> ActedWorld<'a> {
    /// The world of a level that a seed draws, in the first of its situations.
    ///
    /// # Errors
    /// Solver failures; a layout without situations.
    pub fn new(
        package: &'a Package,
        level: i32,
        seed: u64,
        parameters: &BTreeMap<String, i64>,
        limit: Duration,
    ) -> Result<ActedWorld<'a>, SimulationError> {
        let mut rng = stream(seed, &["acting", &package.name, &level.to_string()]);
        let layout = Layout::sample(package, level, parameters, &mut rng, limit)?;
        let simulator = Simulator::new(package, layout, Sampling::Walk, limit, &mut rng)?;
        let naming = Naming::draw(package, simulator.layout(), CANONICAL, |_| true, &mut rng);
        let lexicon = Lexicon::new(package, simulator.layout(), &simulator.engine);
        let here = Situation::new(simulator.engine.fluents.len());
        let sheet = AnswerSheet::new(simulator.engine.answers.len());
        let executable = Vec::new();
        let mut world =
            ActedWorld { simulator, lexicon, naming, seed, here, executable, sheet, begun: 0, done: 0 };
        world.begin(0)?;
        Ok(world)
    }

    /// Begins in the situation of a number; equal numbers, equal situations.
    ///
    /// # Errors
    /// Solver failures.
    pub fn begin(&mut self, situation: usize) -> Result<SeenSituation, SimulationError> {
        let mut rng = self.rng("situation", situation as u64);
        (self.begun, self.done) = (situation, 0);
        self.simulator.go_to(situation);
        let (start, _) = self.simulator.draw_world(&mut rng)?;
        self.look_at(&start)
    }

    /// Does the action of a number; none where it cannot be done, and then all stays as it is.
    ///
    /// # Errors
    /// Solver failures.
    pub fn act(&mut self, action: usize) -> Result<Option<SeenSituation>, SimulationError> {
        if !self.executable.contains(&action) {
            return Ok(None);
        }
        let engine = &mut self.simulator.engine;
        let deeds: Vec<(&Situation, usize)> =
            engine.deeds.of(action).map(|deed| (&self.here, deed)).collect();
        let mut ends: Vec<Situation> =
            engine.steps(&deeds)?.into_iter().flatten().map(|outcome| outcome.situation).collect();
        let number = match ends.len() {
            0 => return Ok(None),
            1 => 0,
            count => self.rng(&format!("outcome {}", self.begun), self.done).random_range(0..count),
        };
        self.done += 1;
        self.look_at(&ends.swap_remove(number)).map(Some)
    }

    /// The situation.
    pub fn seen(&self) -> SeenSituation {
        SeenSituation { fluents: self.here.iter().collect(), executable: self.executable.clone() }
    }

    /// What stays the same.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub fn shape(&self) -> Result<WorldShape, Fault> {
        let (layout, engine, teller) = (self.simulator.layout(), &self.simulator.engine, self.teller());
        let mut rng = self.rng("shape", 0);
        let types = &self.simulator.package.types;
        let object = |(object, name): (&Object, &Arc<str>)| NamedObject {
            id: object.id.to_string(),
            kind: types[object.kind].name.clone(),
            name: name.to_string(),
        };
        let said = |term: &Term, text: String| SaidTerm { term: term.to_string(), text };
        let mut fluents = Vec::with_capacity(engine.fluents.len());
        for (number, term) in engine.fluents.iter().enumerate() {
            let text = if teller.says(number) { teller.statement(&number, &mut rng) } else { String::new() };
            fluents.push(said(term, text));
        }
        let mut actions = Vec::with_capacity(engine.actions.len());
        for (number, term) in engine.actions.iter().enumerate() {
            let known = self.lexicon.actions[number].is_some();
            actions.push(said(term, if known { teller.clause(&number, &mut rng) } else { String::new() }));
        }
        let rules = teller.tell(&self.opening(), &[], &mut rng)?.rules;
        Ok(WorldShape {
            objects: layout.objects.iter().zip(&self.naming.names).map(object).collect(),
            facts: layout.statics.iter().map(ToString::to_string).collect(),
            fluents,
            inertial: engine.inertial.iter().collect(),
            actions,
            rules,
        })
    }

    /// The situation as a paragraph, as the initial state of an item.
    ///
    /// # Errors
    /// A template of the rules paragraph that fails on this world.
    pub fn told(&self) -> Result<String, Fault> {
        let mut rng = self.rng("told", 0);
        Ok(self.teller().tell(&self.opening(), &[], &mut rng)?.initial_state)
    }

    /// What can be asked of the situation, of prediction, with the answers; those of one query only, if one is given.
    pub fn asked(&self, query: Option<&Term>) -> Vec<AskedNow> {
        let (engine, teller) = (&self.simulator.engine, self.teller());
        let mut found = Vec::new();
        for (number, question) in engine.questions.iter().enumerate() {
            let answers = question.answers.clone().filter(|answer| self.sheet.contains(*answer));
            let mut answers: Vec<&Term> = answers.map(|answer| &engine.answers[answer].answer).collect();
            let wanted = query.is_none_or(|query| *query == question.term);
            if !wanted || answers.is_empty() || self.lexicon.form(number).is_none() {
                continue;
            }
            let Some((text, _)) = teller.bare_question(number, &mut self.rng("asked", number as u64)) else {
                continue;
            };
            let (answer, answer_type) = teller.answer(number, &mut answers);
            found.push(AskedNow {
                question_type: question.kind.name(),
                query: question.term.to_string(),
                question: capital(&text),
                answer,
                gold: answers.iter().map(ToString::to_string).collect(),
                answer_type,
            });
        }
        found
    }

    fn look_at(&mut self, situation: &Situation) -> Result<SeenSituation, SimulationError> {
        let engine = &mut self.simulator.engine;
        let Some((outcome, sheet)) = engine.consider(situation, None)? else {
            return Err(SimulationError::Unknown("the situation contradicts the rules of its domain".into()));
        };
        (self.here, self.executable, self.sheet) = (outcome.situation, outcome.executable, sheet);
        Ok(self.seen())
    }

    fn opening(&self) -> Opening {
        Opening {
            initial: self.here.clone(),
            disorder: Disorder::default(),
            left_out: OmittedStatements::default(),
        }
    }

    fn teller(&self) -> Verbalizer<'_> {
        Verbalizer {
            package: self.simulator.package,
            layout: self.simulator.layout(),
            engine: &self.simulator.engine,
            lexicon: &self.lexicon,
            naming: &self.naming,
            holdout: CANONICAL,
        }
    }

    fn rng(&self, what: &str, number: u64) -> ChaCha8Rng {
        stream(self.seed, &["acting", &self.simulator.package.name, what, &number.to_string()])
    }
}
