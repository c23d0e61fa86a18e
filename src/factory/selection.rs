//! A card and a few stories to a question: which question is asked in the place of a data set that a card describes.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;

use crate::factory::schedule::{Kin, Setting, Wanted};
use crate::language::words::lexicon::Lexicon;
use crate::simulate::situation::AnswerSheet;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::{Kind, TransitionSystem};

/// Stories that a question is chosen from: count and other questions so that answers spread, verify questions that
/// are answered no so that they nearly are answered yes.
const POOLED: usize = 4;

/// A question of a story: the story's number, the scene, and the question's index.
pub type QuestionKey = (usize, Timepoint, usize);

/// A question chosen.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The story's number.
    pub told: usize,
    /// The scene.
    pub scene: Timepoint,
    /// Index into [`TransitionSystem::questions`](crate::simulate::transition_system::CompiledLayout::questions).
    pub question: usize,
    /// Indices into [`TransitionSystem::answers`](crate::simulate::transition_system::CompiledLayout::answers).
    pub answers: Vec<usize>,
    /// Does the initial situation give the same answer?
    pub trivial: bool,
    /// What it has in common with questions that answer it cannot be told from.
    pub kin: Kin,
}

impl Selection {
    /// Where it is asked.
    pub fn asked(&self) -> QuestionKey {
        (self.told, self.scene, self.question)
    }
}

/// Stories of one layout and what may be asked of them.
pub struct Candidates<'a> {
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The stories.
    pub stories: Vec<&'a Story>,
    /// What was asked before.
    pub used: &'a HashSet<QuestionKey>,
    /// May this story's question have these answers?
    pub sayable: &'a dyn Fn(usize, usize, &[&Term]) -> bool,
}

impl Candidates<'_> {
    /// What one question of a story offers to a card; of another kin than wanted, nothing.
    fn offer(
        &self,
        setting: &Setting,
        (told, scene, question): QuestionKey,
        kind: Kind,
        card: Wanted,
        kin: Option<Kin>,
    ) -> Option<Selection> {
        let offer = setting.offer(question)?;
        let own = setting.kin(question);
        if card.trivial.is_some_and(|t| t != offer.trivial)
            || kin.is_some_and(|kin| kin != own)
            || (kind == Kind::Verify && offer.yes != card.yes)
            || self.used.contains(&(told, scene, question))
        {
            return None;
        }
        let answers = setting.answers(question);
        if kind != Kind::Verify {
            let terms: Vec<&Term> = answers.iter().map(|a| &self.engine.answers[*a].answer).collect();
            if !(self.sayable)(told, question, &terms) {
                return None;
            }
        }
        Some(Selection { told, scene, question, answers, trivial: offer.trivial, kin: own })
    }

    /// Chooses a question for a card: a story, then an answer that the story offers, then a question with it.
    pub fn choose(
        &self,
        kind: Kind,
        card: Wanted,
        kin: Option<Kin>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Selection> {
        let start = rng.random_range(0..self.stories.len());
        let in_turn = (0..self.stories.len()).map(|n| (start + n) % self.stories.len());
        let mut found =
            in_turn.map(|told| self.of_story(told, kind, card, kin)).filter(|all| !all.is_empty());
        let mut choices = match kind {
            Kind::Verify if card.yes => found.next()?,
            Kind::Verify => {
                let mut plain = None;
                let mut near = None;
                for all in found.take(POOLED) {
                    let some = self.near_misses(&all);
                    if !some.is_empty() {
                        near = Some(some);
                        break;
                    }
                    plain.get_or_insert(all);
                }
                near.or(plain)?
            }
            Kind::Count | Kind::Other => self.spread(kind, found.take(POOLED).flatten().collect(), rng)?,
        };
        let pick = rng.random_range(0..choices.len());
        Some(choices.swap_remove(pick))
    }

    fn of_story(&self, told: usize, kind: Kind, card: Wanted, kin: Option<Kin>) -> Vec<Selection> {
        let scene = card.cell.scene;
        let Some(setting) = Setting::new(self.engine, self.stories[told], scene) else { return Vec::new() };
        let questions = self.lexicon.questions_of(kind, card.cell.voice).iter();
        questions.filter_map(|q| self.offer(&setting, (told, scene, *q), kind, card, kin)).collect()
    }

    /// The choices with one answer, such that answers of each length, and of these each answer, are equally likely.
    fn spread(&self, kind: Kind, choices: Vec<Selection>, rng: &mut ChaCha8Rng) -> Option<Vec<Selection>> {
        let mut by_answer: BTreeMap<(usize, Vec<usize>), Vec<Selection>> = BTreeMap::new();
        for choice in choices {
            // An empty answer, a single one and a longer one are told apart before single answers are.
            let empty = choice.answers.iter().any(|a| self.engine.answers[*a].answer.is("none", 0));
            let class = if empty { 0 } else { choice.answers.len().min(2) };
            by_answer.entry((class, choice.answers.clone())).or_default().push(choice);
        }
        let classes: BTreeSet<usize> = by_answer.keys().map(|(class, _)| *class).collect();
        let class = *classes.into_iter().collect::<Vec<_>>().choose(rng)?;
        let mut codes: Vec<&(usize, Vec<usize>)> = by_answer.keys().filter(|(c, _)| *c == class).collect();
        if kind == Kind::Count {
            // Two questions with the same number have answers of different indices.
            let number =
                |code: &&(usize, Vec<usize>)| code.1.first().map(|a| self.engine.answers[*a].answer.clone());
            let numbers: BTreeSet<Option<Term>> = codes.iter().map(number).collect();
            let wanted = numbers.into_iter().collect::<Vec<_>>().choose(rng)?.clone();
            codes.retain(|code| number(code) == wanted);
        }
        let code = (*codes.choose(rng)?).clone();
        by_answer.remove(&code)
    }

    /// Of questions of one story answered no, those that differ in one object from one answered yes.
    fn near_misses(&self, choices: &[Selection]) -> Vec<Selection> {
        let Some(first) = choices.first() else { return Vec::new() };
        let Some((sheet, _)) = self.stories[first.told].sheet(first.scene) else { return Vec::new() };
        let near = self.nearly(first.question, sheet);
        let is_near = |c: &&Selection| {
            let term = inside(&self.engine.questions[c.question].term);
            wildcards(term).any(|open| near.contains(&open))
        };
        choices.iter().filter(is_near).cloned().collect()
    }

    /// The questions of one form that are answered yes, each with one of its places left open.
    fn nearly(&self, of: usize, sheet: &AnswerSheet) -> HashSet<(usize, Term)> {
        let voice = self.lexicon.form(of);
        let all = voice.map_or(&[][..], |v| self.lexicon.questions_of(Kind::Verify, v));
        let all = all.iter().map(|q| &self.engine.questions[*q]);
        let yes = all.filter(|q| q.yes.is_some_and(|yes| sheet.contains(yes)));
        yes.flat_map(|q| wildcards(inside(&q.term))).collect()
    }
}

/// What a question is about: `executable(A)` and `changes(F)` are about the term inside.
pub fn inside(question: &Term) -> &Term {
    match question.args() {
        [only] if !only.args().is_empty() => only,
        _ => question,
    }
}

/// The term with one of its places left open, for each of them, with the place's number.
fn wildcards(term: &Term) -> impl Iterator<Item = (usize, Term)> + '_ {
    (0..term.args().len()).map(|place| {
        let mut args = term.args().to_vec();
        args[place] = Term::constant("_");
        (place, Term::function(term.functor(), args))
    })
}
