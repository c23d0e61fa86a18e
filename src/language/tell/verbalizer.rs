//! Atoms, actions and questions of one story to sentences, by way of the phrase book of its domain.

use racgen_logic::seed::stream;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::language::tell::scene::in_scene;
use crate::language::words::holdout::{DrawnPhrasing, Holdout};
use crate::language::words::lexicon::{Filler, Lexicon, QuestionForm};
use crate::language::words::naming::Naming;
use crate::language::words::text::{capital, listed, paragraph};
use crate::phrases::book::Phrasings;
use crate::phrases::phrasing::Phrasing;
use crate::simulate::layout::Layout;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::transition_system::{Kind, TransitionSystem};

/// Says things about one story.
pub struct Verbalizer<'a> {
    /// The package.
    pub package: &'a Package,
    /// The layout.
    pub layout: &'a Layout,
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's phrases.
    pub lexicon: &'a Lexicon,
    /// The story's names.
    pub naming: &'a Naming,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

impl Verbalizer<'_> {
    pub(crate) fn draw<'p>(
        &self,
        phrasings: &'p Phrasings,
        rng: &mut ChaCha8Rng,
    ) -> Option<DrawnPhrasing<'p>> {
        self.holdout.draw(phrasings, rng)
    }

    pub(crate) fn text(&self, filler: &Filler, rng: &mut ChaCha8Rng) -> String {
        match filler {
            Filler::Object(object) => self.naming.names[*object].to_string(),
            Filler::Text(text) => text.clone(),
            Filler::Action(action) => self.clause(*action, rng),
            Filler::Fluent(fluent) => self.statement(*fluent, rng),
        }
    }

    /// Fills a phrasing; a place past the fillers stands for the person who acts.
    pub(crate) fn fill(&self, phrasing: &Phrasing, fillers: &[Filler], rng: &mut ChaCha8Rng) -> String {
        let texts: Vec<String> = fillers.iter().map(|f| self.text(f, rng)).collect();
        let mut out = String::new();
        phrasing.fill(&mut out, |slot| texts.get(slot).map_or(self.naming.person.as_str(), String::as_str));
        out
    }

    /// The clause that an action takes place.
    pub fn clause(&self, action: usize, rng: &mut ChaCha8Rng) -> String {
        let Some(spoken) = &self.lexicon.actions[action] else {
            return self.engine.actions[action].to_string();
        };
        match self.draw(&self.package.book.actions[spoken.entry].clause, rng) {
            Some((_, phrasing)) => self.fill(phrasing, &spoken.fillers, rng),
            None => self.engine.actions[action].to_string(),
        }
    }

    /// The clause that a fluent is true.
    pub fn statement(&self, fluent: usize, rng: &mut ChaCha8Rng) -> String {
        let Some(spoken) = &self.lexicon.fluents[fluent] else {
            return self.engine.fluents[fluent].to_string();
        };
        match self.draw(&self.package.book.fluents[spoken.entry].each, rng) {
            Some((_, phrasing)) => self.fill(&phrasing.clause(), &spoken.fillers, rng),
            None => self.engine.fluents[fluent].to_string(),
        }
    }

    pub(crate) fn term_text(&self, term: &Term) -> String {
        for (pattern, phrasing) in &self.package.book.terms {
            if term.is(&pattern.functor, pattern.places.len()) && !term.args().is_empty() {
                let args: Vec<String> = term.args().iter().map(|t| self.term_text(t)).collect();
                let mut out = String::new();
                phrasing.fill(&mut out, |slot| args.get(slot).map_or("", String::as_str));
                return out;
            }
        }
        if term.args().is_empty() {
            if let Some(object) = self.lexicon.objects.get(term.functor()) {
                return self.naming.names[*object].to_string();
            }
            if let Some(name) = self.package.constants.get(term.functor()) {
                return name.clone();
            }
        }
        term.to_string()
    }

    /// The sentences of an action sequence, in order.
    pub fn actions(&self, plan: &[usize], rng: &mut ChaCha8Rng) -> String {
        let dice: u64 = rng.random();
        let mut sentences = Vec::new();
        for (place, action) in plan.iter().enumerate() {
            let mut rng = stream(dice, &[&place.to_string()]);
            let told = self.lexicon.actions[*action].as_ref().and_then(|spoken| {
                let (_, phrasing) = self.draw(&self.package.book.actions[spoken.entry].did, &mut rng)?;
                Some(self.fill(phrasing, &spoken.fillers, &mut rng))
            });
            sentences.push(told.unwrap_or_else(|| format!("{}.", self.engine.actions[*action])));
        }
        if plan.is_empty() {
            sentences.extend(self.draw(&self.package.common.no_actions, rng).map(|(_, p)| listed(p, "")));
        }
        paragraph(sentences)
    }

    /// A question in its scene, and the name of the phrasings drawn.
    pub fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<(String, String)> {
        let (form, fillers) = self.lexicon.questions[question].as_ref()?;
        let book = &self.package.book;
        let common = &self.package.common;
        let functor = self.engine.questions[question].term.functor();
        if let QuestionForm::Changes(entry) = form {
            let ask = &common.questions.iter().find(|q| q.pattern.functor == "changes")?.ask;
            let (number, phrasing) = self.draw(ask, rng)?;
            let (_, each) = self.draw(&book.fluents[*entry].each, rng)?;
            let statement = self.fill(&each.clause(), fillers, rng);
            let first = self.clause(*story.further.first()?, rng);
            let mut out = String::new();
            phrasing.fill(&mut out, |slot| if slot == 0 { &first } else { &statement });
            return Some((
                capital(&out),
                format!("changes.{}.{}", book.fluents[*entry].pattern.functor, number + 1),
            ));
        }
        let phrasings = match form {
            QuestionForm::Ask(entry) => &book.fluents[*entry].ask,
            QuestionForm::Which(entry, place) => &book.fluents[*entry].which[*place].1,
            QuestionForm::Count(entry, place) => &book.fluents[*entry].count[*place].1,
            QuestionForm::Can(entry) => &book.actions[*entry].can,
            QuestionForm::Own(entry) => &book.questions[*entry].ask,
            QuestionForm::Common(entry) => &common.questions[*entry].ask,
            QuestionForm::Changes(_) => return None,
        };
        let (number, phrasing) = self.draw(phrasings, rng)?;
        let text = self.fill(phrasing, fillers, rng);
        let named = match form {
            QuestionForm::Can(entry) => format!("{functor}.{}", book.actions[*entry].pattern.functor),
            _ => functor.to_owned(),
        };
        let template = format!("{named}.{}", number + 1);
        let clause = |action, rng: &mut ChaCha8Rng| self.clause(action, rng);
        in_scene(common, self.holdout, story, scene, (text, template), clause, rng)
    }

    /// The text of answer terms and their type, with objects in the order of the text.
    pub fn answer(&self, kind: Kind, answers: &mut Vec<&Term>) -> (String, &'static str) {
        let rank = |t: &Term| {
            let object = self.lexicon.objects.get(t.functor()).filter(|_| t.args().is_empty());
            object.map_or(usize::MAX, |o| self.naming.rank[*o])
        };
        answers.sort_by_key(|t| rank(t));
        let texts: Vec<String> = answers.iter().map(|t| self.term_text(t)).collect();
        let kind = match (kind, answers.as_slice()) {
            (Kind::Verify, _) => "bool",
            (Kind::Count, _) => "number",
            (Kind::Other, [only]) if only.is("none", 0) => "none",
            (Kind::Other, [Term::Number(_)]) => "number",
            (Kind::Other, [_]) => "name",
            (Kind::Other, _) => "names",
        };
        (texts.join(", "), kind)
    }
}
