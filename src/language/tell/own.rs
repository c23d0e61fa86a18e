//! A story to the text of its own domain, by way of its phrase book.

use racgen_logic::fault::Fault;
use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::language::tell::initial_state::initial_state;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::{Disorder, OmittedStatements, Opening, Paragraphs};
use crate::language::tell::rules_paragraph::rules;
use crate::language::tell::verbalize::{ToldText, Verbalize};
use crate::language::tell::verbalizer::Verbalizer;
use crate::language::words::holdout::Holdout;
use crate::language::words::lexicon::{Filler, QuestionForm};
use crate::language::words::text::{SEPARATOR, capital, filled, listed, paragraph};
use crate::phrases::book::{PhraseBook, Phrasings};
use crate::simulate::narrative::partly::{PartTelling, naming};
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

impl Verbalize for Verbalizer<'_> {
    type Atom = usize;
    type Action = usize;
    type Situation = Opening;
    type Error = Fault;

    fn statement(&self, fluent: &usize, rng: &mut ChaCha8Rng) -> String {
        let said = self.lexicon.fluents[*fluent].as_ref().and_then(|spoken| {
            let (_, phrasing) = self.draw(&self.package.book.fluents[spoken.entry].each, rng)?;
            Some(self.fill_clause(phrasing, &spoken.fillers, rng))
        });
        said.unwrap_or_else(|| self.engine.fluents[*fluent].to_string())
    }

    fn clause(&self, action: &usize, rng: &mut ChaCha8Rng) -> String {
        let said = self.lexicon.actions[*action].as_ref().and_then(|spoken| {
            let (_, phrasing) =
                self.draw_acting(&self.package.book.actions[spoken.entry].clause, spoken.fillers.len(), rng)?;
            Some(self.fill(phrasing, &spoken.fillers, rng))
        });
        said.unwrap_or_else(|| self.engine.actions[*action].to_string())
    }

    fn situation(&self, opening: &Opening, rng: &mut ChaCha8Rng) -> Vec<String> {
        initial_state(self, opening, rng.random())
    }

    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Fault> {
        rules(self, false, rng)
    }

    fn did(&self, _: usize, action: &usize, rng: &mut ChaCha8Rng) -> String {
        let said = self.lexicon.actions[*action].as_ref().and_then(|spoken| {
            let (_, phrasing) =
                self.draw_acting(&self.package.book.actions[spoken.entry].did, spoken.fillers.len(), rng)?;
            Some(self.fill(phrasing, &spoken.fillers, rng))
        });
        said.unwrap_or_else(|| format!("{}.", self.engine.actions[*action]))
    }

    fn idle(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        self.draw(&self.package.common.no_actions, rng).map(|(_, phrasing)| listed(phrasing, ""))
    }

    /// Each step has random numbers of its own, so that one more changes no other.
    fn actions(&self, plan: &[usize], rng: &mut ChaCha8Rng) -> Vec<String> {
        let dice: u64 = rng.random();
        if plan.is_empty() {
            return self.idle(rng).into_iter().collect();
        }
        let told = |(place, action): (usize, &usize)| {
            self.did(place, action, &mut stream(dice, &[&place.to_string()]))
        };
        plan.iter().enumerate().map(told).collect()
    }
}

impl Verbalizer<'_> {
    /// The question whether the supposed action changes a fluent, told by this entry with these fillers.
    fn changes(
        &self,
        story: &Story,
        entry: usize,
        fillers: &[Filler],
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText> {
        let (book, common) = (&self.package.book, &self.package.common);
        let ask = &common.questions.iter().find(|q| q.pattern.functor == "changes")?.ask;
        let (number, phrasing) = self.draw(ask, rng)?;
        let (_, each) = self.draw(&book.fluents[entry].each, rng)?;
        let statement = self.fill_clause(each, fillers, rng);
        let first = self.clause(story.further.first()?, rng);
        let text = filled(phrasing, &[first], &statement);
        Some((capital(&text), format!("changes.{}.{}", book.fluents[entry].pattern.functor, number + 1)))
    }

    /// The phrasings of a question; none for the question about changes, which has two parts.
    fn asked(&self, form: &QuestionForm) -> Option<&Phrasings> {
        let (book, common) = (&self.package.book, &self.package.common);
        Some(match form {
            QuestionForm::Ask(entry) => &book.fluents[*entry].ask,
            QuestionForm::Which(entry, place) => &book.fluents[*entry].which[*place].1,
            QuestionForm::Count(entry, place) => &book.fluents[*entry].count[*place].1,
            QuestionForm::Can(entry) => &book.actions[*entry].can,
            QuestionForm::Own(entry) => &book.questions[*entry].ask,
            QuestionForm::Common(entry) => &common.questions[*entry].ask,
            QuestionForm::Changes(_) => return None,
        })
    }
}

