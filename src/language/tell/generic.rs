//! A story of any domain to the text of the generic domain (section 9, table 8): ground fluents and actions become
//! numbers, the rules become preconditions, effects and static laws.
//!
//! Nothing but the text changes: the story, its questions and their answers are those of the domain. Only the
//! answers of which-questions, which would be names of objects, become the fluents or actions that bring them about.

use std::collections::{BTreeMap, BTreeSet};

use racgen_logic::fault::Fault;
use racgen_logic::term::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::domain::package::Package;
use crate::language::tell::narrator::Narrator;
use crate::language::tell::paragraphs::{Opening, PlacedSentence, remark};
use crate::language::tell::verbalize::{ToldText, Verbalize};
use crate::language::words::generic_view::GenericView;
use crate::language::words::holdout::Holdout;
use crate::language::words::numbering::Numbers;
use crate::language::words::text::{SEPARATOR, capital, filled, listed, paragraph};
use crate::phrases::book::{PhraseBook, Phrasings};
use crate::phrases::phrasing::Phrasing;
use crate::simulate::story::{Story, Timepoint};
use crate::simulate::theory::action_theory::{Condition, Conditions, Inquiry, InquiryShape, Property};
use crate::simulate::transitions::compiled_layout::Kind;
use crate::simulate::transitions::transition_system::TransitionSystem;

/// Says things about one story in the vocabulary of the generic domain.
pub struct GenericVerbalizer<'a> {
    /// The package of the story's domain.
    pub package: &'a Package,
    /// The layout's terms.
    pub engine: &'a TransitionSystem,
    /// The layout's theory.
    pub view: &'a GenericView,
    /// The story's numbers.
    pub numbers: &'a Numbers,
    /// Which phrasings may be used.
    pub holdout: Holdout,
}

/// One wording of each kind of sentence, which serves a whole rules paragraph.
struct RuleStyle<'b> {
    precondition: Option<&'b Phrasing>,
    alternatives: Option<&'b Phrasing>,
    effect: Option<&'b Phrasing>,
    conditional_effect: Option<&'b Phrasing>,
    law: Option<&'b Phrasing>,
    constant_law: Option<&'b Phrasing>,
    defined: Option<&'b Phrasing>,
    laws: Option<&'b Phrasing>,
}

impl<'a> GenericVerbalizer<'a> {
    /// Fills a phrasing; a place past the texts stands for the person who acts.
    fn fill(&self, phrasing: &Phrasing, texts: &[&str]) -> String {
        filled(phrasing, texts, &self.numbers.person)
    }

    /// Draws a phrasing and fills it; the number is that of the phrasing.
    fn say(
        &self,
        phrasings: Option<&Phrasings>,
        texts: &[&str],
        rng: &mut ChaCha8Rng,
    ) -> Option<(usize, String)> {
        let (number, phrasing) = self.holdout.draw(phrasings?, rng)?;
        Some((number, self.fill(phrasing, texts)))
    }

    fn style(&self, rng: &mut ChaCha8Rng) -> RuleStyle<'a> {
        let books = self.view.books;
        let mut draw = |functor: &str| {
            let drawn = books.sentence(functor).and_then(|list| self.holdout.draw(list, rng));
            drawn.map(|(_, phrasing)| phrasing)
        };
        RuleStyle {
            precondition: draw("precondition"),
            alternatives: draw("alternatives"),
            effect: draw("effect"),
            conditional_effect: draw("conditional_effect"),
            law: draw("law"),
            constant_law: draw("constant_law"),
            defined: draw("defined"),
            laws: draw("laws"),
        }
    }

    /// Fills the phrasing of a kind of sentence, where there is one.
    fn worded(&self, phrasing: Option<&Phrasing>, texts: &[&str]) -> String {
        phrasing.map_or(String::new(), |p| self.fill(p, texts))
    }

    /// Sentences about the static laws.
    fn laws(&self, style: &RuleStyle) -> Vec<String> {
        let (theory, fluents) = (&self.view.theory, &self.numbers.fluents);
        let mut sentences = Vec::new();
        if !theory.defined.is_empty() {
            sentences.push(self.worded(style.defined, &[&fluents.list(theory.defined.iter().copied())]));
        }
        let mut laws: Vec<_> = theory.laws.iter().collect();
        laws.sort_by_key(|law| fluents.rank[law.consequence.fluent]);
        for law in laws {
            let consequence = fluents.conditions([&law.consequence]);
            sentences.push(match fluents.conditions(&law.conditions) {
                conditions if conditions.is_empty() => self.worded(style.constant_law, &[&consequence]),
                conditions => self.worded(style.law, &[&consequence, &conditions]),
            });
        }
        let is_defined: BTreeSet<usize> = theory.defined.iter().copied().collect();
        if theory.laws.iter().any(|law| !is_defined.contains(&law.consequence.fluent)) {
            sentences.push(self.worded(style.laws, &[]));
        }
        sentences
    }

    /// By action, what it requires, and what it causes.
    fn descriptions(&self, style: &RuleStyle) -> (Vec<String>, Vec<String>) {
        let (fluents, actions) = (&self.numbers.fluents, &self.numbers.actions);
        let (mut requirements, mut consequences) = (Vec::new(), Vec::new());
        for action in &actions.order {
            let Some(description) = &self.view.theory.actions[*action] else { continue };
            let name = actions.text(*action);
            let sets: Vec<String> = description.preconditions.iter().map(|p| fluents.conditions(p)).collect();
            requirements.push(match sets.as_slice() {
                [always] if always.is_empty() => String::new(),
                [only] => self.worded(style.precondition, &[name, only]),
                several => self.worded(style.alternatives, &[name, &several.join("; ")]),
            });
            let mut sentences: Vec<String> = Vec::new();
            for (conditions, caused) in ranked(&description.effects, &fluents.rank) {
                let caused = fluents.conditions(caused);
                sentences.push(match fluents.conditions(conditions) {
                    conditions if conditions.is_empty() => self.worded(style.effect, &[name, &caused]),
                    conditions => self.worded(style.conditional_effect, &[name, &caused, &conditions]),
                });
            }
            consequences.push(paragraph(sentences));
        }
        (requirements, consequences)
    }
}

impl Verbalize for GenericVerbalizer<'_> {
    type Atom = usize;
    type Action = usize;
    type Situation = Opening;
    type Error = Fault;

    fn statement(&self, fluent: &usize, rng: &mut ChaCha8Rng) -> String {
        let each = self.view.books.generic.fluents.first().map(|f| &f.each);
        let drawn = each.and_then(|each| self.holdout.draw(each, rng));
        drawn.map_or(String::new(), |(_, p)| self.fill(&p.clause(), &[self.numbers.fluents.text(*fluent)]))
    }

    fn clause(&self, action: &usize, rng: &mut ChaCha8Rng) -> String {
        let clause = self.view.books.generic.actions.first().map(|a| &a.clause);
        let said = self.say(clause, &[self.numbers.actions.text(*action)], rng);
        said.map_or(String::new(), |(_, text)| text)
    }

    fn situation(&self, opening: &Opening, rng: &mut ChaCha8Rng) -> Vec<String> {
        let book = &self.view.books.generic;
        let mut sentences = Vec::new();
        for (kind, phrasings) in &book.objects {
            let numbering = if kind == "fluent" { &self.numbers.fluents } else { &self.numbers.actions };
            let list = numbering.list(numbering.order.iter().copied());
            let place = rng.random();
            let said = self.say(Some(phrasings), &[&list], rng);
            sentences.extend(said.map(|(_, text)| PlacedSentence { place, text }));
        }
        let list = self.numbers.fluents.list(opening.initial.iter());
        let relation = book.fluents.first();
        let told = relation.map(|r| if list.is_empty() { &r.none } else { &r.all });
        let place = rng.random();
        sentences.extend(self.say(told, &[&list], rng).map(|(_, text)| PlacedSentence { place, text }));
        let remark = |rng: &mut ChaCha8Rng| remark(&self.package.common, self.holdout, rng);
        opening.disorder.apply(sentences, remark, rng.random())
    }

    fn rules(&self, rng: &mut ChaCha8Rng) -> Result<Vec<String>, Fault> {
        let books = self.view.books;
        let style = self.style(rng);
        let of_laws = self.laws(&style);
        let (requirements, consequences) = self.descriptions(&style);
        let mut of_actions = Vec::new();
        if rng.random_bool(0.5) {
            requirements.into_iter().zip(consequences).for_each(|(r, c)| of_actions.extend([r, c]));
        } else {
            of_actions.extend(consequences);
            of_actions.extend(requirements);
        }
        let mut sentences =
            if rng.random_bool(0.5) { [of_laws, of_actions] } else { [of_actions, of_laws] }.concat();
        sentences.retain(|sentence| !sentence.is_empty());
        for phrasings in books.generic.rules.iter().chain(&books.own.frame) {
            sentences.extend(self.say(Some(phrasings), &[], rng).map(|(_, text)| text));
        }
        Ok(sentences)
    }

    fn did(&self, _: usize, action: &usize, rng: &mut ChaCha8Rng) -> String {
        let did = self.view.books.generic.actions.first().map(|a| &a.did);
        let said = self.say(did, &[self.numbers.actions.text(*action)], rng);
        said.map_or(String::new(), |(_, text)| text)
    }

    fn idle(&self, rng: &mut ChaCha8Rng) -> Option<String> {
        self.holdout.draw(&self.package.common.no_actions, rng).map(|(_, p)| listed(p, ""))
    }
}