impl Narrator for Verbalizer<'_> {
    fn engine(&self) -> &TransitionSystem {
        self.engine
    }

    fn common(&self) -> &PhraseBook {
        &self.package.common
    }

    fn holdout(&self) -> Holdout {
        self.holdout
    }

    fn says(&self, fluent: usize) -> bool {
        self.lexicon.fluents[fluent].is_some()
    }

    fn fact(&self, fact: usize, rng: &mut ChaCha8Rng) -> Option<String> {
        let spoken = self.lexicon.facts.get(fact)?.as_ref()?;
        let (_, phrasing) = self.draw(&self.package.book.facts[spoken.entry].each, rng)?;
        Some(self.fill(&phrasing.inner_clause(), &spoken.fillers, rng))
    }

    fn partly(
        &self,
        story: &Story,
        telling: &PartTelling,
        disorder: Disorder,
        rng: &mut ChaCha8Rng,
    ) -> Result<Option<Paragraphs>, Fault> {
        let objects = telling.left_out.iter().map(|object| &*self.layout.objects[*object].id);
        let fluents = naming(&self.engine.fluents, &objects.collect::<Vec<_>>());
        let left_out = OmittedStatements {
            objects: telling.left_out.clone(),
            fluents: Some(fluents),
            ..OmittedStatements::default()
        };
        let is_partly = !left_out.objects.is_empty();
        let opening = Opening { initial: story.initial.clone(), disorder, left_out };
        let state = self.situation(&opening, rng);
        let rules = rules(self, is_partly, rng)?;
        let mut actions = self.actions(&story.plan, rng);
        if let Some(step) = telling.untold
            && let Some((_, phrasing)) = self.draw(&self.package.common.partly.untold, rng)
        {
            actions[step] = listed(phrasing, "");
        }
        Ok(Some(Paragraphs {
            initial_state: paragraph(state),
            rules: paragraph(rules),
            actions: paragraph(actions),
        }))
    }

    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText> {
        let (form, fillers) = self.lexicon.questions[question].as_ref()?;
        match form {
            QuestionForm::Changes(entry) => self.changes(story, *entry, fillers, rng),
            _ => self.in_scene(story, scene, self.bare_question(question, rng)?, rng),
        }
    }

    /// Objects stand in the order of the text.
    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str) {
        let rank = |t: &Term| {
            let object = self.lexicon.objects.get(t.functor()).filter(|_| t.args().is_empty());
            object.map_or(usize::MAX, |o| self.naming.rank[*o])
        };
        answers.sort_by_key(|t| rank(t));
        let texts: Vec<String> = answers.iter().map(|t| self.term_text(t)).collect();
        let kind = match (self.engine.questions[question].kind, answers.as_slice()) {
            (Kind::Verify, _) => "bool",
            (Kind::Count, _) => "number",
            (Kind::Other, [only]) if only.is("none", 0) => "none",
            (Kind::Other, [Term::Number(_)]) => "number",
            (Kind::Other, [_]) => "name",
            (Kind::Other, _) => "names",
        };
        (texts.join(SEPARATOR), kind)
    }
}

impl Verbalizer<'_> {
    /// A question outside of any scene, about what is now so, and the name of its phrasing; none where only a story can be
    /// asked it.
    pub(crate) fn bare_question(&self, question: usize, rng: &mut ChaCha8Rng) -> Option<ToldText> {
        let (form, fillers) = self.lexicon.questions[question].as_ref()?;
        if let QuestionForm::Changes(_) = form {
            return None;
        }
        let (number, phrasing) = self.draw(self.asked(form)?, rng)?;
        let text = self.fill(phrasing, fillers, rng);
        let functor = self.engine.questions[question].term.functor();
        let named = match form {
            QuestionForm::Can(entry) => {
                format!("{functor}.{}", self.package.book.actions[*entry].pattern.functor)
            }
            _ => functor.to_owned(),
        };
        Some((text, format!("{named}.{}", number + 1)))
    }
}