impl<'a> GenericVerbalizer<'a> {
    /// The question whether the supposed action changes one of the fluents in the list.
    fn changes(&self, story: &Story, list: &str, rng: &mut ChaCha8Rng) -> Option<ToldText> {
        let questions = &self.package.common.questions;
        let ask = questions.iter().find(|q| q.pattern.functor == "changes").map(|q| &q.ask);
        let (_, each) = self.holdout.draw(&self.view.books.generic.fluents.first()?.each, rng)?;
        let statement = self.fill(&each.clause(), &[list]);
        let first = self.clause(story.further.first()?, rng);
        let (number, text) = self.say(ask, &[&first, &statement], rng)?;
        Some((capital(&text), format!("generic.changes.{}", number + 1)))
    }

    /// The name of a question's form, and its phrasings.
    fn asked(&self, inquiry: &Inquiry) -> Option<(String, Option<&'a Phrasings>)> {
        let books = self.view.books;
        let of_actions = inquiry.property == Property::Executable;
        let property = match inquiry.property {
            Property::True => "true",
            Property::False => "false",
            Property::Executable => "executable",
        };
        let every = of_actions && inquiry.things.len() == self.numbers.actions.order.len();
        let shape = match (inquiry.shape, inquiry.property) {
            (InquiryShape::One, Property::True) => {
                return Some((property.into(), Some(&books.generic.fluents.first()?.ask)));
            }
            (InquiryShape::One, Property::Executable) => {
                return Some((property.into(), Some(&books.generic.actions.first()?.can)));
            }
            (InquiryShape::One | InquiryShape::Changes, _) => "one",
            (InquiryShape::All, _) => "all",
            (InquiryShape::Any, _) => "any",
            (InquiryShape::Count, _) if every => "count_every",
            (InquiryShape::Count, _) => "count",
            (InquiryShape::Which, _) => "which",
        };
        let form = format!("{shape}_{property}");
        let phrasings = books.question(&form);
        Some((form, phrasings))
    }
}

impl Narrator for GenericVerbalizer<'_> {
    fn engine(&self) -> &TransitionSystem {
        self.engine
    }

    fn common(&self) -> &PhraseBook {
        &self.package.common
    }

    fn holdout(&self) -> Holdout {
        self.holdout
    }

    fn says(&self, _: usize) -> bool {
        true
    }

    fn fact(&self, _: usize, _: &mut ChaCha8Rng) -> Option<String> {
        None
    }

    fn question(
        &self,
        story: &Story,
        scene: Timepoint,
        question: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<ToldText> {
        let inquiry = self.view.theory.questions[question].as_ref()?;
        let of_actions = inquiry.property == Property::Executable;
        let numbering = if of_actions { &self.numbers.actions } else { &self.numbers.fluents };
        let list = numbering.list(inquiry.things.iter().map(|(thing, _)| *thing));
        if inquiry.shape == InquiryShape::Changes {
            return self.changes(story, &list, rng);
        }
        let (form, phrasings) = self.asked(inquiry)?;
        let (number, text) = self.say(phrasings, &[&list], rng)?;
        self.in_scene(story, scene, (text, format!("generic.{form}.{}", number + 1)), rng)
    }

    /// Answers to a which-question give way to the fluents or actions of the question's list that they stand for, in
    /// the order of the text.
    fn answer<'t>(&'t self, question: usize, answers: &mut Vec<&'t Term>) -> (String, &'static str) {
        let text =
            |answers: &[&Term]| answers.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(SEPARATOR);
        match self.engine.questions[question].kind {
            Kind::Verify => return (text(answers), "bool"),
            Kind::Count => return (text(answers), "number"),
            Kind::Other => {}
        }
        let inquiry = self.view.theory.questions[question].as_ref();
        let things = inquiry.into_iter().flat_map(|inquiry| &inquiry.things);
        let meant = things.filter(|(_, member)| answers.iter().any(|a| member.as_ref() == Some(*a)));
        let mut meant: Vec<usize> = meant.map(|(thing, _)| *thing).collect();
        if meant.is_empty() {
            return (text(answers), "none");
        }
        let of_actions = inquiry.is_some_and(|inquiry| inquiry.property == Property::Executable);
        let (numbering, terms) = if of_actions {
            (&self.numbers.actions, &self.engine.actions)
        } else {
            (&self.numbers.fluents, &self.engine.fluents)
        };
        meant.sort_by_key(|thing| numbering.rank[*thing]);
        *answers = meant.iter().map(|thing| &terms[*thing]).collect();
        (numbering.list(meant.iter().copied()), if meant.len() == 1 { "name" } else { "names" })
    }
}

/// Effects in an order that follows the numbering alone.
fn ranked<'e>(
    effects: &'e BTreeMap<Conditions, BTreeSet<Condition>>,
    rank: &[usize],
) -> Vec<(&'e Conditions, &'e BTreeSet<Condition>)> {
    let mut effects: Vec<_> = effects.iter().collect();
    let ranks = |conditions: &BTreeSet<Condition>| {
        let mut ranks: Vec<usize> = conditions.iter().map(|c| rank[c.fluent]).collect();
        ranks.sort_unstable();
        ranks
    };
    effects.sort_by_key(|(conditions, caused)| (ranks(conditions), ranks(caused)));
    effects
}
